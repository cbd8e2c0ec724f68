//! The truth of one hand, and its stock: hands are dealt from it, cards drawn, and a deck is added
//! when it runs out.

use std::sync::Arc;

use super::{End, Memory, Pool, Public, Rule, Rules};
use crate::cards::{Card, CardMultiset, CardSet};
use crate::chance::Stream;
use crate::game::{MAX_SEATS, Seat};

/// The whole truth of one hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// What everyone sees.
    pub public: Public,
    pub(super) hands: [CardMultiset; MAX_SEATS],
    /// The undrawn part of each pool.
    pub(super) undrawn: Vec<CardMultiset>,
    /// The secret rule.
    pub rule: Rule,
    /// What the rule remembers of the mainline.
    pub(super) memory: Memory,
    pub(super) judge: Judge,
}

/// Who judges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Judge {
    /// The rule.
    Rule,
    /// A person, the only one who knows the rule; and what that person is asked.
    Person(Option<Question>),
}

/// What a dealer is asked who keeps the rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Question {
    /// Whether the string, or the claim, on the table is right, with what the prophet said.
    Table(Option<(Seat, bool)>),
    /// Whether the card that the prophet picked is.
    Pick(Card),
    /// Whether the stated rule of this number is the secret one.
    Guess(u32),
}

impl State {
    /// The cards of a seat.
    pub fn hand(&self, seat: Seat) -> &CardMultiset {
        &self.hands[seat.index()]
    }

    /// The cards that are right now; any may be, where a person keeps the rule.
    pub fn right(&self) -> CardSet {
        match self.judge {
            Judge::Rule => self.rule.right(&self.memory),
            Judge::Person(_) => Card::all().collect(),
        }
    }

    pub(super) fn accept(&mut self, card: Card) {
        self.memory = self.rule.step(&self.memory, card);
        Arc::make_mut(&mut self.public.mainline).push(card);
    }

    /// Whether what is to be judged is right: the string, or the claim that no shown card is.
    pub fn on_the_table_is_right(&self) -> bool {
        match self.public.shown {
            Some(hand) => (self.right() & hand.distinct()).is_empty(),
            None => self.rule.accepts(&self.memory, &self.public.string).is_some(),
        }
    }

    /// How many cards of the string on the table would be wrong, those before each being put on the
    /// mainline where they are right.
    pub(super) fn wrong_cards(&self) -> usize {
        let mut memory = self.memory;
        let is_wrong = |card: &&Card| match self.rule.right(&memory).has(**card) {
            true => {
                memory = self.rule.step(&memory, **card);
                false
            }
            false => true,
        };
        self.public.string.iter().filter(is_wrong).count()
    }
}

/// Where drawn cards come from.
pub(super) trait Deck {
    /// Takes one card out of a set that is not empty, for a seat; none for the starter.
    fn draw(&mut self, seat: Option<Seat>, from: &mut CardMultiset) -> Option<Card>;
}

impl Deck for Stream {
    fn draw(&mut self, _: Option<Seat>, from: &mut CardMultiset) -> Option<Card> {
        from.draw(self)
    }
}

impl State {
    /// A new hand under a secret rule: hands and starter dealt, the first player's turn.
    pub(super) fn dealt(rules: &Rules, rule: Rule, deck: &mut impl Deck) -> State {
        let two_decks = CardMultiset::decks(2);
        let pool = Pool { cards: two_decks, stock: 104, held: [0; MAX_SEATS] };
        let public = Public { player: Seat(1), pools: vec![pool], ..Public::default() };
        let mut state = State {
            public,
            hands: [CardMultiset::EMPTY; MAX_SEATS],
            undrawn: vec![two_decks],
            rule,
            memory: Memory::default(),
            judge: Judge::Rule,
        };
        for seat in 1..rules.seats {
            for _ in 0..rules.hand_size {
                state.draw_one(Seat(seat), deck);
            }
        }
        if let Some(starter) = deck.draw(None, &mut state.undrawn[0]) {
            let pool = &mut state.public.pools[0];
            pool.stock -= 1;
            pool.cards.remove(starter);
            state.accept(starter);
        }
        state.public.expelling = state.public.expels(rules);
        state
    }

    fn draw_one(&mut self, seat: Seat, deck: &mut impl Deck) -> bool {
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

    fn add_deck(&mut self, rules: &Rules) -> bool {
        if self.public.decks_added >= rules.decks_added_max {
            return false;
        }
        self.public.decks_added += 1;
        let cards = CardMultiset::decks(1);
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
