//! Machine code against the machine of the core, its oracle: random programs on random positions.

use std::sync::Arc;

use isolation_core::program::{
    Class, Counts, Coverage, FUEL, Function, Instruction, Kind, Machine, OPCODES, Program,
};
use isolation_core::{CellSet, Player, Position, Size};
use isolation_jit::{Jitted, Refused, Runner};

/// Random numbers that are the same each time.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn of<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// What an integer register holds, mostly: else nearly all instructions on games and lists would bail.
const GAMES: &[i64] = &[0, 1, 2];
const CELLS: &[i64] = &[3, 4, 5, 6];
const LISTS: &[i64] = &[7, 8];
const ADDRESSES: &[i64] = &[9, 10];
const PACKED: &[i64] = &[11];
const OTHERS: &[i64] = &[12, 13, 14, 15, 16, 17];
const INTS: u16 = 18;
const FLOATS: u16 = 6;
const MASKS: u16 = 4;

/// The integer registers of an instruction in the order of its operands: g game, c cell, l list, a address,
/// p packed moves. All others hold numbers.
const ROLES: &[(&str, &str)] = &[
    ("MoveCount", "ng"),
    ("Active", "ng"),
    ("Opponent", "nn"),
    ("Location", "cgn"),
    ("Origin", "cgn"),
    ("Blank", "g"),
    ("Moves", "gn"),
    ("Mobility", "ngn"),
    ("CanMove", "ngn"),
    ("IsLoser", "ngn"),
    ("IsWinner", "ngn"),
    ("IsBlank", "ngc"),
    ("MobilityFrom", "ngc"),
    ("MovesFrom", "gc"),
    ("Forecast", "ggc"),
    ("CopyGame", "gg"),
    ("Apply", "gc"),
    ("MaskHas", "nc"),
    ("MaskAdd", "c"),
    ("MaskPop", "c"),
    ("CellOf", "cnn"),
    ("RowOf", "nc"),
    ("ColOf", "nc"),
    ("PackMoves", "pc"),
    ("NextPacked", "cp"),
    ("OrderedList", "lc"),
    ("Alloc", "an"),
    ("LoadI", "na"),
    ("LoadF", "a"),
    ("StoreI", "an"),
    ("StoreF", "a"),
    ("ListNew", "l"),
    ("ListLen", "nl"),
    ("ListAt", "aln"),
    ("ListPush", "al"),
    ("ListPop", "al"),
    ("ListCopy", "ll"),
    ("ListSlice", "llnn"),
    ("ListReverse", "l"),
    ("ListClear", "l"),
    ("ListRemove", "ln"),
    ("ListExtend", "ll"),
    ("ListInsert", "aln"),
    ("Find", "nla"),
    ("Lookup", "nla"),
    ("SortI", "ll"),
    ("SortF", "ll"),
];

/// A program of some functions. The wilder, the more of it bails.
struct Generator {
    chance: Chance,
    functions: usize,
    wild: bool,
}

const FLOAT_CONSTANTS: &[f64] =
    &[0.5, 1.0, -1.5, 2.0, 0.1, 3.5, 7.0, 0.0, -0.0, 1e300, -1e-300, f64::INFINITY, 9.3e18, 1e18];
/// So many of them, the first, are like the numbers of heuristics.
const TAME: usize = 7;
const INT_CONSTANTS: &[i64] = &[0, 1, -1, 7, 1 << 53, -(1 << 53) - 1, i64::MAX, i64::MIN, 1 << 40];

impl Generator {
    fn register(&mut self, role: char) -> i64 {
        let all = [GAMES, CELLS, LISTS, ADDRESSES, PACKED, OTHERS];
        let place = "gclapn".find(role).unwrap();
        let place = if self.chance.one_in(if self.wild { 10 } else { 400 }) {
            self.chance.below(all.len())
        } else {
            place
        };
        self.chance.of(all[place])
    }

    /// An operand that names a register, a constant or a small number.
    fn operand(&mut self, kind: Kind, role: char) -> i64 {
        match kind {
            Kind::Read(Class::Int) | Kind::Write(Class::Int) | Kind::Change(Class::Int) => {
                self.register(role)
            }
            Kind::Read(class) | Kind::Write(class) | Kind::Change(class) => {
                let count = if class == Class::Float { FLOATS } else { MASKS };
                i64::try_from(self.chance.below(count.into())).unwrap()
            }
            Kind::Number => self.chance.of(&[0, 1, 1, 2, 3, -1, 5]),
            Kind::Integer => i64::try_from(self.chance.below(INT_CONSTANTS.len())).unwrap(),
            Kind::Float => self.float(),
            Kind::Label | Kind::Function => unreachable!("these are chosen where they are known"),
        }
    }

