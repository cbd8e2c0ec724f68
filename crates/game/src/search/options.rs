//! Search options of strategy files: one struct for each kind, made of shared groups.
//!
//! Each option is declared once, with its range, in the file of the feature. A missing group has
//! its defaults.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Bandit, Budget, CutOff, EndgameOptions, Guide, GuideOptions, Method, Model, ModelOptions,
    Observers, Playout, PlayoutOptions, Reward, Search, SearchParts, StagedPlayout, StaticPolicy,
    TreeOptions,
};
use crate::{Game, Policy};
use parlour_base::error::Problem;
use parlour_base::files::text::constant;

/// Defines the options of a kind of search: the common groups, its own options, and the conversion
/// into a [`SearchConfig`].
macro_rules! options {
    ($(#[$about:meta])* $name:ident { $($(#[$said:meta])* $field:ident: $type:ty,)* }
     $file:ident => $method:expr, $tree:expr, $guide:expr, $model:expr) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// Budget per move.
            pub budget: Budget,
            /// Playout policy.
            #[serde(default)]
            pub playouts: PlayoutOptions,
            /// Value of results.
            #[serde(default)]
            pub reward: Reward,
            /// Exact endgame play once nothing is hidden and no chance is left (in Leopard: once
            /// the stock is empty). By default endgames are searched like other positions.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub endgame: Option<EndgameOptions>,
            $($(#[$said])* pub $field: $type,)*
        }

        impl<'a> From<&'a $name> for SearchConfig<'a> {
            fn from($file: &'a $name) -> SearchConfig<'a> {
                let &$name { budget, ref playouts, reward, endgame, .. } = $file;
                let (method, tree, guide, model) = ($method, $tree, $guide, $model);
                SearchConfig { method, budget, playouts, reward, endgame, tree, guide, model }
            }
        }
    };
}

options! {
    /// Flat Monte Carlo: playouts after each candidate in the same worlds, with successive halving.
    MonteCarloOptions {
        /// Prior of the candidates.
        guide: Option<GuideOptions>,
        /// Opponent model.
        model: Option<ModelOptions>,
        /// Search moves that the game declares equivalent only once (action abstraction).
        #[serde(default = "yes")]
        dedup_moves: bool,
    }
    file => Method::MonteCarlo,
        TreeOptions { dedup_moves: file.dedup_moves, ..TreeOptions::default() },
        file.guide.as_ref(), file.model.as_ref()
}

options! {
    /// Perfect-information Monte Carlo: each sampled world is searched with open cards and votes
    /// for a move.
    PimcOptions {
        /// Number of iterations per world.
        #[serde(default = "constant::<u64, 100>")]
        #[schemars(range(min = 1, max = 100_000_000))]
        world_iterations: u64,
        /// Tree options.
        #[serde(default)]
        tree: TreeOptions,
        /// Opponent model.
        model: Option<ModelOptions>,
    }
    file => Method::Pimc { world_iterations: file.world_iterations }, file.tree, None, file.model.as_ref()
}

options! {
    /// Information-set Monte Carlo tree search with one tree.
    IsmctsOptions {
        /// Tree options.
        #[serde(default)]
        tree: TreeOptions,
        /// Prior of the candidates.
        guide: Option<GuideOptions>,
        /// Opponent model.
        model: Option<ModelOptions>,
        /// Keep the tree for the next move if no hidden information was revealed.
        #[serde(default)]
        reuse: bool,
        /// Make the n-th playout of every candidate in the same world (common random numbers).
        #[serde(default)]
        paired: bool,
    }
    file => Method::Tree { observers: Observers::Single, reuse: file.reuse, paired: file.paired },
        file.tree, file.guide.as_ref(), file.model.as_ref()
}

options! {
    /// Information-set Monte Carlo tree search with a tree for each seat.
    MoIsmctsOptions {
        /// Tree options.
        #[serde(default)]
        tree: TreeOptions,
        /// Prior of the candidates.
        guide: Option<GuideOptions>,
        /// Opponent model.
        model: Option<ModelOptions>,
        /// Keep the tree for the next move if no hidden information was revealed.
        #[serde(default)]
        reuse: bool,
        /// Train the opponents' trees on worlds sampled from their own views, so that their models
        /// do not know our hand.
        #[serde(default)]
        redeterminize: bool,
    }
    file => {
        let every = [Observers::Multiple, Observers::Redeterminizing];
        let observers = every[usize::from(file.redeterminize)];
        Method::Tree { observers, reuse: file.reuse, paired: false }
    }, file.tree, file.guide.as_ref(), file.model.as_ref()
}

options! {
    /// Monte Carlo tree search for perfect information. In a game with hidden cards it searches
    /// only one sampled world.
    MctsOptions {
        /// Tree options.
        #[serde(default)]
        tree: TreeOptions,
        /// Prior of the candidates.
        guide: Option<GuideOptions>,
        /// Keep the tree for the next move.
        #[serde(default = "yes")]
        reuse: bool,
    }
    file => Method::Tree { observers: Observers::Perfect, reuse: file.reuse, paired: false },
        file.tree, file.guide.as_ref(), None
}

fn yes() -> bool {
    true
}

/// The configuration of a search, whatever its kind.
#[derive(Clone, Debug)]
pub struct SearchConfig<'a> {
    method: Method,
    budget: Budget,
    playouts: &'a PlayoutOptions,
    reward: Reward,
    endgame: Option<EndgameOptions>,
    tree: TreeOptions,
    guide: Option<&'a GuideOptions>,
    model: Option<&'a ModelOptions>,
}

