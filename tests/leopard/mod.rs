//! Leopard: its rules one by one, a slow reference of the fast game, records and their referee,
//! golden hands, strategies.

mod compared;
mod duels;
mod golden;
mod records;
mod rules;
mod strategies;
