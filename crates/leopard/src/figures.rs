//! The figures of Leopard, and the statistics of a hand that they need.

use super::gains::SquareGains;
use super::{End, Leopard, Move, State};
use crate::figures;
use parlour_base::cards::CardSet;
use parlour_base::chance::Stream;
use parlour_game::counts;
use parlour_game::{
    Choices, Decisions, FinishedHand, Game, LEAD_STEPS, LUCK_UNIT, LeadHistory, LeadSummary,
    Measured, Policy, Reading, Seat, StandardBins, for_each_decision,
};
use parlour_stats::Bins;

type Figure = parlour_game::Figure<Leopard>;

counts! {
    /// The counts of a finished hand.
    pub struct HandCounts {
        /// Always 1.
        hands,
        turns,
        knocks,
        knocker_wins,
        knocker_losses,
        /// The value of the first seat's square.
        value_0,
        value_1,
        /// The points of the first seat.
        score_0,
        score_1,
        /// Points of both squares by source.
        suit_points,
        color_points,
        bonus_points,
        lead_changes,
        /// Hands with a winner, and four counts of these hands ([`LeadSummary`]).
        won,
        comebacks,
        behind,
        drama,
        settled,
        plays,
        plays_on_other,
        discards,
        /// The counts below are of hands whose decisions were analysed: decisions, legal moves in
        /// them, and decisions with a single move.
        decisions,
        moves,
        forced,
        /// Decisions in which a seat could only discard a card or end the turn.
        dead,
        /// Evaluated decisions with at least three moves, and the lead of the best move over the
        /// third best, in parts of a win.
        weighed,
        weight,
        /// Evaluated knocks, and their lead over the best other move.
        knocks_weighed,
        knock_gain,
    }
}

impl HandCounts {
    /// Points of both squares, penalties excluded.
    const fn points(&self) -> i64 {
        self.suit_points + self.color_points + self.bonus_points
    }
}

impl Measured for Leopard {
    type HandStats = HandStats;
    type HandCounts = HandCounts;

