//! What can be wrong with a file that could be read.

use super::{GuideFile, ModelFile, Search, StartFile};

/// No search is asked for more playouts a move, or more milliseconds.
pub(super) const MOST: u64 = 100_000_000;

impl<P> Search<P> {
    /// Everything that is wrong with it, a sentence each.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        self.common().faults(&mut faults);
        if let Some(tree) = self.tree() {
            tree.faults(&mut faults);
        }
        if let Search::Pimc(file) = self
            && !(1..=MOST).contains(&file.world_iterations)
        {
            let said = file.world_iterations;
            faults.push(format!("`world_iterations` is {said}; it must be from 1 to {MOST}"));
        }
        if let Some(model) = self.model() {
            model.faults(&mut faults);
        }
        if let Some(guide) = self.guide() {
            guide.faults(&mut faults);
        }
        if let Some(start) = self.rollout_start() {
            start.faults(&mut faults);
        }
        faults
    }
}

impl<P> ModelFile<P> {
    fn faults(&self, faults: &mut Vec<String>) {
        if !(1e-6..=1.0).contains(&self.doubt) {
            let doubt = self.doubt;
            faults.push(format!("`model.doubt` is {doubt}; it must be above 0 and at most 1"));
        }
        count("model.moves", self.moves, 100, faults);
        count("model.pool", self.pool, 100_000, faults);
    }
}

impl<P> GuideFile<P> {
    fn faults(&self, faults: &mut Vec<String>) {
        above_zero("guide.visits", self.visits, faults);
        above_zero("guide.reward", self.reward, faults);
        if let Some(keep) = self.keep {
            count("guide.keep", keep, 1000, faults);
        }
    }
}

impl<P> StartFile<P> {
    fn faults(&self, faults: &mut Vec<String>) {
        count("rollout_start.moves", self.moves, 1000, faults);
    }
}

pub(super) fn share(name: &str, number: f64, faults: &mut Vec<String>) {
    if !(0.0..=1.0).contains(&number) {
        faults.push(format!("`{name}` is {number}; it must be from 0 to 1"));
    }
}

pub(super) fn above_zero(name: &str, number: f64, faults: &mut Vec<String>) {
    if !(1e-6..=1e6).contains(&number) {
        faults.push(format!("`{name}` is {number}; it must be above 0 and at most a million"));
    }
}

pub(super) fn count(name: &str, number: u32, most: u32, faults: &mut Vec<String>) {
    if !(1..=most).contains(&number) {
        faults.push(format!("`{name}` is {number}; it must be from 1 to {most}"));
    }
}
