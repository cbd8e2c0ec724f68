//! Records of hands, one per line of a file: `parlour verify` and `parlour replay`. A hand that breaks the
//! rules is a failure (status 1), a line that is no record is bad input (2).

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::job::Threads;
use super::output::{
    Output, exit_stopped, on_interrupt, print, print_json, refuse_to_overwrite, width,
};
use crate::arena::Head;
use crate::chance::Seed;
use crate::error::{Error, Fault, Kind, Result, ensure, unknown};
use crate::files::{Lines, TextLine, parse_json_line, write_atomic};
use crate::game::Seat;
use crate::games::{AnyRecord, GAMES, game};
use crate::results::{TextReport, TextTable};
use crate::search::Comparison;
use crate::table::PERSON;
use crate::viewer::{self, Adviser, Hand, Note};

#[derive(Args, Debug)]
pub(super) struct Verify {
    /// Files of records, one line per hand
    #[arg(required = true)]
    records: Vec<PathBuf>,
    #[command(flatten)]
    output: Output,
}

/// The records that follow the rules: all, or those before the first that does not.
#[derive(Serialize, JsonSchema)]
pub(super) struct Verification {
    /// The number of these hands. Unit: hands.
    hands: usize,
    /// The files, in the order of the arguments.
    files: Vec<VerifiedFile>,
    /// The first record that breaks the rules, with its place.
    broken: Option<String>,
}

/// A file with the number of its records that follow the rules.
#[derive(Serialize, JsonSchema)]
struct VerifiedFile {
    /// The file.
    file: PathBuf,
    /// The hands in it. Unit: hands.
    hands: usize,
}

pub(super) fn verify(args: &Verify) -> Result<()> {
    let mut verified = Verification { hands: 0, files: Vec::new(), broken: None };
    for path in &args.records {
        let mut hands = 0;
        let read = each_record(path, None, |line| {
            line.check(line.record.verify())?;
            hands += 1;
            Ok(())
        });
        verified.hands += hands;
        verified.files.push(VerifiedFile { file: path.clone(), hands });
        match read {
            Err(error) if error.kind() == Kind::Failed && args.output.json => {
                verified.broken = Some(error.to_string());
                args.output.give(&verified, TextReport::default)?;
                return Err(error);
            }
            read => read?,
        };
        ensure(hands > 0, || {
            Error::input("the file has no records").in_file(&path.display().to_string())
        })?;
    }
    let hands = match verified.hands {
        1 => "1 hand follows".to_owned(),
        hands => format!("{hands} hands follow"),
    };
    args.output.give(&verified, || TextReport::default().paragraph(format!("{hands} the rules.")))
}

/// A record and its place.
pub(super) struct RecordLine {
    pub file: String,
    number: usize,
    /// Number of the hand in the file, from 1.
    pub hand: usize,
    text: String,
    record: Box<dyn AnyRecord>,
}

/// The fields of a record around the play that all games share.
#[derive(Clone, Deserialize)]
pub(super) struct RecordHead {
    pub game: String,
    pub variant: String,
    pub deal: u64,
    pub seed: u64,
    pub seats: Vec<String>,
    scores: Vec<i64>,
    winner: Option<u8>,
}

impl RecordHead {
    /// Returns `true` if this player sat at the table and another one won.
    pub fn is_lost_by(&self, player: &str) -> bool {
        let winner = self.winner.and_then(|seat| self.seats.get(usize::from(seat)));
        self.seats.iter().any(|seat| seat == player) && winner.is_some_and(|it| it != player)
    }
}

impl RecordLine {
    pub fn head(&self) -> Result<RecordHead> {
        parse_json_line(&self.file, self.number, &self.text)
    }

    /// The result of a replay. An unknown format is bad input; a hand that breaks the rules is the
    /// failure that a reader of records looks for.
    fn check<T>(&self, replayed: std::result::Result<T, Fault>) -> Result<T> {
        replayed.map_err(|fault: Fault| {
            let is_format = fault.place.part.as_deref() == Some("format");
            let error = if is_format { Error::input(fault) } else { Error::failed(fault) };
            error.on_line(&self.file, self.number)
        })
    }
}

