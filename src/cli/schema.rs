//! `parlour schema`.

use clap::{Args, ValueEnum};
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};

use super::say;
use crate::arena::Experiment;
use crate::error::Result;
use crate::strategy::{GAMES, GameVisitor, Strategic, with_game};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum What {
    #[default]
    Experiment,
    Strategy,
    Rules,
    Record,
}

#[derive(Args, Debug)]
pub(super) struct Schema {
    /// Of which file
    #[arg(value_enum, default_value_t)]
    what: What,
}

impl Schema {
    pub fn run(self) -> Result<()> {
        let mut generator = SchemaGenerator::default();
        let mut games = Vec::new();
        for &game in GAMES {
            let schema = with_game(game, Visit { what: self.what, generator: &mut generator })?;
            games.push(schema);
        }
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": format!("parlour {}", format!("{:?}", self.what).to_lowercase()),
            "anyOf": games,
            "$defs": generator.take_definitions(true),
        });
        say(serde_json::to_string_pretty(&schema).expect("plain data"))
    }
}

struct Visit<'a> {
    what: What,
    generator: &'a mut SchemaGenerator,
}

impl GameVisitor for Visit<'_> {
    type Output = Value;

    fn visit<G: Strategic>(self) -> Value {
        fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
            generator.subschema_for::<T>().to_value()
        }
        match self.what {
            What::Experiment => of::<Experiment<G::Patch>>(self.generator),
            What::Strategy => of::<G::SpecFile>(self.generator),
            What::Rules => of::<G::Rules>(self.generator),
            What::Record => of::<G::Record>(self.generator),
        }
    }
}