    /// The place of a constant: that of infinity and its like only in wild programs.
    fn float(&mut self) -> i64 {
        let count = if self.wild { FLOAT_CONSTANTS.len() } else { TAME };
        i64::try_from(self.chance.below(count)).unwrap()
    }

    fn random_instruction(&mut self, at: usize, count: usize) -> Instruction {
        loop {
            let number = self.chance.below(OPCODES.len());
            let opcode = &OPCODES[number];
            let jumps = opcode.kinds.contains(&Kind::Label);
            let is_rare = matches!(opcode.name, "Bail" | "Ret" | "Call" | "Jump" | "ConstK")
                // What is hardly ever there.
                || opcode.name.starts_with("ListPop") || opcode.name.starts_with("ListRemove")
                || (jumps && !matches!(opcode.name, "MaskPop" | "NextPacked"));
            if is_rare && !self.chance.one_in(4) {
                continue;
            }
            if opcode.name == "Bail" && !self.chance.one_in(30) {
                continue;
            }
            let mut roles = ROLES
                .iter()
                .find(|(name, _)| *name == opcode.name)
                .map_or("", |&(_, roles)| roles)
                .chars();
            let operands: Vec<i64> = opcode
                .kinds
                .iter()
                .map(|&kind| match kind {
                    Kind::Label => {
                        let back = self.chance.one_in(12);
                        let to = if back {
                            at.saturating_sub(self.chance.below(10))
                        } else {
                            (at + 1 + self.chance.below(12)).min(count - 1)
                        };
                        i64::try_from(to).unwrap()
                    }
                    Kind::Function => i64::try_from(self.chance.below(self.functions)).unwrap(),
                    _ => {
                        let is_int = matches!(
                            kind,
                            Kind::Read(Class::Int)
                                | Kind::Write(Class::Int)
                                | Kind::Change(Class::Int)
                        );
                        let role = is_int.then(|| roles.next()).flatten().unwrap_or('n');
                        self.operand(kind, role)
                    }
                })
                .collect();
            if opcode.name == "ConstI" && operands[0] < OTHERS[0] {
                continue;
            }
            if let Ok(instruction) = Instruction::decode(i64::try_from(number).unwrap(), &operands)
            {
                return instruction;
            }
        }
    }

    /// Instructions after which every register was written.
    fn beginning(&mut self, parameters: Counts, cells: u32) -> Vec<Instruction> {
        use Instruction as Op;
        let mut code = Vec::new();
        for register in parameters[0]..INTS {
            let to = u8::try_from(register).unwrap();
            let role = i64::from(to);
            code.push(if GAMES.contains(&role) || PACKED.contains(&role) {
                Op::ConstI(to, 0)
            } else if CELLS.contains(&role) {
                Op::ConstI(to, i32::try_from(self.chance.below(cells as usize)).unwrap())
            } else if LISTS.contains(&role) {
                Op::ListNew(to, self.chance.of(&[1, 1, 1, 2, 3]))
            } else if ADDRESSES.contains(&role) {
                Op::ConstI(to, 0)
            } else {
                Op::ConstI(to, self.chance.of(&[0, 1, 2, 3, -1, -2, 5, 8, 100]))
            });
        }
        for register in parameters[1]..FLOATS {
            code.push(Op::ConstF(
                u8::try_from(register).unwrap(),
                u16::try_from(self.float()).unwrap(),
            ));
        }
        for register in parameters[2]..MASKS {
            let to = u8::try_from(register).unwrap();
            code.push(if self.chance.one_in(2) { Op::Blank(to, 0) } else { Op::Moves(to, 0, 12) });
        }
        code
    }

    fn function(&mut self, place: usize, cells: u32) -> Function {
        let (parameters, results) =
            if place == 0 { ([2, 0, 0], [0, 1, 0]) } else { (SHARED, SHARED) };
        let mut code = Vec::new();
        if place == 0 {
            // The player is not a game.
            code.push(Instruction::MovI(12, 1));
            code.push(Instruction::ConstI(1, 0));
        }
        // The player's register 12 is left alone by what follows.
        code.extend(self.beginning(parameters, cells));
        code.retain(|instruction| !matches!(instruction, Instruction::ConstI(12, _)) || place != 0);
        let start = code.len();
        let most = if self.wild { 70 } else { 25 };
        let count = start + 3 + self.chance.below(most);
        while code.len() + 2 < count {
            code.push(self.random_instruction(code.len(), count));
        }
        // All integers and sets end in what is returned, or a difference in them would not be seen.
        code.push(Instruction::Jump(u16::try_from(code.len() + 1).unwrap()));
        let end = code.len();
        for register in 0..u8::try_from(INTS).unwrap() {
            code.push(Instruction::IToF(0, register));
            code.push(Instruction::AddF(1, 1, 0));
        }
        for register in 0..u8::try_from(MASKS).unwrap() {
            code.push(Instruction::MaskCount(3, register));
            code.push(Instruction::IToF(0, 3));
            code.push(Instruction::AddF(1, 1, 0));
        }
        if place == 0 || self.chance.one_in(2) {
            code.push(Instruction::MovF(0, 1));
        }
        code.push(Instruction::Ret());
        assert!(end < code.len());
        Function { registers: [INTS, FLOATS, MASKS], parameters, results, code }
    }

