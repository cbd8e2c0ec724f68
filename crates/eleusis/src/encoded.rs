//! Views and moves as numbers. A string of cards is laid card by card.

use std::sync::LazyLock;

use super::{Act, CardMultiset, Eleusis, End, Event, Move, Public, View};
use parlour_base::cards::{Card, CardSet};
use parlour_game::encoded::{ActionGroup, Encoded, ObservationWriter, Plane};
use parlour_game::{Ruled, Seat, Turn};

/// Numbers of encoded cards: the last judged ones, and the last of the string being laid.
const LINE: usize = 128;
const STRING: usize = 16;

/// The moves with an action in all variants, in the order of the actions. Guesses follow.
static MOVES: LazyLock<Vec<Move>> = LazyLock::new(|| {
    let after_laying = [Move::Submit, Move::NoPlay, Move::Judge(false), Move::Judge(true)];
    let lay = Card::all().map(Move::Lay).chain(after_laying);
    lay.chain(Card::all().map(Move::Force)).chain([Move::Pass, Move::Prophesy]).collect()
});

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
        if self.rules().express { self.statements.listed.len() } else { 0 }
    }

    /// Iterates over the seats: the dealer, the own seat (for the dealer, the first player), then the
    /// next players in turn.
    fn seats_from(&self, own: Seat) -> impl Iterator<Item = Seat> {
        let players = self.rules().seats - 1;
        let first = (own.0.max(1) - 1) % players;
        let others = (0..players).map(move |step| Seat(1 + (first + step) % players));
        std::iter::once(Seat(0)).chain(others)
    }

    /// Writes the last judged cards, backwards from the end of the line.
    fn line(&self, own: Seat, public: &Public, out: &mut [u8]) {
        out.fill(0);
        let places: Vec<Seat> = self.seats_from(own).collect();
        let starter = public.mainline.first().map(|card| (*card, Fate::Right, Seat(0), 1));
        let judged = public.history.iter().rev().flat_map(judged_back).chain(starter);
        for (entry, (card, fate, by, number)) in
            out.as_chunks_mut::<4>().0.iter_mut().rev().zip(judged)
        {
            let place = places.iter().position(|seat| *seat == by).unwrap_or(0);
            *entry = [code(Some(card)), fate as u8, place as u8, number.min(255) as u8];
        }
    }
}

/// Iterates over the judged cards of a turn, the last first: each with its result, its player and its
/// number in its string.
fn judged_back(event: &Event) -> impl Iterator<Item = (Card, Fate, Seat, usize)> + '_ {
    let (string, hand, forced) = match &event.act {
        Act::Play(cards) => (&cards[..], CardMultiset::EMPTY, None),
        Act::NoPlay { hand, forced } => (&[][..], *hand, *forced),
    };
    let [of_string, of_hand] = match event.right {
        true => [Fate::Right, Fate::TrueClaim],
        false => [Fate::WrongString, Fate::FalseClaim],
    };
    let chosen: CardMultiset = forced.into_iter().chain(event.prophet_picked).collect();
    let rest: Vec<Card> = hand.minus(&chosen).cards().collect();
    let forced = forced.map(|card| (card, Fate::Forced, 1));
    let picked = event.prophet_picked.map(|card| (card, Fate::Picked, 1));
    let string = string.iter().enumerate().rev().map(move |(at, card)| (*card, of_string, at + 1));
    let shown = rest.into_iter().map(move |card| (card, of_hand, 1));
    let all = string.chain(forced).chain(picked).chain(shown);
    all.map(|(card, fate, number)| (card, fate, event.seat, number))
}

/// Writes the number of copies of each card.
fn counts(counts: &CardMultiset, pen: &mut ObservationWriter<'_>) {
    pen.next(52).iter_mut().zip(Card::all()).for_each(|(of, card)| *of = counts.count(card));
}

