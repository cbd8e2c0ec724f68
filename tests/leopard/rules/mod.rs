//! A test for each rule of Leopard, each card, each point that the sources leave open, and each
//! variant.

mod table;

mod cards;
mod ends;
mod scores;
mod turns;
mod variants;
