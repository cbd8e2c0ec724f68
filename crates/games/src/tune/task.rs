//! A tuning from its beginning to the file that it writes.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use parlour_base::Program;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::contest::QUARTER;
use super::stage::{Settings, Stage};
use super::{Contest, Fields};
use parlour_arena::{BotFactory, Variant};
use parlour_base::chance::Seed;
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::write_atomic;
use parlour_game::Sweep;
use parlour_game::strategy::{Strategic, Strategy, Tuned};
use parlour_stats::{Estimate, Moments};

/// What is looked for.
#[derive(Clone, Debug)]
pub enum Goal {
    /// Better decimals; those that are named, or all.
    Decimals(Vec<String>),
    /// The best of all combinations of values.
    Values(Sweep),
}

/// A tuning.
pub struct Task<'a, G: Strategic> {
    /// The strategy that is tuned.
    pub strategy: &'a Strategy<G>,
    /// The variants that are played by turns; each has two seats.
    pub variants: &'a [Variant<G>],
    /// Whom every candidate plays; none where a candidate plays its mirror image.
    pub against: Option<&'a Strategy<G>>,
    /// What is looked for.
    pub goal: &'a Goal,
    /// Deals of all steps of a start, or of all rounds.
    pub deals: u64,
    /// From how many points a climb starts: from the strategy itself, then around it.
    pub starts: u64,
    /// Fresh deals on which the best is confirmed.
    pub confirm: u64,
    /// What all chance grows from.
    pub seed: u64,
    /// The file that is written; how far the tuning is stands beside it.
    pub out: &'a Path,
    /// Whether to go on with a tuning that was stopped.
    pub resume: bool,
    /// How many threads; 0 for one on each core.
    pub threads: usize,
    /// The program that tunes.
    pub program: Program,
    /// Raised when the tuning is to stop.
    pub stop: &'a AtomicBool,
    /// Hears how many hands were played.
    pub played: &'a (dyn Fn(u64) + Sync),
}

/// What a tuning has come to.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The score of the best on fresh deals, against the strategy that the tuning began with or
    /// whom it was to play.
    pub score: Estimate,
    /// The gain on the same deals: the score less that of the strategy itself.
    pub gain: Estimate,
    /// The fields that changed: what they were and what they are.
    pub changed: Vec<(String, Value, Value)>,
    /// The numbers that have no effect under these rules, and were left as they are.
    pub idle: Vec<String>,
    /// Deals of the search.
    pub deals: u64,
    /// Whether a file was written.
    pub written: bool,
}

/// The best that was found, and how.
pub(super) struct Found {
    /// As a file says it in full.
    pub file: Value,
    /// Deals of the search.
    pub deals: u64,
    /// The numbers that have no effect.
    pub idle: Vec<String>,
    /// The method.
    pub by: &'static str,
}

