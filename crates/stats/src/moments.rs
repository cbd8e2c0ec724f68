//! Counts, sums and squares of an integer observed once per deal.

use serde::{Deserialize, Serialize};

use super::quantile::{student_95, student_two_sided};
use super::{Estimate, proportion};
use parlour_base::maths::exact::pow;

/// The count, sum and sum of squares of an integer that is observed once per deal.
///
/// A commutative monoid: merging is exact, in any order. There is room for 10¹¹ deals of numbers up
/// to 10⁴; beyond that the sums saturate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moments {
    /// The number of deals.
    pub n: u64,
    /// The sum of the observations.
    pub sum: i64,
    /// The sum of their squares.
    pub squares: u64,
}

impl Moments {
    /// Adds the observation of one deal.
    pub fn add(&mut self, x: i64) {
        self.n = self.n.saturating_add(1);
        self.sum = self.sum.saturating_add(x);
        self.squares =
            self.squares.saturating_add(x.unsigned_abs().saturating_mul(x.unsigned_abs()));
    }

    /// Adds another tally.
    pub fn merge(&mut self, other: &Moments) {
        self.n = self.n.saturating_add(other.n);
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.saturating_add(other.squares);
    }

    /// Returns the unbiased variance between deals, in squared units of `scale`. `None` below two
    /// deals.
    pub fn variance(&self, scale: f64) -> Option<f64> {
        if self.n < 2 {
            return None;
        }
        let n = i128::from(self.n);
        let sum = i128::from(self.sum);
        // Exact up to here: n·Σx² − (Σx)², which is n·(n − 1) times the variance.
        let exact = n.saturating_mul(self.squares.into()).saturating_sub(sum * sum).max(0);
        Some(exact as f64 / (self.n as f64 * (self.n - 1) as f64) * (scale * scale))
    }

    /// Returns the mean of `scale · x` per deal with Student's t interval from the variance between
    /// deals.
    ///
    /// `None` without deals. There is no interval with one deal, or if all deals agree. For a score
    /// in `[0, 1]` use [`Moments::score`].
    pub fn mean(&self, scale: f64) -> Option<Estimate> {
        let n = self.n as f64;
        let value = self.sum as f64 / n * scale;
        let variance = self.variance(scale).filter(|variance| *variance > 0.0);
        let half_width = variance.map(|variance| student_95(n - 1.0) * (variance / n).sqrt());
        let mean = half_width.map_or(Estimate::bare(value), |it| Estimate::symmetric(value, it));
        (self.n > 0).then_some(mean)
    }

    /// Returns the mean of `scale · x` per deal, which lies in `[0, 1]`, as a [`proportion`] with
    /// one trial per deal. Away from 0 and 1 its interval is that of [`Moments::mean`].
    pub fn score(&self, scale: f64) -> Option<Estimate> {
        let n = self.n as f64;
        let variance = self.variance(scale).unwrap_or(0.0) / n;
        (self.n > 0).then(|| proportion(self.sum as f64 / n * scale, variance, n - 1.0, self.n))
    }

    /// Returns the two-sided p-value of the null hypothesis that the score is `null`, in `(0, 1)`.
    /// It is below 0.05 exactly if the 95 % interval of [`Moments::score`] excludes `null`. This is
    /// the score test with the effective number of deals. If all deals agree, it is `2·(1 − q)ⁿ`
    /// with the smallest `q` that reaches `null`. `None` below two deals.
    pub fn score_p(&self, scale: f64, null: f64) -> Option<f64> {
        let variance = self.variance(scale)?;
        let n = self.n as f64;
        let value = (self.sum as f64 / n * scale).clamp(0.0, 1.0);
        let away = value - null;
        let bound = value * (1.0 - value);
        if away == 0.0 {
            Some(1.0)
        } else if variance <= 0.0 || bound <= 0.0 {
            let q = if away > 0.0 { away / value } else { -away / (1.0 - value) };
            Some((2.0 * pow(1.0 - q.clamp(0.0, 1.0), n)).min(1.0))
        } else {
            let effective = n * bound / variance;
            let error = (null * (1.0 - null)).max(0.0) / effective;
            Some(if error > 0.0 { student_two_sided(away / error.sqrt(), n - 1.0) } else { 0.0 })
        }
    }
}

impl FromIterator<i64> for Moments {
    fn from_iter<I: IntoIterator<Item = i64>>(numbers: I) -> Moments {
        let mut moments = Moments::default();
        numbers.into_iter().for_each(|x| moments.add(x));
        moments
    }
}

#[cfg(test)]
mod tests {
    use parlour_base::chance::cases::{cases, numbers};

    use super::*;

