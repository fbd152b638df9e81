//! What everything costs that a heuristic does: whole nanoseconds of a stated reference machine.
//!
//! The price of an instruction is what `CPython` takes for the shortest Python that it comes from; that of a
//! question is what the plain board of `isolation_fast.reference` takes to answer. So work that is counted buys as
//! much thinking as the same time did. The reference machine is a core of an AMD EPYC with `CPython` 3.11.7;
//! `benchmarks/prices.py` measures there what is stated here.
//!
//! A run pays for a stretch of code when it comes to its beginning: for all instructions up to the next that may
//! jump. What depends on the size of an answer, of a list or of a set is paid once that size is known.

use super::ops::Instruction;

/// The version of these prices: results that were counted by other prices are other results.
pub const VERSION: u32 = 1;

/// A node of a search, without what its heuristic does.
pub const NODE: u32 = 3_050;

/// What a node with the heuristic `improved` pays in searches where less than such a share of the board is blank
/// at the root. It is counted by these prices, not timed: so work buys that heuristic as many of its own nodes.
pub const NODES_WITH_IMPROVED: [(f64, u32); 5] =
    [(0.4, 4_400), (0.5, 4_460), (0.6, 4_860), (0.7, 5_710), (1.0, 7_140)];

/// A list of moves, and each move in it.
pub const MOVES: u32 = 1_500;
/// One of them.
pub const MOVE: u32 = 210;
/// More moves than a knight has are the blank cells: so much for each cell of the board.
pub const BLANK_CELL: u32 = 66;

/// A board after a move, made as an object.
pub const FORECAST: u32 = 930;
/// A copy of a board.
pub const COPY: u32 = 660;
/// Whether a cell is blank.
pub const CELL: u32 = 98;
/// Who the opponent is.
pub const PLAYER: u32 = 28;

/// Each element of a set that is walked or copied.
pub const SET_ELEMENT: u32 = 6;
/// Sets of more than 128 cells take so many cells longer for each nanosecond.
const CELLS_A_NANOSECOND: u32 = 8;

/// Each word of a list that is copied.
pub const LIST_WORD: u32 = 1;
/// Each word of the elements of a list that are compared with something.
pub const LOOK: u32 = 8;
/// Each element that is sorted, and each of its comparisons.
pub const SORTED: u32 = 4;
/// One of them.
pub const COMPARISON: u32 = 5;
/// Each word that is allocated.
pub const ALLOCATED: u32 = 1;

/// The price of an instruction, but for what depends on the sizes of what it works on.
#[must_use]
#[allow(clippy::match_same_arms, reason = "by what they do: that some cost the same is chance")]
pub const fn price(instruction: Instruction) -> u32 {
    use Instruction as Op;
    match instruction {
        // What becomes of these in Python is a part of the instruction that reads them.
        Op::ConstI(..) | Op::ConstK(..) | Op::ConstF(..) => 1,
        Op::MovI(..) | Op::MovF(..) | Op::Ret() | Op::Bail() => 2,
        Op::IToF(..) | Op::IToFExact(..) => 3,
        Op::Origin(..) => 1,

        Op::AddI(..) | Op::SubI(..) | Op::AddN(..) | Op::NegI(..) | Op::NotI(..) => 8,
        Op::MulI(..) | Op::AndI(..) | Op::OrI(..) | Op::XorI(..) => 8,
        Op::ShlI(..) | Op::ShrI(..) | Op::FloorDivI(..) | Op::ModI(..) => 11,
        Op::PowI(..) => 18,
        Op::AbsI(..) | Op::AbsF(..) => 11,
        Op::MinI(..) | Op::MaxI(..) => 62,
        Op::IsZero(..) => 5,
        Op::EqI(..) | Op::NeI(..) | Op::LtI(..) | Op::LeI(..) => 11,
        Op::EqF(..) | Op::NeF(..) | Op::LtF(..) | Op::LeF(..) => 14,

        Op::AddF(..) | Op::SubF(..) | Op::MulF(..) => 8,
        Op::DivF(..) | Op::NegF(..) => 11,
        Op::FloorDivF(..) => 32,
        Op::ModF(..) => 14,
        Op::PowF(..) => 27,
        Op::SqrtF(..) | Op::CeilI(..) | Op::FloorI(..) => 14,
        Op::MathF(..) => 17,
        Op::Math2F(..) => 27,
        Op::TruncI(..) | Op::RoundI(..) => 40,

        Op::Jump(..) => 2,
        Op::JumpIf(..) | Op::JumpIfNot(..) => 4,
        Op::JumpEqI(..) | Op::JumpNeI(..) | Op::JumpLtI(..) | Op::JumpLeI(..) => 6,
        Op::JumpEqN(..) | Op::JumpNeN(..) | Op::JumpLtN(..) | Op::JumpLeN(..) => 6,
        Op::JumpGtN(..) | Op::JumpGeN(..) => 6,
        Op::JumpEqF(..) | Op::JumpNeF(..) | Op::JumpLtF(..) | Op::JumpLeF(..) => 6,
        Op::JumpNotLtF(..) | Op::JumpNotLeF(..) => 6,
        Op::Call(..) => 22,

        Op::Alloc(..) => 14,
        Op::LoadI(..) | Op::LoadF(..) | Op::StoreI(..) | Op::StoreF(..) => 2,
        Op::ListNew(..) => 14,
        Op::ListLen(..) => 10,
        Op::ListAt(..) => 4,
        Op::ListPush(..) => 8,
        Op::ListPop(..) => 16,
        Op::ListCopy(..) | Op::ListSlice(..) => 34,
        Op::ListReverse(..) | Op::ListClear(..) => 10,
        Op::ListRemove(..) | Op::ListInsert(..) | Op::ListExtend(..) => 20,
        Op::Find(..) => 14,
        Op::Lookup(..) => 22,
        Op::SortI(..) | Op::SortF(..) => 60,

        Op::MovM(..) | Op::MaskEmpty(..) => 5,
        Op::MaskAnd(..) | Op::MaskOr(..) | Op::MaskWithout(..) => 34,
        Op::MaskXor(..) => 60,
        Op::MaskCount(..) => 10,
        Op::MaskHas(..) | Op::MaskAdd(..) => 30,
        Op::MaskPop(..) | Op::NextPacked(..) => 6,
        Op::CellOf(..) => 12,
        Op::RowOf(..) | Op::ColOf(..) => 5,

        Op::Width(..) | Op::Height(..) | Op::MoveCount(..) => 7,
        Op::Active(..) => 32,
        Op::Opponent(..) => PLAYER,
        Op::Location(..) => 78,
        Op::IsBlank(..) => CELL,
        // Moves that are looked up to be counted, or to see whether there are any, are listed all the same.
        Op::Blank(..) | Op::Moves(..) | Op::Mobility(..) | Op::CanMove(..) => 5,
        Op::MobilityFrom(..) | Op::MovesFrom(..) => 5,
        // Only for the player to move are its moves looked up, and paid.
        Op::IsLoser(..) | Op::IsWinner(..) => 36,
        Op::Forecast(..) => FORECAST,
        Op::CopyGame(..) => COPY,
        Op::Apply(..) => 215,

        Op::PackMoves(..) | Op::OrderedList(..) => 2,
    }
}

