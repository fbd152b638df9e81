//! The tag at the end of a search's answer: only who has the worker's key can make it.
//!
//! A referee sends each worker a key before anything of a submission is there. The loop in `serving.rs` keeps it
//! from Python, so a submission that writes to the pipe itself has no tag for what it claims.

use std::hash::Hasher;
#[expect(deprecated, reason = "the only SipHash-2-4 in std that takes a key")]
use std::hash::SipHasher;
use std::hint;

use pyo3::prelude::*;

const BYTES: usize = 16;

pub(crate) struct Key([u8; BYTES]);

impl Key {
    /// Takes the key out of a request, and leaves zeros: freed memory can be read from Python, by `numpy.empty`.
    pub(crate) fn taken_from(content: &mut [u8]) -> Option<Self> {
        let key = Self((*content).try_into().ok()?);
        content.fill(0);
        hint::black_box(content);
        Some(key)
    }

    /// Covers the request too: an answer to another one under the same number is none.
    pub(crate) fn tag(&self, number: u64, asked: &[u8], answer: &[u8]) -> u64 {
        let (first, second) = self.0.split_at(BYTES / 2);
        let half = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("half of a key"));
        #[expect(deprecated, reason = "see the import")]
        let mut hasher = SipHasher::new_with_keys(half(first), half(second));
        hasher.write(&number.to_le_bytes());
        hasher.write(&(asked.len() as u64).to_le_bytes());
        hasher.write(asked);
        hasher.write(answer);
        hasher.finish()
    }
}

/// The tag of an answer, for its referee. `answer` is the content in front of the tag.
#[pyfunction]
pub(crate) fn answer_tag(key: [u8; BYTES], number: u64, asked: &[u8], answer: &[u8]) -> u64 {
    Key(key).tag(number, asked, answer)
}