    #[test]
    fn mean_has_students_interval() {
        // Student 1908, the extra sleep of ten patients (in tenths of an hour); R: t.test(x) gives
        // 0.75 with the interval (−0.5297804, 2.0297804).
        let sleep: Moments = [7, -16, -2, -12, -1, 34, 37, 8, 0, 20].into_iter().collect();
        let mean = sleep.mean(0.1).unwrap();
        let (low, high) = mean.interval.unwrap();
        assert!((mean.value - 0.75).abs() < 1e-12);
        assert!((low + 0.529_780_4).abs() < 1e-6 && (high - 2.029_780_4).abs() < 1e-6);
    }

    #[test]
    fn few_deals_have_a_defined_answer() {
        assert_eq!(Moments::default().mean(1.0), None);
        assert_eq!(Moments::default().score(1.0), None);
        let one: Moments = [3].into_iter().collect();
        assert_eq!(one.mean(0.5), Some(Estimate::bare(1.5)));
        assert_eq!(one.score(0.25), Some(Estimate::bare(0.75)));
    }

    #[test]
    fn equal_deals_are_not_certainty() {
        let wins: Moments = std::iter::repeat_n(4, 100).collect();
        assert_eq!(wins.mean(0.25), Some(Estimate::bare(1.0)));
        // Clopper and Pearson for 100 of 100: (0.9637833, 1).
        let (low, high) = wins.score(0.25).unwrap().interval.unwrap();
        assert!((low - 0.963_783_3).abs() < 1e-6 && high == 1.0, "{low} {high}");
        let draws: Moments = std::iter::repeat_n(2, 100).collect();
        let (low, high) = draws.score(0.25).unwrap().interval.unwrap();
        assert!((low - 0.481_891_6).abs() < 1e-6 && (high - 0.518_108_4).abs() < 1e-6);
        let losses: Moments = std::iter::repeat_n(0, 100).collect();
        assert_eq!(losses.score(0.25).unwrap().interval.unwrap().0, 0.0);
    }

    #[test]
    fn score_of_many_deals_is_wilsons_interval() {
        // 81 of 263: Wilson gives (0.2552891, 0.3662013) (Newcombe 1998, method 3); with t on 262
        // degrees and the unbiased variance it is a little wider.
        let deals: Moments = (0..263).map(|deal| i64::from(deal < 81)).collect();
        let (low, high) = deals.score(1.0).unwrap().interval.unwrap();
        assert!((low - 0.2553).abs() < 1e-3 && low < 0.2553, "{low}");
        assert!((high - 0.3662).abs() < 1e-3 && high > 0.3662, "{high}");
    }

    #[test]
    fn p_values() {
        let wins: Moments = std::iter::repeat_n(4, 10).collect();
        // The sign test: ten wins of ten by chance.
        assert_eq!(wins.score_p(0.25, 0.5), Some(2.0 / 1024.0));
        assert_eq!(wins.score_p(0.25, 1.0), Some(1.0));
        assert_eq!(Moments::default().score_p(1.0, 0.5), None);
    }

    #[test]
    fn tests_and_intervals_agree() {
        for mut chance in cases("tests and intervals agree", 256) {
            let x = numbers(&mut chance, 0..5, 2..60);
            let null = 0.02 + 0.96 * chance.unit();
            let tally = x.iter().copied().collect::<Moments>();
            let (p, out) = (tally.score_p(0.25, null).unwrap(), tally.score(0.25).unwrap());
            assert_eq!(p < 0.05, out.excludes(null), "{x:?}: {p} {out:?}");
        }
    }

    #[test]
    fn merging_equals_counting_together() {
        for mut chance in cases("merging is counting together", 256) {
            let [a, b, c] = [(); 3].map(|()| numbers(&mut chance, -1000..1000, 0..20));
            let tally = |x: &[i64]| x.iter().copied().collect::<Moments>();
            let merged = |x: Moments, y: Moments| {
                let mut x = x;
                x.merge(&y);
                x
            };
            let (x, y, z) = (tally(&a), tally(&b), tally(&c));
            let all: Moments = a.iter().chain(&b).chain(&c).copied().collect();
            assert_eq!(merged(merged(x, y), z), all);
            assert_eq!(merged(x, merged(z, y)), all);
        }
    }

    #[test]
    fn scores_stay_within_zero_and_one() {
        for mut chance in cases("a score stays inside", 256) {
            let x = numbers(&mut chance, 0..5, 1..50);
            let score = x.iter().copied().collect::<Moments>().score(0.25).unwrap();
            assert!((0.0..=1.0).contains(&score.value), "{x:?}");
            if let Some((low, high)) = score.interval {
                assert!(0.0 <= low && low <= score.value + 1e-12, "{x:?}");
                assert!(score.value <= high + 1e-12 && high <= 1.0 && low < high, "{x:?}");
            }
        }
    }
}
