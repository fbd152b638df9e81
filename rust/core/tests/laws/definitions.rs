//! Every heuristic by its definition, over the board by hand. `W` and `H`, `p` and `o` are the words of the
//! definitions.

use isolation_core::Player;

use crate::by_hand::{Board, Place};

const INFINITY: f64 = f64::INFINITY;

#[allow(clippy::cast_precision_loss, reason = "small numbers")]
fn real(number: i64) -> f64 {
    number as f64
}

fn count<T>(things: &[T]) -> f64 {
    real(i64::try_from(things.len()).unwrap())
}

/// Infinities of ending T, else the formula.
fn terminal_aware(board: &Board, p: Player, formula: impl FnOnce() -> f64) -> f64 {
    match (board.moves(board.side()).is_empty(), board.side() == p) {
        (true, true) => -INFINITY,
        (true, false) => INFINITY,
        (false, _) => formula(),
    }
}

/// Infinities of ending S, else the formula.
fn stuck_aware(board: &Board, p: Player, formula: impl FnOnce() -> f64) -> f64 {
    if board.moves(p.opponent()).is_empty() {
        INFINITY
    } else if board.moves(p).is_empty() {
        -INFINITY
    } else {
        formula()
    }
}

impl Board {
    /// A heuristic of the registry, as its definition reads.
    pub(crate) fn score(&self, heuristic: &str, p: Player) -> f64 {
        let o = p.opponent();
        let moves = |player| count(&self.moves(player));
        let terminal = |formula: &dyn Fn() -> f64| terminal_aware(self, p, formula);
        let stuck = |formula: &dyn Fn() -> f64| stuck_aware(self, p, formula);
        let closer = || self.center_distance(o) - self.center_distance(p);
        match heuristic {
            "null" => terminal(&|| 0.0),
            "open" => terminal(&|| moves(p)),
            "improved" => terminal(&|| moves(p) - moves(o)),
            "center" => terminal(&|| self.square_of_distance(p)),
            "mobility_difference" => moves(p) - moves(o),
            "aggressive" => moves(p) - 2.0 * moves(o),
            "corner_averse_mobility" => {
                terminal(&|| self.moves_to_no_corner(p) - self.moves_to_no_corner(o))
            }
            "mobility_center_distance" => terminal(&|| {
                let [own, other] = [p, o].map(|player| self.square_of_distance(player).sqrt());
                moves(p) - moves(o) + other - own
            }),
            "lookahead_mobility" => terminal(&|| self.two_steps(p) - self.two_steps(o)),
            "lookahead_ratio" => self.lookahead_ratio(p),
            "weighted_open" => self.weighted_open(p),
            "weighted_improved" => self.weighted_open(p) - self.weighted_open(o),
            "weighted_moves" => self.weight_of_moves(p) - self.weight_of_moves(o),
            "close_to_center" => stuck(&closer),
            "far_from_center" => stuck(&|| -closer()),
            "close_to_opponent" => stuck(&|| -self.apart()),
            "far_from_opponent" => stuck(&|| self.apart()),
            "bfs" => stuck(&|| self.flood(p) - self.flood(o)),
            "bfs_close_to_opponent" => stuck(&|| self.flood(p) - self.flood(o) - self.apart()),
            "bfs_far_from_opponent" => stuck(&|| self.flood(p) - self.flood(o) + self.apart()),
            "bfs_close_to_center" => stuck(&|| self.flood(p) - self.flood(o) + closer()),
            "bfs_far_from_center" => stuck(&|| self.flood(p) - self.flood(o) - closer()),
            "space" => self.space(p),
            "space_difference" => self.space(p) - self.space(o),
            "lookahead_space" => self.lookahead_space(p),
            "aggressive_open_cluster" => moves(p) - 2.0 * moves(o) + self.open_cluster(p),
            other => match other.strip_prefix("knight_decay_") {
                Some(divisor) => {
                    let r = 1.0 / divisor.parse::<f64>().unwrap();
                    stuck(&|| self.decay(p, r) - self.decay(o, r))
                }
                None => self.walked_score(other, p),
            },
        }
    }

