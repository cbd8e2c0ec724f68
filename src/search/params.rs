//! What a strategy file can say about a search, whatever the game.
//!
//! `P` is how a policy (for playouts, for a model of the others) is named: a `String` in a file,
//! and whatever a game makes of it once the file is resolved.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Budget, CutOff, Decide, Guide, Model, MonteCarlo, MonteCarloParts, Observers, Opening, Pimc,
    PimcParts, Reward, Rollout, Rule, StagedRollout, Thinker, TreeOptions, TreeSearch,
    TreeSearchParts,
};
use crate::error::{Error, Result};
use crate::files::{Found, parse_json};
use crate::game::{Game, Policy};

/// The kinds of search.
pub const KINDS: &[&str] = &["monte-carlo", "pimc", "ismcts", "mo-ismcts", "mcts"];

/// No search is asked for more playouts a move, or more milliseconds.
const MOST: u64 = 100_000_000;

/// How the others are thought to choose: their latest moves weigh the worlds that are imagined.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SearchModel")]
pub struct ModelFile<P> {
    /// What they are thought to play: a strategy that does not search.
    pub strategy: P,
    /// The chance that they play any move whatever, above 0 and at most 1.
    #[serde(default = "default_doubt")]
    pub doubt: f64,
    /// How many of their latest moves are looked at, 1 to 100.
    #[serde(default = "default_moves")]
    pub moves: u32,
    /// How many worlds are weighed before a search begins, 1 to 100000.
    #[serde(default = "default_pool")]
    pub pool: u32,
}

fn default_doubt() -> f64 {
    0.3
}

fn default_moves() -> u32 {
    3
}

fn default_pool() -> u32 {
    400
}

/// A strategy whose opinion of the candidates counts like playouts made already.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SearchGuide")]
pub struct GuideFile<P> {
    /// Whose opinion: a strategy that does not search and weighs its moves.
    pub strategy: P,
    /// For how many playouts of each candidate it counts, above 0.
    pub visits: f64,
    /// What a point of its worth is in reward, above 0.
    pub reward: f64,
    /// How many candidates are searched, 1 to 1000: those that it likes best. Left out, all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<u32>,
}

/// Another strategy for the first moves of a playout.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SearchRolloutStart")]
pub struct StartFile<P> {
    /// Who plays them: a strategy that does not search.
    pub strategy: P,
    /// How many they are, 1 to 1000.
    pub moves: u32,
}

/// Progressive widening: how many moves a node may know.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SearchWidening")]
pub struct Widening {
    /// How many after one visit; above 0.
    pub base: f64,
    /// The number grows with the visits to the power of this, 0 to 1.
    pub power: f64,
}

