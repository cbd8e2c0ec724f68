//! The rows of the tables. A field is a column: its doc comment is the column's description in the
//! data dictionary, and its unit follows `Unit:`. CSV header, cells, dictionary, JSON and the check
//! of a folder are derived from these structs (see [`Table`](super::Table)).

use schemars::JsonSchema;
use serde::Serialize;

use super::units::Unit;
use parlour_game::BotFault;
use parlour_stats::{Estimate, Verdict, is_significant};

/// The conclusion of a comparison.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Conclusion {
    /// Significantly higher or stronger at 5 %, corrected for the comparisons of its family.
    Higher,
    /// Significantly lower or weaker.
    Lower,
    /// No significant difference; a relevant one would have been found.
    NoClearDifference,
    /// No significant difference; a relevant one could have been missed.
    NotEnoughDeals,
    /// A number without a comparison.
    #[default]
    Measured,
}

impl Conclusion {
    /// Returns the conclusion of a change with its corrected p-value, where `relevant` is the
    /// smallest difference that matters.
    pub(super) fn of(change: Estimate, p: Option<f64>, relevant: f64, deals: u64) -> Conclusion {
        match change.half_width() {
            _ if is_significant(p) && change.value > 0.0 => Conclusion::Higher,
            _ if is_significant(p) => Conclusion::Lower,
            Some(half) if half <= relevant => Conclusion::NoClearDifference,
            // No deal had another result.
            None if change.value == 0.0 && deals > 1 => Conclusion::NoClearDifference,
            _ => Conclusion::NotEnoughDeals,
        }
    }

    /// Returns the conclusion as text.
    pub fn text(self) -> &'static str {
        match self {
            Conclusion::Higher => "higher",
            Conclusion::Lower => "lower",
            Conclusion::NoClearDifference => "no clear difference",
            Conclusion::NotEnoughDeals => "not enough deals",
            Conclusion::Measured => "measured",
        }
    }

    /// Returns `true` for a significant difference.
    pub(super) fn is_clear(self) -> bool {
        matches!(self, Conclusion::Higher | Conclusion::Lower)
    }

    /// Returns the conclusion of the opposite change.
    pub(super) fn reversed(self) -> Conclusion {
        match self {
            Conclusion::Higher => Conclusion::Lower,
            Conclusion::Lower => Conclusion::Higher,
            same => same,
        }
    }
}

/// A family of comparisons. The p-values of each family are corrected for its own size.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// The comparisons of the run's question.
    Question,
    /// All other comparisons.
    #[default]
    Exploratory,
}

/// One row per comparison of the run's question.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Finding {
    /// The figure: a column of `variants.csv`, or `score`, `score_luck_adjusted` or `rating` of strategies.
    pub figure: String,
    /// Unit of the figure.
    pub unit: String,
    /// The variant if strategies are compared; the series of a trend; otherwise empty.
    pub variant: String,
    /// The reference: a variant, a strategy, a fair share, or the first value of a trend.
    pub reference: String,
    /// The subject: a variant, a strategy, or the last value of a trend.
    pub subject: String,
    /// For a figure of variants: its players, joined by `+`, or `all` for all pairings of the run;
    /// otherwise empty.
    pub players: String,
    /// Value of the reference. Unit: see `unit`.
    pub reference_value: Option<Estimate>,
    /// Value of the subject. Unit: see `unit`.
    pub subject_value: Option<Estimate>,
    /// Subject minus reference, from pairs of the same deals. For a trend the change per unit of the
    /// value or per doubling; for a score the distance from a fair share. Unit: see `unit`.
    pub change: Option<Estimate>,
    /// Two-sided p-value of no change. Unit: p-value.
    pub p_value: Option<f64>,
    /// The p-value after Holm's correction over the comparisons of the question. Unit: p-value.
    pub p_adjusted_family: Option<f64>,
    /// `higher`, `lower`, `no_clear_difference`, `not_enough_deals`, or `measured` without a
    /// comparison.
    pub conclusion: Conclusion,
    /// If there are not enough deals: the number that would show a relevant difference (2 percentage
    /// points, 20 Elo, a tenth of any other figure) with a power of 80 %. Empty below 10 deals.
    /// Unit: deals.
    pub deals_needed: Option<u64>,
    /// The steps or doublings between both values of a trend; otherwise 1.
    #[serde(skip)]
    pub steps: f64,
    /// `true` if `matchups.csv` or `differences.csv` has the same comparison.
    #[serde(skip)]
    pub(super) is_row: bool,
}

impl Finding {
    /// Returns a finding without numbers, of a figure with its unit, variant, reference and subject.
    pub(super) fn blank(names: [&str; 5]) -> Finding {
        let [figure, unit, variant, reference, subject] = names.map(str::to_owned);
        let steps = 1.0;
        Finding { figure, unit, variant, reference, subject, steps, ..Finding::default() }
    }

