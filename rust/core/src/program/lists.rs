//! Lists in the arena, as Python's: elements of some words each, which move when a list grows.

use std::cmp::Ordering;

use super::arena::Arena;
use super::fuel::Fuel;
use super::ops::Instruction;
use super::{Bail, prices};

/// Words of a header: length, capacity, address of the elements, words an element.
const HEADER: usize = 4;

/// A list as its header has it: all of its elements are in the arena.
#[derive(Clone, Copy)]
struct List {
    handle: i64,
    len: usize,
    capacity: usize,
    start: usize,
    words: usize,
}

impl List {
    /// The place of an element among the words.
    fn place(&self, index: usize) -> usize {
        self.start + index * self.words
    }

    /// Where all elements are.
    fn all(&self) -> std::ops::Range<usize> {
        self.start..self.place(self.len)
    }

    /// The element that an index means: a negative one counts from the end.
    fn index(&self, index: i64) -> Option<usize> {
        let len = i64::try_from(self.len).ok()?;
        let index = if index < 0 { index + len } else { index };
        usize::try_from(index).ok().filter(|&index| index < self.len)
    }

    /// The end of a slice, or the place to insert at: what is outside is moved to the nearer end.
    fn clamped(&self, index: i64) -> usize {
        let len = i64::try_from(self.len).unwrap_or(i64::MAX);
        let index = if index < 0 { index.saturating_add(len) } else { index };
        usize::try_from(index.clamp(0, len)).unwrap_or(0)
    }
}

#[allow(clippy::cast_possible_wrap, reason = "places in the arena are below 2 ** 16")]
fn address(place: usize) -> i64 {
    place as i64
}

impl Arena {
    /// Does an instruction that works on lists.
    ///
    /// # Errors
    /// Where it bails.
    #[inline]
    pub fn work(
        &mut self,
        instruction: Instruction,
        ints: &mut [i64; 256],
        fuel: &mut Fuel,
    ) -> Result<(), Bail> {
        use Instruction as Op;
        macro_rules! i {
            ($register:expr) => {
                ints[usize::from($register)]
            };
        }
        match instruction {
            Op::ListNew(to, words) => i!(to) = self.new_list(words.into(), 0)?,
            Op::ListLen(to, list) => i!(to) = address(self.list(i!(list))?.len),
            Op::ListAt(to, list, index) => {
                let list = self.list(i!(list))?;
                i!(to) = address(list.place(list.index(i!(index)).ok_or(Bail)?));
            }
            Op::ListPush(to, list) => i!(to) = self.push(i!(list), fuel)?,
            Op::ListPop(to, list) => {
                let list = self.list(i!(list))?;
                let shorter = list.len.checked_sub(1).ok_or(Bail)?;
                self.set_len(list, shorter)?;
                i!(to) = address(list.place(shorter));
            }
            Op::ListCopy(to, list) => i!(to) = self.slice(i!(list), 0, i64::MAX, fuel)?,
            Op::ListSlice(to, list, from, end) => {
                i!(to) = self.slice(i!(list), i!(from), i!(end), fuel)?;
            }
            Op::ListReverse(list) => self.reverse(i!(list), fuel)?,
            Op::ListClear(list) => {
                let list = self.list(i!(list))?;
                self.set_len(list, 0)?;
            }
            Op::ListRemove(list, index) => self.remove(i!(list), i!(index), fuel)?,
            Op::ListExtend(list, more) => self.extend(i!(list), i!(more), fuel)?,
            Op::ListInsert(to, list, index) => {
                i!(to) = self.insert(i!(list), i!(index), fuel)?;
            }
            Op::Find(to, list, key, words) => {
                let (place, looked_at) = self.find(i!(list), i!(key), words.into())?;
                fuel.pay_each(prices::LOOK, looked_at * usize::from(words))?;
                i!(to) = place;
            }
            Op::Lookup(to, list, key, words) => {
                let (place, looked_at) = self.find(i!(list), i!(key), words.into())?;
                fuel.pay_each(1, prices::passed_over(looked_at, words.into()))?;
                i!(to) = place;
            }
            Op::SortI(list, keys, reverse) => {
                let keys = self.keys(i!(keys), u64::cast_signed)?;
                self.sort(i!(list), &keys, Ord::cmp, reverse == 1, fuel)?;
            }
            Op::SortF(list, keys, reverse) => {
                let keys = self.keys(i!(keys), f64::from_bits)?;
                if keys.iter().any(|key| key.is_nan()) {
                    return Err(Bail);
                }
                let order = |a: &f64, b: &f64| a.partial_cmp(b).unwrap_or(Ordering::Equal);
                self.sort(i!(list), &keys, order, reverse == 1, fuel)?;
            }
            _ => return Err(Bail),
        }
        Ok(())
    }

