//! Tuning of a strategy: search, confirmation on fresh deals, and the file of the result.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::time::Duration;

use itertools::Itertools;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::checkpoint::Checkpoint;
use super::fields::{Fields, RealField};
use crate::job::Job;
use parlour_arena::{BotFactory, LineUp, Variant, seat_of, slot_of};
use parlour_base::chance::Seed;
use parlour_base::error::{Error, Kind, Result, ensure};
use parlour_base::files::{AtomicFile, Library, field_path, leaves, pretty, write_atomic};
use parlour_base::time::Instant;
use parlour_game::Sweep;
use parlour_game::strategy::{Strategic, Strategy, Tuned};
use parlour_stats::{Estimate, Gains, Halving, Moments, Spsa};

/// The candidates of a tuning.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum SearchSpace {
    /// Other values of real-valued fields: the named ones, or all if none is named.
    Reals(Vec<String>),
    /// All combinations of the listed values.
    Values(Sweep),
}

/// A request to tune a strategy. The serialized fields determine the result.
#[derive(Clone, Serialize)]
pub struct TuneRequest<'a> {
    /// Name or path of the strategy.
    pub strategy: String,
    /// Name or path of the opponent; `None` to play every candidate against its mirror image.
    pub against: Option<String>,
    /// Names or paths of the variants, played in turn; empty for the first listed one.
    pub variants: Vec<String>,
    /// The candidates.
    #[serde(rename = "fields")]
    pub space: SearchSpace,
    /// Deals of each start, or of all values together.
    pub deals: u64,
    /// Number of starting points.
    pub starts: u64,
    /// Fresh deals that confirm the best candidate.
    pub confirm: u64,
    /// Random seed.
    pub seed: u64,
    /// The file to write; `None` for `STRATEGY-tuned.json`.
    #[serde(skip)]
    pub out: Option<PathBuf>,
    /// Threads, progress, and what may be overwritten.
    #[serde(skip)]
    pub job: Job<'a>,
}

/// The result of tuning a strategy.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Tuned")]
pub struct TuneOutcome {
    /// The tuned strategy.
    pub strategy: String,
    /// The opponent.
    pub against: String,
    /// Deals of the search. Unit: deals.
    pub search_deals: u64,
    /// Fresh deals of the confirmation. Unit: deals.
    pub fresh_deals: u64,
    /// The score on the fresh deals. Unit: share of the win.
    pub score: Estimate,
    /// The gain over the old strategy on the same deals. Unit: share of the win.
    pub gain: Estimate,
    /// The fields that changed.
    pub changed: Vec<ChangedField>,
    /// The fields without an effect under these rules, which keep their values.
    pub without_effect: Vec<String>,
    /// The file of the tuned strategy; null if no gain was found.
    pub file: Option<PathBuf>,
}

/// A changed field of a strategy.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ChangedField {
    /// The name; groups are separated by dots.
    pub field: String,
    /// The old value.
    pub before: Value,
    /// The new value.
    pub after: Value,
}

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

/// The unit of a deal's score: each match counts two quarters for a win and one for a draw.
const QUARTER: f64 = 0.25;

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
    let pool = request.job.pool()?;
    let fields = Fields::new(&strategy);
    let rules = |v: &Variant<G>| json!({ "name": v.name, "rules": v.game.rules() });
    let mut inputs = json!(request);
    inputs["program"] = json!(request.job.program.to_string());
    inputs["game"] = json!(G::NAME);
    inputs["strategy"] = fields.options.clone();
    inputs["against"] = json!(against.as_ref().map(|other| &other.spec));
    inputs["variants"] = variants.iter().map(rules).collect();
    let checkpoint = Checkpoint::open(&out, &inputs, request.job.resume)?;
    // A tuning that was killed at its end has written the file already.
    ensure(request.job.replace || checkpoint.is_resumed() || !out.exists(), || {
        let place = out.display();
        Error::input(format!(
            "{place} already exists: use `--replace` to overwrite it, or `--out` for another file"
        ))
    })?;
    AtomicFile::create(&out)?;
    let tuner = StrategyTuner {
        request,
        old: BotFactory::from_spec(strategy.spec.clone()),
        opponent: against.as_ref().map(|other| BotFactory::from_spec(other.spec.clone())),
        opponent_name: &against.as_ref().unwrap_or(&strategy).name,
        fields,
        variants: &variants,
        state: checkpoint.load()?,
        checkpoint,
        saved: Instant::now(),
        failure: OnceLock::new(),
    };
    tuner.old.prepare(&strategy.name, None, Some(request.job.stop))?;
    tuner.rival().prepare(tuner.opponent_name, None, Some(request.job.stop))?;
    request.job.observer.expected(tuner.hands());
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
    /// The failure of a player or of the machine, after which nothing is tuned.
    failure: OnceLock<Error>,
}

