//! A trend: the slope of a number over a value, a step of 1 or a doubling each.

use super::super::Series;
use super::super::figures::variant_numbers;
use crate::arena::{PlanInfo, Tally};
use crate::stats::Estimate;
use crate::stats::jackknife_all;
use parlour_base::maths::exact::{ln, square};

/// A value's place along the trend.
pub(crate) fn place(series: &Series, x: f64) -> f64 {
    if series.in_doublings() { ln(x) / std::f64::consts::LN_2 } else { x }
}

/// The slopes of a figure (of the strategies' ratings where none is named) over each series: by
/// least squares, each value counting the same. What the values share of a deal's luck cancels,
/// because the jackknife leaves out a chunk of deals under all of them at once.
pub(super) fn slopes(
    plan: &PlanInfo,
    total: &Tally,
    tallies: &[Tally],
    figure: Option<usize>,
    series: &[Series],
    figures: usize,
) -> Vec<Option<Estimate>> {
    let all = |tally: &Tally| -> Vec<Option<f64>> {
        let numbers = (0..plan.variants.len()).map(|v| variant_numbers(plan, tally, v));
        let numbers: Vec<Vec<Option<f64>>> = numbers.collect();
        let number = |series: &Series, of: usize| match (figure, series.variant) {
            (Some(figure), _) => numbers[of][figure],
            (None, variant) => numbers[variant?][figures + of],
        };
        let one = |series: &Series| {
            let points = series.points.iter();
            let points: Option<Vec<(f64, f64)>> =
                points.map(|(x, of)| Some((place(series, *x), number(series, *of)?))).collect();
            slope(&points?)
        };
        series.iter().map(one).collect()
    };
    let weights: Vec<u64> = tallies.iter().map(|tally| tally.deals).collect();
    jackknife_all(&weights, |left_out| match left_out {
        None => all(total),
        Some(chunk) => all(&total.without(&tallies[chunk])),
    })
}

/// The slope of the least-squares line; none where all values are the same.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0, y + point.1));
    let (x, y) = (x / n, y / n);
    let spread: f64 = points.iter().map(|point| square(point.0 - x)).sum();
    let joint: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    (spread > 0.0).then(|| joint / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_that_of_the_line() {
        assert_eq!(slope(&[(1.0, 3.0), (2.0, 5.0), (4.0, 9.0)]), Some(2.0));
        // By hand: x̄ = 2, ȳ = 2; Σ(x−x̄)(y−ȳ) = 1, Σ(x−x̄)² = 2.
        assert_eq!(slope(&[(1.0, 2.0), (2.0, 1.0), (3.0, 3.0)]), Some(0.5));
        assert_eq!(slope(&[(1.0, 2.0), (1.0, 4.0)]), None);
    }

    #[test]
    fn wide_values_are_counted_in_doublings() {
        let of = |values: &[f64]| Series {
            name: String::new(),
            variant: None,
            points: values.iter().map(|x| (*x, 0)).collect(),
        };
        let wide = of(&[250.0, 500.0, 4000.0]);
        assert!(wide.in_doublings() && !of(&[4.0, 10.0]).in_doublings());
        assert!(!of(&[0.0, 10.0]).in_doublings(), "0 has no doubling");
        assert!((place(&wide, 500.0) - place(&wide, 250.0) - 1.0).abs() < 1e-12);
    }
}