    fn program(&mut self, cells: u32) -> Arc<Program> {
        self.functions = 1 + self.chance.below(4);
        self.wild = self.chance.one_in(3);
        loop {
            let functions = (0..self.functions).map(|place| self.function(place, cells)).collect();
            let data = vec![3, 5, f64::to_bits(0.5), u64::MAX];
            let program =
                Program::new(functions, INT_CONSTANTS.to_vec(), FLOAT_CONSTANTS.to_vec(), data);
            if let Ok(program) = program {
                return Arc::new(program);
            }
        }
    }
}

/// Parameters and results of all functions but the entry. Calls have them from register 0 on.
const SHARED: Counts = [INTS, 2, 1];

fn position<S: CellSet>(chance: &mut Chance, size: Size) -> Position<S> {
    let mut position = Position::<S>::empty(size);
    for _ in 0..chance.below(size.cells() as usize + 1) {
        let moves: Vec<_> = position.moves(position.to_move()).collect();
        if moves.is_empty() {
            break;
        }
        let _ = position.make(chance.of(&moves));
    }
    position
}

/// How many programs gave a value, and how many bailed.
fn compare<S: CellSet>(seed: u64, size: Size, programs: usize) -> [usize; 2] {
    let mut generator = Generator { chance: Chance(seed), functions: 1, wild: false };
    let mut ends = [0; 2];
    for number in 0..programs {
        let mut program = generator.program(size.cells());
        if number % 4 == 3 {
            program = changed(&mut generator, &program).unwrap_or(program);
        }
        let mut machine = Machine::<S>::new(Arc::clone(&program));
        let jitted = Arc::new(Jitted::new(Arc::clone(&program), size).unwrap());
        let mut runner = Runner::new(jitted);
        for _ in 0..3 {
            let position = position::<S>(&mut generator.chance, size);
            let player = generator.chance.of(&Player::BOTH);
            let (count, bits) = (7, generator.chance.next());
            let expected = machine.run(&position, player, count, bits);
            let got = runner.run(&position, player, count, bits);
            assert_eq!(
                got.map(f64::to_bits),
                expected.map(f64::to_bits),
                "seed {seed}, program {number} on {position:?}: {got:?}, not {expected:?}; {:#?}",
                program
                    .functions()
                    .iter()
                    .map(|each| each.code.iter().enumerate().collect::<Vec<_>>())
                    .collect::<Vec<_>>()
            );
            assert_eq!(runner.is_cut_off(), machine.is_cut_off(), "seed {seed}, program {number}");
            if expected.is_some() {
                assert_eq!(runner.spent(), machine.spent(), "seed {seed}, program {number}");
            }
            ends[usize::from(expected.is_none())] += 1;
            // Of the same run with less than it costs nothing comes, but that it was cut off or bailed before.
            let [least, most] = [machine.spent(), machine.spent() / 2];
            for fuel in [least, least.saturating_sub(1), most] {
                machine.limit(fuel);
                runner.limit(fuel);
                let again = machine.run(&position, player, count, bits).map(f64::to_bits);
                let got = runner.run(&position, player, count, bits).map(f64::to_bits);
                assert_eq!(got, again, "seed {seed}, program {number} with {fuel}");
                assert_eq!(runner.is_cut_off(), machine.is_cut_off(), "{number} with {fuel}");
                if expected.is_some() {
                    assert_eq!(again.is_some(), fuel == least, "{number} with {fuel}");
                    assert_eq!(machine.is_cut_off(), fuel < least, "{number} with {fuel}");
                }
            }
            machine.limit(FUEL);
            runner.limit(FUEL);
        }
    }
    ends
}

/// The same with some instructions changed for others, wherever these fit in.
fn changed(generator: &mut Generator, program: &Program) -> Option<Arc<Program>> {
    let mut functions = program.functions().to_vec();
    generator.wild = true;
    for _ in 0..=generator.chance.below(4) {
        let place = generator.chance.below(functions.len());
        let code = &mut functions[place].code;
        let at = generator.chance.below(code.len());
        code[at] = generator.random_instruction(at, code.len());
    }
    let data = program.data().to_vec();
    Program::new(functions, INT_CONSTANTS.to_vec(), FLOAT_CONSTANTS.to_vec(), data)
        .ok()
        .map(Arc::new)
}

