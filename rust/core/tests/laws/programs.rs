//! Programs as a whole: what is checked runs to an end and finds the same whatever ran before, and on sets of
//! any width; what is changed at random is refused, or ends.

use std::ops::Range;
use std::sync::Arc;

use isolation_core::program::{
    COMPARED_ENTRIES, Coverage, Function, Instruction, Kind, Machine, OPCODES, Program, floats,
};
use isolation_core::{CellSet, Player, Position, Random, Wide};

use crate::positions::{in_width, size};

/// Registers of each class, in every function.
const REGISTERS: u16 = 8;
/// Enough for a program that ends, and little for those that do not.
const FUEL: u32 = 5000;
const FUNCTIONS: u32 = 3;
const INTEGERS: [i64; 8] = [0, 1, -1, 3, 48, 1 << 40, i64::MAX, i64::MIN];
const FLOATS: [f64; 8] =
    [0.0, -0.0, 1.0, -2.5, 0.1, f64::MAX, f64::NEG_INFINITY, f64::MIN_POSITIVE];

/// An instruction by its number and operands.
type Encoded = (i64, Vec<i64>);

fn below(random: &mut Random, bound: usize) -> i64 {
    place(random, bound).try_into().unwrap()
}

fn place(random: &mut Random, bound: usize) -> usize {
    random.below(u32::try_from(bound).unwrap()) as usize
}

/// A number that the instruction may have.
fn number(name: &str, random: &mut Random) -> i64 {
    match name {
        "MathF" => below(random, floats::MATH.len()),
        "Math2F" => below(random, floats::MATH_2.len()),
        "ListNew" | "Find" => 1 + below(random, 2),
        "SortI" | "SortF" => below(random, 2),
        "Call" => below(random, 5),
        _ => below(random, 12) - 3,
    }
}

fn instruction(random: &mut Random, labels: Range<usize>) -> Encoded {
    let number_of = place(random, OPCODES.len());
    let opcode = &OPCODES[number_of];
    let operands = opcode.kinds.iter().map(|kind| match kind {
        // The first two often: the game, and a player.
        Kind::Read(_) if random.below(3) == 0 => below(random, 2),
        Kind::Read(_) => below(random, REGISTERS.into()),
        // Not these two, and not the list.
        Kind::Write(_) | Kind::Change(_) => 3 + below(random, usize::from(REGISTERS) - 3),
        Kind::Number => number(opcode.name, random),
        Kind::Integer => below(random, INTEGERS.len()),
        Kind::Float => below(random, FLOATS.len()),
        Kind::Label => i64::try_from(labels.start).unwrap() + below(random, labels.len()),
        Kind::Function => below(random, FUNCTIONS as usize),
    });
    (i64::try_from(number_of).unwrap(), operands.collect())
}

/// A function that writes all of its registers and then does anything: the parameters are two integers.
fn function(random: &mut Random) -> Vec<Encoded> {
    let named = |name: &str, operands: &[i64]| {
        let number = OPCODES.iter().position(|opcode| opcode.name == name).unwrap();
        (i64::try_from(number).unwrap(), operands.to_vec())
    };
    let mut code = vec![named("ListNew", &[2, 1])];
    for register in 0..i64::from(REGISTERS) {
        if register > 2 {
            code.push(named("ConstI", &[register, below(random, 10)]));
        }
        code.push(named("ConstF", &[register, below(random, FLOATS.len())]));
        code.push(named("Blank", &[register, 0]));
    }
    for _ in 0..random.below(4) {
        code.push(named("ListPush", &[3, 2]));
        code.push(named("StoreI", &[3, 0, 1]));
    }
    let start = code.len();
    let length = start + random.below(30) as usize + 1;
    while code.len() < length - 1 {
        // Most jumps go on: else most programs would run until their fuel is spent. None goes before the
        // random part, since what stands there writes the registers.
        let from = if random.below(12) == 0 { start } else { code.len() + 1 };
        code.push(instruction(random, from..length));
    }
    code.push(named("Ret", &[]));
    code
}

