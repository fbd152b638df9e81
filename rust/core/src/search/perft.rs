//! Counting the lines of play of a length: the measure of move generation, and its test.

use std::convert::Infallible;

use super::{Failure, MAX_PLIES};
use crate::board::{CellSet, Position};
use crate::budget::{Clock, Meter, Stop};

/// How many positions `depth` plies below this one there are, counted once for each line that leads
/// to them. The last ply is counted by its number of moves, not made.
///
/// # Errors
/// [`Failure::Interrupted`] where the clock says so, and [`Failure::TooDeep`] where lines of that
/// length exist and are longer than [`MAX_PLIES`].
///
/// ```
/// use isolation_core::{Position, Size, StopWatch, perft};
///
/// let empty = Position::<u64>::empty(Size::new(7, 7)?);
/// assert_eq!(perft(&empty, 2, &mut StopWatch::start()), Ok(49 * 48));
/// # Ok::<(), isolation_core::SizeError>(())
/// ```
pub fn perft<S: CellSet, C: Clock>(
    position: &Position<S>,
    depth: u32,
    clock: &mut C,
) -> Result<u64, Failure<Infallible>> {
    if depth == 0 {
        return Ok(1);
    }
    if depth > position.blank().count() {
        return Ok(0);
    }
    if depth > MAX_PLIES {
        return Err(Failure::TooDeep(depth));
    }
    lines(&mut position.clone(), depth, &mut Meter::unlimited(1024, clock))
        .map_err(|_| Failure::Interrupted)
}

fn lines<S: CellSet, C: Clock>(
    position: &mut Position<S>,
    depth: u32,
    meter: &mut Meter<C>,
) -> Result<u64, Stop> {
    meter.spend()?;
    if depth == 1 {
        return Ok(u64::from(position.mobility(position.to_move())));
    }
    let mut count = 0;
    for cell in position.moves(position.to_move()) {
        let undo = position.make(cell);
        let below = lines(position, depth - 1, meter);
        position.unmake(undo);
        count += below?;
    }
    Ok(count)
}

/// The same count with every position really made: what a search could reach if it did nothing else.
#[must_use]
pub fn perft_made<S: CellSet>(position: &mut Position<S>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    for cell in position.moves(position.to_move()) {
        let undo = position.make(cell);
        count += perft_made(position, depth - 1);
        position.unmake(undo);
    }
    count
}
