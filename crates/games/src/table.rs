//! A table for people without its game's types.

use std::io::BufRead;
use std::sync::Arc;
use std::thread::JoinHandle;

use parlour_arena::{Variant, VariantSpec};
use parlour_base::cards::CardStyle;
use parlour_base::error::{Error, Result, ensure};
use parlour_game::strategy::Strategic;
use parlour_play::table::terminal::Terminal;
use parlour_play::table::{HandFiles, PERSON, Participant, Table, TableActor, TableService};

/// The participants of a table.
#[derive(Clone, Copy, Debug)]
pub struct Seats<'a> {
    /// A variant by name or path; the default variant if none is given.
    pub variant: Option<&'a str>,
    /// The number of seats, in a game that leaves a choice.
    pub seats: Option<u8>,
    /// The seats of people; the usual seat of the game if empty.
    pub people: &'a [u8],
    /// The strategies at the other seats, repeated in this order; the adviser if empty.
    pub opponents: &'a [String],
    /// The seed of all deals.
    pub seed: u64,
}

/// A table of some game.
pub trait AnyTable {
    /// Plays in a terminal until the people leave.
    ///
    /// # Errors
    /// If the terminal cannot be read or written, or a hand cannot be saved.
    fn run_in_terminal(
        self: Box<Self>,
        files: HandFiles,
        letters: CardStyle,
        input: &mut dyn BufRead,
        print: &mut dyn FnMut(&str) -> Result<()>,
    ) -> Result<()>;

    /// Shares the table with a thread that plays for the bots and saves hands. The thread ends after
    /// the table is closed.
    ///
    /// # Errors
    /// If the thread cannot be started.
    fn share(self: Box<Self>, files: HandFiles) -> Result<(Arc<dyn TableService>, JoinHandle<()>)>;
}

impl<G: Strategic> AnyTable for Table<G> {
    fn run_in_terminal(
        self: Box<Self>,
        files: HandFiles,
        letters: CardStyle,
        input: &mut dyn BufRead,
        print: &mut dyn FnMut(&str) -> Result<()>,
    ) -> Result<()> {
        Terminal::new(*self, files, letters, input, print).run().map(drop)
    }

    fn share(self: Box<Self>, files: HandFiles) -> Result<(Arc<dyn TableService>, JoinHandle<()>)> {
        TableActor::start(*self, files)
    }
}

impl Seats<'_> {
    /// Sets the table.
    ///
    /// # Errors
    /// Bad input: a seat that the table does not have, more opponents than seats, an unknown strategy.
    pub(super) fn table<G: Strategic>(&self) -> Result<Table<G>> {
        let variant = self.variant.unwrap_or(G::presets()[0].name);
        let variant: Variant<G> = match self.seats {
            Some(seats) => Variant::resolve(&VariantSpec::from(variant).seating::<G>(seats)?)?,
            None => Variant::named(variant)?,
        };
        let seats = variant.game.seats();
        // With a secret setup, seat 0 is the dealer.
        let own = [u8::from(variant.game.secret_setup().is_some())];
        let people = if self.people.is_empty() { &own[..] } else { self.people };
        if let Some(seat) = people.iter().find(|seat| usize::from(**seat) >= seats) {
            let what = format!("`--seat` is {seat}; the table has seats 0 to {}", seats - 1);
            return Err(Error::input(what));
        }
        let is_person = |seat: usize| people.iter().any(|person| usize::from(*person) == seat);
        let adviser = [G::ADVISER.to_owned()];
        let others = if self.opponents.is_empty() { &adviser[..] } else { self.opponents };
        let free = (0..seats).filter(|seat| !is_person(*seat)).count();
        ensure(others.len() <= free.max(1), || {
            let named = others.len();
            let seats =
                if free == 1 { "is 1 other seat" } else { &format!("are {free} other seats") };
            Error::input(format!("`--against` names {named}, but there {seats}"))
        })?;
        let mut others = others.iter().cycle();
        let mut participant = |seat| {
            let mut opponent = || others.next().map_or(PERSON, String::as_str);
            Participant::load(if is_person(seat) { PERSON } else { opponent() })
        };
        let participants = (0..seats).map(&mut participant).collect::<Result<_>>()?;
        Table::new(variant, participants, self.seed)
    }
}
