//! `parlour advise`, and a strategy's opinion of the choices of a recorded hand.

use schemars::SchemaGenerator;
use serde::Deserialize;

use super::{
    Args, Error, GAMES, Library, MoveEstimate, Observation, Output, PathBuf, Result, Seat, Seed,
    Strategic, Strategy, Turn, Value, parse_json, read_text, schema, with_game,
};
use crate::game::{BotFailure, MoveHistory, Replay};
use crate::results::{Grid, Sheet};
use crate::search::SearchResult;
use crate::strategy::{Advice, Candidate, WORKERS, ask};
use crate::viewer::{Adviser, Note};
use crate::{Game, PositionFile};

#[derive(Args, Debug)]
pub(super) struct Advise {
    /// A file with the position as the seat to move sees it (`parlour schema position`; `parlour
    /// replay --position` writes one)
    position: PathBuf,
    /// Who is asked: a name or path [default: champion; in Eleusis bayes]
    #[arg(long)]
    strategy: Option<String>,
    /// What all chance grows from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    output: Output,
}

/// The game that a position names; all else is read once it is known.
#[derive(Deserialize)]
struct Head {
    #[serde(default = "leopard")]
    game: String,
}

/// Positions are of the first game when they do not say.
fn leopard() -> String {
    GAMES[0].to_owned()
}

pub(super) fn run(given: &Advise) -> Result<()> {
    given.output.check()?;
    let text = read_text(&given.position)?;
    let place = given.position.display().to_string();
    let head: Head = parse_json(&place, &text)?;
    with_game!(head.game.as_str(), G => advise::<G>(given, &place, &text))
        .map_err(|error| error.in_field("game").in_file(&place))?
}

fn advise<G: Strategic>(given: &Advise, place: &str, text: &str) -> Result<()> {
    let shown = G::position(place, text).map_err(|error| with_all_missing::<G>(error, text))?;
    let game = &shown.game;
    let asked = given.strategy.as_deref().unwrap_or(G::ADVISER);
    let strategy = Strategy::<G>::load(&Library::strategies(G::NAME), asked)?;
    let seed = Seed::new(given.seed);
    let advice =
        BotFailure::caught(|| Advice::of(game, &strategy, shown.seat, shown.observation(), seed))
            .map_err(|forfeit| failed(&strategy.name, &forfeit))?;
    given.output.give(&advice, || told(&advice).saying(game.how_to_write()))
}

/// That who was asked failed.
pub(super) fn failed(name: &str, BotFailure { fault, said }: &BotFailure) -> Error {
    Error::failed(format!("`{name}` failed ({}): {said}", fault.name()))
}

