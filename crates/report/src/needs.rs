//! How many deals a question needs, judged by a run.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Comparison, Summary};
use crate::arena::DynPlan;
use crate::error::ensure;
use crate::stats::{deals_for_difference, deviation_of};
use crate::{Error, Estimate, Result, Seed};

/// What one comparison needs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Need {
    /// The comparison, in words.
    pub comparison: String,
    /// The standard deviation of a deal, in the unit of what is compared. Unit: share of the win.
    pub deviation: f64,
    /// How many deals; none where no number of deals that can be played would do. Unit: deals.
    pub deals: Option<u64>,
}

/// How many deals a difference needs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Planned {
    /// The difference to find. Unit: share of the win.
    pub difference: f64,
    /// How likely it is to be found, if it is there.
    pub power: f64,
    /// The deals that the deviations were measured on. Unit: deals.
    pub judged_by: u64,
    /// The most that any comparison needs; none where nothing can be found. Unit: deals.
    pub deals: Option<u64>,
    /// What each comparison needs.
    pub needs: Vec<Need>,
}

impl Planned {
    /// What is asked can be answered, judged by a pilot of so many deals.
    ///
    /// # Errors
    /// Bad input where it cannot.
    pub fn check(difference: f64, power: f64, pilot: u64) -> Result<()> {
        let share = |flag: &str, share: f64, like: f64| {
            let right = format!("it must lie between 0 and 1, as {like} does");
            ensure(share > 0.0 && share < 1.0, || {
                Error::input(format!("`--{flag}` is {share}; {right}"))
            })
        };
        share("difference", difference, 0.01)?;
        share("power", power, 0.8)?;
        ensure(pilot >= 2, || {
            Error::input(format!("`--pilot` is {pilot}; a pilot needs at least 2 deals"))
        })
    }

    /// Judged by the numbers of a run or a pilot.
    ///
    /// # Errors
    /// Bad input where these are of one deal.
    pub fn of(summary: &Summary, difference: f64, power: f64) -> Result<Planned> {
        let needs = needs(summary, difference, power).ok_or_else(|| {
            Error::input("one deal has no variance to plan from; at least 2 are needed")
        })?;
        let deals = needs.iter().filter_map(|need| need.deals).max();
        Ok(Planned { difference, power, judged_by: summary.deals, deals, needs })
    }

    /// The answer, a sentence.
    pub fn in_words(&self) -> String {
        let Planned { difference, power, judged_by, deals, needs } = self;
        let enough = match deals {
            Some(deals) => format!("`\"deals\": {deals}` is enough to"),
            None => "No number of deals that can be played is enough to".to_owned(),
        };
        let every = if needs.len() == 1 { "" } else { " in each of these comparisons" };
        format!(
            "{enough} find a difference of {difference}{every} in {:.0} of 100 cases (two-sided, \
             5 %), judged by {judged_by} deals.",
            100.0 * power,
        )
    }
}

/// A pilot of a plan: so many deals, and not those of the run, which must not be planned by its own
/// answer.
///
/// # Errors
/// Bad input when so many deals cannot be played.
pub fn pilot(plan: &dyn DynPlan, deals: u64) -> Result<Box<dyn DynPlan>> {
    plan.with(&mut |resolved| {
        let experiment = &mut resolved.experiment;
        experiment.deals = deals;
        experiment.seed = Seed::new(experiment.seed).named("pilot").stream().bits();
        experiment.until = None;
        experiment.confirm = false;
    })
}

/// The deals that find a difference with this probability: in the score of each pairing, in each
/// variant's first-seat score, and between two variants' first-seat scores on the same deals. First
/// comes what the run is to answer, where that is no share: with the difference that matters of it.
/// `None` where the run has fewer than two deals.
pub fn needs(summary: &Summary, difference: f64, power: f64) -> Option<Vec<Need>> {
    let deals = Some(summary.deals).filter(|deals| *deals > 1)?;
    let need = |comparison: String, estimate: Option<Estimate>| {
        let deviation = deviation_of(estimate?, deals)?;
        let deals = deals_for_difference(deviation, difference, power);
        Some(Need { comparison, deviation, deals })
    };
    let pairings = summary.matchups().filter(|m| m.p.is_some()).map(|m| {
        need(format!("{} against {} under {}", m.strategy, m.opponent, m.variant), m.score)
    });
    let seats = summary.variants.iter();
    let seats = seats.map(|v| need(format!("first seat under {}", v.variant), v.first_seat()));
    let changes = summary.comparisons.iter().filter_map(Comparison::first_seat).map(|d| {
        let (a, b) = (&d.variant_a, &d.variant_b);
        need(format!("first seat, {b} against {a}"), Some(d.difference))
    });
    let asked = summary.answer.findings.iter().filter(|f| !f.unit.starts_with("share")).map(|f| {
        let deviation = deviation_of(f.change?, deals)?;
        let deals = deals_for_difference(deviation, f.matters(), power);
        let what = if f.unit.starts_with("Elo") { "20 Elo" } else { "10 %" };
        let comparison = format!("{}, {} against {}: {what}", f.figure, f.to, f.from);
        Some(Need { comparison, deviation, deals })
    });
    Some(asked.chain(pairings).chain(seats).chain(changes).flatten().collect())
}
