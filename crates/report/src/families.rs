//! Which comparisons the question asks for, and which are exploratory; each family is corrected for
//! its own number.

use super::Asked;
use super::answer::{Answer, Call, matters};
use super::numbers::{Comparison, correct};
use super::rows::{Difference, Matchup};
use super::summary::VariantSummary;

/// The family of what the question asks for.
pub(super) const QUESTION: &str = "question";

/// The family of all else.
pub(super) const EXPLORATORY: &str = "exploratory";

/// Puts every row into its family, and corrects within the families. What the answer compares has
/// the p-value, and the verdict, that the answer gives it.
pub(super) fn divide(
    answer: &Answer,
    deals: u64,
    variants: &mut [VariantSummary],
    comparisons: &mut [Comparison],
) {
    let mut changes: Vec<&mut Difference> =
        comparisons.iter_mut().flat_map(|c| c.changes.iter_mut().flatten()).collect();
    let mut rows: Vec<&mut Matchup> =
        variants.iter_mut().flat_map(|v| v.matchups.iter_mut()).collect();
    for finding in &answer.findings {
        let pair = |a: &str, b: &str| {
            (a == finding.from && b == finding.to) || (a == finding.to && b == finding.from)
        };
        for row in &mut changes {
            if row.figure == finding.figure && pair(&row.variant_a, &row.variant_b) {
                (row.family, row.p_family) = (QUESTION, finding.p_family);
                let same_way = row.variant_a == finding.from;
                row.call = if same_way { finding.call } else { finding.call.turned() };
            }
        }
        for row in &mut rows {
            let same = row.variant == finding.variant && finding.figure == "score";
            // Scores over all tables are no pairing.
            let met = matches!(answer.asked, Some(Asked::Pairing { .. } | Asked::Ladder { .. }));
            if same && met && pair(&row.strategy, &row.opponent) {
                (row.family, row.p_family) = (QUESTION, finding.p_family);
            }
        }
    }
    changes.retain(|row| row.family == EXPLORATORY);
    correct(changes.iter_mut().map(|row| (row.p, &mut row.p_family)));
    for row in changes {
        row.call = Call::of(row.difference, row.p_family, matters(row.unit, row.a, row.b), deals);
    }
    let rest = rows.into_iter().filter(|row| row.family == EXPLORATORY);
    correct(rest.map(|row| (row.p, &mut row.p_family)));
}
