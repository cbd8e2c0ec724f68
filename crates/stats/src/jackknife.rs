//! The delete-a-group jackknife.

use super::Estimate;
use super::quantile::{student_95, student_two_sided};
use parlour_base::maths::exact::square;

/// Computes the delete-a-group jackknife of several statistics at once, as one costly fit yields
/// them.
///
/// `statistics(None)` are those of all data, `statistics(Some(g))` those without group `g`. A group
/// is a chunk of deals, so that everything that a deal shares (hands, seatings, variants) stays
/// together; `weights` holds the number of deals of each. The interval is the value ± Student's t
/// with `groups − 1` degrees of freedom (Kott, *The delete-a-group jackknife*, Journal of Official
/// Statistics 17, 2001; Shao and Tu, *The Jackknife and Bootstrap*, 1995, chapter 2). Some fifty
/// groups are enough; more than two hundred are better merged first. The jackknife is for smooth
/// statistics (a mean, a ratio, a rating). A median or a maximum needs the bootstrap, and a number
/// between 0 and 1 the interval of [`proportion`](super::proportion).
///
/// Let group `j` hold `m_j` of `n` deals, and let `h_j = n / m_j`. The pseudo-values are `θ̃_j =
/// h_j·θ̂ − (h_j − 1)·θ̂_(j)`, with weighted mean `θ_J = g·θ̂ − Σ (1 − m_j/n)·θ̂_(j)`. The variance
/// is `1/g · Σ (θ̃_j − θ_J)² / (h_j − 1)` (Busing, Meijer and van der Leeden, *Delete-m jackknife
/// for unequal m*, Statistics and Computing 9, 1999). Groups of weight 0 are skipped. A missing
/// statistic is `None`. There is no interval with fewer than two groups, if the statistic is
/// missing without some group, or if no group changes it. The value is `θ̂` itself, without the
/// jackknife's bias correction.
pub fn jackknife_all(
    weights: &[u64],
    statistics: impl Fn(Option<usize>) -> Vec<Option<f64>>,
) -> Vec<Option<Estimate>> {
    let full = statistics(None);
    let groups: Vec<usize> = (0..weights.len()).filter(|&g| weights[g] > 0).collect();
    let total: f64 = groups.iter().map(|&g| weights[g] as f64).sum();
    // The share m_j / n of each group.
    let shares: Vec<f64> = groups.iter().map(|&g| weights[g] as f64 / total).collect();
    let partial: Vec<Vec<Option<f64>>> = match groups.len() {
        0 | 1 => Vec::new(),
        _ => groups.iter().map(|&g| statistics(Some(g))).collect(),
    };
    let finite = |x: &Option<f64>| x.filter(|x| x.is_finite());
    full.iter()
        .enumerate()
        .map(|(index, value)| {
            let value = finite(value)?;
            let left: Option<Vec<f64>> =
                partial.iter().map(|row| row.get(index).and_then(finite)).collect();
            Some(match left.and_then(|left| variance(value, &left, &shares)) {
                Some(variance) => {
                    let t = student_95((shares.len() - 1) as f64);
                    Estimate::symmetric(value, t * variance.sqrt())
                }
                None => Estimate::bare(value),
            })
        })
        .collect()
}

/// Returns the two-sided p-value of the null hypothesis that a jackknifed number is 0, from its
/// interval over this many groups. It is below 0.05 exactly if the interval excludes 0. For a
/// lopsided interval the side towards 0 counts. `None` without an interval.
pub fn jackknife_p(estimate: Estimate, groups: usize) -> Option<f64> {
    let (low, high) = estimate.interval.filter(|_| groups > 1)?;
    let half = if estimate.value > 0.0 { estimate.value - low } else { high - estimate.value };
    let half = Some(half).filter(|half| *half > 0.0)?;
    let freedom = (groups - 1) as f64;
    Some(student_two_sided(estimate.value / half * student_95(freedom), freedom))
}

/// Returns the variance behind the interval of a jackknifed number over this many groups; 0 without
/// an interval.
pub fn jackknife_variance(estimate: Estimate, groups: usize) -> f64 {
    let half = estimate.half_width().filter(|_| groups > 1).unwrap_or(0.0);
    square(half / student_95((groups - 1).max(1) as f64))
}

/// Widens the interval of a jackknifed number that depends on only a few deals, and so on at most
/// as many groups. The interval uses Student's t with one degree of freedom less than these deals;
/// one deal gives no interval.
pub fn with_fewer_deals(estimate: Estimate, groups: usize, deals: u64) -> Estimate {
    let half = estimate.half_width().filter(|_| deals > 1 && groups > 1);
    match half {
        Some(half) if deals < groups as u64 => {
            let wider = student_95(deals as f64 - 1.0) / student_95((groups - 1) as f64);
            Estimate::symmetric(estimate.value, half * wider)
        }
        Some(_) => estimate,
        None => Estimate::bare(estimate.value),
    }
}

/// Returns the variance from the statistics without each group. `None` with fewer than two groups,
/// or if all are equal except for rounding.
fn variance(value: f64, left: &[f64], shares: &[f64]) -> Option<f64> {
    // Written in differences from θ̂, in which the formula does not cancel.
    let weighted = || left.iter().zip(shares).map(|(x, share)| (x - value, *share));
    let offset: f64 = weighted().map(|(x, share)| (1.0 - share) * x).sum();
    // h − 1
    let odds = |share: f64| (1.0 - share) / share;
    let parts = weighted().map(|(x, share)| square(offset - odds(share) * x) / odds(share));
    let sum: f64 = parts.sum();
    let least = square(1e-12 * (1.0 + value.abs()));
    Some(sum / left.len() as f64).filter(|v| left.len() > 1 && v.is_finite() && *v > least)
}

