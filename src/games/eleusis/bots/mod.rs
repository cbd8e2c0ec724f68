//! Ways to play Eleusis and Express, and to deal.
//!
//! Every strategy, a [`Kind`], says how it plays and how it deals ([`Dealer`]). `cautious` lays the
//! card that is likeliest right, `bayes` goes by its whole belief. Both look for the rule alone, too
//! ([`Strategic`](crate::strategy::Strategic) bots for the game, [`scientist`] for the protocol).

mod dealer;
mod ismcts;
mod kind;
mod players;
mod scientist;
mod worth;

pub use dealer::{Dealer, best_rules};
pub use ismcts::Depth;
pub use kind::{Kind, Params};
pub use scientist::scientist;