/// Makes the struct of one kind of file: the fields of every search, then its own.
macro_rules! search_file {
    ($(#[$doc:meta])* $name:ident as $schema:tt {
        $($(#[$field_doc:meta])* $field:ident: $kind:ty = $default:expr,)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields, default)]
        #[serde(bound(deserialize = "P: Deserialize<'de> + From<String>"))]
        #[schemars(rename = $schema, bound = "P: JsonSchema + Serialize + From<String>")]
        pub struct $name<P> {
            /// One sentence for people.
            #[serde(skip_serializing)]
            pub about: String,
            /// The game, as a safeguard.
            #[serde(skip_serializing)]
            pub game: Option<String>,
            /// The kind.
            #[serde(skip_serializing)]
            pub kind: String,
            /// How many playouts a move; this or `milliseconds`.
            pub iterations: Option<u64>,
            /// How long a move; what comes of it cannot be repeated.
            pub milliseconds: Option<u64>,
            /// Who plays the playouts: a strategy that does not search, by name or path.
            pub rollout: P,
            /// Another strategy for the first moves of each playout, which also suggests the first
            /// new moves in a tree.
            pub rollout_start: Option<StartFile<P>>,
            /// The chance of a random move in a playout instead of that, 0 to 1.
            pub stray: f64,
            /// After how many moves a playout is cut off and the position judged by the game.
            pub cut_off: Option<u32>,
            /// Who judges it instead: a strategy that estimates chances to win.
            pub judge: Option<P>,
            /// The share of winning in what a result is worth, 0 to 1; the rest is the margin.
            pub win: f64,
            /// The margin, in points, that is worth three quarters; above 0.
            pub scale: f64,
            /// Whether moves that cannot differ are searched once.
            pub join_equal: bool,
            $($(#[$field_doc])* pub $field: $kind,)*
        }

        impl<P: From<String>> Default for $name<P> {
            fn default() -> Self {
                $name {
                    about: String::new(),
                    game: None,
                    kind: String::new(),
                    iterations: None,
                    milliseconds: None,
                    rollout: "random".to_owned().into(),
                    rollout_start: None,
                    stray: 0.0,
                    cut_off: None,
                    judge: None,
                    win: 0.5,
                    scale: 5.0,
                    join_equal: true,
                    $($field: $default,)*
                }
            }
        }

        impl<P> $name<P> {
            fn budget(&self) -> Budget {
                match (self.iterations, self.milliseconds) {
                    (None, Some(time)) => Budget::Milliseconds(time),
                    (all, _) => Budget::Iterations(all.unwrap_or(1)),
                }
            }

            fn reward(&self) -> Reward {
                Reward { win: self.win as f32, scale: self.scale as f32 }
            }

            /// What is wrong with the fields that every search has.
            fn common_faults(&self, faults: &mut Vec<String>) {
                let most = |name: &str, number: Option<u64>, faults: &mut Vec<String>| {
                    if let Some(number) = number.filter(|n| !(1..=MOST).contains(n)) {
                        faults.push(format!("`{name}` is {number}; it must be from 1 to {MOST}"));
                    }
                };
                most("iterations", self.iterations, faults);
                most("milliseconds", self.milliseconds, faults);
                match (self.iterations, self.milliseconds) {
                    (None, None) => faults.push(
                        "a budget is missing: `iterations` or `milliseconds`".to_owned(),
                    ),
                    (Some(_), Some(_)) => faults.push(
                        "`iterations` and `milliseconds` are both set; one of them is the budget"
                            .to_owned(),
                    ),
                    _ => {}
                }
                if self.judge.is_some() && self.cut_off.is_none() {
                    faults.push("`judge` is set without `cut_off`".to_owned());
                }
                share("stray", self.stray, faults);
                share("win", self.win, faults);
                positive("scale", self.scale, faults);
            }
        }
    };
}

search_file! {
    /// The kind `monte-carlo`: [`MonteCarlo`].
    MonteCarloFile as "MonteCarloSearch" {
        /// What the others are thought to play.
        model: Option<ModelFile<P>> = None,
        /// Whose opinion of the candidates it starts from.
        guide: Option<GuideFile<P>> = None,
    }
}

/// The kinds with a tree have its fields too.
macro_rules! tree_file {
    ($(#[$doc:meta])* $name:ident as $schema:tt {
        $($(#[$field_doc:meta])* $field:ident: $kind:ty = $default:expr,)*
    }) => {
        search_file! {
            $(#[$doc])* $name as $schema {
                /// How much is explored: the factor of the exploration term, 0 to 100 (with
                /// `exp3` its γ, above 0 and at most 1).
                exploration: f64 = 0.7,
                /// How a known move is chosen.
                rule: Rule = Rule::Ucb1,
                /// First-play urgency: a new move is tried when no known one's upper bound is
                /// above this. Left out, every move is tried once first.
                first_play: Option<f64> = None,
                /// Progressive widening, instead of `first_play`.
                widening: Option<Widening> = None,
                /// Whether the move that the playouts' strategy would make is the first new one.
                suggested_first: bool = true,
                /// Whether the others make the moves of the playouts' strategy in the tree too, so
                /// that only the own moves are searched.
                others_follow: bool = false,
                /// How many moves deep a tree grows, 1 to 1000; below that lie the playouts. Left
                /// out, there is no limit.
                depth: Option<u32> = None,
                /// Which move is made in the end.
                decide: Decide = Decide::Visits,
                /// The most memory for trees, in megabytes, 1 to 4096. A full tree grows no more;
                /// sampling goes on.
                memory_mb: u32 = 64,
                $($(#[$field_doc])* $field: $kind = $default,)*
            }
        }

        impl<P> $name<P> {
            fn tree<G: Game>(&self) -> TreeOptions {
                let opening = match (self.first_play, self.widening) {
                    (_, Some(Widening { base, power })) => Opening::Widening { base, power },
                    (Some(urgency), None) => Opening::Urgency(urgency as f32),
                    (None, None) => Opening::All,
                };
                TreeOptions {
                    rule: self.rule,
                    exploration: self.exploration,
                    opening,
                    suggested_first: self.suggested_first,
                    others_follow: self.others_follow,
                    join_equal: self.join_equal,
                    depth: self.depth.unwrap_or(u32::MAX),
                    node_cap: (self.memory_mb as usize) * 1_000_000 / super::node_bytes::<G>(),
                }
            }

            fn tree_faults(&self, faults: &mut Vec<String>) {
                self.common_faults(faults);
                if !(0.0..=100.0).contains(&self.exploration) {
                    faults.push(format!(
                        "`exploration` is {}; it must be a number from 0 to 100",
                        self.exploration
                    ));
                } else if self.rule == Rule::Exp3 && !(1e-6..=1.0).contains(&self.exploration) {
                    faults.push(format!(
                        "`exploration` is {}; with `exp3` it must be above 0 and at most 1",
                        self.exploration
                    ));
                }
                if let Some(urgency) = self.first_play.filter(|u| !(-1000.0..=1000.0).contains(u)) {
                    faults.push(format!("`first_play` is {urgency}; it must be from -1000 to 1000"));
                }
                if let Some(Widening { base, power }) = self.widening {
                    positive("widening.base", base, faults);
                    share("widening.power", power, faults);
                    if self.first_play.is_some() {
                        faults.push("`first_play` and `widening` are both set".to_owned());
                    }
                }
                if let Some(depth) = self.depth.filter(|depth| !(1..=1000).contains(depth)) {
                    faults.push(format!("`depth` is {depth}; it must be from 1 to 1000"));
                }
                if !(1..=4096).contains(&self.memory_mb) {
                    let megabytes = self.memory_mb;
                    faults.push(format!("`memory_mb` is {megabytes}; it must be from 1 to 4096"));
                }
            }
        }
    };
}

tree_file! {
    /// The kind `pimc`: [`Pimc`].
    PimcFile as "PimcSearch" {
        /// How many of the iterations each imagined world gets.
        world_iterations: u64 = 100,
        /// What the others are thought to play.
        model: Option<ModelFile<P>> = None,
    }
}

tree_file! {
    /// The kind `ismcts`: [`Observers::Single`].
    IsmctsFile as "IsmctsSearch" {
        /// What the others are thought to play.
        model: Option<ModelFile<P>> = None,
        /// Whose opinion of the candidates it starts from.
        guide: Option<GuideFile<P>> = None,
        /// Whether the tree is kept for the next move where nothing hidden came to light.
        reuse: bool = false,
        /// Whether the candidates' playouts are made in the same worlds with the same chance.
        paired: bool = false,
    }
}

tree_file! {
    /// The kind `mo-ismcts`: [`Observers::Multiple`] and [`Observers::Redeterminizing`].
    MoIsmctsFile as "MoIsmctsSearch" {
        /// Whether the trees of the others learn from worlds that they imagine, so that their
        /// model does not know our hand.
        redeterminize: bool = false,
        /// What the others are thought to play.
        model: Option<ModelFile<P>> = None,
        /// Whose opinion of the candidates it starts from.
        guide: Option<GuideFile<P>> = None,
        /// Whether the tree is kept for the next move where nothing hidden came to light.
        reuse: bool = false,
    }
}

tree_file! {
    /// The kind `mcts`: [`Observers::Perfect`].
    MctsFile as "MctsSearch" {
        /// Whose opinion of the candidates it starts from.
        guide: Option<GuideFile<P>> = None,
        /// Whether the tree is kept for the next move.
        reuse: bool = true,
    }
}

fn share(name: &str, number: f64, faults: &mut Vec<String>) {
    if !(0.0..=1.0).contains(&number) {
        faults.push(format!("`{name}` is {number}; it must be from 0 to 1"));
    }
}

fn positive(name: &str, number: f64, faults: &mut Vec<String>) {
    if !(1e-6..=1e6).contains(&number) {
        faults.push(format!("`{name}` is {number}; it must be above 0 and at most a million"));
    }
}

/// What a file of any kind says.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Search<P> {
    /// Playouts after each candidate.
    MonteCarlo(MonteCarloFile<P>),
    /// Open search of each imagined world.
    Pimc(PimcFile<P>),
    /// One tree of information sets.
    Ismcts(IsmctsFile<P>),
    /// A tree for each seat.
    MoIsmcts(MoIsmctsFile<P>),
    /// A tree of the one world there is.
    Mcts(MctsFile<P>),
}

/// The same for every kind of file.
macro_rules! each {
    ($search:expr, $file:ident => $what:expr) => {
        match $search {
            Search::MonteCarlo($file) => $what,
            Search::Pimc($file) => $what,
            Search::Ismcts($file) => $what,
            Search::MoIsmcts($file) => $what,
            Search::Mcts($file) => $what,
        }
    };
}

impl<P> Search<P> {
    /// Whether it goes by the clock.
    pub fn uses_clock(&self) -> bool {
        each!(self, file => file.budget().uses_clock())
    }

    /// The policy of the playouts, and how often they stray from it.
    pub fn rollout(&self) -> (&P, f64) {
        each!(self, file => (&file.rollout, file.stray))
    }

    /// Who plays the first moves of a playout.
    pub fn rollout_start(&self) -> Option<&StartFile<P>> {
        each!(self, file => file.rollout_start.as_ref())
    }

    /// After how many moves a playout is cut off, and who judges then.
    pub fn cut_off(&self) -> (Option<u32>, Option<&P>) {
        each!(self, file => (file.cut_off, file.judge.as_ref()))
    }

    /// Whose opinion of the candidates it starts from.
    pub fn guide(&self) -> Option<&GuideFile<P>> {
        match self {
            Search::Ismcts(file) => file.guide.as_ref(),
            Search::MoIsmcts(file) => file.guide.as_ref(),
            Search::Mcts(file) => file.guide.as_ref(),
            Search::MonteCarlo(file) => file.guide.as_ref(),
            Search::Pimc(_) => None,
        }
    }

    /// What the others are thought to play.
    pub fn model(&self) -> Option<&ModelFile<P>> {
        match self {
            Search::MonteCarlo(file) => file.model.as_ref(),
            Search::Pimc(file) => file.model.as_ref(),
            Search::Ismcts(file) => file.model.as_ref(),
            Search::MoIsmcts(file) => file.model.as_ref(),
            Search::Mcts(_) => None,
        }
    }

    /// How findings of several such searches are ranked together: `None` by votes.
    pub fn decide(&self) -> Option<Decide> {
        match self {
            Search::MonteCarlo(_) | Search::Pimc(_) => None,
            Search::Ismcts(file) => Some(file.decide),
            Search::MoIsmcts(file) => Some(file.decide),
            Search::Mcts(file) => Some(file.decide),
        }
    }

    /// Everything that is wrong with it, a sentence each.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        match self {
            Search::MonteCarlo(file) => file.common_faults(&mut faults),
            Search::Pimc(file) => {
                file.tree_faults(&mut faults);
                if !(1..=MOST).contains(&file.world_iterations) {
                    let said = file.world_iterations;
                    faults
                        .push(format!("`world_iterations` is {said}; it must be from 1 to {MOST}"));
                }
            }
            Search::Ismcts(file) => file.tree_faults(&mut faults),
            Search::MoIsmcts(file) => file.tree_faults(&mut faults),
            Search::Mcts(file) => file.tree_faults(&mut faults),
        }
        if let Some(model) = self.model() {
            if !(1e-6..=1.0).contains(&model.doubt) {
                let doubt = model.doubt;
                faults.push(format!("`model.doubt` is {doubt}; it must be above 0 and at most 1"));
            }
            let counts = [("moves", model.moves, 100), ("pool", model.pool, 100_000)];
            for (name, number, most) in counts {
                if !(1..=most).contains(&number) {
                    let range = format!("it must be from 1 to {most}");
                    faults.push(format!("`model.{name}` is {number}; {range}"));
                }
            }
        }
        if let Some(guide) = self.guide() {
            positive("guide.visits", guide.visits, &mut faults);
            positive("guide.reward", guide.reward, &mut faults);
            if let Some(keep) = guide.keep.filter(|keep| !(1..=1000).contains(keep)) {
                faults.push(format!("`guide.keep` is {keep}; it must be from 1 to 1000"));
            }
        }
        if let Some(moves) = self.rollout_start().map(|start| start.moves)
            && !(1..=1000).contains(&moves)
        {
            faults.push(format!("`rollout_start.moves` is {moves}; it must be from 1 to 1000"));
        }
        faults
    }

    /// The search for a game, with the policies that its files name.
    pub fn thinker<G: Game + 'static>(
        &self,
        game: &G,
        rollout: impl Fn(&P, f64) -> Arc<dyn Rollout<G>>,
        policy: impl Fn(&P) -> Arc<dyn Policy<G>>,
    ) -> Box<dyn Thinker<G>> {
        let (played, stray) = self.rollout();
        let mut then = rollout(played, stray);
        if let Some(StartFile { strategy, moves }) = self.rollout_start() {
            let first = rollout(strategy, stray);
            then = Arc::new(StagedRollout { first, moves: *moves, then });
        }
        let rollout = then;
        let guide = self.guide().map(|file| Guide {
            policy: policy(&file.strategy),
            visits: file.visits,
            reward: file.reward,
            keep: file.keep.map_or(usize::MAX, |keep| keep as usize),
        });
        let (moves, judge) = self.cut_off();
        let cut_off = moves.map(|moves| CutOff { moves, judge: judge.map(&policy) });
        let model = self.model().map(|file| Model {
            policy: policy(&file.strategy),
            doubt: file.doubt,
            moves: file.moves as usize,
            pool: file.pool as usize,
        });
        let observers = match self {
            Search::MoIsmcts(file) if file.redeterminize => Observers::Redeterminizing,
            Search::MoIsmcts(_) => Observers::Multiple,
            Search::Mcts(_) => Observers::Perfect,
            _ => Observers::Single,
        };
        let paired = matches!(self, Search::Ismcts(file) if file.paired);
        macro_rules! tree_search {
            ($file:expr) => {
                Box::new(TreeSearch::new(
                    game.seats(),
                    TreeSearchParts {
                        observers,
                        budget: $file.budget(),
                        tree: $file.tree::<G>(),
                        reward: $file.reward(),
                        cut_off,
                        rollout,
                        model,
                        guide,
                        paired,
                        decide: $file.decide,
                        reuse: $file.reuse,
                    },
                ))
            };
        }
        match self {
            Search::MonteCarlo(file) => Box::new(MonteCarlo::new(MonteCarloParts {
                budget: file.budget(),
                reward: file.reward(),
                cut_off,
                rollout,
                model,
                guide,
                join_equal: file.join_equal,
            })),
            Search::Pimc(file) => Box::new(Pimc::new(PimcParts {
                budget: file.budget(),
                world_iterations: file.world_iterations,
                tree: file.tree::<G>(),
                reward: file.reward(),
                cut_off,
                rollout,
                model,
                decide: file.decide,
            })),
            Search::Ismcts(file) => tree_search!(file),
            Search::MoIsmcts(file) => tree_search!(file),
            Search::Mcts(file) => tree_search!(file),
        }
    }
}

/// The policies that a file names.
struct Policies<P> {
    rollout: P,
    start: Option<StartFile<P>>,
    judge: Option<P>,
    model: Option<ModelFile<P>>,
    guide: Option<GuideFile<P>>,
}

impl Search<String> {
    /// Reads a file whose `kind` is one of [`KINDS`]. It is not checked yet.
    ///
    /// # Errors
    /// The first thing that cannot be read.
    pub fn read(kind: &str, found: &Found) -> Result<Search<String>> {
        let (place, text) = (found.place(), found.text.as_str());
        Ok(match kind {
            "monte-carlo" => Search::MonteCarlo(parse_json(&place, text)?),
            "pimc" => Search::Pimc(parse_json(&place, text)?),
            "ismcts" => Search::Ismcts(parse_json(&place, text)?),
            "mo-ismcts" => Search::MoIsmcts(parse_json(&place, text)?),
            _ => Search::Mcts(parse_json(&place, text)?),
        })
    }

    /// Checks a file and puts policies in the place of their names; `policy` says what is wrong
    /// with a name.
    ///
    /// # Errors
    /// Everything that is wrong with the file, in one message.
    pub fn resolve<P>(
        self,
        place: &str,
        policy: impl Fn(&str) -> std::result::Result<P, String>,
    ) -> Result<Search<P>> {
        let mut faults = self.faults();
        let mut named = |field: &str, name: &str| {
            policy(name).map_err(|what| faults.push(format!("field `{field}`: {what}"))).ok()
        };
        let rollout = named("rollout", self.rollout().0);
        let start = self.rollout_start().map(|file| {
            let strategy = named("rollout_start.strategy", &file.strategy);
            strategy.map(|strategy| StartFile { strategy, moves: file.moves })
        });
        let judge = self.cut_off().1.map(|name| named("judge", name));
        let model = self.model().map(|file| {
            let strategy = named("model.strategy", &file.strategy);
            let ModelFile { doubt, moves, pool, .. } = *file;
            strategy.map(|strategy| ModelFile { strategy, doubt, moves, pool })
        });
        let guide = self.guide().map(|file| {
            let strategy = named("guide.strategy", &file.strategy);
            let GuideFile { visits, reward, keep, .. } = *file;
            strategy.map(|strategy| GuideFile { strategy, visits, reward, keep })
        });
        match rollout {
            Some(rollout) if faults.is_empty() => {
                let policies = Policies {
                    rollout,
                    start: start.flatten(),
                    judge: judge.flatten(),
                    model: model.flatten(),
                    guide: guide.flatten(),
                };
                Ok(self.with(policies))
            }
            _ => Err(Error::input(format!("{place}: {}", faults.join("; ")))),
        }
    }

    fn with<P>(self, policies: Policies<P>) -> Search<P> {
        let Policies { rollout, start, judge, model, guide } = policies;
        macro_rules! with {
            ($kind:ident, $name:ident, $file:expr, { $($own:ident),* }, { $($extra:tt)* }) => {
                Search::$kind($name {
                    about: $file.about,
                    game: $file.game,
                    kind: $file.kind,
                    iterations: $file.iterations,
                    milliseconds: $file.milliseconds,
                    rollout,
                    rollout_start: start,
                    stray: $file.stray,
                    cut_off: $file.cut_off,
                    judge,
                    win: $file.win,
                    scale: $file.scale,
                    join_equal: $file.join_equal,
                    $($own: $file.$own,)*
                    $($extra)*
                })
            };
            (tree $kind:ident, $name:ident, $file:expr, { $($own:ident),* }, { $($extra:tt)* }) => {
                with!(
                    $kind,
                    $name,
                    $file,
                    {
                        exploration, rule, first_play, widening, suggested_first, others_follow,
                        depth, decide,
                        memory_mb $(, $own)*
                    },
                    { $($extra)* }
                )
            };
        }
        match self {
            Search::MonteCarlo(file) => {
                with!(MonteCarlo, MonteCarloFile, file, {}, { model, guide })
            }
            Search::Pimc(file) => {
                with!(tree Pimc, PimcFile, file, { world_iterations }, { model })
            }
            Search::Ismcts(file) => {
                with!(tree Ismcts, IsmctsFile, file, { reuse, paired }, { model, guide })
            }
            Search::MoIsmcts(file) => {
                with!(tree MoIsmcts, MoIsmctsFile, file, { reuse, redeterminize }, { model, guide })
            }
            Search::Mcts(file) => with!(tree Mcts, MctsFile, file, { reuse }, { guide }),
        }
    }
}