impl<G: Strategic> StrategyTuner<'_, G> {
    /// Returns the number of hands of the search and the confirmation; probes come on top.
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
        let request = self.request;
        let best = match &request.space {
            SearchSpace::Reals(wanted) => self.search_reals(wanted),
            SearchSpace::Values(values) => self.search_values(values),
        };
        let confirmed = best.and_then(|best| {
            let new = self.fields.read(&best.options)?;
            new.prepare(&self.fields.strategy.name, None, Some(request.job.stop))?;
            let confirmed = self.confirm(&new)?;
            self.check_stop()?;
            Ok((confirmed, best))
        });
        let ((score, gain), best) = match confirmed {
            Err(error) if error.kind() == Kind::Stopped => {
                self.checkpoint.save(&self.state)?;
                return Err(Error::stopped(format!(
                    "stopped: the progress is in {}; repeat the command with `--resume` to continue",
                    self.checkpoint.folder().display()
                )));
            }
            confirmed => confirmed?,
        };
        let is_better = gain.interval.is_some_and(|(low, _)| low > 0.0);
        let outcome = TuneOutcome {
            strategy: self.fields.strategy.name.clone(),
            against: self.opponent_name.to_owned(),
            search_deals: best.deals,
            fresh_deals: request.confirm,
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
    fn confirm(&self, new: &BotFactory<G>) -> Result<(Estimate, Estimate)> {
        let deals = self.request.confirm;
        let found = match &self.opponent {
            None => {
                let won = self.play("confirm", [new, &self.old], 0..deals)?;
                won.score(QUARTER).map(|score| (score, score.shifted(-0.5)))
            }
            Some(other) => {
                let seed = self.seed("confirm");
                let both = |deal| {
                    self.check_stop()?;
                    let quarters = |bots| self.play_deal(seed, deal, [bots, other]);
                    Ok((quarters(new), quarters(&self.old)))
                };
                let all: Result<Vec<(i64, i64)>> = (0..deals).into_par_iter().map(both).collect();
                let all = all?;
                let won: Moments = all.iter().map(|(new, _)| *new).collect();
                let more: Moments = all.iter().map(|(new, old)| new - old).collect();
                won.score(QUARTER).zip(more.mean(QUARTER))
            }
        };
        found.ok_or_else(|| Error::input("`--confirm` must be at least 2"))
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

    /// Returns the seed of one part of the tuning.
    fn seed(&self, part: &str) -> Seed {
        Seed::new(self.request.seed).named("tune").named(part)
    }

    /// Returns an error if the tuning is to stop.
    fn check_stop(&self) -> Result<()> {
        self.failure.get().cloned().map_or(Ok(()), Err)?;
        ensure(!self.request.job.stop.load(Ordering::Relaxed), || Error::stopped("stopped"))
    }

    /// Returns the first strategy's quarters of a deal, from 0 to 4: in both rotations of the same cards,
    /// two for a win and one for a draw.
    fn play_deal(&self, seed: Seed, deal: u64, bots: [&BotFactory<G>; 2]) -> i64 {
        let game = &self.variants[(deal % self.variants.len() as u64) as usize].game;
        let seed = seed.child(deal);
        let mut line_up = LineUp::new(game, bots);
        let mut quarters = 0;
        for rotation in 0..2 {
            let mut lead = 0;
            for hand in 0..game.hands_per_match() {
                let start = seed.named("deal").child(hand.into()).stream();
                let choice = seed.named("choice").child(rotation.into()).child(hand.into());
                let slot_at = |seat| slot_of(seat, rotation, hand, 2);
                let ended = line_up.play(false, &start, choice, slot_at);
                let ended = ended.map_err(|error| self.failure.set(error)).ok().flatten();
                if let Some(ended) = ended {
                    if let Some((slot, failure)) = ended.faults.first_key_value() {
                        let names = [&*self.fields.strategy.name, self.opponent_name];
                        _ = self.failure.set(Error::failed(format!(
                            "`{}` failed and lost a hand: {}; nothing is tuned with a player that \
                             fails",
                            names[*slot], failure.message
                        )));
                    }
                    let points = |slot| ended.scores.0[seat_of(slot, rotation, hand, 2)];
                    lead += points(0) - points(1);
                }
            }
            line_up.reset_bots();
            quarters += 1 + i64::from(lead.signum());
        }
        self.request.job.observer.played(2 * u64::from(game.hands_per_match()));
        quarters
    }

    /// Returns the first strategy's quarters over some deals of one part of the tuning.
    fn play(&self, part: &str, bots: [&BotFactory<G>; 2], deals: Range<u64>) -> Result<Moments> {
        let seed = self.seed(part);
        let one = |deal| {
            self.check_stop()?;
            Ok([self.play_deal(seed, deal, bots)].into_iter().collect())
        };
        deals.into_par_iter().map(one).try_reduce(Moments::default, |mut sum, other| {
            sum.merge(&other);
            Ok(sum)
        })
    }

    /// Returns the opponent of all candidates but mirror images.
    fn rival(&self) -> &BotFactory<G> {
        self.opponent.as_ref().unwrap_or(&self.old)
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
        let name = &self.fields.strategy.name;
        bots.iter()
            .try_for_each(|bots| bots.prepare(name, None, Some(self.request.job.stop)).map(drop))?;
        self.state.halving.get_or_insert_with(|| Halving::new(candidates.len(), deals));
        while let Some((number, deals)) = self.state.halving.as_ref().and_then(Halving::next) {
            let won = self.play("values", [&bots[number], self.rival()], deals)?;
            self.state.halving.iter_mut().for_each(|search| search.add(number, &won));
            self.save_at_intervals()?;
        }
        let search = self.state.halving.iter();
        let (deals, best) = search.fold((0, 0), |_, it| (it.deals_played(), it.best()));
        let options = candidates[best].clone();
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
                let Spsa { at, step, .. } = &self.state.spsa[index];
                let (part, size) = (format!("climb {start} {step}"), gains.perturbation(*step));
                let slope = self.estimate_slope(&reals, &part, at, size)?;
                self.state.spsa[index].advance(&gains, &slope);
                self.save_at_intervals()?;
            }
        }
        self.checkpoint.save(&self.state)?;
        let (mut most, mut options) = (i64::MIN, Value::Null);
        for spsa in &self.state.spsa {
            let point = spsa.result();
            let bots = self.fields.bots_at(&reals, &point)?;
            let won = self.play("choose", [&bots, self.rival()], 0..confirm)?;
            if won.sum > most {
                (most, options) = (won.sum, self.fields.at(&reals, &point));
            }
        }
        Ok(Best { options, deals: starts * gains.steps * BATCH, without_effect, method: "SPSA" })
    }

    /// Returns a starting point: first the strategy itself, then random points around it.
    fn starting_point(&self, reals: &[RealField], start: u64) -> Vec<f64> {
        let mut chance = self.seed("starts").child(start).stream();
        let around = |real: &RealField| {
            let away = if start == 0 { 0.0 } else { SPREAD * (2.0 * chance.unit() - 1.0) };
            real.value / real.size + away
        };
        reals.iter().map(around).collect()
    }

    /// Estimates the slope from a batch of deals: for each field the mean of its sign times the result.
    fn estimate_slope(
        &self,
        reals: &[RealField],
        part: &str,
        at: &[f64],
        size: f64,
    ) -> Result<Vec<f64>> {
        let seed = self.seed(part);
        let one = |deal: u64| -> Result<(i64, Vec<i64>)> {
            self.check_stop()?;
            let mut chance = seed.named("signs").child(deal).stream();
            let signs: Vec<i64> =
                at.iter().map(|_| if chance.bits() >> 63 == 0 { -1 } else { 1 }).collect();
            let moved = |way: f64| {
                let scaled: Vec<f64> =
                    at.iter().zip(&signs).map(|(x, sign)| x + way * size * *sign as f64).collect();
                self.fields.bots_at(reals, &scaled).ok()
            };
            // Invalid options give no information.
            let Some((up, down)) = moved(1.0).zip(moved(-1.0)) else { return Ok((0, signs)) };
            let quarters = |bots| self.play_deal(seed, deal, bots);
            let result = match &self.opponent {
                None => quarters([&up, &down]) - 2,
                Some(other) => quarters([&up, other]) - quarters([&down, other]),
            };
            Ok((result, signs))
        };
        let results: Result<Vec<_>> = (0..BATCH).into_par_iter().map(one).collect();
        // Integer sums do not depend on the order.
        let mut sums = vec![0; at.len()];
        for (result, signs) in results? {
            sums.iter_mut().zip(signs).for_each(|(sum, sign)| *sum += sign * result);
        }
        Ok(sums.into_iter().map(|sum: i64| sum as f64 / (4 * BATCH) as f64).collect())
    }

    /// Separates the names of fields without an effect under these rules from the other fields, since
    /// moving them would only add noise.
    fn probe(&self, reals: Vec<RealField>) -> Result<(Vec<String>, Vec<RealField>)> {
        let deals = (self.request.deals / 16).clamp(PROBE_DEALS.0, PROBE_DEALS.1);
        let (mut without_effect, mut active) = (Vec::new(), Vec::new());
        let seed = self.seed("probe");
        for real in reals {
            let has_effect = |way: f64| {
                let at = [real.value / real.size + way];
                let Ok(moved) = self.fields.bots_at(std::slice::from_ref(&real), &at) else {
                    return false;
                };
                // Strategies that play alike score 2 of 4 quarters.
                let differs = |deal| {
                    self.check_stop().is_err()
                        || self.play_deal(seed, deal, [&moved, &self.old]) != 2
                };
                (0..deals).into_par_iter().any(differs)
            };
            let is_active = has_effect(1.0) || has_effect(-1.0);
            self.check_stop()?;
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
    let all = leaves(old).into_iter().chain(leaves(new)).map(|(pointer, _)| pointer).unique();
    let change = |pointer: String| {
        let value = |options: &Value| options.pointer(&pointer).cloned().unwrap_or_default();
        let (field, before, after) = (field_path(&pointer), value(old), value(new));
        (before != after).then_some(ChangedField { field, before, after })
    };
    all.filter_map(change).collect()
}
