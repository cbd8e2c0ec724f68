//! Power analysis: the number of deals that a comparison needs, estimated from a run.

use schemars::JsonSchema;
use serde::Serialize;

use crate::confirm::set_fresh_deals;
use crate::summary::{Comparison, Summary};
use parlour_arena::DynPlan;
use parlour_base::error::{Error, Result, ensure};
use parlour_stats::{Estimate, deals_for_difference, deviation_of};

/// The sample size of one comparison.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ComparisonSize {
    /// The comparison in words.
    pub comparison: String,
    /// Standard deviation per deal, in the unit of the comparison. Unit: share of the win.
    pub standard_deviation: f64,
    /// Deals needed; `None` if no possible number is enough. Unit: deals.
    pub deals: Option<u64>,
}

/// The sample size of a run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SampleSize {
    /// The difference to detect. Unit: share of the win.
    pub difference: f64,
    /// The probability of detecting it, if it exists.
    pub power: f64,
    /// Deals behind the standard deviations. Unit: deals.
    pub pilot_deals: u64,
    /// Deals for the most demanding comparison; `None` if nothing can be detected. Unit: deals.
    pub deals: Option<u64>,
    /// The hands lost by failures of bots, in words.
    pub failures: Option<String>,
    /// The sample size of each comparison.
    pub comparisons: Vec<ComparisonSize>,
}

impl SampleSize {
    /// Checks the parameters.
    ///
    /// # Errors
    /// Bad input if one is out of range.
    pub fn check(difference: f64, power: f64, pilot: u64) -> Result<()> {
        let share = |flag: &str, share: f64, example: f64| {
            ensure(share > 0.0 && share < 1.0, || {
                Error::input(format!(
                    "`--{flag}` is {share}; it must be between 0 and 1, for example {example}"
                ))
            })
        };
        share("difference", difference, 0.01)?;
        share("power", power, 0.8)?;
        ensure(pilot >= 2, || {
            Error::input(format!("`--pilot` is {pilot}; a pilot needs at least 2 deals"))
        })
    }

    /// Computes the sample size from the numbers of a run or a pilot.
    ///
    /// # Errors
    /// Bad input if they come from a single deal.
    pub fn of(summary: &Summary, difference: f64, power: f64) -> Result<SampleSize> {
        let comparisons = comparison_sizes(summary, difference, power).ok_or_else(|| {
            Error::input("one deal has no variance to plan with; at least 2 are needed")
        })?;
        let deals = comparisons.iter().filter_map(|size| size.deals).max();
        let (pilot_deals, failures) = (summary.deals, summary.answer.failures.clone());
        Ok(SampleSize { difference, power, pilot_deals, deals, failures, comparisons })
    }

    /// Returns the sample size as a sentence.
    pub fn text(&self) -> String {
        let SampleSize { difference, power, pilot_deals, deals, failures, comparisons } = self;
        let failures = failures.iter().map(|it| format!(" {it}")).collect::<String>();
        let enough = match deals {
            Some(deals) => format!("`\"deals\": {deals}` is enough to detect"),
            None => "No possible number of deals is enough to detect".to_owned(),
        };
        let each = if comparisons.len() == 1 { "" } else { " in each of these comparisons" };
        format!(
            "{enough} a difference of {difference}{each} with a power of {:.0} % (two-sided, 5 %), \
             estimated from {pilot_deals} deals.{failures}",
            100.0 * power,
        )
    }
}

/// Returns a pilot of a plan with other deals than the run, whose own result must not plan it.
///
/// # Errors
/// Bad input if that many deals cannot be played.
pub fn pilot(plan: &dyn DynPlan, deals: u64) -> Result<Box<dyn DynPlan>> {
    plan.with(&mut |resolved| set_fresh_deals(resolved, "pilot", deals))
}

/// Returns the sample size for the score of each pairing, for each variant's first-seat score, and for
/// the change of the latter between two variants. The findings of the question come first, unless
/// they are shares; they use the smallest relevant difference. `None` for fewer than two deals.
pub fn comparison_sizes(summary: &Summary, effect: f64, power: f64) -> Option<Vec<ComparisonSize>> {
    let pilot_deals = Some(summary.deals).filter(|deals| *deals > 1)?;
    let findings = summary.answer.findings.iter().filter(|f| !f.unit().is_share()).map(|f| {
        let (relevant, text) = f.relevant_difference();
        (format!("{}, {} against {}: {text}", f.figure, f.subject, f.reference), f.change, relevant)
    });
    let pairings = summary.matchups().filter(|m| m.p_value.is_some()).map(|m| {
        (format!("{} against {} under {}", m.strategy, m.opponent, m.variant), m.score, effect)
    });
    let seats = summary.variants.iter();
    let seats = seats.map(|v| (format!("first seat under {}", v.variant), v.first_seat(), effect));
    let changes = summary.comparisons.iter().filter_map(Comparison::first_seat).map(|d| {
        let name = format!("first seat, {} against {}", d.variant_b, d.variant_a);
        (name, Some(d.difference), effect)
    });
    let size = |(comparison, estimate, effect): (String, Option<Estimate>, f64)| {
        let standard_deviation = deviation_of(estimate?, pilot_deals)?;
        let deals = deals_for_difference(standard_deviation, effect, power);
        Some(ComparisonSize { comparison, standard_deviation, deals })
    };
    Some(findings.chain(pairings).chain(seats).chain(changes).filter_map(size).collect())
}
