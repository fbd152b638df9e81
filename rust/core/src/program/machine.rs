//! The machine: a loop over instructions, with registers of three classes for each call.

use std::sync::Arc;

use super::arena::Arena;
use super::coverage::{Coverage, Entered, News, Trapped};
use super::fuel::{FUEL, Fuel};
use super::games::{Game, Games, listed};
use super::ops::Instruction;
use super::profile::{Costs, Profile};
use super::{Bail, Program, floats, integers};
use crate::board::{CellSet, Player, Position, Size};

/// How deep calls may nest.
pub const MOST_CALLS: usize = 64;

/// Runs a program, again and again in the same memory. No run finds anything of one before.
#[derive(Debug)]
pub struct Machine<S: CellSet> {
    program: Arc<Program>,
    arena: Arena,
    games: Vec<Game<S>>,
    /// Registers that no call uses just now.
    frames: Vec<Box<Frame<S>>>,
    fuel: u32,
    spent: u32,
    is_cut_off: bool,
    news: Option<News>,
    profile: Option<Box<Profile>>,
}

/// The registers of one call. As many as a byte can name, so that looking one up asks nothing.
#[derive(Debug)]
struct Frame<S> {
    ints: [i64; 256],
    floats: [f64; 256],
    masks: [S; 256],
}

impl<S: CellSet> Frame<S> {
    fn new() -> Box<Self> {
        let one = S::full(Size::SMALLEST);
        let masks = std::array::from_fn(|_| one.clone());
        Box::new(Self { ints: [0; 256], floats: [0.0; 256], masks })
    }
}

impl<S: CellSet> Machine<S> {
    /// A machine for that program.
    #[must_use]
    pub fn new(program: Arc<Program>) -> Self {
        Self::with_fuel(program, FUEL)
    }

    /// The same for runs that may cost so much at the most, as [`Self::limit`] says.
    #[must_use]
    pub fn with_fuel(program: Arc<Program>, fuel: u32) -> Self {
        let arena = Arena::new(&program);
        let (games, frames) = (Vec::new(), Vec::new());
        let (news, profile) = (None, None);
        Self { program, arena, games, frames, fuel, spent: 0, is_cut_off: false, news, profile }
    }

    /// The same that notes what each instruction costs.
    #[must_use]
    pub fn profiling(program: Arc<Program>) -> Self {
        let profile = Some(Box::new(Profile::new(&program)));
        Self { profile, ..Self::new(program) }
    }

    /// What each instruction has cost so far, where that is noted.
    #[must_use]
    pub fn profile(&self) -> Option<&Profile> {
        self.profile.as_deref()
    }

    /// The same that notes where a run enters blocks that are new: [`Self::is_new`] says so.
    #[must_use]
    pub fn covering(coverage: Arc<Coverage>, fuel: u32) -> Self {
        let mut machine = Self::with_fuel(Arc::clone(coverage.program()), fuel);
        machine.news = Some(News::new(coverage));
        machine
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The value of a position for a player, after so many moves, on a board whose moves these bits order.
    /// None where the program bails. Never NaN.
    #[inline]
    pub fn run(
        &mut self,
        position: &Position<S>,
        player: Player,
        move_count: i64,
        order_bits: u64,
    ) -> Option<f64> {
        self.forget();
        self.arena.reset();
        self.games.clear();
        let mut frame = self.frames.pop().unwrap_or_else(Frame::new);
        frame.ints[0] = 0;
        frame.ints[1] = player as i64;
        let games = Games::new(position, move_count, order_bits, &mut self.games);
        let mut run = Run {
            program: &self.program,
            arena: &mut self.arena,
            games,
            frames: &mut self.frames,
            fuel: Fuel::new(self.fuel),
            depth: 0,
            trapped: None,
            news: None,
            costs: None,
        };
        if let Some(profile) = &mut self.profile {
            let (code, costs) = profile.of_run();
            run.trapped = Some(code);
            run.costs = Some(costs);
        }
        if let Some(news) = &mut self.news {
            let (code, coverage, entered) = news.of_run();
            run.trapped = Some(code);
            run.news = Some((coverage, entered));
        }
        let done = run.execute(0, &mut frame);
        self.spent = run.fuel.paid_of(self.fuel);
        self.is_cut_off = run.fuel.is_cut_off();
        let value = frame.floats[0];
        self.frames.push(frame);
        let has_value = done.is_ok() && !value.is_nan();
        if let Some(news) = &mut self.news
            && news.is_entered()
        {
            news.end(has_value);
        }
        has_value.then_some(value)
    }

    /// Whether the last run found a value and entered a block that is new: its value is to be compared.
    #[inline]
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.news.as_ref().is_some_and(News::is_entered)
    }

