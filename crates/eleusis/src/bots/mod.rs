//! Ways to play Eleusis and Express, and to deal.
//!
//! Every strategy, a [`Kind`], says how it plays and how it deals ([`Dealer`]). `cautious` lays the
//! card that is likeliest right, `bayes` goes by its whole belief. Both look for the rule alone, too
//! ([`Strategic`](crate::strategy::Strategic) bots for the game, [`rule_learner`] for the protocol).

mod dealer;
mod explain;
mod ismcts;
mod players;
mod rule_learner;
mod turn_value;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::turn_value::prophecy;
use crate::external::External;
use crate::{Grammar, Rules, View};

pub use dealer::{Dealer, best_rules};
pub use ismcts::IsmctsParams;
pub use rule_learner::rule_learner;

/// The kinds of strategy, each with what its file may say.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Kind {
    /// Any legal move, all alike.
    Random {
        /// How it deals.
        #[serde(default)]
        dealer: Dealer,
    },
    /// The card that is likeliest right, one at a time; never prophet, states no rule.
    Cautious {
        /// How it deals.
        #[serde(default)]
        dealer: Dealer,
    },
    /// Goes by its belief over thousands of millions of rules in everything.
    Bayes(BayesParams),
    /// Information-set Monte Carlo tree search over worlds whose rules it believes in.
    Ismcts(IsmctsParams),
    /// A program of its own, in any language.
    External(External),
}

crate::files::text::defaults! {
    /// What `bayes` goes by beside its belief.
    #[derive(Copy)]
    pub struct BayesParams {
        /// How it deals.
        pub dealer: Dealer = Dealer::RandomRule,
        /// How many rules it keeps in view when it looks ahead.
        #[schemars(range(min = 1, max = 1000))]
        pub panel: u16 = 64,
        /// Cards that a verdict nobody can foretell is worth.
        #[schemars(range(min = 0, max = 10))]
        pub curiosity: f64 = 1.0,
        /// The belief in one rule from which on it becomes prophet.
        #[schemars(range(min = 0, max = 1))]
        pub faith: f64 = 0.3,
        /// The belief in one rule from which on it commits to it in `science`.
        #[schemars(range(min = 0, max = 1))]
        pub commit: f64 = 0.25,
        /// How many turns a wrong commitment is taken to cost in `science`.
        #[schemars(range(min = 0, max = 100))]
        pub caution: f64 = 2.0,
        /// With fewer cards than this it does not become prophet but plays on.
        #[schemars(range(min = 0, max = 1000))]
        pub least_hand: u16 = 4,
        /// How likely a prophet is thought to judge as it would itself, not to know the rule: where it
        /// is, a doubtful play may provoke its overthrow.
        #[schemars(range(min = 0, max = 1))]
        pub likeness: f64 = 0.3,
    }
}

impl BayesParams {
    /// Whether to become prophet with this belief in one rule.
    pub(super) fn prophesies(&self, rules: &Rules, view: &View, belief: f64) -> bool {
        belief >= self.faith
            && view.hand.len() >= self.least_hand.into()
            && prophecy(rules, view, belief) > 0.0
    }
}

impl Kind {
    /// How it deals.
    pub fn dealer(&self) -> Dealer {
        match self {
            Kind::Random { dealer } | Kind::Cautious { dealer } => *dealer,
            Kind::Bayes(params) => params.dealer,
            Kind::Ismcts(depth) => depth.dealer,
            Kind::External(_) => Dealer::default(),
        }
    }

    /// The rules that it reckons with; none if it has no belief.
    pub fn grammar(&self) -> Option<Arc<Grammar>> {
        match self {
            Kind::Random { .. } | Kind::External(_) => None,
            Kind::Cautious { .. } => Some(Grammar::simple()),
            Kind::Bayes(_) | Kind::Ismcts(_) => Some(Grammar::shared()),
        }
    }
}
