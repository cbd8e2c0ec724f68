//! Variants as networks see them.

use parlour_game::Reward;
use parlour_game::encoded::{Encoded, Plane};

use crate::network::Change;

/// A variant as the network sees it.
pub(crate) struct Variant<G> {
    pub(crate) game: G,
    /// The scale of each number of an observation.
    pub(crate) scales: Vec<f32>,
    /// The inputs after those of the observation: the rules.
    pub(crate) rules: Vec<f32>,
    /// The number of actions.
    pub(crate) actions: usize,
    /// The reward at the end, and its highest amount.
    reward: Reward,
    most: f32,
}

impl<G: Encoded> Variant<G> {
    pub(crate) fn new(game: G, scales: Vec<f32>, reward: Reward) -> Variant<G> {
        let mut rules = vec![0; G::RULE_NUMBERS];
        game.observe_rules(&mut rules);
        let rules = rules.into_iter().map(f32::from).collect();
        let [_, actions] = game.full_sizes();
        let (low, high) = reward.range(game.score_range(), game.seats());
        let most = low.abs().max(high);
        Variant { game, scales, rules, actions, reward, most }
    }

    /// Returns scales for observations of this game.
    pub(crate) fn scales(game: &G) -> Vec<f32> {
        let scale = |plane: &Plane| {
            let scale = if plane.most <= 1 { 1.0 } else { f64::from(plane.most).sqrt().recip() };
            std::iter::repeat_n((scale * 0.7) as f32, plane.count())
        };
        let mut scales: Vec<f32> = game.planes().iter().flat_map(scale).collect();
        scales.resize(game.full_sizes()[0], 0.7);
        scales
    }

    /// Appends the differences between two observations. `block` is the place of the first number.
    pub(crate) fn changes(&self, before: &[u8], after: &[u8], block: usize, out: &mut Vec<Change>) {
        let eights = before.chunks(16).zip(after.chunks(16)).enumerate();
        for (part, (before, after)) in eights.filter(|(_, (before, after))| before != after) {
            for (at, (before, after)) in before.iter().zip(after).enumerate() {
                if before != after {
                    let place = 16 * part + at;
                    let difference = f32::from(*after) - f32::from(*before);
                    out.push(((block + place) as u32, difference * self.scales[place]));
                }
            }
        }
    }

    /// Replaces `out` by the rewards of a finished hand by seat, from -1 to 1.
    pub(crate) fn rewards(&self, state: &G::State, out: &mut Vec<f32>) {
        let scores = self.game.scores(state);
        out.clear();
        out.extend((0..scores.0.len()).map(|seat| self.reward.of(&scores, seat) / self.most));
    }

    /// Appends the inputs of the rules.
    pub(crate) fn rule_changes(&self, block: usize, out: &mut Vec<Change>) {
        let rules = (block as u32..).zip(&self.rules).filter(|(_, it)| **it != 0.0);
        out.extend(rules.map(|(input, it)| (input, *it)));
    }
}
