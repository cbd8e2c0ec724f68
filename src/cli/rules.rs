//! `parlour rules`.

use clap::Args;

use super::output::Output;
use crate::error::Result;
use crate::game::{RuleField, Rulebook};
use crate::games::{ALL, game};
use crate::results::{TextReport, TextTable};

#[derive(Args, Debug)]
pub(super) struct Rules {
    /// The game: leopard, … [default: all games]
    game: Option<String>,
    /// Variant: a name, or a file [default: the first in `parlour list variants`]
    variant: Option<String>,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(args: &Rules) -> Result<()> {
    let books: Vec<Rulebook> = match &args.game {
        Some(name) => vec![(game(name)?.rulebook)(args.variant.as_deref())?],
        None => ALL.iter().map(|game| (game.rulebook)(None)).collect::<Result<_>>()?,
    };
    let is_full = args.game.is_some();
    let sheet = |sheet: TextReport, book| sheet.then(report(book, is_full));
    args.output.give(&books, || books.iter().fold(TextReport::default(), sheet))
}

/// The rules of play, the fields and what is fixed; in full with all values and sources.
fn report(book: &Rulebook, is_full: bool) -> TextReport {
    let rows = book.fields.iter().map(|RuleField { name, value, default, range, .. }| {
        [name, value, default, range].map(String::clone)
    });
    let table = TextTable::of(4, ["field", "value", "default", "range"], rows);
    let text = |RuleField { name, meaning, source, default, range, .. }: &RuleField| {
        let brief = format!("{default} ({range}). {meaning}");
        (name.clone(), if is_full { format!("{meaning} Source: {source}") } else { brief })
    };
    let sheet = TextReport::default().question(format!("Rules of {}: {}", book.game, book.variant));
    let sheet = book.play.iter().cloned().fold(sheet, TextReport::sentences);
    let sheet = if is_full { sheet.table(table.titled("Fields of a variant file")) } else { sheet };
    sheet
        .definitions("Meaning of the fields", book.fields.iter().map(text).collect())
        .paragraph("These rules need a change of the program:")
        .sentences(book.fixed.clone())
}
