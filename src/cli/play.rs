//! `parlour play`.

use std::io::{Write, stdin, stdout};
use std::time::{Duration, Instant};

use clap::value_parser;

use super::screen::wide;
use super::{
    Args, Error, Path, PathBuf, Result, Strategic, read_text, say, tell, unsaid, with_game,
};
use crate::arena::{Variant, VariantSpec};
use crate::cards::CardStyle;
use crate::error::ensure;
use crate::table::server::{Port, Server, open_browser};
use crate::table::terminal::Terminal;
use crate::table::{Kept, PERSON, Room, Served, Setting, Sitter, Table};

#[derive(Args, Debug)]
pub(super) struct Play {
    /// leopard, …
    game: String,
    /// A variant: a name, or a file [default: the first that `list variants` names]
    #[arg(long)]
    variant: Option<String>,
    /// Who sits at the other seats, in turn: strategies by name or path, or `person` [default:
    /// champion; in Eleusis bayes]
    #[arg(long, value_name = "S", num_args = 1.., value_delimiter = ',')]
    against: Vec<String>,
    /// The seat of a person, from 0; more than once for several people [default: 0; in Eleusis 1,
    /// since 0 is the dealer]
    #[arg(long, value_name = "N", value_parser = value_parser!(u8).range(0..=7))]
    seat: Vec<u8>,
    /// How many seats the table has, in a game for several numbers
    #[arg(long, value_name = "N")]
    seats: Option<u8>,
    /// What all chance grows from [default: another one each time]
    #[arg(long)]
    seed: Option<u64>,
    /// Play in the terminal, in plain text
    #[arg(long)]
    terminal: bool,
    /// Suits as letters in the terminal, not as signs
    #[arg(long, requires = "terminal")]
    ascii: bool,
    /// The port of the page [default: any that is free]
    #[arg(long, value_parser = value_parser!(u16).range(1..), conflicts_with = "terminal")]
    port: Option<u16>,
    /// Print the address of the page; open no browser
    #[arg(long, conflicts_with = "terminal")]
    no_open: bool,
    /// Where the records of finished hands go, to its end [default: GAME-hands.jsonl]
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Take up a hand that was left
    #[arg(long, value_name = "FILE", conflicts_with_all = ["variant", "against", "seat", "seats", "seed"])]
    resume: Option<PathBuf>,
}

pub(super) fn run(given: &Play) -> Result<()> {
    with_game!(given.game.as_str(), G => play::<G>(given))?
}

fn play<G: Strategic>(given: &Play) -> Result<()> {
    let table = match &given.resume {
        Some(file) => Table::resumed(&file.display().to_string(), &read_text(file)?)?,
        None => Table::new(setting::<G>(given)?)?,
    };
    let usual = PathBuf::from(format!("{}-hands.jsonl", G::NAME));
    let kept = Kept::new(given.save.as_ref().unwrap_or(&usual), given.resume.as_deref());
    let hint = Hint::new(given, kept.under_way());
    on_interrupt(hint.clone())?;
    if given.terminal {
        let letters = if given.ascii { CardStyle::Ascii } else { CardStyle::Symbols };
        let (mut input, mut print) = (stdin().lock(), |text: &str| shown(text));
        Terminal::new(table, kept, letters, &mut input, &mut print).run()?;
    } else {
        serve(given, table, kept)?;
    }
    hint.text().map_or(Ok(()), say)
}

