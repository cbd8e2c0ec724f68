//! `parlour play`.

use std::io::stdin;
use std::path::PathBuf;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use clap::{Args, value_parser};

use super::names::split_names;
use super::output::{exit_stopped, on_interrupt, print, print_prompt, warn, width};
use crate::arena::VariantSpec;
use crate::cards::CardStyle;
use crate::error::{Error, Result, ensure};
use crate::files::read_text;
use crate::games::{AnyGame, FirstHand, Seats, game};
use crate::results::wrapped;
use crate::table::server::{Port, Server, open_browser};
use crate::table::{HandFiles, random_seed};

#[derive(Args, Debug)]
pub(super) struct Play {
    /// The game: leopard, …
    game: String,
    /// Variant: a name, or a file [default: the first in `parlour list variants`]
    #[arg(long)]
    variant: Option<String>,
    /// Strategies at the other seats, in turn: names, paths or `person` [default: champion; in Eleusis
    /// bayes]
    #[arg(long, value_name = "S", num_args = 1..)]
    against: Vec<String>,
    /// Seat of a person, from 0; repeat it for several people [default: 0; in Eleusis 1, because seat
    /// 0 is the dealer]
    #[arg(long, value_name = "N", value_parser = value_parser!(u8).range(0..=7))]
    seat: Vec<u8>,
    /// Number of seats, in a game that leaves a choice
    #[arg(long, value_name = "N")]
    seats: Option<u8>,
    /// Random seed of the first hand; later hands get new ones [default: a new one each time]
    #[arg(long)]
    seed: Option<u64>,
    /// Play in the terminal, in plain text
    #[arg(long)]
    terminal: bool,
    /// Show suits as letters in the terminal
    #[arg(long, requires = "terminal")]
    ascii: bool,
    /// Port of the page [default: any free port]
    #[arg(long, value_parser = value_parser!(u16).range(1..), conflicts_with = "terminal")]
    port: Option<u16>,
    /// Print the address of the page without opening a browser
    #[arg(long, conflicts_with = "terminal")]
    no_open: bool,
    /// Append finished hands to this file [default: GAME-hands.jsonl]
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Resume an unfinished hand or match
    #[arg(long, value_name = "FILE", conflicts_with_all = ["variant", "against", "seat", "seats", "seed"])]
    resume: Option<PathBuf>,
}

pub(super) fn run(args: &Play) -> Result<()> {
    let game = game(&args.game)?;
    let default = PathBuf::from(format!("{}-hands.jsonl", game.name));
    // Somebody else may have laid the link in a shared folder.
    ensure(args.save.is_some() || !default.is_symlink(), || {
        let name = default.display();
        Error::input(format!("{name} is a symbolic link; name the file of records with `--save`"))
    })?;
    let files = HandFiles::open(args.save.as_ref().unwrap_or(&default), args.resume.as_deref())?;
    let variant = args.variant.as_deref().map(VariantSpec::from);
    let hand = match &args.resume {
        Some(file) => FirstHand::Unfinished(file.display().to_string(), read_text(file)?),
        None => FirstHand::New(Seats {
            variant: variant.as_ref(),
            seats: args.seats,
            people: &args.seat,
            opponents: &split_names(&args.against),
            seed: args.seed.map_or_else(random_seed, Ok)?,
        }),
    };
    let (saved, name, flags) = (files.saved.clone(), game.name, resume_flags(args));
    let hint = move || {
        let saved = saved.lock().unwrap_or_else(PoisonError::into_inner);
        let file = quoted(&saved.as_ref()?.display().to_string());
        Some(format!(
            "The hand is saved; resume it with `parlour play {name} --resume {file}{flags}`."
        ))
    };
    let last_hint = hint.clone();
    // The hand was saved at its last move.
    on_interrupt(move || {
        if let Some(text) = last_hint() {
            warn(format_args!("\n{text}"));
        }
        exit_stopped();
    })?;
    if args.terminal {
        let letters = if args.ascii { CardStyle::Ascii } else { CardStyle::Symbols };
        let input = &mut stdin().lock();
        (game.play_in_terminal)(&hand, files, letters, input, &mut print_line)?;
    } else {
        serve(args, game, &hand, files)?;
    }
    hint().map_or(Ok(()), print)
}

/// Prints a text; the cursor stays on the line of a prompt.
fn print_line(text: &str) -> Result<()> {
    let text = &text.replace(|c: char| c.is_control() && c != '\n', "\u{fffd}");
    match text.ends_with("> ") {
        true => print_prompt(text),
        false => print(folded(text, width())),
    }
}

/// Breaks long lines at spaces, and indents what follows.
fn folded(text: &str, width: usize) -> String {
    let line = |line: &str| match line.chars().count() > width {
        true => wrapped(line, width - 2).replace('\n', "\n  "),
        false => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Serves the table's page until the people leave.
fn serve(args: &Play, game: &AnyGame, hand: &FirstHand<'_>, files: HandFiles) -> Result<()> {
    let port = Port::bind(args.port)?;
    let (service, thread) = (game.share_table)(hand, files)?;
    let (server, auth) = Server::of_table(port, service.clone())?;
    let mut addresses = auth.addresses().into_iter();
    let (_, table) = addresses.next().unwrap_or_default();
    let mut text = format!("The table: {table}\n");
    for (seats, address) in addresses {
        let seats: Vec<String> = seats.iter().map(|seat| seat.0.to_string()).collect();
        text += &format!("Seat {} alone: {address}\n", seats.join(", "));
    }
    text += match !args.no_open && open_browser(&auth.one_time_link()) {
        true => "The page is open in the browser. ",
        false => "Open the page in a browser on this machine. ",
    };
    print(text + "Ctrl-C ends the program; an unfinished hand is saved.")?;
    server.run()?;
    service.close();
    // A search in progress is cut off at the time limit.
    let until = Instant::now() + Duration::from_secs(2);
    while !thread.is_finished() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    let ended = thread.is_finished().then(|| thread.join());
    // The hand was saved at its last move.
    ended.and_then(std::result::Result::ok).unwrap_or(Ok(()))
}

/// Returns the options with which a hand is resumed in the same front end and saved in the same file.
fn resume_flags(args: &Play) -> String {
    let mut flags = String::new();
    for (flag, is_set) in [(" --terminal", args.terminal), (" --ascii", args.ascii)] {
        flags += if is_set { flag } else { "" };
    }
    if let Some(file) = &args.save {
        flags += &format!(" --save {}", quoted(&file.display().to_string()));
    }
    flags
}

/// Quotes a path for a shell.
fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./+".contains(c);
    let path = path.replace(char::is_control, "?");
    match path.strip_prefix('-') {
        Some(rest) => quoted(&format!("./-{rest}")),
        None if path.chars().all(is_plain) => path,
        None => format!("'{}'", path.replace('\'', r"'\''")),
    }
}
