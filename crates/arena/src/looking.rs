//! Looking at the decisions of hands: which hands, and by whose judgement.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::hand::LineUp;
use crate::chance::{Seed, Stream};
use crate::error::{Error, Result};
use crate::files::digest;
use crate::game::{Label, LuckEvaluator, Replay};
use crate::strategy::Strategic;

/// Looks at the decisions of some of the hands of a run.
pub(super) struct Looking<G: Strategic> {
    /// Of one deal in so many.
    every: NonZeroU32,
    /// Who says what moves were worth, where the game has a judge, with the digest of its file.
    judge: Option<(Arc<dyn LuckEvaluator<G>>, String)>,
}

impl<G: Strategic> Clone for Looking<G> {
    fn clone(&self) -> Self {
        Looking { every: self.every, judge: self.judge.clone() }
    }
}

impl<G: Strategic> Looking<G> {
    /// At one deal in so many, judged by the game's own judge.
    ///
    /// # Errors
    /// When that judge cannot be read.
    pub fn new(every: NonZeroU32) -> Result<Looking<G>> {
        let read = |file: &[u8]| -> Result<(Arc<dyn LuckEvaluator<G>>, String)> {
            let judge = G::luck_evaluator(file).map_err(Error::input)?;
            Ok((judge.into(), digest(file)))
        };
        Ok(Looking { every, judge: G::LUCK_EVALUATOR.map(read).transpose()? })
    }

    /// The digest of the judge's file.
    pub fn judge(&self) -> Option<String> {
        self.judge.as_ref().map(|(_, digest)| digest.clone())
    }

    /// Whether it looks at the hands of this deal.
    pub fn at(&self, deal: u64) -> bool {
        deal.is_multiple_of(self.every.get().into())
    }

    /// Looks at the hand that was just played, whose moves are known, and counts its decisions: `start`
    /// is the chance before its deal, `choice` what its players' chance grew from.
    pub fn look(
        &self,
        line_up: &LineUp<'_, G>,
        start: &Stream,
        choice: Seed,
        end: &G::State,
    ) -> G::HandCounts {
        let game = line_up.game();
        let nameless = Label {
            variant: String::new(),
            deal: 0,
            hand: 0,
            rotation: 0,
            seed: 0,
            seats: vec![String::new(); game.seats()],
        };
        let moves: Vec<G::Move> = line_up.moves.iter().map(|(_, mv)| *mv).collect();
        let record = game.record_to(&nameless, start.clone(), &moves, end);
        // A record of a hand that was played can be played again.
        let Ok(Replay { choices, .. }) = G::replay(&record) else {
            return G::HandCounts::default();
        };
        let judge = self.judge.as_ref().map(|(judge, _)| &**judge);
        game.count_decisions(&choices, judge, &mut choice.named("looking").stream())
    }
}
