//! What is measured of a hand of Leap Frog: its figures, and what is kept and counted for them.

use super::board::count;
use super::{Leapfrog, Move, Phase, SEATS, State};
use crate::chance::Stream;
use crate::game::{
    Choices, Decisions, ForcedByRules, Game, LEAD_STEPS, LeadHistory, LeadSummary, LuckEvaluator,
    Measured, Reading, Ruled, StandardBins,
};
use crate::stats::Bins;
use crate::{counts, figures};

type Figure = crate::game::Figure<Leapfrog>;

counts! {
    /// What a finished hand counts.
    pub struct HandCounts {
        turns,
        leaps,
        /// Turns of more than one leap.
        chains,
        /// Points of the first captures.
        first_points,
        /// Pieces captured.
        captured,
        /// Pieces left on the board.
        left,
        /// What they are worth.
        points_left,
        lead_changes,
        /// Hands that somebody won; what follows is of these ([`LeadSummary`]).
        won,
        comebacks,
        behind,
        drama,
        settled,
        score_0,
        score_1,
        score_2,
        score_3,
        /// What follows is known of hands whose decisions were looked at: how often a seat chose, among
        /// how many moves, and among one alone.
        decisions,
        moves,
        forced,
    }
}

impl HandCounts {
    /// The points of all seats.
    const fn scores(&self) -> i64 {
        self.score_0 + self.score_1 + self.score_2 + self.score_3
    }
}

impl Measured for Leapfrog {
    type HandStats = HandStats;
    type HandCounts = HandCounts;

    const FIGURES: &'static [Figure] = figures! {
        /// Mean number of turns of a hand, all seats counted; a first capture is not a turn.
        turns: "turns per hand" = turns;
        /// Mean number of leaps of a turn.
        leaps_a_turn: "leaps a turn" = leaps / turns;
        /// How often a turn has more than one leap.
        chain_rate: "share of turns" = chains / turns;
        /// Points of all first captures together.
        first_points: "points" = first_points;
        /// Mean number of pieces captured by all seats.
        captured: "pieces" = captured;
        /// Mean number of pieces that nobody could capture any more.
        left: "pieces" = left;
        /// What those pieces are worth.
        points_left: "points" = points_left;
        /// How often another seat came to have the most points alone.
        lead_changes: "changes per hand" = lead_changes;
        /// How often the winner of a hand of two was behind after half of it.
        comeback_rate: "share of wins" = comebacks / won;
        /// How far behind the winner was, where it was: the root of the points, over the eighths of a
        /// hand of two (drama; Browne 2008).
        drama: "roots of points"
            => Reading::Ratio { above: |c| c.drama, below: Some(|c| 1000 * c.behind) };
        /// After which share of a hand of two the winner is ahead to the end.
        decided_at: "share of the hand"
            => Reading::Ratio { above: |c| c.settled, below: Some(|c| LEAD_STEPS as i64 * c.won) };
        /// Mean points of the first seat.
        score_first: "points" = score_0;
        /// Mean points of the second seat.
        score_second: "points" = score_1;
        /// Mean points of the third seat, 0 where there is none.
        score_third: "points" = score_2;
        /// Mean points of the fourth seat, 0 where there is none.
        score_fourth: "points" = score_3;
        /// Mean number of moves that the rules allow where a seat chooses.
        choices: "moves" = moves / decisions, headline;
        /// How often the rules allow one move alone.
        forced_share: "share of choices" = forced / decisions;
        /// All points on the board at the beginning.
        where_points_go: "points" => Reading::Parts {
            whole: |c| c.scores() + c.points_left,
            parts: &[
                ("first captures", |c| c.first_points),
                ("leaps", |c| c.scores() - c.first_points),
                ("left on the board", |c| c.points_left),
            ],
        };
        /// The first seat's points less the best other's.
        lead_over_time: "points" => Reading::Curve {
            clock: "turns",
            bins: |game| Bins::around_zero(game.rules().total_points() as i32 / 2, 31),
            read: |hand| {
                hand.stats.leads.steps(hand.stats.counts.turns as u32, ahead(&hand.end.points))
            },
        };
        /// How often the piece on a cell was captured.
        captures_on_the_board: "share of hands" => Reading::Map {
            size: |game| (game.rules().rows.into(), game.rules().cols.into()),
            mark: |hand, cells| {
                for (cell, count) in hand.game.rules().each_cell().zip(cells) {
                    *count += i64::from(!hand.end.board.has(cell));
                }
            },
        };
    };
    fn forced_figures(&self) -> Vec<(&'static str, ForcedByRules)> {
        let (rules, mut fixed) = (self.rules(), Vec::new());
        fixed.extend((rules.seats < 3).then_some(("score_third", ForcedByRules::Absent)));
        fixed.extend((rules.seats < 4).then_some(("score_fourth", ForcedByRules::Absent)));
        // Plain pieces lie alike in every deal.
        fixed.extend(rules.colors().is_none().then_some(("luck_share", ForcedByRules::Never)));
        fixed
    }

    const DECISION_COUNTS: &'static [&'static str] = &["decisions", "moves", "forced"];

    fn count_decisions(
        &self,
        choices: &Choices<Leapfrog>,
        _: Option<&dyn LuckEvaluator<Leapfrog>>,
        _: &mut Stream,
    ) -> HandCounts {
        let Decisions { decisions, moves, forced } = Decisions::of(self, choices);
        HandCounts { decisions, moves, forced, ..HandCounts::default() }
    }

    fn track_move(&self, stats: &mut HandStats, before: &State, mv: Move) {
        let counts = &mut stats.counts;
        counts.leaps += i64::from(matches!(mv, Move::Leap(..)));
        match (before.phase(), mv) {
            (_, Move::Remove(cell)) => counts.first_points += i64::from(before.board().worth(cell)),
            (Phase::Leap, _) => {
                stats.leads.after(counts.turns as u32, ahead(&before.points));
                counts.turns += 1;
                stats.lead(&before.points);
            }
            // The second leap makes it a chain: the first has just been made.
            (_, Move::Leap(..)) => {
                counts.chains += i64::from(count(&before.chain.captured) == 1);
            }
            (_, Move::Stop) => {}
        }
    }

    fn counts(&self, stats: &HandStats, end: &State) -> HandCounts {
        let mut stats = *stats;
        stats.lead(&end.points);
        let [score_0, score_1, score_2, score_3] = end.points.map(i64::from);
        // The lead of one seat over all others tells who is behind only where there is one other.
        let margin = if self.seats() == 2 { ahead(&end.points) } else { 0 };
        let steps = stats.leads.steps(stats.counts.turns as u32, margin);
        let course = LeadSummary::of(steps, margin);
        HandCounts {
            captured: end.taken.iter().map(|&taken| i64::from(taken)).sum(),
            left: end.board().count().into(),
            points_left: end.board().points().into(),
            won: course.won,
            comebacks: course.comeback,
            behind: course.behind,
            drama: course.drama,
            settled: course.settled,
            score_0,
            score_1,
            score_2,
            score_3,
            ..stats.counts
        }
    }

    fn turns(&self, stats: &HandStats) -> u32 {
        stats.counts.turns as u32
    }

    /// Pieces captured, by seat.
    fn values(&self, end: &State) -> Vec<i64> {
        end.taken.iter().take(self.seats()).map(|&taken| i64::from(taken)).collect()
    }

    fn ending(&self, _: &State) -> &'static str {
        "no_capture"
    }

    fn standard_bins(&self) -> StandardBins {
        let rules = self.rules();
        let reach = rules.total_points() as i32;
        StandardBins {
            // Nearly all hands: the mean is a share for each seat.
            score: Bins::over(0, reach, 40),
            margin: Bins::around_zero(reach / 2, 41),
            turns: Bins::over(0, i32::from(rules.cells()), 40),
        }
    }
}

