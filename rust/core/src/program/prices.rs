//! What everything costs that a heuristic does: whole nanoseconds of a stated reference machine.
//!
//! The price of an instruction is what `CPython` takes for the shortest Python that it comes from; that of a
//! question is what the plain board of `isolation_fast.reference` takes to answer. So work that is counted buys as
//! much thinking as the same time did. `benchmarks/prices.py` measures what is stated here.
//!
//! A run pays for a stretch of code when it comes to its beginning: for all instructions up to the next that may
//! jump. What depends on the size of an answer, of a list or of a set is paid once that size is known.

use super::ops::Instruction;

/// The version of these prices: results that were counted by other prices are other results.
pub const VERSION: u32 = 1;

/// A node of a search, without what its heuristic does.
pub const NODE: u32 = 2_750;

/// What a node with the heuristic `improved` takes where less than such a share of the board is blank.
pub const NODES_WITH_IMPROVED: [(f64, u32); 5] =
    [(0.4, 4_150), (0.5, 4_650), (0.6, 5_150), (0.7, 5_750), (1.0, 6_500)];

/// A list of moves, and each move in it.
pub const MOVES: u32 = 950;
/// One of them.
pub const MOVE: u32 = 200;
/// More moves than a knight has are the blank cells: so much for each cell of the board.
pub const BLANK_CELL: u32 = 46;

/// Each element of a set that is walked or copied.
pub const SET_ELEMENT: u32 = 12;
/// Sets of more than 128 cells take so many cells longer for each nanosecond.
const CELLS_A_NANOSECOND: u32 = 8;

/// Each word of a list that is copied or moved.
pub const LIST_WORD: u32 = 6;
/// Each element of a list that is looked at.
pub const LOOK: u32 = 15;
/// Each element that is sorted, and each of its comparisons.
pub const SORTED: u32 = 60;
/// One of them.
pub const COMPARISON: u32 = 25;
/// Each word that is allocated.
pub const ALLOCATED: u32 = 4;

/// The price of an instruction, but for what depends on the sizes of what it works on.
#[must_use]
#[allow(clippy::match_same_arms, reason = "by what they do: that some cost the same is chance")]
pub const fn price(instruction: Instruction) -> u32 {
    use Instruction as Op;
    match instruction {
        // What becomes of these in Python is a part of the instruction that reads them.
        Op::ConstI(..) | Op::ConstK(..) | Op::ConstF(..) => 4,
        Op::MovI(..) | Op::MovF(..) | Op::IToF(..) | Op::IToFExact(..) => 4,
        Op::Origin(..) => 1,

        Op::AddI(..) | Op::SubI(..) | Op::AddN(..) | Op::NegI(..) | Op::NotI(..) => 22,
        Op::MulI(..) | Op::AndI(..) | Op::OrI(..) | Op::XorI(..) => 22,
        Op::ShlI(..) | Op::ShrI(..) | Op::FloorDivI(..) | Op::ModI(..) => 30,
        Op::PowI(..) => 60,
        Op::AbsI(..) | Op::AbsF(..) => 40,
        Op::MinI(..) | Op::MaxI(..) => 40,
        Op::IsZero(..) | Op::EqI(..) | Op::NeI(..) | Op::LtI(..) | Op::LeI(..) => 20,
        Op::EqF(..) | Op::NeF(..) | Op::LtF(..) | Op::LeF(..) => 20,

        Op::AddF(..) | Op::SubF(..) | Op::MulF(..) | Op::DivF(..) | Op::NegF(..) => 22,
        Op::FloorDivF(..) | Op::ModF(..) => 45,
        Op::PowF(..) => 70,
        Op::SqrtF(..) | Op::MathF(..) => 50,
        Op::Math2F(..) => 70,
        Op::CeilI(..) | Op::FloorI(..) | Op::TruncI(..) => 50,
        Op::RoundI(..) => 70,

        Op::Jump(..) => 6,
        Op::JumpIf(..) | Op::JumpIfNot(..) => 8,
        Op::JumpEqI(..) | Op::JumpNeI(..) | Op::JumpLtI(..) | Op::JumpLeI(..) => 16,
        Op::JumpEqN(..) | Op::JumpNeN(..) | Op::JumpLtN(..) | Op::JumpLeN(..) => 16,
        Op::JumpGtN(..) | Op::JumpGeN(..) => 16,
        Op::JumpEqF(..) | Op::JumpNeF(..) | Op::JumpLtF(..) | Op::JumpLeF(..) => 16,
        Op::JumpNotLtF(..) | Op::JumpNotLeF(..) => 16,
        Op::Call(..) => 60,
        Op::Ret() | Op::Bail() => 4,

        Op::Alloc(..) => 20,
        Op::LoadI(..) | Op::LoadF(..) | Op::StoreI(..) | Op::StoreF(..) => 6,
        Op::ListNew(..) => 30,
        Op::ListLen(..) => 30,
        Op::ListAt(..) => 20,
        Op::ListPush(..) | Op::ListPop(..) => 30,
        Op::ListCopy(..) | Op::ListSlice(..) => 60,
        Op::ListReverse(..) | Op::ListClear(..) => 40,
        Op::ListRemove(..) | Op::ListInsert(..) | Op::ListExtend(..) => 40,
        Op::Find(..) => 30,
        Op::SortI(..) | Op::SortF(..) => 200,

        Op::MovM(..) | Op::MaskEmpty(..) => 20,
        Op::MaskAnd(..) | Op::MaskOr(..) | Op::MaskWithout(..) | Op::MaskXor(..) => 50,
        Op::MaskCount(..) | Op::MaskHas(..) => 35,
        Op::MaskAdd(..) | Op::MaskPop(..) => 30,
        Op::CellOf(..) => 25,
        Op::RowOf(..) | Op::ColOf(..) => 20,

        Op::Width(..) | Op::Height(..) | Op::MoveCount(..) => 12,
        Op::Active(..) | Op::Opponent(..) => 25,
        Op::Location(..) | Op::IsBlank(..) => 60,
        // Moves that are looked up to be counted, or to see whether there are any, are listed all the same.
        Op::Blank(..) | Op::Moves(..) | Op::Mobility(..) | Op::CanMove(..) => 20,
        Op::MobilityFrom(..) | Op::MovesFrom(..) => 20,
        Op::IsLoser(..) | Op::IsWinner(..) => 1_150,
        Op::Forecast(..) => 500,
        Op::CopyGame(..) => 325,
        Op::Apply(..) => 175,

        Op::PackMoves(..) => 10,
        Op::NextPacked(..) => 15,
        Op::OrderedList(..) => 10,
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
