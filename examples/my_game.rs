//! A whole game in one file: Kuhn's poker (1950). `cargo run --release --example my_game` puts it
//! through the kit, plays it in the arena and lets a search find out how to play it.
//!
//! Each seat antes a point and holds one card of three or more, all different. The first seat bets
//! a point or passes; who meets a bet calls or folds; a pass may be followed by a bet. The higher
//! card takes the pot.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use parlour::arena::{Experiment, Plan, VariantSpec};
use parlour::chance::Stream;
use parlour::error::{Error, Result};
use parlour::game::{
    Fault, Figure, Game, Label, Measured, Policy, Preset, Recorded, Replay, Ruled, Scores, Seat,
    Turn, kit,
};
use parlour::results::Run;
use parlour::search::{Observers, PolicyPlayout, SearchBot, SearchParts, TreeSearch};
use parlour::strategy::{Player, Strategic};
use parlour::{counts, figures};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What varies: how many cards there are.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Rules {
    cards: u8,
}

/// Kuhn's poker under its rules.
pub struct Kuhn(Rules);

/// The moves so far, the first in the lowest bit, 1 for a bet; and how many they are.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Bets {
    made: u8,
    bets: u8,
}

impl Bets {
    /// Two calls or passes in a row, or a fold after a bet, end the hand.
    fn is_over(self) -> bool {
        self.made == 3 || self.made == 2 && self.bets != 0b10
    }

    /// Whether a seat has bet or called.
    fn of(self, seat: u8) -> bool {
        self.bets & (0b101 << seat) != 0
    }
}

/// The whole truth.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    cards: [u8; 2],
    bets: Bets,
}

/// What a seat knows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct View {
    seat: u8,
    card: u8,
    bets: Bets,
}

/// Passing is folding where a bet was made, betting is calling.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Move {
    /// Neither bet nor call.
    Pass,
    /// Bet a point, or call a bet.
    Bet,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Move::Bet { "bet" } else { "pass" })
    }
}

impl FromStr for Move {
    type Err = &'static str;

    fn from_str(text: &str) -> std::result::Result<Move, &'static str> {
        match text {
            "pass" => Ok(Move::Pass),
            "bet" => Ok(Move::Bet),
            _ => Err("a move is `pass` or `bet`"),
        }
    }
}

impl Game for Kuhn {
    type State = State;
    type View = View;
    type Move = Move;

    fn seats(&self) -> usize {
        2
    }

    fn deal(&self, chance: &mut Stream) -> State {
        let first = chance.below(self.0.cards.into()) as u8;
        let second = (first + 1 + chance.below(u32::from(self.0.cards) - 1) as u8) % self.0.cards;
        State { cards: [first, second], bets: Bets::default() }
    }

    fn turn(&self, state: &State) -> Turn {
        if state.bets.is_over() { Turn::Over } else { Turn::Seat(Seat(state.bets.made & 1)) }
    }

    fn legal_moves(&self, state: &State, out: &mut Vec<Move>) {
        out.clear();
        if !state.bets.is_over() {
            out.extend([Move::Pass, Move::Bet]);
        }
    }

    fn apply(&self, state: &mut State, mv: Move, _: &mut Stream) {
        state.bets.bets |= (mv as u8) << state.bets.made;
        state.bets.made += 1;
    }

    fn scores(&self, state: &State) -> Scores {
        let [first, second] = [0, 1].map(|seat| state.bets.of(seat));
        let wins = if first == second { state.cards[0] > state.cards[1] } else { first };
        let points = if first && second { 2 } else { 1 };
        if wins { Scores::two(points, -points) } else { Scores::two(-points, points) }
    }

    fn view(&self, state: &State, seat: Seat) -> View {
        View { seat: seat.0, card: state.cards[seat.index()], bets: state.bets }
    }

    fn determinize(&self, view: &View, chance: &mut Stream) -> State {
        let other =
            (view.card + 1 + chance.below(u32::from(self.0.cards) - 1) as u8) % self.0.cards;
        let mut cards = [other; 2];
        cards[usize::from(view.seat & 1)] = view.card;
        State { cards, bets: view.bets }
    }

    fn legal_moves_in_view(&self, view: &View, out: &mut Vec<Move>) {
        out.clear();
        if !view.bets.is_over() && view.bets.made & 1 == view.seat {
            out.extend([Move::Pass, Move::Bet]);
        }
    }

    fn max_moves(&self) -> usize {
        3
    }

    fn score_range(&self) -> (i32, i32) {
        (-2, 2)
    }
}

/// What a custom variant changes.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Patch {
    cards: Option<u8>,
}

impl Ruled for Kuhn {
    const NAME: &'static str = "kuhn";
    type Rules = Rules;
    type Patch = Patch;

    fn presets() -> Vec<Preset<Rules>> {
        let three = "Three cards, as Kuhn had it.";
        vec![
            Preset { name: "three", rules: Rules { cards: 3 }, about: three },
            Preset { name: "suit", rules: Rules { cards: 13 }, about: "Thirteen cards." },
        ]
    }

    fn patched(base: &Rules, patch: &Patch) -> Rules {
        Rules { cards: patch.cards.unwrap_or(base.cards) }
    }

    fn new(rules: &Rules) -> Result<Kuhn> {
        match rules.cards {
            2..=52 => Ok(Kuhn(*rules)),
            cards => Err(Error::input(format!("`cards` is {cards}; it must be from 2 to 52"))),
        }
    }

    fn rules(&self) -> &Rules {
        &self.0
    }
}