    /// A new list, with room for so many elements.
    fn new_list(&mut self, words: usize, capacity: usize) -> Result<i64, Bail> {
        let size = capacity.checked_mul(words).and_then(|size| size.checked_add(HEADER));
        let handle = self.alloc(i64::try_from(size.ok_or(Bail)?).map_err(|_| Bail)?)?;
        let start = usize::try_from(handle).map_err(|_| Bail)? + HEADER;
        self.set_header(List { handle, len: 0, capacity, start, words })?;
        Ok(handle)
    }

    /// A new list of these words.
    pub(super) fn list_of(
        &mut self,
        elements: impl Iterator<Item = u64>,
        count: usize,
        fuel: &mut Fuel,
    ) -> Result<i64, Bail> {
        fuel.pay_each(1, count)?;
        let list = self.new_list(1, count)?;
        let list = self.list(list)?;
        let places = self.words[list.start..list.start + count].iter_mut();
        places.zip(elements).for_each(|(place, element)| *place = element);
        self.set_len(list, count)?;
        Ok(list.handle)
    }

    #[inline]
    fn list(&self, handle: i64) -> Result<List, Bail> {
        let header =
            usize::try_from(handle).ok().and_then(|at| self.words.get(at..)?.first_chunk());
        let &[len, capacity, start, words]: &[u64; HEADER] = header.ok_or(Bail)?;
        // What is no list may have anything there, so that nothing must overflow.
        let most = self.words.len() as u64;
        if len > capacity || capacity > most || start > most || !(1..=255).contains(&words) {
            return Err(Bail);
        }
        if start + capacity * words > most {
            return Err(Bail);
        }
        #[allow(clippy::cast_possible_truncation, reason = "they are at most 2 ** 16")]
        let [len, capacity, start, words] = [len, capacity, start, words].map(|word| word as usize);
        Ok(List { handle, len, capacity, start, words })
    }

    fn set_header(&mut self, list: List) -> Result<(), Bail> {
        let header = self.changeable(list.handle, HEADER)?;
        header.copy_from_slice(
            &[list.len, list.capacity, list.start, list.words].map(|word| word as u64),
        );
        Ok(())
    }

    #[inline]
    fn set_len(&mut self, list: List, len: usize) -> Result<(), Bail> {
        self.changeable(list.handle, 1)?[0] = len as u64;
        Ok(())
    }

    /// The list with room for so many elements more, and that many longer.
    #[inline]
    fn lengthened(&mut self, handle: i64, more: usize, fuel: &mut Fuel) -> Result<List, Bail> {
        let mut list = self.list(handle)?;
        let len = list.len + more;
        if len > list.capacity {
            fuel.pay_each(prices::LIST_WORD, list.len * list.words)?;
            let all = list.all();
            list.capacity = len.max(2 * list.capacity).max(4);
            let room = i64::try_from(list.capacity * list.words).map_err(|_| Bail)?;
            list.start = usize::try_from(self.alloc(room)?).map_err(|_| Bail)?;
            self.words.copy_within(all, list.start);
            list.len = len;
            self.set_header(list)?;
        } else {
            self.set_len(list, len)?;
            list.len = len;
        }
        Ok(list)
    }

    /// The words of an element, all 0 from now on.
    fn cleared(&mut self, list: List, index: usize) -> Result<i64, Bail> {
        let at = address(list.place(index));
        self.changeable(at, list.words)?.fill(0);
        Ok(at)
    }

    fn push(&mut self, handle: i64, fuel: &mut Fuel) -> Result<i64, Bail> {
        let list = self.lengthened(handle, 1, fuel)?;
        self.cleared(list, list.len - 1)
    }

    fn slice(&mut self, handle: i64, from: i64, end: i64, fuel: &mut Fuel) -> Result<i64, Bail> {
        let list = self.list(handle)?;
        let (from, end) = (list.clamped(from), list.clamped(end));
        let count = end.saturating_sub(from);
        fuel.pay_each(prices::LIST_WORD, count * list.words)?;
        let new = self.new_list(list.words, count)?;
        let new = self.list(new)?;
        self.words.copy_within(list.place(from)..list.place(from + count), new.start);
        self.set_len(new, count)?;
        Ok(new.handle)
    }

