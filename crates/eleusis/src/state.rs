//! The whole state of a hand, including the stock: dealing, drawing and adding decks.

use std::sync::Arc;

use super::{End, Memory, Pool, Public, Rule, Rules};
use parlour_base::cards::{Card, CardMultiset, CardSet};
use parlour_base::chance::Stream;
use parlour_game::{MAX_SEATS, Seat};

/// The whole state of one hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The public part.
    pub public: Public,
    pub(super) hands: [CardMultiset; MAX_SEATS],
    /// The undrawn part of each pool.
    pub(super) undrawn: Vec<CardMultiset>,
    /// The secret rule.
    pub rule: Rule,
    /// The rule's memory of the mainline.
    pub(super) memory: Memory,
    pub(super) judge: Judge,
}

/// The judge of plays, claims and guesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Judge {
    /// The secret rule.
    Rule,
    /// A person who alone knows the rule, with the pending question.
    Person(Option<Question>),
}

/// A question to a dealer who judges in person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Question {
    /// The string or claim on the table, with the prophet's verdict.
    Table(Option<(Seat, bool)>),
    /// The card that the prophet picked.
    Pick(Card),
    /// The stated rule with this number.
    Guess(u32),
}

impl State {
    /// Returns the cards of a seat.
    pub fn hand(&self, seat: Seat) -> &CardMultiset {
        &self.hands[seat.index()]
    }

    /// Returns the cards that are right now; all cards if a person judges.
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

    /// Returns `true` if the string on the table is right, or the claim that no shown card is right.
    pub fn on_the_table_is_right(&self) -> bool {
        match self.public.shown {
            Some(hand) => (self.right() & hand.distinct()).is_empty(),
            None => self.rule.accepts(&self.memory, &self.public.string).is_some(),
        }
    }

    /// Counts the wrong cards of the string on the table. The right cards before each are taken as
    /// part of the mainline.
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

/// A source of drawn cards.
pub(super) trait Deck {
    /// Removes one card from a set that is not empty, for a seat or, with `None`, for the starter.
    fn draw(&mut self, seat: Option<Seat>, from: &mut CardMultiset) -> Option<Card>;
}

impl Deck for Stream {
    fn draw(&mut self, _: Option<Seat>, from: &mut CardMultiset) -> Option<Card> {
        from.draw(self)
    }
}

impl State {
    /// Deals hands and starter under a secret rule. The first player is to move.
    pub(super) fn new_hand(rules: &Rules, rule: Rule, deck: &mut impl Deck) -> State {
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

    /// Deals cards to a seat. Ends the hand if the stock cannot be refilled.
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

    /// Makes a card of a hand public and updates the pools.
    pub(super) fn reveal(&mut self, seat: Seat, card: Card) {
        let mut gone = Vec::new();
        self.public.reveal(seat, card, &mut gone);
        for index in gone {
            // All cards of an earlier pool have been drawn.
            self.undrawn.remove(index);
        }
    }
}
