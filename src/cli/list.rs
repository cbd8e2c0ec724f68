//! `parlour list`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Args, GAMES, Library, Output, Result, Strategic, Strategy, ValueEnum, parse_json, with_game,
};
use crate::game::Preset;
use crate::games::eleusis::{Entry, bank, playable};
use crate::results::Sheet;

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
    /// Also what is there for research (files that say `"research": true`), and the bank of rules
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    output: Output,
}

/// What there is.
#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Listing {
    /// The games.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    games: Vec<&'static str>,
    /// The variants of all games.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    variants: Vec<Listed>,
    /// The strategies of all games.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    strategies: Vec<Listed>,
    /// The experiments; what is said of each is its question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    experiments: Vec<Listed>,
    /// Eleusis' bank of rules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rules: Vec<ListedRule>,
}

/// One of what there is.
#[derive(Default, Serialize, JsonSchema)]
struct Listed {
    /// Its name.
    name: String,
    /// Its game.
    game: String,
    /// What is said of it: a sentence.
    about: String,
    /// Whether it is there for research: `list` shows it with `--all` only.
    research: bool,
    /// Whether it is the user's own file.
    own: bool,
    /// What is wrong with it, where it cannot be used.
    fault: Option<String>,
}

/// A rule of Eleusis' bank.
#[derive(Serialize, JsonSchema)]
struct ListedRule {
    /// Its name.
    name: &'static str,
    /// Its group, `A` to `F`.
    group: char,
    /// The half that it belongs to: `training` or `test`.
    half: &'static str,
    /// The rule in words.
    words: &'static str,
    /// The rule.
    rule: String,
    /// Whether it can be played: a few are right too often.
    playable: bool,
}

impl ListedRule {
    fn of(entry: &'static Entry) -> ListedRule {
        ListedRule {
            name: &entry.name,
            group: entry.group,
            half: entry.half().name(),
            words: &entry.words,
            rule: entry.rule.to_string(),
            playable: entry.playable,
        }
    }
}

/// Of an experiment's file, what people are told of it.
#[derive(Deserialize)]
struct About {
    #[serde(default)]
    about: String,
    #[serde(default)]
    game: String,
    #[serde(default)]
    research: bool,
}

pub(super) fn run(given: &List) -> Result<()> {
    given.output.check()?;
    let wanted = |what: What| given.what.is_none_or(|w| w == what);
    let mut all = Listing::default();
    if wanted(What::Games) {
        all.games = GAMES.to_vec();
    }
    for &game in GAMES {
        with_game!(game, G => {
            if wanted(What::Variants) {
                all.variants.extend(variants::<G>());
            }
            if wanted(What::Strategies) {
                all.strategies.extend(strategies::<G>());
            }
        })?;
    }
    if wanted(What::Experiments) {
        all.experiments = experiments();
    }
    // Two hundred rules would hide all else.
    if given.what == Some(What::Rules) || (given.all && wanted(What::Rules)) {
        all.rules = bank().iter().map(ListedRule::of).collect();
    }
    let before = all.strategies.len() + all.experiments.len();
    if !given.all {
        all.strategies.retain(|it| !it.research);
        all.experiments.retain(|it| !it.research);
    }
    let hidden = before - all.strategies.len() - all.experiments.len();
    given.output.give(&all, || told(given, &all, hidden))
}

fn variants<G: Strategic>() -> Vec<Listed> {
    let one = |preset: &Preset<G::Rules>| Listed {
        name: preset.name.to_owned(),
        game: G::NAME.to_owned(),
        about: preset.about.to_owned(),
        ..Listed::default()
    };
    G::presets().iter().map(one).collect()
}

fn strategies<G: Strategic>() -> Vec<Listed> {
    let shelf = Library::strategies(G::NAME);
    let one = |name: String| {
        let own = is_own(&shelf, &name);
        let listed = Listed { name: name.clone(), game: G::NAME.to_owned(), ..Listed::default() };
        // One broken file must not hide the others.
        match Strategy::<G>::load(&shelf, &name) {
            Ok(Strategy { about, research, .. }) => Listed { about, research, own, ..listed },
            Err(error) => Listed { fault: Some(error.to_string()), ..listed },
        }
    };
    shelf.names().into_iter().map(one).collect()
}

fn experiments() -> Vec<Listed> {
    let shelf = Library::experiments();
    let one = |name: String| {
        let (found, own) = (shelf.find(&name), is_own(&shelf, &name));
        let read = found.and_then(|found| parse_json::<About>(&found.place(), &found.text));
        match read {
            Ok(About { about, game, research }) => {
                Listed { name, game, about, research, own, fault: None }
            }
            Err(error) => Listed { name, own, fault: Some(error.to_string()), ..Listed::default() },
        }
    };
    shelf.names().into_iter().map(one).collect()
}

/// Whether a file of this name is the user's, and not one that came with the program.
fn is_own(shelf: &Library, name: &str) -> bool {
    let text = |shelf: &Library| shelf.find(name).ok().map(|found| found.text);
    text(shelf) != text(&shelf.embedded_only())
}

/// Each rule with its words, then its text where that says more.
fn rules_told(rules: &[ListedRule]) -> Vec<(String, String)> {
    let line = |it: &ListedRule| {
        let text = if it.words == it.rule { String::new() } else { format!(": {}", it.rule) };
        let not = if it.playable { "" } else { " (right too often to be played)" };
        (it.name.to_owned(), format!("{}{text}{not}", it.words))
    };
    rules.iter().map(line).collect()
}

/// Games with what belongs to them, then the rest.
fn told(given: &List, all: &Listing, hidden: usize) -> Sheet {
    let line = |it: &Listed| {
        let said = match &it.fault {
            Some(fault) => format!("cannot be used: {fault}"),
            None if it.own => format!("{} (your file)", it.about),
            None => it.about.clone(),
        };
        (it.name.clone(), said)
    };
    let lines = |of: &[Listed], game: Option<&str>| -> Vec<(String, String)> {
        of.iter().filter(|it| game.is_none_or(|game| it.game == game)).map(line).collect()
    };
    let mut sheet = Sheet::default();
    if all.variants.is_empty() && all.strategies.is_empty() {
        sheet = sheet.listing(all.games.iter().map(|game| (*game).to_owned()));
    }
    for &game in GAMES {
        sheet = sheet
            .naming(&format!("{game}: variants"), lines(&all.variants, Some(game)))
            .naming(&format!("{game}: strategies"), lines(&all.strategies, Some(game)));
    }
    let more = match hidden {
        0 => String::new(),
        1 => "One more is there for research: `parlour list --all`.".to_owned(),
        more => format!("{more} more are there for research: `parlour list --all`."),
    };
    let rules = if given.what.is_none() && all.rules.is_empty() {
        format!("Eleusis has a bank of {} rules: `parlour list rules`.", playable(None).count())
    } else {
        String::new()
    };
    sheet
        .naming("experiments", lines(&all.experiments, None))
        .naming("rules of Eleusis", rules_told(&all.rules))
        .listing([rules, more])
}