/// Calls `each` with every record of a file, or with record `only`, counted from 1; returns the
/// number of records in the file.
pub(super) fn each_record(
    path: &Path,
    only: Option<usize>,
    mut each: impl FnMut(RecordLine) -> Result<()>,
) -> Result<usize> {
    let (file, mut count) = (path.display().to_string(), 0);
    // The longest hand of any game takes 0.1 MB.
    ensure(path.extension().is_none_or(|kind| kind != "parquet"), || {
        let fault = "it is Parquet, and this command reads JSON lines; run with `--format text`";
        Error::input(fault).in_file(&path.display().to_string())
    })?;
    for line in Lines::open(path, 1, "record of a hand")? {
        let TextLine { number, text, .. } = line?;
        if text.trim().is_empty() {
            continue;
        }
        count += 1;
        if only.is_none_or(|only| only == count) {
            let name = game_name(&file, number, &text)?;
            let game = game(&name).map_err(|error| error.on_line(&file, number))?;
            let record = (game.record)(&file, number, &text)?;
            each(RecordLine { file: file.clone(), number, hand: count, text, record })?;
        }
    }
    Ok(count)
}

/// The game that a record names.
fn game_name(file: &str, number: usize, text: &str) -> Result<String> {
    // The program's own records name it first; then the rest of the line need not be parsed.
    let usual = text.strip_prefix("{\"format\":1,\"game\":\"");
    match usual.and_then(|rest| rest.split_once('"')) {
        Some((game, _)) if GAMES.contains(&game) => Ok(game.to_owned()),
        _ => parse_json_line::<Head>(file, number, text).map(|head| head.game),
    }
}

