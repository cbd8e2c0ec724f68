//! Eleusis: a slow reference beside the masks of the rule language, and golden hands. The rules of
//! the game one by one are tested beside the code.

mod golden;
mod reference;
mod spread;
mod strategies;
