//! Tuning of a strategy: search, confirmation on fresh deals, and the file of the result.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::checkpoint::Checkpoint;
use super::fields::{Fields, RealField, dotted};
use super::halving::Halving;
use super::paired_match::{PairedMatch, QUARTER};
use super::request::{ChangedField, SearchSpace, TuneOutcome, TuneRequest};
use super::spsa::{Gains, Spsa};
use parlour_arena::{BotFactory, Variant};
use parlour_base::chance::Seed;
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::{Library, pretty, write_atomic};
use parlour_game::Sweep;
use parlour_game::strategy::{Strategic, Strategy, Tuned};
use parlour_stats::{Estimate, Moments};

/// Deals of one SPSA step.
const BATCH: u64 = 256;

/// The perturbation of the first step, relative to each field.
const PERTURBATION: f64 = 0.25;

/// The gain of the first step. A batch estimates the slope of one among about 40 fields to ±0.02; at
/// this gain the first step then changes a field by about 3 %.
const GAIN: f64 = 0.64;

/// The spread of the other starting points around the strategy, relative to each field.
const SPREAD: f64 = 0.5;

/// The minimum and maximum number of deals that test whether a field has an effect.
const PROBE_DEALS: (u64, u64) = (64, 512);

/// The maximum number of combinations of values.
const MAX_COMBINATIONS: u128 = 1000;

/// The interval between checkpoints.
const SAVE_INTERVAL: Duration = Duration::from_secs(2);

/// Tunes a strategy, and writes a file if there is a gain.
pub(crate) fn tune<G: Strategic>(request: &TuneRequest<'_>) -> Result<TuneOutcome> {
    let library = Library::strategies(G::NAME);
    let load = |name: &String| Strategy::<G>::load(&library, name);
    let strategy = load(&request.strategy)?;
    let against = request.against.as_ref().map(load).transpose()?;
    let variants: Vec<Variant<G>> = match &request.variants[..] {
        [] => vec![Variant::named(G::presets()[0].name)?],
        names => names.iter().map(|name| Variant::named(name)).collect::<Result<_>>()?,
    };
    ensure(request.starts > 0, || Error::input("`--starts` must be at least 1"))?;
    let default = || PathBuf::from(format!("{}-tuned.json", strategy.name));
    let out = request.out.clone().unwrap_or_else(default);
    ensure(request.replace || !out.exists(), || {
        let place = out.display();
        Error::input(format!(
            "{place} already exists: use `--replace` to overwrite it, or `--out` for another file"
        ))
    })?;
    for Variant { name, game } in &variants {
        let seats = game.seats();
        ensure(seats == 2, || {
            Error::input(format!(
                "variant `{name}` has {seats} seats; tuning a strategy needs tables of 2"
            ))
        })?;
    }
    ensure(request.deals >= BATCH && request.confirm > 1, || {
        Error::input(format!("tuning needs at least {BATCH} deals, and 2 to confirm"))
    })?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(request.threads).build();
    let pool = pool.map_err(|e| Error::failed(format!("cannot start the threads: {e}")))?;
    let fields = Fields::new(&strategy);
    let rules = |v: &Variant<G>| json!({ "name": v.name, "rules": v.game.rules() });
    let mut inputs = json!(request);
    inputs["program"] = json!(request.program.to_string());
    inputs["game"] = json!(G::NAME);
    inputs["strategy"] = fields.options.clone();
    inputs["against"] = json!(against.as_ref().map(|other| &other.spec));
    inputs["variants"] = variants.iter().map(rules).collect();
    let checkpoint = Checkpoint::open(&out, inputs, request.resume)?;
    let tuner = StrategyTuner {
        request,
        old: BotFactory::Strategy(strategy.spec.clone()),
        opponent: against.as_ref().map(|other| BotFactory::Strategy(other.spec.clone())),
        opponent_name: &against.as_ref().unwrap_or(&strategy).name,
        fields,
        variants: &variants,
        state: checkpoint.load()?,
        checkpoint,
        saved: Instant::now(),
    };
    (request.expected)(tuner.hands());
    pool.install(|| tuner.run(&out))
}

/// The progress of a search.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchState {
    /// The SPSA searches that have started, one for each starting point.
    spsa: Vec<Spsa>,
    /// The search among combinations of values.
    halving: Option<Halving>,
}

/// The best candidate.
struct Best {
    /// All options of the strategy.
    options: Value,
    /// Deals of the search.
    deals: u64,
    /// The fields without an effect.
    without_effect: Vec<String>,
    /// The name of the method.
    method: &'static str,
}

