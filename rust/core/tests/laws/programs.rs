//! Programs as a whole: what is checked runs to an end and finds the same whatever ran before, and on sets of
//! any width; what is changed at random is refused, or ends.

use std::ops::Range;
use std::sync::Arc;

use isolation_core::program::{
    COMPARED_ENTRIES, Coverage, Function, Instruction, Kind, MOST_INSTRUCTIONS, Machine, OPCODES,
    Program, floats, prices,
};
use isolation_core::{CellSet, Player, Position, Random, Wide};

use crate::positions::{in_width, size};

/// Registers of each class, in every function.
const REGISTERS: u16 = 8;
/// Enough for a program that ends, and little for those that do not.
const FUEL: u32 = 150_000;
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
        "ListNew" | "Find" | "Lookup" => 1 + below(random, 2),
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
            assert_eq!(wider.spent(), fresh.spent(), "case {case}");
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
fn any_bytes_are_refused_as_a_program_or_end_within_what_they_may_cost() {
    let mut random = Random::from_seed(4);
    let (mut refused, mut ended) = (0, 0);
    for _ in 0..20_000 {
        // Few registers and functions, so that some of them name what there is.
        let count = |random: &mut Random, most| u16::try_from(random.below(most)).unwrap();
        let functions = (0..=random.below(2)).map(|place| {
            let code = (0..=random.below(6)).filter_map(|_| {
                let number = below(&mut random, OPCODES.len() + 1);
                let kinds =
                    OPCODES.get(usize::try_from(number).unwrap()).map(|known| known.kinds.len());
                let wild = random.below(40) == 0;
                let operands: Vec<_> = (0..kinds.unwrap_or(2))
                    .map(|_| {
                        if wild { random.next_bits().cast_signed() } else { below(&mut random, 5) }
                    })
                    .collect();
                Instruction::decode(number, &operands).ok()
            });
            let mut code: Vec<_> = code.collect();
            code.push([Instruction::Ret(), Instruction::Jump(0)][random.below(2) as usize]);
            let registers = [0; 3].map(|_| 2 + count(&mut random, 300));
            let any = [0; 6].map(|_| count(&mut random, 3));
            let ends = [[any[0], any[1], any[2]], [any[3], any[4], any[5]]];
            let [parameters, results] = if place == 0 { [[2, 0, 0], [0, 1, 0]] } else { ends };
            Function { registers, parameters, results, code }
        });
        let functions = functions.collect();
        let Ok(program) = Program::new(functions, INTEGERS.to_vec(), vec![], vec![7; 3]) else {
            refused += 1;
            continue;
        };
        let board = any_board(&mut random);
        let mut machine = Machine::with_fuel(Arc::new(program), FUEL);
        values(&mut machine, &board, board.hash());
        assert!(machine.spent() <= FUEL);
        assert!(machine.spent() > 0, "a run that costs nothing may not end");
        ended += 1;
    }
    assert!(refused > 1000 && ended > 200, "{refused} were refused, and {ended} ended");
}

#[test]
fn a_program_of_too_many_instructions_is_refused() {
    let of = |count: usize| {
        let mut code = vec![Instruction::ConstI(0, 0); count - 2];
        code.extend([Instruction::ConstF(0, 0), Instruction::Ret()]);
        Function { registers: [2, 1, 0], parameters: [2, 0, 0], results: [0, 1, 0], code }
    };
    let made = |counts: &[usize]| {
        let functions = counts.iter().map(|&count| of(count)).collect();
        Program::new(functions, vec![], vec![0.0], vec![]).map_err(|error| error.to_string())
    };
    assert!(made(&[MOST_INSTRUCTIONS / 2, MOST_INSTRUCTIONS / 2]).is_ok());
    let refused = made(&[MOST_INSTRUCTIONS / 2, MOST_INSTRUCTIONS / 2 + 1]).unwrap_err();
    assert_eq!(refused, "16385 instructions are more than 16384");
}

#[test]
fn every_instruction_has_a_price_and_a_run_pays_for_each_that_it_comes_to() {
    for number in 0..i64::try_from(OPCODES.len()).unwrap() {
        let kinds = OPCODES[usize::try_from(number).unwrap()].kinds;
        let instruction = Instruction::decode(number, &vec![0; kinds.len()]).unwrap();
        assert!(prices::price(instruction) > 0, "{instruction:?}");
    }
    let price = |code: &[Instruction]| code.iter().copied().map(prices::price).sum::<u32>();
    let program = branching(3);
    let [entry, other] = [0, 1].map(|place| program.functions()[place].code.as_slice());
    let mut machine = Machine::new(Arc::clone(&program));
    for row in [1, 3] {
        let board = in_row(row);
        machine.run(&board, Player::One, 1, 0).unwrap();
        let moves = prices::moves(board.mobility(Player::One), board.size().cells());
        let expected = if row == 3 {
            price(&entry[..5]) + price(other) + price(&entry[6..])
        } else {
            price(&entry[..3]) + price(&entry[5..]) + moves
        };
        assert_eq!(machine.spent(), expected);
        // With just as much it ends, and with 1 less it is cut off, which is no bail.
        machine.limit(expected);
        assert!(machine.run(&board, Player::One, 1, 0).is_some() && !machine.is_cut_off());
        machine.limit(expected - 1);
        assert!(machine.run(&board, Player::One, 1, 0).is_none() && machine.is_cut_off());
        machine.limit(FUEL);
    }
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
