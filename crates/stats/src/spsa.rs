//! Simultaneous perturbation stochastic approximation.
//!
//! A step adds a random perturbation to all values at once, subtracts it, and compares the two points.
//! The result times the signs estimates the slope, for any number of values (Spall,
//! *Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation*, IEEE Transactions on Automatic Control 37, 1992). The gains decrease as Spall advises
//! (*Implementation of the simultaneous perturbation algorithm for stochastic optimization*, IEEE
//! Transactions on Aerospace and Electronic Systems 34, 1998).
//!
//! Single points are noisy, so the result is the mean over the last third of the steps. Source: Polyak
//! and Juditsky, *Acceleration of stochastic approximation by averaging*, SIAM Journal on Control and
//! Optimization 30, 1992.

use serde::{Deserialize, Serialize};

use parlour_base::maths::exact::pow;

/// The exponent of the gain: it decreases as `1 / (A + k + 1)^0.602`.
const GAIN_EXPONENT: f64 = 0.602;

/// The exponent of the perturbation: `c_k = c / (k + 1)^0.101`.
const PERTURBATION_EXPONENT: f64 = 0.101;

/// The gain sequences of a search, for values scaled to about 1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gains {
    /// The factor of the slope in the first step.
    pub first: f64,
    /// The size of the first perturbation.
    pub perturbation: f64,
    /// The number of steps; a tenth of it is Spall's stability constant `A`.
    pub steps: u64,
}

impl Gains {
    /// Returns the factor of the slope in a step.
    fn gain(&self, step: u64) -> f64 {
        let stability = self.steps as f64 / 10.0;
        self.first * pow((stability + 1.0) / (stability + step as f64 + 1.0), GAIN_EXPONENT)
    }

    /// Returns the size of a step's perturbation.
    pub fn perturbation(&self, step: u64) -> f64 {
        self.perturbation / pow(step as f64 + 1.0, PERTURBATION_EXPONENT)
    }
}

/// The progress of a search by SPSA.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spsa {
    /// The current values, scaled.
    pub at: Vec<f64>,
    /// The number of completed steps.
    pub step: u64,
    /// The sum of the values over the last third of the steps.
    sum: Vec<f64>,
    /// The number of steps in the sum.
    counted: u64,
}

impl Spsa {
    /// Creates a search from a starting point.
    pub fn new(at: Vec<f64>) -> Spsa {
        Spsa { sum: vec![0.0; at.len()], at, step: 0, counted: 0 }
    }

    /// Returns `true` if all steps are completed.
    pub fn is_finished(&self, gains: &Gains) -> bool {
        self.step >= gains.steps
    }

    /// Makes a step. For each value `slope` is the mean of its sign times the difference between
    /// `point + signs · size` and `point − signs · size`, where `size` is the step's perturbation.
    pub fn advance(&mut self, gains: &Gains, slope: &[f64]) {
        let gain = gains.gain(self.step) / (2.0 * gains.perturbation(self.step));
        self.at.iter_mut().zip(slope).for_each(|(number, slope)| *number += gain * slope);
        self.step += 1;
        if 3 * self.step > 2 * gains.steps {
            self.sum.iter_mut().zip(&self.at).for_each(|(sum, number)| *sum += number);
            self.counted += 1;
        }
    }

    /// Returns the result.
    pub fn result(&self) -> Vec<f64> {
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

    /// Searches the top of a hill at (1, −2, 0.5) with noise.
    #[test]
    fn the_top_of_a_hill_is_found() {
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
        let mut spsa = Spsa::new(vec![0.0; 3]);
        while !spsa.is_finished(&gains) {
            let size = gains.perturbation(spsa.step);
            let signs: Vec<f64> =
                (0..3).map(|_| if chance.unit() < 0.5 { -1.0 } else { 1.0 }).collect();
            let moved = |way: f64| -> Vec<f64> {
                spsa.at.iter().zip(&signs).map(|(x, sign)| x + way * size * sign).collect()
            };
            let noise = 0.5 * (chance.unit() - 0.5);
            let result = height(&moved(1.0)) - height(&moved(-1.0)) + noise;
            let slope: Vec<f64> = signs.iter().map(|sign| sign * result).collect();
            spsa.advance(&gains, &slope);
        }
        for (found, top) in spsa.result().iter().zip(top) {
            assert!((found - top).abs() < 0.1, "{found} is not {top}");
        }
    }

    #[test]
    fn gains_decrease_as_spall_advises() {
        let gains = Gains { first: 1.0, perturbation: 0.25, steps: 100 };
        assert_eq!((gains.gain(0), gains.perturbation(0)), (1.0, 0.25));
        assert!((gains.gain(11) - pow(0.5, 0.602)).abs() < 1e-12);
        assert!((gains.perturbation(99) - 0.25 / pow(100.0, 0.101)).abs() < 1e-12);
    }
}