/// A tuning in progress.
struct StrategyTuner<'a, G: Strategic> {
    request: &'a TuneRequest<'a>,
    fields: Fields<'a, G>,
    variants: &'a [Variant<G>],
    /// The bots of the strategy as it was.
    old: BotFactory<G>,
    /// The opponent; `None` if every candidate plays its mirror image.
    opponent: Option<BotFactory<G>>,
    opponent_name: &'a str,
    checkpoint: Checkpoint,
    state: SearchState,
    /// The time of the last checkpoint.
    saved: Instant,
}

impl<G: Strategic> StrategyTuner<'_, G> {
    /// Returns the largest number of hands that the tuning may play.
    fn hands(&self) -> u64 {
        let TuneRequest { deals, starts, confirm, .. } = *self.request;
        let matches: u64 = self.variants.iter().map(|v| u64::from(v.game.hands_per_match())).sum();
        let sides = if self.opponent.is_some() { 2 } else { 1 };
        let search = match self.request.space {
            SearchSpace::Reals(_) => starts * (sides * deals + confirm),
            SearchSpace::Values(_) => deals,
        };
        (search + sides * confirm) * 2 * matches / self.variants.len().max(1) as u64
    }

    fn run(mut self, out: &Path) -> Result<TuneOutcome> {
        let best = match &self.request.space {
            SearchSpace::Reals(wanted) => self.search_reals(wanted)?,
            SearchSpace::Values(values) => self.search_values(values)?,
        };
        let (score, gain) = self.confirm(&self.fields.read(&best.options)?)?;
        let is_better = gain.interval.is_some_and(|(low, _)| low > 0.0);
        let outcome = TuneOutcome {
            strategy: self.fields.strategy.name.clone(),
            against: self.opponent_name.to_owned(),
            search_deals: best.deals,
            fresh_deals: self.request.confirm,
            score,
            gain,
            changed: changes(&self.fields.options, &best.options),
            without_effect: best.without_effect.clone(),
            file: is_better.then(|| out.to_path_buf()),
        };
        if is_better {
            write_atomic(out, self.file(&best, &outcome))?;
        }
        self.checkpoint.remove();
        Ok(outcome)
    }

    /// Returns the score of the best candidate on fresh deals, and its gain over the old strategy.
    fn confirm(&mut self, new: &BotFactory<G>) -> Result<(Estimate, Estimate)> {
        let (fresh, deals) = (self.paired_match("confirm"), self.request.confirm);
        let found = match &self.opponent {
            None => {
                let won = fresh.play([new, &self.old], 0, deals);
                let score = won.and_then(|won| won.score(QUARTER));
                score.map(|score| (score, score.shifted(-0.5)))
            }
            Some(other) => {
                let both = |deal| {
                    let quarters = |bots| fresh.play_deal(deal, [bots, other]);
                    (!self.is_stopped()).then(|| (quarters(new), quarters(&self.old)))
                };
                let all: Option<Vec<(i64, i64)>> = (0..deals).into_par_iter().map(both).collect();
                all.and_then(|all| {
                    let won: Moments = all.iter().map(|(new, _)| *new).collect();
                    let more: Moments = all.iter().map(|(new, old)| new - old).collect();
                    won.score(QUARTER).zip(more.mean(QUARTER))
                })
            }
        };
        found.ok_or_else(|| self.stopped())
    }

    /// Returns the strategy file of the best candidate, with its origin.
    fn file(&self, best: &Best, outcome: &TuneOutcome) -> String {
        let Estimate { value, interval } = outcome.score;
        let (low, high) = interval.unwrap_or((value, value));
        let under = |variant: &Variant<G>| match G::preset(&variant.name) {
            Some(_) => json!(variant.name),
            None => json!(variant.game.rules()),
        };
        let name = &outcome.strategy;
        let tuned = Tuned {
            under: self.variants.iter().map(under).collect(),
            from: Some(name.clone()),
            by: Some(best.method.to_owned()),
            deals: Some(best.deals),
            seed: Some(self.request.seed),
            against: Some(outcome.against.clone()),
            fresh_deals: Some(outcome.fresh_deals),
            score: Some([value, low, high].map(|x| (x * 1e4).round() / 1e4)),
        };
        let names: Vec<&str> = self.variants.iter().map(|v| v.name.as_str()).collect();
        let about = format!("As {name}, tuned by self-play under {}.", names.join(", "));
        let mut file = json!({ "about": about });
        for (name, value) in best.options.as_object().into_iter().flatten() {
            file[name] = value.clone();
        }
        file["tuned"] = json!(tuned);
        pretty(&file) + "\n"
    }

    /// Returns a match on the deals of one part of the tuning.
    fn paired_match(&self, part: &str) -> PairedMatch<'_, G> {
        let seed = Seed::new(self.request.seed).named("tune").named(part);
        PairedMatch { variants: self.variants, seed, request: self.request }
    }

    fn is_stopped(&self) -> bool {
        self.request.stop.load(Ordering::Relaxed)
    }

    /// Saves the progress and returns the error of a stopped tuning.
    fn stopped(&mut self) -> Error {
        match self.checkpoint.save(&self.state) {
            Ok(()) => Error::stopped(format!(
                "stopped: the progress is in {}; repeat the command with `--resume` to continue",
                self.checkpoint.folder().display()
            )),
            Err(error) => error,
        }
    }

    /// Saves the progress if the last checkpoint is old.
    fn save_at_intervals(&mut self) -> Result<()> {
        if self.saved.elapsed() > SAVE_INTERVAL {
            self.checkpoint.save(&self.state)?;
            self.saved = Instant::now();
        }
        Ok(())
    }

    /// Runs successive halving among all combinations of values.
    fn search_values(&mut self, values: &Sweep) -> Result<Best> {
        let (count, deals) = (values.count(), self.request.deals);
        ensure(count <= MAX_COMBINATIONS, || {
            Error::input(format!(
                "{count} combinations of values, at most {MAX_COMBINATIONS} are possible; with {deals} \
                 deals they need at least {} hands",
                count.saturating_mul(32)
            ))
        })?;
        let least = Halving::new(count as usize, 0).total();
        ensure(deals >= least, || {
            Error::input(format!(
                "`--deals` is {deals}; {count} combinations of values need at least {least}"
            ))
        })?;
        let combinations = values.combinations();
        let candidates = combinations.iter().map(|values| self.fields.changed(values));
        let candidates: Vec<Value> = candidates.collect();
        let bots = candidates.iter().map(|options| self.fields.read(options));
        let bots: Vec<BotFactory<G>> = bots.collect::<Result<_>>()?;
        let new = || Halving::new(candidates.len(), deals);
        let mut search = self.state.halving.take().unwrap_or_else(new);
        while let Some((number, from, deals)) = search.next() {
            let pair = [&bots[number], self.opponent.as_ref().unwrap_or(&self.old)];
            let won = self.paired_match("values").play(pair, from, deals);
            if let Some(won) = &won {
                search.add(number, won);
            }
            self.state.halving = Some(search.clone());
            if won.is_none() {
                return Err(self.stopped());
            }
            self.save_at_intervals()?;
        }
        let (deals, options) = (search.deals_played(), candidates[search.best()].clone());
        Ok(Best { options, deals, without_effect: Vec::new(), method: "successive halving" })
    }

    /// Runs SPSA from all starting points and returns the best end point.
    fn search_reals(&mut self, wanted: &[String]) -> Result<Best> {
        let TuneRequest { deals, starts, confirm, .. } = *self.request;
        let reals = self.fields.reals(wanted)?;
        let (without_effect, reals) = self.probe(reals)?;
        let name = &self.fields.strategy.name;
        ensure(!reals.is_empty(), || {
            Error::input(format!(
                "no real-valued field of `{name}` has an effect under these rules"
            ))
        })?;
        let gains = Gains { first: GAIN, perturbation: PERTURBATION, steps: deals / BATCH };
        for start in 0..starts {
            let index = start as usize;
            if self.state.spsa.len() == index {
                self.state.spsa.push(Spsa::new(self.starting_point(&reals, start)));
            }
            while !self.state.spsa[index].is_finished(&gains) {
                let mut spsa = self.state.spsa[index].clone();
                let part = format!("climb {start} {}", spsa.step);
                let slope = |at: &[f64], size: f64| self.estimate_slope(&reals, &part, at, size);
                if spsa.advance(&gains, slope).is_none() {
                    return Err(self.stopped());
                }
                self.state.spsa[index] = spsa;
                self.save_at_intervals()?;
            }
        }
        self.checkpoint.save(&self.state)?;
        let (mut most, mut options) = (i64::MIN, Value::Null);
        for index in 0..self.state.spsa.len() {
            let point = self.state.spsa[index].result();
            let bots = self.fields.bots_at(&reals, &point)?;
            let pair = [&bots, self.opponent.as_ref().unwrap_or(&self.old)];
            let won = self.paired_match("choose").play(pair, 0, confirm);
            let won = won.ok_or_else(|| self.stopped())?;
            if won.sum > most {
                (most, options) = (won.sum, self.fields.at(&reals, &point));
            }
        }
        Ok(Best { options, deals: starts * gains.steps * BATCH, without_effect, method: "SPSA" })
    }

    /// Returns a starting point: first the strategy itself, then random points around it.
    fn starting_point(&self, reals: &[RealField], start: u64) -> Vec<f64> {
        let seed = Seed::new(self.request.seed).named("tune").named("starts");
        let mut chance = seed.child(start).stream();
        let around = |real: &RealField| {
            let away = if start == 0 { 0.0 } else { SPREAD * (2.0 * chance.unit() - 1.0) };
            real.value / real.size + away
        };
        reals.iter().map(around).collect()
    }

    /// Estimates the slope from a batch of deals: for each field the mean of its sign times the result.
    /// Returns `None` if stopped.
    fn estimate_slope(
        &self,
        reals: &[RealField],
        part: &str,
        at: &[f64],
        size: f64,
    ) -> Option<Vec<f64>> {
        let paired = self.paired_match(part);
        let seed = paired.seed.named("signs");
        let one = |deal: u64| -> Option<(i64, Vec<i64>)> {
            if self.is_stopped() {
                return None;
            }
            let mut chance = seed.child(deal).stream();
            let signs: Vec<i64> =
                at.iter().map(|_| if chance.bits() >> 63 == 0 { -1 } else { 1 }).collect();
            let moved = |way: f64| {
                let scaled: Vec<f64> =
                    at.iter().zip(&signs).map(|(x, sign)| x + way * size * *sign as f64).collect();
                self.fields.bots_at(reals, &scaled).ok()
            };
            // Invalid options give no information.
            let Some((up, down)) = moved(1.0).zip(moved(-1.0)) else { return Some((0, signs)) };
            let result = match &self.opponent {
                None => paired.play_deal(deal, [&up, &down]) - 2,
                Some(other) => {
                    paired.play_deal(deal, [&up, other]) - paired.play_deal(deal, [&down, other])
                }
            };
            Some((result, signs))
        };
        let results: Vec<(i64, Vec<i64>)> =
            (0..BATCH).into_par_iter().map(one).collect::<Option<_>>()?;
        // Integer sums do not depend on the order.
        let mut sums = vec![0; at.len()];
        for (result, signs) in results {
            sums.iter_mut().zip(signs).for_each(|(sum, sign)| *sum += sign * result);
        }
        Some(sums.into_iter().map(|sum: i64| sum as f64 / (4 * BATCH) as f64).collect())
    }

    /// Separates the names of fields without an effect under these rules from the other fields, since
    /// moving them would only add noise.
    fn probe(&mut self, reals: Vec<RealField>) -> Result<(Vec<String>, Vec<RealField>)> {
        let deals = (self.request.deals / 16).clamp(PROBE_DEALS.0, PROBE_DEALS.1);
        let (mut without_effect, mut active) = (Vec::new(), Vec::new());
        for real in reals {
            let paired = self.paired_match("probe");
            let has_effect = |way: f64| {
                let at = [real.value / real.size + way];
                let Ok(moved) = self.fields.bots_at(std::slice::from_ref(&real), &at) else {
                    return false;
                };
                // Strategies that play alike score 2 of 4 quarters.
                let differs =
                    |deal| self.is_stopped() || paired.play_deal(deal, [&moved, &self.old]) != 2;
                (0..deals).into_par_iter().any(differs)
            };
            let is_active = has_effect(1.0) || has_effect(-1.0);
            if self.is_stopped() {
                return Err(self.stopped());
            }
            match is_active {
                true => active.push(real),
                false => without_effect.push(real.name),
            }
        }
        Ok((without_effect, active))
    }
}

/// Returns the values in which two strategies differ.
fn changes(old: &Value, new: &Value) -> Vec<ChangedField> {
    fn visit(before: &Value, after: &Value, field: &str, all: &mut Vec<ChangedField>) {
        match (before, after) {
            (Value::Object(old), Value::Object(new)) => {
                let names = old.keys().chain(new.keys().filter(|name| !old.contains_key(*name)));
                for name in names {
                    visit(&before[name], &after[name], &dotted(field, name), all);
                }
            }
            _ if before == after => {}
            _ => {
                let (field, before, after) = (field.to_owned(), before.clone(), after.clone());
                all.push(ChangedField { field, before, after });
            }
        }
    }
    let mut all = Vec::new();
    visit(old, new, "", &mut all);
    all
}
