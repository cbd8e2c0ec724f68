//! A player that searches: information-set MCTS over worlds whose rules it believes in.

use std::sync::Arc;

use serde::Serialize;

use super::believed::Believed;
use super::guess::guess;
use super::informed::Informed;
use super::mind::Mind;
use crate::chance::Stream;
use crate::games::eleusis::infer::Grammar;
use crate::games::eleusis::{Eleusis, Move, Stage};
use crate::game::{Bot, Game, Ruled, Seat, Sight};
use crate::search::{CutOff, Reward, Thinker, TreeOptions, TreeSearch, TreeSearchParts};

/// What it goes by.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Depth {
    /// How many worlds it imagines and plays to an end.
    pub iterations: u32,
    /// How much it explores (UCB1).
    pub exploration: f64,
    /// How many rules it draws from its belief for them.
    pub rules: u32,
    /// After how many moves a playout is cut off and the cards held are counted.
    pub cut_off: u32,
    /// How often a player in a playout knows what is right.
    pub skill: f64,
}

impl Default for Depth {
    fn default() -> Depth {
        Depth { iterations: 600, exploration: 0.3, rules: 64, cut_off: 24, skill: 0.6 }
    }
}

/// The margin, in cards, that is worth three quarters.
const SCALE: f32 = 8.0;

const NODES: usize = 1 << 16;

/// Single-observer ISMCTS (Cowling, Powley and Whitehouse 2012); the secret rule of each imagined
/// world is drawn from the learner's belief.
pub struct Ismcts {
    mind: Mind,
    depth: Depth,
    search: Option<TreeSearch<Believed>>,
}

impl Ismcts {
    /// A player that knows the rules of this grammar.
    pub fn new(grammar: Arc<Grammar>, depth: Depth) -> Ismcts {
        Ismcts { mind: Mind::new(grammar), depth, search: None }
    }

    fn search(depth: Depth, seats: usize) -> TreeSearch<Believed> {
        let rollout = Arc::new(Informed::new(depth.skill));
        let plain = TreeSearchParts::plain(depth.iterations.into(), rollout);
        let tree = TreeOptions {
            exploration: depth.exploration,
            suggested_first: false,
            others_follow: true,
            join_equal: false,
            node_cap: NODES,
            ..plain.tree
        };
        let reward = Reward { win: 0.0, scale: SCALE };
        let cut_off = Some(CutOff { moves: depth.cut_off, judge: None });
        TreeSearch::new(seats, TreeSearchParts { tree, reward, cut_off, ..plain })
    }
}

impl Bot<Eleusis> for Ismcts {
    fn start(&mut self, _: Seat) {
        self.mind.clear();
    }

    fn choose(&mut self, game: &Eleusis, sight: Sight<'_, Eleusis>, chance: &mut Stream) -> Move {
        let (view, past) = (sight.view, sight.past);
        let learner = self.mind.follow(game, &view.public);
        if view.public.stage == Stage::After && game.rules().express {
            return guess(game, &view.public, learner);
        }
        let rules = learner.draw(self.depth.rules as usize, chance);
        let believed = Believed::new(game.clone(), rules);
        let depth = self.depth;
        let search = self.search.get_or_insert_with(|| Self::search(depth, game.seats()));
        let found = search.think(&believed, Sight { view, past }, chance).best();
        found.unwrap_or_else(|| believed.sample_view(view, chance))
    }
}
