//! Simultaneous perturbation stochastic approximation.
//!
//! A step adds a random sign to every number at once, takes the same away, and compares the two: the
//! result times the signs is an unbiased look at the slope, whatever the number of numbers (Spall,
//! *Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation*, IEEE Transactions on Automatic Control 37, 1992). The gains fall as he advises
//! (*Implementation of the simultaneous perturbation algorithm for stochastic optimization*, IEEE
//! Transactions on Aerospace and Electronic Systems 34, 1998). What comes out is the mean of the last
//! third of the steps, for the last point still wanders (Polyak and Juditsky, *Acceleration of
//! stochastic approximation by averaging*, SIAM Journal on Control and Optimization 30, 1992).

use serde::{Deserialize, Serialize};

use parlour_base::maths::exact::pow;

/// How the gain of a step falls: as `1 / (A + k + 1)^0.602`, from that of the first.
const FALL: f64 = 0.602;

/// How the size of the perturbation falls: `c_k = c / (k + 1)^0.101`.
const SHRINK: f64 = 0.101;

/// The gain sequences of a climb, in the units in which the numbers are scaled to about 1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gains {
    /// What the first step multiplies the slope by.
    pub first: f64,
    /// The size of the first perturbation.
    pub perturbation: f64,
    /// How many steps there are; a tenth of them is Spall's stability constant `A`.
    pub steps: u64,
}

impl Gains {
    /// What a step multiplies the slope by.
    fn gain(&self, step: u64) -> f64 {
        let calm = self.steps as f64 / 10.0;
        self.first * pow((calm + 1.0) / (calm + step as f64 + 1.0), FALL)
    }

    /// The size of a step's perturbation.
    pub fn perturbation(&self, step: u64) -> f64 {
        self.perturbation / pow(step as f64 + 1.0, SHRINK)
    }
}

/// Where a climb is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Climb {
    /// The numbers now, scaled.
    pub at: Vec<f64>,
    /// How many steps were made.
    pub step: u64,
    /// The sum of the numbers over the last third of the steps.
    sum: Vec<f64>,
    /// How many are in it.
    counted: u64,
}

impl Climb {
    /// A climb from these numbers.
    pub fn new(at: Vec<f64>) -> Climb {
        Climb { sum: vec![0.0; at.len()], at, step: 0, counted: 0 }
    }

    /// Whether all steps are made.
    pub fn is_over(&self, gains: &Gains) -> bool {
        self.step >= gains.steps
    }

    /// Makes a step. `look` is told the size of the perturbation and gives, for each number, the
    /// mean over comparisons of its sign times the result: of `numbers + signs · size` less that of
    /// `numbers − signs · size`. Without an answer the climb stays where it is, and so says `None`.
    pub fn advance(
        &mut self,
        gains: &Gains,
        look: impl FnOnce(&[f64], f64) -> Option<Vec<f64>>,
    ) -> Option<()> {
        let size = gains.perturbation(self.step);
        let gain = gains.gain(self.step) / (2.0 * size);
        let results = look(&self.at, size)?;
        self.at.iter_mut().zip(results).for_each(|(number, result)| *number += gain * result);
        self.step += 1;
        if 3 * self.step > 2 * gains.steps {
            self.sum.iter_mut().zip(&self.at).for_each(|(sum, number)| *sum += number);
            self.counted += 1;
        }
        Some(())
    }

    /// What the climb has come to.
    pub fn answer(&self) -> Vec<f64> {
        match self.counted {
            0 => self.at.clone(),
            counted => self.sum.iter().map(|sum| sum / counted as f64).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::chance::Seed;

    /// A hill with its top at (1, −2, 0.5), looked at through noise.
    #[test]
    fn it_finds_the_top_of_a_hill() {
        let top = [1.0, -2.0, 0.5];
        let height = |x: &[f64]| -> f64 {
            -x.iter()
                .zip(top)
                .zip([1.0, 0.5, 2.0])
                .map(|((x, t), w)| w * (x - t) * (x - t))
                .sum::<f64>()
        };
        let gains = Gains { first: 0.3, perturbation: 0.2, steps: 1500 };
        let mut chance = Seed::new(7).stream();
        let mut climb = Climb::new(vec![0.0; 3]);
        while !climb.is_over(&gains) {
            climb.advance(&gains, |at, size| {
                let signs: Vec<f64> =
                    (0..3).map(|_| if chance.unit() < 0.5 { -1.0 } else { 1.0 }).collect();
                let moved = |way: f64| -> Vec<f64> {
                    at.iter().zip(&signs).map(|(x, sign)| x + way * size * sign).collect()
                };
                let noise = 0.5 * (chance.unit() - 0.5);
                let result = height(&moved(1.0)) - height(&moved(-1.0)) + noise;
                Some(signs.iter().map(|sign| sign * result).collect())
            });
        }
        for (found, top) in climb.answer().iter().zip(top) {
            assert!((found - top).abs() < 0.1, "{found} is not {top}");
        }
    }

    #[test]
    fn the_gains_fall_as_spall_advises() {
        let gains = Gains { first: 1.0, perturbation: 0.25, steps: 100 };
        assert_eq!((gains.gain(0), gains.perturbation(0)), (1.0, 0.25));
        assert!((gains.gain(11) - pow(0.5, 0.602)).abs() < 1e-12);
        assert!((gains.perturbation(99) - 0.25 / pow(100.0, 0.101)).abs() < 1e-12);
    }
}
