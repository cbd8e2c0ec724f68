//! `parlour replay`: a recorded hand as a text, step by step on a terminal, or as a page.

use std::fs::File;
use std::io::{IsTerminal, Read, stdin, stdout};
use std::path::Path;

use console::{Key, Term};

use super::output::stays;
use super::records::{Line, each_line};
use super::screen::{legible, wide};
use super::{
    Args, Error, Library, PathBuf, Result, Seed, Strategic, Strategy, advise, say, say_json,
    with_game,
};
use crate::error::ensure;
use crate::files::write_atomic;
use crate::game::{BotFailure, ReplayView};
use crate::viewer::{self, Hand};

#[derive(Args, Debug)]
pub(super) struct Replay {
    /// A file of records, a line a hand
    records: PathBuf,
    /// Which hand of the file, from 1
    #[arg(long, default_value_t = 1)]
    hand: usize,
    /// A strategy that says what it would have done: a name or path
    #[arg(long)]
    advise: Option<String>,
    /// Write a page on which the hand can be stepped through; it needs nothing but itself
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    html: Option<PathBuf>,
    /// Write over the page that is there
    #[arg(long, requires = "html")]
    replace: bool,
    /// Print the whole hand at once on a terminal too
    #[arg(long)]
    whole: bool,
    /// Print the position of this choice, from 1, for `parlour advise`; nothing else
    #[arg(long, value_name = "N", conflicts_with = "advise")]
    position: Option<usize>,
    /// What its chance grows from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(super) fn run(given: &Replay) -> Result<()> {
    if let Some(page) = &given.html {
        stays(page, given.replace)?;
        ensure(!page.exists() || is_page(page), || {
            let place = page.display();
            Error::input(format!(
                "{place} is no page, so it is not written over; name another file"
            ))
        })?;
    }
    let mut number = 0;
    let hands = each_line(&given.records, |line| {
        number += 1;
        if number != given.hand {
            return Ok(());
        }
        let game = line.game()?;
        with_game!(game.as_str(), G => show::<G>(given, line)).map_err(|error| line.here(error))?
    })?;
    if (1..=hands).contains(&given.hand) {
        return Ok(());
    }
    let what = format!("it has {hands} hands; `--hand` is {}", given.hand);
    Err(Error::input(what).in_file(&given.records.display().to_string()))
}

fn show<G: Strategic>(given: &Replay, line: &Line<'_>) -> Result<()> {
    let replay = || line.record::<G, _>(G::replay);
    if let Some(number) = given.position {
        return say_json(&advise::position(&replay()?, number)?);
    }
    let asked = given.advise.as_ref();
    let asked = asked.map(|name| Strategy::<G>::load(&Library::strategies(G::NAME), name));
    let asked = asked.transpose()?;
    let advised = match &asked {
        Some(strategy) => {
            let replay = replay()?;
            let ask = || advise::adviser(&replay, strategy, Seed::new(given.seed));
            let adviser = BotFailure::caught(ask)
                .map_err(|forfeit| advise::failed(&strategy.name, &forfeit))?;
            Some((replay, adviser))
        }
        None => None,
    };
    if let Some(page) = &given.html {
        let told = line.record::<G, _>(ReplayView::of::<G>)?;
        let file = given
            .records
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let title = format!("Hand {} of {file}", given.hand);
        let adviser = advised.map(|(_, adviser)| adviser);
        let hand = Hand { title: title.clone(), told, adviser };
        write_atomic(page, viewer::page(&title, &[hand]))?;
        say(format!("Page: {}", page.display()))?;
        return line.record::<G, _>(G::verify);
    }
    let mut shown = line.record::<G, _>(G::show)?;
    if let Some((replay, adviser)) = advised {
        let comment = advise::comments(&replay, &adviser);
        shown = format!("{}\n\n{}", shown.trim_end_matches('\n'), comment.on_screen(wide()));
    }
    match stdin().is_terminal() && stdout().is_terminal() && !given.whole {
        true => step(&shown)?,
        false => say(shown)?,
    }
    // What is shown may be wrong at its end.
    line.record::<G, _>(G::verify)
}

/// Whether a file begins as a page does.
fn is_page(file: &Path) -> bool {
    let mut start = [0; 9];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start.eq_ignore_ascii_case(b"<!doctype")
}

/// Shows a text part by part, as keys say; its parts stand between blank lines.
fn step(text: &str) -> Result<()> {
    let parts: Vec<&str> = text.split("\n\n").collect();
    let term = Term::stdout();
    let unsaid = |error| Error::failed(format!("cannot use the terminal: {error}"));
    let last = parts.len() - 1;
    let mut at = 0;
    loop {
        let keys = format!("{} of {}: → or Enter steps, ← goes back, q ends", at + 1, parts.len());
        let screen = format!("{}\n\n{keys}", parts[at].trim_matches('\n'));
        term.clear_screen().and_then(|()| term.write_line(&legible(&screen))).map_err(unsaid)?;
        at = match term.read_key().map_err(unsaid)? {
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