#[derive(Args, Debug)]
pub(super) struct Replay {
    /// File of records, one line per hand
    records: PathBuf,
    /// Number of the hand in the file, from 1
    #[arg(long, default_value_t = 1)]
    hand: usize,
    /// List the hands that this player lost
    #[arg(long, value_name = "NAME", conflicts_with_all = ["hand", "position", "advise", "html"])]
    lost_by: Option<String>,
    /// Strategy that comments on each choice: a name or path
    #[arg(long)]
    advise: Option<String>,
    /// Write a self-contained page that steps through the hand
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    html: Option<PathBuf>,
    /// Overwrite an existing page
    #[arg(long, requires = "html")]
    replace: bool,
    /// Print only the position before choice N, from 1, for `parlour advise`
    #[arg(long, value_name = "N", conflicts_with = "advise")]
    position: Option<usize>,
    /// Random seed of the comments
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(super) fn replay(args: &Replay) -> Result<()> {
    refuse_page(args.html.as_deref(), args.replace)?;
    if let Some(player) = &args.lost_by {
        return list_lost(args, player);
    }
    let hands = each_record(&args.records, Some(args.hand), |line| show(args, &line))?;
    if (1..=hands).contains(&args.hand) {
        return Ok(());
    }
    let what = format!("the file has {hands} hands; `--hand` is {}", args.hand);
    Err(Error::input(what).in_file(&args.records.display().to_string()))
}

fn show(args: &Replay, line: &RecordLine) -> Result<()> {
    let record = &line.record;
    if let Some(number) = args.position {
        let replay = line.check(record.replay())?;
        let position = number.checked_sub(1).and_then(|choice| replay.position(choice));
        return print_json(&position.ok_or_else(|| {
            let choices = replay.moves().len();
            Error::input(format!("the hand has {choices} choices; `--position` is {number}"))
        })?);
    }
    let mut comments = None;
    if let Some(strategy) = &args.advise {
        on_interrupt(|| exit_stopped())?;
        comments = Some(evaluate(line, strategy, args.seed, Threads::default(), true)?);
    }
    if let Some(page) = &args.html {
        let hand = page_hand(line, comments.map(|(_, adviser)| adviser))?;
        write_atomic(page, viewer::page(&hand.title.clone(), &[hand]))?;
        print(format!("Page: {}", page.display()))?;
        return line.check(record.verify());
    }
    let mut text = line.check(record.show())?;
    if let Some((moves, adviser)) = comments {
        let comments = report(&moves, &adviser).on_screen(width());
        text = format!("{}\n\n{comments}", text.trim_end_matches('\n'));
    }
    print(text)?;
    // The hand may break the rules at its end, after all that was shown.
    line.check(record.verify())
}

/// Lists the hands that a player lost.
fn list_lost(args: &Replay, player: &str) -> Result<()> {
    let (mut rows, mut players) = (Vec::new(), BTreeSet::new());
    let all = each_record(&args.records, None, |line| {
        let head = line.head()?;
        players.extend(head.seats.clone());
        if head.is_lost_by(player) {
            let points: Vec<String> = head.scores.iter().map(ToString::to_string).collect();
            rows.push([head.seats.join(", "), points.join(" : "), line.hand.to_string()]);
        }
        Ok(())
    })?;
    known_player(player, &players)?;
    let lost = format!("{player} lost {} of {all} hands.", rows.len());
    let table = TextTable::of(2, ["seats", "points", "hand"], rows);
    print(TextReport::default().table(table).paragraph(lost).on_screen(width()))
}

/// Refuses a player that plays in none of the hands.
pub(super) fn known_player(player: &str, players: &BTreeSet<String>) -> Result<()> {
    let known = players.iter().map(String::as_str);
    ensure(players.contains(player), || Error::input(unknown("player", player, known)))
}

/// A hand for a page.
pub(super) fn page_hand(line: &RecordLine, adviser: Option<Adviser>) -> Result<Hand> {
    let file = Path::new(&line.file).file_name().unwrap_or_default().to_string_lossy();
    let title = format!("Hand {} of {file}", line.hand);
    Ok(Hand { title, replay: line.check(line.record.replay_view())?, adviser })
}

/// The moves of a hand, and the notes of a strategy on them. The curve of a page shows the chances of a
/// person, or of the first seat.
pub(super) fn evaluate(
    line: &RecordLine,
    strategy: &str,
    seed: u64,
    threads: Threads,
    all_values: bool,
) -> Result<(Vec<(Seat, String)>, Adviser)> {
    let replay = line.check(line.record.replay())?;
    // The same notes whether the hand is reviewed alone or with others.
    let seed = Seed::new(seed).child(line.hand as u64);
    let mut adviser = replay.evaluate(strategy, all_values, seed, threads.for_pool())?;
    let person = line.head()?.seats.iter().position(|name| name == PERSON);
    adviser.seat = person.unwrap_or(0);
    Ok((replay.moves(), adviser))
}

/// A table of the choices between several moves: the move played, the adviser's move, the chance to
/// win after both, and the loss.
fn report(moves: &[(Seat, String)], adviser: &Adviser) -> TextReport {
    let Adviser { name, notes, .. } = adviser;
    let heads = ["choice", "seat", "played", name, "chance", "best", "loss"];
    let percent = |x: f64| format!("{:.1} %", 100.0 * x);
    let row = |note: &Note| {
        let (seat, played) = &moves[note.at];
        let [at, seat] = [(note.at + 1).to_string(), seat.0.to_string()];
        let numbers = match &note.values {
            Some(values) => [percent(values.played), percent(values.best), loss(values)],
            None => ["–"; 3].map(str::to_owned),
        };
        let [chance, best, loss] = numbers;
        let played = format!("{played} {}", note.mark).trim_end().to_owned();
        [at, seat, played, note.best.clone(), chance, best, loss]
    };
    let rows: Vec<[String; 7]> = notes.iter().map(row).collect();
    let agreed = notes.iter().filter(|note| note.best == moves[note.at].1).count();
    let agrees = format!("{name} agrees with {agreed} of {} choices.", notes.len());
    let summary = match notes.iter().all(|note| note.values.is_some()) {
        false => format!("{agrees} It gives a move but no evaluation; `other` marks other moves."),
        true => format!("{agrees} {LOSSES}"),
    };
    let reason = |note: &Note| {
        let why = note.why.as_ref().filter(|_| note.best != moves[note.at].1)?;
        // The reasons begin with "It".
        let why = why.strip_prefix("It ").unwrap_or(why);
        Some(format!("Choice {}: {name} {why}", note.at + 1))
    };
    let sheet = TextReport::default().table(TextTable::of(4, heads, rows)).paragraph(summary);
    notes.iter().filter_map(reason).fold(sheet, TextReport::paragraph)
}

/// The meaning of a loss and its mark.
pub(super) const LOSSES: &str = "A loss is in percentage points of the chance to win, with its 95 % \
    interval (without ±, exact); both moves are played out in the same sampled worlds. A clear loss of at least 2 points is \
    marked `?!`, of at least 5 `?`, of at least 10 `??`.";

/// The loss of a move in percentage points with half its interval.
pub(super) fn loss(values: &Comparison) -> String {
    let loss = format!("{:.1}", 100.0 * values.loss()).replace('-', "−");
    match values.half_width {
        0.0 => loss,
        half => format!("{loss} ± {:.1}", 100.0 * half),
    }
}

/// Refuses a page that exists without `--replace`, and a file that is no page.
pub(super) fn refuse_page(page: Option<&Path>, replace: bool) -> Result<()> {
    let Some(page) = page else { return Ok(()) };
    refuse_to_overwrite(page, replace)?;
    ensure(!page.is_file() || is_page(page), || {
        Error::input(format!("{} is no page; name another file", page.display()))
    })
}

/// Returns `true` if a file begins as an HTML page.
fn is_page(file: &Path) -> bool {
    let mut start = [0; 9];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start.eq_ignore_ascii_case(b"<!doctype")
}