impl<G: Strategic> Task<'_, G> {
    /// Tunes, confirms, and writes the file where there is a gain.
    ///
    /// # Errors
    /// Bad input; that it was stopped, with what it had kept; a failure when a file cannot be
    /// written.
    pub fn go(&self) -> Result<Outcome> {
        for variant in self.variants {
            let seats = variant.game.seats();
            ensure(seats == 2, || {
                let name = &variant.name;
                Error::input(format!(
                    "variant `{name}` has {seats} seats; a strategy is tuned at tables of 2"
                ))
            })?;
        }
        ensure(self.deals >= super::climb::BATCH && self.confirm > 1, || {
            Error::input(format!(
                "at least {} deals are needed, and 2 to confirm",
                super::climb::BATCH
            ))
        })?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        let pool = pool.map_err(|e| Error::failed(format!("cannot start the threads: {e}")))?;
        pool.install(|| self.tune())
    }

    /// How many hands it has at most.
    pub fn hands(&self) -> u64 {
        let matches: u64 = self.variants.iter().map(|v| u64::from(v.game.hands_per_match())).sum();
        let sides = if self.against.is_some() { 2 } else { 1 };
        let search = match self.goal {
            Goal::Decimals(_) => self.starts * (sides * self.deals + self.confirm),
            Goal::Values(_) => self.deals,
        };
        (search + sides * self.confirm) * 2 * matches / self.variants.len().max(1) as u64
    }

    fn tune(&self) -> Result<Outcome> {
        let games: Vec<&G> = self.variants.iter().map(|variant| &variant.game).collect();
        let fields = Fields::of(self.strategy);
        let settings = self.settings(&fields);
        let mut state = Stage::begin(settings, self.out, self.resume)?;
        let found = match self.goal {
            Goal::Decimals(wanted) => self.climb(&fields, wanted, &games, &mut state)?,
            Goal::Values(values) => self.halve(&fields, values, &games, &mut state)?,
        };
        let best = Strategy::<G>::read(&parlour_base::files::SourceFile::new(
            &self.strategy.name,
            self.strategy.origin.clone(),
            found.file.to_string(),
        ))?;
        let (best, base) =
            (BotFactory::Strategy(best.spec), BotFactory::Strategy(self.strategy.spec.clone()));
        let fresh = self.contest(&games, "confirm");
        let stopped = || self.stopped(&state);
        let (score, gain) = match self.against {
            None => {
                let won = fresh.score([&best, &base], 0, self.confirm).ok_or_else(stopped)?;
                let score = won.score(QUARTER).ok_or_else(stopped)?;
                (score, score.shifted(-0.5))
            }
            Some(other) => {
                let other = BotFactory::Strategy(other.spec.clone());
                let both = |deal| {
                    if self.is_stopped() {
                        return None;
                    }
                    let [new, old] = [&best, &base].map(|bots| fresh.deal(deal, [bots, &other]));
                    Some([new, new - old])
                };
                let all: Option<Vec<[i64; 2]>> =
                    (0..self.confirm).into_par_iter().map(both).collect();
                let all = all.ok_or_else(stopped)?;
                let [won, more] = [0, 1].map(|at| all.iter().map(|of| of[at]).collect::<Moments>());
                let score = won.score(QUARTER).ok_or_else(stopped)?;
                (score, more.mean(QUARTER).ok_or_else(stopped)?)
            }
        };
        let is_better = gain.interval.is_some_and(|(low, _)| low > 0.0);
        let changed = changes(fields.spelled(), &found.file);
        let outcome = Outcome {
            score,
            gain,
            changed,
            idle: found.idle.clone(),
            deals: found.deals,
            written: is_better,
        };
        if is_better {
            write_atomic(self.out, self.file(&found, &outcome))?;
        }
        // What the search came to is known; nothing is to go on with.
        _ = std::fs::remove_file(Stage::path(self.out));
        Ok(outcome)
    }

    fn settings(&self, fields: &Fields<'_, G>) -> Settings {
        let variant = |v: &Variant<G>| json!({ "name": v.name, "rules": v.game.rules() });
        Settings {
            program: self.program.to_string(),
            game: G::NAME.to_owned(),
            strategy: fields.spelled().clone(),
            variants: self.variants.iter().map(variant).collect(),
            against: self.against.map(|other| json!(other.spec)),
            fields: match self.goal {
                Goal::Decimals(wanted) => json!(wanted),
                Goal::Values(values) => json!(values),
            },
            deals: self.deals,
            starts: self.starts,
            confirm: self.confirm,
            seed: self.seed,
        }
    }

    /// Contests of a part of the tuning, on deals of its own.
    pub(super) fn contest<'b>(&'b self, games: &'b [&'b G], part: &str) -> Contest<'b, G> {
        let seed = Seed::new(self.seed).named("tune").named(part);
        Contest { games, seed, stop: self.stop, played: self.played }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// That it was stopped, with what it had kept.
    pub(super) fn stopped(&self, state: &Stage) -> Error {
        match state.save(self.out) {
            Ok(()) => Error::stopped(format!(
                "stopped: {} says how far it is; the same command with `--resume` goes on",
                Stage::path(self.out).display()
            )),
            Err(error) => error,
        }
    }
}

impl<G: Strategic> Task<'_, G> {
    /// The strategy file of what was found, with where it came from.
    fn file(&self, found: &Found, outcome: &Outcome) -> String {
        let Estimate { value, interval } = outcome.score;
        let (low, high) = interval.unwrap_or((value, value));
        let under = |variant: &Variant<G>| match G::preset(&variant.name) {
            Some(_) => json!(variant.name),
            None => json!(variant.game.rules()),
        };
        let tuned = Tuned {
            under: self.variants.iter().map(under).collect(),
            from: Some(self.strategy.name.clone()),
            by: Some(found.by.to_owned()),
            deals: Some(found.deals),
            seed: Some(self.seed),
            against: Some(self.against.unwrap_or(self.strategy).name.clone()),
            fresh_deals: Some(self.confirm),
            score: Some([value, low, high].map(|x| (x * 1e4).round() / 1e4)),
        };
        let names: Vec<&str> = self.variants.iter().map(|v| v.name.as_str()).collect();
        let about =
            format!("As {}, tuned by self-play under {}.", self.strategy.name, names.join(", "));
        let mut file = json!({ "about": about });
        for (name, value) in found.file.as_object().into_iter().flatten() {
            file[name] = value.clone();
        }
        file["tuned"] = json!(tuned);
        parlour_base::files::pretty(&file) + "\n"
    }
}

/// The single values in which two strategies differ, with their names.
fn changes(was: &Value, is: &Value) -> Vec<(String, Value, Value)> {
    fn look(was: &Value, is: &Value, name: &str, all: &mut Vec<(String, Value, Value)>) {
        match (was, is) {
            (Value::Object(before), Value::Object(after)) => {
                let names = before.keys().chain(after.keys().filter(|k| !before.contains_key(*k)));
                for field in names {
                    let dot = if name.is_empty() { "" } else { "." };
                    look(&was[field], &is[field], &format!("{name}{dot}{field}"), all);
                }
            }
            _ if was == is => {}
            _ => all.push((name.to_owned(), was.clone(), is.clone())),
        }
    }
    let mut all = Vec::new();
    look(was, is, "", &mut all);
    all
}
