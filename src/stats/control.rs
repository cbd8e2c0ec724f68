//! A control variate: what is known of the deal before it is played.

use super::quantile::student_95;
use super::{Estimate, PairMoments};

/// A straight line that takes out of a result `x` what a known property `y` of the deal (the
/// strength of the cards drawn) explains of it: `x − slope·(y − centre)` has the same mean, and
/// less variance.
///
/// Fitted on deals of other seeds than those it is used on, it leaves the estimate unbiased
/// (Lavenberg and Welch, *A perspective on the use of control variables*, Management Science 27,
/// 1981; Glasserman 2003, section 4.1).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Control {
    /// Units of `x` for each unit of `y`.
    pub slope: f64,
    /// The mean of `y` over all deals, in its own units.
    pub centre: f64,
}

impl Control {
    /// Fits the slope by least squares on a pilot of other seeds. The centre is given, where the
    /// rules fix it (0 for a difference between seats that are alike). `None` where the pilot has
    /// fewer than three deals or `y` does not vary.
    pub fn fit(pilot: &PairMoments, centre: f64) -> Option<Control> {
        let c = pilot.covariance().filter(|c| pilot.n > 2 && c.yy > 0.0)?;
        Some(Control { slope: c.xy / c.yy, centre })
    }

    /// The mean of `scale · x` a deal with the control taken out, and Student's t interval of what
    /// is left. `None` without deals; no interval with one.
    pub fn mean(&self, deals: &PairMoments, scale: f64) -> Option<Estimate> {
        if deals.n == 0 {
            return None;
        }
        let n = deals.n as f64;
        let value = deals.x as f64 / n - self.slope * (deals.y as f64 / n - self.centre);
        let bare = Estimate::bare(value * scale);
        Some(match self.variance(deals) {
            Some(variance) => {
                let half = student_95(n - 1.0) * (variance / n).sqrt() * scale;
                Estimate::symmetric(bare.value, half)
            }
            None => bare,
        })
    }

    /// The part of the variance between deals that the control took out, measured on these deals:
    /// with 0.3, as many as 30 % fewer deals do. Below 0 it did harm. `None` below two deals or
    /// where nothing varied.
    pub fn saved(&self, deals: &PairMoments) -> Option<f64> {
        let plain = deals.covariance()?.xx;
        (plain > 0.0).then_some(1.0 - self.variance(deals)? / plain)
    }

    fn variance(&self, deals: &PairMoments) -> Option<f64> {
        let c = deals.covariance()?;
        Some((c.xx + self.slope * (self.slope * c.yy - 2.0 * c.xy)).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seed;

    /// Results that are thrice a known card value, plus noise of the same variance.
    fn deals(seed: u64, count: usize) -> PairMoments {
        let mut stream = Seed::new(seed).stream();
        let mut tally = PairMoments::default();
        for _ in 0..count {
            let known = i64::from(stream.below(13)) - 6;
            let noise = i64::from(stream.below(37)) - 18;
            tally.add(20 + 3 * known + noise, known);
        }
        tally
    }

    #[test]
    fn a_good_control_saves_its_share() {
        let control = Control::fit(&deals(1, 20_000), 0.0).unwrap();
        assert!((control.slope - 3.0).abs() < 0.1);
        let run = deals(2, 20_000);
        // Variances 9·14 = 126 of the card and 114 of the noise.
        let saved = control.saved(&run).unwrap();
        assert!((saved - 126.0 / 240.0).abs() < 0.02, "{saved}");
        let (plain, better) = (run.difference(1.0).unwrap(), control.mean(&run, 1.0).unwrap());
        assert!(better.half_width() < plain.half_width());
        assert!(!better.excludes(20.0), "{better}");
    }

    #[test]
    fn degenerate_pilots_are_defined() {
        assert_eq!(Control::fit(&PairMoments::default(), 0.0), None);
        let control = Control { slope: 1.0, centre: 0.0 };
        assert_eq!(control.mean(&PairMoments::default(), 1.0), None);
        assert_eq!(control.saved(&PairMoments::default()), None);
        let mut one = PairMoments::default();
        one.add(5, 2);
        assert_eq!(control.mean(&one, 1.0), Some(Estimate::bare(3.0)));
        assert_eq!(Control::fit(&one, 0.0), None);
    }
}