fn random_functions(random: &mut Random) -> Vec<Vec<Encoded>> {
    (0..FUNCTIONS).map(|_| function(random)).collect()
}

fn assembled(functions: &[Vec<Encoded>]) -> Result<Program, String> {
    let decoded = functions.iter().enumerate().map(|(place, code)| {
        let code = code.iter().map(|(number, operands)| Instruction::decode(*number, operands));
        Ok::<_, String>(Function {
            registers: [REGISTERS; 3],
            parameters: [2, 0, 0],
            results: if place == 0 { [0, 1, 0] } else { [2, 2, 2] },
            code: code.collect::<Result<_, _>>()?,
        })
    });
    let decoded = decoded.collect::<Result<_, _>>()?;
    let data = vec![3, 1, 4, 1, 5];
    Program::new(decoded, INTEGERS.to_vec(), FLOATS.to_vec(), data)
        .map_err(|error| error.to_string())
}

fn any_board(random: &mut Random) -> Position<u64> {
    let (width, height) = (3 + u64::from(random.below(5)), 3 + u64::from(random.below(5)));
    let mut position = Position::<u64>::empty(size(width, height));
    for _ in 0..random.below(12) {
        let moves: Vec<_> = position.moves(position.to_move()).collect();
        if !moves.is_empty() {
            let _ = position.make(moves[place(random, moves.len())]);
        }
    }
    position
}

/// The bits of the value for each player.
fn values<S: CellSet>(
    machine: &mut Machine<S>,
    position: &Position<S>,
    bits: u64,
) -> [Option<u64>; 2] {
    Player::BOTH.map(|player| machine.run(position, player, 5, bits).map(f64::to_bits))
}

#[test]
fn a_checked_program_finds_the_same_whatever_ran_before_and_on_sets_of_any_width() {
    let mut random = Random::from_seed(1);
    let mut found = 0;
    for case in 0..1000 {
        let program = Arc::new(assembled(&random_functions(&mut random)).unwrap());
        let mut machine = Machine::with_fuel(Arc::clone(&program), FUEL);
        let boards: Vec<_> = (0..2).map(|_| any_board(&mut random)).collect();
        for board in boards.iter().chain(&boards) {
            let bits = board.hash();
            let mut fresh = Machine::with_fuel(Arc::clone(&program), FUEL);
            let first = values(&mut fresh, board, bits);
            assert_eq!(values(&mut machine, board, bits), first, "case {case}");
            assert_eq!(machine.spent(), fresh.spent(), "case {case}");
            let mut wider = Machine::with_fuel(Arc::clone(&program), FUEL);
            assert_eq!(values(&mut wider, &in_width::<_, u128>(board), bits), first, "case {case}");
            let mut widest = Machine::with_fuel(Arc::clone(&program), FUEL);
            assert_eq!(
                values(&mut widest, &in_width::<_, Wide>(board), bits),
                first,
                "case {case}"
            );
            found += first.iter().flatten().count();
        }
    }
    assert!(found > 1000, "only {found} of 8,000 runs found a value");
}

