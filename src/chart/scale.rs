//! From numbers to places.

use crate::stats::maths::{log10, pow};

/// A straight scale: `low..=high` to `from..=to`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub low: f64,
    pub high: f64,
    pub from: f64,
    pub to: f64,
}

/// A round number on a scale.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Tick {
    pub at: f64,
    pub label: String,
}

impl Scale {
    /// A scale over numbers, with a little room at both ends; numbers that are all alike get room
    /// around them.
    pub fn over(numbers: impl Iterator<Item = f64>, from: f64, to: f64) -> Scale {
        let ends = numbers.filter(|x| x.is_finite()).fold(None, |ends: Option<(f64, f64)>, x| {
            Some(ends.map_or((x, x), |(low, high)| (low.min(x), high.max(x))))
        });
        let (low, high) = ends.unwrap_or((0.0, 1.0));
        let room = if high > low { (high - low) * 0.06 } else { low.abs().max(1.0) * 0.05 };
        Scale { low: low - room, high: high + room, from, to }
    }

    /// The place of a number.
    pub fn at(&self, x: f64) -> f64 {
        self.from + (x - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// About `wanted` round numbers: steps of 1, 2 or 5 times a power of ten.
    pub fn ticks(&self, wanted: usize) -> Vec<Tick> {
        let rough = (self.high - self.low) / wanted as f64;
        if !(rough > 0.0 && rough.is_finite()) {
            return Vec::new();
        }
        let power = pow(10.0, log10(rough).floor());
        let digit = match rough / power {
            d if d <= 1.0 => 1.0,
            d if d <= 2.0 => 2.0,
            d if d <= 5.0 => 5.0,
            _ => 10.0,
        };
        let step = digit * power;
        let decimals = (-log10(step).floor()).max(0.0) as usize;
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        let tick = |i: i64| {
            let at = i as f64 * step;
            Tick { at, label: format!("{at:.decimals$}").replace('-', "−") }
        };
        (first..=last).map(tick).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let labels = |low, high| {
            let scale = Scale { low, high, from: 0.0, to: 100.0 };
            scale.ticks(5).into_iter().map(|t| t.label).collect::<Vec<_>>()
        };
        assert_eq!(labels(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(-0.012, 0.013), ["−0.010", "−0.005", "0.000", "0.005", "0.010"]);
        assert_eq!(labels(-900.0, 500.0), ["−500", "0", "500"]);
        assert!(labels(1.0, 1.0).is_empty());
    }

    #[test]
    fn numbers_have_their_places() {
        let scale = Scale::over([0.0, 10.0].into_iter(), 100.0, 200.0);
        assert!((scale.at(5.0) - 150.0).abs() < 1e-9);
        assert!(scale.at(0.0) > 100.0 && scale.at(10.0) < 200.0);
        let alike = Scale::over([3.0; 4].into_iter(), 0.0, 1.0);
        assert!((alike.at(3.0) - 0.5).abs() < 1e-9);
        assert!(Scale::over(std::iter::empty(), 0.0, 1.0).at(0.5).is_finite());
    }
}
