//! Selection of the next move at a node of the tree.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Decide;
use super::maths::{Logs, exp, ln};
use super::tree::{Node, ROOT, Tree};
use parlour_base::chance::Stream;

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
pub(super) enum Step<M> {
    /// A child, and the probability with which EXP3 selected it.
    Known(u32, f32),
    /// A move that has no child yet.
    New(M),
}

/// The selection rule and its buffers.
pub(super) struct Chooser {
    pub options: TreeOptions,
    logs: Logs,
    /// The legal children and their EXP3 weights.
    weights: Vec<(u32, f64)>,
}

impl Chooser {
    pub fn new(options: TreeOptions) -> Chooser {
        Chooser { options, logs: Logs::new(), weights: Vec::new() }
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
        let visits = tree.node(index).visits;
        let (first, children) = tree.children_mut(index);
        let is_exp3 = self.options.bandit == Bandit::Exp3;
        self.weights.clear();
        let (mut known, mut best, mut chosen) = (0, f32::NEG_INFINITY, first);
        let mut at = 0;
        for &mv in legal {
            while at < children.len() && children[at].mv < mv {
                at += 1;
            }
            let Some(child) = children.get_mut(at).filter(|child| child.mv == mv) else { continue };
            child.available += u32::from(counted);
            known += 1;
            let place = first + at as u32;
            if is_exp3 {
                self.weights.push((place, child.squares));
            } else {
                let bound = self.bound(child);
                if bound > best {
                    (best, chosen) = (bound, place);
                }
            }
            at += 1;
        }
        let new = legal.len() - known;
        let try_new = new > 0
            && (known == 0
                || match self.options.expansion {
                    Expansion::All => true,
                    Expansion::Urgency(urgency) => is_exp3 || best < urgency,
                    Expansion::Widening { base, power } => {
                        let n = f64::from(visits.max(1));
                        index == ROOT || (known as f64) < base * exp(power * ln(n))
                    }
                });
        if try_new {
            return Step::New(self.new_move(tree, index, legal, new, chance, suggest));
        }
        if is_exp3 {
            let (place, chance_of_it) = self.draw(chance);
            return Step::Known(place, chance_of_it);
        }
        Step::Known(chosen, 1.0)
    }

    /// Selects at the root by UCB1 with `weight` virtual visits of each move. Their mean is the
    /// root's mean plus the move's prior. `priors` is in the order of moves. Ties go to the lower
    /// move.
    pub fn guided_step<M: Copy + Ord>(
        &self,
        tree: &Tree<M>,
        priors: &[(M, f32)],
        weight: f32,
    ) -> Step<M> {
        let root = tree.node(ROOT);
        let explore = self.options.exploration as f32 * self.logs.of(root.visits.max(1)).sqrt();
        let (first, children) = tree.children(ROOT);
        let (mut best, mut chosen) = (f32::NEG_INFINITY, (root.mv, None));
        let mut at = 0;
        for &(mv, prior) in priors {
            while at < children.len() && children[at].mv < mv {
                at += 1;
            }
            let child = children.get(at).filter(|child| child.mv == mv);
            let (visits, total) =
                child.map_or((0.0, 0.0), |child| (child.visits as f32, child.total as f32));
            let visits = visits + weight;
            let mean = (total + weight * (Self::usual(root) + prior)) / visits;
            let bound = mean + explore / visits.sqrt();
            if bound > best {
                (best, chosen) = (bound, (mv, child.map(|_| first + at as u32)));
            }
        }
        match chosen {
            (_, Some(child)) => Step::Known(child, 1.0),
            (mv, None) => Step::New(mv),
        }
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
        let spread = self.logs.of(child.available.max(1)) * inverse;
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
        &mut self,
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
        let mut known = tree.children(index).1.iter().map(|child| child.mv).peekable();
        let is_new = |mv: &M| {
            while known.next_if(|known| known < mv).is_some() {}
            known.peek() != Some(mv)
        };
        legal.iter().copied().filter(is_new).nth(drawn).unwrap_or(legal[0])
    }

    /// Draws a child by EXP3: the softmax of the estimated gains, mixed with the uniform
    /// distribution.
    fn draw(&mut self, chance: &mut Stream) -> (u32, f32) {
        let count = self.weights.len() as f64;
        let gamma = self.options.exploration.clamp(1e-6, 1.0);
        let top = self.weights.iter().fold(f64::NEG_INFINITY, |top, (_, gain)| top.max(*gain));
        let mut sum = 0.0;
        for (_, weight) in &mut self.weights {
            *weight = exp(gamma * (*weight - top) / count);
            sum += *weight;
        }
        let mut left = chance.unit();
        let mut last = (ROOT, 1.0);
        for &(place, weight) in &self.weights {
            let share = (1.0 - gamma) * weight / sum + gamma / count;
            last = (place, share as f32);
            if left < share {
                break;
            }
            left -= share;
        }
        last
    }

    /// Adds a reward at a visited node; `chance_of_it` is the probability from
    /// [`step`](Chooser::step).
    #[inline]
    pub fn reward<M>(&self, node: &mut Node<M>, reward: f32, chance_of_it: f32) {
        let reward = f64::from(reward);
        node.visits += 1;
        node.total += reward;
        node.squares += match self.options.bandit {
            Bandit::Exp3 => reward / f64::from(chance_of_it),
            _ => reward * reward,
        };
    }
}
