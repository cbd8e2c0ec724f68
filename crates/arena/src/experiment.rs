//! Experiments as files describe them, before names are resolved.

use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use super::VariantSpec;
use super::objective::Objective;
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::text::constant;
use parlour_base::files::{object, some_object};
use parlour_game::Sweep;
use parlour_game::strategy::StrategySpec;
use parlour_stats::Sprt;

/// The pairings of an experiment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Every pairing of two strategies.
    #[default]
    RoundRobin,
    /// The champion against each other strategy.
    Gauntlet,
    /// A list of line-ups, for any number of seats.
    LineUp,
}

/// An experiment, as a file describes it or fully resolved.
///
/// `V` is a variant and `S` a strategy: as in the file, or the complete rules and strategy.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[serde(bound(deserialize = "V: Deserialize<'de>, S: Deserialize<'de>"))]
pub struct Experiment<V, S = StrategySpec> {
    /// The question in one or two sentences.
    #[serde(default)]
    pub about: String,
    /// Marks an experiment for research: `parlour list` shows it only with `--all`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub research: bool,
    /// The question that the report answers. By default the first that the run can answer.
    #[serde(default, deserialize_with = "some_object", skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    /// The game's name.
    pub game: String,
    /// The variants. By default all that the game lists.
    #[serde(default)]
    pub variants: Option<Vec<V>>,
    /// Values of rules: each variant is played with every combination of them. An entry of
    /// `variants` or `strategies` may have its own `sweep` instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<Sweep>,
    /// A search for rule sets that are better than the first variant. The experiment is then played with
    /// the best ones as further variants.
    #[serde(default, deserialize_with = "some_object", skip_serializing_if = "Option::is_none")]
    pub search: Option<SearchSpec>,
    /// The plan of a study, written before its first deal: hypotheses, and when it ends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plan: Vec<String>,
    /// The strategies, each by name, by path or inline: a `name`, a `base` and the differences.
    pub strategies: Vec<S>,
    /// The pairings.
    #[serde(default)]
    pub schedule: Schedule,
    /// The strategy that meets all others in a gauntlet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub champion: Option<String>,
    /// The line-ups of the schedule `line-up`, each a list of strategies by seat. A line-up is
    /// played under the variants with its number of seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_ups: Option<Vec<Vec<String>>>,
    /// Fixes the rating of one strategy. By default the mean rating is 0.
    #[serde(default, deserialize_with = "some_object", skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Anchor>,
    /// Adds a pairing of each strategy with itself to a round-robin.
    #[serde(default)]
    pub mirror: bool,
    /// Gives each seat the cards of the other in the second hand of a deal, where a strategy plays
    /// itself (antithetic variates; Hammersley and Morton 1956).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exchange_cards: bool,
    /// A condition to stop before all deals are played. It is tested at the end of each chunk, at
    /// the earliest after 1 % of the deals.
    #[serde(default, deserialize_with = "stop_condition", skip_serializing_if = "Option::is_none")]
    pub until: Option<StopCondition>,
    /// Re-tests each variant's best strategy on as many fresh deals.
    #[serde(default)]
    pub confirm: bool,
    /// Adjusts scores for the luck of the cards: true, false, or a strategy that judges. By
    /// default true if a strategy searches, since its hands cost more than judging them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck_adjusted: Option<LuckAdjusted>,
    /// Stores the result of every deal, so that strategies can be added to the finished run with
    /// `parlour tournament --add`. Ignored with `until`, `confirm` or scores that are adjusted
    /// for luck.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub store_deals: bool,
    /// Analyzes the decisions of 1 deal in this many: the number of moves and their values. By
    /// default none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample_decisions_every: Option<NonZeroU32>,
    /// The number of deals. Each is played once for every rotation of the strategies over the seats.
    #[serde(default = "constant::<u64, 10_000>")]
    pub deals: u64,
    /// The random seed.
    #[serde(default = "constant::<u64, 1>")]
    pub seed: u64,
    /// Allows strategies with a time limit; such a run cannot be reproduced.
    #[serde(default)]
    pub allow_clock: bool,
}

