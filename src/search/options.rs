//! What a strategy file can say about a search, whatever the game: a struct for each kind, made of
//! groups that kinds share, and the search that it describes.
//!
//! An option stands in one place, with its range beside it: the struct of its group, in the file
//! of what it does. A group that is left out has its defaults.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Budget, CutOff, Decide, Guide, GuideOptions, Model, ModelOptions, MonteCarlo, Observers, Parts,
    Pimc, Playout, PlayoutOptions, Reflex, Reward, StagedPlayout, Thinker, TreeOptions, TreeSearch,
};
use crate::error::What;
use crate::game::Game;

/// Flat Monte Carlo: playouts after each candidate move, over the same imagined worlds, with
/// successive halving.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MonteCarloOptions {
    /// How long it thinks.
    pub budget: Budget,
    /// How hands are played on.
    #[serde(default)]
    pub playouts: PlayoutOptions,
    /// What results are worth.
    #[serde(default)]
    pub reward: Reward,
    /// Whose opinion of the candidates it starts from.
    pub guide: Option<GuideOptions>,
    /// What the others are thought to play.
    pub model: Option<ModelOptions>,
    /// Whether moves that the game says cannot differ are searched once (action abstraction).
    #[serde(default = "yes")]
    pub join_equal: bool,
}

/// Perfect-information Monte Carlo: a search of each imagined world with open cards; the worlds
/// vote.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PimcOptions {
    /// How long it thinks.
    pub budget: Budget,
    /// How many of the iterations each imagined world gets.
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = 100_000_000))]
    pub world_iterations: u64,
    /// How hands are played on.
    #[serde(default)]
    pub playouts: PlayoutOptions,
    /// What results are worth.
    #[serde(default)]
    pub reward: Reward,
    /// How trees are walked.
    #[serde(default)]
    pub tree: TreeOptions,
    /// What the others are thought to play.
    pub model: Option<ModelOptions>,
}

/// Information-set Monte Carlo tree search with one tree.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IsmctsOptions {
    /// How long it thinks.
    pub budget: Budget,
    /// How hands are played on.
    #[serde(default)]
    pub playouts: PlayoutOptions,
    /// What results are worth.
    #[serde(default)]
    pub reward: Reward,
    /// How trees are walked.
    #[serde(default)]
    pub tree: TreeOptions,
    /// Whose opinion of the candidates it starts from.
    pub guide: Option<GuideOptions>,
    /// What the others are thought to play.
    pub model: Option<ModelOptions>,
    /// Whether the tree is kept for the next move where nothing hidden came to light.
    #[serde(default)]
    pub reuse: bool,
    /// Whether the first, second, … playout of every candidate is made in the same world (common
    /// random numbers).
    #[serde(default)]
    pub paired: bool,
}

/// Information-set Monte Carlo tree search with a tree for each seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoIsmctsOptions {
    /// How long it thinks.
    pub budget: Budget,
    /// How hands are played on.
    #[serde(default)]
    pub playouts: PlayoutOptions,
    /// What results are worth.
    #[serde(default)]
    pub reward: Reward,
    /// How trees are walked.
    #[serde(default)]
    pub tree: TreeOptions,
    /// Whose opinion of the candidates it starts from.
    pub guide: Option<GuideOptions>,
    /// What the others are thought to play.
    pub model: Option<ModelOptions>,
    /// Whether the tree is kept for the next move where nothing hidden came to light.
    #[serde(default)]
    pub reuse: bool,
    /// Whether the others' trees learn from worlds that they imagine, so that their model does not
    /// know our hand.
    #[serde(default)]
    pub redeterminize: bool,
}

/// Monte Carlo tree search for perfect information. In a game with hidden cards it believes in the
/// one world that it imagines first.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MctsOptions {
    /// How long it thinks.
    pub budget: Budget,
    /// How hands are played on.
    #[serde(default)]
    pub playouts: PlayoutOptions,
    /// What results are worth.
    #[serde(default)]
    pub reward: Reward,
    /// How trees are walked.
    #[serde(default)]
    pub tree: TreeOptions,
    /// Whose opinion of the candidates it starts from.
    pub guide: Option<GuideOptions>,
    /// Whether the tree is kept for the next move.
    #[serde(default = "yes")]
    pub reuse: bool,
}

fn yes() -> bool {
    true
}

fn hundred() -> u64 {
    100
}

/// What any kind of file says of a search.
#[derive(Clone, Debug)]
pub struct Search<'a> {
    method: Method,
    budget: Budget,
    playouts: &'a PlayoutOptions,
    reward: Reward,
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

impl<'a> From<&'a MonteCarloOptions> for Search<'a> {
    fn from(file: &'a MonteCarloOptions) -> Search<'a> {
        let &MonteCarloOptions { budget, reward, join_equal, .. } = file;
        let tree = TreeOptions { join_equal, ..TreeOptions::default() };
        let search = Search::of(Method::MonteCarlo, budget, &file.playouts, reward, tree);
        search.informed(&file.guide, &file.model)
    }
}

