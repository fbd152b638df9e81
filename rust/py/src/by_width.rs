//! What is kept for boards of each width: its type has the width in it.

use std::any::Any;

/// What is kept for boards of each width.
#[derive(Default)]
pub(crate) struct ByWidth(Vec<Box<dyn Any + Send>>);

impl ByWidth {
    /// What is kept of that type, which has the width in it.
    pub(crate) fn get<T: Any>(&mut self) -> Option<&mut T> {
        self.0.iter_mut().find_map(|each| each.downcast_mut())
    }

    /// The same, made where there is none yet.
    #[inline]
    pub(crate) fn get_or<T: Any + Send>(&mut self, make: impl FnOnce() -> T) -> &mut T {
        let place = self.0.iter().position(|each| each.is::<T>()).unwrap_or_else(|| {
            self.0.push(Box::new(make()));
            self.0.len() - 1
        });
        self.0[place].downcast_mut().expect("it is of that type")
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
