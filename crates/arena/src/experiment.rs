//! An experiment as it is written.

use std::num::NonZeroU32;
use std::path::Path;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::sweep::{MOST_STRATEGIES, MOST_VARIANTS};
use super::until::one_condition;
use super::{LuckAdjusted, Question, Until, VariantSpec};
use crate::error::{Error, Result, ensure};
use crate::files::some_object;
use crate::game::Sweep;
use crate::strategy::StrategySpec;

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Every pairing of two strategies.
    #[default]
    RoundRobin,
    /// The champion against each other strategy.
    Gauntlet,
    /// The line-ups that are listed, for any number of seats.
    LineUp,
}

/// An experiment, as it is written in a file or spelled out in full.
///
/// `V` is a variant and `S` a strategy: in a file a [`VariantSpec`] and a [`StrategySpec`], in a
/// [`Resolved`](super::Resolved) experiment the rules and the strategy in full.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[serde(bound(deserialize = "V: Deserialize<'de>, S: Deserialize<'de>"))]
pub struct Experiment<V, S = StrategySpec> {
    /// The question, in a sentence or two.
    #[serde(default)]
    pub about: String,
    /// Whether it is there for research: `parlour list` shows it with `--all` only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub research: bool,
    /// What the run is to answer; left out, what can be asked of it first.
    #[serde(default, deserialize_with = "some_object", skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    /// The game's name.
    pub game: String,
    /// The variants; all that the game lists when left out.
    #[serde(default)]
    pub variants: Option<Vec<V>>,
    /// Values of rules: each variant is played with every combination of them. An entry of
    /// `variants` or `strategies` may have a `sweep` of its own in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<Sweep>,
    /// The strategies, each by name or path, or written here: a `name`, a `base` and what differs.
    pub strategies: Vec<S>,
    /// Who meets whom.
    #[serde(default)]
    pub schedule: Schedule,
    /// The strategy that meets each other in a gauntlet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub champion: Option<String>,
    /// For the schedule `line-up`: the strategies by seat, one list a line-up. Variants with
    /// another number of seats pass a line-up over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_ups: Option<Vec<Vec<String>>>,
    /// Whether each strategy also meets itself, in a round-robin.
    #[serde(default)]
    pub mirror: bool,
    /// When the run may end before that many deals, decided at borders of chunks: after 1 % of the
    /// deals at the earliest.
    #[serde(default, deserialize_with = "one_condition", skip_serializing_if = "Option::is_none")]
    pub until: Option<Until>,
    /// Whether each variant's best strategy is measured again, on as many fresh deals.
    #[serde(default)]
    pub confirm: bool,
    /// Whether what the deal's cards explain of the first seat's score is taken out of its doubt.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub control: bool,
    /// Whether what the cards of each hand were worth, as they came, is taken out of the scores: true,
    /// false, or the file of a judge of your own. Left out, it is where a strategy searches, whose
    /// hands cost more than judging them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck_adjusted: Option<LuckAdjusted>,
    /// Of one deal in so many every decision is looked at: how many moves there were, and what they
    /// were worth. Left out, of none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisions: Option<NonZeroU32>,
    /// How many deals; each is played once for every rotation of the strategies over the seats.
    #[serde(default = "default_deals")]
    pub deals: u64,
    /// The number that all chance grows from.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Whether strategies that go by the clock are let in; such a run cannot be repeated.
    #[serde(default)]
    pub allow_clock: bool,
}

impl<V, S> Experiment<V, S> {
    /// An experiment with a game, and every option as it is when a file leaves it out: all variants,
    /// no strategy yet, a round-robin of 10,000 deals.
    ///
    /// ```
    /// use parlour_arena::{Experiment, Plan};
    /// use parlour_leopard::Leopard;
    ///
    /// let experiment = Experiment {
    ///     strategies: vec!["greedy".into(), "random".into()],
    ///     deals: 100,
    ///     ..Experiment::new("leopard")
    /// };
    /// let plan = Plan::<Leopard>::resolve("greedy-or-random", &experiment)?;
    /// assert_eq!(plan.tables.len(), plan.variants.len());
    /// # Ok::<(), parlour_base::error::Error>(())
    /// ```
    pub fn new(game: &str) -> Self {
        let fields = json!({ "game": game, "strategies": [] });
        #[expect(clippy::expect_used, reason = "nothing was read: all other fields have a default")]
        let plain: Experiment<(), ()> = serde_json::from_value(fields).expect("it is complete");
        plain.with(None, Vec::new())
    }
}

impl<V, S> Experiment<V, S> {
    /// The same experiment with other variants and strategies, which are spelled out and so not
    /// swept any more.
    pub(super) fn with<W, T>(
        self,
        variants: Option<Vec<W>>,
        strategies: Vec<T>,
    ) -> Experiment<W, T> {
        let Experiment {
            about, question, game, schedule, champion, line_ups, mirror, until, ..
        } = self;
        let Experiment {
            confirm, control, luck_adjusted, decisions, deals, seed, allow_clock, ..
        } = self;
        Experiment {
            about,
            research: false,
            question,
            game,
            variants,
            sweep: None,
            strategies,
            schedule,
            champion,
            line_ups,
            mirror,
            until,
            confirm,
            control,
            luck_adjusted,
            decisions,
            deals,
            seed,
            allow_clock,
        }
    }