    /// Notes that the value of the last run is compared. Its blocks are known after some such runs.
    pub fn compared(&mut self) {
        if let Some(news) = &mut self.news {
            news.compared();
        }
    }

    /// Forgets that the last run entered new blocks, where its value is of no use.
    #[inline]
    pub fn forget(&mut self) {
        if let Some(news) = &mut self.news
            && news.is_entered()
        {
            news.forget();
        }
    }

    /// What the last run cost: all that it might, where that was too little.
    #[inline]
    #[must_use]
    pub fn spent(&self) -> u32 {
        self.spent
    }

    /// Lets runs from now on cost so much at the most.
    #[inline]
    pub fn limit(&mut self, fuel: u32) {
        self.fuel = fuel;
    }

    /// Whether the last run has no value since it would have cost more than it might.
    #[inline]
    #[must_use]
    pub fn is_cut_off(&self) -> bool {
        self.is_cut_off
    }
}

/// One run.
struct Run<'r, S: CellSet> {
    program: &'r Program,
    arena: &'r mut Arena,
    games: Games<'r, S>,
    frames: &'r mut Vec<Box<Frame<S>>>,
    fuel: Fuel,
    depth: usize,
    /// The code with traps, where new blocks are noted.
    trapped: Option<&'r Trapped>,
    news: Option<(&'r Coverage, &'r mut Entered)>,
    costs: Option<&'r mut Costs>,
}