    const FIGURES: &'static [Figure] = figures! {
        /// Mean number of turns of a hand, both seats counted.
        turns: "turns per hand" = turns, headline;
        /// Duration of a hand at a table where a turn takes 15 seconds.
        minutes: "minutes" => Reading::Ratio { above: |c| c.turns, below: Some(|c| 4 * c.hands) };
        /// Share of hands that end by a knock.
        knock_rate: "share of hands" = knocks, headline;
        /// Share of knocks with which the knocking seat won the hand.
        knocker_win_rate: "share of knocks" = knocker_wins / knocks, headline;
        /// Share of knocks with which the knocking seat lost the hand.
        knocker_loss_rate: "share of knocks" = knocker_losses / knocks;
        /// Mean value of the first seat's square at the end.
        value_first: "points" = value_0;
        /// Mean value of the second seat's square at the end.
        value_second: "points" = value_1;
        /// Mean points of the first seat.
        score_first: "points" = score_0;
        /// Mean points of the second seat.
        score_second: "points" = score_1;
        /// Share of all points, penalties excluded, that lines of one suit gave.
        suit_line_share: "share of points"
            => Reading::Ratio { above: |c| c.suit_points, below: Some(HandCounts::points) };
        /// Share of all points, penalties excluded, that lines of one colour gave.
        color_line_share: "share of points"
            => Reading::Ratio { above: |c| c.color_points, below: Some(HandCounts::points) };
        /// Share of all points, penalties excluded, that the bonus gave.
        bonus_share: "share of points"
            => Reading::Ratio { above: |c| c.bonus_points, below: Some(HandCounts::points) };
        /// Number of changes of the seat with the more valuable square.
        lead_changes: "changes per hand" = lead_changes;
        /// Share of wins, in hands of two, in which the winner was behind at half of the hand.
        comeback_rate: "share of wins" = comebacks / won;
        /// Drama (Browne 2008): how far the winner was behind, as the root of the points over the
        /// eighths of a hand of two.
        drama: "roots of points"
            => Reading::Ratio { above: |c| c.drama, below: Some(|c| 1000 * c.behind) };
        /// Share of a hand of two after which the winner is ahead to the end.
        decided_at: "share of the hand"
            => Reading::Ratio { above: |c| c.settled, below: Some(|c| LEAD_STEPS as i64 * c.won) };
        /// Cards laid on either square.
        plays: "plays per hand" = plays;
        /// Share of the plays that were made on the other's square.
        plays_on_other_share: "share of plays" = plays_on_other / plays;
        /// Cards discarded.
        discards: "discards per hand" = discards;
        /// Points that one more turn would have added to the knocker's square: the best play with
        /// one more card, on average over the cards left in the stock.
        knocker_wait_gain: "points" => Reading::Each(knocker_wait_gain);
        /// Mean number of legal moves in a decision.
        choices: "moves" = moves / decisions, headline;
        /// Share of decisions with a single legal move.
        forced_share: "share of choices" = forced / decisions;
        /// Share of decisions in which a seat could neither lay a card nor knock.
        dead_share: "share of choices" = dead / decisions;
        /// Lead of the best move over the third best, in wins, estimated by the judge of luck over
        /// sampled worlds.
        decision_weight: "wins"
            => Reading::Ratio { above: |c| c.weight, below: Some(|c| LUCK_UNIT * c.weighed) }, headline;
        /// Lead of a knock over the best way to go on, in wins, estimated by the judge of luck.
        knock_agency: "wins"
            => Reading::Ratio { above: |c| c.knock_gain, below: Some(|c| LUCK_UNIT * c.knocks_weighed) }, headline;
        /// Ways in which hands end: a knock wins, loses or draws; otherwise the cards ran out.
        how_hands_end: "hands" => Reading::Parts {
            whole: |c| c.hands,
            parts: &[
                ("knock, won", |c| c.knocker_wins),
                ("knock, lost", |c| c.knocker_losses),
                ("knock, drawn", |c| c.knocks - c.knocker_wins - c.knocker_losses),
                ("cards ran out", |c| c.hands - c.knocks),
            ],
        };
        /// Points of both squares, penalties excluded.
        where_points_come_from: "points" => Reading::Parts {
            whole: HandCounts::points,
            parts: &[
                ("lines of a suit", |c| c.suit_points),
                ("lines of a colour", |c| c.color_points),
                ("bonus", |c| c.bonus_points),
            ],
        };
        /// The value of the first seat's square less the second's.
        lead_over_time: "points" => Reading::Curve {
            clock: "cards laid",
            bins: |_| Bins::around_zero(12, 25),
            read: |hand| hand.stats.leads.steps(hand.stats.plays, lead(hand.end.values)),
        };
    };

    #[inline]
    fn track_move(&self, stats: &mut HandStats, before: &State, mv: Move) {
        stats.leads.after(stats.plays, lead(before.values));
        let begins = !before.played || stats.last != Some(before.seat);
        stats.last = Some(before.seat);
        stats.turns += u32::from(begins);
        stats.plays += u32::from(mv.laid().is_some());
        stats.plays_on_other += u32::from(matches!(mv, Move::Other(..)));
        stats.discards += u32::from(matches!(mv, Move::Discard(_)));
    }

    /// Without a judge nothing is evaluated.
    fn count_decisions(
        &self,
        choices: &Choices<Leopard>,
        judge: Option<&dyn Policy<Leopard>>,
        chance: &mut Stream,
    ) -> HandCounts {
        let (mut all, mut counts) = (Decisions::default(), HandCounts::default());
        let first = chance.below(EVERY);
        for_each_decision(self, choices, |decision| {
            all.count(decision);
            let is_idle = |mv: &Move| matches!(mv, Move::Discard(_) | Move::End);
            counts.dead += i64::from(decision.moves.iter().all(is_idle));
            let of_eight = decision.number as u32 % EVERY == first && decision.moves.len() > 2;
            let knocks = decision.chosen == Move::Knock && decision.moves.len() > 1;
            let Some(judge) = judge.filter(|_| of_eight || knocks) else { return };
            let mut values = decision.move_values(self, judge, WORLDS, chance);
            // A knock is the last of the legal moves.
            if let (true, [others @ .., knock]) = (knocks, &values[..]) {
                counts.knocks_weighed += 1;
                counts.knock_gain += knock - others.iter().max().unwrap_or(knock);
            }
            if of_eight {
                values.sort_unstable_by_key(|value| -value);
                counts.weighed += 1;
                counts.weight += values[0] - values[2];
            }
        });
        let Decisions { decisions, moves, forced } = all;
        HandCounts { decisions, moves, forced, ..counts }
    }

    #[inline]
    fn counts(&self, stats: &HandStats, end: &State) -> HandCounts {
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
        let steps = stats.leads.steps(stats.plays, lead(end.values));
        let course = LeadSummary::of(steps, first - second);
        HandCounts {
            hands: 1,
            turns: stats.turns.into(),
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
            lead_changes: stats.leads.changes(stats.plays, lead(end.values)).into(),
            won: course.won,
            comebacks: course.comeback,
            behind: course.behind,
            drama: course.drama,
            settled: course.settled,
            plays: stats.plays.into(),
            plays_on_other: stats.plays_on_other.into(),
            discards: stats.discards.into(),
            ..HandCounts::default()
        }
    }

    #[inline]
    fn turns(&self, stats: &HandStats) -> u32 {
        stats.turns
    }

    /// Few hands score outside these limits.
    fn standard_bins(&self) -> StandardBins {
        let (low, high) = self.score_range();
        StandardBins {
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

/// The statistics of a hand in progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandStats {
    pub(super) turns: u32,
    pub(super) plays: u32,
    pub(super) plays_on_other: u32,
    pub(super) discards: u32,
    /// The seat whose turn was last counted; a turn of several moves counts once.
    pub(super) last: Option<Seat>,
    pub(super) leads: LeadTrace,
}

/// The lead after each laid card; there are fewer than 128.
pub(super) type LeadTrace = LeadHistory<128>;

/// The first seat's lead.
#[inline(always)]
pub(super) fn lead(values: [u8; 2]) -> i32 {
    i32::from(values[0]) - i32::from(values[1])
}

/// In thousandths of a point, per knock. Uses the stock, which no player can see. With an empty
/// stock, the hand alone plays.
fn knocker_wait_gain(hand: &FinishedHand<'_, Leopard>) -> [i64; 2] {
    const UNIT: i64 = 1000;
    let End::Knock(knocker) = hand.end.end else { return [0, 0] };
    let gains = SquareGains::new(hand.end.square(knocker), &hand.game.rules);
    let best = |cards| i64::from(gains.best_gain(cards));
    let held = best(hand.end.hand(knocker).distinct());
    let stock = hand.end.stock();
    let drawn: i64 = stock
        .distinct()
        .map(|card| i64::from(stock.count(card)) * best(CardSet::EMPTY.with(card)).max(held))
        .sum();
    match i64::from(stock.len()) {
        0 => [UNIT * held, UNIT],
        cards => [(2 * UNIT * drawn + cards) / (2 * cards), UNIT],
    }
}

/// One decision in this number is evaluated, and every knock.
const EVERY: u32 = 8;

/// Number of sampled worlds of each decision.
const WORLDS: u32 = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Side;
    use parlour_base::cards::{Card, Pile};
    use parlour_base::chance::Seed;
    use parlour_game::{Ruled, Turn};

    #[test]
    fn wait_gain_is_the_mean_over_the_stock() {
        let game = Leopard::new(&Leopard::preset("revised").unwrap()).unwrap();
        let gain = |square: &str, held: &[&str], stock: &[&str]| {
            let pile = |cards: &[&str]| {
                cards.iter().fold(Pile::EMPTY, |mut pile, card| {
                    assert!(pile.add(card.parse().unwrap()));
                    pile
                })
            };
            let mut end = State::dealt(&game.rules, &mut Seed::new(1).stream());
            end.squares[1] = square.to_owned().try_into().unwrap();
            end.values[1] = end.squares[1].value(&game.rules) as u8;
            (end.hands[1], end.stock, end.end) = (pile(held), pile(stock), End::Knock(Seat(1)));
            knocker_wait_gain(&FinishedHand {
                game: &game,
                stats: &HandStats::default(),
                end: &end,
            })
        };
        // Half of the stock makes a line of spades, the other half nothing.
        assert_eq!(gain("SS./.../...", &[], &["3S", "3S", "9H", "4D"]), [1500, 1000]);
        // A club makes a line of one colour, and the hand does so whatever is drawn.
        assert_eq!(gain("SS./.../...", &["3C"], &["3S", "9H"]), [2000, 1000]);
        assert_eq!(gain("SS./.../...", &["3C"], &[]), [1000, 1000]);
        assert_eq!(gain("SS./.../...", &[], &[]), [0, 1000]);
        let end = game.deal(&mut Seed::new(1).stream());
        let open = FinishedHand { game: &game, stats: &HandStats::default(), end: &end };
        assert_eq!(knocker_wait_gain(&open), [0, 0], "nobody knocked");
    }

    #[test]
    fn best_gain_matches_all_legal_cells() {
        let mut total = 0;
        for (deal, preset) in (0..).zip(Leopard::presets()) {
            let game = Leopard::new(&preset.rules).unwrap();
            let mut chance = Seed::new(deal).stream();
            let mut state = game.deal(&mut chance);
            while let Turn::Seat(seat) = game.turn(&state) {
                let square = state.square(seat);
                let gains = SquareGains::new(square, &game.rules);
                for card in Card::all() {
                    let cells =
                        game.rules.cells(super::super::CardKind::of(card), square, Side::Own);
                    let slowly = cells.map(|cell| {
                        let mut after = square;
                        after.put(card, cell);
                        after.value(&game.rules) as i32 - square.value(&game.rules) as i32
                    });
                    let one = CardSet::EMPTY.with(card);
                    let best = gains.best_gain(one);
                    assert_eq!(best, slowly.fold(0, i32::max), "{card} on {square:?}");
                    total += best;
                }
                let mv = game.sample(&state, &mut chance);
                game.apply(&mut state, mv, &mut chance);
            }
        }
        assert!(total > 1000, "{total}");
    }
}

