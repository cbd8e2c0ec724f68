//! What is counted during a hand of Leopard.

use super::{End, Leopard, Move, State};
use crate::game::{Figure, Game, Measured, Ruled, Seat};

/// What is kept while a hand is played.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watch {
    turns: u32,
    plays: u32,
    plays_on_other: u32,
    discards: u32,
    lead_changes: u32,
    /// The sign of the last lead that was not level.
    leader: i8,
    /// The seat whose turn was last counted; a turn of several moves counts once.
    last: Option<u8>,
}

impl Watch {
    /// A card was laid, and the squares now have these values.
    #[inline(always)]
    pub(super) fn laid(&mut self, on_other: bool, values: [u8; 2]) {
        self.plays += 1;
        self.plays_on_other += u32::from(on_other);
        self.lead(values);
    }

    /// What is kept of a hand that is over, given its turns and the cards that were used; what was
    /// laid has been watched.
    pub(super) fn whole(self, turns: u32, used: u8) -> Watch {
        Watch { turns, discards: u32::from(used) - self.plays, ..self }
    }

    /// The values of the squares are these.
    #[inline]
    fn lead(&mut self, values: [u8; 2]) {
        let sign = (values[0] > values[1]) as i8 - (values[0] < values[1]) as i8;
        if sign != 0 {
            self.lead_changes += u32::from(sign == -self.leader);
            self.leader = sign;
        }
    }
}

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
        watch.lead(before.values);
        if !before.played || watch.last != Some(before.seat) {
            watch.turns += 1;
        }
        watch.last = Some(before.seat);
        watch.plays += u32::from(mv.is_play());
        watch.plays_on_other += u32::from(mv.is_on_other());
        watch.discards += u32::from(mv.uses_card() && !mv.is_play());
    }

    fn count(&self, watch: &Watch, end: &State, out: &mut [i64]) {
        let mut watch = *watch;
        watch.lead(end.values);
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
            i64::from(watch.turns),
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
            i64::from(watch.lead_changes),
            i64::from(watch.plays),
            i64::from(watch.plays_on_other),
            i64::from(watch.discards),
        ];
        for (sum, count) in out.iter_mut().zip(counts) {
            *sum += count;
        }
    }

    fn turns(&self, watch: &Watch) -> u32 {
        watch.turns
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