impl<'a> From<&'a PimcOptions> for Search<'a> {
    fn from(file: &'a PimcOptions) -> Search<'a> {
        let &PimcOptions { budget, world_iterations, reward, tree, .. } = file;
        let method = Method::Pimc { world_iterations };
        let search = Search::of(method, budget, &file.playouts, reward, tree);
        search.informed(&None, &file.model)
    }
}

impl<'a> From<&'a IsmctsOptions> for Search<'a> {
    fn from(file: &'a IsmctsOptions) -> Search<'a> {
        let &IsmctsOptions { budget, reward, tree, reuse, paired, .. } = file;
        let method = Method::Tree { observers: Observers::Single, reuse, paired };
        let search = Search::of(method, budget, &file.playouts, reward, tree);
        search.informed(&file.guide, &file.model)
    }
}

impl<'a> From<&'a MoIsmctsOptions> for Search<'a> {
    fn from(file: &'a MoIsmctsOptions) -> Search<'a> {
        let &MoIsmctsOptions { budget, reward, tree, reuse, redeterminize, .. } = file;
        let observers = match redeterminize {
            true => Observers::Redeterminizing,
            false => Observers::Multiple,
        };
        let method = Method::Tree { observers, reuse, paired: false };
        let search = Search::of(method, budget, &file.playouts, reward, tree);
        search.informed(&file.guide, &file.model)
    }
}

impl<'a> From<&'a MctsOptions> for Search<'a> {
    fn from(file: &'a MctsOptions) -> Search<'a> {
        let &MctsOptions { budget, reward, tree, reuse, .. } = file;
        let method = Method::Tree { observers: Observers::Perfect, reuse, paired: false };
        let search = Search::of(method, budget, &file.playouts, reward, tree);
        search.informed(&file.guide, &None)
    }
}

/// A strategy that a search names, and the field in which it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Named<'a> {
    /// The way to the field: a JSON pointer.
    pub field: &'static str,
    /// The name.
    pub name: &'a str,
    /// Whether it must [estimate](Reflex::judges) chances to win.
    pub judges: bool,
}

impl<'a> Search<'a> {
    fn of(
        method: Method,
        budget: Budget,
        playouts: &'a PlayoutOptions,
        reward: Reward,
        tree: TreeOptions,
    ) -> Search<'a> {
        Search { method, budget, playouts, reward, tree, guide: None, model: None }
    }

    fn informed(
        self,
        guide: &'a Option<GuideOptions>,
        model: &'a Option<ModelOptions>,
    ) -> Search<'a> {
        Search { guide: guide.as_ref(), model: model.as_ref(), ..self }
    }

    /// Whether it goes by the clock.
    pub fn uses_clock(&self) -> bool {
        self.budget.uses_clock()
    }

    /// How findings of several such searches are ranked together: `None` by votes.
    pub fn decide(&self) -> Option<Decide> {
        matches!(self.method, Method::Tree { .. }).then_some(self.tree.decide)
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
    pub fn fault(&self) -> Option<(&'static str, What)> {
        let exploration = self.tree.exploration;
        let is_exp3 = self.tree.bandit == super::Bandit::Exp3;
        (is_exp3 && !(1e-6..=1.0).contains(&exploration)).then(|| {
            let right = "above 0 and at most 1 with `exp3`".to_owned();
            let what = What::Range { value: exploration.to_string(), right };
            ("/tree/exploration", what)
        })
    }

    /// The search for a game; `find` gives the strategies that it [names](Search::named).
    pub fn thinker<G: Game + 'static>(
        &self,
        game: &G,
        find: impl Fn(&str) -> Box<dyn Reflex<G>>,
    ) -> Box<dyn Thinker<G>> {
        let PlayoutOptions { by, first, epsilon, cut_off } = self.playouts;
        let mut playout: Arc<dyn Playout<G>> = find(by).playout(*epsilon);
        if let Some(start) = first {
            let first = find(&start.by).playout(*epsilon);
            playout = Arc::new(StagedPlayout { first, moves: start.moves, then: playout });
        }
        let parts = Parts {
            budget: self.budget,
            reward: self.reward,
            cut_off: cut_off.as_ref().map(|it| CutOff {
                moves: it.moves,
                judge: it.judge.as_ref().map(|name| find(name).policy()),
            }),
            model: self
                .model
                .map(|it| Model { policy: find(&it.by).policy(), options: it.clone() }),
            guide: self
                .guide
                .map(|it| Guide { policy: find(&it.by).policy(), options: it.clone() }),
            ..Parts::plain(1, playout).with_tree(self.tree)
        };
        match self.method {
            Method::MonteCarlo => Box::new(MonteCarlo::new(parts)),
            Method::Pimc { world_iterations } => Box::new(Pimc::new(parts, world_iterations)),
            Method::Tree { observers, reuse, paired } => {
                let search = TreeSearch::new(game.seats(), observers, parts);
                Box::new(search.reuse(reuse).paired(paired))
            }
        }
    }
}
