//! Each instruction of a program does what its summary says, on random arguments.

use std::collections::BTreeSet;
use std::sync::Arc;

use isolation_core::program::{Function, Instruction as Op, Machine, Program};
use isolation_core::{Cell, CellSet, Player, Position, Random, shuffle, with_position};
use proptest::prelude::*;

use crate::positions::{any_position, narrow};

/// A program under construction, and what it is to find: every number that it notes goes into both.
#[derive(Default)]
pub(crate) struct Sketch {
    pub(crate) code: Vec<Op>,
    integers: Vec<i64>,
    expected: i64,
}

/// Notes are numbers modulo this prime.
const PRIME: i64 = (1 << 31) - 1;

/// Registers that no test uses for anything else: what was noted, and three to work with.
const NOTED: u8 = 255;
const LEFT: u8 = 254;
const A: u8 = 253;
const B: u8 = 252;

impl Sketch {
    pub(crate) fn constant(&mut self, to: u8, value: i64) {
        self.code.push(Op::ConstK(to, u16::try_from(self.integers.len()).unwrap()));
        self.integers.push(value);
    }

    /// Notes what a register must hold.
    pub(crate) fn note(&mut self, register: u8, value: i64) {
        self.expected = (self.expected * 31 + value.rem_euclid(PRIME)) % PRIME;
        self.constant(A, PRIME);
        self.constant(B, 31);
        self.code.push(Op::ModI(LEFT, register, A));
        self.code.push(Op::MulI(NOTED, NOTED, B));
        self.code.push(Op::AddI(NOTED, NOTED, LEFT));
        self.code.push(Op::ModI(NOTED, NOTED, A));
    }

    /// Notes the cells of a set.
    pub(crate) fn note_cells(&mut self, mask: u8, cells: impl Iterator<Item = Cell>) {
        self.code.push(Op::MovM(255, mask));
        for cell in cells {
            let end = u16::try_from(self.code.len() + 2).unwrap();
            self.code.extend([Op::MaskPop(250, 255, end), Op::Jump(end + 1), Op::Bail()]);
            self.note(250, cell.0.into());
        }
        self.code.push(Op::MaskCount(250, 255));
        self.note(250, 0);
    }

    /// What the program finds, and nothing where it bails.
    fn run<S: CellSet>(mut self, position: &Position<S>, bits: u64) -> (Option<i64>, i64) {
        self.code.insert(0, Op::ConstI(NOTED, 0));
        for instruction in &mut self.code {
            match instruction {
                Op::MaskPop(.., to) | Op::NextPacked(.., to) | Op::Jump(to) => *to += 1,
                _ => {}
            }
        }
        self.code.extend([Op::IToFExact(0, NOTED), Op::Ret()]);
        let value = run(self.code, self.integers, vec![], position, bits);
        #[allow(clippy::cast_possible_truncation, reason = "it is a note")]
        (value.map(|value| value as i64), self.expected)
    }

    pub(crate) fn check<S: CellSet>(self, position: &Position<S>, bits: u64) {
        let (found, expected) = self.run(position, bits);
        assert_eq!(found, Some(expected));
    }
}

fn run<S: CellSet>(
    code: Vec<Op>,
    integers: Vec<i64>,
    floats: Vec<f64>,
    position: &Position<S>,
    bits: u64,
) -> Option<f64> {
    let (parameters, results) = ([2, 0, 0], [0, 1, 0]);
    let entry = Function { registers: [256; 3], parameters, results, code };
    let program = Program::new(vec![entry], integers, floats, vec![]).unwrap();
    Machine::new(Arc::new(program)).run(position, Player::One, 7, bits)
}

fn any_narrow() -> Position<u64> {
    narrow("3x3 3/3/3 - - 1")
}

/// Small numbers, and such at the ends.
fn any_integer() -> impl Strategy<Value = i64> {
    prop_oneof![
        4 => -9..10_i64,
        1 => prop::sample::select(vec![i64::MIN, i64::MIN + 1, i64::MAX, 1 << 53, 62, 63, 64]),
        1 => any::<i64>(),
        1 => (any::<i64>(), 0..64_u32).prop_map(|(bits, shift)| bits >> shift),
    ]
}

fn floor_div(a: i128, b: i128) -> Option<i128> {
    match b {
        0 => None,
        1.. => Some(a.div_euclid(b)),
        _ => Some((-a).div_euclid(-b)),
    }
}

fn power(a: i128, b: i128) -> Option<i128> {
    let small = a.abs() <= 1;
    let b = if small && b > 2 { 2 + b % 2 } else { b };
    (0..=u32::try_from(b).ok()?).skip(1).try_fold(1, |product: i128, _| product.checked_mul(a))
}

type OnTwo = fn(u8, u8, u8) -> Op;
type OnOne = fn(u8, u8) -> Op;
type JumpOfTwo = fn(u8, u8, u16) -> Op;
type JumpOfNumber = fn(u8, i32, u16) -> Op;
type Meaning = fn(i128, i128) -> Option<i128>;

