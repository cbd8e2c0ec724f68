//! `parlour list`.

use super::{Args, GAMES, Result, Shelf, Strategic, Strategy, ValueEnum, say, with_game};
use crate::files::Origin;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum What {
    Games,
    Variants,
    Strategies,
    Experiments,
}

#[derive(Args, Debug)]
pub(super) struct List {
    /// What to list; all of it when left out
    what: Option<What>,
}

pub(super) fn run(given: &List) -> Result<()> {
    let wanted = |what: What| given.what.is_none_or(|w| w == what);
    let mut text = String::new();
    for &game in GAMES {
        with_game!(game, G => list::<G>(&mut text, wanted))?;
    }
    if wanted(What::Experiments) {
        text += "experiments\n";
        for name in Shelf::experiments().names() {
            text += &format!("  {name}\n");
        }
    }
    say(text)
}

fn list<G: Strategic>(text: &mut String, wanted: impl Fn(What) -> bool) {
    *text += &format!("{}\n", G::NAME);
    if wanted(What::Variants) {
        *text += "  variants\n";
        for preset in G::presets() {
            *text += &format!("    {:18} {}\n", preset.name, preset.about);
        }
    }
    if wanted(What::Strategies) {
        *text += "  strategies\n";
        let shelf = Shelf::strategies(G::NAME);
        for name in shelf.names() {
            // One broken file must not hide the others.
            let line = match Strategy::<G>::load(&shelf, &name) {
                Ok(s) if s.origin == Origin::Embedded => s.about,
                Ok(s) => format!("{} (your file)", s.about),
                Err(error) => format!("cannot be used: {error}"),
            };
            *text += &format!("    {name:18} {line}\n");
        }
    }
}
