//! The rows of the tables. A field is a column: its doc comment is what the data dictionary says of
//! the column, and after `Unit:` what one of it is. Heads, cells, dictionary, JSON and the check of a
//! folder follow from these structs (see [`Table`](super::Table)); names are units where none is
//! given.

use schemars::JsonSchema;
use serde::Serialize;

use super::Call;
use crate::game::BotFault;
use crate::stats::{Estimate, Verdict};

/// One row for each variant and pairing, all seatings summed; with more than two seats, one for each
/// place in a line-up.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Matchup {
    /// The variant.
    pub variant: String,
    /// The strategy whose results these are.
    pub strategy: String,
    /// The other strategy; with more seats all others, joined by `+`.
    pub opponent: String,
    /// The numbers of both in the plan, at tables of two.
    #[serde(skip)]
    pub pair: Option<(usize, usize)>,
    /// Deals played. Unit: deals.
    pub deals: u64,
    /// Matches: a deal for every seating. Unit: matches.
    pub matches: u64,
    /// Hands in these matches. Unit: hands.
    pub hands: u64,
    /// Matches won alone. Unit: matches.
    pub wins: u64,
    /// Matches whose win was shared. Unit: matches.
    pub draws: u64,
    /// Matches lost. Unit: matches.
    pub losses: u64,
    /// Mean result of a match: 1 for a win, a share for a shared win. Unit: share of the win.
    pub score: Option<Estimate>,
    /// Mean points of a match. Unit: points.
    pub points_for: Option<Estimate>,
    /// Mean points of the others in a match. Unit: points.
    pub points_against: Option<Estimate>,
    /// Mean points of a match less the mean of the others' points. Unit: points.
    pub margin: Option<Estimate>,
    /// Mean turns of a hand. Unit: turns a hand.
    pub turns: Option<Estimate>,
    /// Two-sided p-value of equal strength, a fair share of the wins; empty where a strategy meets
    /// itself. Unit: p-value.
    pub p: Option<f64>,
    /// The p-value after Holm's correction over all rows. Unit: p-value.
    pub p_holm: Option<f64>,
    /// `question` where the run's question asks for it, `exploratory` otherwise.
    pub family: &'static str,
    /// The p-value after Holm's correction within its family. Unit: p-value.
    pub p_family: Option<f64>,
    /// What the run's sequential test accepts: `upper` (at least elo1), `lower` (at most elo0) or
    /// `undecided`; empty without a test.
    #[schemars(with = "Option<String>")]
    pub sprt: Option<Verdict>,
    /// The test's log-likelihood ratio at its decision, or after all deals. Unit: ratio.
    pub sprt_llr: Option<f64>,
    /// The score at the test's decision without the bias that stopping gives `score`; empty before a
    /// decision. Unit: share of the win.
    pub sprt_score: Option<Estimate>,
    /// Variance of a deal's score as a part of what it would be with independent seatings; two
    /// seats only. Unit: ratio.
    pub variance_ratio: Option<f64>,
    /// Deals by the wins that both seatings gave together: 0, ½, 1, 1½ and 2; two seats only.
    /// Unit: deals.
    #[schemars(extend("stem" = "deals"))]
    pub by_deal: Option<[u64; 5]>,
    /// `score` less what the cards were worth as they came, with `luck_adjusted`; otherwise empty.
    /// Unit: share of the win.
    pub score_adjusted: Option<Estimate>,
    /// The part of the score's variance between deals that luck does not explain; above 1 the
    /// correction did harm. Unit: share of the variance.
    pub variance_left: Option<f64>,
    /// `margin` less what the cards were worth. Unit: points.
    pub margin_adjusted: Option<Estimate>,
}

impl Matchup {
    /// The score as the opponent's, in a pairing.
    #[must_use]
    pub fn turned(self) -> Matchup {
        let other = |score: Option<Estimate>| Some(score?.scaled(-1.0).shifted(1.0));
        let (score, score_adjusted) = (other(self.score), other(self.score_adjusted));
        let pair = self.pair.map(|(a, b)| (b, a));
        let (strategy, opponent) = (self.opponent, self.strategy);
        Matchup { strategy, opponent, pair, score, score_adjusted, ..self }
    }
}

/// One row for each variant and strategy.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Standing {
    /// The variant.
    pub variant: String,
    /// The strategy.
    pub strategy: String,
    /// The strategy's number in the plan.
    #[serde(skip)]
    pub number: usize,
    /// From 1, the best rated. Unit: rank.
    pub rank: usize,
    /// Matches against others. Unit: matches.
    pub matches: u64,
    /// Hands in these matches. Unit: hands.
    pub hands: u64,
    /// Mean result of a match: 1 for a win, a share for a shared win. Unit: share of the win.
    pub score: Option<Estimate>,
    /// Rating by the model of Bradley and Terry with draws and a seat term; the mean of the
    /// variant's strategies is 0. Unit: Elo.
    pub rating: Option<Estimate>,
    /// Hands that it lost because its bot failed. Unit: hands.
    pub faults: u64,
    /// The same by what it did: panicked, chose an illegal move, did not answer in time, ended, said
    /// too much or unasked, said what is no answer, did not start; or it had failed too often before.
    /// Unit: hands.
    #[schemars(extend("stem" = "faults", "names" = BotFault::ALL.map(BotFault::name)))]
    pub fault_kinds: [u64; BotFault::ALL.len()],
}

