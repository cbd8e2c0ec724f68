//! Views and moves as numbers. A string of cards is laid card by card.

use super::{Act, CardMultiset, Eleusis, End, Event, Move, Public, Stage, View};
use parlour_base::cards::{Card, CardSet};
use parlour_game::encoded::{ActionGroup, Encoded, ObservationWriter, Plane};
use parlour_game::{MAX_SEATS, Ruled, Seat, Turn};

/// Numbers of encoded cards: the last judged ones, and the last of the string being laid.
const LINE: usize = 128;
const STRING: usize = 16;

/// The first action of each kind.
const SUBMIT: usize = 52;
const NO_PLAY: usize = SUBMIT + 1;
const JUDGE: usize = NO_PLAY + 1;
const FORCE: usize = JUDGE + 2;
const PASS: usize = FORCE + 52;
const PROPHESY: usize = PASS + 1;
const GUESS: usize = PROPHESY + 1;

const STAGES: [Stage; 5] = [Stage::Play, Stage::Judge, Stage::Pick, Stage::Force, Stage::After];

/// The result of a judged card, as a number.
#[derive(Clone, Copy)]
enum Fate {
    Right = 1,
    WrongString = 2,
    TrueClaim = 3,
    FalseClaim = 4,
    Forced = 5,
    Picked = 6,
}

/// Returns 0 for no card, otherwise 1 + the card's index.
fn code(card: Option<Card>) -> u8 {
    card.map_or(0, |card| card.index() + 1)
}

impl Eleusis {
    /// Returns the number of rules that may be stated and have an index.
    fn listed(&self) -> usize {
        if self.rules().express { self.statements().listed.len() } else { 0 }
    }

    /// Returns 0 for the dealer, 1 for the own seat (for the dealer, the first player), then the
    /// numbers of the next players in turn.
    fn place(&self, own: Seat, seat: Seat) -> usize {
        let players = usize::from(self.rules().seats) - 1;
        match seat.index() {
            0 => 0,
            seat => 1 + (seat - 1 + players - (own.index().max(1) - 1) % players) % players,
        }
    }

    /// Returns the seat at a place.
    fn seat_at(&self, own: Seat, place: usize) -> usize {
        let players = usize::from(self.rules().seats) - 1;
        if place == 0 { 0 } else { 1 + (place - 1 + own.index().max(1) - 1) % players }
    }

    /// Writes the last judged cards, backwards from the end of the line.
    fn line(&self, own: Seat, public: &Public, out: &mut [u8]) {
        out.fill(0);
        let mut places = out.as_chunks_mut::<4>().0.iter_mut().rev();
        let mut put = |card: Card, fate: Fate, seat: Seat, number: usize| {
            let place = self.place(own, seat) as u8;
            let entry = places.next();
            let room = entry.is_some();
            entry.into_iter().for_each(|entry| {
                *entry = [code(Some(card)), fate as u8, place, number.min(255) as u8];
            });
            room
        };
        for event in public.history.iter().rev() {
            if !each_back(event, &mut put) {
                return;
            }
        }
        if let Some(starter) = public.mainline.first() {
            put(*starter, Fate::Right, Seat(0), 1);
        }
    }
}

/// Passes the judged cards of a turn to `put`, the last first, until `put` returns `false`.
fn each_back(event: &Event, put: &mut impl FnMut(Card, Fate, Seat, usize) -> bool) -> bool {
    let by = event.seat;
    match &event.act {
        Act::Play(cards) => {
            let fate = if event.right { Fate::Right } else { Fate::WrongString };
            cards.iter().enumerate().rev().all(|(at, card)| put(*card, fate, by, at + 1))
        }
        Act::NoPlay { hand, forced } => {
            let fate = if event.right { Fate::TrueClaim } else { Fate::FalseClaim };
            let mut rest = *hand;
            for card in forced.iter().chain(&event.prophet_picked) {
                rest.remove(*card);
            }
            forced.is_none_or(|card| put(card, Fate::Forced, by, 1))
                && event.prophet_picked.is_none_or(|card| put(card, Fate::Picked, by, 1))
                && rest.cards().all(|card| put(card, fate, by, 1))
        }
    }
}

/// Writes the number of copies of each card.
fn counts(counts: &CardMultiset, pen: &mut ObservationWriter<'_>) {
    pen.next(52).iter_mut().zip(Card::all()).for_each(|(of, card)| *of = counts.count(card));
}

