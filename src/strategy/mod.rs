//! Strategies: what a JSON file in `strategies/` becomes, a bot for one game.

pub mod leopard;
