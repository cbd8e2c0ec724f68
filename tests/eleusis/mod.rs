//! Eleusis: a slow reference of the rule language, and golden hands. The crate's own tests cover the
//! rules of the game.

mod golden;
mod reference;
mod spread;
mod strategies;
