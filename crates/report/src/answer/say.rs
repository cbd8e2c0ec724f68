//! The answer in sentences. Names stand between backticks.

use std::collections::BTreeMap;

use super::super::{Asked, FIRST_SEAT};
use super::subject::{Subject, subject};
use super::{Answer, Call, Evidence, Finding, strategies, variants};
use crate::arena::PlanInfo;

/// As many are listed one by one; the rest are counted, so that an answer fits a telephone.
pub(super) const LISTED: usize = 5;

/// The sentences of an answer.
pub(super) fn sentences(plan: &PlanInfo, evidence: &Evidence<'_>, answer: &Answer) -> Vec<String> {
    let findings = &answer.findings;
    let Some(asked) = &answer.asked else { return Vec::new() };
    let mut said = match asked {
        Asked::Figures { fair: true, .. } => vec![variants::against_fair(findings, "under")],
        Asked::Figures { figures, variants, .. } => {
            let each = findings.chunks(variants.len().saturating_sub(1).max(1)).zip(figures);
            let each = each
                .map(|(rows, figure)| variants::changes(&subject(&evidence.heads[*figure]), rows));
            let mut said: Vec<String> = each.collect();
            if figures.as_slice() == [FIRST_SEAT] && variants.len() == 2 {
                said.extend(variants::fairness(evidence, variants));
            }
            said
        }
        Asked::Pairing { strategies: [a, b], .. } if a == b => {
            findings.iter().map(strategies::mirror).collect()
        }
        Asked::Pairing { bound: true, .. } => findings.iter().map(strategies::bound).collect(),
        Asked::Pairing { .. } => strategies::pairings(evidence, findings),
        Asked::Scores { .. } => {
            let subject = Subject::Noun("score".to_owned());
            vec![variants::many(&subject, findings)]
        }
        Asked::Ladder { champion: Some(_), variants } => variants
            .iter()
            .filter_map(|v| strategies::gauntlet(&plan.variants[*v].name, findings))
            .collect(),
        Asked::Ladder { champion: None, variants } => variants
            .iter()
            .filter_map(|v| strategies::ladder(&plan.variants[*v].name, findings))
            .collect(),
        Asked::Trend { figure, over, .. } => {
            let subject =
                figure.map_or(Subject::Noun("rating".to_owned()), |f| subject(&evidence.heads[f]));
            findings
                .iter()
                .map(|f| variants::trend(&subject, over, f, findings.len() > 1))
                .collect()
        }
    };
    said.retain(|sentence| !sentence.is_empty());
    if said.is_empty() && matches!(asked, Asked::Ladder { champion: None, .. }) {
        said.push(
            "No two neighbours by rating met, so the run does not say how they compare; in a \
             round-robin they do."
                .to_owned(),
        );
    }
    if said.is_empty() {
        said.push("The run measured nothing that answers the question.".to_owned());
    }
    said.extend(failures(plan, evidence));
    said
}

/// Who lost hands because it failed, which says nothing of its strength.
fn failures(plan: &PlanInfo, evidence: &Evidence<'_>) -> Option<String> {
    let mut of = BTreeMap::<usize, (u64, u64)>::new();
    for (index, (table, tallied)) in plan.tables.iter().zip(&evidence.total.tables).enumerate() {
        for (seat, (strategy, slot)) in table.line_up.iter().zip(&tallied.slots).enumerate() {
            let (faults, hands) = of.entry(*strategy).or_default();
            *faults += slot.faults;
            // A strategy that sits twice plays one hand.
            if !table.line_up[..seat].contains(strategy) {
                *hands += plan.hands_of(index) * evidence.total.deals;
            }
        }
    }
    let failed = of.into_iter().filter(|(_, (faults, _))| *faults > 0);
    let each = failed.map(|(strategy, (faults, hands))| {
        format!("`{}` {faults} of {hands} hands", plan.name_of(strategy))
    });
    let each: Vec<String> = each.collect();
    (!each.is_empty())
        .then(|| format!("Lost because a player failed, not by its play: {}.", listed(&each)))
}

/// A list with “and” before its last.
pub(super) fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// What would be enough deals.
pub(super) fn enough(f: &Finding) -> String {
    let unit = if f.unit.starts_with("share") {
        "2 points".to_owned()
    } else if f.unit.starts_with("Elo") {
        "20 Elo".to_owned()
    } else {
        "10 %".to_owned()
    };
    match f.deals_needed {
        Some(deals) => {
            format!("; about {} would show a difference of {unit}", count(deals, "deal"))
        }
        None => String::new(),
    }
}

/// “3 opponents”; large numbers rounded to two digits, with thousands apart.
pub(super) fn count(n: u64, noun: &str) -> String {
    let unit = 10u64.pow(n.max(1).ilog10().saturating_sub(1));
    let n = if n < 100 { n } else { n.div_ceil(unit) * unit };
    let digits = n.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    let n_text = groups.collect::<Vec<_>>().join(",");
    format!("{n_text} {noun}{}", if n == 1 { "" } else { "s" })
}

/// Unless it is a name.
pub(super) fn lower_first(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    text
}

/// Those of a call, the largest change first.
pub(super) fn of_call(rows: &[Finding], call: Call) -> Vec<&Finding> {
    let mut found: Vec<&Finding> = rows.iter().filter(|f| f.call == call).collect();
    let size = |f: &Finding| f.change.map_or(0.0, |change| change.value.abs());
    found.sort_by(|a, b| size(b).total_cmp(&size(a)));
    found
}

/// The first `most` names with something said of each, the rest counted. Only the first says what its
/// interval is.
pub(super) fn names(found: &[&Finding], most: usize, say: impl Fn(&Finding) -> String) -> String {
    let shown = if found.len() == most + 1 { most + 1 } else { most };
    let one = |(index, f): (usize, &&Finding)| format!("`{}`{}", f.to, short(index, say(f)));
    let mut parts: Vec<String> = found.iter().take(shown).enumerate().map(one).collect();
    if found.len() > shown {
        parts.push(format!("{} more", found.len() - shown));
    }
    listed(&parts)
}

/// What is said of all but the first of a list.
pub(super) fn short(index: usize, said: String) -> String {
    if index == 0 { said } else { said.replace("95 % interval ", "") }
}