    /// Those that walk the tree below the position, at least at some times.
    fn walked_score(&self, heuristic: &str, p: Player) -> f64 {
        let o = p.opponent();
        let mobility = || count(&self.moves(p)) - count(&self.moves(o));
        let space = || self.space(p) - self.space(o);
        let q = self.blank_share();
        let blend = || q * mobility() + space();
        let continuations = || self.continuations(p);
        let difference = || self.continuations(p) - self.continuations(o);
        let late = |below: f64, walk: &dyn Fn() -> f64, before: &dyn Fn() -> f64| {
            if q < below { walk() } else { before() }
        };
        let staged = |walk: &dyn Fn() -> f64| {
            if q > 0.7 { mobility() } else { late(0.2, walk, &space) }
        };
        match heuristic {
            "continuations" => continuations(),
            "continuations_difference" => difference(),
            "longest_win" => self.longest_win(p).unwrap_or(0.0),
            "longest_win_difference" => {
                self.longest_win(p).unwrap_or(0.0) - self.longest_win(o).unwrap_or(0.0)
            }
            "blend" => blend(),
            "blend_improved" => terminal_aware(self, p, blend),
            "blend_then_continuations_difference" => late(0.2, &difference, &blend),
            "blend_then_continuations" => late(0.2, &continuations, &blend),
            "blend_then_continuations_10" => late(0.1, &continuations, &blend),
            "blend_then_continuations_30" => late(0.3, &continuations, &blend),
            "balanced_blend_then_continuations" => {
                late(0.2, &continuations, &|| q * mobility() + (1.0 - q) * space())
            }
            "staged_continuations_difference" => staged(&difference),
            "staged_continuations" => staged(&continuations),
            other => panic!("{other} has no definition here"),
        }
    }

    /// How many positions the heuristic walks for one value.
    pub(crate) fn walked(&self, heuristic: &str) -> u64 {
        let below = match heuristic {
            "blend_then_continuations_10" => 0.1,
            "blend_then_continuations_30" => 0.3,
            "blend" | "blend_improved" => 0.0,
            name if name.starts_with("longest_win") || name.starts_with("continuations") => 2.0,
            name if name.contains("continuations") => 0.2,
            _ => 0.0,
        };
        if self.blank_share() < below { self.positions_below() } else { 0 }
    }

    fn positions_below(&self) -> u64 {
        let below = |place| 1 + self.after(place).positions_below();
        self.moves(self.side()).into_iter().map(below).sum()
    }

    fn square_of_distance(&self, player: Player) -> f64 {
        self.knight(player).map_or(0.0, |(row, column)| {
            // Counted in half cells, which are whole numbers.
            let (down, right) = (self.height() - 2 * row, self.width() - 2 * column);
            real(down * down + right * right) / 4.0
        })
    }

    fn center_distance(&self, player: Player) -> f64 {
        self.knight(player).map_or(0.0, |(row, column)| {
            real((self.height() - 2 * row).abs() + (self.width() - 2 * column).abs()) / 2.0
        })
    }

    /// Rows and columns between the players.
    fn apart(&self) -> f64 {
        match Player::BOTH.map(|player| self.knight(player)) {
            [Some((row, column)), Some((to_row, to_column))] => {
                real((row - to_row).abs() + (column - to_column).abs())
            }
            _ => 0.0,
        }
    }

    fn moves_to_no_corner(&self, player: Player) -> f64 {
        let (w, h) = (self.width() - 1, self.height() - 1);
        let mut moves = self.moves(player);
        moves.retain(|place| ![(0, 0), (0, h), (w, 0), (w, h)].contains(place));
        count(&moves)
    }

    fn two_steps(&self, player: Player) -> f64 {
        let moves = self.moves(player);
        count(&moves) + moves.iter().map(|&place| count(&self.steps(place))).sum::<f64>()
    }

    fn lookahead_ratio(&self, p: Player) -> f64 {
        let moves = self.moves(p);
        let mut total = 0.0;
        for &place in &moves {
            let after = self.after(place);
            let other = after.moves(p.opponent());
            if other.is_empty() {
                return INFINITY;
            }
            total += count(&after.moves(p)) / count(&other);
        }
        if moves.is_empty() { -INFINITY } else { total / count(&moves) }
    }

    fn weight(&self, (row, column): Place) -> f64 {
        let factor = |place: i64, side: i64| {
            if side == 1 {
                1.0
            } else {
                let middle = f64::midpoint(real(side), 1.0) - 1.0;
                1.0 - 0.5 * (real(place) - middle).abs() / (real(side - 1) / 2.0)
            }
        };
        factor(row, self.width()) * factor(column, self.height())
    }

