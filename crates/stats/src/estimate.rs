//! A number with its confidence interval.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use parlour_base::maths::exact::{log10, pow};

/// A number with its 95 % confidence interval.
///
/// ```
/// use parlour_stats::Estimate;
///
/// let score = Estimate::symmetric(0.53, 0.02);
/// assert_eq!(score.interval, Some((0.51, 0.55)));
/// assert!(score.half_width().unwrap() < 0.03);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Estimate {
    /// The point estimate; always finite.
    pub value: f64,
    /// The lower and upper end of the 95 % interval. `None` if the data give no interval (one deal,
    /// or deals that all agree), or if the interval lies outside the possible values. Both ends
    /// equal the value if it is exact, whatever the deals.
    pub interval: Option<(f64, f64)>,
}

impl Estimate {
    /// Creates an estimate without an interval.
    pub const fn bare(value: f64) -> Estimate {
        Estimate { value, interval: None }
    }

    /// Creates an exact number, such as a strategy's score against itself.
    pub const fn exact(value: f64) -> Estimate {
        Estimate { value, interval: Some((value, value)) }
    }

    /// Creates an estimate with a symmetric interval.
    pub fn symmetric(value: f64, half_width: f64) -> Estimate {
        let half_width = half_width.abs();
        Estimate { value, interval: Some((value - half_width, value + half_width)) }
    }

    /// Returns half the length of the interval, which need not be symmetric.
    pub fn half_width(&self) -> Option<f64> {
        self.interval.map(|(low, high)| (high - low) / 2.0)
    }

    /// The number and both ends, each changed; a change that turns their order turns the ends.
    fn map(&self, change: impl Fn(f64) -> f64) -> Estimate {
        let ends = |(low, high)| {
            let (a, b): (f64, f64) = (change(low), change(high));
            (a.min(b), a.max(b))
        };
        Estimate { value: change(self.value), interval: self.interval.map(ends) }
    }

    /// Converts to another unit; a negative factor swaps the ends.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Estimate {
        self.map(|x| x * factor)
    }

    /// Adds an offset.
    #[must_use]
    pub fn shifted(&self, by: f64) -> Estimate {
        self.map(|x| x + by)
    }

    /// Clamps to `low..=high`. An interval that lies completely outside is removed.
    #[must_use]
    pub fn clamped(&self, low: f64, high: f64) -> Estimate {
        let cut = self.map(|x| x.max(low).min(high));
        let beyond = |(a, b): &(f64, f64)| *b < low || *a > high;
        Estimate {
            interval: cut.interval.filter(|_| !self.interval.as_ref().is_some_and(beyond)),
            ..cut
        }
    }

    /// Returns `true` if the interval excludes this number; without an interval, `false`.
    pub fn excludes(&self, number: f64) -> bool {
        self.interval.is_some_and(|(low, high)| number < low || number > high)
    }

    /// Returns the number of decimals to show: the half width keeps one significant digit, or two
    /// if the first is a 1. Without an interval there are three decimals, or as many as make three
    /// digits with the integer part; an exact whole number has none.
    pub fn decimals(&self) -> usize {
        // Below this the half width is rounding error.
        let Some(half) = self.half_width().filter(|half| *half > 1e-9) else {
            return match self.value.abs() {
                whole if self.interval.is_some() && whole.fract() == 0.0 => 0,
                99.95.. => 0,
                9.995.. => 1,
                _ => 3,
            };
        };
        let order = log10(half).floor();
        let first = half / pow(10.0, order);
        // 0.95 of the next order rounds up to it.
        let digits = if first < 1.95 { 1.0 } else { 0.0 };
        (digits - order).clamp(0.0, 9.0) as usize
    }
}

/// Writes `0.512 ± 0.002`, or `0.998 [0.991, 1.000]` if the interval is lopsided, `0.500 (exact)`,
/// or `0.512 (no interval)`. A precision (`{:.4}`) overrides [`Estimate::decimals`].
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or_else(|| self.decimals());
        let text = match self.interval {
            None => format!("{} (no interval)", number(self.value, digits)),
            Some((low, high)) if high <= low => format!("{} (exact)", number(self.value, digits)),
            Some((low, high)) => {
                let half = (high - low) / 2.0;
                let skew = ((low + high) / 2.0 - self.value).abs();
                if skew <= 0.1 * half {
                    format!("{} ± {half:.digits$}", number(self.value, digits))
                } else {
                    let [value, low, high] = [self.value, low, high].map(|x| number(x, digits));
                    format!("{value} [{low}, {high}]")
                }
            }
        };
        // With a precision, padding would truncate the text to that many letters.
        if f.precision().is_some() { f.write_str(&text) } else { f.pad(&text) }
    }
}

/// Formats a number with this many decimals, without a minus sign before a zero.
pub fn number(x: f64, digits: usize) -> String {
    let text = format!("{x:.digits$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.bytes().all(|b| b == b'0' || b == b'.') => zero.to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_half_width_decides_the_digits() {
        let show = |value, half| Estimate::symmetric(value, half).to_string();
        assert_eq!(show(0.51234, 0.0021), "0.512 ± 0.002");
        assert_eq!(show(0.51234, 0.0014), "0.5123 ± 0.0014");
        assert_eq!(show(1234.5, 23.0), "1234 ± 23");
        assert_eq!(show(0.5, 0.0), "0.500 (exact)");
        assert_eq!(show(-0.04, 3.0), "0 ± 3");
        assert_eq!(Estimate::bare(2.0 / 3.0).to_string(), "0.667 (no interval)");
        assert_eq!(Estimate::bare(-667.188).to_string(), "-667 (no interval)");
        assert_eq!(Estimate::bare(14.04).to_string(), "14.0 (no interval)");
        let lopsided = Estimate { value: 0.998, interval: Some((0.991, 0.9999)) };
        assert_eq!(lopsided.to_string(), "0.998 [0.991, 1.000]");
        assert_eq!(format!("{:>14}|", Estimate::symmetric(0.5, 0.2)), "     0.5 ± 0.2|");
        assert_eq!(format!("{:.2}", Estimate::symmetric(0.5, 0.1)), "0.50 ± 0.10");
    }

    #[test]
    fn scaling_keeps_the_ends_in_order() {
        let turned = Estimate { value: 1.0, interval: Some((0.0, 3.0)) }.scaled(-2.0);
        assert_eq!(turned, Estimate { value: -2.0, interval: Some((-6.0, 0.0)) });
        assert_eq!(turned.half_width(), Some(3.0));
        assert!(turned.excludes(0.1) && !turned.excludes(-6.0));
        assert_eq!(turned.clamped(-4.0, -1.0).interval, Some((-4.0, -1.0)));
        assert!(!Estimate::bare(1.0).excludes(2.0));
    }
}