/// The field of the strategy that must [estimate](crate::Policy::estimates_wins) chances to win.
pub const EVALUATOR: &str = "/playouts/cut_off/evaluator";

impl<'a> SearchConfig<'a> {
    /// Returns `true` if the budget is a time limit.
    pub fn uses_clock(&self) -> bool {
        self.budget.milliseconds.is_some()
    }

    /// The number of playouts per move, unless the budget is a time limit.
    pub fn iterations(&self) -> Option<u64> {
        self.budget.iterations
    }

    /// Returns `true` if a value is a probability to win and no points count.
    pub fn counts_wins_alone(&self) -> bool {
        self.reward.win >= 1.0
    }

    /// The strategies that the search names, each with the JSON pointer of its field.
    pub fn named(&self) -> Vec<(&'static str, &'a str)> {
        let PlayoutOptions { by, first, cut_off, .. } = self.playouts;
        let evaluator = cut_off.as_ref().and_then(|cut_off| cut_off.evaluator.as_ref());
        let fields = [
            ("/playouts/by", Some(by)),
            ("/playouts/first/by", first.as_ref().map(|first| &first.by)),
            (EVALUATOR, evaluator),
            ("/guide/by", self.guide.map(|guide| &guide.by)),
            ("/model/by", self.model.map(|model| &model.by)),
        ];
        fields.into_iter().filter_map(|(field, name)| Some((field, name?.as_str()))).collect()
    }

    /// Returns a fault that the ranges of single fields do not show: its place and its text.
    pub fn fault(&self) -> Option<(&'static str, Problem)> {
        if let Some(fault) = self.budget.fault() {
            return Some(("/budget", fault.into()));
        }
        let out_of_range = |field, value: f64, allowed: &str| {
            let (value, allowed) = (value.to_string(), allowed.to_owned());
            Some((field, Problem::OutOfRange { value, allowed }))
        };
        let is_exp3 = self.tree.bandit == Bandit::Exp3;
        let no_pruning = match self.method {
            Method::Tree { reuse: true, .. } => Some("unset with `reuse`, which keeps the tree"),
            Method::Tree { .. } if is_exp3 => {
                Some("unset with `exp3`, which never stops trying a move")
            }
            Method::Tree { observers: Observers::Single | Observers::Perfect, .. } => None,
            _ => Some("unset: only a search with one tree prunes moves"),
        };
        match (self.budget.prune_after_se, no_pruning, self.tree.exploration) {
            (Some(errors), Some(allowed), _) => {
                out_of_range("/budget/prune_after_se", errors, allowed)
            }
            (.., exploration) if is_exp3 && !(1e-6..=1.0).contains(&exploration) => {
                out_of_range("/tree/exploration", exploration, "above 0 and at most 1 with `exp3`")
            }
            _ => None,
        }
    }

    /// Builds the search. `find` resolves the [named](SearchConfig::named) strategies.
    pub fn build<G: Game + 'static>(
        &self,
        find: &dyn Fn(&str) -> Arc<dyn StaticPolicy<G>>,
    ) -> Search<G> {
        let PlayoutOptions { by, first, epsilon, cut_off } = self.playouts;
        let mut playout: Arc<dyn Playout<G>> = find(by).playout(*epsilon);
        if let Some(start) = first {
            let first = find(&start.by).playout(*epsilon);
            playout = Arc::new(StagedPlayout { first, moves: start.moves, then: playout });
        }
        let policy = |name: &String| -> Arc<dyn Policy<G>> { find(name) };
        let cut_off = cut_off.as_ref();
        Search::new(SearchParts {
            budget: self.budget,
            reward: self.reward,
            cut_off: cut_off
                .map(|it| CutOff { moves: it.moves, evaluator: it.evaluator.as_ref().map(policy) }),
            model: self.model.map(|it| Model { policy: policy(&it.by), options: it.clone() }),
            guide: self.guide.map(|it| Guide { policy: policy(&it.by), options: it.clone() }),
            endgame: self.endgame,
            tree: self.tree,
            ..SearchParts::plain(self.method, 1, playout)
        })
    }
}
