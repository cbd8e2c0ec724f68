//! Records of hands, one per line of a file: `parlour verify` and `parlour replay`. A hand that breaks the
//! rules is a failure (status 1), a line that is no record is bad input (2).

use std::fs::File;
use std::io::{IsTerminal, Read, stdin, stdout};
use std::path::{Path, PathBuf};

use clap::Args;
use console::{Key, Term};
use schemars::JsonSchema;
use serde::Serialize;

use super::output::{
    Output, exit_stopped, on_interrupt, print, print_json, refuse_to_overwrite, to_locale, width,
};
use crate::arena::Head;
use crate::chance::Seed;
use crate::error::{Error, Fault, Kind, Result, ensure};
use crate::files::{Lines, TextLine, parse_json_line, write_atomic};
use crate::game::Seat;
use crate::games::{AnyRecord, GAMES, game};
use crate::results::{TextReport, TextTable};
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
struct RecordLine<'a> {
    file: &'a str,
    number: usize,
    /// The record.
    record: Box<dyn AnyRecord>,
}

impl RecordLine<'_> {
    /// The result of a replay. An unknown format is bad input; a hand that breaks the rules is the
    /// failure that a reader of records looks for.
    fn check<T>(&self, replayed: std::result::Result<T, Fault>) -> Result<T> {
        replayed.map_err(|fault: Fault| {
            let is_format = fault.place.part.as_deref() == Some("format");
            let error = if is_format { Error::input(fault) } else { Error::failed(fault) };
            error.on_line(self.file, self.number)
        })
    }
}

