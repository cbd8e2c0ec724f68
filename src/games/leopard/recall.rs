//! What a seat saw when it made an earlier move.

use super::{End, Move, Plays, Rules, Square, State, View};
use crate::cards::Card;
use crate::chance::Stream;
use crate::game::Seat;

/// All that is public of a hand as it is played through: everything but the faces of the cards.
struct Public {
    squares: [Square; 2],
    held: [u8; 2],
    stock_len: u8,
    seat: usize,
    played: bool,
}

impl Public {
    fn dealt(rules: &Rules) -> Public {
        let held = [rules.hand_size; 2];
        let stock_len = 104 - 2 * rules.hand_size;
        let mut public =
            Public { squares: [Square::EMPTY; 2], held, stock_len, seat: 0, played: false };
        public.begin_turn(rules);
        public
    }

    /// The seat whose turn begins draws; returns which it was and how many cards.
    fn begin_turn(&mut self, rules: &Rules) -> (usize, u8) {
        let (seat, drawn) = (self.seat, rules.draw.min(self.stock_len));
        self.played = false;
        self.stock_len -= drawn;
        self.held[seat] += drawn;
        let value = self.squares[seat].value(rules) as u8;
        if self.held[seat] == 0 && value < rules.knock_at {
            self.seat ^= 1;
        }
        (seat, drawn)
    }

    /// Makes a move; returns who drew after it, and how many cards.
    fn play(&mut self, rules: &Rules, mv: Move) -> (usize, u8) {
        let seat = self.seat;
        self.held[seat] = self.held[seat].saturating_sub(u8::from(mv.uses_card()));
        if mv.is_play() {
            let square = &mut self.squares[seat ^ usize::from(mv.is_on_other())];
            match mv.card() >> 3 == 5 {
                true => square.cover(mv.cell()),
                false => square.lay(mv.cell(), mv.suit()),
            }
            self.played = true;
            if rules.plays == Plays::Many {
                return (seat, 0);
            }
        }
        self.seat ^= 1;
        self.begin_turn(rules)
    }
}

impl State {
    /// What the seat that made the move `past[at]` saw when it made it, were this the truth after
    /// all of `past`, which begins with the deal. `None` when it does not.
    ///
    /// Cards used since go back to the hands. Which of the cards of the seat it has drawn since is
    /// not known: they are drawn by lot from those it held, all alike.
    pub(super) fn recall(
        &self,
        rules: &Rules,
        past: &[(Seat, Move)],
        at: usize,
        chance: &mut Stream,
    ) -> Option<View> {
        let &(seat, _) = past.get(at)?;
        let (own, other) = (seat.index() & 1, seat.index() & 1 ^ 1);
        let mut public = Public::dealt(rules);
        for &(_, mv) in &past[..at] {
            public.play(rules, mv);
        }
        let Public { squares, held, stock_len, played, .. } = public;
        let draws: Vec<(usize, u8)> =
            past[at..].iter().map(|&(_, mv)| public.play(rules, mv)).collect();
        let is_whole = public.held == self.held
            && public.stock_len == self.stock_len
            && public.squares == self.squares;
        if !is_whole {
            return None;
        }
        let mut hand = self.hands[own];
        let mut unseen = self.stock.plus(self.hands[other]);
        for (&(mover, mv), &(drawer, drawn)) in past[at..].iter().zip(&draws).rev() {
            let drawn = if drawer == own { drawn } else { 0 };
            for _ in 0..drawn {
                let len = hand.len();
                let card = hand.draw(len, chance);
                unseen.add(card);
            }
            if mv.uses_card() {
                let card = Card::from_low_bits(mv.card());
                if mover.index() & 1 == own { hand.add(card) } else { unseen.add(card) }
            }
        }
        let values = squares.map(|square| square.value(rules) as u8);
        let (to_move, end) = (seat, End::Open);
        Some(View { seat, hand, squares, values, unseen, stock_len, held, to_move, played, end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seed;
    use crate::game::{Game, Ruled, Turn};
    use crate::games::leopard::Leopard;

    #[test]
    fn what_is_recalled_was_seen() {
        for preset in Leopard::presets() {
            let game = Leopard::new(&preset.rules).unwrap();
            for hand in 0..60 {
                let mut chance = Seed::new(hand).stream();
                let mut state = game.deal(&mut chance);
                let (mut past, mut seen) = (Vec::new(), Vec::new());
                while let Turn::Of(seat) = game.turn(&state) {
                    for (at, view) in seen.iter().enumerate().rev().take(5) {
                        let view: &View = view;
                        let recalled = game.recall(&state, &past, at, &mut chance).unwrap();
                        // All but which cards were drawn since: those are a guess.
                        let public = |v: &View| (v.squares, v.values, v.held, v.stock_len);
                        assert_eq!(public(&recalled), public(view));
                        assert_eq!(recalled.played, view.played);
                        assert_eq!(recalled.hand.len(), u32::from(view.held[view.seat.index()]));
                        assert_eq!(
                            recalled.hand.plus(recalled.unseen),
                            view.hand.plus(view.unseen)
                        );
                        let mut options = Vec::new();
                        game.options(&recalled, &mut options);
                        assert!(options.contains(&past[at].1), "the move that was made is legal");
                    }
                    // The latest move of the other was made before any card was drawn since.
                    if let Some((at, (last, _))) = past.iter().enumerate().next_back()
                        && *last != seat
                    {
                        let recalled = game.recall(&state, &past, at, &mut chance);
                        assert_eq!(recalled.as_ref(), seen.last());
                    }
                    seen.push(game.view(&state, seat));
                    let mv = game.sample(&state, &mut chance);
                    game.play(&mut state, mv, &mut chance);
                    past.push((seat, mv));
                }
            }
        }
    }
}