/// A search for a Pareto front in the objectives of the question.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchSpec {
    /// The values of each rule that may change.
    pub rules: Sweep,
    /// The number of rule sets in the first round.
    #[serde(default = "constant::<usize, 192>")]
    pub rule_sets: usize,
    /// Deals of each rule set in the last round; each earlier round has half as many as the next.
    #[serde(default = "constant::<u64, 4000>")]
    pub deals: u64,
    /// In a manifest: the experiment that was given, from which the search can be repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub given: Option<Value>,
}

/// A strategy with a fixed rating, from which all other ratings are measured.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Anchor {
    /// A strategy of the experiment.
    pub strategy: String,
    /// Its rating, in Elo.
    pub rating: f64,
}

/// The question that a report answers. Its comparisons are corrected for their number; all others
/// are exploratory.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// A figure or a list of figures: columns of `variants.csv`. `score` and `rating` compare the
    /// strategies.
    #[serde(default, deserialize_with = "one_or_more", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "OneOrMore<String>")]
    pub figure: Vec<String>,
    /// The variants to compare (for `score`: the strategies), the first with each other. By
    /// default all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub between: Vec<String>,
    /// Two strategies to compare: which is stronger, and by how much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairing: Option<[String; 2]>,
    /// An attacker and its target: the attacker's score is a lower bound on how far the target can
    /// be beaten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exploit: Option<[String; 2]>,
    /// The variant under which strategies are compared. By default all variants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Goals and limits for figures, as in `parlour tune --objective`: which variants are better than the
    /// first.
    #[serde(default, deserialize_with = "objectives", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "OneOrMore<Objective>")]
    pub objective: Vec<Objective>,
    /// A numeric field of the rules or of the strategies, for the trend of the figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<String>,
}

/// One or more entries.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a text or a list of texts")]
enum OneOrMore<T> {
    One(T),
    More(Vec<T>),
}

impl<T> From<OneOrMore<T>> for Vec<T> {
    fn from(entries: OneOrMore<T>) -> Vec<T> {
        match entries {
            OneOrMore::One(entry) => vec![entry],
            OneOrMore::More(entries) => entries,
        }
    }
}

/// Reads a name or a list of names.
fn one_or_more<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<Vec<String>, D::Error> {
    OneOrMore::deserialize(from).map(OneOrMore::into)
}

/// Reads an objective or a list of objectives.
fn objectives<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<Vec<Objective>, D::Error> {
    let entries = OneOrMore::<Objective>::deserialize(from);
    entries.map(OneOrMore::into).map_err(|_| {
        D::Error::custom(
            "expected objectives: texts as `turns=min`, or a matrix \
             `{\"players\": [\"a\", \"b\"], \"win_rates\": [[0.5, 0.6], [0.4, 0.5]]}`",
        )
    })
}

/// A condition to end a run early; `deals` stays the maximum.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum StopCondition {
    /// A sequential test has decided every pairing.
    Sprt(#[serde(deserialize_with = "object")] Sprt),
    /// The half-widths of the 95 % intervals of every pairing's score and of every variant's
    /// first-seat score are at most this.
    HalfWidth(f64),
}

/// Reads a stop condition with a clear message if there are none or two.
fn stop_condition<'de, D: Deserializer<'de>>(
    from: D,
) -> std::result::Result<Option<StopCondition>, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Conditions {
        #[serde(default, deserialize_with = "some_object")]
        sprt: Option<Sprt>,
        half_width: Option<f64>,
    }
    match object::<Conditions, D>(from)? {
        Conditions { sprt: Some(test), half_width: None } => Ok(Some(StopCondition::Sprt(test))),
        Conditions { sprt: None, half_width: Some(max) } => Ok(Some(StopCondition::HalfWidth(max))),
        _ => Err(D::Error::custom("name one condition: `sprt` or `half_width`")),
    }
}

