//! The stock: cards are drawn from it, and a deck is added when it runs out.

use super::public::{End, Pool};
use super::{Counts, Rules, State};
use crate::cards::Card;
use crate::chance::Stream;
use crate::game::{MAX_SEATS, Seat};

/// Where drawn cards come from.
pub(super) trait Deck {
    /// Takes one card out of a set that is not empty, for a seat; none for the starter.
    fn draw(&mut self, seat: Option<Seat>, from: &mut Counts) -> Option<Card>;
}

impl Deck for Stream {
    fn draw(&mut self, _: Option<Seat>, from: &mut Counts) -> Option<Card> {
        from.draw(self)
    }
}

impl State {
    pub(super) fn draw_one(&mut self, seat: Seat, deck: &mut impl Deck) -> bool {
        let Some(index) = self.public.pools.iter().position(|pool| pool.stock > 0) else {
            return false;
        };
        let Some(card) = deck.draw(Some(seat), &mut self.undrawn[index]) else { return false };
        let pool = &mut self.public.pools[index];
        pool.stock -= 1;
        pool.held[seat.index()] += 1;
        self.public.held[seat.index()] += 1;
        self.hands[seat.index()].add(card);
        true
    }

    pub(super) fn add_deck(&mut self, rules: &Rules) -> bool {
        if self.public.decks_added >= rules.decks_added_max {
            return false;
        }
        self.public.decks_added += 1;
        let cards = Counts::decks(1);
        self.public.pools.push(Pool { cards, stock: 52, held: [0; MAX_SEATS] });
        self.undrawn.push(cards);
        true
    }

    /// Deals cards to a seat; ends the hand when the stock cannot be refilled.
    pub(super) fn deal(&mut self, rules: &Rules, seat: Seat, cards: usize, deck: &mut impl Deck) {
        if cards == 0 || self.public.end != End::Open {
            return;
        }
        if self.public.stock() <= rules.refill_at.into() && !self.add_deck(rules) {
            self.public.end = End::StockOut;
            return;
        }
        for _ in 0..cards {
            if (self.public.stock() == 0 && !self.add_deck(rules)) || !self.draw_one(seat, deck) {
                self.public.end = End::StockOut;
                return;
            }
        }
    }

    /// A card leaves a hand (or its account, when it is only shown) and is seen by all.
    pub(super) fn reveal(&mut self, seat: Seat, card: Card) {
        let mut gone = Vec::new();
        self.public.reveal(seat, card, &mut gone);
        for index in gone {
            // An earlier pool has been drawn to its end.
            self.undrawn.remove(index);
        }
    }
}
