//! Learning of a network by self-play: a request, its checkpoints, files and learning curve.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use itertools::Itertools;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::job::Job;
use crate::tune::Checkpoint;
use parlour_arena::{BotFactory, LineUp, Variant, VariantSpec, seat_of, slot_of};
use parlour_base::chance::Seed;
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::{AtomicFile, Library, digest, pretty, write_atomic};
use parlour_base::time::Instant;
use parlour_game::Sweep;
use parlour_game::encoded::Encoded;
use parlour_game::network::read_network;
use parlour_game::strategy::{Strategic, Strategy, Tuned};
pub use parlour_learn::{Learner, LearnerOptions, UNITS};
use parlour_learn::{LearnerState, ROUND, RoundReport};
use parlour_stats::{Estimate, Moments};

/// A request to learn. The serialized fields determine the result.
#[derive(Clone, Serialize)]
pub struct LearnRequest<'a> {
    /// Names or paths of the variants, played in turn; empty for the first listed one.
    pub variants: Vec<String>,
    /// Values of rules, from which rule sets are drawn.
    pub rules: Option<Sweep>,
    /// A learnt strategy to continue.
    pub from: Option<String>,
    /// Strategies that sit at a seat in some hands.
    pub opponents: Vec<String>,
    /// Strategies that measure the strength.
    pub ladder: Vec<String>,
    /// Options of the learner.
    pub options: LearnerOptions,
    /// The number of hands; `None` for as many as the hours allow.
    pub hands: Option<u64>,
    /// The hours; used if there is no number of hands.
    pub hours: f64,
    /// The strategy file to write. The network and the curve are written next to it.
    #[serde(skip)]
    pub out: PathBuf,
    /// Threads, progress, and what may be overwritten.
    #[serde(skip)]
    pub job: Job<'a>,
    /// Receives each point of the learning curve.
    #[serde(skip)]
    pub measured: &'a (dyn Fn(&CurvePoint) + Sync),
}

/// A point of the learning curve: the strength against one strategy under one variant.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CurvePoint {
    /// Hands played so far.
    pub hands: u64,
    /// Time spent on learning, without measurements. Unit: minutes.
    pub minutes: f64,
    /// The variant.
    pub variant: String,
    /// The strategy of the ladder.
    pub opponent: String,
    /// Score of the network. Unit: share of the win.
    pub score: f64,
    /// Lower end of its 95 % interval.
    pub score_low: f64,
    /// Upper end of its 95 % interval.
    pub score_high: f64,
    /// Mean entropy of the decisions in self-play; none before the first. Unit: nats.
    pub entropy: Option<f64>,
    /// Share of the variance of results that the critic explains.
    pub explained: Option<f64>,
}

/// The result of a training.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Learnt")]
pub struct LearnOutcome {
    /// The name of the strategy.
    pub strategy: String,
    /// The hands of the training.
    pub hands: u64,
    /// The decisions that were learnt from.
    pub decisions: u64,
    /// Time spent on learning. Unit: minutes.
    pub minutes: f64,
    /// `true` if it beats its start against a strategy of the ladder and is worse against none.
    pub is_stronger: bool,
    /// The learning curve.
    pub curve: Vec<CurvePoint>,
    /// The strategy file.
    pub file: PathBuf,
    /// The network.
    pub network: PathBuf,
}

/// The progress of a training.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Progress {
    learner: Option<LearnerState>,
    /// The number of hands of the training, once it is known.
    all: Option<u64>,
    seconds: f64,
    curve: Vec<CurvePoint>,
}

/// The number of measurements after the first one.
const MEASUREMENTS: u64 = 20;

/// The deals of a measurement, and of the last one, each played from all seats.
const DEALS: [u64; 2] = [500, 2000];

/// The rounds that measure the speed for a training of some hours, and the maximum share of the time
/// that is left for measurements.
const SPEED_ROUNDS: u64 = 4;
const SPARE: f64 = 0.05;

/// The number of rule sets that are drawn.
const RULE_SETS: usize = 2048;

/// The largest number of hidden units.
const MOST_UNITS: usize = 8192;

/// The interval between checkpoints.
const SAVE_INTERVAL: Duration = Duration::from_secs(60);

