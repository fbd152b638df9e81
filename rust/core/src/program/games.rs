//! The board that a program asks, and those that it makes of it: their cells, moves, and the order of moves.

use super::arena::Arena;
use super::fuel::Fuel;
use super::ops::Instruction;
use super::{Bail, prices};
use crate::board::{Cell, CellSet, Player, Position, Size, shuffle};

/// The most games that a run may make, and the most words that their blank cells may take.
const MOST_GAMES: usize = 1 << 12;
const MOST_WORDS: usize = 1 << 18;

/// Boards of more cells have some that no byte can hold as one more than the cell.
const MOST_PACKED: u32 = 254;

/// A game that a run made.
#[derive(Clone, Debug)]
pub(super) struct Game<S: CellSet> {
    position: Position<S>,
    move_count: i64,
}

/// All games of a run, by their handle.
pub(super) struct Games<'r, S: CellSet> {
    /// Handle 0, read where it is: most programs make no other.
    root: &'r Position<S>,
    move_count: i64,
    /// The others, from handle 1 on.
    made: &'r mut Vec<Game<S>>,
    pub(super) order_bits: u64,
    pub(super) size: Size,
}

impl<'r, S: CellSet> Games<'r, S> {
    #[inline]
    pub(super) fn new(
        root: &'r Position<S>,
        move_count: i64,
        order_bits: u64,
        made: &'r mut Vec<Game<S>>,
    ) -> Self {
        Self { root, move_count, made, order_bits, size: root.size() }
    }

    /// Does an instruction that asks the board, or works on sets of cells.
    #[inline(never)]
    #[allow(clippy::too_many_lines, reason = "one line an instruction")]
    pub(super) fn answer(
        &mut self,
        instruction: Instruction,
        ints: &mut [i64; 256],
        masks: &mut [S; 256],
        fuel: &mut Fuel,
    ) -> Result<(), Bail> {
        use Instruction as Op;
        macro_rules! i {
            ($register:expr) => {
                ints[usize::from($register)]
            };
        }
        macro_rules! m {
            ($register:expr) => {
                masks[usize::from($register)]
            };
        }
        // Pays for the elements of some sets.
        let cells = self.size.cells();
        macro_rules! pay {
            ($($set:expr),+) => {
                fuel.pay(prices::set(0 $(+ m!($set).count())+, cells))?
            };
        }
        match instruction {
            Op::MovM(to, a) => {
                pay!(a);
                m!(to) = m!(a).clone();
            }
            Op::MaskEmpty(to) => {
                m!(to) = self.no_cells();
                pay!(to);
            }
            Op::MaskAnd(to, a, b) => {
                pay!(a, b);
                m!(to) = m!(a).and(&m!(b));
            }
            Op::MaskOr(to, a, b) => {
                pay!(a, b);
                m!(to) = m!(a).or(&m!(b));
            }
            Op::MaskWithout(to, a, b) => {
                pay!(a, b);
                m!(to) = m!(a).without(&m!(b));
            }
            Op::MaskXor(to, a, b) => {
                pay!(a, b);
                m!(to) = m!(a).without(&m!(b)).or(&m!(b).without(&m!(a)));
            }
            Op::MaskCount(to, a) => i!(to) = i64::from(m!(a).count()),
            Op::MaskHas(to, a, cell) => {
                i!(to) = i64::from(self.cell(i!(cell)).is_ok_and(|cell| m!(a).contains(cell)));
            }
            Op::MaskAdd(set, cell) => {
                let cell = self.cell(i!(cell))?;
                m!(set).insert(cell);
            }
            Op::CellOf(to, row, column) => {
                i!(to) = self.size.cell(i!(row), i!(column)).map_or(-1, |cell| i64::from(cell.0));
            }
            Op::RowOf(to, cell) => i!(to) = self.coordinates(i!(cell))?.0,
            Op::ColOf(to, cell) => i!(to) = self.coordinates(i!(cell))?.1,

            Op::Width(to) => i!(to) = i64::from(self.size.width()),
            Op::Height(to) => i!(to) = i64::from(self.size.height()),
            Op::MoveCount(to, game) => i!(to) = self.move_count(i!(game))?,
            Op::Blank(to, game) => {
                m!(to) = self.position(i!(game))?.blank().clone();
                fuel.pay(prices::blank(cells))?;
            }
            Op::Moves(to, game, player) => {
                m!(to) = self.position(i!(game))?.set_of_moves(player_of(i!(player)));
                fuel.pay(prices::moves(m!(to).count(), cells))?;
            }
            Op::IsBlank(to, game, cell) => {
                let blank = self.position(i!(game))?.blank();
                i!(to) = i64::from(self.cell(i!(cell)).is_ok_and(|cell| blank.contains(cell)));
            }
            Op::MobilityFrom(to, game, cell) => {
                let cell = self.cell(i!(cell))?;
                let count = self.position(i!(game))?.mobility_from(cell);
                fuel.pay(prices::moves(count, cells))?;
                i!(to) = count.into();
            }
            Op::MovesFrom(to, game, cell) => {
                let cell = self.cell(i!(cell))?;
                let position = self.position(i!(game))?;
                m!(to) = position.blank().in_reach(position.geometry().reach(cell.0));
                fuel.pay(prices::moves(m!(to).count(), cells))?;
            }
            Op::Forecast(to, game, cell) => i!(to) = self.forecast(i!(game), i!(cell))?,
            Op::CopyGame(to, game) => i!(to) = self.copy(i!(game))?,
            Op::Apply(game, cell) => self.apply(i!(game), i!(cell))?,
            Op::PackMoves(to, moves, origin) => {
                i!(to) = self.packed(&m!(moves), i!(origin))?;
            }
            _ => return Err(Bail),
        }
        Ok(())
    }