#[cfg(test)]
mod tests {
    use super::super::Moments;
    use super::*;
    use parlour_base::chance::cases::{cases, numbers};

    fn jackknife(
        weights: &[u64],
        statistic: impl Fn(Option<usize>) -> Option<f64>,
    ) -> Option<Estimate> {
        jackknife_all(weights, |left_out| vec![statistic(left_out)]).pop().flatten()
    }

    fn mean_without(x: &[i64], left_out: Option<usize>) -> Option<f64> {
        let rest = x.iter().enumerate().filter(|(i, _)| Some(*i) != left_out).map(|(_, &x)| x);
        rest.collect::<Moments>().mean(1.0).map(|mean| mean.value)
    }

    #[test]
    fn jackknife_of_a_mean_is_students_interval() {
        for mut chance in cases("the jackknife of a mean is Student's", 256) {
            let x = numbers(&mut chance, -100..100, 2..30);
            let found =
                jackknife(&vec![1; x.len()], |left_out| mean_without(&x, left_out)).unwrap();
            let plain = x.iter().copied().collect::<Moments>().mean(1.0).unwrap();
            let [one, two] = [found, plain].map(|mean| mean.half_width().unwrap_or(0.0));
            assert!((found.value - plain.value).abs() < 1e-9 && (one - two).abs() < 1e-6, "{x:?}");
        }
    }

    #[test]
    fn the_order_of_groups_does_not_matter() {
        for mut chance in cases("the order of the groups is nothing", 256) {
            let x = numbers(&mut chance, -100..100, 2..12);
            let mut y = x.clone();
            y.reverse();
            let one = jackknife(&vec![1; x.len()], |left_out| mean_without(&x, left_out)).unwrap();
            let two = jackknife(&vec![1; y.len()], |left_out| mean_without(&y, left_out)).unwrap();
            let [one, two] = [one, two].map(|mean| mean.half_width().unwrap_or(0.0));
            assert!((one - two).abs() < 1e-9, "{x:?}");
        }
    }

    #[test]
    fn groups_of_unequal_weight_match_a_hand_computation() {
        // The weighted mean of three groups. By hand: θ̂ = 3.5, pseudo-values equal the groups'
        // means 2, 3, 4 (h = 10, 10/3, 10/6), θ_J = 3.5.
        let weights = [1u64, 3, 6];
        let sums = [2.0, 9.0, 24.0];
        let mean = |left_out: Option<usize>| {
            let keep = |g: &usize| Some(*g) != left_out;
            let weight: u64 = (0..3).filter(keep).map(|g| weights[g]).sum();
            Some((0..3).filter(keep).map(|g| sums[g]).sum::<f64>() / weight as f64)
        };
        let found = jackknife(&weights, mean).unwrap();
        let variance = (square(1.5) / 9.0 + 0.25 / (7.0 / 3.0) + 0.25 / (2.0 / 3.0)) / 3.0;
        assert!((found.value - 3.5).abs() < 1e-12);
        let expected = 4.302_652_729_7 * variance.sqrt();
        assert!((found.half_width().unwrap() - expected).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn the_p_value_and_the_interval_agree() {
        // R: 2 * pt(-3, 9) is 0.01495637; the half width is qt(0.975, 9) = 2.262157 errors.
        let of = |errors: f64| jackknife_p(Estimate::symmetric(errors, 2.262_157_163), 10);
        assert!((of(3.0).unwrap() - 0.014_956_37).abs() < 1e-7, "{:?}", of(3.0));
        assert!((of(-2.262_157_163).unwrap() - 0.05).abs() < 1e-8);
        assert_eq!(of(0.0), Some(1.0));
        assert_eq!(jackknife_p(Estimate::bare(1.0), 10), None);
        assert_eq!(jackknife_p(Estimate::symmetric(0.0, 0.0), 10), None);
        assert_eq!(jackknife_p(Estimate::symmetric(2.0, 0.0), 10), None);
        let lopsided = Estimate { value: 2.0, interval: Some((-0.1, 9.0)) };
        assert!(jackknife_p(lopsided, 10).unwrap() > 0.05);
    }

    #[test]
    fn missing_statistics_have_no_interval() {
        assert_eq!(jackknife(&[], |_| Some(1.0)), Some(Estimate::bare(1.0)));
        assert_eq!(jackknife(&[1], |_| Some(1.0)), Some(Estimate::bare(1.0)));
        assert_eq!(jackknife(&[1; 5], |_| None), None);
        assert_eq!(jackknife(&[1; 5], |_| Some(f64::NAN)), None);
        let gap = jackknife(&[1; 5], |left_out| (left_out != Some(3)).then_some(2.0));
        assert_eq!(gap, Some(Estimate::bare(2.0)));
        assert_eq!(jackknife(&[1; 5], |_| Some(2.0)), Some(Estimate::bare(2.0)));
        let some = jackknife(&[0, 4, 4], |left_out| {
            assert_ne!(left_out, Some(0));
            Some(left_out.map_or(1.0, |g| g as f64))
        });
        assert!(some.unwrap().half_width().unwrap() > 0.0);
    }
}