/// Learns a network, and writes its files.
pub(crate) fn learn<G: Strategic + Encoded>(request: &LearnRequest<'_>) -> Result<LearnOutcome> {
    let library = Library::strategies(G::NAME);
    let load = |name: &String| Strategy::<G>::load(&library, name);
    let names = match &request.variants[..] {
        [] => vec![G::presets()[0].name.to_owned()],
        names => names.to_vec(),
    };
    let variants: Vec<Variant<G>> = names.iter().map(|name| Variant::named(name)).try_collect()?;
    let trained = match &request.rules {
        Some(rules) => rule_sets(&names, &variants, rules, request.options.seed)?,
        None => variants.clone(),
    };
    check_shapes(&trained)?;
    let opponents: Vec<Strategy<G>> = request.opponents.iter().map(load).try_collect()?;
    let ladder: Vec<Strategy<G>> = request.ladder.iter().map(load).try_collect()?;
    for (strategy, variant) in opponents.iter().chain(&ladder).cartesian_product(&trained) {
        variant.game.check(&strategy.spec)?;
    }
    let from = request.from.as_ref().map(load).transpose()?;
    let from: Option<(String, Vec<u8>)> = from.as_ref().map(network_file).transpose()?;
    ensure(request.hands.is_none_or(|hands| hands >= ROUND), || {
        Error::input(format!(
            "nothing is learnt from fewer than {ROUND} hands; give more `--hands`"
        ))
    })?;
    ensure((1..=MOST_UNITS).contains(&request.options.units), || {
        Error::input(format!("`--units` must be from 1 to {MOST_UNITS}"))
    })?;
    let pool = request.job.pool()?;
    let mut inputs = json!(request);
    inputs["program"] = json!(request.job.program.to_string());
    inputs["game"] = json!(G::NAME);
    inputs["variants"] = trained.iter().map(|variant| json!(variant.game.rules())).collect();
    inputs["opponents"] = opponents.iter().map(|strategy| json!(strategy.spec)).collect();
    inputs["from"] = json!(from.as_ref().map(|(_, bytes)| digest(bytes)));
    let checkpoint = Checkpoint::open(&request.out, &inputs, request.job.resume)?;
    let network = request.out.with_extension("safetensors");
    for place in [&request.out, &network] {
        ensure(request.job.replace || checkpoint.is_resumed() || !place.exists(), || {
            let place = place.display();
            Error::input(format!("{place} already exists: use `--replace`, or another `--out`"))
        })?;
        AtomicFile::create(place)?;
    }
    let factories = opponents.iter().map(|it| BotFactory::from_spec(it.spec.clone())).collect();
    let games = trained.iter().map(|variant| variant.game.clone()).collect();
    let mut learner = Learner::new(games, factories, request.options);
    let mut progress: Progress = checkpoint.load()?;
    match (progress.learner.take(), from) {
        (Some(state), _) => learner.restore(state),
        (None, Some((file, bytes))) => {
            let read = learner.read_policy(&bytes);
            read.map_err(|fault| Error::input(format!("`--from` {file}: {fault}")))?;
        }
        (None, None) => {}
    }
    // Named twice, a variant is played twice as often.
    let variants = variants.into_iter().unique_by(|variant| variant.name.clone()).collect();
    let training =
        Training { request, variants, trained, ladder, learner, progress, checkpoint, network };
    pool.install(|| training.run())
}

/// Returns each variant in turn, with rules that are drawn from the values in every second one. `names` are
/// the names or paths of the variants.
fn rule_sets<G: Strategic>(
    names: &[String],
    variants: &[Variant<G>],
    rules: &Sweep,
    seed: u64,
) -> Result<Vec<Variant<G>>> {
    let mut chance = Seed::new(seed).named("rules").stream();
    let draw = |number: usize| {
        let at = number / 2 % variants.len();
        if number % 2 == 1 {
            return Ok(variants[at].clone());
        }
        let mut one = |values: &[Value]| values[chance.below(values.len() as u32) as usize].clone();
        let patch = rules.fields().map(|(field, values)| (field.to_owned(), one(values))).collect();
        let (name, base) = (Some(format!("{}-{number}", variants[at].name)), names[at].clone());
        Variant::resolve(&VariantSpec::Inline { name, base, patch, sweep: None })
    };
    (0..RULE_SETS).map(draw).collect()
}

/// Checks that one network can play all variants.
fn check_shapes<G: Strategic + Encoded>(variants: &[Variant<G>]) -> Result<()> {
    let shape = |variant: &Variant<G>| (variant.game.full_sizes(), variant.game.seats());
    let first = shape(&variants[0]);
    let other = variants.iter().find(|variant| shape(variant) != first);
    other.map_or(Ok(()), |other| {
        Err(Error::input(format!(
            "one network cannot play `{}` and `{}`: their observations or actions differ; learn \
             them one by one",
            variants[0].name, other.name
        )))
    })
}

