//! Every outcome of chance under rules with few cards.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::state::Deck;
use super::{Leopard, Move, State};
use parlour_base::cards::{Card, Pile};
use parlour_game::MAX_OUTCOMES;

/// A deck that draws each possible sequence of cards once, in one run after another.
#[derive(Default)]
struct EveryDraw {
    /// For each draw of a run: the place of its card among the distinct cards, and their number.
    path: Vec<(usize, usize)>,
    drawn: usize,
    /// The number of ways to draw these cards, by copies.
    weight: u64,
}

impl EveryDraw {
    /// Moves on to the next sequence; `false` after the last one.
    fn next(&mut self) -> bool {
        while let Some((place, count)) = self.path.pop() {
            if place + 1 < count {
                self.path.push((place + 1, count));
                return true;
            }
        }
        false
    }
}

impl Deck for EveryDraw {
    fn draw(&mut self, stock: &mut Pile, _: u8) -> Card {
        if self.drawn == self.path.len() {
            self.path.push((0, stock.distinct().len() as usize));
        }
        let card = stock.distinct().nth(self.path[self.drawn].0).unwrap_or(Card::from_index(0));
        self.weight *= u64::from(stock.count(card));
        stock.remove(card);
        self.drawn += 1;
        card
    }
}

/// The outcomes of the deal or of a move, in the order of their first sequence of cards.
pub(super) fn outcomes(
    game: &Leopard,
    before: Option<(&State, Move)>,
) -> Option<Vec<(State, u64)>> {
    let mut outcomes: IndexMap<State, u64, FxBuildHasher> = IndexMap::default();
    let mut deck = EveryDraw::default();
    for _ in 0..MAX_OUTCOMES {
        (deck.drawn, deck.weight) = (0, 1);
        let mut state = before.map_or_else(|| State::dealt(&game.rules, &mut deck), |it| *it.0);
        match before {
            Some((_, mv)) => state.play(&game.rules, mv, &mut deck),
            None => state.begin_turn(&game.rules, &mut deck),
        }
        *outcomes.entry(state).or_default() += deck.weight;
        if !deck.next() {
            return Some(outcomes.into_iter().collect());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::chance::Seed;
    use parlour_game::{Game, Ruled, Turn};

    fn game(name: &str) -> Leopard {
        Leopard::new(&Leopard::preset(name).unwrap()).unwrap()
    }

    /// The states below a state: decisions and ends.
    fn count(game: &Leopard, state: &State) -> [u64; 2] {
        let mut counts = [1, 0];
        let mut legal = Vec::new();
        game.legal_moves(state, &mut legal);
        for mv in legal {
            for (after, _) in game.chance_outcomes(Some((state, mv))).unwrap() {
                let below = match game.turn(&after) {
                    Turn::Over => [0, 1],
                    Turn::Seat(_) => count(game, &after),
                };
                counts = [counts[0] + below[0], counts[1] + below[1]];
            }
        }
        counts
    }

    #[test]
    fn every_hand_of_the_toy_is_listed() {
        let game = game("toy");
        let deals = game.chance_outcomes(None).unwrap();
        assert_eq!(deals.len(), 30);
        assert_eq!(deals.iter().map(|(_, weight)| weight).sum::<u64>(), 5 * 4 * 3);
        let each = deals.iter().map(|(state, _)| count(&game, state));
        let sum = each.fold([0, 0], |sum, counts| [sum[0] + counts[0], sum[1] + counts[1]]);
        assert_eq!(sum, [35_222, 71_232]);
    }

    #[test]
    fn outcomes_come_as_often_as_their_weights_say() {
        let cards = ["AS", "AS", "2S", "KC", "KC", "QH"].map(|card| card.parse().unwrap());
        let deck = crate::DeckCards::Cards(cards.into_iter().collect());
        let rules = crate::Rules { deck, draw: 2, hand_size: 1, ..crate::Rules::REVISED };
        let game = Leopard::new(&rules).unwrap();
        let mut chance = Seed::new(1).stream();
        let (state, mut legal) = (game.deal(&mut chance), Vec::new());
        game.legal_moves(&state, &mut legal);
        for before in [None, Some((&state, legal[0]))] {
            let outcomes = game.chance_outcomes(before).unwrap();
            let total: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
            let mut counts = vec![0; outcomes.len()];
            for _ in 0..40_000 {
                let after = match before {
                    None => game.deal(&mut chance),
                    Some((state, mv)) => {
                        let mut after = *state;
                        game.apply(&mut after, mv, &mut chance);
                        after
                    }
                };
                counts[outcomes.iter().position(|(state, _)| *state == after).unwrap()] += 1;
            }
            for (count, (_, weight)) in counts.iter().zip(&outcomes) {
                let expected = 40_000.0 * *weight as f64 / total as f64;
                assert!((f64::from(*count) - expected).abs() < 5.0 * expected.sqrt(), "{counts:?}");
            }
        }
    }

    #[test]
    fn an_exchanged_deal_swaps_the_hands_and_shifts_the_draws() {
        for name in ["revised", "running-original"] {
            let game = game(name);
            let start = Seed::new(1).stream();
            let (mut plain, mut exchanged) = (start.clone(), start.exchanged());
            let dealt = State::dealt(&game.rules, &mut plain.clone());
            let [first, second] = dealt.hands;
            assert_eq!(State::dealt(&game.rules, &mut exchanged.clone()).hands, [second, first]);
            game.deal(&mut plain);
            let state = game.deal(&mut exchanged);
            assert_eq!(state.hands[1], first);
            // The first seat drew with the numbers that the second seat would use next.
            (0..game.rules.draw).for_each(|_| plain.skip());
            assert_eq!(plain.exchanged(), exchanged);
        }
    }

    #[test]
    fn full_packs_are_not_listed() {
        assert!(game("revised").chance_outcomes(None).is_none());
        let mut chance = Seed::new(1).stream();
        let (game, mut legal) = (game("revised"), Vec::new());
        let state = game.deal(&mut chance);
        game.legal_moves(&state, &mut legal);
        let draws = game.chance_outcomes(Some((&state, legal[0]))).unwrap();
        assert_eq!(draws.iter().map(|(_, weight)| weight).sum::<u64>(), 104 - 17);
    }
}
