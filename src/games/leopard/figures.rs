//! What is measured of a hand of Leopard: its figures, and what is kept and counted for them.

use super::{Act, End, Leopard, Move, State};
use crate::chance::Stream;
use crate::counts;
use crate::game::{Counts as _, Game, Kind, Leads, Measured, Seat, Spread};
use crate::stats::Bins;

type Figure = crate::game::Figure<Leopard>;

counts! {
    /// What a finished hand counts.
    pub struct Counts {
        /// 1.
        hands,
        turns,
        knocks,
        knocker_wins,
        knocker_losses,
        /// The value of the first seat's square.
        value_0,
        value_1,
        /// The first seat's points.
        score_0,
        score_1,
        /// Points of both squares by what they are for.
        suit_points,
        color_points,
        bonus_points,
        lead_changes,
        plays,
        plays_on_other,
        discards,
    }
}

impl Counts {
    /// All points of both squares, penalties aside.
    const fn points(&self) -> i64 {
        self.suit_points + self.color_points + self.bonus_points
    }
}

counts! {
    /// How strong the cards are that a deal gives a seat, before anyone has played one.
    struct Strengths {
        fives,
        corner_cards,
        tens,
        jacks,
        queens,
        kings,
        cards_of_a_suit,
    }
}

impl Measured for Leopard {
    type Watch = Watch;
    type Counts = Counts;

