//! `parlour play`.

use std::io::{Write, stdin, stdout};
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use clap::{Args, value_parser};

use super::output::{cannot_print, on_interrupt, print, warn, width};
use crate::cards::CardStyle;
use crate::error::{Error, Result};
use crate::files::read_text;
use crate::games::{AnyGame, FirstHand, Seats, game};
use crate::results::wrapped;
use crate::table::HandFiles;
use crate::table::server::{Port, Server, open_browser};

#[derive(Args, Debug)]
pub(super) struct Play {
    /// The game: leopard, …
    game: String,
    /// Variant: a name, or a file [default: the first in `parlour list variants`]
    #[arg(long)]
    variant: Option<String>,
    /// Strategies at the other seats, in turn: names, paths or `person` [default: champion; in Eleusis
    /// bayes]
    #[arg(long, value_name = "S", num_args = 1.., value_delimiter = ',')]
    against: Vec<String>,
    /// Seat of a person, from 0; repeat it for several people [default: 0; in Eleusis 1, because seat
    /// 0 is the dealer]
    #[arg(long, value_name = "N", value_parser = value_parser!(u8).range(0..=7))]
    seat: Vec<u8>,
    /// Number of seats, in a game that leaves a choice
    #[arg(long, value_name = "N")]
    seats: Option<u8>,
    /// Random seed [default: a new one each time]
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
    /// File to which the records of finished hands are appended [default: GAME-hands.jsonl]
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Resume an unfinished hand
    #[arg(long, value_name = "FILE", conflicts_with_all = ["variant", "against", "seat", "seats", "seed"])]
    resume: Option<PathBuf>,
}

pub(super) fn run(args: &Play) -> Result<()> {
    let game = game(&args.game)?;
    let hand = match &args.resume {
        Some(file) => FirstHand::Unfinished(file.display().to_string(), read_text(file)?),
        None => FirstHand::New(Seats {
            variant: args.variant.as_deref(),
            seats: args.seats,
            people: &args.seat,
            opponents: &args.against,
            seed: args.seed.map_or_else(fresh_seed, Ok)?,
        }),
    };
    let default = PathBuf::from(format!("{}-hands.jsonl", game.name));
    let files = HandFiles::new(args.save.as_ref().unwrap_or(&default), args.resume.as_deref());
    let (unfinished, command) = (files.unfinished.clone(), resume_command(args, &files));
    let hint = move || {
        let is_saved = unfinished.exists();
        is_saved.then(|| format!("The hand is saved; resume it with `{command}`."))
    };
    let last_hint = hint.clone();
    // The hand was saved at its last move.
    on_interrupt(move || {
        if let Some(text) = last_hint() {
            warn(format_args!("\n{text}"));
        }
        std::process::exit(130);
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

/// A random seed, short enough to be exact in JSON.
fn fresh_seed() -> Result<u64> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::failed(format!("the system gives no random numbers: {error}")))?;
    Ok(u64::from_le_bytes(bytes) >> 11)
}

/// Prints a text; the cursor stays on the line of a prompt.
fn print_line(text: &str) -> Result<()> {
    if !text.ends_with("> ") {
        return print(folded(text, width()));
    }
    let mut out = stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| cannot_print(&error))
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
    let server = Server::new(port, service.clone())?;
    let mut addresses = server.addresses().into_iter();
    let (_, table) = addresses.next().unwrap_or_default();
    let mut text = format!("The table: {table}\n");
    for (seats, address) in addresses {
        let seats: Vec<String> = seats.iter().map(|seat| seat.0.to_string()).collect();
        text += &format!("Seat {} only: {address}\n", seats.join(", "));
    }
    text += match !args.no_open && open_browser(&server.one_time_link()) {
        true => "The page is open in the browser. ",
        false => "Open the page in a browser on this machine. ",
    };
    print(text + "Ctrl-C ends the program; an unfinished hand is saved.")?;
    server.run()?;
    service.close();
    wait(&thread, Duration::from_secs(2));
    Ok(())
}

/// Waits until the hands are saved. A search in progress is cut off at the time limit.
fn wait(thread: &JoinHandle<()>, limit: Duration) {
    let until = Instant::now() + limit;
    while !thread.is_finished() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Returns the command that resumes the unfinished hand, with the same front end and the same file of
/// records.
fn resume_command(args: &Play, files: &HandFiles) -> String {
    let mut command = format!("parlour play {} --resume {}", args.game, files.unfinished.display());
    for (flag, is_set) in [(" --terminal", args.terminal), (" --ascii", args.ascii)] {
        command += if is_set { flag } else { "" };
    }
    if let Some(file) = &args.save {
        command += &format!(" --save {}", file.display());
    }
    command
}