/// What is kept while a hand is played.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandStats {
    /// What can be counted move by move.
    counts: HandCounts,
    /// The last seat that alone had most points.
    leader: Option<usize>,
    /// By turn; each takes a piece, of at most 18 × 18.
    leads: LeadHistory<512>,
}

/// The first seat's points less the best other's.
fn ahead(points: &[u16; SEATS]) -> i32 {
    i32::from(points[0]) - i32::from(points[1..].iter().copied().max().unwrap_or(0))
}

impl HandStats {
    fn lead(&mut self, points: &[u16; SEATS]) {
        let top = points.iter().max().copied().unwrap_or(0);
        let mut leaders = (0..SEATS).filter(|&seat| points[seat] == top);
        if let (Some(seat), None) = (leaders.next(), leaders.next()) {
            self.counts.lead_changes += i64::from(self.leader.is_some_and(|last| last != seat));
            self.leader = Some(seat);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seed;
    use crate::game::Turn;

    #[test]
    fn counts_add_up() {
        for name in ["original", "murray-mini-8x8", "froglet"] {
            let game = Leapfrog::new(&Leapfrog::preset(name).unwrap()).unwrap();
            for hand in 0..20 {
                let mut chance = Seed::new(hand).stream();
                let (mut state, mut stats) = (game.deal(&mut chance), HandStats::default());
                while game.turn(&state) != Turn::Over {
                    let mv = game.sample(&state, &mut chance);
                    game.track_move(&mut stats, &state, mv);
                    game.apply(&mut state, mv, &mut chance);
                }
                let of = game.counts(&stats, &state);
                assert_eq!(of.captured + of.left, i64::from(game.rules().cells()));
                assert_eq!(of.captured - of.leaps, i64::from(game.rules().removers()));
                let all = i64::from(game.rules().total_points());
                assert_eq!(of.scores() + of.points_left, all);
                assert!(of.chains <= of.turns && of.turns <= of.leaps);
            }
        }
    }
}
