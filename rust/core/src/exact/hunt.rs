//! Who wins once both knights are placed: a recursion over whole rounds, a move and its reply.
//!
//! Knights change colour with every move. Where the player to move stands on the same colour as the
//! other, it does so after each round, and both moves of a round go to cells of one colour. So only
//! this player, the hunter, can take a cell that the other, the prey, could go to next. And neither
//! move of a round changes where the other one leads.
//!
//! ```text
//!             the hunter moves     the prey moves      the hunter moves
//!   hunter    dark ------> light        light          light ------> dark
//!   prey          dark             dark ------> light      light
//! ```

use super::outcome::{have_same_colour, mirrors};
use crate::board::{Cell, CellSet, Geometry, Position};
use crate::budget::{Clock, Meter, Stop};

/// A position with the hunter to move, of which nothing is plain to see.
pub(super) struct Round<S> {
    blank: S,
    /// Where the hunter can go, and go on from there.
    hunter: S,
    /// Where the prey can go, and go on from there.
    prey: S,
    prey_at: Cell,
}

/// What is plain to see of a position with the hunter to move.
pub(super) enum Sight<S> {
    HunterWins,
    PreyWins,
    Open(Round<S>),
}

impl<S: CellSet> Sight<S> {
    /// The sight of a position where both can move; none where it is the prey's turn, or a knight has no
    /// place.
    pub(super) fn of(position: &Position<S>) -> Option<Self> {
        let [own, other] = [position.to_move(), position.to_move().opponent()];
        let [hunter_at, prey_at] = [position.location(own)?, position.location(other)?];
        if !have_same_colour(position.size(), hunter_at, prey_at) {
            return None;
        }
        let (board, blank) = (position.geometry(), position.blank());
        let [hunter, prey] = [hunter_at, prey_at].map(|at| blank.in_reach(board.reach(at.0)));
        let live = blank.spread(board);
        let goes_on = [hunter.and(&live), prey.and(&live)];
        Some(Self::with([&hunter, &prey], goes_on, || blank.clone(), prey_at))
    }

    /// The sight where these are the next cells of both, and of them those from where they can go on.
    #[inline]
    fn with(
        [hunter_next, prey_next]: [&S; 2],
        [hunter, prey]: [S; 2],
        blank: impl FnOnce() -> S,
        prey_at: Cell,
    ) -> Self {
        let takes_all = |prey: &S, hunter| prey.without(hunter).is_empty() && prey.count() <= 1;
        if takes_all(prey_next, hunter_next) {
            Self::HunterWins
        } else if hunter.is_empty() {
            Self::PreyWins
        } else if takes_all(&prey, &hunter) {
            Self::HunterWins
        } else {
            Self::Open(Round { blank: blank(), hunter, prey, prey_at })
        }
    }
}

/// The blank cells from where a knight has two next cells or more, and those from where it has just two:
/// with the one it came from, and another that may be taken.
struct Exits<'r, S: CellSet> {
    board: &'r Geometry<S>,
    blank: &'r S,
    several: S,
    two: S,
}

/// A move of the hunter, and what it leaves.
struct Step<S> {
    to: Cell,
    /// Its next cells, and of them those from where it goes on if the prey does not come near.
    next: S,
    goes_on: S,
    /// From where the prey goes on after its reply.
    for_prey: S,
}

impl<'r, S: CellSet> Exits<'r, S> {
    #[inline]
    fn of(board: &'r Geometry<S>, blank: &'r S) -> Self {
        let [several, more] = blank.crowded(board);
        Self { board, blank, two: several.without(&more), several }
    }

    #[inline]
    fn step(&self, to: Cell) -> Step<S> {
        let reach = self.board.reach(to.0);
        let next = self.blank.in_reach(reach);
        let goes_on = next.and(&self.several);
        Step { to, next, goes_on, for_prey: self.several.without(&self.two.in_reach(reach)) }
    }

    /// The sight after a move of the hunter and a reply.
    #[inline]
    fn after(&self, step: &Step<S>, reply: Cell) -> Sight<S> {
        let reach = self.board.reach(reply.0);
        let next = self.blank.in_reach(reach);
        let goes_on = [step.goes_on.without(&self.two.in_reach(reach)), next.and(&step.for_prey)];
        let blank = || {
            let mut blank = self.blank.clone();
            blank.remove(step.to);
            blank.remove(reply);
            blank
        };
        Sight::with([&step.next, &next], goes_on, blank, reply)
    }
}

/// Up to eight cells, sorted.
#[derive(Default)]
struct Order {
    /// The key above the cell.
    keys: [u32; 8],
    count: usize,
}

impl Order {
    const CELL_BITS: u32 = 24;

    #[inline]
    fn insert(&mut self, key: u32, cell: Cell) {
        let key = key << Self::CELL_BITS | cell.0;
        let mut place = self.count;
        while place > 0 && self.keys[(place - 1) % 8] > key {
            self.keys[place % 8] = self.keys[(place - 1) % 8];
            place -= 1;
        }
        self.keys[place % 8] = key;
        self.count += 1;
    }

    #[inline]
    fn cells(&self) -> impl Iterator<Item = Cell> {
        self.keys.iter().take(self.count).map(|key| Cell(key & ((1 << Self::CELL_BITS) - 1)))
    }
}

/// Whether the hunter wins.
///
/// Measured on 7 by 7: the first move tried wins at nine of ten won rounds. A table of positions saved a
/// tenth of the nodes and no time, since few positions are reached in two ways.
pub(super) fn hunter_wins<S: CellSet, C: Clock>(
    board: &Geometry<S>,
    round: &Round<S>,
    meter: &mut Meter<'_, C>,
) -> Result<bool, Stop> {
    meter.spend()?;
    let Round { blank, hunter, prey, prey_at } = round;
    let exits = Exits::of(board, blank);
    // 1. The prey's replies: those with the most next cells first.
    let mut replies = Order::default();
    for to in prey.cells() {
        replies.insert(8 - blank.count_in(board.reach(to.0)), to);
    }
    // 2. What is plain to see of the hunter's moves. Without a reply that needs a try a move wins.
    let mut moves = Order::default();
    'moves: for to in hunter.cells() {
        if mirrors(board.size(), blank, to, *prey_at) {
            return Ok(true);
        }
        let step = exits.step(to);
        let mut open = 0;
        for reply in replies.cells().filter(|&reply| reply != to) {
            match exits.after(&step, reply) {
                Sight::HunterWins => {}
                Sight::Open(_) if !mirrors(board.size(), blank, reply, to) => open += 1,
                Sight::PreyWins | Sight::Open(_) => continue 'moves,
            }
        }
        if open == 0 {
            return Ok(true);
        }
        moves.insert(16 + 3 * open - 2 * step.goes_on.count(), to);
    }
    // 3. Try the others, the most promising first, until one has no reply that saves the prey.
    'moves: for to in moves.cells() {
        let step = exits.step(to);
        for reply in replies.cells().filter(|&reply| reply != to) {
            if let Sight::Open(round) = exits.after(&step, reply)
                && !hunter_wins(board, &round, meter)?
            {
                continue 'moves;
            }
        }
        return Ok(true);
    }
    Ok(false)
}
