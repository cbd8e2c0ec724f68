//! The fields that every kind of file has.

use super::StartFile;
use super::faults::{MOST, above_zero, share};
use crate::search::{Budget, Reward};

/// What a file of any kind says in them.
pub(super) struct Common<'a, P> {
    pub iterations: Option<u64>,
    pub milliseconds: Option<u64>,
    pub rollout: &'a P,
    pub rollout_start: Option<&'a StartFile<P>>,
    pub stray: f64,
    pub cut_off: Option<u32>,
    pub judge: Option<&'a P>,
    pub win: f64,
    pub scale: f64,
}

impl<P> Common<'_, P> {
    pub fn budget(&self) -> Budget {
        match (self.iterations, self.milliseconds) {
            (None, Some(time)) => Budget::Milliseconds(time),
            (all, _) => Budget::Iterations(all.unwrap_or(1)),
        }
    }

    pub fn reward(&self) -> Reward {
        Reward { win: self.win as f32, scale: self.scale as f32 }
    }

    pub fn faults(&self, faults: &mut Vec<String>) {
        for (name, number) in [("iterations", self.iterations), ("milliseconds", self.milliseconds)]
        {
            if let Some(number) = number.filter(|number| !(1..=MOST).contains(number)) {
                faults.push(format!("`{name}` is {number}; it must be from 1 to {MOST}"));
            }
        }
        match (self.iterations, self.milliseconds) {
            (None, None) => {
                faults.push("a budget is missing: `iterations` or `milliseconds`".to_owned());
            }
            (Some(_), Some(_)) => faults.push(
                "`iterations` and `milliseconds` are both set; one of them is the budget"
                    .to_owned(),
            ),
            _ => {}
        }
        if self.judge.is_some() && self.cut_off.is_none() {
            faults.push("`judge` is set without `cut_off`".to_owned());
        }
        share("stray", self.stray, faults);
        share("win", self.win, faults);
        above_zero("scale", self.scale, faults);
    }
}