/// Returns the network file of a strategy, with its name.
fn network_file<G: Strategic>(strategy: &Strategy<G>) -> Result<(String, Vec<u8>)> {
    let options = json!(strategy.spec);
    let (kind, file) = (options["kind"].as_str(), options["file"].as_str());
    match (kind, file) {
        (Some("network"), Some(file)) => Ok((file.to_owned(), read_network(file)?)),
        _ => Err(Error::input(format!(
            "`--from` continues a network; `{}` is of the kind `{}`",
            strategy.name,
            kind.unwrap_or_default()
        ))),
    }
}

/// A training in progress.
struct Training<'a, G: Strategic + Encoded> {
    request: &'a LearnRequest<'a>,
    /// The variants under which the strength is measured.
    variants: Vec<Variant<G>>,
    trained: Vec<Variant<G>>,
    ladder: Vec<Strategy<G>>,
    learner: Learner<G>,
    progress: Progress,
    checkpoint: Checkpoint,
    network: PathBuf,
}

impl<G: Strategic + Encoded> Training<'_, G> {
    fn run(mut self) -> Result<LearnOutcome> {
        let mut saved = Instant::now();
        if self.progress.curve.is_empty() {
            self.measure(None, DEALS[0])?;
        }
        let mut all = self.request.hands.or(self.progress.all);
        all.into_iter().for_each(|all| self.request.job.observer.expected(all));
        self.request.job.observer.resumed(self.learner.hands());
        while all.is_none_or(|all| self.learner.hands() < all) {
            let (start, before) = (Instant::now(), self.learner.hands());
            // The number of hands is not known in the first rounds; it changes only the rates of learning.
            let report = self.learner.round(all.unwrap_or(u64::MAX));
            self.progress.seconds += start.elapsed().as_secs_f64();
            self.request.job.observer.played(self.learner.hands() - before);
            if all.is_none() && self.learner.hands() >= SPEED_ROUNDS * ROUND {
                all = match self.expected_hands() {
                    Ok(hands) => Some(hands),
                    Err(error) => {
                        // The files are those of the start.
                        for file in [&self.request.out, &self.network] {
                            _ = std::fs::remove_file(file);
                        }
                        self.checkpoint.remove();
                        return Err(error);
                    }
                };
                self.progress.all = all;
                all.into_iter().for_each(|all| self.request.job.observer.expected(all));
            }
            let part = |hands: u64| (MEASUREMENTS * hands).checked_div(all?);
            let is_over = all.is_some_and(|all| self.learner.hands() >= all);
            if part(before) != part(self.learner.hands()) || is_over {
                self.measure(Some(report), DEALS[usize::from(is_over)])?;
            }
            let is_stopped = self.request.job.stop.load(Ordering::Relaxed);
            if is_stopped || saved.elapsed() > SAVE_INTERVAL {
                self.progress.learner = Some(self.learner.state());
                self.checkpoint.save(&self.progress)?;
                saved = Instant::now();
            }
            ensure(!is_stopped || is_over, || {
                Error::stopped(format!(
                    "stopped after {} hands: strategy and network are written, the progress is in {}; repeat \
                     the command with `--resume` to continue",
                    self.learner.hands(),
                    self.checkpoint.folder().display()
                ))
            })?;
        }
        let outcome = self.outcome();
        self.checkpoint.remove();
        Ok(outcome)
    }

    /// Returns the number of hands for which the hours suffice at the speed so far.
    fn expected_hands(&self) -> Result<u64> {
        let speed = self.learner.hands() as f64 / self.progress.seconds.max(1e-9);
        let hands = (self.request.hours * 3600.0 * (1.0 - SPARE) * speed) as u64 / ROUND * ROUND;
        ensure(hands > self.learner.hands(), || {
            Error::input(format!(
                "`--hours` is too short: {} hands took {:.0} s; give more",
                self.learner.hands(),
                self.progress.seconds
            ))
        })?;
        Ok(hands)
    }

    /// Writes the files, and measures the strength against each strategy of the ladder.
    fn measure(&mut self, report: Option<RoundReport>, deals: u64) -> Result<()> {
        let bytes = self.learner.file()?;
        write_atomic(&self.network, &bytes)?;
        write_atomic(&self.request.out, self.strategy_file(&digest(&bytes)))?;
        let own = Strategy::<G>::load(&Library::strategies(G::NAME), &path_of(&self.request.out))?;
        let own = BotFactory::from_spec(own.spec);
        for (variant, other) in self.variants.iter().cartesian_product(&self.ladder) {
            let against = BotFactory::from_spec(other.spec.clone());
            let score = self.score(&variant.game, [&own, &against], deals)?;
            let (low, high) = score.interval.unwrap_or((score.value, score.value));
            let round = |x: f64| (x * 1e4).round() / 1e4;
            let point = CurvePoint {
                hands: self.learner.hands(),
                minutes: (self.progress.seconds / 0.6).round() / 100.0,
                variant: variant.name.clone(),
                opponent: other.name.clone(),
                score: round(score.value),
                score_low: round(low),
                score_high: round(high),
                entropy: report.map(|report| round(report.entropy)),
                explained: report.map(|report| round(report.explained)),
            };
            (self.request.measured)(&point);
            self.progress.curve.push(point);
        }
        Ok(())
    }

    /// Returns the score of the first player over deals that no training sees. It takes each seat
    /// in turn; the other player has all other seats.
    fn score(&self, game: &G, bots: [&BotFactory<G>; 2], deals: u64) -> Result<Estimate> {
        let seats = game.seats();
        let seed = Seed::new(self.request.options.seed).named("strength");
        let one = |deal: u64| -> Result<i64> {
            let seed = seed.child(deal);
            let all = (0..seats).map(|slot| bots[usize::from(slot > 0)]);
            let mut line_up = LineUp::new(game, all);
            let mut won = 0;
            for rotation in 0..seats as u32 {
                let start = seed.named("deal").stream();
                let choice = seed.named("choice").child(rotation.into());
                let ended =
                    line_up.play(false, &start, choice, |seat| slot_of(seat, rotation, 0, seats));
                let scores = ended?.map(|ended| ended.scores).unwrap_or_default().0;
                let top = scores.iter().max().copied().unwrap_or(0);
                let winners = scores.iter().filter(|points| **points == top).count() as i64;
                if scores.get(seat_of(0, rotation, 0, seats)) == Some(&top) {
                    won += SHARES / winners.max(1);
                }
                line_up.reset_bots();
            }
            Ok(won)
        };
        let won: Result<Vec<i64>> = (0..deals).into_par_iter().map(one).collect();
        let won: Moments = won?.into_iter().collect();
        let score = won.score(1.0 / (SHARES * seats as i64) as f64);
        score.ok_or_else(|| Error::failed("too few deals to measure the strength"))
    }

    /// Returns the strategy file of the network with this digest.
    fn strategy_file(&self, sha256: &str) -> String {
        let name = |variant: &Variant<G>| match G::preset(&variant.name) {
            Some(_) => json!(variant.name),
            None => json!(variant.game.rules()),
        };
        // Of drawn rules those that bring a new value: they cover the ranges.
        let mut seen = HashSet::new();
        let is_new = |rules: &Value| match rules {
            Value::Object(fields) => {
                fields.iter().filter(|it| seen.insert(format!("{it:?}"))).count() > 0
            }
            name => seen.insert(name.to_string()),
        };
        let names = self.variants.iter().map(|variant| variant.name.as_str()).join(", ");
        let hands = self.learner.hands();
        let tuned = Tuned {
            under: self.trained.iter().map(name).filter(is_new).collect(),
            from: self.request.from.clone(),
            by: Some("learn".to_owned()),
            deals: Some(hands),
            seed: Some(self.request.options.seed),
            ..Tuned::default()
        };
        let file = self.network.file_name().unwrap_or_default().to_string_lossy();
        let reward = json!(self.request.options.reward);
        let reward = reward.as_str().unwrap_or_default();
        let more = self.request.from.as_ref().map_or_else(String::new, |_| " more".to_owned());
        let about = format!(
            "A network that learnt {names} by self-play in {hands}{more} hands. Reward: {reward}."
        );
        let mut text = json!({
            "about": about, "kind": "network", "file": file, "sha256": sha256, "tuned": tuned
        });
        if self.request.options.mixed {
            text["mixed"] = json!(true);
        }
        pretty(&text) + "\n"
    }

    fn outcome(&mut self) -> LearnOutcome {
        let curve = std::mem::take(&mut self.progress.curve);
        let at = |hands: u64| curve.iter().filter(move |point| point.hands == hands);
        let first = curve.first().map_or(0, |point| point.hands);
        let pairs = || at(first).zip(at(self.learner.hands()));
        LearnOutcome {
            strategy: self.request.out.file_stem().unwrap_or_default().to_string_lossy().into(),
            hands: self.learner.hands(),
            decisions: self.learner.decisions(),
            minutes: self.progress.seconds / 60.0,
            is_stronger: pairs().any(|(old, new)| new.score_low > old.score_high)
                && pairs().all(|(old, new)| new.score_high >= old.score_low),
            file: self.request.out.clone(),
            network: self.network.clone(),
            curve,
        }
    }
}

/// The unit of a score: a win that up to eight seats can share.
const SHARES: i64 = 840;

fn path_of(file: &Path) -> String {
    let path = file.to_string_lossy().into_owned();
    if file.components().count() > 1 { path } else { format!("./{path}") }
}
