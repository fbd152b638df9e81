//! Who wins, by a program that shares nothing with the engine's: cells in a bordered list, no sets, no
//! symmetry, nothing known of colours.

use isolation_core::{CellSet, Player, Position};

/// Two cells of border on each side: no step of a knight leaves the list.
const BORDER: usize = 2;

pub(crate) struct SecondSolver {
    is_free: Vec<bool>,
    steps: [isize; 8],
    rows: usize,
}

impl SecondSolver {
    /// The solver, and where the player to move and the other stand. Both are placed.
    pub(crate) fn of<S: CellSet>(position: &Position<S>) -> (Self, [usize; 2]) {
        let size = position.size();
        let rows = size.height() as usize + 2 * BORDER;
        let at = |cell| {
            let (row, column) = size.coordinates(cell);
            (column as usize + BORDER) * rows + row as usize + BORDER
        };
        let mut is_free = vec![false; rows * (size.width() as usize + 2 * BORDER)];
        position.blank().cells().for_each(|cell| is_free[at(cell)] = true);
        let down = rows.cast_signed();
        let steps = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
            .map(|(row, column)| row + column * down);
        let stands = |player: Player| at(position.location(player).unwrap());
        let to_move = position.to_move();
        (Self { is_free, steps, rows }, [stands(to_move), stands(to_move.opponent())])
    }

    pub(crate) fn row_and_column(&self, place: usize) -> (i64, i64) {
        let [row, column] = [place % self.rows, place / self.rows].map(|at| at - BORDER);
        (row.try_into().unwrap(), column.try_into().unwrap())
    }

    pub(crate) fn moves(&self, from: usize) -> Vec<usize> {
        let to = self.steps.iter().map(|&step| from.wrapping_add_signed(step));
        to.filter(|&to| self.is_free[to]).collect()
    }

    /// Whether a move wins for the player who makes it.
    pub(crate) fn move_wins(&mut self, to: usize, opponent: usize) -> bool {
        self.is_free[to] = false;
        let wins = !self.mover_wins(opponent, to);
        self.is_free[to] = true;
        wins
    }

    /// Tries those moves first that leave the opponent few replies and its own knight many.
    fn mover_wins(&mut self, own: usize, opponent: usize) -> bool {
        let mut moves = self.moves(own);
        let replies = self.moves(opponent);
        moves.sort_by_cached_key(|&to| {
            let taken = usize::from(replies.contains(&to));
            16 + 2 * (replies.len() - taken) - self.moves(to).len()
        });
        moves.into_iter().any(|to| self.move_wins(to, opponent))
    }
}
