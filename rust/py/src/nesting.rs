//! Searches inside the heuristics of searches: how deep they may go together.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use isolation_core::MAX_PLIES;
use pyo3::exceptions::PyRecursionError;
use pyo3::prelude::*;

thread_local! {
    /// Where the search stands whose heuristic this thread is in.
    static INNERMOST: RefCell<Option<Rc<Cell<u32>>>> = const { RefCell::new(None) };
}

/// A search whose heuristic runs Python, which may search in its turn.
///
/// Python's own limit counts its functions and not the plies of searches between them: without a
/// limit of our own, a dozen searches of a thousand plies each would overflow the machine's stack.
pub(crate) struct Nesting {
    /// Plies below the root of the outermost search, and two for each search, as much stack as it takes
    /// itself.
    plies: Rc<Cell<u32>>,
    above: u32,
    outer: Option<Rc<Cell<u32>>>,
}

impl Nesting {
    /// Begins a search. `RecursionError` where those that it is inside of are as deep as one may be.
    pub(crate) fn begin() -> PyResult<Self> {
        INNERMOST.with_borrow_mut(|innermost| {
            let above = innermost.as_ref().map_or(0, |plies| plies.get());
            if above > MAX_PLIES {
                return Err(PyRecursionError::new_err(format!(
                    "maximum recursion depth exceeded: searches within each other's heuristics \
                     look more than {MAX_PLIES} moves ahead together"
                )));
            }
            let plies = Rc::new(Cell::new(above));
            let outer = innermost.replace(plies.clone());
            Ok(Self { plies, above, outer })
        })
    }

    /// Says that the heuristic is about to be asked, so many plies below the root.
    #[inline]
    pub(crate) fn stands_at(&self, ply: u32) {
        self.plies.set(self.above + ply + 2);
    }
}

impl Drop for Nesting {
    fn drop(&mut self) {
        INNERMOST.with_borrow_mut(|innermost| *innermost = self.outer.take());
    }
}