#[cfg(test)]
mod decision_tests {
    use super::*;
    use crate::{State, View};
    use parlour_base::chance::Seed;
    use parlour_game::{Game, LUCK_UNIT, Ruled, Seat};

    /// A judge for which all positions are equal.
    struct Even;

    impl Policy<Leopard> for Even {
        fn pick(&self, game: &Leopard, view: &View, chance: &mut Stream) -> Move {
            game.sample_view(view, chance)
        }

        fn win_share(&self, _: &Leopard, _: &State, _: Seat) -> Option<f32> {
            Some(0.5)
        }
    }

    /// The sums of one decision in which the first seat knocks with these squares.
    fn of_knock(squares: [&str; 2]) -> HandCounts {
        let game = Leopard::new(&Leopard::preset("revised").unwrap()).unwrap();
        let mut state = game.deal(&mut Seed::new(1).stream());
        for (at, square) in squares.into_iter().enumerate() {
            state.squares[at] = square.to_owned().try_into().unwrap();
            state.values[at] = state.squares[at].value(game.rules()) as u8;
        }
        let mut moves = Vec::new();
        game.legal_moves(&state, &mut moves);
        assert!(moves.contains(&Move::Knock));
        let mut chance = Seed::new(2).stream();
        game.count_decisions(&vec![(state, Move::Knock)], Some(&Even), &mut chance)
    }