/// Whether an instruction costs more than [`price`] by the size of what it works on.
#[must_use]
pub const fn grows(instruction: Instruction) -> bool {
    use Instruction as Op;
    matches!(
        instruction,
        Op::Blank(..)
            | Op::Moves(..)
            | Op::Mobility(..)
            | Op::CanMove(..)
            | Op::IsLoser(..)
            | Op::IsWinner(..)
            | Op::MobilityFrom(..)
            | Op::MovesFrom(..)
            | Op::OrderedList(..)
            | Op::Alloc(..)
            | Op::ListPush(..)
            | Op::ListCopy(..)
            | Op::ListSlice(..)
            | Op::ListReverse(..)
            | Op::ListRemove(..)
            | Op::ListInsert(..)
            | Op::ListExtend(..)
            | Op::Find(..)
            | Op::Lookup(..)
            | Op::SortI(..)
            | Op::SortF(..)
            | Op::MovM(..)
            | Op::MaskEmpty(..)
            | Op::MaskAnd(..)
            | Op::MaskOr(..)
            | Op::MaskWithout(..)
            | Op::MaskXor(..)
    )
}

/// The price of a question for so many moves, on a board of so many cells.
#[inline]
#[must_use]
pub const fn moves(count: u32, cells: u32) -> u32 {
    if count > 8 { blank(cells) } else { MOVES + MOVE * count }
}

/// The price of the list of all blank cells.
#[inline]
#[must_use]
pub const fn blank(cells: u32) -> u32 {
    BLANK_CELL * cells
}

/// The price of a set of so many elements, on a board of so many cells.
#[inline]
#[must_use]
pub const fn set(elements: u32, cells: u32) -> u32 {
    SET_ELEMENT * elements + cells.saturating_sub(128) / CELLS_A_NANOSECOND
}

/// The price of moving so many words of a list, which takes a quarter of the time of copying them.
#[must_use]
pub(super) const fn moved(words: usize) -> usize {
    words / 4
}

/// The price of elements that are no part of Python's way to look something up, and of ours: by their words, where
/// these are more than the two of a cell.
#[must_use]
pub(super) const fn passed_over(elements: usize, words: usize) -> usize {
    elements * if words > 2 { words - 1 } else { 1 } / 4
}

/// The price of a sort of so many elements.
#[must_use]
pub(super) const fn sort(elements: usize) -> usize {
    let rounds = (usize::BITS - elements.leading_zeros()) as usize;
    elements * (SORTED as usize + COMPARISON as usize * rounds)
}

/// What a run pays at each instruction if it comes there by a jump, by a jump not taken, or as the first one: the
/// price of all from there to the next that may jump.
pub(super) fn of_stretches(code: &[Instruction]) -> Vec<u32> {
    let mut stretches = vec![0; code.len()];
    let mut after = 0;
    for (stretch, &instruction) in stretches.iter_mut().zip(code).rev() {
        if instruction.ends_stretch() {
            after = 0;
        }
        after += price(instruction);
        *stretch = after;
    }
    stretches
}
