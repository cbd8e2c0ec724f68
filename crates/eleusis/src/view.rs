//! The view of one seat, determinizations of it, and its drawing as text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::state::Judge;
use super::{Act, CardMultiset, End, Event, Pool, Public, Rule, Rules, Stage, State};
use parlour_base::cards::{Card, CardSet, CardStyle};
use parlour_base::chance::Stream;
use parlour_base::error::{Fault, Faults};
use parlour_game::{MAX_SEATS, Seat};

/// The view of one seat: the public part, the own hand and, for the dealer, the secret rule.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "EleusisView")]
pub struct View {
    /// The seat.
    pub seat: Seat,
    /// The public part.
    pub public: Public,
    /// The seat's cards. A prophet keeps its cards, but does not play them.
    pub hand: CardMultiset,
    /// The secret rule, in the dealer's view only.
    pub rule: Option<Rule>,
}

impl View {
    /// Lists all contradictions of a view with the rules and with itself.
    pub(super) fn faults(&self, rules: &Rules) -> Faults {
        let mut faults = Faults::default();
        let public = &self.public;
        let last = rules.seats - 1;
        faults.range("seat", self.seat.0, 0..=last);
        faults.range("public.player", public.player.0, 1..=last);
        for (field, seat) in [
            ("public.prophet", public.prophet),
            ("public.guesser", public.guesser),
            ("public.said", public.said.map(|(seat, _)| seat)),
            ("public.prophets", public.prophets.last().copied()),
            ("public.expelled", public.expelled.last().copied()),
            ("public.history", public.history.iter().map(|event| event.seat).max()),
        ] {
            faults.range(field, seat.map_or(1, |seat| seat.0), 1..=last);
        }
        if !faults.is_empty() {
            return faults;
        }
        let mut expect = |field: &str, right: bool, what: &str| {
            faults.extend((!right).then(|| Fault::field(field, what)));
        };
        for seat in 0..MAX_SEATS {
            let hidden: usize = public.pools.iter().map(|pool| usize::from(pool.held[seat])).sum();
            let known = if seat > last.into() { 0 } else { public.known[seat].len() + hidden };
            let said = usize::from(public.held[seat]);
            let what = format!("seat {seat} holds {said} cards; `known` and `pools` have {known}");
            expect("public.held", said == known, &what);
        }
        let own = self.seat.index();
        let (has, said) = (self.hand.len(), usize::from(public.held[own]));
        expect("hand", has == said, &format!("it has {has} cards; `public.held` says {said}"));
        let outside = |pool: &Pool| {
            let others = pool.held.iter().enumerate().filter(|(seat, _)| *seat != own);
            usize::from(pool.stock) + others.map(|(_, held)| usize::from(*held)).sum::<usize>()
        };
        let pools = self.others_pools();
        let fits = public.pools.iter().zip(&pools).all(|(pool, left)| left.len() >= outside(pool));
        let what = "the cards of each must be as many as its `stock` and `held` say, with those of \
                    the own hand among them";
        expect("public.pools", fits, what);
        let right = self.rule.is_some() == (self.seat == Seat(0));
        expect("rule", right, "it must be present in the dealer's view and in no other");
        let started = !public.mainline.is_empty();
        expect("public.mainline", started, "it must begin with the starter");
        let missing = match public.stage {
            Stage::Judge if public.prophet.is_none() => "`judge`, but there is no prophet",
            Stage::Verdict => "`verdict`, but no person keeps the rule secret",
            Stage::Pick if public.prophet.is_none() => "`pick`, but there is no prophet",
            Stage::Pick | Stage::Force if public.shown.is_none() => {
                "a card is to be chosen, but no hand is shown"
            }
            _ => "",
        };
        expect("public.stage", missing.is_empty() || public.end != End::Open, missing);
        faults
    }

    /// Returns the cards that are right now for the dealer; all cards if a person judges.
    pub(super) fn right(&self) -> CardSet {
        match &self.rule {
            Some(rule) => rule.right(&rule.after(&self.public.mainline)),
            None if self.seat == Seat(0) => Card::all().collect(),
            None => CardSet::EMPTY,
        }
    }

    /// Samples a state with this secret rule: hidden cards are random, as the pools allow.
    pub(super) fn determinize_under(&self, rule: Rule, chance: &mut Stream) -> State {
        let mut pools = self.others_pools();
        let mut hands = self.public.known;
        hands[self.seat.index()] = self.hand;
        for (pool, cards) in self.public.pools.iter().zip(&mut pools) {
            for ((seat, hand), held) in hands.iter_mut().enumerate().zip(pool.held) {
                if seat != self.seat.index() {
                    let drawn = (0..held).filter_map(|_| cards.draw(chance));
                    drawn.for_each(|card| _ = hand.add(card));
                }
            }
        }
        let memory = rule.after(&self.public.mainline);
        let judge = Judge::Rule;
        State { public: self.public.clone(), hands, undrawn: pools, rule, memory, judge }
    }

