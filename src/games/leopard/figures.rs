//! The figures of a hand of Leopard.

use super::watch::{Watch, ahead};
use super::{End, Leopard, Move, State, strength};
use crate::chance::Stream;
use crate::game::{Bins, Figure, Game, Measured, Ruled, STEPS, Seat, Share, Shares, Spread};

impl Measured for Leopard {
    type Watch = Watch;

    const COUNTERS: &'static [&'static str] = &[
        "hands",
        "turns",
        "knocks",
        "knocker_wins",
        "knocker_losses",
        "value_0",
        "value_1",
        "score_0",
        "score_1",
        "suit_points",
        "color_points",
        "bonus_points",
        "lead_changes",
        "plays",
        "plays_on_other",
        "discards",
    ];

    const HEADLINES: &'static [&'static str] = &["turns", "knock_rate", "knocker_win_rate"];

    const CLOCK: &'static str = "cards laid";

    const LEAD: &'static str = "value of the first seat's square less the second's";

    const SHARES: &'static [Shares] = &[
        Shares {
            title: "How hands end",
            whole: "hands",
            meaning: "A knock wins, loses or draws; otherwise the cards ran out.",
            parts: &[
                Share { name: "knock, won", add: &["knocker_wins"], less: &[] },
                Share { name: "knock, lost", add: &["knocker_losses"], less: &[] },
                Share {
                    name: "knock, drawn",
                    add: &["knocks"],
                    less: &["knocker_wins", "knocker_losses"],
                },
                Share { name: "cards ran out", add: &["hands"], less: &["knocks"] },
            ],
        },
        Shares {
            title: "Where points come from",
            whole: "points",
            meaning: "All points of both squares, penalties aside.",
            parts: &[
                Share { name: "lines of a suit", add: &["suit_points"], less: &[] },
                Share { name: "lines of a colour", add: &["color_points"], less: &[] },
                Share { name: "bonus", add: &["bonus_points"], less: &[] },
            ],
        },
    ];

    /// Few hands score beyond these ends; the bins there hold the rest.
    fn spread(&self) -> Spread {
        let (low, high) = self.score_range();
        Spread {
            score: Bins::over(low, high.min(24), 26),
            margin: Bins::around_zero(high.min(21), 43),
            turns: Bins::over(1, 105, 35),
            lead: Some(Bins::around_zero(12, 25)),
            known: None,
            board: None,
        }
    }

    const STRENGTHS: &'static [&'static str] = strength::STRENGTHS;

    fn compare(&self, start: &Stream, out: &mut [i64]) {
        self.compare_cards(start, out);
    }

    #[inline]
    fn leads(&self, watch: &Watch, end: &State) -> [i32; STEPS] {
        watch.leads.steps(watch.counts.plays, ahead(end.values))
    }

    const FIGURES: &'static [Figure] = &[
        figure(
            "turns",
            &["turns"],
            &[],
            "turns a hand",
            "Mean number of turns of a hand, both seats counted.",
        ),
        figure(
            "knock_rate",
            &["knocks"],
            &[],
            "share of hands",
            "How often a hand ends by a knock.",
        ),
        figure(
            "knocker_win_rate",
            &["knocker_wins"],
            &["knocks"],
            "share of knocks",
            "How often the seat that knocked won the hand.",
        ),
        figure(
            "knocker_loss_rate",
            &["knocker_losses"],
            &["knocks"],
            "share of knocks",
            "How often the seat that knocked lost the hand.",
        ),
        figure(
            "value_first",
            &["value_0"],
            &[],
            "points",
            "Mean value of the first seat's square at the end.",
        ),
        figure(
            "value_second",
            &["value_1"],
            &[],
            "points",
            "Mean value of the second seat's square at the end.",
        ),
        figure("score_first", &["score_0"], &[], "points", "Mean points of the first seat."),
        figure("score_second", &["score_1"], &[], "points", "Mean points of the second seat."),
        figure(
            "suit_line_share",
            &["suit_points"],
            &["suit_points", "color_points", "bonus_points"],
            "share of points",
            "Share of all points, penalties aside, that lines of one suit gave.",
        ),
        figure(
            "color_line_share",
            &["color_points"],
            &["suit_points", "color_points", "bonus_points"],
            "share of points",
            "Share of all points, penalties aside, that lines of one colour gave.",
        ),
        figure(
            "bonus_share",
            &["bonus_points"],
            &["suit_points", "color_points", "bonus_points"],
            "share of points",
            "Share of all points, penalties aside, that the bonus gave.",
        ),
        figure(
            "lead_changes",
            &["lead_changes"],
            &[],
            "changes a hand",
            "How often the seat with the more valuable square changed.",
        ),
        figure("plays", &["plays"], &[], "plays a hand", "Cards laid on either square."),
        figure(
            "plays_on_other_share",
            &["plays_on_other"],
            &["plays"],
            "share of plays",
            "Share of the plays that were made on the other's square.",
        ),
        figure("discards", &["discards"], &[], "discards a hand", "Cards discarded."),
    ];

    #[inline]
    fn watch(&self, watch: &mut Watch, before: &State, mv: Move) {
        watch.moved(before, mv);
    }

    #[inline]
    fn count(&self, watch: &Watch, end: &State, out: &mut [i64]) {
        let lead_changes = watch.leads.changes(watch.counts.plays, ahead(end.values));
        let scores = self.scores(end);
        let knocker = match end.end {
            End::Knock(seat) => Some(seat),
            _ => None,
        };
        let winner = scores.winner();
        let won = knocker.is_some() && winner == knocker;
        let lost = knocker.is_some() && winner.is_some() && winner != knocker;
        let (mut suits, mut colors) = (0, 0);
        for square in end.squares {
            let (suit, color) = square.lines();
            suits += i64::from(suit) * i64::from(self.rules().suit_line);
            colors += i64::from(color) * i64::from(self.rules().color_line);
        }
        let bonus = |value| i64::from(self.rules().bonus(value, knocker.is_some()));
        let counts = [
            1,
            i64::from(watch.counts.turns),
            i64::from(knocker.is_some()),
            i64::from(won),
            i64::from(lost),
            i64::from(end.values[0]),
            i64::from(end.values[1]),
            i64::from(scores.0[0]),
            i64::from(scores.0[1]),
            suits,
            colors,
            end.values.map(bonus).iter().sum(),
            i64::from(lead_changes),
            i64::from(watch.counts.plays),
            i64::from(watch.counts.plays_on_other),
            i64::from(watch.counts.discards),
        ];
        for (sum, count) in out.iter_mut().zip(counts) {
            *sum += count;
        }
    }

    #[inline]
    fn turns(&self, watch: &Watch) -> u32 {
        watch.counts.turns
    }

    fn values(&self, end: &State) -> Vec<i64> {
        [Seat(0), Seat(1)].map(|seat| i64::from(end.value(seat))).to_vec()
    }

    fn ending(&self, end: &State) -> &'static str {
        match end.end {
            End::Knock(_) => "knock",
            _ => "exhausted",
        }
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
