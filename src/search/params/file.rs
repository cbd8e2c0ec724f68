//! The files, a struct for each kind, as serde reads them.
//!
//! A field that the kind does not know is refused, which serde cannot do for structs within a
//! struct whose fields are all on one level: so macros repeat the fields that kinds share.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Common, GuideFile, ModelFile, StartFile, Tree, Widening};
use crate::search::{Decide, Rule};
#[cfg(doc)]
use crate::search::{MonteCarlo, Observers, Pimc};

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
            /// The fields that every kind has.
            pub(super) fn common(&self) -> Common<'_, P> {
                Common {
                    iterations: self.iterations,
                    milliseconds: self.milliseconds,
                    rollout: &self.rollout,
                    rollout_start: self.rollout_start.as_ref(),
                    stray: self.stray,
                    cut_off: self.cut_off,
                    judge: self.judge.as_ref(),
                    win: self.win,
                    scale: self.scale,
                }
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
            /// The fields that every kind with a tree has.
            pub(super) fn tree(&self) -> Tree {
                Tree {
                    exploration: self.exploration,
                    rule: self.rule,
                    first_play: self.first_play,
                    widening: self.widening,
                    suggested_first: self.suggested_first,
                    others_follow: self.others_follow,
                    join_equal: self.join_equal,
                    depth: self.depth,
                    memory_mb: self.memory_mb,
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
