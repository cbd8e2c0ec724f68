//! Leopard as a [`Game`].

use super::{End, Leopard, Move, State, View, chance, playout};
use parlour_base::cards::Pile;
use parlour_base::chance::Stream;
use parlour_base::error;
use parlour_game::{Game, Scores, SearchAid, Seat, Turn};

impl Game for Leopard {
    type State = State;
    type View = View;
    type Move = Move;

    const EXCHANGES_CARDS: bool = true;

    fn seats(&self) -> usize {
        2
    }

    fn deal(&self, chance: &mut Stream) -> State {
        let mut state = State::dealt(&self.rules, chance);
        state.begin_turn(&self.rules, chance);
        state
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.end {
            End::Open => Turn::Seat(state.seat),
            _ => Turn::Over,
        }
    }

    fn legal_moves(&self, state: &State, out: &mut Vec<Move>) {
        self.legal_moves_in_view(&View::of(state, state.seat), out);
    }

    #[inline]
    fn apply(&self, state: &mut State, mv: Move, chance: &mut Stream) {
        state.play(&self.rules, mv, chance);
    }

    #[inline]
    fn scores(&self, state: &State) -> Scores {
        Scores::two(state.score(&self.rules, Seat(0)), state.score(&self.rules, Seat(1)))
    }

    #[inline]
    fn view(&self, state: &State, seat: Seat) -> View {
        View::of(state, seat)
    }

    #[inline]
    fn check_view(&self, view: &View) -> error::Result<()> {
        view.faults(&self.rules).into_result()
    }

    fn chance_outcomes(&self, before: Option<(&State, Move)>) -> Option<Vec<(State, u64)>> {
        chance::outcomes(self, before)
    }

    /// Draws the other hand from the unseen cards.
    fn determinize(&self, view: &View, chance: &mut Stream) -> State {
        let (own, other) = (view.seat.side(), view.seat.other().side());
        let (mut stock, mut theirs) = (view.unseen, Pile::EMPTY);
        let hidden = view.stock_len + view.held[other];
        for left in (view.stock_len..hidden).rev() {
            theirs.add(stock.draw(u32::from(left) + 1, chance));
        }
        let mut hands = [theirs; 2];
        hands[own] = view.hand;
        let &View { squares, values, held, stock_len, to_move: seat, played, end, .. } = view;
        State { hands, stock, squares, values, held, stock_len, seat, played, end }
    }

    fn legal_moves_in_view(&self, view: &View, out: &mut Vec<Move>) {
        out.clear();
        if view.is_to_move() {
            view.for_each_legal(&self.rules, |mv| out.push(mv));
        }
    }

    #[inline]
    fn sample(&self, state: &State, chance: &mut Stream) -> Move {
        View::of(state, state.seat).sample(&self.rules, chance)
    }

    #[inline]
    fn sample_view(&self, view: &View, chance: &mut Stream) -> Move {
        view.sample(&self.rules, chance)
    }

    fn playout(&self, state: &mut State, chance: &mut Stream) -> u32 {
        playout::run(&self.rules, state, chance)
    }

    fn search_aid(&self) -> Option<&dyn SearchAid<Leopard>> {
        Some(self)
    }

    /// Every move but the end of a turn or a knock uses a card. A turn ends after a play (at most
    /// once for each card) or without cards, and then the other seat uses one.
    fn max_moves(&self) -> usize {
        3 * self.rules.deck.pile().len() as usize + 1
    }

    /// From no points less the penalty, to all eight lines of one suit with the bonus.
    fn score_range(&self) -> (i32, i32) {
        let line = self.rules.suit_line.max(self.rules.color_line);
        let value = 8 * i32::from(line);
        let bonus = (value - i32::from(self.rules.bonus_over)).max(0);
        (-i32::from(self.rules.knock_penalty), value + bonus)
    }

    fn hands_per_match(&self) -> u32 {
        u32::from(self.rules.hands_per_match)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::cards::Card;
    use parlour_game::{Ruled, kit};

    fn all() -> impl Iterator<Item = (&'static str, Leopard)> {
        Leopard::presets().into_iter().map(|p| (p.name, Leopard::new(&p.rules).unwrap()))
    }

    #[test]
    fn every_variant_passes_the_kit() {
        for (_, game) in all() {
            kit::check(&game, 100);
            kit::check_figures(&game, 100);
        }
    }

    /// Rules that say otherwise what jacks and queens cover.
    fn odd() -> impl Iterator<Item = Leopard> {
        use crate::{Covers, Rules, SquaresOn::*};
        let running = Leopard::preset("running-revised").unwrap();
        let bases = [Rules::REVISED, running];
        let rules = bases.into_iter().flat_map(|base| {
            [(Both, Both), (Own, Other), (Other, Own)].map(|(jacks_on, queens_on)| Rules {
                face_down_covers: Covers::Card,
                jacks_on,
                queens_on,
                ..base.clone()
            })
        });
        rules.map(|rules| Leopard::new(&rules).unwrap())
    }

    #[test]
    fn other_rules_of_jacks_and_queens_pass_the_kit() {
        for game in odd() {
            kit::check(&game, 40);
            kit::check_figures(&game, 20);
            kit::check_records(&game, "mine", 20);
        }
    }

    /// Rules with other decks: the toy, one pack, and few cards with empty stocks.
    fn decks() -> impl Iterator<Item = Leopard> {
        use crate::{DeckCards, Plays, Rules};
        let few = DeckCards::Cards((0..52).step_by(5).map(Card::from_index).collect());
        let toy = Leopard::preset("toy").unwrap();
        let running = Rules { plays: Plays::Many, draw: 3, ..toy.clone() };
        let one = Rules { deck: DeckCards::OnePack, ..Rules::REVISED };
        let all = Rules { deck: DeckCards::OnePack, hand_size: 26, ..Rules::ORIGINAL };
        let few = Rules { deck: few, hand_size: 5, knock_at: 1, ..Rules::REVISED };
        [toy, running, one, all, few].into_iter().map(|rules| Leopard::new(&rules).unwrap())
    }

    #[test]
    fn other_decks_pass_the_kit() {
        for game in decks() {
            kit::check(&game, 60);
            kit::check_figures(&game, 20);
            kit::check_records(&game, "mine", 20);
            kit::check_encoded(&game, 20);
            kit::check_refusals(&game, 2, &Move::all());
        }
    }

    #[test]
    fn illegal_moves_are_refused() {
        for game in all().map(|(_, game)| game).chain(odd()) {
            kit::check_refusals(&game, 2, &Move::all());
        }
    }
}
