//! Blends: mobility and space by how full the board is, and the tree of play near the end. The formulas
//! alone, but for `blend_improved`.
//!
//! ```text
//!       0   1   2   3   4
//!   0 | . | x | . | . | . |     p is scored, q the opponent, x blocked: 22 of 25 cells are blank,
//!   1 | . | . | . | . | . |     q = 0.88
//!   2 | . | . | p | . | . |
//!   3 | q | . | . | . | . |     mobility_difference 4, space_difference 3:
//!   4 | . | . | . | . | . |     blend  0.88 · 4 + 3 = 6.52
//! ```

use super::Ending::Plain;
use super::continuations::Continuations;
use super::endings::finished;
use super::entry::Entry;
use super::formula::{Formula, TreeFormula, TreeMeter};
use super::mobility::mobility_difference;
use super::space::space_difference;
use crate::board::{CellSet, Player, Position};
use crate::budget::Stop;

/// What shares of the cells may be thresholds.
const SHARES: [f64; 2] = [0.0, 1.0];

pub(super) fn registry() -> Vec<Entry> {
    let mut entries = vec![
        Entry::new(
            "blend",
            "mobility by the share of blank cells, and space",
            "q · mobility_difference + space_difference",
            Plain,
            |_| Blend::Weighted,
        )
        .called("D", "main_alt_less"),
        Entry::new(
            "blend_improved",
            "blend, infinite once the game is over",
            "q · improved + space_difference; where improved is infinite, that infinity",
            Plain,
            |_| BlendImproved,
        )
        .called("D", "main_alt_less_more"),
    ];
    entries.push(late(
        ("blend_then_continuations_difference", "main", 0.2),
        "blend, near the end of the game continuations_difference",
        "continuations_difference where q < threshold, else blend",
        (Blend::Weighted, Continuations::Difference),
    ));
    for (name, label, threshold) in [
        ("blend_then_continuations", "mainalt", 0.2),
        ("blend_then_continuations_10", "main_alt_01", 0.1),
        ("blend_then_continuations_30", "main_alt_03", 0.3),
    ] {
        entries.push(late(
            (name, label, threshold),
            "blend, near the end of the game continuations",
            "continuations where q < threshold, else blend",
            (Blend::Weighted, Continuations::OwnOnly),
        ));
    }
    entries.push(late(
        ("balanced_blend_then_continuations", "mainalt_prop", 0.2),
        "mobility and space by the share of blank cells, near the end of the game continuations",
        "continuations where q < threshold, else q · mobility_difference + (1 - q) · space_difference",
        (Blend::Balanced, Continuations::OwnOnly),
    ));
    entries.push(staged(
        ("staged_continuations_difference", "main_staggered"),
        "mobility, then space, near the end of the game continuations_difference",
        "mobility_difference where q > early, continuations_difference where q < late, else \
         space_difference",
        Continuations::Difference,
    ));
    entries.push(staged(
        ("staged_continuations", "mainalt_staggered"),
        "mobility, then space, near the end of the game continuations",
        "mobility_difference where q > early, continuations where q < late, else space_difference",
        Continuations::OwnOnly,
    ));
    entries
}

fn late(
    (name, label, threshold): (&str, &'static str, f64),
    summary: &'static str,
    formula: &'static str,
    (before, end): (Blend, Continuations),
) -> Entry {
    let make = move |values: &[f64]| Late { threshold: values[0], before, end };
    Entry::walking(name, summary, formula, make).called("D", label).with(
        "threshold",
        threshold,
        SHARES,
    )
}

fn staged(
    (name, label): (&str, &'static str),
    summary: &'static str,
    formula: &'static str,
    end: Continuations,
) -> Entry {
    let make = move |values: &[f64]| Staged { early: values[0], late: values[1], end };
    Entry::walking(name, summary, formula, make)
        .called("D", label)
        .with("early", 0.7, SHARES)
        .with("late", 0.2, SHARES)
}

/// q, the share of the cells that are blank.
fn blank_share<S: CellSet>(position: &Position<S>) -> f64 {
    f64::from(position.blank().count()) / f64::from(position.size().cells())
}

#[derive(Clone, Copy)]
enum Blend {
    /// q · mobility + space.
    Weighted,
    /// q · mobility + (1 - q) · space.
    Balanced,
}

impl Formula for Blend {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        let q = blank_share(position);
        let mobility = mobility_difference(position, player);
        let space = space_difference(position, player);
        match self {
            Self::Weighted => q * mobility + space,
            Self::Balanced => q * mobility + (1.0 - q) * space,
        }
    }
}

struct BlendImproved;

impl Formula for BlendImproved {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        finished(position, player).unwrap_or_else(|| Blend::Weighted.value(position, player))
    }
}

/// A blend, and the tree where less than a share of the cells is blank.
struct Late {
    threshold: f64,
    before: Blend,
    end: Continuations,
}

impl TreeFormula for Late {
    fn value<S: CellSet>(
        &self,
        position: &Position<S>,
        player: Player,
        meter: &mut TreeMeter<'_, '_>,
    ) -> Result<f64, Stop> {
        if blank_share(position) < self.threshold {
            self.end.value(position, player, meter)
        } else {
            Ok(self.before.value(position, player))
        }
    }
}

/// Mobility, space and the tree, one after the other.
struct Staged {
    early: f64,
    late: f64,
    end: Continuations,
}

impl TreeFormula for Staged {
    fn value<S: CellSet>(
        &self,
        position: &Position<S>,
        player: Player,
        meter: &mut TreeMeter<'_, '_>,
    ) -> Result<f64, Stop> {
        let q = blank_share(position);
        if q > self.early {
            Ok(mobility_difference(position, player))
        } else if q < self.late {
            self.end.value(position, player, meter)
        } else {
            Ok(space_difference(position, player))
        }
    }
}
