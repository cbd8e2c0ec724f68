//! The truth of one hand, and how it goes on.

use std::sync::Arc;

use super::deck::Deck;
use super::public::{End, Pool, Public, Stage};
use super::rule::{Memory, Rule};
use super::{Counts, Eleusis, Move, Rules};
use crate::cards::{Card, CardSet};
use crate::game::{MAX_SEATS, Ruled, Seat};

/// The whole truth of one hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) public: Public,
    pub(super) hands: [Counts; MAX_SEATS],
    /// The undrawn part of each pool.
    pub(super) undrawn: Vec<Counts>,
    pub(super) rule: Rule,
    /// What the rule remembers of the mainline.
    pub(super) memory: Memory,
}

impl State {
    /// A new hand under a secret rule: hands and starter dealt, the first player's turn.
    pub(super) fn dealt(rules: &Rules, rule: Rule, deck: &mut impl Deck) -> State {
        let two_decks = Counts::decks(2);
        let pool = Pool { cards: two_decks, stock: 104, held: [0; MAX_SEATS] };
        let public = Public {
            player: Seat(1),
            stage: Stage::Play,
            string: Vec::new(),
            shown: None,
            said: None,
            expelling: false,
            pools: vec![pool],
            known: [Counts::EMPTY; MAX_SEATS],
            held: [0; MAX_SEATS],
            decks_added: 0,
            mainline: Arc::new(Vec::new()),
            history: Arc::new(Vec::new()),
            played: 0,
            prophet: None,
            prophets: 0,
            expelled: 0,
            marker: 0,
            after_marker: [0, 0],
            end: End::Open,
        };
        let mut state = State {
            public,
            hands: [Counts::EMPTY; MAX_SEATS],
            undrawn: vec![two_decks],
            rule,
            memory: Memory::default(),
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

    /// What everyone sees.
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// The secret rule.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// The cards of a seat.
    pub fn hand(&self, seat: Seat) -> &Counts {
        &self.hands[seat.index()]
    }

    /// The cards that are right now.
    pub fn right(&self) -> CardSet {
        self.rule.right(&self.memory)
    }

    pub(super) fn accept(&mut self, card: Card) {
        self.memory = self.rule.step(&self.memory, card);
        Arc::make_mut(&mut self.public.mainline).push(card);
    }

    pub(super) fn play(&mut self, game: &Eleusis, mv: Move, deck: &mut impl Deck) {
        let rules = game.rules();
        let player = self.public.player;
        match mv {
            Move::Lay(card) => {
                self.reveal(player, card);
                if self.hands[player.index()].remove(card) {
                    self.public.held[player.index()] -= 1;
                }
                self.public.string.push(card);
                if rules.longest_string() == 1 {
                    self.submit(game, deck);
                }
            }
            Move::Submit => self.submit(game, deck),
            Move::NoPlay => {
                let hand = self.hands[player.index()];
                for card in hand.minus(&self.public.known[player.index()]).cards() {
                    self.reveal(player, card);
                }
                self.public.known[player.index()] = hand;
                self.public.shown = Some(hand);
                self.submit(game, deck);
            }
            Move::Judge(said) => {
                let by = self.public.prophet.map(|prophet| (prophet, said));
                self.settle(game, by, deck);
            }
            Move::Force(card) => self.force(game, card, deck),
            Move::Pass => self.next_turn(rules),
            Move::Prophesy => {
                self.public.prophet = Some(player);
                self.public.prophets |= 1 << player.0;
                self.public.marker = self.public.played;
                self.public.after_marker = [0, 0];
                if let Some(event) = Arc::make_mut(&mut self.public.history).last_mut() {
                    event.becomes_prophet = true;
                }
                self.next_turn(rules);
            }
            Move::Guess(index) => self.guess(game, index, deck),
        }
    }

    pub(super) fn submit(&mut self, game: &Eleusis, deck: &mut impl Deck) {
        if self.public.prophet.is_some() {
            self.public.stage = Stage::Judge;
        } else {
            self.settle(game, None, deck);
        }
    }

    /// Whether every card of the string is right in turn.
    fn string_is_right(&self) -> bool {
        let mut memory = self.memory;
        self.public.string.iter().all(|&card| {
            let right = self.rule.right(&memory).has(card);
            memory = self.rule.step(&memory, card);
            right
        })
    }

    /// Whether what is to be judged is right: the string, or the claim that no shown card is.
    pub fn on_the_table_is_right(&self) -> bool {
        match self.public.shown {
            Some(hand) => self.right().0 & hand.distinct().0 == 0,
            None => self.string_is_right(),
        }
    }
}
