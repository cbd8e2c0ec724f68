//! One test for each rule and each fixed point of the game.

mod express;
mod fixed;
mod play;
mod prophet;
mod shared;

use super::*;
use parlour_base::cards::{Card, CardSet};
use parlour_base::chance::{Seed, Stream};
use parlour_game::{Game, Ruled, Seat, Turn};

/// A hand with chosen cards.
struct Table {
    game: Eleusis,
    state: State,
    chance: Stream,
}

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

impl Table {
    fn new(rules: Rules, secret: &str) -> Table {
        let game = Eleusis::new(&rules).unwrap();
        let mut chance = Seed::new(5).stream();
        let state = game.deal_under(secret.parse().unwrap(), &mut chance);
        Table { game, state, chance }
    }

    /// Five seats; red cards are right.
    fn red() -> Table {
        Table::new(Rules::ELEUSIS, "red")
    }

    fn give(&mut self, seat: u8, hand: &str) {
        let seat = seat as usize;
        self.state.hands[seat] = cards(hand).into_iter().collect();
        self.state.public.held[seat] = self.state.hands[seat].len() as u16;
    }

    fn make(&mut self, mv: Move) {
        let played = self.game.try_apply(&mut self.state, mv, &mut self.chance);
        assert_eq!(played, Ok(()), "{mv:?} at {:?}", self.state.public.stage);
    }

    /// Lays the cards, submits them and passes after the turn.
    fn play(&mut self, string: &str) {
        for card in cards(string) {
            self.make(Move::Lay(card));
        }
        if self.game.rules().longest_string() > 1 {
            self.make(Move::Submit);
        }
    }

    /// Puts the only right card of the shown hand on the mainline.
    fn force(&mut self) {
        let moves = self.moves();
        assert!(matches!(moves[..], [Move::Force(_)]), "{moves:?}");
        self.make(moves[0]);
    }

    /// Leaves this number of cards in the stock.
    fn leave(&mut self, cards: usize) {
        while self.state.public.stock() > cards {
            let card = self.state.undrawn[0].draw(&mut self.chance).unwrap();
            let pool = &mut self.state.public.pools[0];
            pool.cards.remove(card);
            pool.stock -= 1;
        }
    }

    fn pass(&mut self) {
        if self.state.public.stage == Stage::After {
            self.make(Move::Pass);
        }
    }

    fn player(&self) -> u8 {
        self.state.public.player.0
    }

    fn card(&self, text: &str) -> Option<Card> {
        text.parse().ok()
    }

    fn held(&self, seat: u8) -> usize {
        self.state.hand(Seat(seat)).len()
    }

    fn last(&self) -> &Event {
        self.state.public.history.last().unwrap()
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.game.legal_moves(&self.state, &mut moves);
        moves
    }

    fn turn(&self) -> Turn {
        self.game.turn(&self.state)
    }

    fn scores(&self) -> Vec<i32> {
        self.game.scores(&self.state).0.to_vec()
    }
}
