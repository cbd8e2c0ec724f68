//! `parlour list`.

use serde::Deserialize;

use super::{
    Args, GAMES, Result, Shelf, Strategic, Strategy, ValueEnum, parse_json, say, with_game,
};
use crate::files::Origin;
use crate::games::eleusis::bank;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum What {
    Games,
    Variants,
    Strategies,
    Experiments,
    /// The bank of Eleusis' rules
    Rules,
}

#[derive(Args, Debug)]
pub(super) struct List {
    /// What to list; all of it when left out
    what: Option<What>,
}

/// Of an experiment's file, what people are told of it.
#[derive(Deserialize)]
struct About {
    #[serde(default)]
    about: String,
}

pub(super) fn run(given: &List) -> Result<()> {
    let wanted = |what: What| given.what.is_none_or(|w| w == what);
    let mut text = String::new();
    let of_games = [What::Games, What::Variants, What::Strategies].into_iter().any(wanted);
    for &game in GAMES.iter().filter(|_| of_games) {
        with_game!(game, G => list::<G>(&mut text, wanted))?;
    }
    if wanted(What::Experiments) {
        text += "experiments\n";
        let shelf = Shelf::experiments();
        for name in shelf.names() {
            // One broken file must not hide the others.
            let found = shelf.find(&name);
            let about = found.and_then(|found| parse_json::<About>(&found.place(), &found.text));
            let line = about.map_or_else(|error| format!("cannot be used: {error}"), |it| it.about);
            text += &format!("  {name:28} {line}\n");
        }
    }
    if wanted(What::Rules) {
        text += "rules of Eleusis\n";
        for rule in bank() {
            text += &format!("  {:28} {}\n", rule.name, rule.words);
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
