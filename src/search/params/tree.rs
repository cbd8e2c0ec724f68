//! The fields that every kind of file with a tree has.

use super::Widening;
use super::faults::{above_zero, share};
use crate::game::Game;
use crate::search::{Opening, Rule, TreeOptions, node_bytes};

/// What a file of such a kind says in them.
pub(super) struct Tree {
    pub exploration: f64,
    pub rule: Rule,
    pub first_play: Option<f64>,
    pub widening: Option<Widening>,
    pub suggested_first: bool,
    pub others_follow: bool,
    pub join_equal: bool,
    pub depth: Option<u32>,
    pub memory_mb: u32,
}

impl Tree {
    pub fn options<G: Game>(&self) -> TreeOptions {
        let opening = match (self.first_play, self.widening) {
            (_, Some(Widening { base, power })) => Opening::Widening { base, power },
            (Some(urgency), None) => Opening::Urgency(urgency as f32),
            (None, None) => Opening::All,
        };
        TreeOptions {
            rule: self.rule,
            exploration: self.exploration,
            opening,
            suggested_first: self.suggested_first,
            others_follow: self.others_follow,
            join_equal: self.join_equal,
            depth: self.depth.unwrap_or(u32::MAX),
            node_cap: (self.memory_mb as usize) * 1_000_000 / node_bytes::<G>(),
        }
    }

    pub fn faults(&self, faults: &mut Vec<String>) {
        let exploration = self.exploration;
        if !(0.0..=100.0).contains(&exploration) {
            faults
                .push(format!("`exploration` is {exploration}; it must be a number from 0 to 100"));
        } else if self.rule == Rule::Exp3 && !(1e-6..=1.0).contains(&exploration) {
            faults.push(format!(
                "`exploration` is {exploration}; with `exp3` it must be above 0 and at most 1"
            ));
        }
        if let Some(urgency) = self.first_play.filter(|u| !(-1000.0..=1000.0).contains(u)) {
            faults.push(format!("`first_play` is {urgency}; it must be from -1000 to 1000"));
        }
        if let Some(Widening { base, power }) = self.widening {
            above_zero("widening.base", base, faults);
            share("widening.power", power, faults);
            if self.first_play.is_some() {
                faults.push("`first_play` and `widening` are both set".to_owned());
            }
        }
        if let Some(depth) = self.depth.filter(|depth| !(1..=1000).contains(depth)) {
            faults.push(format!("`depth` is {depth}; it must be from 1 to 1000"));
        }
        if !(1..=4096).contains(&self.memory_mb) {
            let megabytes = self.memory_mb;
            faults.push(format!("`memory_mb` is {megabytes}; it must be from 1 to 4096"));
        }
    }
}
