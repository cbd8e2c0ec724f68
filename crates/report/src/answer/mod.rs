//! The answer of a run: its findings with numbers, and the same in sentences. Terminal, page, list of
//! runs and JSON all show this answer.
//!
//! Each kind of question has a module with its findings, sentences, title and chart.

mod evidence;
mod figures;
mod objectives;
mod question;
mod strategies;
mod trend;
mod verdicts;

use std::collections::BTreeMap;

use itertools::Itertools;

use crate::rows::{Conclusion, Difference, Family, Finding, Matchup};
use crate::sample::{Sample, adjust_p_values};
use crate::summary::{Answer, Summary};
use crate::units::Unit;
use evidence::{ALL_PAIRINGS, Evidence, list};
use parlour_arena::PlanInfo;
use parlour_base::error::Result;
use parlour_stats::{deals_for_difference, deviation_of};
pub use question::resolve_objectives;
pub use verdicts::Goal;

/// Checks the question of a plan.
///
/// # Errors
/// Bad input: a figure, variant or pairing that the plan does not have.
pub(super) fn check_question(plan: &PlanInfo) -> Result<()> {
    question::resolve(plan).map(drop)
}

/// Adds the answer to a summary, and divides its comparisons into families.
pub(super) fn answer(sample: &Sample<'_>, summary: &mut Summary) {
    let plan = sample.plan;
    let kind = question::resolve(plan).unwrap_or_else(|_| question::default_of(plan));
    let evidence = Evidence::new(sample, summary, kind.mirror());
    let mut findings = kind.findings(&evidence);
    adjust_p_values(findings.iter_mut().map(|f| (f.p_value, &mut f.p_adjusted_family)));
    findings.iter_mut().for_each(|finding| conclude(finding, sample.deals()));
    divide_families(&findings, summary);
    let evidence = Evidence::new(sample, summary, kind.mirror());
    let about = plan.experiment().about.trim();
    let question = if about.is_empty() { kind.title(&evidence) } else { about.to_owned() };
    let mut sentences = kind.sentences(&evidence, &findings);
    sentences.retain(|sentence| !sentence.is_empty());
    if sentences.is_empty() {
        sentences.push("The run measured nothing that answers the question.".to_owned());
    }
    let weak = evidence.weak.iter().map(|s| plan.name_of(*s)).collect_vec();
    let is_diluted = |player: &str| player == ALL_PAIRINGS || weak.contains(&player);
    if !weak.is_empty() && findings.iter().any(|f| f.players.split('+').any(is_diluted)) {
        let names = list(&weak.iter().map(|name| format!("`{name}`")).collect_vec());
        sentences.push(format!(
            "Players that score under 5 % against the strongest hide what the rules change; leave out {names}."
        ));
    }
    let failures = failures(sample);
    sentences.extend(failures.clone());
    let (chart, table) = (kind.chart(&evidence, &findings), kind.table(&evidence, &findings));
    summary.answer = Answer { question, sentences, failures, findings, chart, table };
}

/// The minimum number of deals for a recommendation. With ten, the standard deviation is known to
/// about a quarter, 1 / √(2 · 9).
const MIN_DEALS_TO_RECOMMEND: u64 = 10;

/// Sets the conclusion of a finding from its corrected p-value.
fn conclude(finding: &mut Finding, deals: u64) {
    let Some(change) = finding.change else { return };
    let (relevant, _) = finding.relevant_difference();
    finding.conclusion = Conclusion::of(change, finding.p_adjusted_family, relevant, deals);
    if finding.conclusion == Conclusion::NotEnoughDeals && deals >= MIN_DEALS_TO_RECOMMEND {
        let spread = deviation_of(change, deals);
        let needed = spread.and_then(|spread| deals_for_difference(spread, relevant, 0.8));
        finding.deals_needed = needed.filter(|needed| *needed > deals);
    }
}

/// Assigns every row to a family and corrects the p-values of the exploratory ones. Rows of the
/// question take p-value and conclusion from its findings.
fn divide_families(findings: &[Finding], summary: &mut Summary) {
    for f in findings.iter().filter(|f| f.is_row) {
        let is_same = |a: &str, b: &str| [(a, b), (b, a)].contains(&(&f.reference, &f.subject));
        let is_change =
            |row: &Difference| row.figure == f.figure && is_same(&row.variant_a, &row.variant_b);
        for row in summary.differences_mut().filter(|row| is_change(row)) {
            (row.family, row.p_adjusted_family) = (Family::Question, f.p_adjusted_family);
            let is_forward = row.variant_a == f.reference;
            row.conclusion = if is_forward { f.conclusion } else { f.conclusion.reversed() };
        }
        let is_pairing =
            |row: &Matchup| row.variant == f.variant && is_same(&row.strategy, &row.opponent);
        for row in summary.matchups_mut().filter(|row| is_pairing(row)) {
            (row.family, row.p_adjusted_family) = (Family::Question, f.p_adjusted_family);
        }
    }
    let deals = summary.deals;
    let rest = summary.differences_mut().filter(|row| row.family == Family::Exploratory);
    adjust_p_values(rest.map(|row| (row.p_value, &mut row.p_adjusted_family)));
    for row in summary.differences_mut().filter(|row| row.family == Family::Exploratory) {
        let (relevant, _) = Unit::parse(row.unit).relevant_difference(row.value_a, row.value_b);
        row.conclusion = Conclusion::of(row.difference, row.p_adjusted_family, relevant, deals);
    }
    let rest = summary.matchups_mut().filter(|row| row.family == Family::Exploratory);
    adjust_p_values(rest.map(|row| (row.p_value, &mut row.p_adjusted_family)));
}

/// Hands lost by failures of a bot, which are no evidence of its strength.
fn failures(sample: &Sample<'_>) -> Option<String> {
    let plan = sample.plan;
    let mut counts = BTreeMap::<usize, (u64, u64)>::new();
    for (index, (table, tally)) in plan.tables.iter().zip(&sample.total.tables).enumerate() {
        for (seat, (strategy, slot)) in table.line_up.iter().zip(&tally.slots).enumerate() {
            let (faults, hands) = counts.entry(*strategy).or_default();
            *faults += slot.faults;
            // A strategy that sits twice plays one hand.
            if !table.line_up[..seat].contains(strategy) {
                *hands += plan.hands_of(index) * sample.deals();
            }
        }
    }
    let failed = counts.into_iter().filter(|(_, (faults, _))| *faults > 0);
    let one = |(strategy, (faults, hands))| {
        format!("`{}` {faults} of {hands} hands", plan.name_of(strategy))
    };
    let each: Vec<String> = failed.map(one).collect();
    (!each.is_empty()).then(|| format!("Lost by bot failures, not by play: {}.", list(&each)))
}
