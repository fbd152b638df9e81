//! Programs of isolation-core as machine code.
//!
//! The machine of the core is the oracle: a [`Runner`] returns the same bits as it, and bails where it bails.
//! Floats are added, multiplied and compared one by one; what is more is done by the functions of the core.
//!
//! | file | what it holds |
//! |---|---|
//! | `code` | memory that is written, then executable |
//! | `context` | what machine code works on, and who runs it |
//! | `board` | tables of a size of board |
//! | `function` | registers, jumps, calls |
//! | `ops`, `board_ops` | what becomes of each instruction |
//! | `emitter`, `numbers`, `cells`, `games`, `lists` | the pieces that it is made of |
//! | `host` | functions of the core that machine code calls |
//!
//! Unsafe code is in four files: the call of machine code (here), the way back from it (`host`), the pointers of
//! a context, and what lets the processor see new code.

mod board;
mod board_ops;
mod cells;
mod code;
mod context;
mod emitter;
mod function;
mod games;
mod host;
mod lists;
mod numbers;
mod ops;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::types::{F64, I64};
use cranelift_codegen::ir::{AbiParam, Signature, UserFuncName};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use isolation_core::Size;
use isolation_core::program::{Coverage, MOST_CALLS, Program};

use board::{Board, MOST_CELLS};
use code::Code;
use context::{Context, GAMES};
use emitter::{Emitter, Memory};
use function::{End, Translator, signature};

pub use context::Runner;

/// The most instructions of a program that is worth the time: some tenths of a second.
const MOST_INSTRUCTIONS: usize = 8_000;

/// The most bytes of stack that nested calls may take. Threads have 2 MB at least.
const MOST_STACK: usize = 512 << 10;

/// Why a program stays with the machine of the core.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The compiler does not know this processor.
    #[error("machine code is not made for this processor: {0}")]
    Processor(String),
    /// Sets of cells do not fit in registers.
    #[error("a {0} board has more than {MOST_CELLS} cells")]
    Board(Size),
    /// It would take too long, or too much stack.
    #[error("the program is too large for machine code: {0}")]
    Large(String),
    /// The compiler, or the system's memory.
    #[error("no machine code came of it: {0}")]
    Failed(String),
}

/// A program as machine code, for boards of one size. Several threads may run it at once, each by a
/// [`Runner`] of its own. Its memory is not writable, and is given back with it.
#[derive(Debug)]
pub struct Jitted {
    program: Arc<Program>,
    size: Size,
    /// Both are read by machine code, by their addresses.
    _board: Box<Board>,
    _entries: Box<[usize]>,
    /// The first function of the code below.
    entry: Entry,
    _code: Code,
}

/// The value of the game in a context for a player, or NaN.
type Entry = extern "C" fn(*mut Context, i64) -> f64;

/// The compiler for this processor.
fn compiler() -> Result<OwnedTargetIsa, Refused> {
    if cfg!(target_endian = "big") {
        return Err(Refused::Processor("it has the highest byte first".to_owned()));
    }
    let mut flags = settings::builder();
    let is_checked = if cfg!(debug_assertions) { "true" } else { "false" };
    let wanted = [
        ("opt_level", "speed"),
        ("enable_verifier", is_checked),
        ("probestack_strategy", "inline"),
        ("is_pic", "false"),
    ];
    for (name, value) in wanted {
        flags.set(name, value).map_err(|error| Refused::Failed(error.to_string()))?;
    }
    let builder =
        cranelift_native::builder().map_err(|error| Refused::Processor(error.to_owned()))?;
    builder
        .finish(settings::Flags::new(flags))
        .map_err(|error| Refused::Processor(error.to_string()))
}

/// What all machine functions of a program are made with.
struct Making<'a> {
    program: &'a Program,
    coverage: Option<&'a Coverage>,
    board: &'a Board,
    entries: &'a [usize],
    isa: OwnedTargetIsa,
    scratch: FunctionBuilderContext,
    functions: Vec<Vec<u8>>,
    /// The most bytes of stack that one of them takes.
    frame: usize,
}

impl Jitted {
    /// Makes machine code of a program, for boards of a size.
    ///
    /// # Errors
    /// Where the machine of the core is to run it.
    pub fn new(program: Arc<Program>, size: Size) -> Result<Self, Refused> {
        Self::made_safely(program, None, size)
    }

    /// The same of the blocks that are known. A run that comes to a new one ends there, which
    /// [`Runner::has_left`] says.
    ///
    /// # Errors
    /// As above.
    pub fn of_known(coverage: &Coverage, size: Size) -> Result<Self, Refused> {
        Self::made_safely(Arc::clone(coverage.program()), Some(coverage), size)
    }

    fn made_safely(
        program: Arc<Program>,
        coverage: Option<&Coverage>,
        size: Size,
    ) -> Result<Self, Refused> {
        // A panic would be a defect of the compiler's. It prints its message, and nothing is lost but speed.
        let made = catch_unwind(AssertUnwindSafe(|| Self::made(program, coverage, size)));
        made.unwrap_or_else(|_| Err(Refused::Failed("the compiler panicked".to_owned())))
    }

