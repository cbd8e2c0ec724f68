//! The answer of a run: what was asked, what each comparison of it found, and the same in sentences.
//! The terminal, the page, the list of runs and JSON all say this one answer.

mod amount;
mod find;
mod say;
mod strategies;
mod subject;
mod title;
mod trend;
mod variants;

use schemars::JsonSchema;
use serde::Serialize;

use amount::{DOUBLING, EACH};
pub(super) use amount::{interval, is_rate, level, signed};
pub(super) use find::{Evidence, FAIR};

use super::Asked;
use super::numbers::correct;
use crate::arena::PlanInfo;
use crate::stats::{Estimate, deals_for_difference, deviation_of, is_significant};

/// What a comparison comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// Higher, or stronger; significant at 5 % after the correction for the question's comparisons.
    Higher,
    /// Lower, or weaker; the same.
    Lower,
    /// No difference was found, and one that matters would have been.
    NoClearDifference,
    /// No difference was found, but one that matters would not have been either.
    TooFewDeals,
    /// A number that is compared with nothing.
    Measured,
}

impl Call {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Call::Higher => "higher",
            Call::Lower => "lower",
            Call::NoClearDifference => "no clear difference",
            Call::TooFewDeals => "too few deals",
            Call::Measured => "measured",
        }
    }
}

/// One row for each comparison that the run's question asks for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Finding {
    /// What is compared: a column of `variants.csv`, or `score`, `score_adjusted` or `rating` of strategies.
    pub figure: String,
    /// What one of it is.
    pub unit: String,
    /// The variant, where strategies are compared; of a trend the series. Empty otherwise.
    pub variant: String,
    /// What it is compared with: a variant, a strategy, a fair share, or the first value of a trend.
    pub from: String,
    /// What is compared: a variant, a strategy, or the last value of a trend.
    pub to: String,
    /// The number of `from`. Unit: see `unit`.
    pub a: Option<Estimate>,
    /// The number of `to`. Unit: see `unit`.
    pub b: Option<Estimate>,
    /// The second less the first, from the pairs of the same deals; of a trend the change for
    /// each 1 of the value, or for each doubling; of a score the distance from a fair share. Unit: see `unit`.
    pub change: Option<Estimate>,
    /// Two-sided p-value of no change. Unit: p-value.
    pub p: Option<f64>,
    /// The same after Holm's correction over the comparisons of the question. Unit: p-value.
    pub p_family: Option<f64>,
    /// `higher`, `lower`, `no_clear_difference`, `too_few_deals`, or `measured` where it is compared
    /// with nothing.
    #[schemars(with = "String")]
    pub call: Call,
    /// How many deals would show a difference that matters (2 points of a share, 20 Elo, a tenth of
    /// any other figure) in four of five runs, where these are too few, but at least 10. Unit: deals.
    pub deals_needed: Option<u64>,
    /// How many steps or doublings lie between both numbers of a trend; 1 otherwise.
    #[serde(skip)]
    pub steps: f64,
}

impl Call {
    /// What a change comes to after the correction within its family, where one of this size would
    /// matter.
    pub(super) fn of(change: Estimate, p_family: Option<f64>, matters: f64, deals: u64) -> Call {
        match change.half_width() {
            _ if is_significant(p_family) && change.value > 0.0 => Call::Higher,
            _ if is_significant(p_family) => Call::Lower,
            Some(half) if half <= matters => Call::NoClearDifference,
            // Not a single deal came out otherwise.
            None if change.value == 0.0 && deals > 1 => Call::NoClearDifference,
            _ => Call::TooFewDeals,
        }
    }

    /// In words where it is not clear by a stricter measure than its own.
    pub fn unclear(self) -> &'static str {
        match self {
            Call::TooFewDeals => self.words(),
            _ => Call::NoClearDifference.words(),
        }
    }

    /// The same of a change the other way round.
    pub(super) fn turned(self) -> Call {
        match self {
            Call::Higher => Call::Lower,
            Call::Lower => Call::Higher,
            same => same,
        }
    }
}

/// The least difference that matters between two numbers: 2 points of a share, 20 Elo, a tenth of
/// other figures.
pub(super) fn matters(unit: &str, a: f64, b: f64) -> f64 {
    match unit {
        unit if unit.starts_with("share") => 0.02,
        unit if unit.starts_with("Elo") => 20.0,
        _ => 0.1 * a.abs().max(b.abs()),
    }
}

/// The least deals by which a number of deals is advised. Of ten the deviation is known to about a
/// quarter, 1 / √(2 · 9); of fewer it says nothing of how many would do.
const ENOUGH_TO_ADVISE: u64 = 10;

impl Finding {
    /// The least difference that matters; of a trend that over all its values.
    pub fn matters(&self) -> f64 {
        let [a, b] = [self.a, self.b].map(|e| e.map_or(0.0, |e| e.value));
        matters(&self.unit, a, b) / self.steps
    }

    /// Says what it comes to, given its corrected p-value.
    fn judge(&mut self, deals: u64) {
        let Some(change) = self.change else { return };
        self.call = Call::of(change, self.p_family, self.matters(), deals);
        if self.call == Call::TooFewDeals && deals >= ENOUGH_TO_ADVISE {
            let spread = deviation_of(change, deals);
            let needed = spread.and_then(|s| deals_for_difference(s, self.matters(), 0.8));
            self.deals_needed = needed.filter(|needed| *needed > deals);
        }
    }
}

/// What a run says to its question.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The question, as the experiment says it, or in words of our own.
    pub question: String,
    /// The answer, a sentence each; the first is the answer in short.
    pub sentences: Vec<String>,
    /// What was asked, with its names looked up; none in a summary of nothing.
    pub asked: Option<Asked>,
    /// The comparisons.
    pub findings: Vec<Finding>,
}

impl Answer {
    /// The answer that the numbers give.
    pub(super) fn new(plan: &PlanInfo, evidence: &Evidence<'_>) -> Answer {
        let asked = Asked::of(plan).unwrap_or_else(|_| Asked::usual(plan));
        let mut findings = evidence.findings(&asked);
        correct(findings.iter_mut().map(|f| (f.p, &mut f.p_family)));
        findings.iter_mut().for_each(|finding| finding.judge(evidence.total.deals));
        let about = plan.experiment().about.trim();
        let question = if about.is_empty() {
            title::question(plan, evidence.heads, &asked)
        } else {
            about.to_owned()
        };
        let mut answer = Answer { question, sentences: Vec::new(), asked: Some(asked), findings };
        answer.sentences = say::sentences(plan, evidence, &answer);
        answer
    }

    /// All sentences, one after the other.
    pub fn text(&self) -> String {
        self.sentences.join(" ")
    }
}