#[test]
fn a_changed_program_is_refused_or_ends() {
    let mut random = Random::from_seed(2);
    let (mut refused, mut ended) = (0, 0);
    for _ in 0..8000 {
        let mut functions = random_functions(&mut random);
        for _ in 0..=random.below(2) {
            let code = &mut functions[random.below(FUNCTIONS) as usize];
            let at = place(&mut random, code.len());
            let bits = random.next_bits().cast_signed();
            let (number, operands) = &mut code[at];
            match random.below(12) {
                0 => *number = bits % 200,
                1 => drop(code.remove(at)),
                2 => operands.push(bits),
                3 => drop(operands.pop()),
                _ if operands.is_empty() => {}
                4 => *operands.first_mut().unwrap() = bits,
                5 => *operands.last_mut().unwrap() = bits % 300,
                6..10 => *operands.last_mut().unwrap() = bits % 10,
                _ => *operands.first_mut().unwrap() = bits % 10,
            }
        }
        match assembled(&functions) {
            Ok(program) => {
                let board = any_board(&mut random);
                values(&mut Machine::with_fuel(Arc::new(program), FUEL), &board, board.hash());
                ended += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 1000 && ended > 1000, "{refused} were refused, and {ended} ended");
}

#[test]
fn looking_for_new_blocks_changes_no_value_and_no_fuel() {
    let mut random = Random::from_seed(3);
    let (mut new, mut known) = (0, 0);
    for case in 0..1500 {
        let program = Arc::new(assembled(&random_functions(&mut random)).unwrap());
        let coverage = Arc::new(Coverage::new(Arc::clone(&program)));
        let mut plain = Machine::with_fuel(Arc::clone(&program), FUEL);
        let mut covering = Machine::covering(Arc::clone(&coverage), FUEL);
        for _ in 0..8 {
            let board = any_board(&mut random);
            for player in Player::BOTH {
                let bits = board.hash();
                let [expected, found] = [&mut plain, &mut covering]
                    .map(|machine| machine.run(&board, player, 5, bits).map(f64::to_bits));
                assert_eq!(found, expected, "case {case}");
                assert_eq!(covering.spent(), plain.spent(), "case {case}");
                assert!(found.is_some() || !covering.is_new(), "case {case}: a bail is no value");
                if covering.is_new() && random.below(3) > 0 {
                    covering.compared();
                    new += 1;
                } else {
                    known += usize::from(found.is_some() && !covering.is_new());
                }
            }
        }
    }
    assert!(new > 1000 && known > 1000, "{new} runs were new, {known} were not");
}

/// The player's moves; at the cell of this row something else, by a function of its own.
fn branching(row: i32) -> Arc<Program> {
    use Instruction as Op;
    let entry = vec![
        Op::Location(2, 0, 1),
        Op::RowOf(3, 2),
        Op::JumpNeN(3, row, 5),
        Op::Call(1, 2, 0, 0),
        Op::Jump(6),
        Op::Mobility(2, 0, 1),
        Op::IToF(0, 2),
        Op::Ret(),
    ];
    let function =
        |code, results| Function { registers: [4, 1, 0], parameters: [2, 0, 0], results, code };
    let other = function(vec![Op::AddI(0, 0, 1), Op::Ret()], [1, 0, 0]);
    let functions = vec![function(entry, [0, 1, 0]), other];
    Arc::new(Program::new(functions, vec![], vec![], vec![]).unwrap())
}

/// A board on which player 1 stands in that row.
fn in_row(row: u32) -> Position<u64> {
    let mut position = Position::<u64>::empty(size(5, 5));
    let cell = position.moves(Player::One).find(|&cell| position.size().coordinates(cell).0 == row);
    let cell = cell.unwrap();
    let _ = position.make(cell);
    position
}

#[test]
fn the_first_runs_that_enter_a_block_are_new_however_many_went_elsewhere() {
    let coverage = Arc::new(Coverage::new(branching(3)));
    let mut machine = Machine::covering(Arc::clone(&coverage), FUEL);
    let mut is_new = |position: &Position<u64>| {
        assert!(machine.run(position, Player::One, 1, 0).is_some());
        let is_new = machine.is_new();
        machine.compared();
        is_new
    };
    let (often, seldom) = (in_row(1), in_row(3));
    assert!((0..COMPARED_ENTRIES).all(|_| is_new(&often)));
    assert!((0..10_000).all(|_| !is_new(&often)));
    assert!((0..COMPARED_ENTRIES).all(|_| is_new(&seldom)));
    assert!(!is_new(&seldom) && !is_new(&often));
    // Another machine of the same coverage knows them too.
    let mut other = Machine::covering(coverage, FUEL);
    assert!(other.run(&seldom, Player::One, 1, 0).is_some());
    assert!(!other.is_new());
}

#[test]
fn a_block_stays_new_for_as_long_as_its_values_are_not_compared() {
    let mut machine = Machine::covering(Arc::new(Coverage::new(branching(3))), FUEL);
    for _ in 0..100 {
        assert!(machine.run(&in_row(3), Player::One, 1, 0).is_some());
        assert!(machine.is_new());
        machine.forget();
        assert!(!machine.is_new());
    }
}
