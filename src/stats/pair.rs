//! Two whole numbers observed together once a deal.

use serde::{Deserialize, Serialize};

use super::Estimate;
use super::quantile::student_95;

/// Counts, sums, squares and products of two whole numbers `x` and `y` that are observed together
/// once a deal: a deal under two variants, two seatings of it, a count and its base.
///
/// A commutative monoid like [`super::Moments`], with the same room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairMoments {
    /// How many deals were observed.
    pub n: u64,
    /// Σx.
    pub x: i64,
    /// Σy.
    pub y: i64,
    /// Σx².
    pub xx: u64,
    /// Σy².
    pub yy: u64,
    /// Σxy.
    pub xy: i64,
}

impl PairMoments {
    /// Counts one deal's two numbers.
    #[inline]
    pub fn add(&mut self, x: i64, y: i64) {
        let square = |v: i64| v.unsigned_abs().saturating_mul(v.unsigned_abs());
        self.merge(&PairMoments {
            n: 1,
            x,
            y,
            xx: square(x),
            yy: square(y),
            xy: x.saturating_mul(y),
        });
    }

    /// Adds what another tally has seen.
    pub fn merge(&mut self, other: &PairMoments) {
        self.n = self.n.saturating_add(other.n);
        self.x = self.x.saturating_add(other.x);
        self.y = self.y.saturating_add(other.y);
        self.xx = self.xx.saturating_add(other.xx);
        self.yy = self.yy.saturating_add(other.yy);
        self.xy = self.xy.saturating_add(other.xy);
    }

    /// Removes what another tally has seen; `other` must be a part of this.
    #[must_use]
    pub fn without(&self, other: &PairMoments) -> PairMoments {
        PairMoments {
            n: self.n.saturating_sub(other.n),
            x: self.x.saturating_sub(other.x),
            y: self.y.saturating_sub(other.y),
            xx: self.xx.saturating_sub(other.xx),
            yy: self.yy.saturating_sub(other.yy),
            xy: self.xy.saturating_sub(other.xy),
        }
    }

    /// The unbiased variances of `x` and `y` and their covariance; `None` below two deals.
    pub fn covariance(&self) -> Option<Covariance> {
        if self.n < 2 {
            return None;
        }
        let n = i128::from(self.n);
        let (x, y) = (i128::from(self.x), i128::from(self.y));
        let base = self.n as f64 * (self.n - 1) as f64;
        Some(Covariance {
            xx: n.saturating_mul(self.xx.into()).saturating_sub(x * x).max(0) as f64 / base,
            yy: n.saturating_mul(self.yy.into()).saturating_sub(y * y).max(0) as f64 / base,
            xy: n.saturating_mul(self.xy.into()).saturating_sub(x * y) as f64 / base,
        })
    }

    /// The mean of `scale · (x − y)` a deal with Student's t interval of the paired difference.
    ///
    /// `None` without deals; no interval with one.
    pub fn difference(&self, scale: f64) -> Option<Estimate> {
        if self.n == 0 {
            return None;
        }
        let n = self.n as f64;
        let value = (i128::from(self.x) - i128::from(self.y)) as f64 / n * scale;
        let Some(c) = self.covariance() else {
            return Some(Estimate::bare(value));
        };
        let error = ((c.xx + c.yy - 2.0 * c.xy).max(0.0) / n).sqrt() * scale;
        Some(Estimate::symmetric(value, student_95(n - 1.0) * error))
    }

    /// The ratio `Σx / Σy`, with the interval of the ratio estimator: the residuals
    /// `x − r·y` vary between deals (Cochran, *Sampling Techniques*, 3rd edition 1977, 6.4), on
    /// `n − 1` degrees of freedom.
    ///
    /// For a rate whose base varies: knocks a hand, points a turn. `None` where `Σy` is 0; no
    /// interval with one deal.
    pub fn ratio(&self) -> Option<Estimate> {
        if self.n == 0 || self.y == 0 {
            return None;
        }
        let n = self.n as f64;
        let ratio = self.x as f64 / self.y as f64;
        let Some(c) = self.covariance() else {
            return Some(Estimate::bare(ratio));
        };
        let residual = (c.xx + ratio * ratio * c.yy - 2.0 * ratio * c.xy).max(0.0);
        let error = (residual / n).sqrt() / (self.y as f64 / n).abs();
        Some(Estimate::symmetric(ratio, student_95(n - 1.0) * error))
    }

