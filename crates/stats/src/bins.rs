//! Bins of a histogram of whole numbers.

/// Bins of equal width. Numbers beyond an end count in the bin at that end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bins {
    /// The smallest number of the first bin.
    pub low: i32,
    /// The width of a bin, at least 1.
    pub width: i32,
    /// The number of bins, at least 1.
    pub count: usize,
}

impl Bins {
    /// Creates at most `most` bins over `low..=high`.
    pub const fn over(low: i32, high: i32, most: i32) -> Bins {
        let numbers = if high < low { 1 } else { high - low + 1 };
        let width = (numbers + most - 1) / most;
        Bins { low, width, count: ((numbers + width - 1) / width) as usize }
    }

    /// Creates an odd number of bins, at most `most`, over `-reach..=reach`. The middle bin is
    /// centred on 0.
    pub const fn around_zero(reach: i32, most: i32) -> Bins {
        // The smallest odd width that needs few enough bins on each side.
        let mut width = 1;
        let half = (most - 1) / 2;
        while width / 2 + half * width < reach {
            width += 2;
        }
        let side = (reach - width / 2 + width - 1) / width;
        Bins { low: -(side * width) - width / 2, width, count: (2 * side + 1) as usize }
    }

    /// Returns the bin of a number.
    pub fn of(&self, number: i32) -> usize {
        // Most widths are 1, and a division is slow.
        let above = number.saturating_sub(self.low).max(0);
        let bin = if self.width == 1 { above } else { above / self.width };
        (bin as usize).min(self.count - 1)
    }

    /// Returns the middle of a bin.
    pub fn middle(&self, bin: usize) -> f64 {
        f64::from(self.low) + f64::from(self.width) * bin as f64 + f64::from(self.width - 1) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_hold_every_number() {
        let bins = Bins::over(-1, 24, 13);
        assert_eq!(bins, Bins { low: -1, width: 2, count: 13 });
        assert_eq!([-9, -1, 0, 1, 24, 99].map(|x| bins.of(x)), [0, 0, 0, 1, 12, 12]);
        assert_eq!(bins.middle(0), -0.5);
        assert_eq!(Bins::over(3, 3, 9), Bins { low: 3, width: 1, count: 1 });
    }

    #[test]
    fn bins_around_zero_are_symmetric() {
        for (reach, most) in [(5, 31), (15, 31), (16, 31), (100, 31), (0, 5)] {
            let bins = Bins::around_zero(reach, most);
            assert!(bins.count <= most as usize && bins.count % 2 == 1, "{bins:?}");
            assert_eq!(bins.of(0), bins.count / 2, "{bins:?}");
            assert_eq!(bins.middle(bins.count / 2), 0.0, "{bins:?}");
            assert_eq!(bins.of(reach), bins.count - 1, "{bins:?}");
            assert_eq!(bins.of(-reach), 0, "{bins:?}");
            let top = bins.low + bins.width * bins.count as i32 - 1;
            assert!(top >= reach, "{bins:?}");
        }
    }
}