counts! {
    /// What a finished hand counts.
    pub struct HandCounts { bets, folds }
}

impl Measured for Kuhn {
    type HandStats = u32;
    type HandCounts = HandCounts;
    const FIGURES: &'static [Figure<Kuhn>] = figures! {
        /// Mean bets and calls of a hand.
        bets: "bets a hand" = bets;
        /// Hands that end with a fold.
        folds: "share of hands" = folds, headline;
    };

    fn track_move(&self, moves: &mut u32, _: &State, _: Move) {
        *moves += 1;
    }

    fn counts(&self, _: &u32, end: &State) -> HandCounts {
        let folds = end.bets.of(0) != end.bets.of(1);
        HandCounts { bets: end.bets.bets.count_ones().into(), folds: folds.into() }
    }

    fn turns(&self, moves: &u32) -> u32 {
        *moves
    }

    fn values(&self, end: &State) -> Vec<i64> {
        end.cards.map(i64::from).to_vec()
    }

    fn ending(&self, end: &State) -> &'static str {
        if end.bets.of(0) == end.bets.of(1) { "showdown" } else { "fold" }
    }
}

/// A hand written down.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Record {
    variant: String,
    deal: u64,
    hand: u32,
    rules: Rules,
    cards: [u8; 2],
    moves: Vec<String>,
}

impl Recorded for Kuhn {
    type Record = Record;

    fn record(&self, label: &Label, mut chance: Stream, moves: &[Move]) -> Record {
        Record {
            variant: label.variant.clone(),
            deal: label.deal,
            hand: label.hand,
            rules: self.0,
            cards: self.deal(&mut chance).cards,
            moves: moves.iter().map(ToString::to_string).collect(),
        }
    }

    fn verify(record: &Record) -> std::result::Result<(), Fault> {
        Kuhn::replay(record).map(|_| ())
    }

    fn show(record: &Record) -> std::result::Result<String, Fault> {
        Kuhn::verify(record)?;
        Ok(format!("{:?}: {}", record.cards, record.moves.join(", ")))
    }

    fn replay(record: &Record) -> std::result::Result<Replay<Kuhn>, Fault> {
        let game = Kuhn(record.rules);
        let mut state = State { cards: record.cards, bets: Bets::default() };
        let mut choices = Vec::new();
        for (number, text) in record.moves.iter().enumerate() {
            let wrong = |error: &str| Fault::new(format!("moves[{number}]"), error);
            let mv = text.parse::<Move>().map_err(wrong)?;
            if state.bets.is_over() {
                return Err(wrong("the hand is over"));
            }
            choices.push((state.clone(), mv));
            game.apply(&mut state, mv, &mut parlour::chance::Seed::new(0).stream());
        }
        match state.bets.is_over() {
            true => Ok(Replay { game, choices, written: record.moves.clone(), end: state }),
            false => Err(Fault::new("moves", "the hand is not over")),
        }
    }

    fn place(record: &Record) -> (u64, u32) {
        (record.deal, record.hand)
    }
}

/// Bets with the upper half of the cards, passes with the lower.
#[derive(Clone, Copy)]
struct Honest;

impl Policy<Kuhn> for Honest {
    fn pick(&self, game: &Kuhn, view: &View, _: &mut Stream) -> Move {
        if 2 * view.card >= game.0.cards { Move::Bet } else { Move::Pass }
    }
}

/// The kinds of strategy.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Kind {
    /// Any move.
    Random {},
    /// Bets with the upper half of the cards.
    Honest {},
    /// Tree search over what the seat knows (ISMCTS), so many playouts a move.
    Search {
        /// How many.
        #[schemars(range(min = 1, max = 1_000_000))]
        playouts: u64,
    },
}

impl Strategic for Kuhn {
    type Kind = Kind;
    type Scratch = ();

    fn player(kind: &Kind) -> std::result::Result<Player<'_, Kuhn>, Vec<String>> {
        Ok(match kind {
            Kind::Random {} => Player::random(),
            Kind::Honest {} => Player::policy(Honest),
            &Kind::Search { playouts } => Player::bot(move || {
                let parts = SearchParts::plain(playouts, Arc::new(PolicyPlayout::random()));
                SearchBot(Box::new(TreeSearch::new(2, Observers::Single, parts)))
            }),
        })
    }
}

/// Checks the game and plays it.
pub fn main() -> Result<()> {
    for Preset { name, rules, .. } in Kuhn::presets() {
        let game = Kuhn::new(&rules)?;
        kit::check(&game, 200);
        kit::check_figures(&game, 200);
        kit::check_records(&game, name, 50);
    }
    let experiment = json!({
        "game": "kuhn",
        "strategies": [
            { "name": "random", "kind": "random" },
            { "name": "honest", "kind": "honest" },
            { "name": "search", "kind": "search", "playouts": 200 },
        ],
        "deals": 400,
    });
    let experiment: Experiment<VariantSpec<Patch>> =
        serde_json::from_value(experiment).map_err(|fault| Error::input(fault.to_string()))?;
    let plan = Plan::<Kuhn>::resolve("kuhn", &experiment)?;
    let summary = Run::of(&plan, parlour::PROGRAM).go()?;
    for variant in &summary.variants {
        for row in &variant.standings {
            let score = row.score.map_or("?".to_owned(), |score| score.to_string());
            println!("{} cards: {} scores {score}", variant.variant, row.strategy);
        }
        assert_eq!(variant.standings[0].strategy, "search", "it finds out how to play");
    }
    Ok(())
}
