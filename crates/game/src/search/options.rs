//! Search options of strategy files: one struct for each kind, made of shared groups.
//!
//! Each option is declared once, with its range, in the file of the feature. A missing group has
//! its defaults.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::endgame::WithEndgame;
use super::{
    Budget, CutOff, Decide, EndgameOptions, Guide, GuideOptions, Model, ModelOptions, MonteCarlo,
    Observers, Pimc, Playout, PlayoutOptions, Reward, Search, SearchParts, StagedPlayout,
    StaticPolicy, TreeOptions, TreeSearch,
};
use crate::Game;
use parlour_base::error::Problem;

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
        #[serde(default = "hundred")]
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

fn hundred() -> u64 {
    100
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

/// The search algorithm and its own options.
#[derive(Clone, Copy, Debug)]
enum Method {
    MonteCarlo,
    Pimc { world_iterations: u64 },
    Tree { observers: Observers, reuse: bool, paired: bool },
}

/// A strategy named by a search, and the field that names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedStrategy<'a> {
    /// The JSON pointer of the field.
    pub field: &'static str,
    /// The name.
    pub name: &'a str,
    /// `true` if the strategy must [estimate](StaticPolicy::estimates_wins) chances to win.
    pub estimates_wins: bool,
}

impl<'a> SearchConfig<'a> {
    /// Returns `true` if the budget is a time limit.
    pub fn uses_clock(&self) -> bool {
        self.budget.uses_clock()
    }

    /// The rule that ranks merged results; `None` means by votes.
    pub fn decide(&self) -> Option<Decide> {
        matches!(self.method, Method::Tree { .. }).then_some(self.tree.decide)
    }

    /// Returns `true` if a value is a probability to win and no points count.
    pub fn counts_wins_alone(&self) -> bool {
        self.reward.win >= 1.0
    }

    /// The strategies that the search names.
    pub fn named(&self) -> Vec<NamedStrategy<'a>> {
        let plain = |field, name| NamedStrategy { field, name, estimates_wins: false };
        let PlayoutOptions { by, first, cut_off, .. } = self.playouts;
        let first = first.as_ref().map(|it| plain("/playouts/first/by", &it.by));
        let evaluator = cut_off.as_ref().and_then(|cut_off| cut_off.evaluator.as_ref());
        let field = "/playouts/cut_off/evaluator";
        let evaluator = evaluator.map(|name| NamedStrategy { field, name, estimates_wins: true });
        let guide = self.guide.map(|guide| plain("/guide/by", &guide.by));
        let model = self.model.map(|model| plain("/model/by", &model.by));
        let by = plain("/playouts/by", by);
        [Some(by), first, evaluator, guide, model].into_iter().flatten().collect()
    }

    /// Returns a fault that the ranges of single fields do not show: its place and its text.
    pub fn fault(&self) -> Option<(&'static str, Problem)> {
        let reason = match self.method {
            Method::Tree { reuse: true, .. } => Some("unset with `reuse`, which keeps the tree"),
            Method::Tree { .. } if self.tree.bandit == super::Bandit::Exp3 => {
                Some("unset with `exp3`, which never stops trying a move")
            }
            Method::Tree { observers: Observers::Single | Observers::Perfect, .. } => None,
            _ => Some("unset: only a search with one tree prunes moves"),
        };
        if let (Some(prune_after_se), Some(right)) = (self.budget.prune_after_se, reason) {
            let what = Problem::OutOfRange {
                value: prune_after_se.to_string(),
                allowed: right.to_owned(),
            };
            return Some(("/budget/prune_after_se", what));
        }
        let exploration = self.tree.exploration;
        let is_exp3 = self.tree.bandit == super::Bandit::Exp3;
        (is_exp3 && !(1e-6..=1.0).contains(&exploration)).then(|| {
            let right = "above 0 and at most 1 with `exp3`".to_owned();
            let what = Problem::OutOfRange { value: exploration.to_string(), allowed: right };
            ("/tree/exploration", what)
        })
    }

    /// Builds the search for a game. `find` resolves the [named](SearchConfig::named) strategies.
    pub fn build<G: Game + 'static>(
        &self,
        game: &G,
        find: &dyn Fn(&str) -> Box<dyn StaticPolicy<G>>,
    ) -> Box<dyn Search<G>> {
        let PlayoutOptions { by, first, epsilon, cut_off } = self.playouts;
        let mut playout: Arc<dyn Playout<G>> = find(by).playout(*epsilon);
        if let Some(start) = first {
            let first = find(&start.by).playout(*epsilon);
            playout = Arc::new(StagedPlayout { first, moves: start.moves, then: playout });
        }
        let policy = |name: &String| find(name).policy();
        let cut_off = cut_off.as_ref();
        let parts = SearchParts {
            budget: self.budget,
            reward: self.reward,
            cut_off: cut_off
                .map(|it| CutOff { moves: it.moves, evaluator: it.evaluator.as_ref().map(policy) }),
            model: self.model.map(|it| Model { policy: policy(&it.by), options: it.clone() }),
            guide: self.guide.map(|it| Guide { policy: policy(&it.by), options: it.clone() }),
            ..SearchParts::plain(1, playout).with_tree(self.tree)
        };
        match self.method {
            Method::MonteCarlo => self.with_endgame(MonteCarlo::new(parts)),
            Method::Pimc { world_iterations } => {
                self.with_endgame(Pimc::new(parts, world_iterations))
            }
            Method::Tree { observers, reuse, paired } => {
                let search = TreeSearch::new(game.seats(), observers, parts);
                self.with_endgame(search.reuse(reuse).paired(paired))
            }
        }
    }

    /// Adds the endgame solver if it is configured.
    fn with_endgame<G: Game>(&self, search: impl Search<G> + 'static) -> Box<dyn Search<G>> {
        match self.endgame {
            Some(options) => Box::new(WithEndgame { search, options, reward: self.reward }),
            None => Box::new(search),
        }
    }
}
