//! Strategies: a JSON file in `strategies/` becomes a bot for one game.

mod advice;
mod bot_factory;
mod file;
mod judge;
mod layers;
mod schema;
mod strategic;
mod strategy_spec;
mod tuned;

pub use advice::{Advice, Candidate, WORKERS};
pub use bot_factory::{BotFactory, CustomBots, MakeBot, custom_bots};
pub use file::{Strategy, evaluator};
pub use judge::Judge;
pub use schema::{file_schemas, ranges};
pub use strategic::{Belief, BuildSearch, Explainer, Opinion, Player, Spec, Strategic};
pub use strategy_spec::StrategySpec;
pub use tuned::Tuned;
