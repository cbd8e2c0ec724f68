//! A complete game in one file: Kuhn's poker (1950). `cargo run --release --example my_game` runs the
//! test kit, plays an experiment in which a search learns the game, and opens the game as an
//! environment for machine learning.
//!
//! Each seat antes a point and holds one of three or more different cards. The first seat bets a point
//! or passes. A seat that faces a bet calls or folds. After a pass the other seat may bet. The higher
//! card wins the pot.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use parlour::arena::{Experiment, Plan, VariantSpec};
use parlour::chance::Stream;
use parlour::environment::{self, Reward};
use parlour::error::{Error, Result};
use parlour::files::write_atomic;
use parlour::game::network::Network;
use parlour::game::{
    ActionGroup, Encoded, Fault, Figure, Game, Label, Measured, Plane, Policy, Preset, Recorded,
    Replay, Ruled, Scores, Seat, Turn, kit,
};
use parlour::games::learn::{Learner, LearnerOptions};
use parlour::maths::exp;
use parlour::results::Run;
use parlour::search::{Observers, PolicyPlayout, Search, SearchParts};
use parlour::strategy::{Player, Strategic};
use parlour::{counts, figures};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Rules of a variant: the number of cards.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Rules {
    cards: u8,
}

/// Kuhn's poker under some rules.
#[derive(Clone)]
pub struct Kuhn(Rules);

/// Number of moves so far, and a bit for each, the first one lowest: 1 for a bet.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Bets {
    made: u8,
    bets: u8,
}

impl Bets {
    /// Returns `true` after two passes, a call or a fold.
    fn is_over(self) -> bool {
        self.made == 3 || self.made == 2 && self.bets != 0b10
    }

    /// Returns `true` if a seat has bet or called.
    fn of(self, seat: u8) -> bool {
        self.bets & (0b101 << seat) != 0
    }
}

/// Complete state of a hand.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct State {
    cards: [u8; 2],
    bets: Bets,
}

/// View of a seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct View {
    seat: u8,
    card: u8,
    bets: Bets,
}

/// A choice. After a bet, passing means folding and betting means calling.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Move {
    /// Pass or fold.
    Pass,
    /// Bet a point, or call.
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

/// Changes of a custom variant.
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
    /// Counts of a finished hand.
    pub struct HandCounts { bets, folds }
}

impl Measured for Kuhn {
    type HandStats = u32;
    type HandCounts = HandCounts;
    const FIGURES: &'static [Figure<Kuhn>] = figures! {
        /// Mean number of bets and calls.
        bets: "bets per hand" = bets;
        /// Share of hands that end with a fold.
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

/// A recorded hand.
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

    fn record(&self, label: &Label, mut chance: Stream, moves: &[Move], _: &State) -> Record {
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
            choices.push((state, mv));
            game.apply(&mut state, mv, &mut parlour::chance::Seed::new(0).stream());
        }
        match state.bets.is_over() {
            true => Ok(Replay { game, choices, written: record.moves.clone(), end: state }),
            false => Err(Fault::new("moves", "the hand is not over")),
        }
    }
}

impl Encoded for Kuhn {
    fn planes(&self) -> Vec<Plane> {
        vec![
            Plane::new("card", [52], 1, "1 for the own card"),
            Plane::new("first", [1], 1, "1 for the seat that moves first"),
            Plane::new("moves", [1], 3, "number of moves so far"),
            Plane::new("bets", [3], 1, "for each move so far, 1 if it was a bet"),
        ]
    }

    fn actions(&self) -> Vec<ActionGroup> {
        vec![ActionGroup::new("move", 2, "pass, then bet")]
    }

    fn observe(&self, view: &View, out: &mut [u8]) {
        let bit = |number: u8| view.bets.bets >> number & 1;
        out[..52].fill(0);
        out[usize::from(view.card)] = 1;
        out[52..].copy_from_slice(&[1 - view.seat, view.bets.made, bit(0), bit(1), bit(2)]);
    }

    fn action_of(&self, mv: Move) -> Option<usize> {
        Some(mv as usize)
    }

    fn move_of(&self, action: usize) -> Option<Move> {
        [Move::Pass, Move::Bet].get(action).copied()
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
    /// A random move.
    Random {},
    /// Bets with the upper half of the cards.
    Honest {},
    /// Information-set tree search (ISMCTS).
    Search {
        /// Playouts for each move.
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
                let policy = Arc::new(PolicyPlayout::random());
                Search::new(SearchParts::plain(Observers::Single, playouts, policy))
            }),
        })
    }
}