    const FIGURES: &'static [Figure] = &[
        Figure::mean(
            "turns",
            "turns a hand",
            "Mean number of turns of a hand, both seats counted.",
            |c| c.turns,
        )
        .headline(),
        Figure::mean("knock_rate", "share of hands", "How often a hand ends by a knock.", |c| {
            c.knocks
        })
        .headline(),
        Figure::ratio(
            "knocker_win_rate",
            "share of knocks",
            "How often the seat that knocked won the hand.",
            |c| c.knocker_wins,
            |c| c.knocks,
        )
        .headline(),
        Figure::ratio(
            "knocker_loss_rate",
            "share of knocks",
            "How often the seat that knocked lost the hand.",
            |c| c.knocker_losses,
            |c| c.knocks,
        ),
        Figure::mean(
            "value_first",
            "points",
            "Mean value of the first seat's square at the end.",
            |c| c.value_0,
        ),
        Figure::mean(
            "value_second",
            "points",
            "Mean value of the second seat's square at the end.",
            |c| c.value_1,
        ),
        Figure::mean("score_first", "points", "Mean points of the first seat.", |c| c.score_0),
        Figure::mean("score_second", "points", "Mean points of the second seat.", |c| c.score_1),
        Figure::ratio(
            "suit_line_share",
            "share of points",
            "Share of all points, penalties aside, that lines of one suit gave.",
            |c| c.suit_points,
            |c| c.points(),
        ),
        Figure::ratio(
            "color_line_share",
            "share of points",
            "Share of all points, penalties aside, that lines of one colour gave.",
            |c| c.color_points,
            |c| c.points(),
        ),
        Figure::ratio(
            "bonus_share",
            "share of points",
            "Share of all points, penalties aside, that the bonus gave.",
            |c| c.bonus_points,
            |c| c.points(),
        ),
        Figure::mean(
            "lead_changes",
            "changes a hand",
            "How often the seat with the more valuable square changed.",
            |c| c.lead_changes,
        ),
        Figure::mean("plays", "plays a hand", "Cards laid on either square.", |c| c.plays),
        Figure::ratio(
            "plays_on_other_share",
            "share of plays",
            "Share of the plays that were made on the other's square.",
            |c| c.plays_on_other,
            |c| c.plays,
        ),
        Figure::mean("discards", "discards a hand", "Cards discarded.", |c| c.discards),
        Figure::new(
            "how_hands_end",
            "hands",
            "A knock wins, loses or draws; otherwise the cards ran out.",
            Kind::Parts {
                whole: |c| c.hands,
                parts: &[
                    ("knock, won", |c| c.knocker_wins),
                    ("knock, lost", |c| c.knocker_losses),
                    ("knock, drawn", |c| c.knocks - c.knocker_wins - c.knocker_losses),
                    ("cards ran out", |c| c.hands - c.knocks),
                ],
            },
        ),
        Figure::new(
            "where_points_come_from",
            "points",
            "All points of both squares, penalties aside.",
            Kind::Parts {
                whole: Counts::points,
                parts: &[
                    ("lines of a suit", |c| c.suit_points),
                    ("lines of a colour", |c| c.color_points),
                    ("bonus", |c| c.bonus_points),
                ],
            },
        ),
        Figure::new(
            "lead_over_time",
            "points",
            "The value of the first seat's square less the second's.",
            Kind::Curve {
                clock: "cards laid",
                bins: |_| Bins::around_zero(12, 25),
                read: |hand| hand.watch.leads.steps(hand.watch.plays, ahead(hand.end.values)),
            },
        ),
        Figure::new(
            "strength_of_the_cards",
            "cards",
            "How many more strong cards the deal gives the first seat than the second.",
            Kind::Control { strengths: Strengths::NAMES, read: Leopard::compare_cards },
        ),
    ];

    #[inline]
    fn watch(&self, watch: &mut Watch, before: &State, mv: Move) {
        watch.leads.after(watch.plays, ahead(before.values));
        let begins = !before.played || watch.last != Some(before.seat);
        watch.last = Some(before.seat);
        watch.turns += u32::from(begins);
        watch.plays += u32::from(mv.laid().is_some());
        watch.plays_on_other += u32::from(matches!(mv.act(), Act::Other(..)));
        watch.discards += u32::from(matches!(mv.act(), Act::Discard(_)));
    }

    #[inline]
    fn counts(&self, watch: &Watch, end: &State) -> Counts {
        let [first, second] = [Seat(0), Seat(1)].map(|seat| end.score(&self.rules, seat));
        let (knocks, ahead_by) = match end.end {
            End::Knock(Seat(0)) => (true, first - second),
            End::Knock(_) => (true, second - first),
            _ => (false, 0),
        };
        let (mut suits, mut colors) = (0, 0);
        for square in end.squares {
            let (suit, color) = square.lines();
            suits += i64::from(suit) * i64::from(self.rules.suit_line);
            colors += i64::from(color) * i64::from(self.rules.color_line);
        }
        let bonus = |value| i64::from(self.rules.bonus(value, knocks));
        Counts {
            hands: 1,
            turns: watch.turns.into(),
            knocks: knocks.into(),
            knocker_wins: (ahead_by > 0).into(),
            knocker_losses: (ahead_by < 0).into(),
            value_0: end.values[0].into(),
            value_1: end.values[1].into(),
            score_0: first.into(),
            score_1: second.into(),
            suit_points: suits,
            color_points: colors,
            bonus_points: end.values.map(bonus).iter().sum(),
            lead_changes: watch.leads.changes(watch.plays, ahead(end.values)).into(),
            plays: watch.plays.into(),
            plays_on_other: watch.plays_on_other.into(),
            discards: watch.discards.into(),
        }
    }

    #[inline]
    fn turns(&self, watch: &Watch) -> u32 {
        watch.turns
    }

    /// Few hands score beyond these ends.
    fn spread(&self) -> Spread {
        let (low, high) = self.score_range();
        Spread {
            score: Bins::over(low, high.min(24), 26),
            margin: Bins::around_zero(high.min(21), 43),
            turns: Bins::over(1, 105, 35),
        }
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

/// What is kept while a hand is played.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watch {
    pub(super) turns: u32,
    pub(super) plays: u32,
    pub(super) plays_on_other: u32,
    pub(super) discards: u32,
    /// The seat whose turn was last counted; a turn of several moves counts once.
    pub(super) last: Option<Seat>,
    pub(super) leads: Trace,
}

/// The lead by cards laid: fewer than there are.
pub(super) type Trace = Leads<128>;

