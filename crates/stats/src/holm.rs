//! Multiple testing: Holm's correction.

/// Returns Holm's adjusted p-values, in the order given. Comparisons with `holm(p)[i] ≤ α` are
/// significant. The probability of any false positive among all is at most `α`, however the
/// comparisons depend on one another. See Holm, *A simple sequentially rejective multiple test
/// procedure*, Scandinavian Journal of Statistics 6, 1979.
///
/// Missing comparisons (`None`, or NaN) stay `None` and do not count.
pub fn holm(p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let known = |(p, index): (&Option<f64>, usize)| Some(((*p)?.clamp(0.0, 1.0), index));
    let mut order: Vec<(f64, usize)> = p_values.iter().zip(0..).filter_map(known).collect();
    order.retain(|(p, _)| !p.is_nan());
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut adjusted = vec![None; p_values.len()];
    let mut largest = 0.0f64;
    for (rank, &(p, index)) in order.iter().enumerate() {
        largest = largest.max(p * (order.len() - rank) as f64).min(1.0);
        adjusted[index] = Some(largest);
    }
    adjusted
}

/// Returns `true` if an adjusted p-value is significant at the 5 % level.
pub fn is_significant(adjusted: Option<f64>) -> bool {
    adjusted.is_some_and(|p| p <= 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::chance::cases::{cases, number};

    #[test]
    fn adjusts_as_r_does() {
        // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") gives 0.03 0.06 0.06 0.02.
        let found = holm(&[Some(0.01), Some(0.04), None, Some(0.03), Some(0.005), Some(f64::NAN)]);
        let expected = [Some(0.03), Some(0.06), None, Some(0.06), Some(0.02), None];
        for (a, b) in found.iter().zip(expected) {
            match (a, b) {
                (Some(a), Some(b)) => assert!((a - b).abs() < 1e-12, "{found:?}"),
                (a, b) => assert_eq!(*a, b),
            }
        }
        assert!(is_significant(found[0]) && !is_significant(found[1]) && !is_significant(found[2]));
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn is_never_below_the_plain_value() {
        for mut chance in cases("Holm is never below the plain value", 256) {
            let count = number(&mut chance, 1..20);
            let p: Vec<f64> = (0..count).map(|_| chance.unit()).collect();
            let given: Vec<Option<f64>> = p.iter().copied().map(Some).collect();
            let highest = p.iter().copied().fold(0.0, f64::max);
            for (plain, adjusted) in p.iter().zip(holm(&given)) {
                let adjusted = adjusted.unwrap();
                assert!(adjusted >= *plain - 1e-15, "{p:?}");
                assert!(adjusted <= (p.len() as f64 * highest).min(1.0) + 1e-12, "{p:?}");
                // Never stricter than Bonferroni in what it keeps.
                assert!(plain * p.len() as f64 > 0.05 || adjusted <= 0.05 + 1e-12, "{p:?}");
            }
        }
    }
}
