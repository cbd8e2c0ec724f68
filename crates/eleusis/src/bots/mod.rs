//! Strategies for playing and dealing Eleusis and Eleusis Express.
//!
//! A strategy, or [`Kind`], defines the play and the dealing ([`Dealer`]). `cautious` lays the card
//! most likely to be right. `bayes` uses its whole posterior over rules. Both also play the
//! rule-discovery protocol as a [`rule_learner`].

mod dealer;
mod explain;
mod ismcts;
mod players;
mod rule_learner;
mod turn_value;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Grammar;
use parlour_game::external::External;
use parlour_game::network::Network;

pub use dealer::{Dealer, best_rules};
pub use ismcts::IsmctsParams;
pub use rule_learner::rule_learner;

/// The kinds of strategy, with the fields of their files.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Kind {
    /// Any legal move, each equally likely.
    Random {
        /// The way of dealing.
        #[serde(default)]
        dealer: Dealer,
    },
    /// The card most likely to be right, one at a time. It never becomes prophet and states no rule.
    Cautious {
        /// The way of dealing.
        #[serde(default)]
        dealer: Dealer,
    },
    /// All decisions follow from a posterior over about 10¹⁰ rules.
    Bayes(BayesParams),
    /// Information-set Monte Carlo tree search. The secret rule of each sample is drawn from the posterior.
    Ismcts(IsmctsParams),
    /// A trained network of the user.
    Network(Network),
    /// An external program in any language.
    External(External),
}

parlour_base::files::text::defaults! {
    /// The parameters of `bayes`.
    #[derive(Copy)]
    pub struct BayesParams {
        /// The way of dealing.
        pub dealer: Dealer = Dealer::RandomRule,
        /// The number of rules that a lookahead considers.
        #[schemars(range(min = 1, max = 1000))]
        pub panel: u16 = 64,
        /// The value of an unpredictable verdict, in cards.
        #[schemars(range(min = 0, max = 10))]
        pub curiosity: f64 = 1.0,
        /// The probability of the best rule from which the bot becomes prophet.
        #[schemars(range(min = 0, max = 1))]
        pub faith: f64 = 0.3,
        /// The probability of the best rule from which the bot commits to it in `science`.
        #[schemars(range(min = 0, max = 1))]
        pub commit: f64 = 0.25,
        /// The assumed cost of a wrong commitment in `science`, in turns.
        #[schemars(range(min = 0, max = 100))]
        pub caution: f64 = 2.0,
        /// The minimum number of cards in hand for becoming prophet.
        #[schemars(range(min = 0, max = 1000))]
        pub least_hand: u16 = 4,
        /// The assumed probability that a prophet does not know the rule and judges as the bot would.
        /// Against such a prophet a doubtful play may provoke an overthrow.
        #[schemars(range(min = 0, max = 1))]
        pub likeness: f64 = 0.3,
    }
}

impl Kind {
    /// Returns the way of dealing.
    pub fn dealer(&self) -> Dealer {
        match self {
            Kind::Random { dealer } | Kind::Cautious { dealer } => *dealer,
            Kind::Bayes(params) => params.dealer,
            Kind::Ismcts(depth) => depth.dealer,
            Kind::Network(_) | Kind::External(_) => Dealer::default(),
        }
    }

    /// Returns the grammar of the rules that the strategy considers; `None` if it infers nothing.
    pub fn grammar(&self) -> Option<Arc<Grammar>> {
        match self {
            Kind::Random { .. } | Kind::Network(_) | Kind::External(_) => None,
            Kind::Cautious { .. } => Some(Grammar::simple()),
            Kind::Bayes(_) | Kind::Ismcts(_) => Some(Grammar::shared()),
        }
    }
}
