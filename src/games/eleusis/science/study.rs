//! Many cases played side by side.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::table::{ScienceCase, ScienceTurn, case_row, mean_row, turn_rows};
use super::{Case, Means, Played, Scientist, means, play_case};
use crate::chance::Seed;

/// Cases with how they went.
#[derive(Debug)]
pub struct Study {
    played: Vec<(Case, Played)>,
    /// How long the cases took, one after another, the judging included.
    pub time: Duration,
}

impl Study {
    /// Plays each case with a scientist of its own, as many at once as there are threads. The
    /// scientists' own chance comes from the seed.
    pub fn of<'a>(
        cases: Vec<Case>,
        seed: u64,
        scientist: impl Fn(&Case) -> Box<dyn Scientist + 'a> + Sync,
    ) -> Study {
        let play = |case: Case| {
            let seed = Seed::new(seed).named("scientist").named(&case.name).child(case.deal);
            let mut scientist = scientist(&case);
            let start = Instant::now();
            let played = play_case(&case, scientist.as_mut(), &mut seed.stream());
            ((case, played), start.elapsed())
        };
        let all: Vec<_> = cases.into_par_iter().map(play).collect();
        let time = all.iter().map(|(_, time)| *time).sum();
        Study { played: all.into_iter().map(|(played, _)| played).collect(), time }
    }

    /// How many cases there are.
    pub fn cases(&self) -> usize {
        self.played.len()
    }

    /// The means over the cases.
    pub fn means(&self) -> Means {
        means(self.played.iter().map(|(_, played)| played))
    }

    /// The mean time of a turn, in milliseconds.
    pub fn milliseconds_per_turn(&self) -> f64 {
        let turns: usize = self.played.iter().map(|(_, played)| played.turns.len()).sum();
        1000.0 * self.time.as_secs_f64() / turns.max(1) as f64
    }

    /// The rows of `science.csv`.
    pub fn turn_rows(&self) -> impl Iterator<Item = ScienceTurn> + '_ {
        self.played.iter().flat_map(|(case, played)| turn_rows(case, played))
    }

    /// The rows of `science_summary.csv`: the cases, then their means.
    pub fn case_rows(&self) -> impl Iterator<Item = ScienceCase> + '_ {
        let cases = self.played.iter().map(|(case, played)| case_row(case, played));
        cases.chain([mean_row(&self.means(), self.milliseconds_per_turn())])
    }
}