impl Encoded for Eleusis {
    fn planes(&self) -> Vec<Plane> {
        let rules = self.rules();
        let (seats, copies) = (usize::from(rules.seats), 2 + rules.decks_added_max);
        let cards = "card 4 × (rank − 1) + suit, ace to king; spades, hearts, diamonds, clubs";
        let code = "0 for none, otherwise 1 + the card's number";
        let place = "the dealer first, then the own seat, then the next players in turn (for the \
                     dealer, from seat 1)";
        let mut planes = vec![
            Plane::new(
                "hand",
                [52],
                copies,
                format!("copies of each card in the own hand: {cards}"),
            ),
            Plane::new("right", [52], 1, "for the dealer only: 1 for each card that is right now"),
            Plane::new("shown", [52], copies, "the hand that is shown with an unsettled *no play*"),
            Plane::new("unseen", [52], copies, "cards not seen since the shuffle"),
            Plane::new(
                "known",
                [seats, 52],
                copies,
                format!("cards of each hand that are known because it was shown; {place}"),
            ),
            Plane::new("last", [52], 1, "1 for the last card of the mainline"),
            Plane::new(
                "string",
                [STRING],
                52,
                format!("the string that is being laid or judged, its last {STRING} cards: {code}"),
            ),
            Plane::new(
                "line",
                [LINE, 4],
                255,
                format!(
                    "the last {LINE} judged cards, the newest at the end. Of each: the card ({code}); \
                     1 right, 2 in a wrong string, 3 shown with a true *no play*, 4 shown \
                     with a false one, 5 then put on the mainline, 6 picked by the prophet and wrong; \
                     whose it was (0 the dealer, 1 the own seat, 2 the next player); its number in \
                     its string"
                ),
            ),
            Plane::new(
                "seats",
                [seats, 6],
                255,
                format!(
                    "of each seat, {place}: cards held, then 1 if it takes its turn, chooses now, is \
                     prophet, was prophet, is expelled"
                ),
            ),
            Plane::new(
                "stage",
                [5],
                1,
                "1 for the kind of the next decision: a play, the prophet's verdict, the prophet's pick, the \
                 dealer's card, the move after the own turn; all 0 when the hand is over",
            ),
            Plane::new(
                "claim",
                [2],
                53,
                "while a *no play* is unsettled: the prophet's verdict (1 wrong, 2 right), and its \
                 wrong pick as a card's code",
            ),
            Plane::new(
                "counts",
                [8],
                255,
                "cards in the stock, decks added, cards of the mainline, cards played, cards played \
                 before the marker, right and wrong ones after it, and 1 if a mistake expels now; 255 \
                 stands for all above",
            ),
            Plane::new(
                "end",
                [5],
                1,
                "1 for how the hand ended: a player without cards, a true *no play*, all expelled, \
                 the stock, the rule stated",
            ),
        ];
        if rules.express {
            planes.push(Plane::new(
                "refuted",
                [self.listed()],
                1,
                "1 for each rule of the action `guess` that was stated and is not the secret one",
            ));
        }
        planes
    }

    fn actions(&self) -> Vec<ActionGroup> {
        let mut actions = vec![
            ActionGroup::new("lay", 52, "lay card k as the next card of the string"),
            ActionGroup::new("submit", 1, "end the string"),
            ActionGroup::new(
                "no play",
                1,
                "show the hand and claim that none of its cards is right",
            ),
            ActionGroup::new("judge", 2, "the prophet's verdict: wrong, right"),
            ActionGroup::new("force", 52, "put card k of the shown hand on the mainline"),
            ActionGroup::new("pass", 1, "after the own turn: do nothing"),
            ActionGroup::new("prophesy", 1, "after the own turn: become prophet"),
        ];
        if self.rules().express {
            let about = "state rule k of the playable corpus rules (all other rules have no \
                         action)";
            actions.push(ActionGroup::new("guess", self.listed(), about));
        }
        actions
    }

