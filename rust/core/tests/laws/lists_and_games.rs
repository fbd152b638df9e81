//! The lists of a program are those of Python, and its games the board's.

use isolation_core::program::{Function, Instruction as Op, Machine, Program};
use isolation_core::{Cell, CellSet, Player, Position, Random, with_position};
use proptest::prelude::*;

use crate::instructions::Sketch;
use crate::positions::{any_position, narrow};

fn below(random: &mut Random, bound: usize) -> usize {
    random.below(u32::try_from(bound).unwrap()) as usize
}

/// An element: so many words.
type Element = Vec<i64>;

/// Three lists of elements of so many words, as the program has them in i10, i11 and i12, and as they should be.
struct Lists {
    sketch: Sketch,
    meant: [Vec<Element>; 3],
    words: u8,
}

impl Lists {
    fn element(&self, random: &mut Random) -> Element {
        (0..self.words).map(|_| i64::from(random.below(3)) - 1).collect()
    }

    /// Writes an element to the address in i3.
    fn store(&mut self, element: &[i64]) {
        for (offset, &word) in (0..).zip(element) {
            self.sketch.constant(4, word);
            self.sketch.code.push(Op::StoreI(3, offset, 4));
        }
    }

    /// Notes the element at the address in i3.
    fn note(&mut self, element: &[i64]) {
        for (offset, &word) in (0..).zip(element) {
            self.sketch.code.push(Op::LoadI(4, 3, offset));
            self.sketch.note(4, word);
        }
    }

    /// A list of one word an element in i5.
    fn keys(&mut self, keys: &[i64]) {
        self.sketch.code.push(Op::ListNew(5, 1));
        for &key in keys {
            self.sketch.code.push(Op::ListPush(3, 5));
            self.store(&[key]);
        }
    }

    /// Changes or asks one of the lists.
    fn step(&mut self, random: &mut Random) {
        let (at, other) = (below(random, 3), below(random, 3));
        let [list, from] = [at, other].map(|place| 10 + u8::try_from(place).unwrap());
        let len = self.meant[at].len();
        let signed = |index: usize, len: usize, back: bool| {
            i64::try_from(index).unwrap() - if back { i64::try_from(len).unwrap() } else { 0 }
        };
        match random.below(13) {
            0..4 => {
                let element = self.element(random);
                self.sketch.code.push(Op::ListPush(3, list));
                self.note(&vec![0; self.words.into()]);
                self.store(&element);
                self.meant[at].push(element);
            }
            4 if len > 0 => {
                self.sketch.code.push(Op::ListPop(3, list));
                let element = self.meant[at].pop().unwrap();
                self.note(&element);
            }
            5 => {
                self.sketch.code.push(Op::ListCopy(list, from));
                let same = self.meant[other].clone();
                self.meant[at] = same;
            }
            6 => {
                let [start, end] = [0; 2].map(|_| i64::from(random.below(16)) - 8);
                self.sketch.constant(6, start);
                self.sketch.constant(7, end);
                self.sketch.code.push(Op::ListSlice(list, from, 6, 7));
                let len = i64::try_from(self.meant[other].len()).unwrap();
                let clamped =
                    |index: i64| (if index < 0 { index + len } else { index }).clamp(0, len);
                let (start, end) = (clamped(start), clamped(end).max(clamped(start)));
                let range = usize::try_from(start).unwrap()..usize::try_from(end).unwrap();
                self.meant[at] = self.meant[other][range].to_vec();
            }
            7 => {
                self.sketch.code.push(Op::ListReverse(list));
                self.meant[at].reverse();
            }
            8 if len > 0 => {
                let index = below(random, len);
                self.sketch.constant(6, signed(index, len, random.below(2) == 0));
                self.sketch.code.push(Op::ListRemove(list, 6));
                self.meant[at].remove(index);
            }
            9 if len < 40 => {
                self.sketch.code.push(Op::ListExtend(list, from));
                let more = self.meant[other].clone();
                self.meant[at].extend(more);
            }
            10 => {
                let index = below(random, len + 3);
                let element = self.element(random);
                self.sketch.constant(6, i64::try_from(index).unwrap());
                self.sketch.code.push(Op::ListInsert(3, list, 6));
                self.note(&vec![0; self.words.into()]);
                self.store(&element);
                self.meant[at].insert(index.min(len), element);
            }
            11 => self.find(random, list, at),
            12 => self.sort(random, list, at),
            _ => {
                self.sketch.code.push(Op::ListClear(list));
                self.meant[at].clear();
            }
        }
    }

