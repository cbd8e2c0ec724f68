//! What one seat is shown: written as JSON for pages. It has what the seat may know and, when the
//! hand is over, everything.

use serde::Serialize;

use crate::game::Seat;
use crate::strategy::{Advice, Candidate};

/// What one seat is shown.
#[derive(Serialize)]
pub struct Seen<'a, V, R> {
    /// Rises with every change: who has this one need not ask again.
    pub version: u64,
    /// The game's name.
    pub game: &'static str,
    /// The variant's name.
    pub variant: &'a str,
    /// Its rules, without what they keep secret from the seats.
    pub rules: &'a R,
    /// Which deal, from 0.
    pub deal: u64,
    /// How many moves were made in it.
    pub after: usize,
    /// The seat whose view this is; null while nobody looks.
    pub seat: Option<Seat>,
    /// The seats of the people who look at this screen.
    pub mine: &'a [Seat],
    /// Who sits where.
    pub seats: Vec<Sitting<'a>>,
    /// Whose turn it is; null when the hand is over.
    pub turn: Option<Seat>,
    /// Whether the person at seat 0 lays something down before the cards are dealt.
    pub asks_dealer: bool,
    /// What the seat knows.
    pub view: Option<V>,
    /// Its legal moves, when it is its turn.
    pub legal: Vec<String>,
    /// What it was told of the moves so far.
    pub past: Vec<Event>,
    /// Whether moves can be tried out before they are made.
    pub open: bool,
    /// Whether it has a move to take back.
    pub may_take_back: bool,
    /// The person who asks the others to agree to a move being taken back.
    pub asks_back: Option<Seat>,
    /// Whether somebody is being asked for advice.
    pub advising: bool,
    /// The advice that the seat was given on this position.
    pub advice: Option<&'a Advice>,
    /// What there is to tell of a bot that failed.
    pub notice: Option<&'a str>,
    /// What is told when the hand is over.
    pub end: Option<End<V>>,
}

/// Who sits at a seat.
#[derive(Serialize)]
pub struct Sitting<'a> {
    /// `person`, or the strategy's name.
    pub name: &'a str,
    /// Whether it is a person.
    pub person: bool,
}

/// A move that was made.
#[derive(Clone, Serialize)]
pub struct Event {
    /// Who made it.
    pub seat: Seat,
    /// The move in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
}

/// What is told when the hand is over.
#[derive(Serialize)]
pub struct End<V> {
    /// Whether it was broken off.
    pub resigned: bool,
    /// The points, by seat.
    pub scores: Vec<i32>,
    /// The only seat with the most points.
    pub winner: Option<Seat>,
    /// What each seat knew at the end: all hands are open.
    pub views: Vec<V>,
    /// What the bots that search thought of their moves.
    pub thoughts: Vec<Thought>,
    /// What each seat's strategy believes, where it says so.
    pub beliefs: Vec<Option<String>>,
    /// The seed of the table: with it and the deal's number the hand is dealt again.
    pub seed: u64,
    /// Whether there is a record of it.
    pub recorded: bool,
    /// Whether the person at seat 0 judged by hand, and is asked for the rule.
    pub asks_rule: bool,
}

/// What a bot thought of one move.
#[derive(Clone, Serialize)]
pub struct Thought {
    /// How many moves it had been told of.
    pub after: usize,
    /// The bot's seat.
    pub seat: Seat,
    /// The move that it made.
    #[serde(rename = "move")]
    pub mv: String,
    /// Whether values are chances to win; otherwise they are mean rewards.
    pub is_chance: bool,
    /// The moves that it liked best, best first.
    pub liked: Vec<Candidate>,
}

/// So many of the moves that a bot liked are told.
const LIKED: usize = 3;

impl Thought {
    /// What advice to itself says.
    pub(super) fn of(after: usize, seat: Seat, mv: String, advice: &Advice) -> Thought {
        let liked = advice.moves.iter().take(LIKED).cloned().collect();
        Thought { after, seat, mv, is_chance: advice.is_chance, liked }
    }
}