/// Learns to play by self-play as `parlour learn` does, and returns the network as a strategy.
///
/// # Errors
/// If its file cannot be written or read.
pub fn learn(game: &Kuhn, hands: u64) -> Result<Network> {
    let options =
        LearnerOptions { units: 64, reward: Reward::Points, mixed: true, ..Default::default() };
    let mut learner = Learner::new(vec![game.clone()], Vec::new(), options);
    while learner.hands() < hands {
        learner.round(hands);
    }
    let file = std::env::temp_dir().join(format!("kuhn-{}.safetensors", std::process::id()));
    write_atomic(&file, learner.file()?)?;
    let strategy = json!({ "file": &file, "mixed": true });
    let network = serde_json::from_value(strategy).map_err(|fault| Error::input(fault.to_string()));
    _ = std::fs::remove_file(file);
    network
}

/// Returns the points that the best opponent wins a hand from a network, mean of both seats: 0 for an
/// equilibrium. Three cards.
pub fn exploitability(game: &Kuhn, network: &Network) -> f64 {
    let bets = |view: &View| {
        let mut scores = Vec::new();
        network.score_moves(game, view, &[Move::Pass, Move::Bet], &mut scores);
        1.0 / (1.0 + exp(f64::from(scores[0] - scores[1])))
    };
    let deals = (0..9).map(|deal| [deal / 3, deal % 3]).filter(|[first, second]| first != second);
    let deals: Vec<[u8; 2]> = deals.collect();
    let best = [0, 1].map(|seat| {
        // Each seat has six views in which it moves; a bit of the opponent says that it bets.
        let points = (0..64_u8).map(|opponent| {
            let bit = |view: &View| 2 * view.card + (view.bets.made / 2).max(view.bets.bets & 1);
            let chance = |view: &View| match view.seat == seat {
                true => f64::from(opponent >> bit(view) & 1),
                false => bets(view),
            };
            let of = |cards: &[u8; 2]| {
                mean_points(game, &State { cards: *cards, bets: Bets::default() }, seat, &chance)
            };
            deals.iter().map(of).sum::<f64>() / deals.len() as f64
        });
        points.fold(f64::NEG_INFINITY, f64::max)
    });
    (best[0] + best[1]) / 2.0
}

/// Returns the mean points of a seat if both seats bet with these probabilities.
fn mean_points(game: &Kuhn, state: &State, seat: u8, bets: &impl Fn(&View) -> f64) -> f64 {
    let Turn::Seat(to_move) = game.turn(state) else {
        return f64::from(game.scores(state).0[usize::from(seat)]);
    };
    let probability = bets(&game.view(state, to_move));
    let after = |mv: Move, share: f64| {
        let mut after = *state;
        game.apply(&mut after, mv, &mut parlour::Seed::new(0).stream());
        share * mean_points(game, &after, seat, bets)
    };
    after(Move::Pass, 1.0 - probability) + after(Move::Bet, probability)
}

/// Checks the game, plays an experiment, and steps through a hand as an environment.
pub fn main() -> Result<()> {
    for Preset { name, rules, .. } in Kuhn::presets() {
        let game = Kuhn::new(&rules)?;
        kit::check(&game, 200);
        kit::check_figures(&game, 200);
        kit::check_records(&game, name, 50);
        kit::check_encoded(&game, 50);
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
    let experiment: Experiment<VariantSpec> =
        serde_json::from_value(experiment).map_err(|fault| Error::input(fault.to_string()))?;
    let plan = Plan::<Kuhn>::resolve("kuhn", &experiment)?;
    let summary = Run::of(&plan, parlour::PROGRAM).go()?;
    for variant in &summary.variants {
        for row in &variant.standings {
            let score = row.score.map_or("?".to_owned(), |score| score.to_string());
            println!("{} cards: {} scores {score}", variant.variant, row.strategy);
        }
        assert_eq!(variant.standings[0].strategy, "search", "the search learns the game");
    }
    let game = Kuhn(Rules { cards: 3 });
    let lost = exploitability(&game, &learn(&game, 200_000)?);
    println!("after 200,000 hands of self-play the best opponent wins {lost:.3} points a hand");
    assert!(lost < 0.05, "the network learns the game");
    let mut table = environment::open::<Kuhn>("three", Reward::Points)?;
    while let Some(action) = table.sample() {
        table.step(action)?;
    }
    println!("a random hand as an environment: {:?}", table.rewards());
    Ok(())
}