/// Who plays what.
fn setting<G: Strategic>(given: &Play) -> Result<Setting<G>> {
    let variant = given.variant.as_deref().unwrap_or(G::presets()[0].name);
    let variant: Variant<G> = match given.seats {
        Some(seats) => Variant::resolve(&VariantSpec::from(variant).seating::<G>(seats)?)?,
        None => Variant::named(variant)?,
    };
    let seats = variant.game.seats();
    let people = if given.seat.is_empty() { vec![G::PERSON_SEAT] } else { given.seat.clone() };
    if let Some(seat) = people.iter().find(|seat| usize::from(**seat) >= seats) {
        let what = format!("`--seat` is {seat}; the table has seats 0 to {}", seats - 1);
        return Err(Error::input(what));
    }
    let usual = [G::ADVISER.to_owned()];
    let others = if given.against.is_empty() { &usual[..] } else { &given.against };
    let free = (0..seats).filter(|seat| !people.iter().any(|p| usize::from(*p) == *seat)).count();
    ensure(others.len() <= free.max(1), || {
        let named = others.len();
        let seats = if free == 1 { "is 1 other seat" } else { &format!("are {free} other seats") };
        Error::input(format!("`--against` names {named}, but there {seats}"))
    })?;
    let mut others = others.iter().cycle();
    let sitters = (0..seats).map(|seat| {
        let is_person = people.iter().any(|person| usize::from(*person) == seat);
        let name = if is_person { PERSON } else { others.next().map_or(PERSON, String::as_str) };
        Sitter::named(name)
    });
    let sitters = sitters.collect::<Result<Vec<_>>>()?;
    let seed = given.seed.map_or_else(any_seed, Ok)?;
    Ok(Setting { variant, sitters, seed })
}

/// A seed that nobody knows beforehand; short enough to be written down, and exact in JSON.
fn any_seed() -> Result<u64> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::failed(format!("the system gives no random numbers: {error}")))?;
    Ok(u64::from_le_bytes(bytes) >> 11)
}

/// Prints a text; what is written stands on the line of its prompt.
fn shown(text: &str) -> Result<()> {
    if !text.ends_with("> ") {
        return say(folded(text, wide()));
    }
    let mut out = stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| unsaid(&error))
}

/// Long lines in several, broken at blanks.
fn folded(text: &str, wide: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut column = 0;
        for word in line.split_inclusive(' ') {
            let letters = word.trim_end().chars().count();
            if column > 0 && column + letters > wide && letters > 0 {
                out.truncate(out.trim_end_matches(' ').len());
                out += "\n  ";
                column = 2;
            }
            out += word;
            column += word.chars().count();
        }
    }
    out
}

/// Serves the table until it is left.
fn serve<G: Strategic>(given: &Play, table: Table<G>, kept: Kept) -> Result<()> {
    let port = Port::take(given.port)?;
    let (room, thinker) = Room::open(table, kept)?;
    let server = Server::new(port, room.clone())?;
    let mut addresses = server.addresses().into_iter();
    let (_, table) = addresses.next().unwrap_or_default();
    let mut text = format!("The table: {table}\n");
    for (seats, address) in addresses {
        let seats: Vec<String> = seats.iter().map(|seat| seat.0.to_string()).collect();
        text += &format!("Seat {} alone: {address}\n", seats.join(", "));
    }
    text += match !given.no_open && open_browser(&server.ticket()) {
        true => "It has been opened in the browser. ",
        false => "Open it in a browser on this machine. ",
    };
    say(text + "Ctrl-C ends the program; a hand under way is kept.")?;
    server.run()?;
    room.close();
    // What is thought of a move is in vain now; what is to be kept is written first.
    let until = Instant::now() + Duration::from_secs(2);
    while !thinker.is_finished() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}

/// How a hand goes on that was left.
#[derive(Clone)]
struct Hint {
    under_way: PathBuf,
    command: String,
}

impl Hint {
    /// The command goes on as this one was given.
    fn new(given: &Play, under_way: &Path) -> Hint {
        let mut command = format!("parlour play {} --resume {}", given.game, under_way.display());
        for (flag, said) in [(" --terminal", given.terminal), (" --ascii", given.ascii)] {
            command += if said { flag } else { "" };
        }
        if let Some(file) = &given.save {
            command += &format!(" --save {}", file.display());
        }
        Hint { under_way: under_way.to_path_buf(), command }
    }

    /// Nothing when no hand was left.
    fn text(&self) -> Option<String> {
        let Hint { under_way, command } = self;
        under_way.exists().then(|| format!("The hand is kept: `{command}` goes on with it."))
    }
}

/// Ctrl-C ends the program. The hand was kept at its last move.
fn on_interrupt(hint: Hint) -> Result<()> {
    let set = ctrlc::set_handler(move || {
        if let Some(text) = hint.text() {
            tell(format_args!("\n{text}"));
        }
        std::process::exit(130);
    });
    set.map_err(|error| Error::failed(format!("cannot listen for Ctrl-C: {error}")))
}
