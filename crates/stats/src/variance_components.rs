//! Variance components: the shares of luck, skill and the rest in a result.
//!
//! A deal is played once for every rotation of `k` strategies over the seats. Consider one seat:
//! its result in rotation `r` of deal `i` is
//!
//! `y_ir = μ + D_i + δ_r + e_ir`
//!
//! Here `D` is the effect of the deal: the value of the cards to this seat whoever plays them.
//! `δ_r` is the strength of the strategy that sits there in rotation `r` (`Σ δ_r = 0`). `e` is the
//! rest: chance during play, and cards that suit one strategy better than another. The value of the
//! seat itself is in `μ` and not in the variance. For two seats the results are `μ + D + δ + e` and
//! `μ + D − δ + e'`.
//!
//! The result of one hand with a random rotation has the variance `σ_D² + mean(δ_r²) + σ_e²`. Each
//! part has an unbiased estimate from the deals (a two-way layout with one observation a cell;
//! Searle, Casella and McCulloch, *Variance Components*, 1992, chapter 4):
//!
//! * luck `σ_D²`: the mean covariance between two rotations of a deal;
//! * rest `σ_e²`: the mean variance of a rotation less that;
//! * skill: the variance of the rotations' means, less `(k − 1)/k · σ_e²/n`.

use serde::{Deserialize, Serialize};

use parlour_base::maths::exact::{pow, square};

/// Sums of the results of one seat in each rotation of the same deals, enough to separate deal from
/// players. A commutative monoid of integers in any unit.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RotationSums {
    /// The number of deals.
    pub n: u64,
    /// The sum of the seat's results over deals, for each rotation.
    pub sums: Vec<i64>,
    /// The sum of squares over deals and rotations.
    pub squares: u64,
    /// The sum over deals of the squared sum over rotations.
    pub totals: u64,
}

impl RotationSums {
    /// Returns the unbiased components luck, skill and rest, in squared units of the results. Luck
    /// and skill may be negative. `None` below two deals or two rotations.
    fn components(&self) -> Option<[f64; 3]> {
        if self.n < 2 || self.sums.len() < 2 {
            return None;
        }
        let n = i128::from(self.n);
        let (deals, k) = (self.n as f64, self.sums.len() as f64);
        // Exact integers, and only then floats.
        let add = |sum: i128, x: i128| sum.saturating_add(x);
        let sums = || self.sums.iter().map(|&x| i128::from(x));
        let squared = |x: i128| x.saturating_mul(x);
        let sum_squared = squared(sums().fold(0, add));
        let sums_squared = sums().map(squared).fold(0, add);
        let excess = |whole: u64, part: i128| {
            n.saturating_mul(whole.into()).saturating_sub(part).max(0) as f64
                / (deals * (deals - 1.0))
        };
        // The sum of the rotations' variances, and the variance of a deal's total.
        let within = excess(self.squares, sums_squared);
        let total = excess(self.totals, sum_squared);
        let luck = (total - within) / (k * (k - 1.0));
        let rest = (within / k - luck).max(0.0);
        let apart = (self.sums.len() as i128).saturating_mul(sums_squared);
        let between = apart.saturating_sub(sum_squared) as f64 / (k * k * deals * deals);
        let skill = between - (k - 1.0) / k * rest / deals;
        Some([luck, skill, rest])
    }
}

/// Returns the shares of the variance of one result with random seats, pooled over pairings
/// (line-ups, seats): those of the deal, of the strategies' strength, and of the rest. The positive
/// ones sum to 1. The components are averaged over pairings with equal weights, and the shares
/// are taken of the averages.
///
/// The pooled components are unbiased, so a small luck or skill may be negative. It counts as zero
/// in the total and stays negative as a share: reports clamp it and its interval at zero. Tallies
/// below two deals are skipped. `None` if none is left or if no result varied.
pub fn shares<'a>(pairings: impl IntoIterator<Item = &'a RotationSums>) -> Option<[f64; 3]> {
    let mut pooled = [0.0; 3];
    for components in pairings.into_iter().filter_map(RotationSums::components) {
        for (sum, x) in pooled.iter_mut().zip(components) {
            *sum += x;
        }
    }
    let total: f64 = pooled.iter().map(|x| x.max(0.0)).sum();
    (total > 0.0).then(|| pooled.map(|x| x / total))
}