impl Encoded for Eleusis {
    fn planes(&self) -> Vec<Plane> {
        let rules = self.rules();
        let (seats, copies) = (usize::from(rules.seats), 2 + rules.decks_added_max);
        let code = "0 for none, otherwise 1 + the card's number";
        let place = "the dealer first, then the own seat, then the next players in turn (for the \
                     dealer, from seat 1)";
        let hand = "copies of each card in the own hand: card 4 × (rank − 1) + suit, ace to king; \
                    spades, hearts, diamonds, clubs";
        let known = format!("cards of each hand that are known because it was shown; {place}");
        let string =
            format!("the string that is being laid or judged, its last {STRING} cards: {code}");
        let line = format!(
            "the last {LINE} judged cards, the newest at the end. Of each: the card ({code}); 1 right, \
             2 in a wrong string, 3 shown with a true *no play*, 4 shown with a false one, 5 then put \
             on the mainline, 6 picked by the prophet and wrong; whose it was (0 the dealer, 1 the own \
             seat, 2 the next player); its number in its string"
        );
        let of_seats = format!(
            "of each seat, {place}: cards held, then 1 if it takes its turn, chooses now, is prophet, \
             was prophet, is expelled"
        );
        let stage = "1 for the kind of the next decision: a play, the prophet's verdict, the prophet's \
                     pick, the dealer's card, the move after the own turn; all 0 when the hand is over";
        let claim = "while a *no play* is unsettled: the prophet's verdict (1 wrong, 2 right), and its \
                     wrong pick as a card's code";
        let counts = "cards in the stock, decks added, cards of the mainline, cards played, cards \
                      played before the marker, right and wrong ones after it, and 1 if a mistake \
                      expels now; 255 stands for all above";
        let end = "1 for how the hand ended: a player without cards, a true *no play*, all expelled, \
                   the stock, the rule stated";
        let refuted =
            "1 for each rule of the action `guess` that was stated and is not the secret one";
        let mut planes = vec![
            Plane::new("hand", [52], copies, hand),
            Plane::new("right", [52], 1, "for the dealer only: 1 for each card that is right now"),
            Plane::new("shown", [52], copies, "the hand that is shown with an unsettled *no play*"),
            Plane::new("unseen", [52], copies, "cards not seen since the shuffle"),
            Plane::new("known", [seats, 52], copies, known),
            Plane::new("last", [52], 1, "1 for the last card of the mainline"),
            Plane::new("string", [STRING], 52, string),
            Plane::new("line", [LINE, 4], 255, line),
            Plane::new("seats", [seats, 6], 255, of_seats),
            Plane::new("stage", [5], 1, stage),
            Plane::new("claim", [2], 53, claim),
            Plane::new("counts", [8], 255, counts),
            Plane::new("end", [5], 1, end),
        ];
        planes.extend(rules.express.then(|| Plane::new("refuted", [self.listed()], 1, refuted)));
        planes
    }

    fn actions(&self) -> Vec<ActionGroup> {
        let no_play = "show the hand and claim that none of its cards is right";
        let guess = "state rule k of the playable corpus rules (all other rules have no action)";
        let mut actions = vec![
            ActionGroup::new("lay", 52, "lay card k as the next card of the string"),
            ActionGroup::new("submit", 1, "end the string"),
            ActionGroup::new("no play", 1, no_play),
            ActionGroup::new("judge", 2, "the prophet's verdict: wrong, right"),
            ActionGroup::new("force", 52, "put card k of the shown hand on the mainline"),
            ActionGroup::new("pass", 1, "after the own turn: do nothing"),
            ActionGroup::new("prophesy", 1, "after the own turn: become prophet"),
        ];
        let express = self.rules().express;
        actions.extend(express.then(|| ActionGroup::new("guess", self.listed(), guess)));
        actions
    }

    fn observe(&self, view: &View, out: &mut [u8]) {
        let (public, own) = (&view.public, view.seat);
        let goes_on = public.end == End::Open;
        let mut pen = ObservationWriter::new(out);
        counts(&view.hand, &mut pen);
        pen.bits(view.right().0, 52);
        counts(&public.shown.unwrap_or_default(), &mut pen);
        let mut unseen = CardMultiset::EMPTY;
        public.pools.iter().for_each(|pool| unseen.add_all(&pool.cards));
        counts(&unseen, &mut pen);
        self.seats_from(own).for_each(|seat| counts(&public.known[seat.index()], &mut pen));
        pen.bits(public.mainline.last().copied().into_iter().collect::<CardSet>().0, 52);
        let laid = &public.string[public.string.len().saturating_sub(STRING)..];
        for (at, place) in pen.next(STRING).iter_mut().enumerate() {
            *place = code(laid.get(at).copied());
        }
        self.line(own, public, pen.next(4 * LINE));
        for seat in self.seats_from(own) {
            pen.up_to_255(public.held[seat.index()].into());
            let facts = [
                goes_on && public.player == seat,
                public.turn() == Turn::Seat(seat),
                public.prophet == Some(seat),
                public.prophets.contains(&seat),
                public.expelled.contains(&seat),
            ];
            facts.iter().for_each(|fact| pen.number((*fact).into()));
        }
        pen.one_of(if goes_on { public.stage as usize } else { 5 }, 5);
        pen.number(public.said.map_or(0, |(_, right)| 1 + u8::from(right)));
        pen.number(code(public.picked));
        let sizes = [public.stock(), public.decks_added.into(), public.mainline.len()];
        sizes.iter().for_each(|number| pen.up_to_255(*number));
        let [right, wrong] = public.after_marker;
        let counts = [public.played, public.marker, right, wrong, public.expelling.into()];
        counts.iter().for_each(|number| pen.up_to_255(usize::from(*number)));
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
        for (number, right) in public.history.iter().flat_map(Event::guesses) {
            if let Some(known) = refuted.get_mut(number as usize) {
                *known = u8::from(!right);
            }
        }
    }

    fn action_of(&self, mv: Move) -> Option<usize> {
        match mv {
            Move::Guess(number) => {
                let number = number as usize;
                (number < self.listed()).then_some(MOVES.len() + number)
            }
            _ => MOVES.binary_search(&mv).ok(),
        }
    }

    fn move_of(&self, action: usize) -> Option<Move> {
        let guess = |number| (number < self.listed()).then_some(Move::Guess(number as u32));
        MOVES.get(action).copied().or_else(|| guess(action - MOVES.len()))
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
