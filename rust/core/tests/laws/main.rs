//! What holds for every position: laws tried on random ones, and vectors that other code worked out.
//!
//! One program and not one for each file: they share a board by hand and the making of positions.

mod agents;
mod by_hand;
mod clocks;
mod counted;
mod deep_boards;
mod deepening;
mod definitions;
mod exact;
mod exact_agrees;
mod following;
mod golden;
mod instructions;
mod last_plies;
mod lists_and_games;
mod move_laws;
mod native_heuristics;
mod nodes;
mod outcomes;
mod positions;
mod programs;
mod search_laws;
mod second_solver;
mod series;
mod vectors;
mod widths;
