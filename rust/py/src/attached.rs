//! A cell that is guarded by being attached to the interpreter.

use std::cell::{Cell, UnsafeCell};
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};

use pyo3::Python;

/// A value that only the thread attached to the interpreter can reach.
///
/// What `PyO3` itself offers counts its borrows atomically: two such counts were a fifth of the time
/// of every small method of a board.
///
/// Memory filled with zeros is a cell that holds nothing yet. Python 3.11 and 3.12 need that: while
/// they make an object with a `__dict__` they allocate the dictionary, which may start the garbage
/// collector, which then visits the object before anything was written to it.
#[repr(C)]
pub(crate) struct Attached<T> {
    state: Cell<State>,
    value: UnsafeCell<MaybeUninit<T>>,
}

/// How the value is in use.
type State = isize;
const NOTHING_YET: State = 0;
const FREE: State = 1;
/// Borrowed mutably; numbers above [`FREE`] count the shared borrows.
const MUTABLY: State = -1;

// SAFETY: the cell is reached with a `Python` token, or by the garbage collector, which runs in the
// attached thread. Only one thread is attached at a time (the module says that it relies on the
// interpreter's lock, so one without it turns it on), and passing from one to the next synchronises
// them; so the cell is never used by two threads at once.
#[allow(unsafe_code, reason = "the interpreter's lock is not known to the compiler")]
unsafe impl<T: Send> Sync for Attached<T> {}

#[allow(unsafe_code, reason = "a cell that may hold nothing yet has no safe parts to be made of")]
impl<T> Attached<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { state: Cell::new(FREE), value: UnsafeCell::new(MaybeUninit::new(value)) }
    }

    /// Panics where it is borrowed mutably: no borrow is held while Python runs, so it never is.
    #[inline]
    pub(crate) fn borrow(&self, _: Python<'_>) -> Shared<'_, T> {
        self.shared().expect("no board is borrowed while Python runs")
    }

    /// Panics where it is borrowed: no borrow is held while Python runs, so it never is.
    #[inline]
    pub(crate) fn borrow_mut(&self, _: Python<'_>) -> Exclusive<'_, T> {
        assert!(self.state.get() == FREE, "no board is borrowed while Python runs");
        self.state.set(MUTABLY);
        // SAFETY: there is a value, and nobody else has a reference to it.
        Exclusive { state: &self.state, value: unsafe { (*self.value.get()).assume_init_mut() } }
    }

    /// For the garbage collector, which may run in the middle of anything and then passes over.
    pub(crate) fn for_collector(&self) -> Option<Shared<'_, T>> {
        self.shared()
    }

    #[inline]
    fn shared(&self) -> Option<Shared<'_, T>> {
        let state = self.state.get();
        if state < FREE {
            return None;
        }
        self.state.set(state + 1);
        // SAFETY: there is a value, and nobody has a mutable reference to it.
        Some(Shared { state: &self.state, value: unsafe { (*self.value.get()).assume_init_ref() } })
    }
}

#[allow(unsafe_code, reason = "the value is dropped by hand, where there is one")]
impl<T> Drop for Attached<T> {
    fn drop(&mut self) {
        if self.state.get() != NOTHING_YET {
            // SAFETY: there is a value, and it is not used again.
            unsafe { self.value.get_mut().assume_init_drop() }
        }
    }
}

/// A shared borrow.
pub(crate) struct Shared<'a, T> {
    state: &'a Cell<State>,
    value: &'a T,
}

impl<T> Deref for Shared<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.value
    }
}

impl<T> Drop for Shared<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.state.set(self.state.get() - 1);
    }
}

/// A mutable borrow.
pub(crate) struct Exclusive<'a, T> {
    state: &'a Cell<State>,
    value: &'a mut T,
}

impl<T> Deref for Exclusive<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.value
    }
}

impl<T> DerefMut for Exclusive<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.value
    }
}

impl<T> Drop for Exclusive<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.state.set(FREE);
    }
}