/// Calls `each` with every record of a file, or with record `only`, counted from 1; returns the
/// number of records in the file.
fn each_record(
    path: &Path,
    only: Option<usize>,
    mut each: impl FnMut(&RecordLine<'_>) -> Result<()>,
) -> Result<usize> {
    let (file, mut count) = (path.display().to_string(), 0);
    // The longest hand of any game takes 0.1 MB.
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
            each(&RecordLine { file: &file, number, record })?;
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
    /// Strategy that comments on each choice: a name or path
    #[arg(long)]
    advise: Option<String>,
    /// Write a self-contained page that steps through the hand
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    html: Option<PathBuf>,
    /// Overwrite an existing page
    #[arg(long, requires = "html")]
    replace: bool,
    /// Print the whole hand at once, also on a terminal
    #[arg(long)]
    whole: bool,
    /// Print only the position before choice N, from 1, for `parlour advise`
    #[arg(long, value_name = "N", conflicts_with = "advise")]
    position: Option<usize>,
    /// Random seed of the comments
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(super) fn replay(args: &Replay) -> Result<()> {
    if let Some(page) = &args.html {
        refuse_to_overwrite(page, args.replace)?;
        ensure(!page.is_file() || is_page(page), || {
            Error::input(format!("{} is no page; name another file", page.display()))
        })?;
    }
    let hands = each_record(&args.records, Some(args.hand), |line| show(args, line))?;
    if (1..=hands).contains(&args.hand) {
        return Ok(());
    }
    let what = format!("the file has {hands} hands; `--hand` is {}", args.hand);
    Err(Error::input(what).in_file(&args.records.display().to_string()))
}

fn show(args: &Replay, line: &RecordLine<'_>) -> Result<()> {
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
        let replay = line.check(record.replay())?;
        comments = Some((replay.moves(), replay.evaluate(strategy, Seed::new(args.seed))?));
    }
    if let Some(page) = &args.html {
        let replay = line.check(record.replay_view())?;
        let file = args.records.file_name().unwrap_or_default().to_string_lossy();
        let title = format!("Hand {} of {file}", args.hand);
        let adviser = comments.map(|(_, adviser)| adviser);
        let hand = Hand { title: title.clone(), replay, adviser };
        write_atomic(page, viewer::page(&title, &[hand]))?;
        print(format!("Page: {}", page.display()))?;
        return line.check(record.verify());
    }
    let mut text = line.check(record.show())?;
    if let Some((moves, adviser)) = comments {
        let comments = report(&moves, &adviser).on_screen(width());
        text = format!("{}\n\n{comments}", text.trim_end_matches('\n'));
    }
    match stdin().is_terminal() && stdout().is_terminal() && !args.whole {
        true => step(&text)?,
        false => print(text)?,
    }
    // The hand may break the rules at its end, after all that was shown.
    line.check(record.verify())
}

/// A table of the choices between several moves: the move made, the adviser's move, and the value of
/// both.
fn report(moves: &[(Seat, String)], adviser: &Adviser) -> TextReport {
    let Adviser { name, notes, .. } = adviser;
    let heads = ["choice", "seat", "did", &format!("{name} would"), "value", "its value", ""];
    let (mut agreed, mut lost) = (0, 0.0);
    let row = |note: &Note| {
        let (seat, did) = &moves[note.at];
        let value = |x: Option<f64>| x.map_or("-".to_owned(), |x| format!("{x:.3}"));
        agreed += usize::from(*did == note.best);
        let cost = note.best_value.zip(note.value).map_or(0.0, |(best, did)| best - did);
        lost += cost.max(0.0);
        let [at, seat] = [(note.at + 1).to_string(), seat.0.to_string()];
        let [did_value, best_value] = [note.value, note.best_value].map(value);
        [at, seat, did.clone(), note.best.clone(), did_value, best_value, note.mark.to_owned()]
    };
    let rows: Vec<[String; 7]> = notes.iter().map(row).collect();
    let same = format!("{name} agrees with {agreed} of {} choices.", notes.len());
    let summary = match notes.iter().any(|note| note.best_value.is_some()) {
        false => format!("{same} `other` marks the rest. It names only its move, without values."),
        true => format!(
            "{same} The rest cost {lost:.2} together, not counting moves that it did not try. `?` \
             marks a significant loss, `??` one above 0.05, and `other` a move that was not tried. A \
             value is the mean reward of the seat that chose."
        ),
    };
    let reason = |note: &Note| {
        let why = note.why.as_ref().filter(|_| note.mark == "other")?;
        // The reasons begin with "It".
        let why = why.strip_prefix("It ").unwrap_or(why);
        Some(format!("Choice {}: {name} {why}", note.at + 1))
    };
    let sheet = TextReport::default().table(TextTable::of(4, heads, rows)).paragraph(summary);
    notes.iter().filter_map(reason).fold(sheet, TextReport::paragraph)
}

/// Returns `true` if a file begins as an HTML page.
fn is_page(file: &Path) -> bool {
    let mut start = [0; 9];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start.eq_ignore_ascii_case(b"<!doctype")
}

/// Shows a text part by part, controlled by keys; blank lines separate the parts.
fn step(text: &str) -> Result<()> {
    let parts: Vec<&str> = text.split("\n\n").collect();
    let term = Term::stdout();
    let failed = |error| Error::failed(format!("cannot use the terminal: {error}"));
    let last = parts.len() - 1;
    let mut at = 0;
    loop {
        let keys = format!("{} of {}: → or Enter next, ← back, q quit", at + 1, parts.len());
        let screen = format!("{}\n\n{keys}", parts[at].trim_matches('\n'));
        term.clear_screen().and_then(|()| term.write_line(&to_locale(&screen))).map_err(failed)?;
        at = match term.read_key().map_err(failed)? {
            Key::ArrowRight
            | Key::ArrowDown
            | Key::PageDown
            | Key::Enter
            | Key::Char(' ' | 'n')
                if at < last =>
            {
                at + 1
            }
            Key::Enter | Key::Char('q') | Key::Escape => return Ok(()),
            Key::ArrowLeft | Key::ArrowUp | Key::PageUp | Key::Backspace | Key::Char('p') => {
                at.saturating_sub(1)
            }
            Key::Home => 0,
            Key::End => last,
            Key::CtrlC => return Err(Error::stopped("stopped")),
            _ => at,
        };
    }
}