/// The first seat's lead.
#[inline(always)]
pub(super) fn ahead(values: [u8; 2]) -> i32 {
    i32::from(values[0]) - i32::from(values[1])
}

/// So many turns' draws are counted with the cards dealt. What is drawn depends on the deal alone,
/// for play takes nothing else from its chance.
const TURNS: u32 = 12;

impl Leopard {
    /// Adds to each of the [`Strengths`] the first seat's count less the second's. Both have as
    /// many cards and could change them without changing the odds of a deal, so the mean over all
    /// deals is 0.
    fn compare_cards(&self, start: &Stream, sums: &mut [i64]) {
        let mut chance = start.clone();
        let mut state = State::dealt(&self.rules, &mut chance);
        let draw = self.rules.draw;
        for _ in 0..TURNS {
            if u32::from(state.stock_len) < 2 * u32::from(draw) {
                break;
            }
            for seat in 0..2 {
                state.draw(seat, draw, &mut chance);
            }
        }
        let mut more = Strengths::default();
        for (hand, sign) in state.hands.into_iter().zip([1, -1]) {
            let mut suits = [0i64; 4];
            for card in hand.cards() {
                match card.rank() {
                    5 => more.fives += sign,
                    1 | 3 | 7 | 9 => more.corner_cards += sign,
                    10 => more.tens += sign,
                    11 => more.jacks += sign,
                    12 => more.queens += sign,
                    13 => more.kings += sign,
                    // On an edge: what the others are compared with.
                    _ => {}
                }
                suits[card.suit().index()] += i64::from(card.rank() < 10);
            }
            more.cards_of_a_suit += sign * suits.iter().map(|n| n * n).sum::<i64>();
        }
        more.add_to(sums);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seed;
    use crate::game::{Ruled, Turn};

    #[test]
    fn the_cards_counted_are_those_that_play_meets() {
        let mut compared = 0;
        for (name, deal) in
            ["revised", "running-original"].into_iter().flat_map(|n| (0..20).map(move |d| (n, d)))
        {
            let game = Leopard::new(&Leopard::preset(name).unwrap()).unwrap();
            let start = Seed::new(deal).stream();
            let (mut chance, mut choice) = (start.clone(), Seed::new(99).stream());
            let mut state = game.deal(&mut chance);
            let mut met = state.hands;
            let mut turns = [1, 0];
            while turns != [TURNS; 2] && game.turn(&state) != Turn::Over {
                let before = state.stock;
                let mv = game.sample(&state, &mut choice);
                game.play(&mut state, mv, &mut chance);
                let drawn = before.minus(state.stock);
                if !drawn.is_empty() {
                    let seat = state.seat.side();
                    met[seat] = met[seat].plus(drawn);
                    turns[seat] += 1;
                }
            }
            if turns == [TURNS; 2] {
                compared += 1;
                let mut counted = [0; Strengths::NAMES.len()];
                game.compare_cards(&start, &mut counted);
                for (kind, rank) in [(0, 5), (2, 10), (3, 11), (4, 12), (5, 13)] {
                    let of = |seat: usize| met[seat].cards().filter(|c| c.rank() == rank).count();
                    assert_eq!(counted[kind], of(0) as i64 - of(1) as i64, "{name}, deal {deal}");
                }
            }
        }
        assert!(compared > 10, "{compared}");
    }

    #[test]
    fn neither_seat_is_the_stronger_on_the_mean() {
        let game = Leopard::new(&Leopard::preset("revised").unwrap()).unwrap();
        let mut sums = [0; Strengths::NAMES.len()];
        for deal in 0..4000 {
            game.compare_cards(&Seed::new(deal).stream(), &mut sums);
        }
        // A count of one kind has a deviation of at most 3 a deal; that of the suits, of about 20.
        for (sum, most) in sums.into_iter().zip([800, 800, 800, 800, 800, 800, 6000]) {
            assert!(sum.abs() < most, "{sums:?}");
        }
    }
}
