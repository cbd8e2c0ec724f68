//! Snapshots of a table for one seat, as JSON for pages, and the record at the end.
//!
//! A snapshot holds only what its seat may know. After the hand it shows everything.

use serde::Serialize;

use super::participant::{Participant, Thought};
use super::table::{DealId, Table, is_manual};
use parlour_base::files::compact;
use parlour_game::strategy::{Advice, Strategic};
use parlour_game::{Label, Seat, Turn};

/// The suffix of a variant's name if a person chose its secret.
const OWN: &str = "-own";

/// The state of a table as one seat may see it.
#[derive(Serialize)]
pub struct SeatSnapshot<'a, V, R> {
    /// A number that rises with every change.
    pub version: u64,
    /// The game's name.
    pub game: &'static str,
    /// The variant's name.
    pub variant: &'a str,
    /// The rules without their secrets.
    pub rules: &'a R,
    /// The number of the deal, from 0.
    pub deal: u64,
    /// The number of moves made.
    pub after: usize,
    /// The seat of the view; null if nobody looks.
    pub seat: Option<Seat>,
    /// The seats of the people at this screen.
    pub mine: &'a [Seat],
    /// The participants, by seat.
    pub seats: Vec<SeatInfo<'a>>,
    /// The seat to move; null when the hand is over.
    pub turn: Option<Seat>,
    /// `true` while the person at seat 0 chooses a secret before the deal.
    pub asks_dealer: bool,
    /// The seat's view.
    pub view: Option<V>,
    /// The seat's legal moves if it is to move.
    pub legal: Vec<String>,
    /// The moves as the seat saw them.
    pub past: Vec<MoveEvent>,
    /// `true` if moves can be previewed.
    pub open: bool,
    /// `true` if the seat has a move to take back.
    pub may_take_back: bool,
    /// The person who asks the others for permission to take a move back.
    pub asks_back: Option<Seat>,
    /// `true` while the adviser thinks for the seat.
    pub advising: bool,
    /// The advice for the seat on this position.
    pub advice: Option<&'a Advice>,
    /// A message to everybody, such as the failure of a bot.
    pub notice: Option<&'a str>,
    /// The result; null before the end of the hand.
    pub end: Option<HandEnd<V>>,
}

/// The participant at a seat.
#[derive(Serialize)]
pub struct SeatInfo<'a> {
    /// `person`, or the strategy's name.
    pub name: &'a str,
    /// `true` for a person.
    pub person: bool,
}

/// A move that was made.
#[derive(Clone, Serialize)]
pub struct MoveEvent {
    /// The seat that moved.
    pub seat: Seat,
    /// The move in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
}

/// The result of a hand, with everything that was hidden.
#[derive(Serialize)]
pub struct HandEnd<V> {
    /// `true` if a person resigned.
    pub resigned: bool,
    /// The points, by seat.
    pub scores: Vec<i32>,
    /// The only seat with the most points.
    pub winner: Option<Seat>,
    /// The views of all seats at the end.
    pub views: Vec<V>,
    /// The evaluations of the bots that search.
    pub thoughts: Vec<Thought>,
    /// The beliefs of the strategies that have some, by seat.
    pub beliefs: Vec<Option<String>>,
    /// The seed of the table; with the deal's number it repeats the deal.
    pub seed: u64,
    /// `true` if there is a record of the hand.
    pub recorded: bool,
    /// `true` if the person at seat 0 judged by hand and is asked for the rule.
    pub asks_rule: bool,
}

impl<G: Strategic> Table<G> {
    /// Returns the facts around the hand in its record.
    pub(super) fn label(&self) -> Label {
        let names = self.participants.iter().map(|who| who.name().to_owned());
        let own = if self.game.rules() == self.base.rules() { "" } else { OWN };
        let (variant, seats) = (format!("{}{own}", self.variant), names.collect());
        let DealId { seed, deal, .. } = self.hand.deal_id;
        Label { variant, deal, hand: 0, rotation: 0, seed, seats }
    }

    /// Returns the record of the hand, a line of JSON, if the hand ended by the rules.
    pub fn record(&self) -> Option<String> {
        let is_recorded = self.is_finished() && !is_manual(&*self.game);
        is_recorded.then(|| compact(&self.hand.play.record(&self.game, &self.label())))
    }

    /// Returns the result of the hand; `None` before its end.
    pub fn end(&self) -> Option<HandEnd<G::View>> {
        if self.turn() != Turn::Over {
            return None;
        }
        let scores = self.game.scores(&self.hand.play.state);
        Some(HandEnd {
            resigned: self.resigned,
            winner: scores.winner().filter(|_| !self.resigned),
            scores: scores.0.to_vec(),
            views: self.seats().map(|seat| self.view(seat)).collect(),
            thoughts: self.thoughts.clone(),
            beliefs: self.beliefs.clone(),
            seed: self.hand.deal_id.seed,
            recorded: self.is_finished() && !self.asks_rule(),
            asks_rule: self.asks_rule(),
        })
    }

    /// Returns the snapshot for a seat at a screen of the people at `mine`. Without a seat it has no
    /// view.
    pub fn snapshot<'a>(
        &'a self,
        seat: Option<Seat>,
        mine: &'a [Seat],
    ) -> SeatSnapshot<'a, G::View, G::Rules> {
        let info = |who: &'a Participant<G>| SeatInfo { name: who.name(), person: who.is_person() };
        let event =
            |(seat, mv): &(Seat, G::Move)| MoveEvent { seat: *seat, mv: self.known.notation(*mv) };
        let options = seat.map_or_else(Vec::new, |seat| self.options(seat));
        let (deal, after) = self.place();
        SeatSnapshot {
            version: self.version,
            game: G::NAME,
            variant: &self.variant,
            rules: self.known.rules(),
            deal,
            after,
            seat,
            mine,
            seats: self.participants.iter().map(info).collect(),
            turn: match self.turn() {
                Turn::Seat(seat) => Some(seat),
                Turn::Over => None,
            },
            asks_dealer: self.asks_dealer,
            view: seat.filter(|_| !self.asks_dealer).map(|seat| self.view(seat)),
            legal: options.into_iter().map(|mv| self.known.notation(mv)).collect(),
            past: seat.map_or_else(Vec::new, |seat| self.past(seat).iter().map(event).collect()),
            open: G::OPEN,
            may_take_back: seat.is_some_and(|seat| self.last_move_of(seat).is_some()),
            asks_back: self.take_back_request,
            advising: self.advice_request.is_some_and(|(asker, _)| Some(asker) == seat),
            advice: seat.and_then(|seat| self.advice(seat)),
            notice: self.notice(),
            end: self.end(),
        }
    }
}