    #[test]
    fn a_knock_gains_what_it_wins_less_the_value_of_going_on() {
        let own = "SSS/HHH/CCC";
        for (other, gain) in [("SSS/.../...", LUCK_UNIT / 2), ("SSS/SSS/SSS", -LUCK_UNIT / 2)] {
            let sums = of_knock([own, other]);
            assert_eq!((sums.knocks_weighed, sums.knock_gain, sums.dead), (1, gain, 0));
        }
    }

    #[test]
    fn the_best_move_is_compared_with_the_third_best() {
        // A won knock is best; all other moves are equal.
        let sums = of_knock(["SSS/HHH/CCC", "SSS/.../..."]);
        assert!(sums.weighed <= 1);
        assert_eq!(sums.weight, sums.weighed * LUCK_UNIT / 2);
    }

    #[test]
    fn without_a_judge_nothing_is_evaluated() {
        let game = Leopard::new(&Leopard::preset("revised").unwrap()).unwrap();
        let state = game.deal(&mut Seed::new(1).stream());
        let choices = vec![(state, Move::End)];
        let counts = game.count_decisions(&choices, None, &mut Seed::new(2).stream());
        let none = HandCounts { decisions: 1, moves: counts.moves, ..HandCounts::default() };
        assert_eq!(counts, none);
    }
}
