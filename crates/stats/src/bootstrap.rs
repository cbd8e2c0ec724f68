//! The bootstrap over groups of deals.

use super::Estimate;
use super::quantile::TAIL;
use parlour_base::chance::Seed;

/// Bootstraps several statistics at once with this number of replicates, at least 1000 for an
/// interval. Groups are drawn with replacement, as many as there are, and the statistics are
/// computed again. The interval runs from the 2.5 % to the 97.5 % quantile of these replicates
/// (Efron 1979; Efron and Tibshirani, *An Introduction to the Bootstrap*, 1993).
///
/// `statistics(times)` computes them with group `g` counted `times[g]` times; the values come from
/// counting each once. A group is a deal or a chunk of deals, never a hand. The bootstrap is for
/// statistics that are not smooth (ranks, equilibria, medians); the jackknife is cheaper for means
/// and ratings. With fewer than about twenty groups the intervals are too short.
///
/// A statistic is `None` if it is `None` for the groups themselves. It has no interval with fewer
/// than two groups, or if more than one replicate in twenty lacks it.
pub fn bootstrap_all(
    groups: usize,
    replicates: usize,
    seed: Seed,
    statistics: impl Fn(&[u64]) -> Vec<Option<f64>>,
) -> Vec<Option<Estimate>> {
    let full = statistics(&vec![1; groups]);
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); full.len()];
    if groups >= 2 && u32::try_from(groups).is_ok() {
        for replicate in 0..replicates {
            let mut stream = seed.child(replicate as u64).stream();
            let mut times = vec![0u64; groups];
            for _ in 0..groups {
                times[stream.below(groups as u32) as usize] += 1;
            }
            for (column, x) in columns.iter_mut().zip(statistics(&times)) {
                column.extend(x.filter(|x| x.is_finite()));
            }
        }
    }
    full.iter()
        .zip(&mut columns)
        .map(|(value, column)| {
            let value = value.filter(|x| x.is_finite())?;
            if column.len() < 2 || column.len() * 20 < replicates * 19 {
                return Some(Estimate::bare(value));
            }
            column.sort_by(f64::total_cmp);
            let ends = (quantile(column, TAIL), quantile(column, 1.0 - TAIL));
            // Resamples that all agree give no interval.
            Some(Estimate { value, interval: Some(ends).filter(|(low, high)| low < high) })
        })
        .collect()
}

/// The quantile of sorted numbers, between neighbours, with `(n + 1)·p` as the place.
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let place = ((sorted.len() + 1) as f64 * p - 1.0).clamp(0.0, (sorted.len() - 1) as f64);
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::maths::exact::square;

    fn bootstrap(groups: usize, statistic: impl Fn(&[u64]) -> Option<f64>) -> Option<Estimate> {
        let found = bootstrap_all(groups, 4000, Seed::new(1), |times| vec![statistic(times)]);
        found[0]
    }

    fn mean(x: &[f64], times: &[u64]) -> Option<f64> {
        let weight: u64 = times.iter().sum();
        let sum: f64 = x.iter().zip(times).map(|(x, t)| x * *t as f64).sum();
        (weight > 0).then(|| sum / weight as f64)
    }

    #[test]
    fn the_mean_has_about_the_normal_interval() {
        let x: Vec<f64> = (0..200).map(|i| f64::from(i % 20)).collect();
        // Deviation √33.25, so a half width of 1.96·√(33.25/200) = 0.799.
        let found = bootstrap(200, |times| mean(&x, times)).unwrap();
        assert_eq!(found.value, 9.5);
        assert!((found.half_width().unwrap() - 0.799).abs() < 0.04, "{found:?}");
    }

    #[test]
    fn the_ends_as_published() {
        // Efron and Tibshirani 1993, tables 14.1 and 14.2: the plug-in variance of 26 spatial test
        // scores has the percentile interval (at 90 %) (100.8, 233.9).
        let a = [
            48., 36., 20., 29., 42., 42., 20., 42., 22., 41., 45., 14., 6., 0., 33., 28., 34., 4.,
            32., 24., 47., 41., 24., 26., 30., 41.,
        ];
        let variance = |times: &[u64]| {
            let m = mean(&a, times)?;
            let squares: Vec<f64> = a.iter().map(|x| square(x - m)).collect();
            mean(&squares, times)
        };
        let found = bootstrap(26, variance).unwrap();
        assert!((found.value - 171.534).abs() < 1e-3);
        // At 95 % it is wider.
        let (low, high) = found.interval.unwrap();
        assert!((80.0..100.8).contains(&low) && (233.9..260.0).contains(&high), "{low} {high}");
    }

    #[test]
    fn the_same_seed_gives_the_same_interval() {
        let x = [1.0, 5.0, 2.0, 8.0];
        let run = || bootstrap(4, |times| mean(&x, times));
        assert_eq!(run(), run());
    }

    #[test]
    fn what_cannot_be_computed_is_not() {
        assert_eq!(bootstrap(0, |_| None), None);
        let one = bootstrap(1, |_| Some(3.0));
        assert_eq!(one, Some(Estimate::bare(3.0)));
        let flat = bootstrap(5, |_| Some(3.0)).unwrap();
        assert_eq!(flat, Estimate::bare(3.0));
        // Missing whenever the first group is: in a third of the replicates.
        let rare = bootstrap(5, |times| (times[0] > 0).then_some(3.0));
        assert_eq!(rare, Some(Estimate::bare(3.0)));
    }
}
