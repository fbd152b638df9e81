//! Rules, search and players of knight's Isolation.