    fn find(&mut self, random: &mut Random, list: u8, at: usize) {
        let key = self.element(random);
        let words = 1 + below(random, self.words.into());
        self.sketch.constant(3, self.words.into());
        self.sketch.code.push(Op::Alloc(3, 3));
        self.store(&key);
        let find = [Op::Find, Op::Lookup][usize::from(words.is_multiple_of(2))];
        self.sketch.code.push(find(4, list, 3, u8::try_from(words).unwrap()));
        let found = self.meant[at].iter().position(|element| element[..words] == key[..words]);
        self.sketch.note(4, found.map_or(-1, |index| i64::try_from(index).unwrap()));
    }

    fn sort(&mut self, random: &mut Random, list: u8, at: usize) {
        let (reverse, floats) = (random.below(2) == 0, random.below(2) == 0);
        let keys: Vec<i64> =
            self.meant[at].iter().map(|_| i64::from(random.below(4)) - 2).collect();
        if floats {
            // Zeros of both signs are equal, so the order stays.
            let zero = [0.0, -0.0][below(random, 2)];
            let float = |key: i64| {
                if key == 0 {
                    zero
                } else {
                    [-2.0, -1.0, 0.0, 1.0][usize::try_from(key + 2).unwrap()]
                }
            };
            let bits: Vec<i64> =
                keys.iter().map(|&key| f64::to_bits(float(key)).cast_signed()).collect();
            self.keys(&bits);
            self.sketch.code.push(Op::SortF(list, 5, reverse.into()));
        } else {
            self.keys(&keys);
            self.sketch.code.push(Op::SortI(list, 5, reverse.into()));
        }
        let mut sorted: Vec<_> = keys.into_iter().zip(self.meant[at].drain(..)).collect();
        sorted.sort_by_key(|&(key, _)| if reverse { -key } else { key });
        self.meant[at].extend(sorted.into_iter().map(|(_, element)| element));
    }

    /// Notes every list, from the end on.
    fn finish(mut self) -> Sketch {
        for (list, elements) in (10..).zip(self.meant.clone()) {
            self.sketch.code.push(Op::ListLen(4, list));
            self.sketch.note(4, i64::try_from(elements.len()).unwrap());
            for (index, element) in (1..).zip(elements.iter().rev()) {
                self.sketch.constant(6, -index);
                self.sketch.code.push(Op::ListAt(3, list, 6));
                self.note(element);
            }
        }
        self.sketch
    }
}

/// Games as a program has them, their handles in i10 and after, and as they should be.
struct Games<S: CellSet> {
    sketch: Sketch,
    meant: Vec<(Position<S>, i64)>,
}

impl<S: CellSet> Games<S> {
    fn register(&self, place: usize) -> u8 {
        assert!(place < self.meant.len());
        10 + u8::try_from(place).unwrap()
    }

    fn step(&mut self, random: &mut Random) {
        let place = below(random, self.meant.len());
        let register = self.register(place);
        let (mut position, count) = self.meant[place].clone();
        let cell = Cell(random.below(position.size().cells()));
        self.sketch.constant(3, cell.0.into());
        let new = 10 + u8::try_from(self.meant.len()).unwrap();
        match random.below(3) {
            0 if place > 0 => {
                self.sketch.code.push(Op::Apply(register, 3));
                position.jump(position.to_move(), cell);
                self.meant[place] = (position, count + 1);
            }
            1 => {
                self.sketch.code.push(Op::CopyGame(new, register));
                self.meant.push((position, count));
            }
            _ => {
                self.sketch.code.push(Op::Forecast(new, register, 3));
                position.jump(position.to_move(), cell);
                self.meant.push((position, count + 1));
            }
        }
    }