/// What each instruction on two integers means.
const ON_TWO: [(OnTwo, Meaning); 17] = [
    (Op::AddI, |a, b| Some(a + b)),
    (Op::SubI, |a, b| Some(a - b)),
    (Op::MulI, |a, b| Some(a * b)),
    (Op::FloorDivI, floor_div),
    (Op::ModI, |a, b| Some(a - b * floor_div(a, b)?)),
    (Op::PowI, power),
    (Op::AndI, |a, b| Some(a & b)),
    (Op::OrI, |a, b| Some(a | b)),
    (Op::XorI, |a, b| Some(a ^ b)),
    (Op::ShlI, |a, b| if a == 0 && b >= 0 { Some(0) } else { a.checked_mul(power(2, b)?) }),
    (Op::ShrI, |a, b| (b >= 0).then(|| a >> b.min(100))),
    (Op::MinI, |a, b| Some(if b < a { b } else { a })),
    (Op::MaxI, |a, b| Some(if b > a { b } else { a })),
    (Op::EqI, |a, b| Some((a == b).into())),
    (Op::NeI, |a, b| Some((a != b).into())),
    (Op::LtI, |a, b| Some((a < b).into())),
    (Op::LeI, |a, b| Some((a <= b).into())),
];

const ON_ONE: [(OnOne, Meaning); 4] = [
    (Op::NegI, |a, _| Some(-a)),
    (Op::AbsI, |a, _| Some(a.abs())),
    (Op::NotI, |a, _| Some(-a - 1)),
    (Op::IsZero, |a, _| Some((a == 0).into())),
];

type Compare = fn(i64, i64) -> bool;

const JUMPS: [(JumpOfTwo, JumpOfNumber, Compare); 4] = [
    (Op::JumpEqI, Op::JumpEqN, |a, b| a == b),
    (Op::JumpNeI, Op::JumpNeN, |a, b| a != b),
    (Op::JumpLtI, Op::JumpLtN, |a, b| a < b),
    (Op::JumpLeI, Op::JumpLeN, |a, b| a <= b),
];

