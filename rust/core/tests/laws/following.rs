//! What a heuristic is told while a search runs, and how it may end one.

use isolation_core::{
    Budget, Cell, Clock, Failure, Halt, Heuristic, Meter, Method, Mode, Options, Player, Position,
    Reason, Stop, search,
};

use crate::clocks::Still;
use crate::positions::narrow;

/// Knows the line that leads to each position, and errs from a call on.
struct Follower {
    root: Position<u64>,
    line: Vec<Cell>,
    entered: u64,
    calls: u64,
    errs_from: u64,
    errors_end_the_search: bool,
}

impl Heuristic<u64> for Follower {
    type Error = &'static str;

    fn nodes_between_looks(&self, _: u32) -> u64 {
        64
    }

    fn evaluate<C: Clock>(
        &mut self,
        position: &Position<u64>,
        _: Player,
        _: &mut Meter<'_, C>,
    ) -> Result<f64, Halt<Self::Error>> {
        let mut followed = self.root.clone();
        for &cell in &self.line {
            let _ = followed.make(cell);
        }
        assert_eq!(&followed, position);
        self.calls += 1;
        if self.calls < self.errs_from {
            Ok(0.0)
        } else if self.errors_end_the_search {
            Err(Halt::Stop(Stop::Heuristic))
        } else {
            Err(Halt::Heuristic("no more"))
        }
    }

    fn entered(&mut self, cell: Cell) {
        self.line.push(cell);
        self.entered += 1;
    }

    fn left(&mut self) {
        self.line.pop();
    }
}

fn follower(text: &str, errs_from: u64, errors_end_the_search: bool) -> Follower {
    let root = narrow(text);
    Follower { root, line: Vec::new(), entered: 0, calls: 0, errs_from, errors_end_the_search }
}

const OPENING: &str = "7x7 x6/7/3x3/7/7/7/7 2,3 0,0 1";
const OVER: &str = "3x3 1x1/3/x1x 0,1 2,2 1";

#[test]
fn a_heuristic_can_follow_the_line_to_each_position() {
    for (method, mode) in [
        (Method::Minimax, Mode::Plain),
        (Method::AlphaBeta, Mode::Plain),
        (Method::AlphaBeta, Mode::Fast),
    ] {
        let mut follower = follower(OPENING, u64::MAX, false);
        let options = Options { method, mode, ..Options::new(Budget::nodes(5_000)) };
        let report = search(&follower.root.clone(), &mut follower, &mut Still, &options).unwrap();
        assert!(follower.line.is_empty());
        assert_eq!(follower.entered, report.nodes);
    }
}

#[test]
fn a_heuristic_may_end_a_search_as_a_spent_budget_does() {
    // Depth 1 asks about 8 positions.
    for (errs_from, depth, value) in [(1, 0, None), (8, 0, None), (9, 1, Some(0.0))] {
        let mut follower = follower(OPENING, errs_from, true);
        let options = Options::new(Budget::nodes(5_000));
        let report = search(&follower.root.clone(), &mut follower, &mut Still, &options).unwrap();
        assert_eq!((report.reason, report.depth, report.value), (Reason::Heuristic, depth, value));
        assert!(report.best.is_some() && follower.line.is_empty());
    }
}

#[test]
fn a_heuristic_may_end_a_search_where_there_is_no_move() {
    let mut follower = follower(OVER, 1, true);
    let options = Options::new(Budget::depth(2));
    let report = search(&follower.root.clone(), &mut follower, &mut Still, &options).unwrap();
    assert_eq!((report.reason, report.best, report.value), (Reason::Heuristic, None, None));
}

#[test]
fn an_error_that_does_not_end_a_search_fails_it() {
    for text in [OPENING, OVER] {
        let mut follower = follower(text, 1, false);
        let options = Options::new(Budget::nodes(100));
        let failed = search(&follower.root.clone(), &mut follower, &mut Still, &options);
        assert_eq!(failed, Err(Failure::Heuristic("no more")));
    }
}