/// One row for each variant.
#[derive(Serialize, JsonSchema)]
pub(super) struct Balance {
    /// The variant.
    pub variant: String,
    /// Deals played. Unit: deals.
    pub deals: u64,
    /// Hands of all pairings. Unit: hands.
    pub hands: u64,
    // Here stand the game's figures.
    /// `first_seat_score` less what the deals' cards explain, with `control`; otherwise empty.
    /// Unit: share of the win.
    pub first_seat_controlled: Option<Estimate>,
    /// The part of the variance between deals that the cards explain; below 0 the correction did
    /// harm. Unit: share of the variance.
    pub control_saved: Option<f64>,
    /// `first_seat_score` less what the cards were worth as they came, with `luck_adjusted`;
    /// otherwise empty. Unit: share of the win.
    pub first_seat_adjusted: Option<Estimate>,
    /// The part of its variance between deals that luck does not explain; above 1 the correction
    /// did harm. Unit: share of the variance.
    pub first_seat_variance_left: Option<f64>,
}

impl Balance {
    /// How many columns stand before the figures.
    pub const BEFORE: usize = 3;
}

/// One row for each two variants and each figure.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Difference {
    /// The first variant.
    pub variant_a: String,
    /// The second.
    pub variant_b: String,
    /// The figure, a column of `variants.csv`.
    pub figure: &'static str,
    /// What one of it is.
    pub unit: &'static str,
    /// The figure under the first variant. Unit: see `unit`.
    pub a: f64,
    /// The figure under the second. Unit: see `unit`.
    pub b: f64,
    /// The second less the first; the interval comes from the pairs of the same deal.
    /// Unit: see `unit`.
    pub difference: Estimate,
    /// Two-sided p-value of no difference; empty where nothing varied. Unit: p-value.
    pub p: Option<f64>,
    /// The p-value after Holm's correction over all rows. Unit: p-value.
    pub p_holm: Option<f64>,
    /// `question` where the run's question asks for it, `exploratory` otherwise.
    pub family: &'static str,
    /// The p-value after Holm's correction within its family. Unit: p-value.
    pub p_family: Option<f64>,
    /// What it comes to, as the answer of the run would say it.
    #[serde(skip)]
    pub call: Call,
}

/// One row for each strategy of a variant with a proven ring; otherwise empty.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Placed {
    /// A variant under which strategies beat one another in a ring, each difference proven.
    pub variant: String,
    /// The strategy.
    pub strategy: String,
    /// The number of its ring, from 1; empty outside all rings. Unit: number.
    pub ring: Option<usize>,
    /// Its share of the mixture that no strategy beats (Nash averaging). Unit: share.
    pub nash_share: Estimate,
    /// What it scores against that mixture. Unit: share of the win.
    pub nash_score: Estimate,
    /// Its share of the time under α-rank, a model of evolution. Unit: share of time.
    pub alpha_rank: Estimate,
}

/// One row for each pairing of a variant's best strategy, with `confirm`; otherwise empty.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Confirmed {
    /// The variant.
    pub variant: String,
    /// The variant's best rated strategy.
    pub strategy: String,
    /// The other strategy; with more seats all others, joined by `+`.
    pub opponent: String,
    /// Its score in the run that chose it; empty with more than two seats. Unit: share of the win.
    pub chosen_score: Option<Estimate>,
    /// Fresh deals, which had no part in choosing it. Unit: deals.
    pub deals: u64,
    /// Its score on the fresh deals. Unit: share of the win.
    pub score: Option<Estimate>,
}

/// One row for each hand, with `--hands`; the columns with a number stand once for each seat.
#[derive(Serialize, JsonSchema)]
pub(super) struct Hand<'a> {
    /// The variant.
    pub variant: &'a str,
    /// The deal, from 0. Unit: number.
    pub deal: u64,
    /// The hand of its match, from 0. Unit: number.
    pub hand: u32,
    /// How far the strategies are rotated over the seats. Unit: number.
    pub rotation: u32,
    /// The strategy at the seat.
    pub seat: Vec<Option<&'a str>>,
    /// Points of the seat. Unit: points.
    pub score: Vec<Option<i32>>,
    /// Value of the square, pieces captured or cards held of the seat. Unit: the game's.
    pub value: Vec<Option<i64>>,
    /// The seat that won alone; empty for a shared win. Unit: seat.
    pub winner: Option<usize>,
    /// Turns of all seats. Unit: turns.
    pub turns: u32,
    /// How the hand ended, one word; `fault` where a bot failed.
    pub ended: &'a str,
    /// The run's seed. Unit: number.
    pub seed: u64,
}