    /// The unit.
    pub(super) fn unit(&self) -> Unit<'_> {
        Unit::parse(&self.unit)
    }

    /// The smallest change that matters, for a trend divided by its steps; and its text.
    pub(super) fn relevant_difference(&self) -> (f64, &'static str) {
        let [a, b] = [self.reference_value, self.subject_value].map(|e| e.map_or(0.0, |e| e.value));
        let (difference, text) = self.unit().relevant_difference(a, b);
        (difference / self.steps, text)
    }
}

/// One row per variant and pairing, all seatings added up; with more than two seats, one per place
/// in a line-up.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Matchup {
    /// The variant.
    pub variant: String,
    /// The strategy whose results these are.
    pub strategy: String,
    /// The other strategy; with more seats all others, joined by `+`.
    pub opponent: String,
    /// The indices of both in the plan, at tables of two.
    #[serde(skip)]
    pub pair: Option<(usize, usize)>,
    /// Deals played. Unit: deals.
    pub deals: u64,
    /// Matches: a deal once per seating. Unit: matches.
    pub matches: u64,
    /// Hands in these matches. Unit: hands.
    pub hands: u64,
    /// Matches won alone. Unit: matches.
    pub wins: u64,
    /// Matches with a shared win. Unit: matches.
    pub draws: u64,
    /// Matches lost. Unit: matches.
    pub losses: u64,
    /// Mean result of a match: 1 for a win, a share for a shared win. Unit: share of the win.
    pub score: Option<Estimate>,
    /// Mean points per match. Unit: points.
    pub points_for: Option<Estimate>,
    /// Mean points of the others per match. Unit: points.
    pub points_against: Option<Estimate>,
    /// Mean points per match minus the mean of the others' points. Unit: points.
    pub margin: Option<Estimate>,
    /// Mean turns per hand. Unit: turns per hand.
    pub turns: Option<Estimate>,
    /// Two-sided p-value of equal strength (a fair share of the wins); empty if a strategy meets
    /// itself. Unit: p-value.
    pub p_value: Option<f64>,
    /// The p-value after Holm's correction over all rows. Unit: p-value.
    pub p_adjusted: Option<f64>,
    /// `question` if the row belongs to the run's question, otherwise `exploratory`.
    pub family: Family,
    /// The p-value after Holm's correction within its family. Unit: p-value.
    pub p_adjusted_family: Option<f64>,
    /// Verdict of the sequential test: `upper` (at least elo1), `lower` (at most elo0) or
    /// `undecided`; empty without a test.
    #[schemars(with = "Option<String>")]
    pub sprt_verdict: Option<Verdict>,
    /// The test's log-likelihood ratio at its decision, or after all deals. Unit: ratio.
    pub sprt_llr: Option<f64>,
    /// The score at the test's decision, corrected for early stopping; empty before a decision.
    /// Unit: share of the win.
    pub sprt_score: Option<Estimate>,
    /// Variance of a deal's score divided by its variance with independent seatings; two seats only.
    /// Unit: ratio.
    pub variance_ratio: Option<f64>,
    /// Deals by the wins of both seatings together: 0, ½, 1, 1½ and 2; two seats only.
    /// Unit: deals.
    #[schemars(extend("stem" = "pentanomial"))]
    pub pentanomial: Option<[u64; 5]>,
    /// `score` minus the luck of the cards, with `luck_adjusted`; otherwise empty.
    /// Unit: share of the win.
    pub score_luck_adjusted: Option<Estimate>,
    /// Variance of the adjusted score between deals divided by that of `score`; above 1 the
    /// adjustment added variance. Unit: share of the variance.
    pub remaining_variance: Option<f64>,
    /// `margin` minus the luck of the cards. Unit: points.
    pub margin_luck_adjusted: Option<Estimate>,
}

impl Matchup {
    /// Returns `true` for the pairing of these two strategies.
    pub(super) fn is_between(&self, a: usize, b: usize) -> bool {
        self.pair == Some((a, b)) || self.pair == Some((b, a))
    }

    /// Swaps the strategies of a pairing with their results; the sequential test stays that of the first
    /// strategy.
    #[must_use]
    pub fn swapped(self) -> Matchup {
        let other = |score: Option<Estimate>| Some(score?.scaled(-1.0).shifted(1.0));
        Matchup {
            strategy: self.opponent,
            opponent: self.strategy,
            pair: self.pair.map(|(a, b)| (b, a)),
            wins: self.losses,
            losses: self.wins,
            score: other(self.score),
            score_luck_adjusted: other(self.score_luck_adjusted),
            margin: self.margin.map(|margin| margin.scaled(-1.0)),
            ..self
        }
    }
}

