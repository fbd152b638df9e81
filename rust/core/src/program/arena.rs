//! The memory of a run: words of 64 bits.

use super::fuel::Fuel;
use super::{Bail, Program, prices};

/// The most words that a run may have, the program's data among them.
pub const ARENA_WORDS: usize = 1 << 16;

/// Words of 64 bits. There are as many as were allocated, so none is read that was not, and giving all of
/// them back takes no time.
#[derive(Debug)]
pub struct Arena {
    pub(super) words: Vec<u64>,
    /// The words at the start that never change.
    data: usize,
}

impl Arena {
    /// The arena of a program, with its data.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        Self { words: program.data().to_vec(), data: program.data().len() }
    }

    /// Gives back all but the data; whether there was more.
    #[inline]
    pub fn reset(&mut self) -> bool {
        let has_more = self.words.len() > self.data;
        if has_more {
            self.words.truncate(self.data);
        }
        has_more
    }

    /// All words, to be read and written where they are.
    #[inline]
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// The word at an address and so many further.
    ///
    /// # Errors
    /// Outside what was allocated.
    #[inline]
    pub fn load(&self, address: i64, offset: i32) -> Result<u64, Bail> {
        let at = address.wrapping_add(offset.into());
        usize::try_from(at).ok().and_then(|at| self.words.get(at)).copied().ok_or(Bail)
    }

    /// Writes a word.
    ///
    /// # Errors
    /// Outside what was allocated, and in the data.
    #[inline]
    pub fn store(&mut self, address: i64, offset: i32, word: u64) -> Result<(), Bail> {
        let at = address.wrapping_add(offset.into());
        *self.changeable(at, 1)?.first_mut().ok_or(Bail)? = word;
        Ok(())
    }

    /// The address of so many new words, all 0.
    ///
    /// # Errors
    /// Where there would be too many.
    pub(super) fn alloc(&mut self, words: i64) -> Result<i64, Bail> {
        let words = usize::try_from(words).map_err(|_| Bail)?;
        let address = self.words.len();
        let end = address.checked_add(words).filter(|&end| end <= ARENA_WORDS).ok_or(Bail)?;
        self.words.resize(end, 0);
        i64::try_from(address).map_err(|_| Bail)
    }

    /// The same for a run that pays for them.
    ///
    /// # Errors
    /// As above, and where the fuel is too little.
    pub fn alloc_paid(&mut self, words: i64, fuel: &mut Fuel) -> Result<i64, Bail> {
        let address = self.alloc(words)?;
        fuel.pay_each(prices::ALLOCATED, usize::try_from(words).map_err(|_| Bail)?)?;
        Ok(address)
    }

    /// So many words from an address on, to be changed.
    #[inline]
    pub(super) fn changeable(&mut self, address: i64, count: usize) -> Result<&mut [u64], Bail> {
        let start = usize::try_from(address).map_err(|_| Bail)?;
        if start < self.data {
            return Err(Bail);
        }
        let end = start.checked_add(count).ok_or(Bail)?;
        self.words.get_mut(start..end).ok_or(Bail)
    }
}