/// A message on a field that is missing, with all others that are.
fn with_all_missing<G: Strategic>(error: Error, text: &str) -> Error {
    let Ok(Value::Object(said)) = serde_json::from_str(text) else { return error };
    if !error.to_string().contains("missing field") {
        return error;
    }
    let mut generator = SchemaGenerator::default();
    let schema = schema::position::<G>(&mut generator);
    let missing = |form: &Value| -> Vec<String> {
        let required = form["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        required.filter(|name| !said.contains_key(*name)).map(|name| format!("`{name}`")).collect()
    };
    let forms = schema["anyOf"].as_array().into_iter().flatten().map(missing);
    let message = error.to_string();
    let is_meant = |missing: &Vec<String>| {
        missing.len() > 1 && missing.iter().any(|name| message.contains(name.as_str()))
    };
    match forms.filter(is_meant).min_by_key(Vec::len) {
        Some(missing) => error.with_note(&format!("; all that is missing: {}", missing.join(", "))),
        None => error,
    }
}

/// The answer in a sentence, how sure it is, and the candidates.
fn told(advice: &Advice) -> Sheet {
    let Advice { iterations, worlds, allowed, .. } = advice;
    if *iterations == 0 {
        return Sheet::default().saying(advice.in_words());
    }
    let percent = |x: f64| format!("{:.1}", 100.0 * x);
    let row = |Candidate { mv, visits, value, low, high, share }: &Candidate| {
        let (value, interval) = match advice.is_chance {
            true => (
                format!("{} %", percent(*value)),
                format!("{} to {}", percent(*low), percent(*high)),
            ),
            false => (format!("{value:.3}"), format!("{low:.3} to {high:.3}")),
        };
        [mv.clone(), value, interval, visits.to_string(), format!("{:.0} %", 100.0 * share)]
    };
    let value = if advice.is_chance { "chance to win" } else { "mean reward" };
    let heads = ["move", value, "95 % interval", "playouts", "share of worlds"];
    let looked = match advice.moves.len() {
        all if all == *allowed => format!("All {all} moves allowed were looked at"),
        some => format!(
            "{some} of {allowed} moves allowed were looked at, those that its guide likes best"
        ),
    };
    let looked = format!(
        "{looked}, in {iterations} playouts over {worlds} imagined hands ({WORKERS} searches of their own, put together; at a table it is one). The {value} is to the seat that moves."
    );
    Sheet::default()
        .saying(advice.in_words())
        .showing(Grid::of(1, heads, advice.moves.iter().map(row)))
        .saying(looked)
}

/// What a strategy makes of each choice between several moves, knowing what that seat knew.
pub(super) fn adviser<G: Strategic>(
    replay: &Replay<G>,
    strategy: &Strategy<G>,
    seed: Seed,
) -> Adviser {
    let Replay { game, choices, .. } = replay;
    let mut notes: Vec<Note> = Vec::new();
    let mut past: Vec<(Seat, G::Move)> = Vec::new();
    let mut told = MoveHistory::new(game);
    let mut options = Vec::new();
    for (at, (before, mv)) in choices.iter().enumerate() {
        let Turn::Seat(seat) = game.turn(before) else { break };
        let view = game.view(before, seat);
        game.legal_moves_in_view(&view, &mut options);
        if options.len() > 1 {
            let observation = Observation { view: &view, past: told.visible_to(seat, &past) };
            let findings = ask(game, strategy, seat, observation, seed.child(at as u64));
            let best = findings.best().filter(|_| findings.iterations == 0);
            let opinion = best.and_then(|best| game.explain(&strategy.spec, &view, best));
            let why = opinion.map(|opinion| opinion.in_words());
            notes.extend(note(game, at, *mv, &findings).map(|note| Note { why, ..note }));
        }
        told.record(game, before, seat, *mv);
        past.push((seat, *mv));
    }
    let is_chance =
        G::search_config(&strategy.spec).is_some_and(|search| search.counts_wins_alone());
    Adviser { name: strategy.name.clone(), is_chance, notes }
}

fn note<G: Game>(
    game: &G,
    at: usize,
    made: G::Move,
    findings: &SearchResult<G::Move>,
) -> Option<Note> {
    let best = findings.moves.first()?;
    let did = findings.moves.iter().find(|finding| finding.mv == made);
    let value = |finding: &MoveEstimate<G::Move>| (finding.visits > 0).then(|| finding.value());
    let mark = match did {
        Some(did) if did.mv == best.mv => "",
        Some(did) if did.visits > 0 && best.visits > 0 => {
            mark(best.value() - did.value(), best.half_width() + did.half_width())
        }
        _ => "other",
    };
    let (value, best_value) = (did.and_then(value), value(best));
    Some(Note { at, best: game.notation(best.mv), value, best_value, mark, why: None })
}

/// A table with a row for each choice between several moves: what was done, what the strategy
/// would have done knowing what that seat knew, and what it makes of both.
pub(super) fn comments<G: Strategic>(replay: &Replay<G>, adviser: &Adviser) -> Sheet {
    let Adviser { name, notes, .. } = adviser;
    let heads = ["choice", "seat", "did", &format!("{name} would"), "value", "its value", ""];
    let (mut agreed, mut lost) = (0, 0.0);
    let row = |note: &Note| {
        let (before, mv) = &replay.choices[note.at];
        let seat = match replay.game.turn(before) {
            Turn::Seat(seat) => seat.0.to_string(),
            Turn::Over => String::new(),
        };
        let value =
            |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
        let did = replay.game.notation(*mv);
        agreed += usize::from(did == note.best);
        let cost = note.best_value.zip(note.value).map_or(0.0, |(best, did)| best - did);
        lost += cost.max(0.0);
        let (at, best) = ((note.at + 1).to_string(), note.best.clone());
        [at, seat, did, best, value(note.value), value(note.best_value), note.mark.to_owned()]
    };
    let rows: Vec<[String; 7]> = notes.iter().map(row).collect();
    let same = format!("{name} would have done the same in {agreed} of {} choices.", notes.len());
    let said = match notes.iter().any(|note| note.best_value.is_some()) {
        false => {
            format!("{same} `other` marks the others. It tells its move alone, no values.")
        }
        true => format!(
            "{same} The others cost {lost:.2} together, as far as they were tried. `?` marks a move that \
             costs more than doubt allows, `??` one that costs over 0.05 as well, `other` one that was not \
             tried. A value is a mean reward to the seat that chose."
        ),
    };
    // Where it can say why, the choices that it would have made otherwise.
    let others = notes.iter().filter(|note| note.mark == "other");
    let why =
        |note: &Note| Some(format!("Choice {}: {name} {}", note.at + 1, own(note.why.as_ref()?)));
    let sheet = Sheet::default().showing(Grid::of(4, heads, rows)).saying(said);
    others.filter_map(why).fold(sheet, Sheet::saying)
}

/// Without the `It` that a sentence begins with.
fn own(why: &str) -> &str {
    why.strip_prefix("It ").unwrap_or(why)
}

/// How a move that costs so much is marked, as chess players mark theirs; `doubt` is how far both
/// values are uncertain.
fn mark(cost: f64, doubt: f64) -> &'static str {
    match cost {
        _ if cost <= doubt => "",
        _ if cost <= 0.05 => "?",
        _ => "??",
    }
}

/// The position of a choice, from 1, as the seat to move saw it.
pub(super) fn position<G: Strategic>(
    replay: &Replay<G>,
    number: usize,
) -> Result<PositionFile<G::Patch, G::View>> {
    let Replay { game, choices, .. } = replay;
    let (mut past, mut told) = (Vec::new(), MoveHistory::new(game));
    for (index, (before, mv)) in choices.iter().enumerate() {
        let Turn::Seat(seat) = game.turn(before) else { break };
        if index + 1 == number {
            let view = game.view(before, seat);
            return Ok(PositionFile::of(game, &view, told.visible_to(seat, &past)));
        }
        told.record(game, before, seat, *mv);
        past.push((seat, *mv));
    }
    let what = format!("the hand has {} choices; `--position` is {number}", choices.len());
    Err(Error::input(what))
}
