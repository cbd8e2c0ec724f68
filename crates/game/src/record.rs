//! Hands written down, and read back under the rules.

use std::fmt::Debug;

use schemars::{Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use super::{Game, MoveHistory, Position, PositionFile, Ruled, Scores, Seat, Turn, read_position};
use crate::chance::Stream;
use crate::error::Fault;

/// What stands around a hand in its record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The variant's name.
    pub variant: String,
    /// The deal's number, from 0.
    pub deal: u64,
    /// The hand's number within its match, from 0.
    pub hand: u32,
    /// Which rotation of the strategies over the seats, from 0.
    pub rotation: u32,
    /// The experiment's seed.
    pub seed: u64,
    /// The strategies' names by seat.
    pub seats: Vec<String>,
}

/// States, each with the move that was made in it.
pub type Choices<G> = Vec<(<G as Game>::State, <G as Game>::Move)>;

/// A record played again.
#[derive(Clone, Debug)]
pub struct Replay<G: Game> {
    /// The game as a bot would have sat at it.
    pub game: G,
    /// The choices in order. Where several moves were written as one, the first stands for them.
    pub choices: Choices<G>,
    /// What was written for each.
    pub written: Vec<String>,
    /// The hand at its end.
    pub end: G::State,
}

/// A choice of a replayed hand.
pub struct Choice<G: Game> {
    /// The seat that chose.
    pub seat: Seat,
    /// The view of this seat.
    pub view: G::View,
    /// The moves before the choice, as this seat saw them.
    pub past: Vec<(Seat, G::Move)>,
    /// The move that was made.
    pub mv: G::Move,
}

impl<G: Game> Replay<G> {
    /// The choices in order, as their seats saw them.
    pub fn each_choice(&self) -> impl Iterator<Item = Choice<G>> {
        let mut history = MoveHistory::default();
        self.choices.iter().map_while(move |(before, mv)| {
            let Turn::Seat(seat) = self.game.turn(before) else { return None };
            let (view, past) = (self.game.view(before, seat), history.visible_to(seat).to_vec());
            history.record(&self.game, before, seat, *mv);
            Some(Choice { seat, view, past, mv: *mv })
        })
    }
}

/// A game whose hands can be written down.
pub trait Recorded: Ruled {
    /// One line of `records.jsonl`.
    type Record: Serialize + DeserializeOwned + schemars::JsonSchema;

    /// The record of a hand: `chance` as it was before the deal, and the moves made.
    fn record(&self, label: &Label, chance: Stream, moves: &[Self::Move]) -> Self::Record;

    /// The same for a hand whose deal was [wished](Game::deal_with_setup) for; `end` is how it ended.
    fn record_to(
        &self,
        label: &Label,
        chance: Stream,
        moves: &[Self::Move],
        _end: &Self::State,
    ) -> Self::Record {
        self.record(label, chance, moves)
    }

    /// Plays the record again under its own rules.
    ///
    /// # Errors
    /// The first thing that differs from what the rules say.
    fn verify(record: &Self::Record) -> Result<(), Fault>;

    /// The hand for a reader, move by move.
    ///
    /// # Errors
    /// As [`verify`](Recorded::verify), at the first move that cannot be shown.
    fn show(record: &Self::Record) -> Result<String, Fault>;

    /// The game of a record and its choices in order, for a comment on them.
    ///
    /// # Errors
    /// As [`verify`](Recorded::verify), at the first move that cannot be made.
    fn replay(record: &Self::Record) -> Result<Replay<Self>, Fault>;

    /// Reads a position as the seat to move sees it: a [`PositionFile`], or another
    /// form that the game has for people.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    fn position(file: &str, text: &str) -> crate::error::Result<Position<Self>> {
        read_position(file, text)
    }

    /// The JSON Schema of what [`position`](Recorded::position) reads.
    fn position_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<PositionFile<Self::Patch, Self::View>>()
    }

    /// The record's deal and hand numbers.
    fn place(record: &Self::Record) -> (u64, u32);
}

/// What stands around a hand in its record, whatever the game, and what it came to.
#[derive(Clone, Copy, Debug)]
pub struct RecordHeader<'a, R> {
    /// The version of the format.
    pub format: &'a u32,
    /// The game.
    pub game: &'a String,
    /// The variant's name.
    pub variant: &'a String,
    /// The variant's rules in full.
    pub rules: &'a R,
    /// The hand's number within its match, from 0.
    pub hand: &'a u32,
    /// Which rotation of the strategies over the seats, from 0.
    pub rotation: &'a u32,
    /// The strategies' names by seat.
    pub seats: &'a Vec<String>,
    /// The points, by seat.
    pub scores: &'a Vec<i64>,
    /// The only seat with the most points.
    pub winner: &'a Option<u8>,
}

