//! A cell that is guarded by being attached to the interpreter.

use std::cell::{Ref, RefCell, RefMut};

use pyo3::Python;

/// A value that only the thread attached to the interpreter can reach.
///
/// What `PyO3` itself offers counts its borrows atomically: two such counts were a tenth of the time
/// of every small method of a board.
pub(crate) struct Attached<T>(RefCell<T>);

// SAFETY: the cell is reached with a `Python` token, or by the garbage collector, which runs in the
// attached thread. Only one thread is attached at a time (the module says that it relies on the
// interpreter's lock, so one without it turns it on), and passing from one to the next synchronises
// them; so the cell is never used by two threads at once.
#[allow(unsafe_code, reason = "the interpreter's lock is not known to the compiler")]
unsafe impl<T: Send> Sync for Attached<T> {}

impl<T> Attached<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(RefCell::new(value))
    }

    /// Panics where it is borrowed mutably: no borrow is held while Python runs, so it never is.
    pub(crate) fn borrow(&self, _: Python<'_>) -> Ref<'_, T> {
        self.0.borrow()
    }

    /// Panics where it is borrowed: no borrow is held while Python runs, so it never is.
    pub(crate) fn borrow_mut(&self, _: Python<'_>) -> RefMut<'_, T> {
        self.0.borrow_mut()
    }

    /// For the garbage collector, which may run in the middle of anything and then passes over.
    pub(crate) fn for_collector(&self) -> Option<Ref<'_, T>> {
        self.0.try_borrow().ok()
    }
}