    fn reverse(&mut self, handle: i64, fuel: &mut Fuel) -> Result<(), Bail> {
        let list = self.list(handle)?;
        fuel.pay_each(1, prices::moved(list.len * list.words))?;
        let all = self.changeable(address(list.start), list.len * list.words)?;
        all.reverse();
        all.chunks_exact_mut(list.words).for_each(<[u64]>::reverse);
        Ok(())
    }

    fn remove(&mut self, handle: i64, index: i64, fuel: &mut Fuel) -> Result<(), Bail> {
        let list = self.list(handle)?;
        let index = list.index(index).ok_or(Bail)?;
        let words = (list.len - index) * list.words;
        fuel.pay_each(1, prices::moved(words))?;
        self.changeable(address(list.place(index)), words)?.copy_within(list.words.., 0);
        self.set_len(list, list.len - 1)
    }

    fn extend(&mut self, handle: i64, more: i64, fuel: &mut Fuel) -> Result<(), Bail> {
        let more = self.list(more)?;
        if more.words != self.list(handle)?.words {
            return Err(Bail);
        }
        fuel.pay_each(prices::LIST_WORD, more.len * more.words)?;
        let list = self.lengthened(handle, more.len, fuel)?;
        // Nothing is given back before the end, so the words are still there where it has moved.
        let at = list.place(list.len - more.len);
        self.changeable(address(at), more.len * more.words)?;
        self.words.copy_within(more.all(), at);
        Ok(())
    }

    fn insert(&mut self, handle: i64, index: i64, fuel: &mut Fuel) -> Result<i64, Bail> {
        let index = self.list(handle)?.clamped(index);
        let list = self.lengthened(handle, 1, fuel)?;
        let words = (list.len - index) * list.words;
        fuel.pay_each(1, prices::moved(words))?;
        let end = words - list.words;
        self.changeable(address(list.place(index)), words)?.copy_within(..end, list.words);
        self.cleared(list, index)
    }

    /// The first index whose element begins with a key, or -1, and how many elements were looked at.
    fn find(&self, handle: i64, key: i64, words: usize) -> Result<(i64, usize), Bail> {
        let list = self.list(handle)?;
        let key = usize::try_from(key).map_err(|_| Bail)?;
        let key = self.words.get(key..key.saturating_add(words)).ok_or(Bail)?;
        if words > list.words {
            return Err(Bail);
        }
        let Some((first, others)) = key.split_first() else { return Err(Bail) };
        let mut elements = self.words[list.all()].chunks_exact(list.words);
        let found = elements.position(|element| {
            element[0] == *first && (others.is_empty() || element[1..].starts_with(others))
        });
        Ok((found.map_or(-1, address), found.map_or(list.len, |found| found + 1)))
    }

    /// The elements of a list of one word each.
    fn keys<T>(&self, handle: i64, read: impl Fn(u64) -> T) -> Result<Vec<T>, Bail> {
        let keys = self.list(handle)?;
        if keys.words != 1 {
            return Err(Bail);
        }
        Ok(self.words[keys.all()].iter().map(|&word| read(word)).collect())
    }

    fn sort<T>(
        &mut self,
        handle: i64,
        keys: &[T],
        order: impl Fn(&T, &T) -> Ordering,
        reverse: bool,
        fuel: &mut Fuel,
    ) -> Result<(), Bail> {
        let list = self.list(handle)?;
        if keys.len() != list.len {
            return Err(Bail);
        }
        fuel.pay_each(1, prices::sort(list.len))?;
        fuel.pay_each(prices::LIST_WORD, list.len * list.words)?;
        let mut places: Vec<usize> = (0..list.len).collect();
        if reverse {
            places.sort_by(|&a, &b| order(&keys[b], &keys[a]));
        } else {
            places.sort_by(|&a, &b| order(&keys[a], &keys[b]));
        }
        let elements = self.changeable(address(list.start), list.len * list.words)?;
        let before = elements.to_vec();
        let sorted = places.iter().flat_map(|&at| &before[at * list.words..][..list.words]);
        elements.iter_mut().zip(sorted).for_each(|(place, &word)| *place = word);
        Ok(())
    }
}
