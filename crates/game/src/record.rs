//! Records of hands, and their replay under the rules.

use std::fmt::Debug;

use schemars::{Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::{Game, MoveHistory, Position, PositionFile, Ruled, Scores, Seat, Turn, read_position};
use parlour_base::chance::Stream;
use parlour_base::error::{Fault, ensure};

/// The identification of a hand in its record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Name of the variant.
    pub variant: String,
    /// Number of the deal, from 0.
    pub deal: u64,
    /// Number of the hand within its match, from 0.
    pub hand: u32,
    /// Rotation of the strategies over the seats, from 0.
    pub rotation: u32,
    /// Seed of the experiment.
    pub seed: u64,
    /// Names of the strategies by seat.
    pub seats: Vec<String>,
}

/// States with the moves made in them.
pub type Choices<G> = Vec<(<G as Game>::State, <G as Game>::Move)>;

/// A replayed record.
#[derive(Clone, Debug)]
pub struct Replay<G: Game> {
    /// The game as a bot would have got it.
    pub game: G,
    /// The choices in order. Several moves recorded as one are represented by the first.
    pub choices: Choices<G>,
    /// The recorded text of each choice.
    pub written: Vec<String>,
    /// The final state.
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

/// A game with records of its hands.
pub trait Recorded: Ruled {
    /// A line of `records.jsonl`.
    type Record: Serialize + DeserializeOwned + schemars::JsonSchema;

    /// Records a hand from the random stream before the deal, its moves and its final state. The
    /// dealer may have [chosen the setup](crate::Bot::choose_setup).
    fn record(
        &self,
        label: &Label,
        chance: Stream,
        moves: &[Self::Move],
        end: &Self::State,
    ) -> Self::Record;

    /// Replays a record under its own rules.
    ///
    /// # Errors
    /// The first difference from the rules.
    fn verify(record: &Self::Record) -> Result<(), Fault>;

    /// The hand as a text, move by move.
    ///
    /// # Errors
    /// As [`verify`](Recorded::verify), at the first move that cannot be shown.
    fn show(record: &Self::Record) -> Result<String, Fault>;

    /// The game of a record and its choices in order.
    ///
    /// # Errors
    /// As [`verify`](Recorded::verify), at the first move that cannot be made.
    fn replay(record: &Self::Record) -> Result<Replay<Self>, Fault>;

    /// Reads a position of the seat to move: a [`PositionFile`], or another form of the game.
    ///
    /// # Errors
    /// The faults of the file with their places.
    fn position(file: &str, text: &str) -> parlour_base::error::Result<Position<Self>> {
        read_position(file, text)
    }

    /// The JSON Schema of the files that [`position`](Recorded::position) reads.
    fn position_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<PositionFile<Self::Patch, Self::View>>()
    }
}

/// The fields of a record that all games share.
#[derive(Clone, Copy, Debug)]
pub struct RecordHeader<'a, R> {
    /// Version of the format.
    pub format: &'a u32,
    /// Name of the game.
    pub game: &'a String,
    /// Name of the variant.
    pub variant: &'a String,
    /// Complete rules of the variant.
    pub rules: &'a R,
    /// Number of the hand within its match, from 0.
    pub hand: &'a u32,
    /// Rotation of the strategies over the seats, from 0.
    pub rotation: &'a u32,
    /// Names of the strategies by seat.
    pub seats: &'a Vec<String>,
    /// Points by seat.
    pub scores: &'a Vec<i64>,
    /// The only seat with the most points.
    pub winner: &'a Option<u8>,
}

impl<R: PartialEq + Serialize> RecordHeader<'_, R> {
    /// Checks everything before the cards and returns the game.
    ///
    /// # Errors
    /// The first fault.
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

    /// Checks the recorded scores and winner.
    ///
    /// # Errors
    /// The correct result.
    pub fn check_result(&self, scores: &Scores) -> Result<(), Fault> {
        let right: Vec<i64> = scores.0.iter().map(|&points| points.into()).collect();
        ensure(*self.scores == right, || {
            let said = shortened(self.scores);
            Fault::new("scores", format!("the points are {right:?}, not {said}"))
        })?;
        let winner = scores.winner().map(|seat| seat.0);
        ensure(*self.winner == winner, || {
            let name = |winner: Option<u8>| winner.map_or("null".to_owned(), |w| w.to_string());
            let (said, winner) = (name(*self.winner), name(winner));
            Fault::new("winner", format!("with the points {right:?} it is {winner}, not {said}"))
        })
    }
}

/// Lists the fields that differ from the rules of a named variant.
fn differences<R: Serialize>(variant: &str, named: &R, said: &R) -> String {
    let (named, said) = (json!(named), json!(said));
    let fields = named.as_object().into_iter().flatten();
    let differ = fields.filter(|(name, value)| said.get(name) != Some(value));
    let list: Vec<String> = differ.map(|(name, value)| format!("`{name}` is {value}")).collect();
    format!("in the variant `{variant}`, {}", list.join(", "))
}

/// The debug form of a value, cut after 60 characters.
pub fn shortened<T: Debug + ?Sized>(value: &T) -> String {
    let text = format!("{value:?}");
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Adds the field `winner`, which may be null, to the required fields of a record's schema.
pub fn require_winner(schema: &mut Schema) {
    let required = schema.get_mut("required").and_then(serde_json::Value::as_array_mut);
    required.into_iter().for_each(|fields| fields.push("winner".into()));
}

/// Defines the record of a game, with the shared fields and those of the game. Fields of the group
/// `before seats` come before the seats, the others after them.
#[macro_export]
macro_rules! record {
    ($game:ty, $schema:literal, $(#[$hand:meta])* hand,
     $(before seats { $($(#[$early_doc:meta])* $early:ident: $early_kind:ty,)* },)?
     { $($(#[$doc:meta])* $field:ident: $kind:ty,)* }) => {
        /// A hand: one line of `records.jsonl`. Unknown keys are ignored.
        #[derive(
            Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        #[schemars(rename = $schema)]
        #[schemars(transform = $crate::record::require_winner)]
        pub struct Record {
            /// Version of this format: 1.
            pub format: u32,
            /// Name of the game.
            pub game: String,
            /// Name of the variant.
            pub variant: String,
            /// Complete rules of the variant.
            #[serde(deserialize_with = "::parlour_base::files::object")]
            pub rules: <$game as $crate::Ruled>::Rules,
            /// Number of the deal, from 0.
            pub deal: u64,
            /// Number of the hand within its match, from 0.
            $(#[$hand])*
            pub hand: u32,
            /// Rotation of the strategies over the seats, from 0.
            pub rotation: u32,
            /// Seed of the experiment; at a table of people, of the hand.
            pub seed: u64,
            $($($(#[$early_doc])* pub $early: $early_kind,)*)?
            /// Names of the strategies by seat.
            pub seats: Vec<String>,
            $($(#[$doc])* pub $field: $kind,)*
            /// Points by seat.
            pub scores: Vec<i64>,
            /// The only seat with the most points; null if there are several.
            // The key must exist: a record without it would look like a draw.
            #[serde(deserialize_with = "serde::Deserialize::deserialize")]
            pub winner: Option<u8>,
            /// Number of times that people took moves back; missing if they never did.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub taken_back: Option<u32>,
            /// Seats of people that got advice; missing if none did.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub advised: Option<Vec<u8>>,
        }

        impl Record {
            /// Creates the record from a label, the scores and the game's own fields in their
            /// order.
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
                    // The table that knows them adds them.
                    taken_back: None,
                    advised: None,
                }
            }

            /// The fields for the shared checks.
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
