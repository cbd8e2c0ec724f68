//! `parlour schema`.

use schemars::{JsonSchema, SchemaGenerator};

use super::{Args, GAMES, Result, Strategic, Value, ValueEnum, json, say, say_json, with_game};
use crate::arena::{Experiment, VariantSpec};
use crate::game::{Figure, PlainFigure};
use crate::games::eleusis::science::{ScienceCase, ScienceTurn};
use crate::results::{Summary, Table, blank_tables, dictionary};
use crate::strategy::file_schema;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum What {
    #[default]
    Experiment,
    Strategy,
    Rules,
    /// What `parlour advise` reads
    Position,
    /// What one seat knows of a hand: all that a bot is shown beside the moves so far
    View,
    Record,
    /// What `--json` prints of a run
    Summary,
    /// The data dictionary of all tables, in Markdown
    Columns,
}

#[derive(Args, Debug)]
pub(super) struct Schema {
    /// Of what
    #[arg(value_enum, default_value_t)]
    what: What,
}

pub(super) fn run(given: &Schema) -> Result<()> {
    if given.what == What::Columns {
        return say(columns()?);
    }
    let mut generator = SchemaGenerator::default();
    let mut games = Vec::new();
    for &game in GAMES {
        games.push(with_game!(game, G => part::<G>(given.what, &mut generator))?);
    }
    say_json(&json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("parlour {}", format!("{:?}", given.what).to_lowercase()),
        "anyOf": games,
        "$defs": generator.take_definitions(true),
    }))
}

fn part<G: Strategic>(what: What, generator: &mut SchemaGenerator) -> Value {
    fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
        generator.subschema_for::<T>().to_value()
    }
    match what {
        What::Experiment => of::<Experiment<VariantSpec<G::Patch>>>(generator),
        What::Strategy => file_schema::<G>(),
        What::Rules => of::<G::Rules>(generator),
        What::Position => G::position_schema(generator).to_value(),
        What::View => of::<G::View>(generator),
        What::Record => of::<G::Record>(generator),
        What::Summary | What::Columns => Summary::schema(G::NAME, &figures::<G>()),
    }
}

fn figures<G: Strategic>() -> Vec<PlainFigure> {
    G::FIGURES.iter().map(Figure::plain).collect()
}

/// `results/README.md`: what all games share, the figures of each, the one-player protocol.
fn columns() -> Result<String> {
    let mut shared = Vec::new();
    let mut others = Vec::new();
    for &game in GAMES {
        let tables = with_game!(game, G => blank_tables(&figures::<G>()))?;
        let (own, same): (Vec<Table>, _) = tables.into_iter().partition(|t| t.name == "variants");
        others.extend(own.into_iter().map(|table| (format!(" of {game}"), table)));
        shared = same;
    }
    let science = [
        Table::empty::<ScienceTurn>("science", 1),
        Table::empty::<ScienceCase>("science_summary", 1),
    ];
    others.extend(science.map(|table| (" of `parlour science`".to_owned(), table)));
    Ok(dictionary(&shared, others))
}