    fn observe(&self, view: &View, out: &mut [u8]) {
        let (public, own, seats) = (&view.public, view.seat, usize::from(self.rules().seats));
        let goes_on = public.end == End::Open;
        let mut pen = ObservationWriter::new(out);
        counts(&view.hand, &mut pen);
        pen.bits(view.right().0, 52);
        counts(&public.shown.unwrap_or_default(), &mut pen);
        let mut unseen = CardMultiset::EMPTY;
        public.pools.iter().for_each(|pool| unseen.add_all(&pool.cards));
        counts(&unseen, &mut pen);
        for place in 0..seats {
            counts(&public.known[self.seat_at(own, place) % MAX_SEATS], &mut pen);
        }
        let last = public.mainline.last();
        pen.bits(last.map_or(CardSet::EMPTY, |card| CardSet::EMPTY.with(*card)).0, 52);
        let laid = &public.string[public.string.len().saturating_sub(STRING)..];
        for (at, place) in pen.next(STRING).iter_mut().enumerate() {
            *place = code(laid.get(at).copied());
        }
        self.line(own, public, pen.next(4 * LINE));
        for place in 0..seats {
            let seat = self.seat_at(own, place);
            let has = |seats: u8| seats >> seat & 1 == 1;
            pen.up_to_255(public.held[seat % MAX_SEATS].into());
            let is = Seat(seat as u8);
            for fact in [
                goes_on && public.player == is,
                public.turn() == Turn::Seat(is),
                public.prophet == Some(is),
                has(public.prophets),
                has(public.expelled),
            ] {
                pen.number(fact.into());
            }
        }
        let stage = STAGES.iter().position(|stage| goes_on && *stage == public.stage);
        pen.one_of(stage.unwrap_or(STAGES.len()), STAGES.len());
        pen.number(public.said.map_or(0, |(_, right)| 1 + u8::from(right)));
        pen.number(code(public.picked));
        for number in [
            public.stock(),
            public.decks_added.into(),
            public.mainline.len(),
            public.played.into(),
            public.marker.into(),
            public.after_marker[0].into(),
            public.after_marker[1].into(),
            public.expelling.into(),
        ] {
            pen.up_to_255(number);
        }
        let end = match public.end {
            End::Out(_) => 0,
            End::NoPlay(_) => 1,
            End::Expelled => 2,
            End::StockOut => 3,
            End::Guessed(_) => 4,
            End::Open => 5,
        };
        pen.one_of(end, 5);
        let refuted = pen.next(self.listed());
        refuted.fill(0);
        for (number, right) in public.history.iter().filter_map(|event| event.guess) {
            if let Some(known) = refuted.get_mut(number as usize) {
                *known = u8::from(!right);
            }
        }
    }

    fn action_of(&self, mv: Move) -> Option<usize> {
        Some(match mv {
            Move::Lay(card) => card.index().into(),
            Move::Submit => SUBMIT,
            Move::NoPlay => NO_PLAY,
            Move::Judge(right) => JUDGE + usize::from(right),
            Move::Force(card) => FORCE + usize::from(card.index()),
            Move::Pass => PASS,
            Move::Prophesy => PROPHESY,
            Move::Guess(number) => {
                let number = number as usize;
                (number < self.listed()).then_some(GUESS + number)?
            }
        })
    }

    fn move_of(&self, action: usize) -> Option<Move> {
        let card = |first: usize| Card::from_index((action - first) as u8);
        Some(match action {
            ..SUBMIT => Move::Lay(card(0)),
            SUBMIT => Move::Submit,
            NO_PLAY => Move::NoPlay,
            JUDGE..FORCE => Move::Judge(action > JUDGE),
            FORCE..PASS => Move::Force(card(FORCE)),
            PASS => Move::Pass,
            PROPHESY => Move::Prophesy,
            _ => {
                let number = action - GUESS;
                (number < self.listed()).then_some(Move::Guess(number as u32))?
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::chance::Seed;
    use parlour_game::{Game, kit};

    #[test]
    fn every_variant_is_encoded_as_promised() {
        let mut nodes = 0;
        for preset in Eleusis::presets() {
            nodes += kit::check_encoded(&Eleusis::new(&preset.rules).unwrap(), 6);
        }
        assert!(nodes > 1000, "{nodes}");
    }

    #[test]
    fn the_line_ends_with_the_last_card_that_was_judged() {
        let game = Eleusis::new(&Eleusis::preset("eleusis").unwrap()).unwrap();
        let (mut chance, mut line) = (Seed::new(1).stream(), [0; 4 * LINE]);
        let mut state = game.deal_under("red".parse().unwrap(), &mut chance);
        let first = *state.hand(Seat(1)).distinct().next().as_ref().unwrap();
        for mv in [Move::Lay(first), Move::Submit] {
            game.apply(&mut state, mv, &mut chance);
        }
        let fate = if first.suit().is_red() { 1 } else { 2 };
        // Of four players: the next one sees the one before it in the last place.
        for (seat, place) in [(1, 1), (2, 4), (3, 3), (0, 1)] {
            game.line(Seat(seat), &state.public, &mut line);
            assert_eq!(line[4 * LINE - 4..], [first.index() + 1, fate, place, 1]);
            assert_eq!(line[4 * LINE - 8..][1..4], [1, 0, 1], "the starter");
            assert!(line[..4 * LINE - 8].iter().all(|number| *number == 0));
        }
    }
}
