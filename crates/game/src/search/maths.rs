//! A table of logarithms.

pub(super) use parlour_base::maths::{exp, ln};

/// The logarithms of the first 4096 whole numbers; 0 for 0.
pub(super) struct Logs(Vec<f32>);

const LOGS: u32 = 4096;

impl Logs {
    pub fn new() -> Logs {
        Logs((0..LOGS).map(|n| if n == 0 { 0.0 } else { ln(f64::from(n)) as f32 }).collect())
    }

    #[inline]
    pub fn of(&self, n: u32) -> f32 {
        match self.0.get(n as usize) {
            Some(&log) => log,
            None => ln(f64::from(n)) as f32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_not_at_hand_are_made() {
        assert_eq!(Logs::new().of(0), 0.0);
        assert_eq!(Logs::new().of(9), ln(9.0) as f32);
        assert_eq!(Logs::new().of(LOGS), ln(f64::from(LOGS)) as f32);
    }
}
