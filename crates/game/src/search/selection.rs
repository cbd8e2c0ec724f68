//! Selection of the next move at a node of the tree.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::result::Decide;
use super::root::RootMove;
use super::tree::{Node, ROOT, Tree};
use parlour_base::chance::Stream;
use parlour_base::maths::{exp, ln};

/// The bandit algorithm that selects among the known moves of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Bandit {
    /// UCB1 (Auer, Cesa-Bianchi and Fischer 2002) with the `exploration` constant and with
    /// availability counts instead of the parent's visits.
    #[default]
    Ucb1,
    /// UCB1-tuned (same paper, section 4): the exploration term shrinks with the variance.
    Ucb1Tuned,
    /// EXP3 (Auer, Cesa-Bianchi, Freund and Schapire 2002) with `exploration` as γ.
    Exp3,
}

/// The rule by which an untried move is expanded before the known ones.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Expansion {
    /// Every move is tried once first.
    #[default]
    All,
    /// Expand when no known move has an upper bound above this value (first-play urgency: Gelly and
    /// Wang 2006).
    Urgency(#[schemars(range(min = -1000, max = 1000))] f32),
    /// Expand while a node has fewer known moves than `base` · visits^`power` (progressive
    /// widening: Coulom 2007; Chaslot et al. 2008). The root is always expanded.
    Widening {
        /// Number of moves after one visit.
        #[schemars(range(min = 1e-6, max = 1e6))]
        base: f64,
        /// Growth exponent.
        #[schemars(range(min = 0, max = 1))]
        power: f64,
    },
}

parlour_base::files::text::defaults! {
    /// Options of a tree search.
    #[derive(Copy)]
    pub struct TreeOptions {
        /// Factor of the exploration term; with `exp3` it is γ, above 0 and at most 1.
        #[schemars(range(min = 0, max = 100))]
        pub exploration: f64 = 0.7,
        /// Bandit algorithm that selects among the known moves.
        pub bandit: Bandit = Bandit::Ucb1,
        /// Rule by which a new move is tried.
        pub expansion: Expansion = Expansion::All,
        /// Try the move of the playout policy first among the new moves.
        pub suggested_first: bool = true,
        /// Let opponents use the playout policy inside the tree as well, so that only the own moves
        /// are searched (opponent modelling). Otherwise opponents search for their own best moves
        /// against the worlds of the searching seat, and so know its hand too well.
        pub opponents_use_playout_policy: bool = false,
        /// Search moves that the game declares equivalent only once (action abstraction).
        pub dedup_moves: bool = true,
        /// Maximum depth of the trees in moves; playouts start below it. With 1 the search is flat.
        /// Without a value there is no limit.
        #[schemars(range(min = 1, max = 1000))]
        pub depth: Option<u32> = None,
        /// Rule that selects the final move.
        pub decide: Decide = Decide::Visits,
        /// Memory limit for all trees in megabytes. A full tree stops growing; sampling continues.
        #[schemars(range(min = 1, max = 4096))]
        pub memory_mb: u32 = 64,
    }
}

/// The selection at a node.
pub(super) struct Step<M> {
    pub mv: M,
    /// The node of the move; `None` if it has none yet.
    pub child: Option<u32>,
    /// The probability with which EXP3 selected the child.
    pub probability: f32,
}

impl<M> Step<M> {
    /// Selects a move that has no child yet, or that is not looked up.
    pub fn new(mv: M) -> Step<M> {
        Step { mv, child: None, probability: 1.0 }
    }
}

/// Number of logarithms that are kept.
const LOGS: u32 = 4096;

fn log(n: u32) -> f32 {
    ln(f64::from(n.max(1))) as f32
}

/// The selection rule and its buffers.
pub(super) struct Chooser {
    options: TreeOptions,
    /// The logarithms of the first whole numbers; 0 for 0.
    logs: Vec<f32>,
    /// The legal children, each with its upper bound or its EXP3 weight.
    scores: Vec<(u32, f64)>,
}

impl Chooser {
    pub fn new(options: TreeOptions) -> Chooser {
        Chooser { options, logs: (0..LOGS).map(log).collect(), scores: Vec::new() }
    }

    /// Counts the legal moves as available and selects one of them. `suggest` names the preferred
    /// first move among the new ones. Ties go to the lower move.
    ///
    /// `legal` must be sorted and not empty.
    pub fn step<M: Copy + Ord>(
        &mut self,
        tree: &mut Tree<M>,
        index: u32,
        legal: &[M],
        counted: bool,
        chance: &mut Stream,
        suggest: impl FnOnce(&mut Stream) -> Option<M>,
    ) -> Step<M> {
        let is_exp3 = self.options.bandit == Bandit::Exp3;
        let known = tree.pair(index, legal.iter().copied()).filter_map(|(_, child)| child);
        self.scores.clear();
        self.scores.extend(known.map(|child| (child, 0.0)));
        for at in 0..self.scores.len() {
            let child = tree.node_mut(self.scores[at].0);
            child.available += u32::from(counted);
            self.scores[at].1 = if is_exp3 { child.squares } else { f64::from(self.bound(child)) };
        }
        let best = self.scores.iter().copied().reduce(|a, b| if b.1 > a.1 { b } else { a });
        let new = legal.len() - self.scores.len();
        let expands = match (best, self.options.expansion) {
            _ if new == 0 => false,
            (None, _) | (_, Expansion::All) => true,
            (Some((_, bound)), Expansion::Urgency(urgency)) => {
                is_exp3 || bound < f64::from(urgency)
            }
            (_, Expansion::Widening { base, power }) => {
                let visits = f64::from(tree.node(index).visits.max(1));
                index == ROOT || (self.scores.len() as f64) < base * exp(power * ln(visits))
            }
        };
        let (child, probability) = match best {
            Some((child, _)) if !expands => {
                if is_exp3 {
                    self.draw(chance)
                } else {
                    (child, 1.0)
                }
            }
            _ => return Step::new(self.new_move(tree, index, legal, new, chance, suggest)),
        };
        Step { mv: tree.node(child).mv, child: Some(child), probability }
    }

