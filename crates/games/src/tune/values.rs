//! Choosing among values: whole numbers, words, and whatever else a field may hold.

use std::time::Instant;

use super::climb::PATIENCE;
use super::stage::Stage;
use super::task::Found;
use super::{Fields, Halving, Task};
use parlour_arena::BotFactory;
use parlour_base::error::{Error, Result, ensure};
use parlour_game::Sweep;
use parlour_game::strategy::Strategic;

/// The most candidates.
const MOST: u128 = 1000;

impl<G: Strategic> Task<'_, G> {
    /// Halves all combinations of the values until one is left.
    pub(super) fn halve(
        &self,
        fields: &Fields<'_, G>,
        values: &Sweep,
        games: &[&G],
        state: &mut Stage,
    ) -> Result<Found> {
        let count = values.count();
        ensure(count <= MOST, || {
            Error::input(format!(
                "there are {count} combinations of values, and at most {MOST} are tried; with {} \
                 deals that would be {} hands at least",
                self.deals,
                count.saturating_mul(32)
            ))
        })?;
        let least = Halving::new(count as usize, 0).total();
        ensure(self.deals >= least, || {
            Error::input(format!(
                "`--deals` is {}; to try {count} combinations of values takes at least {least}",
                self.deals
            ))
        })?;
        let combinations = values.combinations();
        let strategies = combinations.iter().map(|values| fields.with(values));
        let candidates = strategies.map(|strategy| Ok(BotFactory::Strategy(strategy?.spec)));
        let candidates: Vec<BotFactory<G>> = candidates.collect::<Result<_>>()?;
        let other = BotFactory::Strategy(self.against.unwrap_or(self.strategy).spec.clone());
        let contest = self.contest(games, "values");
        let fresh = || Halving::new(candidates.len(), self.deals);
        let mut search = state.halving.take().unwrap_or_else(fresh);
        let mut saved = Instant::now();
        while let Some((number, from, deals)) = search.next() {
            let Some(won) = contest.score([&candidates[number], &other], from, deals) else {
                state.halving = Some(search);
                return Err(self.stopped(state));
            };
            search.add(number, &won);
            if saved.elapsed() > PATIENCE {
                state.halving = Some(search.clone());
                state.save(self.out)?;
                saved = Instant::now();
            }
        }
        let ranking = search.ranking();
        let deals = ranking.iter().map(|(_, won)| won.n).sum();
        let file = fields.changed(&combinations[ranking[0].0]);
        state.halving = Some(search);
        Ok(Found { file, deals, idle: Vec::new(), by: "successive halving" })
    }
}