/// The luck adjustment of an experiment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "true, false or the name of a strategy")]
pub enum LuckAdjusted {
    /// On with the game's own judge, or off.
    Switch(bool),
    /// On with this strategy, by name or path: a network of `parlour learn`.
    Judge(String),
}

impl<V: Serialize + DeserializeOwned, S: Serialize + DeserializeOwned> Experiment<V, S> {
    /// Creates an experiment with the default options: all variants, no strategies yet, a
    /// round-robin of 10,000 deals.
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
        from_fields(json!({ "game": game, "strategies": [] }))
    }

    /// Returns the same experiment without variants and strategies, for others of another form.
    pub fn retyped<W: DeserializeOwned, T: DeserializeOwned>(&self) -> Experiment<W, T> {
        let mut fields = json!(self);
        fields["variants"] = Value::Null;
        fields["strategies"] = json!([]);
        from_fields(fields)
    }

    /// Returns the message if there are too few strategies or line-ups for the schedule.
    pub(super) fn missing_players(&self) -> Option<&'static str> {
        let has_no_line_up = self.line_ups.as_ref().is_some_and(Vec::is_empty);
        match (self.schedule, self.strategies.len()) {
            (Schedule::RoundRobin, 0) => {
                Some("`strategies` is empty; name at least two, or one with `\"mirror\": true`")
            }
            (Schedule::RoundRobin, 1) if !self.mirror => {
                Some("`strategies` has only one; name at least two, or set `\"mirror\": true`")
            }
            (Schedule::Gauntlet, 0 | 1) => {
                Some("a gauntlet needs at least two `strategies`: the champion and an opponent")
            }
            (Schedule::LineUp, 0) => Some("`strategies` is empty; name all that `line_ups` seats"),
            (Schedule::LineUp, _) if has_no_line_up => {
                Some("`line_ups` is empty; add at least one line-up with a strategy for each seat")
            }
            _ => None,
        }
    }
}

#[expect(clippy::expect_used, reason = "all absent fields have a default")]
fn from_fields<T: DeserializeOwned>(fields: Value) -> T {
    serde_json::from_value(fields).expect("an experiment")
}

impl Experiment<VariantSpec> {
    /// Creates a single match-up under one variant, with a strategy (name or path) for each seat.
    /// A strategy may take several seats and may have a time limit.
    pub fn of_match(
        game: &str,
        variant: impl Into<VariantSpec>,
        seats: impl IntoIterator<Item = impl Into<StrategySpec>>,
    ) -> Self {
        let mut strategies: Vec<StrategySpec> = seats.into_iter().map(Into::into).collect();
        let line_up = strategies.iter().map(StrategySpec::stem).collect();
        // A strategy with several seats is loaded once.
        strategies.sort_by(|a, b| a.name().cmp(b.name()));
        strategies.dedup();
        Experiment {
            variants: Some(vec![variant.into()]),
            strategies,
            schedule: Schedule::LineUp,
            line_ups: Some(vec![line_up]),
            allow_clock: true,
            ..Experiment::new(game)
        }
    }

    /// Creates a match-up at one table. `seats` defaults to the number of strategies, which take the
    /// seats in turn until all are taken.
    ///
    /// # Errors
    /// Bad input if there are more strategies than seats.
    pub fn at_table(
        game: &str,
        variant: VariantSpec,
        strategies: impl IntoIterator<Item = impl Into<StrategySpec>>,
        seats: Option<u8>,
    ) -> Result<Self> {
        let strategies: Vec<StrategySpec> = strategies.into_iter().map(Into::into).collect();
        let count = strategies.len();
        let all = seats.map_or(count, usize::from);
        ensure(count <= all, || {
            Error::input(format!("`--seats` is {all}, but there are {count} strategies"))
        })?;
        Ok(Experiment::of_match(game, variant, strategies.into_iter().cycle().take(all)))
    }

    /// Creates a comparison of variants under all pairings of the same strategies; a single
    /// strategy plays against itself.
    pub fn of_variants(
        game: &str,
        variants: impl IntoIterator<Item = impl Into<VariantSpec>>,
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
