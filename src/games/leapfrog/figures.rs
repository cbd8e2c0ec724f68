//! What is counted during a hand of Leap Frog.

use super::{Leapfrog, Move, Phase, SEATS, State};
use crate::game::{Bins, Figure, Game, Leads, Measured, Ruled, STEPS, Seat, Share, Shares, Spread};

/// What is kept while a hand is played.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watch {
    turns: u32,
    leaps: u32,
    chains: u32,
    first_points: u32,
    lead_changes: u32,
    /// The last seat that alone had most points.
    leader: Option<usize>,
    /// By turn; each takes a piece, of at most 18 × 18.
    leads: Leads<512>,
}

/// The first seat's points less the best other's.
fn ahead(points: &[u16; SEATS]) -> i32 {
    i32::from(points[0]) - i32::from(points[1..].iter().copied().max().unwrap_or(0))
}

impl Watch {
    fn lead(&mut self, points: &[u16; SEATS]) {
        let top = points.iter().max().copied().unwrap_or(0);
        let mut leaders = (0..SEATS).filter(|&seat| points[seat] == top);
        if let (Some(seat), None) = (leaders.next(), leaders.next()) {
            self.lead_changes += u32::from(self.leader.is_some_and(|last| last != seat));
            self.leader = Some(seat);
        }
    }
}

impl Measured for Leapfrog {
    type Watch = Watch;

    const COUNTERS: &'static [&'static str] = &[
        "hands",
        "turns",
        "leaps",
        "chains",
        "first_points",
        "captured",
        "left",
        "points_left",
        "lead_changes",
        "score_0",
        "score_1",
        "score_2",
        "score_3",
    ];

    const LEAD: &'static str = "the first seat's points less the best other's";

    const MARK: &'static str = "the piece was captured";

    const SHARES: &'static [Shares] = &[Shares {
        title: "Where points go",
        whole: "points",
        meaning: "All points on the board at the beginning.",
        parts: &[
            Share { name: "first captures", add: &["first_points"], less: &[] },
            Share {
                name: "leaps",
                add: &["score_0", "score_1", "score_2", "score_3"],
                less: &["first_points"],
            },
            Share { name: "left on the board", add: &["points_left"], less: &[] },
        ],
    }];

    fn spread(&self) -> Spread {
        let rules = self.rules();
        let reach = rules.total_points() as i32;
        Spread {
            // Nearly all hands: the mean is a share for each seat.
            score: Bins::over(0, reach, 40),
            margin: Bins::around_zero(reach / 2, 41),
            turns: Bins::over(0, i32::from(rules.cells()), 40),
            lead: Some(Bins::around_zero(reach / 2, 31)),
            known: None,
            board: Some((rules.rows.into(), rules.cols.into())),
        }
    }

    fn leads(&self, watch: &Watch, end: &State) -> [i32; STEPS] {
        watch.leads.steps(watch.turns, ahead(&end.points))
    }

    fn mark(&self, end: &State, cells: &mut [i64]) {
        let columns = usize::from(self.rules().cols);
        for (row, line) in cells.chunks_exact_mut(columns).zip(end.board().pieces()) {
            for (column, cell) in row.iter_mut().enumerate() {
                *cell += i64::from(line >> column & 1 == 0);
            }
        }
    }

    const FIGURES: &'static [Figure] = &[
        figure(
            "turns",
            &["turns"],
            &[],
            "turns a hand",
            "Mean number of turns of a hand, all seats counted; a first capture is not a turn.",
        ),
        figure(
            "leaps_a_turn",
            &["leaps"],
            &["turns"],
            "leaps a turn",
            "Mean number of leaps of a turn.",
        ),
        figure(
            "chain_rate",
            &["chains"],
            &["turns"],
            "share of turns",
            "How often a turn has more than one leap.",
        ),
        figure(
            "first_points",
            &["first_points"],
            &[],
            "points",
            "Points of all first captures together.",
        ),
        figure(
            "captured",
            &["captured"],
            &[],
            "pieces",
            "Mean number of pieces captured by all seats.",
        ),
        figure(
            "left",
            &["left"],
            &[],
            "pieces",
            "Mean number of pieces that nobody could capture any more.",
        ),
        figure("points_left", &["points_left"], &[], "points", "What those pieces are worth."),
        figure(
            "lead_changes",
            &["lead_changes"],
            &[],
            "changes a hand",
            "How often another seat came to have the most points alone.",
        ),
        figure("score_first", &["score_0"], &[], "points", "Mean points of the first seat."),
        figure("score_second", &["score_1"], &[], "points", "Mean points of the second seat."),
        figure(
            "score_third",
            &["score_2"],
            &[],
            "points",
            "Mean points of the third seat, 0 where there is none.",
        ),
        figure(
            "score_fourth",
            &["score_3"],
            &[],
            "points",
            "Mean points of the fourth seat, 0 where there is none.",
        ),
    ];

    #[inline]
    fn watch(&self, watch: &mut Watch, before: &State, mv: Move) {
        match before.phase() {
            Phase::Remove => watch.first_points += u32::from(before.board().worth(mv.cell())),
            Phase::Leap => {
                watch.lead(&before.points);
                watch.leads.after(watch.turns, ahead(&before.points));
                watch.turns += 1;
            }
            // The second leap makes it a chain: the first has just been made.
            Phase::Continue if mv.is_leap() => {
                let captured: u32 = before.trail.captured.iter().map(|row| row.count_ones()).sum();
                watch.chains += u32::from(captured == 1);
            }
            Phase::Continue | Phase::Over => {}
        }
        watch.leaps += u32::from(mv.is_leap());
    }

    fn count(&self, watch: &Watch, end: &State, out: &mut [i64]) {
        let mut watch = *watch;
        watch.lead(&end.points);
        let counts = [
            1,
            i64::from(watch.turns),
            i64::from(watch.leaps),
            i64::from(watch.chains),
            i64::from(watch.first_points),
            end.taken.iter().map(|&taken| i64::from(taken)).sum(),
            i64::from(end.board().count()),
            i64::from(end.board().points()),
            i64::from(watch.lead_changes),
        ];
        let scores = end.points.iter().map(|&points| i64::from(points));
        for (sum, count) in out.iter_mut().zip(counts.into_iter().chain(scores)) {
            *sum += count;
        }
    }

    fn turns(&self, watch: &Watch) -> u32 {
        watch.turns
    }

    /// Pieces captured, by seat.
    fn values(&self, end: &State) -> Vec<i64> {
        (0..self.seats() as u8).map(|seat| i64::from(end.taken(Seat(seat)))).collect()
    }

    fn ending(&self, _: &State) -> &'static str {
        "no_capture"
    }
}

