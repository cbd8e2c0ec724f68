//! Figures of a hand of Leap Frog, and the counts behind them.

use super::board::count;
use super::{FirstToLeap, Leapfrog, Move, Phase, SEATS, State};
use parlour_game::{
    ForcedByRules, Game, LEAD_STEPS, LeadHistory, LeadSummary, Measured, Reading, Ruled,
    StandardBins,
};
use parlour_game::{counts, figures};
use parlour_stats::Bins;

type Figure = parlour_game::Figure<Leapfrog>;

counts! {
    /// Counts of a finished hand.
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
        /// Worth of these pieces.
        points_left,
        lead_changes,
        /// Hands with a winner; the next four counts are of these ([`LeadSummary`]).
        won,
        comebacks,
        behind,
        drama,
        settled,
        score_0,
        score_1,
        score_2,
        score_3,
        /// Decisions, their legal moves, and decisions with one legal move, in hands with sampled
        /// decisions.
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
        /// Mean number of turns of all seats in a hand. A first capture is not a turn.
        turns: "turns per hand" = turns;
        /// Mean number of leaps in a turn.
        leaps_a_turn: "leaps a turn" = leaps / turns;
        /// Share of turns with more than one leap.
        chain_rate: "share of turns" = chains / turns;
        /// Points of all first captures together.
        first_points: "points" = first_points;
        /// Mean number of pieces captured by all seats.
        captured: "pieces" = captured;
        /// Mean number of pieces left at the end.
        left: "pieces" = left;
        /// Mean worth of the pieces left at the end.
        points_left: "points" = points_left;
        /// Mean number of times that another seat takes the sole lead.
        lead_changes: "changes per hand" = lead_changes;
        /// Share of wins with two seats in which the winner was behind at half time.
        comeback_rate: "share of wins" = comebacks / won;
        /// Mean square root of the winner's deficit, over the eighths of a hand with two seats at which
        /// the winner was behind (drama; Browne 2008).
        drama: "roots of points"
            => Reading::Ratio { above: |c| c.drama, below: Some(|c| 1000 * c.behind) };
        /// Share of a hand with two seats after which the winner stays ahead.
        decided_at: "share of the hand"
            => Reading::Ratio { above: |c| c.settled, below: Some(|c| LEAD_STEPS as i64 * c.won) };
        /// Mean points of the first seat.
        score_first: "points" = score_0;
        /// Mean points of the second seat.
        score_second: "points" = score_1;
        /// Mean points of the third seat; 0 if there is none.
        score_third: "points" = score_2;
        /// Mean points of the fourth seat; 0 if there is none.
        score_fourth: "points" = score_3;
        /// Mean number of legal moves at a decision.
        choices: "moves" = moves / decisions, headline;
        /// Share of decisions with a single legal move.
        forced_share: "share of choices" = forced / decisions;
        /// All points on the board at the start.
        where_points_go: "points" => Reading::Parts {
            whole: |c| c.scores() + c.points_left,
            parts: &[
                ("first captures", |c| c.first_points),
                ("leaps", |c| c.scores() - c.first_points),
                ("left on the board", |c| c.points_left),
            ],
        };
        /// The first seat's points minus the best other's.
        lead_over_time: "points" => Reading::Curve {
            clock: "turns",
            bins: |game| Bins::around_zero(game.rules().total_points() as i32 / 2, 31),
            read: |hand| {
                hand.stats.leads.steps(hand.stats.counts.turns as u32, ahead(&hand.end.points))
            },
        };
        /// Share of hands in which the piece on a cell was captured.
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
        // All deals of plain pieces are equal without a lot.
        let is_lucky = rules.colors().is_some() || rules.first_to_leap == FirstToLeap::Lot;
        fixed.extend((!is_lucky).then_some(("luck_share", ForcedByRules::Never)));
        fixed
    }

    fn track_move(&self, stats: &mut HandStats, before: &State, mv: Move) {
        let counts = &mut stats.counts;
        counts.leaps += i64::from(matches!(mv, Move::Leap(..)));
        match (before.phase, mv) {
            (_, Move::Remove(cell)) => counts.first_points += i64::from(before.board.worth(cell)),
            (Phase::Leap, _) => {
                stats.leads.after(counts.turns as u32, ahead(&before.points));
                counts.turns += 1;
                stats.lead(&before.points);
            }
            // The second leap makes a chain.
            (_, Move::Leap(..)) => {
                counts.chains += i64::from(count(&before.chain.captured) == 1);
            }
            (_, Move::Stop | Move::First(_)) => {}
        }
    }

    fn counts(&self, stats: &HandStats, end: &State) -> HandCounts {
        let mut stats = *stats;
        stats.lead(&end.points);
        let [score_0, score_1, score_2, score_3] = end.points.map(i64::from);
        // The lead over all others shows who is behind only with two seats.
        let margin = if self.seats() == 2 { ahead(&end.points) } else { 0 };
        let steps = stats.leads.steps(stats.counts.turns as u32, margin);
        let course = LeadSummary::of(steps, margin);
        HandCounts {
            captured: end.taken.iter().map(|&taken| i64::from(taken)).sum(),
            left: end.board.count().into(),
            points_left: end.board.points().into(),
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
            // The range covers nearly all hands.
            score: Bins::over(0, reach, 40),
            margin: Bins::around_zero(reach / 2, 41),
            turns: Bins::over(0, i32::from(rules.cells()), 40),
        }
    }
}

/// Statistics of a hand in progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandStats {
    /// Counts that grow move by move.
    counts: HandCounts,
    /// The last seat with the sole lead.
    leader: Option<usize>,
    /// The lead after each turn; at most 324 turns, because each captures a piece.
    leads: LeadHistory<512>,
}

/// The first seat's points minus the best other's.
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
    use parlour_base::chance::Seed;
    use parlour_game::Turn;

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
