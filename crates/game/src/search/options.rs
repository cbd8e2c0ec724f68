//! What a strategy file can say about a search, whatever the game: a struct for each kind, made of
//! groups that kinds share, and the search that it describes.
//!
//! An option stands in one place, with its range beside it: the struct of its group, in the file
//! of what it does. A group that is left out has its defaults.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ending::WithEndgame;
use super::{
    Budget, CutOff, Decide, EndgameOptions, Guide, GuideOptions, Model, ModelOptions, MonteCarlo,
    Observers, Pimc, Playout, PlayoutOptions, Reward, Search, SearchParts, StagedPlayout,
    StaticPolicy, TreeOptions, TreeSearch,
};
use crate::Game;
use crate::error::Problem;

/// Makes the struct of a kind of search: the groups that every kind has, and those and the options
/// that are its own; and the search that it describes.
macro_rules! options {
    ($(#[$about:meta])* $name:ident { $($(#[$said:meta])* $field:ident: $type:ty,)* }
     $file:ident => $method:expr, $tree:expr, $guide:expr, $model:expr) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// How long it thinks.
            pub budget: Budget,
            /// How hands are played on.
            #[serde(default)]
            pub playouts: PlayoutOptions,
            /// What results are worth.
            #[serde(default)]
            pub reward: Reward,
            /// Exact play once nothing is hidden any more and no chance is left (in Leopard, once
            /// the stock is empty). Left out, endings are searched as all else is.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub ending: Option<EndgameOptions>,
            $($(#[$said])* pub $field: $type,)*
        }

        impl<'a> From<&'a $name> for SearchConfig<'a> {
            fn from($file: &'a $name) -> SearchConfig<'a> {
                let &$name { budget, ref playouts, reward, ending, .. } = $file;
                let (method, tree, guide, model) = ($method, $tree, $guide, $model);
                SearchConfig { method, budget, playouts, reward, ending, tree, guide, model }
            }
        }
    };
}

options! {
    /// Flat Monte Carlo: playouts after each candidate move, over the same imagined worlds, with
    /// successive halving.
    MonteCarloOptions {
        /// Whose opinion of the candidates it starts from.
        guide: Option<GuideOptions>,
        /// What the others are thought to play.
        model: Option<ModelOptions>,
        /// Whether moves that the game says cannot differ are searched once (action abstraction).
        #[serde(default = "yes")]
        dedup_moves: bool,
    }
    file => Method::MonteCarlo,
        TreeOptions { dedup_moves: file.dedup_moves, ..TreeOptions::default() },
        file.guide.as_ref(), file.model.as_ref()
}

options! {
    /// Perfect-information Monte Carlo: a search of each imagined world with open cards; the worlds
    /// vote.
    PimcOptions {
        /// How many of the iterations each imagined world gets.
        #[serde(default = "hundred")]
        #[schemars(range(min = 1, max = 100_000_000))]
        world_iterations: u64,
        /// How trees are walked.
        #[serde(default)]
        tree: TreeOptions,
        /// What the others are thought to play.
        model: Option<ModelOptions>,
    }
    file => Method::Pimc { world_iterations: file.world_iterations }, file.tree, None, file.model.as_ref()
}

options! {
    /// Information-set Monte Carlo tree search with one tree.
    IsmctsOptions {
        /// How trees are walked.
        #[serde(default)]
        tree: TreeOptions,
        /// Whose opinion of the candidates it starts from.
        guide: Option<GuideOptions>,
        /// What the others are thought to play.
        model: Option<ModelOptions>,
        /// Whether the tree is kept for the next move where nothing hidden came to light.
        #[serde(default)]
        reuse: bool,
        /// Whether the first, second, … playout of every candidate is made in the same world (common
        /// random numbers).
        #[serde(default)]
        paired: bool,
    }
    file => Method::Tree { observers: Observers::Single, reuse: file.reuse, paired: file.paired },
        file.tree, file.guide.as_ref(), file.model.as_ref()
}

options! {
    /// Information-set Monte Carlo tree search with a tree for each seat.
    MoIsmctsOptions {
        /// How trees are walked.
        #[serde(default)]
        tree: TreeOptions,
        /// Whose opinion of the candidates it starts from.
        guide: Option<GuideOptions>,
        /// What the others are thought to play.
        model: Option<ModelOptions>,
        /// Whether the tree is kept for the next move where nothing hidden came to light.
        #[serde(default)]
        reuse: bool,
        /// Whether the others' trees learn from worlds that they imagine, so that their model does
        /// not know our hand.
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
    /// Monte Carlo tree search for perfect information. In a game with hidden cards it believes in
    /// the one world that it imagines first.
    MctsOptions {
        /// How trees are walked.
        #[serde(default)]
        tree: TreeOptions,
        /// Whose opinion of the candidates it starts from.
        guide: Option<GuideOptions>,
        /// Whether the tree is kept for the next move.
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

/// What any kind of file says of a search.
#[derive(Clone, Debug)]
pub struct SearchConfig<'a> {
    method: Method,
    budget: Budget,
    playouts: &'a PlayoutOptions,
    reward: Reward,
    ending: Option<EndgameOptions>,
    tree: TreeOptions,
    guide: Option<&'a GuideOptions>,
    model: Option<&'a ModelOptions>,
}

/// The search, and what concerns it alone.
#[derive(Clone, Copy, Debug)]
enum Method {
    MonteCarlo,
    Pimc { world_iterations: u64 },
    Tree { observers: Observers, reuse: bool, paired: bool },
}

/// A strategy that a search names, and the field in which it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Named<'a> {
    /// The way to the field: a JSON pointer.
    pub field: &'static str,
    /// The name.
    pub name: &'a str,
    /// Whether it must [estimate](StaticPolicy::estimates_wins) chances to win.
    pub judges: bool,
}

impl<'a> SearchConfig<'a> {
    /// Whether it goes by the clock.
    pub fn uses_clock(&self) -> bool {
        self.budget.uses_clock()
    }

    /// How findings of several such searches are ranked together: `None` by votes.
    pub fn decide(&self) -> Option<Decide> {
        matches!(self.method, Method::Tree { .. }).then_some(self.tree.decide)
    }

    /// Whether a value that it finds is a chance to win, and no points count.
    pub fn counts_wins_alone(&self) -> bool {
        self.reward.win >= 1.0
    }

    /// The strategies that it names.
    pub fn named(&self) -> Vec<Named<'a>> {
        let plain = |field, name| Named { field, name, judges: false };
        let PlayoutOptions { by, first, cut_off, .. } = self.playouts;
        let first = first.as_ref().map(|it| plain("/playouts/first/by", &it.by));
        let judge = cut_off.as_ref().and_then(|cut_off| cut_off.judge.as_ref());
        let field = "/playouts/cut_off/judge";
        let judge = judge.map(|name| Named { field, name, judges: true });
        let guide = self.guide.map(|guide| plain("/guide/by", &guide.by));
        let model = self.model.map(|model| plain("/model/by", &model.by));
        let by = plain("/playouts/by", by);
        [Some(by), first, judge, guide, model].into_iter().flatten().collect()
    }

    /// A fault of fields that are each within their range: where, and what is wrong.
    pub fn fault(&self) -> Option<(&'static str, Problem)> {
        let unfit = match self.method {
            Method::Tree { reuse: true, .. } => Some("left out with `reuse`, whose tree goes on"),
            Method::Tree { .. } if self.tree.bandit == super::Bandit::Exp3 => {
                Some("left out with `exp3`, which tries every move now and then")
            }
            Method::Tree { observers: Observers::Single | Observers::Perfect, .. } => None,
            _ => Some("left out: only a search with one tree drops moves"),
        };
        if let (Some(ahead), Some(right)) = (self.budget.ahead, unfit) {
            let what = Problem::OutOfRange { value: ahead.to_string(), allowed: right.to_owned() };
            return Some(("/budget/ahead", what));
        }
        let exploration = self.tree.exploration;
        let is_exp3 = self.tree.bandit == super::Bandit::Exp3;
        (is_exp3 && !(1e-6..=1.0).contains(&exploration)).then(|| {
            let right = "above 0 and at most 1 with `exp3`".to_owned();
            let what = Problem::OutOfRange { value: exploration.to_string(), allowed: right };
            ("/tree/exploration", what)
        })
    }

    /// The search for a game; `find` gives the strategies that it [names](Search::named).
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
                .map(|it| CutOff { moves: it.moves, judge: it.judge.as_ref().map(policy) }),
            model: self.model.map(|it| Model { policy: policy(&it.by), options: it.clone() }),
            guide: self.guide.map(|it| Guide { policy: policy(&it.by), options: it.clone() }),
            ..SearchParts::plain(1, playout).with_tree(self.tree)
        };
        match self.method {
            Method::MonteCarlo => self.with_ending(MonteCarlo::new(parts)),
            Method::Pimc { world_iterations } => {
                self.with_ending(Pimc::new(parts, world_iterations))
            }
            Method::Tree { observers, reuse, paired } => {
                let search = TreeSearch::new(game.seats(), observers, parts);
                self.with_ending(search.reuse(reuse).paired(paired))
            }
        }
    }

    /// A search that plays endings as the file says.
    fn with_ending<G: Game>(&self, search: impl Search<G> + 'static) -> Box<dyn Search<G>> {
        match self.ending {
            Some(options) => Box::new(WithEndgame { search, options, reward: self.reward }),
            None => Box::new(search),
        }
    }
}
