//! Matches of two strategies on paired deals: the same cards from both sides.

use std::sync::atomic::Ordering;

use rayon::prelude::*;

use super::request::TuneRequest;
use parlour_arena::{BotFactory, LineUp, Variant, seat_of, slot_of};
use parlour_base::chance::Seed;
use parlour_game::strategy::Strategic;
use parlour_stats::Moments;

/// The unit of a deal's score: each match counts two quarters for a win and one for a draw.
pub(super) const QUARTER: f64 = 0.25;

/// A match of two strategies on paired deals.
pub(super) struct PairedMatch<'a, G> {
    /// The variants, played in turn.
    pub variants: &'a [Variant<G>],
    /// The seed of all deals.
    pub seed: Seed,
    /// The request, which can stop the match.
    pub request: &'a TuneRequest<'a>,
}

impl<G: Strategic> PairedMatch<'_, G> {
    /// Returns the first strategy's quarters of a deal, from 0 to 4.
    pub fn play_deal(&self, deal: u64, bots: [&BotFactory<G>; 2]) -> i64 {
        let game = &self.variants[(deal % self.variants.len() as u64) as usize].game;
        let seed = self.seed.child(deal);
        let mut line_up = LineUp::new(game, bots);
        let mut quarters = 0;
        for rotation in 0..2 {
            let mut lead = 0;
            for hand in 0..game.hands_per_match() {
                let start = seed.named("deal").child(hand.into()).stream();
                let choice = seed.named("choice").child(rotation.into()).child(hand.into());
                let slot_at = |seat| slot_of(seat, rotation, hand, 2);
                if let Some(ended) = line_up.play(false, &start, choice, slot_at) {
                    let points = |slot| ended.scores.0[seat_of(slot, rotation, hand, 2)];
                    lead += points(0) - points(1);
                }
            }
            line_up.reset_bots();
            quarters += 1 + i64::from(lead.signum());
        }
        self.request.observer.played(2 * u64::from(game.hands_per_match()));
        quarters
    }

    /// Returns the first strategy's quarters over `deals` deals from number `from`; `None` if stopped.
    pub fn play(&self, bots: [&BotFactory<G>; 2], from: u64, deals: u64) -> Option<Moments> {
        let one = |deal| {
            let is_stopped = self.request.stop.load(Ordering::Relaxed);
            (!is_stopped).then(|| [self.play_deal(deal, bots)].into_iter().collect())
        };
        let merge = |mut sum: Moments, other: Moments| {
            sum.merge(&other);
            Some(sum)
        };
        (from..from + deals).into_par_iter().map(one).try_reduce(Moments::default, merge)
    }
}