    fn weighted_open(&self, player: Player) -> f64 {
        self.knight(player).map_or(0.0, |place| count(&self.moves(player)) * self.weight(place))
    }

    fn weight_of_moves(&self, player: Player) -> f64 {
        self.moves(player).into_iter().fold(0.0, |total, place| total + self.weight(place))
    }

    /// The cells 0, 1, 2, ... knight's moves from one, where only some may be stepped on.
    fn rings(&self, from: Place, may: impl Fn(Place) -> bool) -> Vec<Vec<Place>> {
        let (mut rings, mut seen) = (vec![vec![from]], vec![from]);
        while let Some(last) = rings.last().filter(|ring| !ring.is_empty()) {
            let mut next = Vec::new();
            for step in last.iter().flat_map(|&place| self.around(place, 2)) {
                if may(step) && !seen.contains(&step) {
                    seen.push(step);
                    next.push(step);
                }
            }
            rings.push(next);
        }
        rings
    }

    fn flood(&self, player: Player) -> f64 {
        let Some(from) = self.knight(player) else { return 0.0 };
        let (mut total, mut nearer) = (0.0, 1.0);
        for ring in self.rings(from, |place| !self.is_blocked(place)) {
            total += count(&ring) / nearer;
            nearer += 1.0;
        }
        total
    }

    fn decay(&self, player: Player, r: f64) -> f64 {
        let Some(from) = self.knight(player) else { return 0.0 };
        let (mut total, mut share) = (0.0, 1.0);
        for mut ring in self.rings(from, |_| true) {
            ring.retain(|&place| place == from || !self.is_blocked(place));
            total += count(&ring) * share;
            share *= r;
        }
        total
    }

    fn space(&self, player: Player) -> f64 {
        self.knight(player).map_or(0.0, |place| {
            let mut around = self.around(place, 1);
            around.retain(|&place| !self.is_blocked(place));
            count(&around)
        })
    }

    fn lookahead_space(&self, p: Player) -> f64 {
        let after = |place| self.after(place).space(p);
        self.moves(self.side()).into_iter().map(after).fold(0.0, f64::max)
    }

    fn continuations(&self, p: Player) -> f64 {
        let after = |place| {
            let after = self.after(place);
            let lost = after.side() == p && after.moves(p).is_empty();
            if lost { 0.0 } else { 1.0 + after.continuations(p) }
        };
        self.moves(self.side()).into_iter().map(after).sum()
    }

    fn longest_win(&self, p: Player) -> Option<f64> {
        let moves = self.moves(self.side());
        if moves.is_empty() {
            return (self.side() != p).then_some(0.0);
        }
        let plies = moves.into_iter().filter_map(|place| self.after(place).longest_win(p));
        plies.map(|plies| plies + 1.0).reduce(f64::max)
    }

    fn blank_share(&self) -> f64 {
        count(&self.blank()) / real(self.height() * self.width())
    }

    fn open_cluster(&self, p: Player) -> f64 {
        let cells = self.height() * self.width();
        let blocked = real(cells) - count(&self.blank());
        let Some((row, column)) = self.knight(p) else { return 0.0 };
        if blocked < real(cells) / 5.0 {
            return 0.0;
        }
        // The nearest whole number, and of two the even one.
        let half = |side: i64| {
            let away = |half: i64| (2 * half - side).abs();
            (0..=side).find(|&half| away(half) == 0 || away(half) == 1 && half % 2 == 0).unwrap()
        };
        let (rows, columns) = (half(self.height()), half(self.width()));
        let mut windows = Vec::new();
        for left in 0..=self.width() - columns {
            for top in 0..=self.height() - rows {
                let inside = |&(row, column): &Place| {
                    (top..top + rows).contains(&row) && (left..left + columns).contains(&column)
                };
                let blank: Vec<Place> = self.blank().into_iter().filter(inside).collect();
                windows.push((
                    real(rows * columns) - count(&blank),
                    (top + rows / 2, left + columns / 2),
                ));
            }
        }
        let least = windows.iter().map(|&(occupied, _)| occupied).fold(INFINITY, f64::min);
        let (_, (to_row, to_column)) =
            *windows.iter().find(|&&(occupied, _)| occupied <= least).unwrap();
        let away = (row - to_row).abs() + (column - to_column).abs();
        let sides = self.height() + self.width();
        real(sides - away) / real(sides)
    }
}
