//! A response surface: a linear model of a noisy number over features of a point.

use super::Estimate;
use super::matrix::{Matrix, cholesky, solve_lower, solve_upper, zeros};
use parlour_base::chance::Stream;
use parlour_base::maths::exact::{ln, square};

/// Prior variances of the weights among which the evidence chooses, in units of the variance of all
/// values.
const PRIORS: [f64; 4] = [0.01, 0.1, 1.0, 10.0];

/// Variances of the lack of fit among which the evidence chooses, in the same unit.
const MISFITS: [f64; 5] = [1e-5, 1e-3, 0.01, 0.1, 0.5];

/// A measured number with the variance of its error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reading {
    /// The measured number.
    pub value: f64,
    /// The variance of its error.
    pub variance: f64,
}

/// A Bayesian linear model `y = x·w + δ + error`. The weights have a normal prior, and so has the lack of
/// fit `δ` of each point. The evidence chooses both prior variances (MacKay, *Bayesian
/// interpolation*, Neural Computation 4, 1992).
///
/// Values are the same on every machine. A surface without readings is 0 everywhere.
#[derive(Clone, Debug)]
pub struct Surface {
    centre: f64,
    scale: f64,
    /// The lower factor of the posterior precision of the weights.
    factor: Matrix,
    weights: Vec<f64>,
    /// The variance of the lack of fit, in units of the squared scale.
    misfit: f64,
}

impl Surface {
    /// Fits the surface to readings at points with these features, all of the same number.
    pub fn fit(points: &[&[f64]], readings: &[Reading]) -> Surface {
        let count = readings.len().max(1) as f64;
        let centre = readings.iter().map(|it| it.value).sum::<f64>() / count;
        let spread = readings.iter().map(|it| square(it.value - centre)).sum::<f64>() / count;
        let scale = if spread > 0.0 { spread.sqrt() } else { 1.0 };
        let all: Vec<(&[f64], f64, f64)> = points
            .iter()
            .zip(readings)
            .map(|(x, it)| (*x, (it.value - centre) / scale, it.variance / square(scale)))
            .collect();
        let size = points.first().map_or(0, |x| x.len());
        let mut best: Option<(f64, Surface)> = None;
        for misfit in MISFITS {
            let (mut precision, mut moment) = (zeros(size), vec![0.0; size]);
            let mut constant = 0.0;
            for (x, y, noise) in &all {
                let weight = 1.0 / (noise + misfit);
                constant += ln(weight) - weight * y * y;
                for (i, xi) in x.iter().enumerate().filter(|(_, xi)| **xi != 0.0) {
                    moment[i] += weight * xi * y;
                    let row = precision[i][..=i].iter_mut().zip(*x);
                    row.for_each(|(cell, xj)| *cell += weight * xi * xj);
                }
            }
            for prior in PRIORS {
                let mut posterior = precision.clone();
                (0..size).for_each(|i| posterior[i][i] += 1.0 / prior);
                let factor = cholesky(&posterior);
                let half = solve_lower(&factor, moment.clone());
                let volume: f64 = (0..size).map(|i| 2.0 * ln(factor[i][i])).sum();
                let explained: f64 = half.iter().map(|x| x * x).sum();
                let evidence = constant + explained - volume - size as f64 * ln(prior);
                if best.as_ref().is_none_or(|(most, _)| evidence > *most) {
                    let weights = solve_upper(&factor, half);
                    best = Some((evidence, Surface { centre, scale, factor, weights, misfit }));
                }
            }
        }
        let flat = || Surface {
            centre,
            scale,
            factor: zeros(size),
            weights: vec![0.0; size],
            misfit: 0.0,
        };
        best.map_or_else(flat, |(_, surface)| surface)
    }

    /// Returns the number at a point with its 95 % interval, the lack of fit left out.
    pub fn mean(&self, x: &[f64]) -> Estimate {
        let change = self.change(x);
        let half = change.half_width().unwrap_or(0.0);
        Estimate::symmetric(self.centre + change.value, half)
    }