#[test]
fn machine_code_gives_what_the_machine_gives() {
    let mut ends = [0; 2];
    for (seed, (width, height)) in (1..).zip([(7, 7), (8, 8), (3, 4), (1, 1), (5, 9)]) {
        let of_size = compare::<u64>(seed, Size::new(width, height).unwrap(), 120);
        ends = [ends[0] + of_size[0], ends[1] + of_size[1]];
    }
    for (seed, (width, height)) in (11..).zip([(9, 9), (11, 11), (16, 8), (2, 64)]) {
        let of_size = compare::<u128>(seed, Size::new(width, height).unwrap(), 50);
        ends = [ends[0] + of_size[0], ends[1] + of_size[1]];
    }
    // Programs that all bail would compare nothing.
    let least = ends[1] / 4;
    assert!(ends[0] > least, "{ends:?}");
}

#[test]
fn boards_of_more_cells_are_left_to_the_machine() {
    let mut generator = Generator { chance: Chance(5), functions: 1, wild: false };
    let size = Size::new(13, 10).unwrap();
    let refused = Jitted::new(generator.program(size.cells()), size).unwrap_err();
    assert_eq!(refused, Refused::Board(size));
    assert_eq!(refused.to_string(), "a 13x10 board has more than 128 cells");
}

#[test]
fn threads_run_one_program_at_once_each_by_a_runner_of_its_own() {
    let mut generator = Generator { chance: Chance(7), functions: 1, wild: false };
    let size = Size::new(7, 7).unwrap();
    let board = position::<u64>(&mut generator.chance, size);
    for _ in 0..20 {
        let program = generator.program(size.cells());
        let expected = Machine::new(Arc::clone(&program)).run(&board, Player::One, 0, 1);
        let jitted = Arc::new(Jitted::new(program, size).unwrap());
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    let mut runner = Runner::new(Arc::clone(&jitted));
                    for _ in 0..50 {
                        let got = runner.run(&board, Player::One, 0, 1);
                        assert_eq!(got.map(f64::to_bits), expected.map(f64::to_bits));
                    }
                });
            }
        });
    }
}

#[test]
fn a_board_of_another_size_is_left_to_the_machine() {
    let mut generator = Generator { chance: Chance(3), functions: 1, wild: false };
    let program = generator.program(49);
    let mut runner = Runner::new(Arc::new(Jitted::new(program, Size::new(7, 7).unwrap()).unwrap()));
    let other = Position::<u64>::empty(Size::new(8, 6).unwrap());
    assert!(!runner.fits(&other));
    assert_eq!(runner.run(&other, Player::One, 0, 1), None);
}

#[test]
fn machine_code_of_what_is_known_gives_the_same_or_leaves_the_run() {
    let mut generator = Generator { chance: Chance(21), functions: 1, wild: false };
    let size = Size::new(7, 7).unwrap();
    let (mut values, mut left) = (0, 0);
    for number in 0..200 {
        let mut program = generator.program(size.cells());
        if number % 4 == 3 {
            program = changed(&mut generator, &program).unwrap_or(program);
        }
        let coverage = Arc::new(Coverage::new(Arc::clone(&program)));
        let mut machine = Machine::covering(Arc::clone(&coverage), FUEL);
        // Some ways through the program are known well, and some parts of it hardly.
        for _ in 0..2 + generator.chance.below(3) {
            let position = position::<u64>(&mut generator.chance, size);
            for _ in 0..=generator.chance.below(6) {
                machine.run(&position, Player::One, 7, 1);
                machine.compared();
            }
        }
        let mut runner = Runner::new(Arc::new(Jitted::of_known(&coverage, size).unwrap()));
        for _ in 0..6 {
            let position = position::<u64>(&mut generator.chance, size);
            let player = generator.chance.of(&Player::BOTH);
            let expected = machine.run(&position, player, 7, 1).map(f64::to_bits);
            let got = runner.run(&position, player, 7, 1).map(f64::to_bits);
            if runner.has_left() {
                assert_eq!(got, None);
                left += 1;
            } else {
                assert_eq!(got, expected, "program {number} on {position:?}");
                assert!(!machine.is_new(), "program {number} on {position:?}: it ran a new block");
                values += usize::from(got.is_some());
            }
        }
    }
    assert!(values > 100 && left > 100, "{values} values, {left} runs left");
}
