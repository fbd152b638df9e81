//! The game by its definition, without a table or a bit: what the engine is compared with.

use isolation_core::{CellSet, Player, Position, Size};

/// Row and column.
pub(crate) type Place = (i64, i64);

#[derive(Clone)]
pub(crate) struct Board {
    size: Size,
    /// By row, then by column.
    blocked: Vec<Vec<bool>>,
    knights: [Option<Place>; 2],
    side: Player,
}

impl Board {
    pub(crate) fn of<S: CellSet>(position: &Position<S>) -> Self {
        let size = position.size();
        let blank = |row: u32, column: u32| {
            let cell = size.cell(row.into(), column.into()).unwrap();
            position.blank().contains(cell)
        };
        Self {
            size,
            blocked: (0..size.height())
                .map(|row| (0..size.width()).map(|column| !blank(row, column)).collect())
                .collect(),
            knights: Player::BOTH.map(|player| {
                let (row, column) = size.coordinates(position.location(player)?);
                Some((row.into(), column.into()))
            }),
            side: position.to_move(),
        }
    }

    pub(crate) fn is_blocked(&self, (row, column): Place) -> bool {
        self.blocked[usize::try_from(row).unwrap()][usize::try_from(column).unwrap()]
    }

    /// Blank cells, and for a placed player those two steps along one side and one along the other.
    pub(crate) fn is_legal(&self, player: Player, (row, column): Place) -> bool {
        let apart =
            |(from_row, from_column): Place| ((row - from_row) * (column - from_column)).abs() == 2;
        !self.is_blocked((row, column)) && self.knights[player.index()].is_none_or(apart)
    }

    /// The legal moves, column by column.
    pub(crate) fn moves(&self, player: Player) -> Vec<Place> {
        let (width, height) = (i64::from(self.size.width()), i64::from(self.size.height()));
        let (rows, columns) = match self.knights[player.index()] {
            // No more than a shortcut on large boards: what is farther away is no knight's move.
            Some((row, column)) => (
                (row - 3).max(0)..(row + 4).min(height),
                (column - 3).max(0)..(column + 4).min(width),
            ),
            None => (0..height, 0..width),
        };
        columns
            .flat_map(|column| rows.clone().map(move |row| (row, column)))
            .filter(|&place| self.is_legal(player, place))
            .collect()
    }

    pub(crate) fn after(&self, (row, column): Place) -> Self {
        let mut after = self.clone();
        after.blocked[usize::try_from(row).unwrap()][usize::try_from(column).unwrap()] = true;
        after.knights[self.side.index()] = Some((row, column));
        after.side = self.side.opponent();
        after
    }

    pub(crate) fn height(&self) -> i64 {
        self.size.height().into()
    }

    pub(crate) fn width(&self) -> i64 {
        self.size.width().into()
    }

    pub(crate) fn knight(&self, player: Player) -> Option<Place> {
        self.knights[player.index()]
    }

    /// The blank cells, column by column.
    pub(crate) fn blank(&self) -> Vec<Place> {
        let places =
            (0..self.width()).flat_map(|column| (0..self.height()).map(move |row| (row, column)));
        places.filter(|&place| !self.is_blocked(place)).collect()
    }

    /// The cells of the board, blank or not, around one: a king's moves away if rows and columns may
    /// multiply to 1 at the most, a knight's moves away if it is to be 2.
    pub(crate) fn around(&self, (row, column): Place, product: i64) -> Vec<Place> {
        let near = (column - 2..=column + 2)
            .flat_map(|to| (row - 2..=row + 2).map(move |from| (from, to)));
        near.filter(|&(to_row, to_column)| {
            let (down, right) = ((to_row - row).abs(), (to_column - column).abs());
            let apart = if product == 2 { down * right == 2 } else { down.max(right) == 1 };
            apart && (0..self.height()).contains(&to_row) && (0..self.width()).contains(&to_column)
        })
        .collect()
    }

    /// The blank cells a knight's move from one.
    pub(crate) fn steps(&self, place: Place) -> Vec<Place> {
        let mut steps = self.around(place, 2);
        steps.retain(|&step| !self.is_blocked(step));
        steps
    }

    /// The minimax value for `player`, every line looked at; adds up the positions generated, those
    /// that the heuristic walks included.
    pub(crate) fn minimax(
        &self,
        heuristic: &str,
        player: Player,
        depth: u32,
        nodes: &mut u64,
    ) -> f64 {
        let moves = self.moves(self.side);
        if depth == 0 || moves.is_empty() {
            *nodes += self.walked(heuristic);
            return self.score(heuristic, player);
        }
        let mut values = Vec::new();
        for place in moves {
            *nodes += 1;
            values.push(self.after(place).minimax(heuristic, player, depth - 1, nodes));
        }
        let best = if self.side == player { f64::max } else { f64::min };
        values.into_iter().reduce(best).unwrap()
    }

    /// Whether the player to move can force a win.
    pub(crate) fn mover_wins(&self) -> bool {
        self.moves(self.side).into_iter().any(|place| !self.after(place).mover_wins())
    }

    pub(crate) fn side(&self) -> Player {
        self.side
    }
}