    /// Notes all that can be asked of a game, with a cell in i3.
    fn ask(&mut self, place: usize, cell: Cell) {
        let g = self.register(place);
        let (position, count) = self.meant[place].clone();
        let (row, column) = position.size().coordinates(cell);
        self.sketch.constant(3, cell.0.into());
        let mut asked = vec![
            (Op::MoveCount(4, g), count),
            (Op::Active(4, g), position.to_move() as i64),
            (Op::IsBlank(4, g, 3), position.blank().contains(cell).into()),
            (Op::MobilityFrom(4, g, 3), position.mobility_from(cell).into()),
            (Op::Width(4), position.size().width().into()),
            (Op::Height(4), position.size().height().into()),
            (Op::RowOf(4, 3), row.into()),
            (Op::ColOf(4, 3), column.into()),
        ];
        for player in Player::BOTH {
            let p = 5 + u8::from(player == Player::Two);
            self.sketch.code.push(Op::ConstI(p, i32::from(p) - 5));
            let location = position.location(player).map_or(-1, |cell| cell.0.into());
            let stuck = |player| position.to_move() == player && position.mobility(player) == 0;
            asked.extend([
                (Op::Opponent(4, p), player.opponent() as i64),
                (Op::Location(4, g, p), location),
                (Op::Origin(4, g, p), location),
                (Op::Mobility(4, g, p), position.mobility(player).into()),
                (Op::CanMove(4, g, p), (position.mobility(player) > 0).into()),
                (Op::IsLoser(4, g, p), stuck(player).into()),
                (Op::IsWinner(4, g, p), stuck(player.opponent()).into()),
            ]);
        }
        for (instruction, answer) in asked {
            self.sketch.code.push(instruction);
            self.sketch.note(4, answer);
        }
        for player in Player::BOTH {
            self.sketch.code.push(Op::Moves(0, g, 5 + u8::from(player == Player::Two)));
            if position.mobility(player) < 9 {
                self.sketch.note_cells(0, position.moves(player));
            }
        }
        self.sketch.code.push(Op::MovesFrom(0, g, 3));
        self.sketch.note_cells(0, position.moves_from(Some(cell)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn lists_are_those_of_python(words in 1..4_u8, steps in 0..60_u32, seed in any::<u64>()) {
        let mut random = Random::from_seed(seed);
        let mut sketch = Sketch::default();
        sketch.code.extend([10, 11, 12].map(|list| Op::ListNew(list, words)));
        let mut lists = Lists { sketch, meant: Default::default(), words };
        (0..steps).for_each(|_| lists.step(&mut random));
        lists.finish().check(&narrow("3x3 3/3/3 - - 1"), 0);
    }

    #[test]
    fn games_are_those_of_the_board(any in any_position(), steps in 0..5_u32, seed in any::<u64>()) {
        with_position!(&any, |position| {
            let mut random = Random::from_seed(seed);
            let mut sketch = Sketch::default();
            sketch.code.push(Op::ConstI(10, 0));
            let mut games = Games { sketch, meant: vec![(position.clone(), 7)] };
            (0..steps).for_each(|_| games.step(&mut random));
            for place in 0..games.meant.len() {
                let cell = Cell(random.below(position.size().cells()));
                games.ask(place, cell);
            }
            games.sketch.check(position, 0);
        });
    }

    #[test]
    fn a_cell_is_told_by_row_and_column(any in any_position(), row in -3..20_i64, column in -3..20_i64) {
        with_position!(&any, |position| {
            let mut sketch = Sketch::default();
            sketch.constant(2, row);
            sketch.constant(3, column);
            sketch.code.push(Op::CellOf(4, 2, 3));
            sketch.note(4, position.size().cell(row, column).map_or(-1, |cell| cell.0.into()));
            sketch.check(position, 0);
        });
    }
}

/// What a lookup pays in a list of zeros, for a key of so many words of which the last is another.
fn paid_for_a_lookup(words: u8) -> u32 {
    let spent = |looks_up: bool| {
        let mut code = vec![Op::ListNew(2, words)];
        code.extend((0..100).map(|_| Op::ListPush(3, 2)));
        code.extend([Op::ConstI(4, words.into()), Op::Alloc(3, 4), Op::ConstI(4, 1)]);
        code.push(Op::StoreI(3, i32::from(words) - 1, 4));
        code.extend(looks_up.then_some(Op::Lookup(4, 2, 3, words)));
        code.extend([Op::IToF(0, 4), Op::Ret()]);
        let (parameters, results) = ([2, 0, 0], [0, 1, 0]);
        let entry = Function { registers: [5, 1, 0], parameters, results, code };
        let program = Program::new(vec![entry], vec![], vec![], vec![]).unwrap();
        let mut machine = Machine::new(program.into());
        let position = narrow("3x3 3/3/3 - - 1");
        let found = machine.run(&position, Player::One, 0, 0);
        assert_eq!(found, Some(if looks_up { -1.0 } else { 1.0 }));
        machine.spent()
    };
    spent(true) - spent(false)
}

#[test]
fn a_lookup_among_wide_elements_pays_for_their_words() {
    assert_eq!(paid_for_a_lookup(1), paid_for_a_lookup(2));
    assert!(paid_for_a_lookup(200) > 60 * paid_for_a_lookup(2));
}