    /// Returns a change of the number with its 95 % interval; `x` is a difference of points.
    pub fn change(&self, x: &[f64]) -> Estimate {
        let fit: f64 = self.weights.iter().zip(x).map(|(weight, xi)| weight * xi).sum();
        let spread = solve_lower(&self.factor, x.to_vec());
        let deviation = spread.iter().map(|x| x * x).sum::<f64>().sqrt();
        Estimate::symmetric(self.scale * fit, 1.96 * self.scale * deviation)
    }

    /// Returns the most probable weights.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Draws weights from their posterior.
    pub fn draw(&self, chance: &mut Stream) -> Vec<f64> {
        let noise = (0..self.weights.len()).map(|_| normal(chance)).collect();
        let around = solve_upper(&self.factor, noise);
        self.weights.iter().zip(around).map(|(mean, off)| mean + off).collect()
    }

    /// Returns the number at a point for these weights, and the standard deviation that remains. A reading
    /// at the point corrects the surface; without one, the lack of fit is left out.
    pub fn at(&self, weights: &[f64], x: &[f64], reading: Option<Reading>) -> (f64, f64) {
        let fit: f64 = weights.iter().zip(x).map(|(weight, xi)| weight * xi).sum();
        let fit = self.centre + self.scale * fit;
        let Some(Reading { value, variance }) = reading else { return (fit, 0.0) };
        let misfit = self.misfit * square(self.scale);
        let trust = misfit / (misfit + variance).max(f64::MIN_POSITIVE);
        (fit + trust * (value - fit), (trust * variance).sqrt())
    }
}

/// Draws a nearly normal number: the sum of twelve uniform ones, which needs no logarithm.
pub fn normal(chance: &mut Stream) -> f64 {
    (0..12).map(|_| chance.unit()).sum::<f64>() - 6.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::chance::Seed;

    /// A curve that a parabola does not fit exactly, with noise.
    fn surface(variance: f64, count: u32) -> (Surface, f64) {
        let mut chance = Seed::new(1).stream();
        let truth = |x: f64| 3.0 + x - 2.0 * x * x;
        let at = |i: u32| f64::from(i) / f64::from(count) * 2.0 - 1.0;
        let points: Vec<[f64; 3]> = (0..count).map(|i| [1.0, at(i), at(i) * at(i)]).collect();
        let readings: Vec<Reading> = points
            .iter()
            .map(|x| Reading {
                value: truth(x[1]) + variance.sqrt() * normal(&mut chance),
                variance,
            })
            .collect();
        let points: Vec<&[f64]> = points.iter().map(|x| &x[..]).collect();
        (Surface::fit(&points, &readings), truth(0.3))
    }

    #[test]
    fn a_parabola_is_found_and_draws_cover_it() {
        let (found, truth) = surface(0.01, 40);
        let x = [1.0, 0.3, 0.09];
        let (mean, rest) = found.at(found.weights(), &x, None);
        assert!((mean - truth).abs() < 0.1 && rest == 0.0, "{mean} {truth}");
        let mut chance = Seed::new(2).stream();
        let draws: Vec<f64> =
            (0..200).map(|_| found.at(&found.draw(&mut chance), &x, None).0).collect();
        let spread = (draws.iter().map(|y| square(y - mean)).sum::<f64>() / 200.0).sqrt();
        assert!(spread > 0.005 && spread < 0.1, "{spread}");
    }

    #[test]
    fn a_precise_reading_outweighs_the_surface_where_it_does_not_fit() {
        let steps: Vec<[f64; 2]> = (0..20).map(|i| [1.0, f64::from(i) / 10.0 - 1.0]).collect();
        let read =
            |x: &[f64; 2]| Reading { value: f64::from(u8::from(x[1] > 0.0)), variance: 1e-6 };
        let readings: Vec<Reading> = steps.iter().map(read).collect();
        let points: Vec<&[f64]> = steps.iter().map(|x| &x[..]).collect();
        let found = Surface::fit(&points, &readings);
        let (value, _) = found.at(found.weights(), points[10], Some(readings[10]));
        assert!((value - readings[10].value).abs() < 0.01, "{value}");
        let nothing = Surface::fit(&[], &[]);
        assert_eq!(nothing.at(nothing.weights(), &[], None), (0.0, 0.0));
    }
}
