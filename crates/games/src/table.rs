//! A table for people without its game's types.

use parlour_arena::{Variant, VariantSpec};
use parlour_base::error::{Error, Result, ensure};
use parlour_game::strategy::Strategic;
use parlour_play::table::{PERSON, Participant, Table};

/// The hand with which a table begins.
#[derive(Clone, Debug)]
pub enum FirstHand<'a> {
    /// A new hand.
    New(Seats<'a>),
    /// An unfinished hand: the name and the text of its file.
    Unfinished(String, String),
}

impl FirstHand<'_> {
    /// Sets the table.
    ///
    /// # Errors
    /// Bad input: an unknown variant or strategy, seats that the table does not have, or a fault of the
    /// file with its place.
    pub(super) fn table<G: Strategic>(&self) -> Result<Table<G>> {
        match self {
            FirstHand::New(seats) => seats.table(),
            FirstHand::Unfinished(file, text) => Table::resume(file, text),
        }
    }
}

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

impl Seats<'_> {
    /// Sets the table.
    ///
    /// # Errors
    /// Bad input: a seat that the table does not have, more opponents than seats, an unknown strategy.
    fn table<G: Strategic>(&self) -> Result<Table<G>> {
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