impl<'r, S: CellSet> Run<'r, S> {
    /// Runs a function to its end, its parameters in the frame, and leaves its results there.
    #[allow(clippy::too_many_lines, reason = "one line an instruction")]
    #[allow(clippy::float_cmp, reason = "as CPython compares")]
    #[allow(clippy::neg_cmp_op_on_partial_ord, reason = "NaN is neither less nor more")]
    fn execute(&mut self, place: usize, frame: &mut Frame<S>) -> Result<(), Bail> {
        use Instruction as Op;
        let code = match self.trapped {
            Some(trapped) => trapped.get(place).ok_or(Bail)?.as_slice(),
            None => self.program.functions.get(place).ok_or(Bail)?.code.as_slice(),
        };
        let stretches = self.program.stretches.get(place).ok_or(Bail)?.as_slice();
        self.fuel.pay(*stretches.first().ok_or(Bail)?)?;
        let mut instruction = code.first().ok_or(Bail)?;
        let mut next = 1;
        macro_rules! i {
            ($register:expr) => {
                frame.ints[usize::from($register)]
            };
        }
        macro_rules! f {
            ($register:expr) => {
                frame.floats[usize::from($register)]
            };
        }
        macro_rules! jump {
            ($label:expr, $condition:expr) => {{
                if $condition {
                    next = usize::from($label);
                }
                self.fuel.pay(*stretches.get(next).ok_or(Bail)?)?;
            }};
        }
        loop {
            match *instruction {
                Op::ConstI(to, value) => i!(to) = i64::from(value),
                Op::ConstK(to, place) => {
                    i!(to) = *self.program.integers.get(usize::from(place)).ok_or(Bail)?;
                }
                Op::ConstF(to, place) => {
                    f!(to) = *self.program.floats.get(usize::from(place)).ok_or(Bail)?;
                }
                Op::MovI(to, a) => i!(to) = i!(a),
                Op::MovF(to, a) => f!(to) = f!(a),

                Op::AddI(to, a, b) => i!(to) = i!(a).checked_add(i!(b)).ok_or(Bail)?,
                Op::SubI(to, a, b) => i!(to) = i!(a).checked_sub(i!(b)).ok_or(Bail)?,
                Op::MulI(to, a, b) => i!(to) = i!(a).checked_mul(i!(b)).ok_or(Bail)?,
                Op::AddN(to, a, n) => i!(to) = i!(a).checked_add(i64::from(n)).ok_or(Bail)?,
                Op::FloorDivI(to, a, b) => {
                    i!(to) = integers::floor_div(i!(a), i!(b)).ok_or(Bail)?;
                }
                Op::ModI(to, a, b) => i!(to) = integers::modulo(i!(a), i!(b)).ok_or(Bail)?,
                Op::PowI(to, a, b) => i!(to) = integers::pow(i!(a), i!(b)).ok_or(Bail)?,
                Op::NegI(to, a) => i!(to) = i!(a).checked_neg().ok_or(Bail)?,
                Op::AbsI(to, a) => i!(to) = i!(a).checked_abs().ok_or(Bail)?,
                Op::NotI(to, a) => i!(to) = !i!(a),
                Op::IsZero(to, a) => i!(to) = i64::from(i!(a) == 0),
                Op::AndI(to, a, b) => i!(to) = i!(a) & i!(b),
                Op::OrI(to, a, b) => i!(to) = i!(a) | i!(b),
                Op::XorI(to, a, b) => i!(to) = i!(a) ^ i!(b),
                Op::ShlI(to, a, b) => i!(to) = integers::shl(i!(a), i!(b)).ok_or(Bail)?,
                Op::ShrI(to, a, b) => i!(to) = integers::shr(i!(a), i!(b)).ok_or(Bail)?,
                Op::MinI(to, a, b) => i!(to) = i!(a).min(i!(b)),
                Op::MaxI(to, a, b) => i!(to) = i!(a).max(i!(b)),

                Op::EqI(to, a, b) => i!(to) = i64::from(i!(a) == i!(b)),
                Op::NeI(to, a, b) => i!(to) = i64::from(i!(a) != i!(b)),
                Op::LtI(to, a, b) => i!(to) = i64::from(i!(a) < i!(b)),
                Op::LeI(to, a, b) => i!(to) = i64::from(i!(a) <= i!(b)),
                Op::EqF(to, a, b) => i!(to) = i64::from(f!(a) == f!(b)),
                Op::NeF(to, a, b) => i!(to) = i64::from(f!(a) != f!(b)),
                Op::LtF(to, a, b) => i!(to) = i64::from(f!(a) < f!(b)),
                Op::LeF(to, a, b) => i!(to) = i64::from(f!(a) <= f!(b)),

                Op::AddF(to, a, b) => f!(to) = f!(a) + f!(b),
                Op::SubF(to, a, b) => f!(to) = f!(a) - f!(b),
                Op::MulF(to, a, b) => f!(to) = f!(a) * f!(b),
                Op::DivF(to, a, b) => f!(to) = floats::div(f!(a), f!(b)).ok_or(Bail)?,
                Op::FloorDivF(to, a, b) => f!(to) = floats::floor_div(f!(a), f!(b)).ok_or(Bail)?,
                Op::ModF(to, a, b) => f!(to) = floats::modulo(f!(a), f!(b)).ok_or(Bail)?,
                Op::PowF(to, a, b) => f!(to) = floats::pow(f!(a), f!(b)).ok_or(Bail)?,
                Op::NegF(to, a) => f!(to) = -f!(a),
                Op::AbsF(to, a) => f!(to) = f!(a).abs(),
                Op::SqrtF(to, a) => f!(to) = floats::sqrt(f!(a)).ok_or(Bail)?,
                Op::MathF(to, a, number) => f!(to) = floats::math(number, f!(a)).ok_or(Bail)?,
                Op::Math2F(to, a, b, number) => {
                    f!(to) = floats::math_2(number, f!(a), f!(b)).ok_or(Bail)?;
                }
                Op::CeilI(to, a) => i!(to) = floats::whole(f!(a).ceil()).ok_or(Bail)?,
                Op::FloorI(to, a) => i!(to) = floats::whole(f!(a).floor()).ok_or(Bail)?,
                Op::TruncI(to, a) => i!(to) = floats::whole(f!(a).trunc()).ok_or(Bail)?,
                Op::RoundI(to, a) => i!(to) = floats::whole(f!(a).round_ties_even()).ok_or(Bail)?,
                Op::IToF(to, a) => f!(to) = floats::nearest(i!(a)),
                Op::IToFExact(to, a) => f!(to) = floats::exactly(i!(a)).ok_or(Bail)?,

                Op::Jump(to) => jump!(to, true),
                Op::JumpIf(a, to) => jump!(to, i!(a) != 0),
                Op::JumpIfNot(a, to) => jump!(to, i!(a) == 0),
                Op::JumpEqI(a, b, to) => jump!(to, i!(a) == i!(b)),
                Op::JumpNeI(a, b, to) => jump!(to, i!(a) != i!(b)),
                Op::JumpLtI(a, b, to) => jump!(to, i!(a) < i!(b)),
                Op::JumpLeI(a, b, to) => jump!(to, i!(a) <= i!(b)),
                Op::JumpEqN(a, n, to) => jump!(to, i!(a) == i64::from(n)),
                Op::JumpNeN(a, n, to) => jump!(to, i!(a) != i64::from(n)),
                Op::JumpLtN(a, n, to) => jump!(to, i!(a) < i64::from(n)),
                Op::JumpLeN(a, n, to) => jump!(to, i!(a) <= i64::from(n)),
                Op::JumpGtN(a, n, to) => jump!(to, i!(a) > i64::from(n)),
                Op::JumpGeN(a, n, to) => jump!(to, i!(a) >= i64::from(n)),
                Op::JumpEqF(a, b, to) => jump!(to, f!(a) == f!(b)),
                Op::JumpNeF(a, b, to) => jump!(to, f!(a) != f!(b)),
                Op::JumpLtF(a, b, to) => jump!(to, f!(a) < f!(b)),
                Op::JumpLeF(a, b, to) => jump!(to, f!(a) <= f!(b)),
                Op::JumpNotLtF(a, b, to) => jump!(to, !(f!(a) < f!(b))),
                Op::JumpNotLeF(a, b, to) => jump!(to, !(f!(a) <= f!(b))),
                Op::Call(callee, ints, floats, masks) => {
                    self.call(frame, usize::from(callee), [ints, floats, masks])?;
                }
                Op::Ret() => return Ok(()),
                Op::Bail() => {
                    instruction = self.behind_trap(place, next - 1)?;
                    continue;
                }

                Op::Alloc(to, words) => {
                    i!(to) = self.arena.alloc_paid(i!(words), &mut self.fuel)?;
                }
                Op::LoadI(to, address, offset) => {
                    i!(to) = self.arena.load(i!(address), offset)?.cast_signed();
                }
                Op::LoadF(to, address, offset) => {
                    f!(to) = f64::from_bits(self.arena.load(i!(address), offset)?);
                }
                Op::StoreI(address, offset, from) => {
                    self.arena.store(i!(address), offset, i!(from).cast_unsigned())?;
                }
                Op::StoreF(address, offset, from) => {
                    self.arena.store(i!(address), offset, f!(from).to_bits())?;
                }

                Op::ListNew(..)
                | Op::ListLen(..)
                | Op::ListAt(..)
                | Op::ListPush(..)
                | Op::ListPop(..)
                | Op::ListCopy(..)
                | Op::ListSlice(..)
                | Op::ListReverse(..)
                | Op::ListClear(..)
                | Op::ListRemove(..)
                | Op::ListExtend(..)
                | Op::ListInsert(..)
                | Op::Find(..)
                | Op::Lookup(..)
                | Op::SortI(..)
                | Op::SortF(..) => {
                    self.arena.work(*instruction, &mut frame.ints, &mut self.fuel)?;
                }
                Op::OrderedList(to, moves, origin) => {
                    i!(to) = listed(
                        &frame.masks[usize::from(moves)],
                        self.games.size,
                        self.games.order_bits,
                        i!(origin),
                        self.arena,
                        &mut self.fuel,
                    )?;
                }

                Op::MaskPop(to, set, none) => {
                    let set = &mut frame.masks[usize::from(set)];
                    let lowest = set.lowest();
                    if let Some(cell) = lowest {
                        set.remove(cell);
                        i!(to) = i64::from(cell.0);
                    }
                    jump!(none, lowest.is_none());
                }
                Op::NextPacked(to, packed, none) => {
                    let left = i!(packed);
                    if left != 0 {
                        i!(packed) = (left.cast_unsigned() >> 8).cast_signed();
                        i!(to) = (left & 0xFF) - 1;
                    }
                    jump!(none, left == 0);
                }
                // What nearly every heuristic asks: the rest is found by a second look at the instruction.
                Op::Mobility(to, game, player) => {
                    i!(to) = self.games.mobility(i!(game), i!(player), &mut self.fuel)?;
                }
                Op::CanMove(to, game, player) => {
                    let count = self.games.mobility(i!(game), i!(player), &mut self.fuel)?;
                    i!(to) = i64::from(count > 0);
                }
                Op::IsLoser(to, game, player) => {
                    i!(to) = self.games.is_loser(i!(game), i!(player), &mut self.fuel)?;
                }
                Op::IsWinner(to, game, player) => {
                    i!(to) = self.games.is_loser(i!(game), !i!(player), &mut self.fuel)?;
                }
                Op::Active(to, game) => i!(to) = self.games.active(i!(game))?,
                Op::Opponent(to, player) => i!(to) = i!(player) ^ 1,
                Op::Location(to, game, player) | Op::Origin(to, game, player) => {
                    i!(to) = self.games.location(i!(game), i!(player))?;
                }
                _ => self.games.answer(
                    *instruction,
                    &mut frame.ints,
                    &mut frame.masks,
                    &mut self.fuel,
                )?,
            }
            instruction = code.get(next).ok_or(Bail)?;
            next += 1;
        }
    }