/// Returns the share of luck in a match's result if the two players of a pairing were `gap` Elo
/// apart. `win` is the value of a win in the results.
///
/// Between equals strength adds no variance, and the share is `σ_D² / (σ_D² + σ_e²)`. At a gap with
/// expected score `s`, strength adds `(s − ½)²`, and luck and rest shrink together with `s (1 −
/// s)`. `None` as for [`shares`].
pub fn luck_at_gap(pairing: &RotationSums, win: f64, gap: f64) -> Option<f64> {
    let [luck, _, rest] = pairing.components()?;
    let chance = (luck.max(0.0) + rest) / (win * win);
    let [first, second] = pairing.sums.as_slice() else { return None };
    let apart = (first - second) as f64 / (2.0 * win * pairing.n as f64);
    let room = 0.25 - apart * apart;
    if chance <= 0.0 || room <= 0.0 {
        return None;
    }
    let share = luck / (win * win) / chance;
    let score = 1.0 / (1.0 + pow(10.0, -gap / 400.0));
    let chance = chance * score * (1.0 - score) / room;
    Some(share * chance / (chance + square(score - 0.5)))
}

/// Returns the spread of ratings, in their unit: the standard deviation of these ratings (not of a
/// population), and the difference between the highest and the lowest. `None` without ratings; one
/// rating has spread 0.
pub fn rating_spread(ratings: &[f64]) -> Option<(f64, f64)> {
    let n = ratings.len() as f64;
    let mean = ratings.iter().sum::<f64>() / n;
    let highest = ratings.iter().copied().reduce(f64::max)?;
    let lowest = ratings.iter().copied().reduce(f64::min)?;
    let variance = ratings.iter().map(|x| square(x - mean)).sum::<f64>() / n;
    Some((variance.sqrt(), highest - lowest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::chance::{Seed, Stream};

    impl RotationSums {
        /// Adds a deal: the seat's result in each rotation, always in the same order.
        pub(crate) fn add(&mut self, results: &[i64]) {
            let square = |x: i64| x.unsigned_abs().saturating_mul(x.unsigned_abs());
            let total = results.iter().fold(0i64, |sum, &x| sum.saturating_add(x));
            self.n = self.n.saturating_add(1);
            self.sums.resize(self.sums.len().max(results.len()), 0);
            for (sum, x) in self.sums.iter_mut().zip(results) {
                *sum = sum.saturating_add(*x);
            }
            self.squares =
                results.iter().fold(self.squares, |sum, &x| sum.saturating_add(square(x)));
            self.totals = self.totals.saturating_add(square(total));
        }
    }

    /// Returns an approximately normal number with this deviation: the sum of twelve uniforms
    /// (variance 1).
    fn noise(stream: &mut Stream, deviation: f64) -> f64 {
        ((0..12).map(|_| stream.unit()).sum::<f64>() - 6.0) * deviation
    }

    fn simulate(
        k: usize,
        deals: usize,
        luck: f64,
        skill: &[f64],
        rest: f64,
        seed: u64,
    ) -> RotationSums {
        let mut stream = Seed::new(seed).stream();
        let mut tally = RotationSums::default();
        for _ in 0..deals {
            let deal = noise(&mut stream, luck);
            let results: Vec<i64> = (0..k)
                .map(|r| (300.0 + deal + skill[r] + noise(&mut stream, rest)).round() as i64)
                .collect();
            tally.add(&results);
        }
        tally
    }

    #[test]
    fn known_components_are_recovered() {
        // Variances 900, 400 (±20) and 1600.
        let two = simulate(2, 40_000, 30.0, &[20.0, -20.0], 40.0, 1);
        let [luck, skill, rest] = two.components().unwrap();
        assert!((luck - 900.0).abs() < 40.0 && (skill - 400.0).abs() < 20.0, "{luck} {skill}");
        assert!((rest - 1600.0).abs() < 40.0, "{rest}");
        let [luck, ..] = shares([&two]).unwrap();
        assert!((luck - 900.0 / 2900.0).abs() < 0.015);
        // Four seats: skill variance (400 + 400 + 100 + 100) / 4 = 250.
        let four = simulate(4, 20_000, 30.0, &[20.0, -20.0, 10.0, -10.0], 40.0, 2);
        let [luck, skill, rest] = four.components().unwrap();
        assert!((luck - 900.0).abs() < 40.0 && (skill - 250.0).abs() < 20.0, "{luck} {skill}");
        assert!((rest - 1600.0).abs() < 40.0, "{rest}");
        // Pooled with equal weights.
        let [luck, skill, rest] = shares([&two, &four]).unwrap();
        assert!((luck + skill + rest - 1.0).abs() < 1e-12);
        assert!((skill - 650.0 / 5650.0).abs() < 0.01);
    }

    #[test]
    fn luck_at_a_gap_matches_a_hand_computation() {
        let mut even = RotationSums::default();
        for (results, deals) in [([2, 2], 350), ([0, 0], 350), ([2, 0], 150), ([0, 2], 150)] {
            (0..deals).for_each(|_| even.add(&results));
        }
        // Means ½ and ½; covariance (350 + 350 − 150 − 150) / 1000 / 4 = 0.1 of a variance of 0.25.
        let at = |gap| luck_at_gap(&even, 2.0, gap).unwrap();
        assert!((at(0.0) - 0.4).abs() < 2e-3, "{}", at(0.0));
        // At 0.64 chance has 0.2304 of the variance, strength 0.0196.
        let right = 0.4 * 0.2304 / (0.2304 + 0.0196);
        assert!((at(100.0) - right).abs() < 2e-3, "{} {right}", at(100.0));
        assert!((at(-100.0) - at(100.0)).abs() < 1e-12);
        assert_eq!(luck_at_gap(&RotationSums::default(), 2.0, 0.0), None);
    }

    #[test]
    fn estimates_are_unbiased_with_few_deals() {
        let mut mean = [0.0; 3];
        for run in 0..4000 {
            let tally = simulate(2, 5, 30.0, &[20.0, -20.0], 40.0, 100 + run);
            for (sum, x) in mean.iter_mut().zip(tally.components().unwrap()) {
                *sum += x / 4000.0;
            }
        }
        assert!((mean[0] - 900.0).abs() < 75.0, "{mean:?}");
        assert!((mean[1] - 400.0).abs() < 50.0, "{mean:?}");
        assert!((mean[2] - 1600.0).abs() < 75.0, "{mean:?}");
    }

    #[test]
    fn two_seats_match_the_textbook() {
        // The covariance of (1, 4, 2, 7) and (2, 3, 5, 9) is 25/3 by hand, the variances 7 and
        // 115/12; luck is the covariance, the rest the mean variance less it.
        let mut tally = RotationSums::default();
        for (a, b) in [(1, 2), (4, 3), (2, 5), (7, 9)] {
            tally.add(&[a, b]);
        }
        let xy: f64 = (1. - 3.5) * (2. - 4.75)
            + (4. - 3.5) * (3. - 4.75)
            + (2. - 3.5) * (5. - 4.75)
            + (7. - 3.5) * (9. - 4.75);
        let [luck, skill, rest] = tally.components().unwrap();
        assert!((luck - xy / 3.0).abs() < 1e-12);
        assert!((rest - ((7.0 + 28.75 / 3.0) / 2.0 - luck)).abs() < 1e-12);
        let delta: f64 = (3.5 - 4.75) / 2.0;
        assert!((skill - (delta * delta - rest / 8.0)).abs() < 1e-12);
    }

    #[test]
    fn degenerate_tallies_are_defined() {
        assert_eq!(shares([]), None);
        let mut one = RotationSums::default();
        one.add(&[1, 0]);
        assert_eq!(shares([&one]), None);
        let mut same = one.clone();
        same.add(&[1, 0]);
        // The stronger always wins: all skill.
        assert_eq!(shares([&same]), Some([0.0, 1.0, 0.0]));
        let mut draws = RotationSums::default();
        draws.add(&[1, 1]);
        draws.add(&[1, 1]);
        assert_eq!(shares([&draws]), None);
        // The deal decides: all luck.
        let mut cards = RotationSums::default();
        for result in [0, 2, 0, 2] {
            cards.add(&[result, result]);
        }
        assert_eq!(shares([&cards]), Some([1.0, 0.0, 0.0]));
    }

    #[test]
    fn spread() {
        assert_eq!(rating_spread(&[]), None);
        assert_eq!(rating_spread(&[5.0]), Some((0.0, 0.0)));
        let (deviation, range) = rating_spread(&[-3.0, 0.0, 3.0]).unwrap();
        assert!((deviation - 6f64.sqrt()).abs() < 1e-12 && range == 6.0);
    }
}