    /// The same experiment with other variants.
    pub fn with_variants<W>(mut self, variants: Vec<W>) -> Experiment<W, S> {
        let strategies = std::mem::take(&mut self.strategies);
        let (research, sweep) = (self.research, self.sweep.clone());
        Experiment { research, sweep, ..self.with(Some(variants), strategies) }
    }

    /// Refuses what takes more time and memory than there is, before anything is made of it. All
    /// variants are compared with one another, and so are all strategies.
    pub(super) fn check_counts(&self) -> Result<()> {
        let strategies = self.strategies.len();
        let variants = self.variants.as_ref().map_or(1, Vec::len);
        let pairs = |count: usize| count * count.saturating_sub(1) / 2;
        let tables = match self.schedule {
            Schedule::RoundRobin => pairs(strategies),
            Schedule::Gauntlet => strategies,
            Schedule::LineUp => self.line_ups.as_ref().map_or(0, Vec::len),
        };
        let fault = |what, count, shown, most| {
            ensure(count <= most, || {
                Error::input(format!(
                    "{what} {count}{shown}, and an experiment has at most {most}: divide it"
                ))
            })
        };
        let shown = |count| format!(", in {} pairs to compare", pairs(count));
        fault("`variants` are", variants, shown(variants), MOST_VARIANTS)?;
        fault("`strategies` are", strategies, shown(strategies), MOST_STRATEGIES)?;
        // A table takes 2 kB in memory for each chunk; these take 2.6 GB.
        fault("the tables of all variants are", variants * tables, String::new(), 20_000)
    }

    /// What would be right, where there are too few strategies or line-ups for the schedule.
    pub(super) fn too_little(&self) -> Option<&'static str> {
        let unlisted = self.line_ups.as_ref().is_some_and(Vec::is_empty);
        match (self.schedule, self.strategies.len()) {
            (Schedule::RoundRobin, 0) => {
                Some("`strategies` is empty; name at least two, or one with `\"mirror\": true`")
            }
            (Schedule::RoundRobin, 1) if !self.mirror => {
                Some("`strategies` names only one; name at least two, or set `\"mirror\": true`")
            }
            (Schedule::Gauntlet, 0 | 1) => {
                Some("a gauntlet needs at least two `strategies`, the champion and another")
            }
            (Schedule::LineUp, 0) => Some("`strategies` is empty; name all that `line_ups` seats"),
            (Schedule::LineUp, _) if unlisted => {
                Some("`line_ups` is empty; list at least one line-up, a strategy for each seat")
            }
            _ => None,
        }
    }
}

impl<P: DeserializeOwned> Experiment<VariantSpec<P>> {
    /// One match-up under one variant: a strategy for each seat, by name or path. One may sit at
    /// several seats, or go by the clock.
    pub fn of_match(game: &str, variant: &str, seats: &[String]) -> Self {
        let seats: Vec<StrategySpec> = seats.iter().map(Into::into).collect();
        Experiment::seating(game, variant.into(), &seats)
    }

    /// The same of a variant and strategies that may be written out.
    fn seating(game: &str, variant: VariantSpec<P>, seats: &[StrategySpec]) -> Self {
        // A strategy that sits twice is loaded once.
        let mut strategies = seats.to_vec();
        strategies.sort_by(|a, b| a.said().cmp(b.said()));
        strategies.dedup();
        let name = |strategy: &StrategySpec| match strategy {
            StrategySpec::Inline { name, .. } => name.clone(),
            StrategySpec::Named(path) => {
                let stem = Path::new(path).file_stem();
                stem.map_or_else(|| path.clone(), |s| s.to_string_lossy().into_owned())
            }
        };
        Experiment {
            variants: Some(vec![variant]),
            strategies,
            schedule: Schedule::LineUp,
            line_ups: Some(vec![seats.iter().map(name).collect()]),
            allow_clock: true,
            ..Experiment::new(game)
        }
    }

    /// One match-up at a table of this many seats, or of one seat a strategy: the strategies sit
    /// down in turn until all seats are taken.
    ///
    /// # Errors
    /// Bad input if there are more strategies than seats.
    pub fn at_table(
        game: &str,
        variant: VariantSpec<P>,
        strategies: impl IntoIterator<Item = impl Into<StrategySpec>>,
        seats: Option<u8>,
    ) -> Result<Self> {
        let strategies: Vec<StrategySpec> = strategies.into_iter().map(Into::into).collect();
        let named = strategies.len();
        let all = seats.map_or(named, usize::from);
        ensure(named <= all, || {
            Error::input(format!("`--seats` is {all}, but {named} strategies are named"))
        })?;
        let seated: Vec<_> = strategies.into_iter().cycle().take(all).collect();
        Ok(Experiment::seating(game, variant, &seated))
    }

    /// Variants under the same strategies, all pairings of which are played; a single strategy
    /// meets itself.
    pub fn of_variants(
        game: &str,
        variants: impl IntoIterator<Item = impl Into<VariantSpec<P>>>,
        strategies: impl IntoIterator<Item = impl Into<StrategySpec>>,
    ) -> Self {
        let strategies: Vec<StrategySpec> = strategies.into_iter().map(Into::into).collect();
        Experiment {
            variants: Some(variants.into_iter().map(Into::into).collect()),
            mirror: strategies.len() == 1,
            strategies,
            allow_clock: true,
            ..Experiment::new(game)
        }
    }
}

const fn default_deals() -> u64 {
    10_000
}

const fn default_seed() -> u64 {
    1
}