/// Whether an instruction on i2 and i3, or f1 and f2, jumps to instruction 6.
fn jumps(instruction: Op, [a, b]: [i64; 2], floats: [f64; 2]) -> bool {
    let mut code = vec![Op::ConstK(2, 0), Op::ConstK(3, 1), Op::ConstF(1, 0), Op::ConstF(2, 1)];
    code.extend([instruction, Op::Bail(), Op::ConstF(0, 2), Op::Ret()]);
    let floats = vec![floats[0], floats[1], 1.0];
    run(code, vec![a, b], floats, &any_narrow(), 0).is_some()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn integers_are_those_of_python_or_bail(a in any_integer(), b in any_integer(), n in -3..4_i32) {
        let on_two = ON_TWO.map(|(make, meaning)| (make(4, 2, 3), meaning));
        let on_one = ON_ONE.map(|(make, meaning)| (make(4, 2), meaning));
        for (instruction, meaning) in on_two.into_iter().chain(on_one) {
            let mut sketch = Sketch::default();
            sketch.constant(2, a);
            sketch.constant(3, b);
            sketch.code.push(instruction);
            let meant = meaning(a.into(), b.into()).and_then(|value| i64::try_from(value).ok());
            sketch.note(4, meant.unwrap_or_default());
            let (found, expected) = sketch.run(&any_narrow(), 0);
            prop_assert_eq!(found, meant.map(|_| expected), "{:?} of {} and {}", instruction, a, b);
        }
        for (of_two, of_number, compare) in JUMPS {
            prop_assert_eq!(jumps(of_two(2, 3, 6), [a, b], [0.0; 2]), compare(a, b));
            prop_assert_eq!(jumps(of_number(2, n, 6), [a, b], [0.0; 2]), compare(a, n.into()));
        }
        prop_assert_eq!(jumps(Op::JumpGtN(2, n, 6), [a, b], [0.0; 2]), a > n.into());
        prop_assert_eq!(jumps(Op::JumpGeN(2, n, 6), [a, b], [0.0; 2]), a >= n.into());
        prop_assert_eq!(jumps(Op::JumpIf(2, 6), [a, b], [0.0; 2]), a != 0);
        prop_assert_eq!(jumps(Op::JumpIfNot(2, 6), [a, b], [0.0; 2]), a == 0);
    }

    #[test]
    #[allow(clippy::float_cmp, reason = "as instructions compare")]
    fn jumps_compare_floats_as_numbers(
        a in prop::sample::select(vec![f64::NAN, -1.0, -0.0, 0.0, 0.5, f64::INFINITY]),
        b in prop::sample::select(vec![f64::NAN, -1.0, -0.0, 0.0, 0.5, f64::INFINITY]),
    ) {
        prop_assert_eq!(jumps(Op::JumpEqF(1, 2, 6), [0; 2], [a, b]), a == b);
        prop_assert_eq!(jumps(Op::JumpNeF(1, 2, 6), [0; 2], [a, b]), a != b);
        prop_assert_eq!(jumps(Op::JumpLtF(1, 2, 6), [0; 2], [a, b]), a < b);
        prop_assert_eq!(jumps(Op::JumpLeF(1, 2, 6), [0; 2], [a, b]), a <= b);
        prop_assert_eq!(jumps(Op::JumpNotLtF(1, 2, 6), [0; 2], [a, b]), a.is_nan() || b.is_nan() || a >= b);
        prop_assert_eq!(jumps(Op::JumpNotLeF(1, 2, 6), [0; 2], [a, b]), a.is_nan() || b.is_nan() || a > b);
    }

    #[test]
    fn sets_of_cells_hold_what_was_put_in(any in any_position(), seed in any::<u64>()) {
        with_position!(&any, |position| {
            let mut random = Random::from_seed(seed);
            let cells = position.size().cells();
            let all: BTreeSet<Cell> = (0..cells).map(Cell).collect();
            let mut sets = [BTreeSet::new(), position.blank().cells().collect(), all.clone()];
            let mut sketch = Sketch::default();
            sketch.code.extend([Op::MaskEmpty(0), Op::Blank(1, 0), Op::MovM(2, 1)]);
            for cell in &all - &sets[1] {
                sketch.constant(2, cell.0.into());
                sketch.code.push(Op::MaskAdd(2, 2));
            }
            for step in 0..12 {
                let cell = Cell(random.below(cells));
                let [to, a, b] = [0, 1, 2].map(|_| u8::try_from(random.below(3)).unwrap());
                let [first, second] = [&sets[usize::from(a)], &sets[usize::from(b)]];
                let made: BTreeSet<Cell> = match step {
                    0..4 => {
                        sketch.constant(2, cell.0.into());
                        sketch.code.push(Op::MaskHas(3, a, 2));
                        sketch.note(3, first.contains(&cell).into());
                        sketch.code.extend([Op::MovM(to, a), Op::MaskAdd(to, 2)]);
                        first.iter().copied().chain([cell]).collect()
                    }
                    4..6 => {
                        sketch.code.push(Op::MaskAnd(to, a, b));
                        first & second
                    }
                    6..8 => {
                        sketch.code.push(Op::MaskOr(to, a, b));
                        first | second
                    }
                    8..10 => {
                        sketch.code.push(Op::MaskWithout(to, a, b));
                        first - second
                    }
                    _ => {
                        sketch.code.push(Op::MaskXor(to, a, b));
                        first ^ second
                    }
                };
                sketch.code.extend([Op::MaskCount(3, to), Op::MaskXor(9, to, 2), Op::MaskCount(4, 9)]);
                sets[usize::from(to)] = made;
                let made = &sets[usize::from(to)];
                sketch.note(3, i64::try_from(made.len()).unwrap());
                sketch.note(4, i64::try_from((made ^ &sets[2]).len()).unwrap());
                if made.len() < 20 {
                    let made = made.clone();
                    sketch.note_cells(to, made.into_iter());
                }
            }
            sketch.check(position, 0);
        });
    }

    #[test]
    fn moves_come_in_the_order_of_the_board(any in any_position(), bits in any::<u64>(), at in any::<u32>()) {
        with_position!(&any, |position| {
            let size = position.size();
            for origin in [None, Some(Cell(at % size.cells()))] {
                let mut moves: Vec<Cell> = position.moves_from(origin).collect();
                if let Some(origin) = origin {
                    shuffle(&mut moves, bits, origin);
                }
                let mut listed = Sketch::default();
                listed.constant(2, origin.map_or(-1, |cell| cell.0.into()));
                listed.code.push(match origin {
                    Some(_) => Op::MovesFrom(0, 0, 2),
                    None => Op::Blank(0, 0),
                });
                let mut packed = Sketch { code: listed.code.clone(), integers: listed.integers.clone(), expected: 0 };
                listed.code.extend([Op::OrderedList(3, 0, 2), Op::ListLen(4, 3)]);
                listed.note(4, i64::try_from(moves.len()).unwrap());
                packed.code.push(Op::PackMoves(3, 0, 2));
                for (place, cell) in (0..).zip(moves.iter().take(60)) {
                    listed.constant(4, place);
                    listed.code.extend([Op::ListAt(4, 3, 4), Op::LoadI(4, 4, 0)]);
                    listed.note(4, cell.0.into());
                    let end = u16::try_from(packed.code.len() + 2).unwrap();
                    packed.code.extend([Op::NextPacked(4, 3, end), Op::Jump(end + 1), Op::Bail()]);
                    packed.note(4, cell.0.into());
                }
                packed.note(3, 0);
                listed.check(position, bits);
                let (found, expected) = packed.run(position, bits);
                let fits = moves.len() <= 8 && size.cells() <= 254;
                prop_assert_eq!(found, fits.then_some(expected));
            }
        });
    }
}