    /// Returns the pools without the own hidden cards. The number of own cards from each pool is
    /// public. Kuhn's matching algorithm assigns the own cards to the pools.
    fn others_pools(&self) -> Vec<CardMultiset> {
        let own = self.seat.index();
        let share = |pool: &Pool| (pool.cards, pool.held[own], Vec::new());
        let mut shares: Vec<Share> = self.public.pools.iter().map(share).collect();
        for card in self.hand.minus(&self.public.known[own]).cards() {
            let mut tried = vec![false; shares.len()];
            place(card, &mut shares, &mut tried);
        }
        shares.into_iter().map(|(cards, ..)| cards).collect()
    }
}

/// The remaining cards of a pool, the number of own cards still to assign, and the assigned ones.
type Share = (CardMultiset, u16, Vec<Card>);

/// Assigns a card of the own hand to a pool, moving other cards to other pools if needed.
fn place(card: Card, shares: &mut [Share], tried: &mut [bool]) -> bool {
    for index in 0..shares.len() {
        let (cards, room, placed) = &mut shares[index];
        if tried[index] || cards.count(card) == 0 {
            continue;
        }
        tried[index] = true;
        if *room > 0 {
            *room -= 1;
            cards.remove(card);
            placed.push(card);
            return true;
        }
        for other in 0..shares[index].2.len() {
            let moved = shares[index].2[other];
            if moved != card && place(moved, shares, tried) {
                // The moved card returns to this pool, and `card` takes its place.
                let (cards, _, placed) = &mut shares[index];
                cards.add(moved);
                cards.remove(card);
                placed[other] = card;
                return true;
            }
        }
    }
    false
}

/// The width of a row of the mainline, in characters.
const WIDE: usize = 70;

/// Draws a view: the mainline with rejected plays under it, then the seats, the stock and the own
/// hand. `seats` is the number of seats.
pub(super) fn draw(view: &View, seats: usize, letters: CardStyle) -> String {
    let public = &view.public;
    let cards = public.mainline.len();
    let mut line = Line { letters, rows: Vec::new(), row: String::new() };
    public.mainline.first().into_iter().for_each(|starter| line.right(*starter));
    public.history.iter().for_each(|event| line.event(event));
    line.end();
    let mut rows = vec![format!("main line, {cards} card{}:", if cards == 1 { "" } else { "s" })];
    rows.append(&mut line.rows);
    if !public.string.is_empty() {
        rows.push(format!("being laid: {}", letters.cards(public.string.iter().copied())));
    }
    if let Some(hand) = public.shown {
        let hand = letters.cards(hand.cards());
        rows.push(format!("seat {} claims no play and shows: {hand}", public.player.0));
    }
    for seat in (1..seats).map(|seat| Seat(seat as u8)) {
        let notes = [
            (seat == view.seat, ", you"),
            (public.prophet == Some(seat), ", prophet"),
            (public.expelled.contains(&seat), ", expelled"),
        ];
        let notes: String = notes.iter().filter_map(|(is, note)| is.then_some(*note)).collect();
        let turn = if public.end == End::Open && public.player == seat { '>' } else { ' ' };
        rows.push(format!("{turn} seat {}: {} cards{notes}", seat.0, public.held[seat.index()]));
    }
    rows.extend(view.rule.as_ref().map(|rule| format!("your secret rule: {rule}")));
    rows.push(format!("the stock has {} cards", public.stock()));
    if view.seat != Seat(0) {
        let mut hand: Vec<Card> = view.hand.cards().collect();
        hand.sort_by_key(|card| (card.suit(), card.rank()));
        rows.push(format!("your hand: {}", letters.cards(hand)));
    }
    rows.iter().map(|row| format!("  {row}\n")).collect()
}

/// Writer of the mainline. Rejected plays are on separate rows below the card that preceded them.
struct Line {
    letters: CardStyle,
    rows: Vec<String>,
    row: String,
}

impl Line {
    fn event(&mut self, event: &Event) {
        let seat = event.seat.0;
        let said = event.prophet_said.map_or(String::new(), |(prophet, said)| {
            format!(" (prophet {} says {})", prophet.0, if said { "right" } else { "wrong" })
        });
        match &event.act {
            Act::Play(cards) if event.right => cards.iter().for_each(|card| self.right(*card)),
            Act::Play(cards) => {
                let cards = self.letters.cards(cards.iter().copied());
                self.note(format!("wrong, seat {seat}: {cards}{said}"));
            }
            Act::NoPlay { forced, .. } => {
                let is_true = event.right;
                self.note(format!("no play, seat {seat}: {is_true}{said}"));
                forced.iter().for_each(|card| self.right(*card));
            }
        }
        if event.becomes_prophet {
            self.note(format!("seat {seat} becomes prophet"));
        }
        if event.expelled {
            self.note(format!("seat {seat} is expelled"));
        }
        let own = event.guess.map(|(rule, right)| (event.seat, rule, right));
        for (seat, _, right) in own.iter().chain(&event.other_guesses) {
            let right = if *right { "right" } else { "wrong" };
            self.note(format!("seat {} states a rule, and is {right}", seat.0));
        }
    }

    fn right(&mut self, card: Card) {
        if self.row.chars().count() > WIDE {
            self.end();
        }
        self.row += if self.row.is_empty() { "  " } else { " " };
        self.row += &self.letters.card(card);
    }

    fn note(&mut self, note: String) {
        self.end();
        self.rows.push(format!("      {note}"));
    }

    fn end(&mut self) {
        if !self.row.is_empty() {
            self.rows.push(std::mem::take(&mut self.row));
        }
    }
}
