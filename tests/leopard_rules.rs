//! A test for each rule of Leopard, each card, each point that the sources leave open, and each
//! variant.

#[path = "leopard_rules/table.rs"]
mod table;

#[path = "leopard_rules/cards.rs"]
mod cards;
#[path = "leopard_rules/ends.rs"]
mod ends;
#[path = "leopard_rules/scores.rs"]
mod scores;
#[path = "leopard_rules/turns.rs"]
mod turns;
#[path = "leopard_rules/variants.rs"]
mod variants;