    #[inline]
    fn position(&self, handle: i64) -> Result<&Position<S>, Bail> {
        if handle == 0 {
            Ok(self.root)
        } else {
            Ok(&self.made.get(place(handle)?).ok_or(Bail)?.position)
        }
    }

    #[inline]
    pub(super) fn active(&self, game: i64) -> Result<i64, Bail> {
        Ok(self.position(game)?.to_move() as i64)
    }

    #[inline]
    pub(super) fn location(&self, game: i64, player: i64) -> Result<i64, Bail> {
        let place = self.position(game)?.location(player_of(player));
        Ok(place.map_or(-1, |cell| cell.0.into()))
    }

    #[inline]
    pub(super) fn mobility(&self, game: i64, player: i64, fuel: &mut Fuel) -> Result<i64, Bail> {
        let count = self.position(game)?.mobility(player_of(player));
        fuel.pay(prices::moves(count, self.size.cells()))?;
        Ok(count.into())
    }

    #[inline]
    pub(super) fn is_loser(&self, game: i64, player: i64, fuel: &mut Fuel) -> Result<i64, Bail> {
        let (position, player) = (self.position(game)?, player_of(player));
        // Only the player to move can have lost, so only its moves are looked up.
        if position.to_move() != player {
            return Ok(0);
        }
        let count = position.mobility(player);
        fuel.pay(prices::moves(count, self.size.cells()))?;
        Ok((count == 0).into())
    }

    fn move_count(&self, handle: i64) -> Result<i64, Bail> {
        if handle == 0 {
            return Ok(self.move_count);
        }
        Ok(self.made.get(place(handle)?).ok_or(Bail)?.move_count)
    }

    #[inline]
    fn cell(&self, index: i64) -> Result<Cell, Bail> {
        cell_of(self.size, index)
    }

    fn coordinates(&self, index: i64) -> Result<(i64, i64), Bail> {
        let (row, column) = self.size.coordinates(self.cell(index)?);
        Ok((row.into(), column.into()))
    }

    fn no_cells(&self) -> S {
        let all = S::full(self.size);
        all.without(&all)
    }