impl<R: PartialEq + Serialize> RecordHeader<'_, R> {
    /// The game of the record, if all that stands before the cards is right.
    ///
    /// # Errors
    /// The first thing that is not.
    pub fn check<G: Ruled<Rules = R>>(&self) -> Result<G, Fault> {
        let expect = |at: &str, right: bool, what: &dyn Fn() -> String| match right {
            true => Ok(()),
            false => Err(Fault::new(at, what())),
        };
        let format = *self.format;
        expect("format", format == 1, &|| format!("this program reads format 1, not {format}"))?;
        expect("game", self.game == G::NAME, &|| {
            format!("this is a record of {}, not of `{}`", shortened(self.game), G::NAME)
        })?;
        let game = G::new(self.rules).map_err(|all| Fault::new("rules", all.to_string()))?;
        if let Some(named) = G::preset(self.variant) {
            let what = || differences(self.variant, &named, self.rules);
            expect("rules", named == *self.rules, &what)?;
        }
        let (hand, hands) = (*self.hand, game.hands_per_match());
        expect("hand", hand < hands, &|| {
            format!("a match has hands 0 to {}; there is no hand {hand}", hands - 1)
        })?;
        let (rotation, seats) = (*self.rotation, game.seats());
        expect("rotation", (rotation as usize) < seats, &|| {
            format!("{seats} seats have rotations 0 to {}, not {rotation}", seats - 1)
        })?;
        let named = self.seats.len();
        expect("seats", named == seats, &|| format!("there are {seats} seats; {named} are named"))?;
        Ok(game)
    }

    /// Whether the hand came to these scores.
    ///
    /// # Errors
    /// What it came to instead.
    pub fn check_result(&self, scores: &Scores) -> Result<(), Fault> {
        let right: Vec<i64> = scores.0.iter().map(|&points| points.into()).collect();
        if *self.scores != right {
            let said = shortened(self.scores);
            return Err(Fault::new("scores", format!("the points are {right:?}, not {said}")));
        }
        let winner = scores.winner().map(|seat| seat.0);
        if *self.winner != winner {
            let name = |winner: Option<u8>| winner.map_or("null".to_owned(), |w| w.to_string());
            let (said, winner) = (name(*self.winner), name(winner));
            let what = format!("with the points {right:?} it is {winner}, not {said}");
            return Err(Fault::new("winner", what));
        }
        Ok(())
    }
}

/// The fields in which rules differ from those that their name stands for.
fn differences<R: Serialize>(variant: &str, named: &R, said: &R) -> String {
    let fields = |rules| match serde_json::to_value(rules) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let (named, said) = (fields(named), fields(said));
    let differ = named.iter().filter(|(name, value)| said.get(*name) != Some(value));
    let list: Vec<String> = differ.map(|(name, value)| format!("`{name}` is {value}")).collect();
    format!("in the variant `{variant}`, {}", list.join(", "))
}

/// A value as it was written, cut where it is too long to be read.
pub fn shortened<T: Debug + ?Sized>(value: &T) -> String {
    let text = format!("{value:?}");
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// An option whose key must be there: an absent `winner` would read as a draw.
///
/// # Errors
/// Those of the option.
pub fn required<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
    Option::deserialize(deserializer)
}

/// Makes the record of a game: the fields that stand around every hand, in the order in which they
/// are written, with the game's own ones among them (the first ones before the seats), and what the
/// shared checks read of them.
#[macro_export]
macro_rules! record {
    ($game:ty, $schema:literal, $(#[$hand:meta])* hand,
     $(before seats { $($(#[$early_doc:meta])* $early:ident: $early_kind:ty,)* },)?
     { $($(#[$doc:meta])* $field:ident: $kind:ty,)* }) => {
        /// One hand: a line of `records.jsonl`. Keys that are not known are passed over.
        #[derive(
            Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        #[schemars(rename = $schema)]
        pub struct Record {
            /// The version of this format: 1.
            pub format: u32,
            /// The game's name.
            pub game: String,
            /// The variant's name.
            pub variant: String,
            /// The variant's rules in full.
            #[serde(deserialize_with = "::parlour_base::files::object")]
            pub rules: <$game as $crate::Ruled>::Rules,
            /// The deal's number, from 0.
            pub deal: u64,
            /// The hand's number within its match, from 0.
            $(#[$hand])*
            pub hand: u32,
            /// Which rotation of the strategies over the seats, from 0.
            pub rotation: u32,
            /// The experiment's seed.
            pub seed: u64,
            $($($(#[$early_doc])* pub $early: $early_kind,)*)?
            /// The strategies' names by seat.
            pub seats: Vec<String>,
            $($(#[$doc])* pub $field: $kind,)*
            /// The points, by seat.
            pub scores: Vec<i64>,
            /// The only seat with the most points; null if there are several.
            #[serde(deserialize_with = "::parlour_game::record::required")]
            pub winner: Option<u8>,
        }

        impl Record {
            /// The record of a hand with this label, these scores and these fields of its own, in
            /// their order.
            fn new(
                game: &$game,
                label: &$crate::Label,
                scores: &$crate::Scores,
                ($($($early,)*)? $($field,)*): ($($($early_kind,)*)? $($kind,)*),
            ) -> Record {
                use $crate::Ruled;
                let $crate::Label { variant, deal, hand, rotation, seed, seats } =
                    label.clone();
                Record {
                    format: 1,
                    game: <$game>::NAME.to_owned(),
                    variant,
                    rules: game.rules().clone(),
                    deal,
                    hand,
                    rotation,
                    seed,
                    seats,
                    $($($early,)*)?
                    $($field,)*
                    scores: scores.0.iter().map(|&points| points.into()).collect(),
                    winner: scores.winner().map(|seat| seat.0),
                }
            }

            /// What the shared checks read.
            pub(super) fn head(
                &self,
            ) -> $crate::record::RecordHeader<'_, <$game as $crate::Ruled>::Rules> {
                let Record { format, game, variant, rules, hand, .. } = self;
                let Record { rotation, seats, scores, winner, .. } = self;
                use $crate::record::RecordHeader;
                RecordHeader { format, game, variant, rules, hand, rotation, seats, scores, winner }
            }
        }
    };
}
pub use record;