    /// What pairing did to the variance of the difference: `Var(x − y) / (Var(x) + Var(y))`.
    /// Below 1 the shared deal helped; `1 / ratio` is how many times more deals two independent
    /// runs would have needed. For two seatings of a deal, whose results are added, count `x` and
    /// `−y`. `None` below two deals or without variance.
    pub fn variance_ratio(&self) -> Option<f64> {
        let c = self.covariance()?;
        let apart = c.xx + c.yy;
        (apart > 0.0).then(|| (apart - 2.0 * c.xy).max(0.0) / apart)
    }
}

/// The unbiased variances of two numbers and their covariance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Covariance {
    /// Var(x).
    pub xx: f64,
    /// Var(y).
    pub yy: f64,
    /// Cov(x, y).
    pub xy: f64,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Moments;
    use super::*;

    fn tally(pairs: &[(i64, i64)]) -> PairMoments {
        let mut tally = PairMoments::default();
        for &(x, y) in pairs {
            tally.add(x, y);
        }
        tally
    }

    #[test]
    fn the_paired_difference_is_students() {
        // Student 1908: R's t.test(group1, group2, paired = TRUE) on `sleep` gives −1.58 with the
        // interval (−2.4598858, −0.7001142).
        let sleep = tally(&[
            (7, 19),
            (-16, 8),
            (-2, 11),
            (-12, 1),
            (-1, -1),
            (34, 44),
            (37, 55),
            (8, 16),
            (0, 46),
            (20, 34),
        ]);
        let difference = sleep.difference(0.1).unwrap();
        let (low, high) = difference.interval.unwrap();
        assert!((difference.value + 1.58).abs() < 1e-12);
        assert!((low + 2.459_885_8).abs() < 1e-6 && (high + 0.700_114_2).abs() < 1e-6);
    }

    #[test]
    fn degenerate_tallies_are_defined() {
        assert_eq!(PairMoments::default().difference(1.0), None);
        assert_eq!(PairMoments::default().ratio(), None);
        assert_eq!(tally(&[(1, 2)]).ratio(), Some(Estimate::bare(0.5)));
        assert_eq!(tally(&[(1, 2)]).variance_ratio(), None);
        assert_eq!(tally(&[(1, 2), (1, 2)]).variance_ratio(), None);
        assert_eq!(tally(&[(1, 0), (1, 0)]).ratio(), None);
    }

    proptest! {
        #[test]
        fn differences_are_moments_of_differences(
            pairs in prop::collection::vec((-50i64..50, -50i64..50), 2..30),
        ) {
            let pair = tally(&pairs).difference(0.5).unwrap();
            let plain = pairs.iter().map(|(x, y)| x - y).collect::<Moments>().mean(0.5).unwrap();
            prop_assert!((pair.value - plain.value).abs() < 1e-9);
            prop_assert!((pair.half_width().unwrap() - plain.half_width().unwrap()).abs() < 1e-6);
        }

        #[test]
        fn a_constant_base_makes_the_ratio_a_mean(x in prop::collection::vec(-9i64..9, 2..30)) {
            let ratio = tally(&x.iter().map(|&x| (x, 2)).collect::<Vec<_>>()).ratio().unwrap();
            let mean = x.iter().copied().collect::<Moments>().mean(0.5).unwrap();
            prop_assert!((ratio.value - mean.value).abs() < 1e-9);
            prop_assert!((ratio.half_width().unwrap() - mean.half_width().unwrap()).abs() < 1e-6);
        }

        #[test]
        fn merging_commutes(
            a in prop::collection::vec((-50i64..50, -50i64..50), 0..10),
            b in prop::collection::vec((-50i64..50, -50i64..50), 0..10),
        ) {
            let (x, y) = (tally(&a), tally(&b));
            let (mut xy, mut yx) = (x, y);
            xy.merge(&y);
            yx.merge(&x);
            prop_assert_eq!(xy, yx);
            prop_assert_eq!(xy.without(&y), x);
        }
    }
}