    fn made(
        program: Arc<Program>,
        coverage: Option<&Coverage>,
        size: Size,
    ) -> Result<Self, Refused> {
        if size.cells() > MOST_CELLS {
            return Err(Refused::Board(size));
        }
        let count: usize = program.functions().iter().map(|function| function.code.len()).sum();
        if count > MOST_INSTRUCTIONS {
            return Err(Refused::Large(format!("{count} instructions")));
        }
        let board = Box::new(Board::new(size));
        let mut entries = vec![0; program.functions().len()].into_boxed_slice();
        let mut making = Making {
            program: &program,
            coverage,
            board: &board,
            entries: &entries,
            isa: compiler()?,
            scratch: FunctionBuilderContext::new(),
            functions: Vec::new(),
            frame: 0,
        };
        // The entry, and then each function that one of those before calls.
        let mut called = making.function(0, End::Entry)?;
        let mut places = vec![None; program.functions().len()];
        while let Some(function) = called.pop() {
            let place = &mut places[usize::from(function)];
            if place.is_none() {
                *place = Some(making.functions.len());
                called.extend(making.function(function, End::Function)?);
            }
        }
        let stack = making.frame * (MOST_CALLS + 1);
        if stack > MOST_STACK {
            return Err(Refused::Large(format!("its calls may take {stack} bytes of stack")));
        }
        let code =
            Code::place(&making.functions).map_err(|error| Refused::Failed(error.to_string()))?;
        for (entry, place) in entries.iter_mut().zip(places) {
            *entry = place.map_or(0, |place| code.address(place).addr());
        }
        // SAFETY: the code at this address was made with this signature, of a program that was checked. It
        // reads and writes the context alone and what that leads to, within its bounds.
        #[allow(unsafe_code, reason = "there is no other way to run machine code")]
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(code.address(0)) };
        Ok(Self { program, size, _board: board, _entries: entries, entry, _code: code })
    }

    /// The program that it was made of.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The size of the boards that it was made for.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The value of the game in the context, or NaN.
    #[inline]
    pub(crate) fn call(&self, context: &mut Context, player: i64) -> f64 {
        (self.entry)(context, player)
    }
}

impl Making<'_> {
    /// Makes one machine function. The functions that it calls.
    fn function(&mut self, place: u8, end: End) -> Result<Vec<u8>, Refused> {
        let convention = self.isa.default_call_conv();
        let mut context = cranelift_codegen::Context::new();
        context.func.name = UserFuncName::user(0, place.into());
        context.func.signature = if let End::Entry = end {
            let mut signature = Signature::new(convention);
            signature.params.extend([AbiParam::new(I64); 2]);
            signature.returns.push(AbiParam::new(F64));
            signature
        } else {
            signature(&self.program.functions()[usize::from(place)], self.board, convention)
        };
        let mut builder = FunctionBuilder::new(&mut context.func, &mut self.scratch);
        let start = builder.create_block();
        let [bail, cut_off, leave] = [(); 3].map(|()| builder.create_block());
        builder.append_block_params_for_function_params(start);
        builder.switch_to_block(start);
        builder.seal_block(start);
        builder.set_cold_block(bail);
        builder.set_cold_block(cut_off);
        builder.set_cold_block(leave);
        let parameters = builder.block_params(start).to_vec();
        let fuel = builder.declare_var(I64);
        #[allow(clippy::cast_possible_wrap, reason = "some thousands")]
        let data = self.program.data().len() as i64;
        let mut emit = Emitter::new(
            builder,
            self.board,
            convention,
            data,
            parameters[0],
            fuel,
            [bail, cut_off],
        );
        emit.games = emit.load(Memory::Context, I64, parameters[0], GAMES);
        emit.take_fuel();
        let root = emit.int(0);
        let (depth, arguments) = match end {
            End::Entry => (root, vec![root, emit.at_most(parameters[1], 1)]),
            _ => (parameters[1], parameters[2..].to_vec()),
        };
        let mut translator = Translator {
            emit,
            program: self.program,
            coverage: self.coverage,
            leave,
            entries: self.entries,
            depth,
            nest: Vec::new(),
            inlined: 0,
            called: Vec::new(),
        };
        translator.function(place, &arguments, end);
        translator.end_by_bail(end);
        let Translator { emit, called, .. } = translator;
        emit.builder.finalize();
        let made = context
            .compile(&*self.isa, &mut ControlPlane::default())
            .map_err(|error| Refused::Failed(error.inner.to_string()))?;
        if !made.buffer.relocs().is_empty() {
            return Err(Refused::Failed("the code asks for a library".to_owned()));
        }
        self.frame = self.frame.max(made.frame_size as usize);
        self.functions.push(made.code_buffer().to_vec());
        Ok(called)
    }
}
