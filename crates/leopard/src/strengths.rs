//! Strength of the cards that a deal gives each seat, a control variate for results.

use super::{Leopard, State};
use parlour_base::chance::Stream;
use parlour_game::Counters as _;
use parlour_game::counts;

counts! {
    /// Strength of the cards that a deal gives a seat, before any play.
    pub(super) struct Strengths {
        fives,
        corner_cards,
        tens,
        jacks,
        queens,
        kings,
        cards_of_a_suit,
    }
}

/// Number of turns whose draws are counted with the dealt cards. Draws depend on the deal alone,
/// since play uses nothing else from its stream.
const TURNS: u32 = 12;

impl Leopard {
    /// Adds to each of the [`Strengths`] the first seat's count less the second's. Both have the
    /// same number of cards, and exchanging them does not change the odds of a deal, so the mean
    /// over all deals is 0.
    pub(super) fn compare_cards(&self, start: &Stream, sums: &mut [i64]) {
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
                    // Edge cards are the baseline.
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
    use parlour_base::chance::Seed;
    use parlour_game::{Game, Ruled, Turn};

    #[test]
    fn counted_cards_match_play() {
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
                game.apply(&mut state, mv, &mut chance);
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
    fn mean_strengths_are_equal() {
        let game = Leopard::new(&Leopard::preset("revised").unwrap()).unwrap();
        let mut sums = [0; Strengths::NAMES.len()];
        for deal in 0..4000 {
            game.compare_cards(&Seed::new(deal).stream(), &mut sums);
        }
        // A count of one kind has a standard deviation of at most 3 a deal; that of the suits, of
        // about 20.
        for (sum, most) in sums.into_iter().zip([800, 800, 800, 800, 800, 800, 6000]) {
            assert!(sum.abs() < most, "{sums:?}");
        }
    }
}
