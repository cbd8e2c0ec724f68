//! Sampling of decisions: the moves of some deals are compared with their alternatives.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::hand::LineUp;
use parlour_base::chance::{Seed, Stream};
use parlour_base::error::{Error, Result};
use parlour_base::files::digest;
use parlour_game::strategy::Strategic;
use parlour_game::{Label, LuckEvaluator, Replay};

/// Analyzes the decisions of every n-th deal.
pub(super) struct DecisionSampler<G: Strategic> {
    every: NonZeroU32,
    /// The game's own judge of moves, with the digest of its file.
    judge: Option<(Arc<dyn LuckEvaluator<G>>, String)>,
}

impl<G: Strategic> Clone for DecisionSampler<G> {
    fn clone(&self) -> Self {
        DecisionSampler { every: self.every, judge: self.judge.clone() }
    }
}

impl<G: Strategic> DecisionSampler<G> {
    /// Creates a sampler with the game's own judge.
    ///
    /// # Errors
    /// If the judge cannot be read.
    pub fn new(every: NonZeroU32) -> Result<DecisionSampler<G>> {
        let read = |file: &[u8]| -> Result<(Arc<dyn LuckEvaluator<G>>, String)> {
            let judge = G::luck_evaluator(file).map_err(Error::input)?;
            Ok((judge.into(), digest(file)))
        };
        Ok(DecisionSampler { every, judge: G::LUCK_EVALUATOR.map(read).transpose()? })
    }

    /// Returns the digest of the judge's file.
    pub fn judge_digest(&self) -> Option<String> {
        self.judge.as_ref().map(|(_, digest)| digest.clone())
    }

    /// Returns `true` if the deal is in the sample.
    pub fn includes(&self, deal: u64) -> bool {
        deal.is_multiple_of(self.every.get().into())
    }

    /// Counters the decisions of the hand that `line_up` has just played.
    ///
    /// `start` is the stream before the deal, `choice` the seed of the players' streams.
    pub fn analyze_decisions(
        &self,
        line_up: &LineUp<'_, G>,
        start: &Stream,
        choice: Seed,
        end: &G::State,
    ) -> G::HandCounts {
        let game = line_up.game();
        let label = Label {
            variant: String::new(),
            deal: 0,
            hand: 0,
            rotation: 0,
            seed: 0,
            seats: vec![String::new(); game.seats()],
        };
        let moves: Vec<G::Move> = line_up.moves().iter().map(|(_, mv)| *mv).collect();
        let record = game.record(&label, start.clone(), &moves, end);
        // The replay of a hand that was just played does not fail.
        let Ok(Replay { choices, .. }) = G::replay(&record) else {
            return G::HandCounts::default();
        };
        let judge = self.judge.as_ref().map(|(judge, _)| &**judge);
        // The label of this stream must not change: seeds depend on it.
        game.count_decisions(&choices, judge, &mut choice.named("looking").stream())
    }
}