const fn figure(
    name: &'static str,
    above: &'static [&'static str],
    below: &'static [&'static str],
    unit: &'static str,
    meaning: &'static str,
) -> Figure {
    Figure { name, above, below, unit, meaning }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seed;
    use crate::game::{Ruled, Turn};

    #[test]
    fn counts_add_up() {
        for name in ["original", "murray-mini-8x8", "froglet"] {
            let game = Leapfrog::new(&Leapfrog::preset(name).unwrap()).unwrap();
            for hand in 0..20 {
                let mut chance = Seed::new(hand).stream();
                let (mut state, mut watch) = (game.deal(&mut chance), Watch::default());
                while game.turn(&state) != Turn::Over {
                    let mv = game.sample(&state, &mut chance);
                    game.watch(&mut watch, &state, mv);
                    game.play(&mut state, mv, &mut chance);
                }
                let mut out = [0; Leapfrog::COUNTERS.len()];
                game.count(&watch, &state, &mut out);
                let of = |name| out[Leapfrog::COUNTERS.iter().position(|c| *c == name).unwrap()];
                assert_eq!(of("captured") + of("left"), i64::from(game.rules().cells()));
                assert_eq!(of("captured") - of("leaps"), i64::from(game.rules().removers()));
                let points = (0..4).map(|s| of(["score_0", "score_1", "score_2", "score_3"][s]));
                let all = i64::from(game.rules().total_points());
                assert_eq!(points.sum::<i64>() + of("points_left"), all);
                assert!(of("chains") <= of("turns") && of("turns") <= of("leaps"));
            }
        }
    }
}
