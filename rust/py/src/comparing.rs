//! Program and function side by side: what each takes, and whether they say the same.

use std::sync::Arc;

use isolation_core::{CellSet, Position, with_position};
use pyo3::prelude::*;

use crate::board::Board;
use crate::by_width::ByWidth;
use crate::compiled::Compiled;
use crate::difference::Difference;
use crate::engine_lock;
use crate::running::{Engine, Prepared};

/// What the program and the function take for a value, in seconds of the clock; how many boards the program
/// bails at; and a difference as position, program's value and function's.
type Comparison = (Option<f64>, f64, usize, Option<(String, f64, String)>);

/// How long the program is asked at least: once it takes less than a clock may show.
const TIMED: f64 = 0.01;
const MOST_ROUNDS: u32 = 10_000;

/// Asks program and function about the same boards, for the player to move, and times both as a search
/// asks them. Boards that no program is asked about are left out.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "taken out of a Python sequence")]
#[allow(clippy::cast_precision_loss, reason = "not so many boards")]
pub(crate) fn compare(
    compiled: &Bound<'_, Compiled>,
    function: &Bound<'_, PyAny>,
    boards: Vec<Bound<'_, Board>>,
    clock: &Bound<'_, PyAny>,
) -> PyResult<Comparison> {
    engine_lock::require_free("compare")?;
    let py = function.py();
    let now = || clock.call0()?.extract::<f64>();
    let mut roots = Vec::new();
    for board in &boards {
        roots.extend(Board::plain_root(board, None)?);
    }
    let program = compiled.get().program(function)?;
    let mut answers = Vec::new();
    let began = now()?;
    for (root, _) in &roots {
        let board = Bound::new(py, root.clone_ref(py).into_board())?;
        answers.push(function.call1((board, root.player(py))));
    }
    let own = (now()? - began) / roots.len().max(1) as f64;
    // None of the boards may be one that programs are asked about.
    let Some(program) = program.filter(|_| !roots.is_empty()) else {
        return Ok((None, own, 0, None));
    };
    let mut values = vec![None; roots.len()];
    let mut machines = ByWidth::default();
    let (began, mut rounds, mut took) = (now()?, 0, 0.0);
    while took < TIMED && rounds < MOST_ROUNDS {
        // As many again as so far: a look at the clock takes as long as dozens of values.
        for _ in 0..rounds.max(1) {
            for ((root, seat), value) in roots.iter().zip(&mut values) {
                let (moves, bits) = (root.move_count, root.seating.order_bits);
                *value = with_position!(&root.position, |position| {
                    let engine = machine(&mut machines, &program, position);
                    let value = engine.run(position, *seat, moves, bits);
                    if engine.is_new() {
                        engine.compared();
                    }
                    value
                });
            }
        }
        rounds += rounds.max(1);
        took = now()? - began;
    }
    let bails = values.iter().filter(|value| value.is_none()).count();
    let mut compared = roots.iter().zip(values).zip(answers);
    let difference = compared.find_map(|(((root, _), value), answer)| {
        Difference::between(value?, answer, || root.position.to_string())
    });
    let each = took / f64::from(rounds.max(1)) / roots.len().max(1) as f64;
    Ok((
        Some(each),
        own,
        bails,
        difference.map(|each| (each.position, each.program, each.function)),
    ))
}

fn machine<'m, S: CellSet>(
    machines: &'m mut ByWidth,
    program: &Arc<Prepared>,
    _: &Position<S>,
) -> &'m mut Engine<S> {
    machines.get_or(|| Engine::new(Arc::clone(program), false))
}