/// One row per variant and strategy.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Standing {
    /// The variant.
    pub variant: String,
    /// The strategy.
    pub strategy: String,
    /// The strategy's index in the plan.
    #[serde(skip)]
    pub number: usize,
    /// Rank by rating, from 1. Unit: rank.
    pub rank: usize,
    /// Matches against others. Unit: matches.
    pub matches: u64,
    /// Hands in these matches. Unit: hands.
    pub hands: u64,
    /// Mean result of a match: 1 for a win, a share for a shared win. Unit: share of the win.
    pub score: Option<Estimate>,
    /// Bradley-Terry rating with draws and a seat term. The mean of the variant's strategies is 0, or
    /// the anchor has its fixed rating. Each pair that met counts one more game, an even share of win, draw
    /// and loss; it alone decides the rating of a strategy that won or lost all, which has no interval.
    /// Unit: Elo.
    pub rating: Option<Estimate>,
    /// Hands lost because the bot failed. Unit: hands.
    pub faults: u64,
    /// `faults` by cause: panic, illegal move, timeout, exit, too much or unexpected output, unreadable
    /// answer, failed start, or given up after too many failures.
    /// Unit: hands.
    #[schemars(extend("stem" = "faults", "names" = BotFault::NAMES))]
    pub fault_kinds: [u64; BotFault::NAMES.len()],
}

/// One row per variant and two strategies that are neighbours by rating and met.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct LadderRow {
    /// The variant.
    pub variant: String,
    /// The strategy.
    pub strategy: String,
    /// The next strategy below it.
    pub below: String,
    /// Score of the first against the second. Unit: share of the win.
    pub score: Option<Estimate>,
    /// `score` in Elo; empty if the first always won. Unit: Elo.
    pub elo_gap: Option<Estimate>,
    /// Share of the variance of a match's result between these two that the deal explains; with a
    /// gap near 0 the share of luck between equals. Unit: share of variance.
    pub luck_share: Option<Estimate>,
    /// `luck_share` between two equally strong players. Unit: share of variance.
    pub luck_share_equal: Option<Estimate>,
    /// `luck_share` between players 100 Elo apart. Unit: share of variance.
    pub luck_share_100_elo: Option<Estimate>,
}

/// One row per variant.
#[derive(Serialize, JsonSchema)]
pub(super) struct VariantRow {
    /// The variant.
    pub variant: String,
    /// Deals played. Unit: deals.
    pub deals: u64,
    /// Hands of all pairings. Unit: hands.
    pub hands: u64,
    // The game's figures are inserted here, after `BEFORE_FIGURES` columns.
    /// Variance of `first_seat_luck_adjusted` between deals divided by that of `first_seat_score`; above 1
    /// the adjustment added variance. Unit: share of the variance.
    pub first_seat_remaining_variance: Option<f64>,
}

/// One row per pair of variants and figure.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Difference {
    /// The first variant.
    pub variant_a: String,
    /// The second variant.
    pub variant_b: String,
    /// The figure, a column of `variants.csv`.
    pub figure: &'static str,
    /// Unit of the figure.
    pub unit: &'static str,
    /// The figure under the first variant. Unit: see `unit`.
    pub value_a: f64,
    /// The figure under the second variant. Unit: see `unit`.
    pub value_b: f64,
    /// Second minus first; the interval comes from pairs of the same deal. Unit: see `unit`.
    pub difference: Estimate,
    /// Two-sided p-value of no difference; empty if nothing varied. Unit: p-value.
    pub p_value: Option<f64>,
    /// The p-value after Holm's correction over all rows. Unit: p-value.
    pub p_adjusted: Option<f64>,
    /// `question` if the row belongs to the run's question, otherwise `exploratory`.
    pub family: Family,
    /// The p-value after Holm's correction within its family. Unit: p-value.
    pub p_adjusted_family: Option<f64>,
    /// The conclusion within its family.
    #[serde(skip)]
    pub conclusion: Conclusion,
}

/// One row per strategy; filled only for variants with a significant non-transitive cycle.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PopulationRow {
    /// A variant with a cycle of strategies, each significantly beating the next.
    pub variant: String,
    /// The strategy.
    pub strategy: String,
    /// The number of its cycle, from 1; empty outside all cycles. Unit: number.
    pub cycle: Option<usize>,
    /// Its share of the mixture that no strategy beats (Nash averaging). Unit: share.
    pub nash_share: Estimate,
    /// Its score against that mixture. Unit: share of the win.
    pub nash_score: Estimate,
    /// Its share of time under α-rank, an evolutionary model. Unit: share of time.
    pub alpha_rank: Estimate,
}

/// One row per pairing of a variant's best strategy, with `confirm`; otherwise empty.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Confirmation {
    /// The variant.
    pub variant: String,
    /// The variant's best rated strategy.
    pub strategy: String,
    /// The other strategy; with more seats all others, joined by `+`.
    pub opponent: String,
    /// Score in the run that selected it; empty with more than two seats. Unit: share of the win.
    pub selection_score: Option<Estimate>,
    /// Fresh deals, which had no part in the selection. Unit: deals.
    pub deals: u64,
    /// Score on the fresh deals. Unit: share of the win.
    pub score: Option<Estimate>,
}
