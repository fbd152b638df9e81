//! Which blocks of a program have run often enough that their values were compared.
//!
//! A block begins at a function's start, at the target of a jump, and after a jump with a condition. As long as it
//! is new, machines find a trap in the place of its first instruction. So a block that is known costs nothing.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::ops::{Instruction, Kind};
use super::{Function, Program};

/// So many runs that enter a block are compared before it counts as known.
pub const COMPARED_ENTRIES: u8 = 4;

/// The code of all functions, with traps.
pub(super) type Trapped = Vec<Vec<Instruction>>;

/// How often each block of a program is still to be compared. It is shared by all that run the program.
#[derive(Debug)]
pub struct Coverage {
    program: Arc<Program>,
    /// The starts of each function's blocks, in order.
    starts: Vec<Vec<u16>>,
    /// The number of each function's first block.
    first: Vec<usize>,
    /// For each block how many more runs are to be compared.
    left: Vec<AtomicU8>,
    known: AtomicUsize,
    trapped: Mutex<Arc<Trapped>>,
}

impl Coverage {
    /// That of a program that has not run.
    #[must_use]
    pub fn new(program: Arc<Program>) -> Self {
        let starts: Vec<_> = program.functions().iter().map(starts).collect();
        let mut first = Vec::with_capacity(starts.len());
        let mut count = 0;
        let mut trapped: Trapped =
            program.functions().iter().map(|function| function.code.clone()).collect();
        for (starts, code) in starts.iter().zip(&mut trapped) {
            first.push(count);
            count += starts.len();
            for &start in starts {
                code[usize::from(start)] = TRAP;
            }
        }
        let left = (0..count).map(|_| AtomicU8::new(COMPARED_ENTRIES)).collect();
        let trapped = Mutex::new(Arc::new(trapped));
        Self { program, starts, first, left, known: AtomicUsize::new(0), trapped }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Whether the code from an instruction on is known, which no new block begins at.
    #[must_use]
    pub fn is_known(&self, function: usize, at: usize) -> bool {
        self.block(function, at).is_none_or(|block| !self.is_new(block))
    }

    /// How many blocks are known by now.
    #[must_use]
    pub fn known(&self) -> usize {
        self.known.load(Ordering::Relaxed)
    }

    /// The number of the block that begins at an instruction.
    pub(super) fn block(&self, function: usize, at: usize) -> Option<usize> {
        let at = u16::try_from(at).ok()?;
        let place = self.starts.get(function)?.binary_search(&at).ok()?;
        Some(self.first[function] + place)
    }

    fn blocks(&self) -> usize {
        self.left.len()
    }

    fn is_new(&self, block: usize) -> bool {
        self.left[block].load(Ordering::Relaxed) > 0
    }

    /// The code with a trap at each block that is new.
    fn trapped(&self) -> Arc<Trapped> {
        Arc::clone(&self.trapped.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes that a run which entered these blocks is compared.
    fn note(&self, blocks: &[usize]) {
        for &block in blocks {
            let fewer = |left: u8| left.checked_sub(1);
            let before = self.left[block].fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer);
            if before == Ok(1) {
                self.lift(block);
            }
        }
    }

    /// Puts a block's own instruction back in the place of its trap.
    fn lift(&self, block: usize) {
        let function = self.first.partition_point(|&first| first <= block) - 1;
        let at = usize::from(self.starts[function][block - self.first[function]]);
        let mut trapped = self.trapped.lock().unwrap_or_else(PoisonError::into_inner);
        // Copied only where another machine runs it.
        Arc::make_mut(&mut trapped)[function][at] = self.program.functions()[function].code[at];
        self.known.fetch_add(1, Ordering::Relaxed);
    }
}

/// What stands at the start of a new block. A block that begins with a bail has no value to compare, and is none.
const TRAP: Instruction = Instruction::Bail();

/// The starts of a function's blocks, in order.
fn starts(function: &Function) -> Vec<u16> {
    let code = &function.code;
    let mut begins = vec![false; code.len()];
    begins[0] = true;
    for (at, instruction) in code.iter().enumerate() {
        let label = instruction.operands().find(|&(kind, _)| kind == Kind::Label);
        let Some((_, label)) = label else { continue };
        begins[usize::try_from(label).expect("the program was checked")] = true;
        if !matches!(instruction, Instruction::Jump(_)) {
            begins[at + 1] = true;
        }
    }
    let starts = (0..).zip(begins.iter().zip(code));
    let starts = starts.filter(|(_, (begins, instruction))| **begins && **instruction != TRAP);
    starts.map(|(at, _)| at).collect()
}

/// What a machine knows of the blocks of its program that are new.
#[derive(Debug)]
pub(super) struct News {
    coverage: Arc<Coverage>,
    /// What is run: the code with traps, as it was when a trap was last found to be too many.
    code: Arc<Trapped>,
    entered: Entered,
}

/// The blocks at whose traps a run has been.
#[derive(Debug)]
pub(super) struct Entered {
    /// In the order in which it came there.
    blocks: Vec<usize>,
    /// Whether a block is among them.
    are: Vec<bool>,
}

impl Entered {
    pub(super) fn note(&mut self, block: usize) {
        if !self.are[block] {
            self.are[block] = true;
            self.blocks.push(block);
        }
    }

    fn forget(&mut self) {
        for block in self.blocks.drain(..) {
            self.are[block] = false;
        }
    }
}

impl News {
    pub(super) fn new(coverage: Arc<Coverage>) -> Self {
        let (code, are) = (coverage.trapped(), vec![false; coverage.blocks()]);
        Self { coverage, code, entered: Entered { blocks: Vec::new(), are } }
    }

    /// What a run needs of it.
    pub(super) fn of_run(&mut self) -> (&Trapped, &Coverage, &mut Entered) {
        (&self.code, &self.coverage, &mut self.entered)
    }

    /// Whether the last run was at traps.
    #[inline]
    pub(super) fn is_entered(&self) -> bool {
        !self.entered.blocks.is_empty()
    }

    #[cold]
    pub(super) fn forget(&mut self) {
        self.entered.forget();
    }

    /// Looks at a run's traps once it has ended: others may have run what begins there meanwhile.
    #[cold]
    pub(super) fn end(&mut self, has_value: bool) {
        if !has_value {
            self.entered.forget();
        } else if !self.entered.blocks.iter().any(|&block| self.coverage.is_new(block)) {
            self.entered.forget();
            self.code = self.coverage.trapped();
        }
    }

    #[cold]
    pub(super) fn compared(&mut self) {
        // Let go, so that nothing has to be copied.
        self.code = Arc::default();
        self.coverage.note(&self.entered.blocks);
        self.code = self.coverage.trapped();
        self.entered.forget();
    }
}