    /// The instruction in whose place there is a trap, which is noted; an error where it is a bail.
    #[cold]
    fn behind_trap(&mut self, place: usize, at: usize) -> Result<&'r Instruction, Bail> {
        if let Some(costs) = &mut self.costs {
            let function = self.program.functions.get(place).ok_or(Bail)?;
            let own = function.code.get(at).ok_or(Bail)?;
            costs.note(place, at, *own, &self.fuel);
            return if *own == Instruction::Bail() { Err(Bail) } else { Ok(own) };
        }
        let (coverage, entered) = self.news.as_mut().ok_or(Bail)?;
        entered.note(coverage.block(place, at).ok_or(Bail)?);
        self.program.functions.get(place).and_then(|function| function.code.get(at)).ok_or(Bail)
    }

    /// Calls a function: its arguments are in the registers of the caller from those on, and its results are
    /// written there.
    #[inline(never)]
    fn call(&mut self, frame: &mut Frame<S>, callee: usize, bases: [u8; 3]) -> Result<(), Bail> {
        let program = self.program;
        let place = callee;
        let callee = program.functions.get(place).ok_or(Bail)?;
        if self.depth == MOST_CALLS {
            return Err(Bail);
        }
        let mut inner = self.frames.pop().unwrap_or_else(Frame::new);
        copy(frame, bases, &mut inner, [0; 3], callee.parameters);
        self.depth += 1;
        let done = self.execute(place, &mut inner);
        self.depth -= 1;
        if done.is_ok() {
            copy(&inner, [0; 3], frame, bases, callee.results);
        }
        self.frames.push(inner);
        done
    }
}

/// Copies so many registers of each class, from those on to those on. That they exist was checked.
fn copy<S: CellSet>(
    from: &Frame<S>,
    starts: [u8; 3],
    to: &mut Frame<S>,
    ends: [u8; 3],
    counts: super::Counts,
) {
    let [ints, floats, masks] = [0, 1, 2].map(|class: usize| {
        let (start, end) = (usize::from(starts[class]), usize::from(ends[class]));
        let count = usize::from(counts[class]);
        (start..start + count, end..end + count)
    });
    to.ints[ints.1].copy_from_slice(&from.ints[ints.0]);
    to.floats[floats.1].copy_from_slice(&from.floats[floats.0]);
    to.masks[masks.1].clone_from_slice(&from.masks[masks.0]);
}
