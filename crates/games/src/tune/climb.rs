//! Tuning decimals: climbs from several starts.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::stage::Stage;
use super::task::Found;
use super::{Climb, Fields, Gains, Number, Task};
use parlour_arena::BotFactory;
use parlour_base::chance::Seed;
use parlour_base::error::{Error, Result, ensure};
use parlour_game::strategy::{Spec, Strategic};

/// Deals between two steps.
pub(super) const BATCH: u64 = 256;

/// The perturbation of the first step, as a share of each number.
const PERTURBATION: f64 = 0.25;

/// What the first step multiplies the slope by. (A batch knows the slope of one number among some
/// forty to ± 0.02; at this gain the first step is then some 0.03 of the number.)
const GAIN: f64 = 0.64;

/// How far around the strategy's own numbers the other starts lie, as a share of each number.
const AROUND: f64 = 0.5;

/// The least and the most deals after which a number that changed no hand is taken to have no effect.
const PROBE: (u64, u64) = (64, 512);

/// How long a tuning goes on before it is written down.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// The values of numbers at a place that is scaled by their sizes.
fn values(numbers: &[Number], scaled: &[f64]) -> Vec<f64> {
    numbers.iter().zip(scaled).map(|(number, x)| number.at(*x)).collect()
}

impl<G: Strategic> Task<'_, G> {
    /// Climbs from all starts, and takes the best of where they end.
    pub(super) fn climb(
        &self,
        fields: &Fields<'_, G>,
        wanted: &[String],
        games: &[&G],
        state: &mut Stage,
    ) -> Result<Found> {
        let (idle, numbers) = self.probed(fields, fields.decimals(wanted)?, games, state)?;
        let name = &self.strategy.name;
        ensure(!numbers.is_empty(), || {
            Error::input(format!("no number of `{name}` has an effect under these rules"))
        })?;
        let gains = Gains { first: GAIN, perturbation: PERTURBATION, steps: self.deals / BATCH };
        let mut saved = Instant::now();
        for start in 0..self.starts {
            if state.climbs.len() as u64 == start {
                state.climbs.push(Climb::new(self.start(&numbers, start)));
            }
            while !state.climbs[start as usize].is_over(&gains) {
                let climb = &mut state.climbs[start as usize];
                let part = format!("climb {start} {}", climb.step);
                let look =
                    |at: &[f64], size: f64| self.look(fields, &numbers, games, &part, at, size);
                if climb.advance(&gains, look).is_none() {
                    return Err(self.stopped(state));
                }
                if saved.elapsed() > PATIENCE {
                    state.save(self.out)?;
                    saved = Instant::now();
                }
            }
        }
        state.save(self.out)?;
        let base = BotFactory::Strategy(self.strategy.spec.clone());
        let mut best: Option<(i64, Vec<f64>)> = None;
        for climb in &state.climbs {
            let values = values(&numbers, &climb.answer());
            let bots = BotFactory::Strategy(fields.moved(&numbers, &values)?);
            let other = self.against.map(|other| BotFactory::Strategy(other.spec.clone()));
            let contest = self.contest(games, "choose");
            let won = contest.score([&bots, other.as_ref().unwrap_or(&base)], 0, self.confirm);
            let won = won.ok_or_else(|| self.stopped(state))?;
            if best.as_ref().is_none_or(|(most, _)| won.sum > *most) {
                best = Some((won.sum, values));
            }
        }
        let values = best.map_or_else(Vec::new, |(_, values)| values);
        let values: Vec<serde_json::Value> = values.into_iter().map(Into::into).collect();
        let named = numbers.iter().map(|number| number.name.as_str()).zip(&values).collect();
        let deals = self.starts * gains.steps * BATCH;
        Ok(Found { file: fields.changed(&named), deals, idle, by: "SPSA" })
    }

    /// Where a climb starts: the strategy itself, or a point around it.
    fn start(&self, numbers: &[Number], start: u64) -> Vec<f64> {
        let mut chance = Seed::new(self.seed).named("tune").named("starts").child(start).stream();
        let around = |number: &Number| {
            let away = if start == 0 { 0.0 } else { AROUND * (2.0 * chance.unit() - 1.0) };
            number.value / number.size + away
        };
        numbers.iter().map(around).collect()
    }

    /// What a batch of deals says of the slope: for each number the mean of its sign times the
    /// result. `None` when it was stopped.
    fn look(
        &self,
        fields: &Fields<'_, G>,
        numbers: &[Number],
        games: &[&G],
        part: &str,
        at: &[f64],
        size: f64,
    ) -> Option<Vec<f64>> {
        let contest = self.contest(games, part);
        let signs = contest.seed.named("signs");
        let other = self.against.map(|other| BotFactory::Strategy(other.spec.clone()));
        let one = |deal: u64| -> Option<(i64, Vec<i64>)> {
            if self.is_stopped() {
                return None;
            }
            let mut chance = signs.child(deal).stream();
            let signs: Vec<i64> =
                at.iter().map(|_| if chance.bits() >> 63 == 0 { -1 } else { 1 }).collect();
            let moved = |way: f64| -> Option<Spec<G::Kind>> {
                let scaled: Vec<f64> =
                    at.iter().zip(&signs).map(|(x, sign)| x + way * size * *sign as f64).collect();
                fields.moved(numbers, &values(numbers, &scaled)).ok()
            };
            // Numbers out of range tell nothing.
            let Some((up, down)) = moved(1.0).zip(moved(-1.0)) else { return Some((0, signs)) };
            let (up, down) = (BotFactory::Strategy(up), BotFactory::Strategy(down));
            let result = match &other {
                None => contest.deal(deal, [&up, &down]) - 2,
                Some(other) => {
                    contest.deal(deal, [&up, other]) - contest.deal(deal, [&down, other])
                }
            };
            Some((result, signs))
        };
        // Whole numbers, whose sum does not depend on their order.
        let add = |mut sums: Vec<i64>, (result, signs): (i64, Vec<i64>)| {
            sums.iter_mut().zip(signs).for_each(|(sum, sign)| *sum += sign * result);
            sums
        };
        let looks: Vec<(i64, Vec<i64>)> =
            (0..BATCH).into_par_iter().map(one).collect::<Option<_>>()?;
        let sums = looks.into_iter().fold(vec![0; at.len()], add);
        Some(sums.into_iter().map(|sum| sum as f64 / (4 * BATCH) as f64).collect())
    }

    /// The names of the numbers that have no effect under these rules, and the other numbers: to
    /// move the former would be to shake them.
    fn probed(
        &self,
        fields: &Fields<'_, G>,
        numbers: Vec<Number>,
        games: &[&G],
        state: &Stage,
    ) -> Result<(Vec<String>, Vec<Number>)> {
        let contest = self.contest(games, "probe");
        let base = BotFactory::Strategy(self.strategy.spec.clone());
        let deals = (self.deals / 16).clamp(PROBE.0, PROBE.1);
        let (mut idle, mut active) = (Vec::new(), Vec::new());
        for number in numbers {
            let tells = |way: f64| -> Result<bool> {
                let value = number.at(number.value / number.size + way);
                let Ok(moved) = fields.moved(std::slice::from_ref(&number), &[value]) else {
                    return Ok(false);
                };
                let moved = BotFactory::Strategy(moved);
                // Who plays the same wins as much from one side as from the other.
                let differs = |deal| self.is_stopped() || contest.deal(deal, [&moved, &base]) != 2;
                let found = (0..deals).into_par_iter().any(differs);
                if self.is_stopped() { Err(self.stopped(state)) } else { Ok(found) }
            };
            match tells(1.0)? || tells(-1.0)? {
                true => active.push(number),
                false => idle.push(number.name),
            }
        }
        Ok((idle, active))
    }
}