    /// Selects at the root by UCB1 with `weight` virtual visits of each candidate. Their mean is
    /// the root's mean plus the move's prior. Ties go to the lower move.
    pub fn guided_step<M: Copy + Ord>(
        &self,
        tree: &Tree<M>,
        root_moves: &[RootMove<M>],
        weight: f32,
    ) -> Step<M> {
        let root = tree.node(ROOT);
        let explore = self.options.exploration as f32 * self.log(root.visits).sqrt();
        let (mut best, mut chosen) = (f32::NEG_INFINITY, Step::new(root.mv));
        let children = tree.pair(ROOT, root_moves.iter().map(|candidate| candidate.mv));
        for (RootMove { prior, is_pruned, .. }, (mv, child)) in root_moves.iter().zip(children) {
            let node = child.map(|child| tree.node(child));
            let visits = node.map_or(0.0, |node| node.visits as f32) + weight;
            let total = node.map_or(0.0, |node| node.total as f32);
            let mean = (total + weight * (Self::usual(root) + prior)) / visits;
            let bound = mean + explore / visits.sqrt();
            if bound > best && !is_pruned {
                (best, chosen) = (bound, Step { child, ..Step::new(mv) });
            }
        }
        chosen
    }

    #[inline]
    fn log(&self, n: u32) -> f32 {
        self.logs.get(n as usize).copied().unwrap_or_else(|| log(n))
    }

    /// The mean reward at the root.
    pub fn usual<M>(root: &Node<M>) -> f32 {
        if root.visits == 0 { 0.5 } else { (root.total / f64::from(root.visits)) as f32 }
    }

    /// The upper confidence bound of a known move.
    #[inline]
    fn bound<M>(&self, child: &Node<M>) -> f32 {
        if child.visits == 0 {
            return f32::INFINITY;
        }
        let visits = child.visits as f32;
        let inverse = 1.0 / visits;
        let mean = child.total as f32 * inverse;
        let spread = self.log(child.available) * inverse;
        let explore = self.options.exploration as f32;
        match self.options.bandit {
            Bandit::Ucb1Tuned => {
                let variance = (child.squares as f32 * inverse - mean * mean).max(0.0);
                let bound = (variance + (2.0 * spread).sqrt()).min(0.25);
                mean + explore * (spread * bound).sqrt()
            }
            _ => mean + explore * spread.sqrt(),
        }
    }

    fn new_move<M: Copy + Ord>(
        &self,
        tree: &Tree<M>,
        index: u32,
        legal: &[M],
        new: usize,
        chance: &mut Stream,
        suggest: impl FnOnce(&mut Stream) -> Option<M>,
    ) -> M {
        if self.options.suggested_first
            && let Some(mv) = suggest(chance)
            && legal.binary_search(&mv).is_ok()
            && tree.child(index, mv).is_none()
        {
            return mv;
        }
        let drawn = chance.below(new as u32) as usize;
        let moves = tree.pair(index, legal.iter().copied());
        let new = moves.filter(|(_, child)| child.is_none()).nth(drawn);
        new.map_or(legal[0], |(mv, _)| mv)
    }

    /// Draws a child by EXP3: the softmax of the estimated gains, mixed with the uniform
    /// distribution.
    fn draw(&mut self, chance: &mut Stream) -> (u32, f32) {
        let count = self.scores.len() as f64;
        let gamma = self.options.exploration.clamp(1e-6, 1.0);
        let top = self.scores.iter().fold(f64::NEG_INFINITY, |top, (_, gain)| top.max(*gain));
        let mut sum = 0.0;
        for (_, weight) in &mut self.scores {
            *weight = exp(gamma * (*weight - top) / count);
            sum += *weight;
        }
        let mut left = chance.unit();
        let mut last = (ROOT, 1.0);
        for &(place, weight) in &self.scores {
            let share = (1.0 - gamma) * weight / sum + gamma / count;
            last = (place, share as f32);
            if left < share {
                break;
            }
            left -= share;
        }
        last
    }

    /// Adds a reward at a visited node; `probability` is the probability from
    /// [`step`](Chooser::step).
    #[inline]
    pub fn reward<M>(&self, node: &mut Node<M>, reward: f32, probability: f32) {
        let reward = f64::from(reward);
        node.visits += 1;
        node.total += reward;
        node.squares += match self.options.bandit {
            Bandit::Exp3 => reward / f64::from(probability),
            _ => reward * reward,
        };
    }
}
