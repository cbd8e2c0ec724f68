//! `parlour list`.

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::output::{Output, warn};
use crate::error::Result;
use crate::files::{Library, SourceFile, parse_json};
use crate::games::eleusis::{CorpusRule, Split, corpus, playable_rules};
use crate::games::{ALL, AnyGame, GAMES, StrategyInfo};
use crate::results::TextReport;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ListKind {
    Games,
    Variants,
    Strategies,
    Experiments,
    /// The rule corpus of Eleusis
    Rules,
}

#[derive(Args, Debug)]
pub(super) struct List {
    /// The kind to list [default: everything]
    what: Option<ListKind>,
    /// Include research files (those with `"research": true`) and the rule corpus
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    output: Output,
}

/// The names that other commands take.
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
    /// The experiments; `about` is the question of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    experiments: Vec<Listed>,
    /// The rule corpus of Eleusis.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rules: Vec<ListedRule>,
}

/// One entry of a list.
#[derive(Default, Serialize, JsonSchema)]
struct Listed {
    /// Its name.
    name: String,
    /// Its game.
    game: String,
    /// A sentence about it.
    about: String,
    /// For research: `list` shows it with `--all` only.
    research: bool,
    /// The user's own file.
    own: bool,
    /// The fault of a file that cannot be used.
    fault: Option<String>,
}

/// A rule of the corpus.
#[derive(Serialize, JsonSchema)]
struct ListedRule {
    /// Its name.
    name: &'static str,
    /// Its group, `A` to `F`.
    group: char,
    /// Its split: `training` or `test`.
    split: Split,
    /// The rule in plain text.
    words: &'static str,
    /// The rule in the rule language.
    rule: String,
    /// `false` for the few rules that accept too many cards to be played.
    playable: bool,
}

/// The fields of a file that a list shows.
#[derive(Deserialize)]
struct About {
    #[serde(default)]
    about: String,
    #[serde(default)]
    game: String,
    #[serde(default)]
    research: bool,
}

pub(super) fn run(args: &List) -> Result<()> {
    let wanted = |what: ListKind| args.what.is_none_or(|w| w == what);
    let mut all = Listing::default();
    if wanted(ListKind::Games) {
        all.games = GAMES.to_vec();
    }
    if wanted(ListKind::Variants) {
        all.variants = ALL.iter().flat_map(variants).collect();
    }
    if wanted(ListKind::Strategies) {
        all.strategies = ALL.iter().flat_map(strategies).collect();
    }
    if wanted(ListKind::Experiments) {
        all.experiments = experiments();
    }
    // 200 rules would hide everything else.
    if args.what == Some(ListKind::Rules) || (args.all && wanted(ListKind::Rules)) {
        let rule = |entry: &'static CorpusRule| ListedRule {
            name: &entry.name,
            group: entry.group,
            split: entry.split(),
            words: &entry.words,
            rule: entry.rule.to_string(),
            playable: entry.playable,
        };
        all.rules = corpus().iter().map(rule).collect();
    }
    let before = all.strategies.len() + all.experiments.len();
    if !args.all {
        all.strategies.retain(|it| !it.research);
        all.experiments.retain(|it| !it.research);
    }
    let hidden = before - all.strategies.len() - all.experiments.len();
    args.output.give(&all, || report(args, &all, hidden))
}

fn variants(game: &AnyGame) -> impl Iterator<Item = Listed> {
    (game.variants)().into_iter().map(|(name, about)| Listed {
        name: name.to_owned(),
        game: game.name.to_owned(),
        about: about.to_owned(),
        ..Listed::default()
    })
}

fn strategies(game: &'static AnyGame) -> Vec<Listed> {
    let read = move |file: &SourceFile| {
        let strategy = (game.strategy)(file)?;
        let StrategyInfo { about, is_research: research, .. } = strategy.info();
        Ok(About { about: about.to_owned(), game: game.name.to_owned(), research })
    };
    files(&game.strategies(), game.name, read)
}

fn experiments() -> Vec<Listed> {
    files(&Library::experiments(), "", |file| parse_json(&file.place(), &file.text))
}

/// The files of a library. A broken file must not hide the others.
fn files(library: &Library, game: &str, get: impl Fn(&SourceFile) -> Result<About>) -> Vec<Listed> {
    let one = |name: String| {
        let own = is_own(library, &name);
        match library.find(&name).and_then(|file| get(&file)) {
            Ok(About { about, game, research }) => {
                Listed { name, game, about, research, own, fault: None }
            }
            Err(error) => {
                let (game, fault) = (game.to_owned(), Some(error.to_string()));
                Listed { name, game, own, fault, ..Listed::default() }
            }
        }
    };
    let ignored: Vec<_> = library.ignored().iter().map(|it| it.display().to_string()).collect();
    if !ignored.is_empty() {
        warn(format_args!("note: hidden or unfinished files are ignored: {}", ignored.join(", ")));
    }
    library.names().into_iter().map(one).collect()
}

/// Returns `true` if the file of this name is the user's own.
fn is_own(library: &Library, name: &str) -> bool {
    let text = |library: &Library| library.find(name).ok().map(|file| file.text);
    text(library) != text(&library.embedded_only())
}

/// Games with their variants and strategies, then experiments and rules.
fn report(args: &List, all: &Listing, hidden: usize) -> TextReport {
    let line = |it: &Listed| {
        let text = match &it.fault {
            Some(fault) => format!("cannot be used: {fault}"),
            None if it.own => format!("{} (your file)", it.about),
            None => it.about.clone(),
        };
        (it.name.clone(), text)
    };
    let lines = |of: &[Listed], game: &str| -> Vec<(String, String)> {
        of.iter().filter(|it| it.game == game).map(line).collect()
    };
    // Each rule in plain text, then in the rule language where that differs.
    let rule = |it: &ListedRule| {
        let text = if it.words == it.rule { String::new() } else { format!(": {}", it.rule) };
        let note = if it.playable { "" } else { " (accepts too many cards to be played)" };
        (it.name.to_owned(), format!("{}{text}{note}", it.words))
    };
    let mut sheet = TextReport::default();
    if all.variants.is_empty() && all.strategies.is_empty() {
        sheet = sheet.sentences(all.games.iter().map(|game| (*game).to_owned()));
    }
    for game in GAMES {
        sheet = sheet
            .definitions(&format!("{game}: variants"), lines(&all.variants, game))
            .definitions(&format!("{game}: strategies"), lines(&all.strategies, game));
    }
    let more = if hidden == 0 {
        String::new()
    } else {
        format!("{hidden} more for research: `parlour list --all`.")
    };
    let rules = if args.what.is_none() && all.rules.is_empty() {
        let count = playable_rules(Split::All).count();
        format!("Eleusis has a corpus of {count} rules: `parlour list rules`.")
    } else {
        String::new()
    };
    sheet
        .definitions("experiments", all.experiments.iter().map(line).collect())
        .definitions("rules of Eleusis", all.rules.iter().map(rule).collect())
        .sentences([rules, more])
}