    fn keep(&mut self, position: Position<S>, move_count: i64) -> Result<i64, Bail> {
        let words = self.size.cells().div_ceil(64) as usize;
        if self.made.len() == MOST_GAMES.min(MOST_WORDS / words) {
            return Err(Bail);
        }
        self.made.push(Game { position, move_count });
        i64::try_from(self.made.len()).map_err(|_| Bail)
    }

    fn forecast(&mut self, handle: i64, cell: i64) -> Result<i64, Bail> {
        let cell = self.cell(cell)?;
        let position = self.position(handle)?;
        let next = position.after_jump(position.to_move(), cell);
        self.keep(next, self.move_count(handle)?.wrapping_add(1))
    }

    fn copy(&mut self, handle: i64) -> Result<i64, Bail> {
        let same = self.position(handle)?.clone();
        self.keep(same, self.move_count(handle)?)
    }

    fn packed(&self, moves: &S, origin: i64) -> Result<i64, Bail> {
        if self.size.cells() > MOST_PACKED {
            return Err(Bail);
        }
        let origin = if origin == -1 { None } else { Some(self.cell(origin)?) };
        packed(moves.cells(), self.order_bits, origin).ok_or(Bail)
    }

    fn apply(&mut self, handle: i64, cell: i64) -> Result<(), Bail> {
        let cell = self.cell(cell)?;
        let game = self.made.get_mut(place(handle)?).ok_or(Bail)?;
        game.position.jump(game.position.to_move(), cell);
        game.move_count = game.move_count.wrapping_add(1);
        Ok(())
    }
}

/// At most 8 cells in the order in which the board lists moves from a cell, or increasing from -1.
fn ordered(
    moves: impl Iterator<Item = Cell>,
    size: Size,
    order_bits: u64,
    origin: i64,
) -> Result<([Cell; 8], usize), Bail> {
    let (mut cells, mut count) = ([Cell(0); 8], 0);
    for cell in moves {
        *cells.get_mut(count).ok_or(Bail)? = cell;
        count += 1;
    }
    if origin != -1 {
        shuffle(&mut cells[..count], order_bits, cell_of(size, origin)?);
    }
    Ok((cells, count))
}

/// What [`Instruction::OrderedList`] gives.
///
/// # Errors
/// Where a knight has fewer moves, there is no such origin, or too little memory or fuel.
pub fn listed<S: CellSet>(
    moves: &S,
    size: Size,
    order_bits: u64,
    origin: i64,
    arena: &mut Arena,
    fuel: &mut Fuel,
) -> Result<i64, Bail> {
    let word = |cell: Cell| u64::from(cell.0);
    if origin == -1 {
        return arena.list_of(moves.cells().map(word), moves.count() as usize, fuel);
    }
    let (cells, count) = ordered(moves.cells(), size, order_bits, origin)?;
    arena.list_of(cells.into_iter().map(word), count, fuel)
}

/// At most 8 cells, which fit into bytes, as [`Instruction::PackMoves`] gives them. None where they are more.
#[must_use]
pub fn packed(
    cells: impl Iterator<Item = Cell>,
    order_bits: u64,
    origin: Option<Cell>,
) -> Option<i64> {
    let (mut bytes, mut count) = ([0; 8], 0);
    for cell in cells {
        *bytes.get_mut(count)? = u8::try_from(cell.0 + 1).ok()?;
        count += 1;
    }
    if let Some(origin) = origin {
        shuffle(&mut bytes[..count], order_bits, origin);
    }
    Some(i64::from_le_bytes(bytes))
}

#[inline]
fn cell_of(size: Size, index: i64) -> Result<Cell, Bail> {
    let cell = u32::try_from(index).map_err(|_| Bail)?;
    if cell < size.cells() { Ok(Cell(cell)) } else { Err(Bail) }
}

/// The place of a handle among the games that were made.
#[inline]
fn place(handle: i64) -> Result<usize, Bail> {
    usize::try_from(handle.wrapping_sub(1)).map_err(|_| Bail)
}

#[inline]
fn player_of(register: i64) -> Player {
    if register & 1 == 0 { Player::One } else { Player::Two }
}
