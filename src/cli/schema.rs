//! `parlour schema`.

use clap::{Args, ValueEnum};
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use super::output::{print, print_json};
use super::{bench, boards, hands, list, review, science};
use crate::Experiment;
use crate::error::Result;
use crate::game::{Rulebook, Sweep};
use crate::games::eleusis::science::{Case, ScienceCase, ScienceTurn};
use crate::games::leapfrog::solve::Solution;
use crate::games::{ALL, AnyGame, SchemaPart};
use crate::results::{SampleSize, Summary, Table, blank_tables, dictionary};
use crate::strategy::Advice;
use crate::tune::{EffectRow, ParetoFront, TuneOutcome};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum SchemaKind {
    #[default]
    Experiment,
    Strategy,
    Rules,
    /// The input of `parlour advise`
    Position,
    /// The view of a seat: all that a bot gets besides the moves so far
    View,
    Record,
    /// A line of a file for `parlour science`
    Case,
    /// The `--json` output of a run
    Summary,
    /// The `--json` output of each command
    Json,
    /// The columns of all tables, in Markdown
    Columns,
}

#[derive(Args, Debug)]
pub(super) struct Schema {
    /// The type to describe
    #[arg(value_enum, default_value_t)]
    what: SchemaKind,
}

pub(super) fn run(args: &Schema) -> Result<()> {
    let generator = &mut SchemaGenerator::default();
    let of_game: fn(&AnyGame, &mut SchemaGenerator) -> Value = match args.what {
        SchemaKind::Columns => return print(columns()),
        SchemaKind::Case => {
            return print_json(&SchemaGenerator::default().into_root_schema_for::<Case>());
        }
        SchemaKind::Json => return print_json(&outputs(generator)),
        SchemaKind::Experiment => |game, generator| file(game, experiment(game, generator)),
        SchemaKind::Strategy => |game, _| {
            let forms = (game.strategy_schemas)().into_iter().map(|form| file(game, form));
            let forms: Vec<Value> = forms.collect();
            json!({ "title": format!("strategy of {}", game.name), "anyOf": forms })
        },
        SchemaKind::Rules => |game, generator| {
            let mut schema = file(game, custom_variant(game, generator, &["base"]));
            schema["description"] =
                (game.rulebook)(None).map_or("".into(), |it| it.to_text().into());
            schema
        },
        SchemaKind::Position => position,
        SchemaKind::View => |game, generator| (game.schema)(SchemaPart::View, generator),
        SchemaKind::Record => |game, generator| (game.schema)(SchemaPart::Record, generator),
        SchemaKind::Summary => |game, _| Summary::schema(game.name, &(game.figures)()),
    };
    let games: Vec<Value> = ALL.iter().map(|game| of_game(game, generator)).collect();
    print_json(&json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("parlour {}", format!("{:?}", args.what).to_lowercase()),
        "anyOf": games,
        "$defs": generator.take_definitions(true),
    }))
}

/// The `--json` output of each command; that of a run is the summary of its game.
fn outputs(generator: &mut SchemaGenerator) -> Value {
    let run = json!({ "type": "object", "description": "See `parlour schema summary`." });
    let mut commands = Map::new();
    for name in ["run", "merge", "show", "match", "compare", "sweep", "exploit"] {
        commands.insert(name.to_owned(), run.clone());
    }
    macro_rules! add {
        ($($name:literal: $what:ty),+) => {
            $(commands.insert($name.to_owned(), generator.subschema_for::<$what>().to_value());)+
        };
    }
    add!(
        "sample-size": SampleSize,
        "list": list::Listing,
        "rules": Vec<Rulebook>,
        "science": science::ScienceResult,
        "verify": hands::Verification,
        "advise": Advice,
        "review": review::ReviewReport,
        "solve": Solution,
        "check-certificate": boards::Certified,
        "bench": Vec<bench::SpeedRow>,
        "tune": TuneOutcome,
        "tune --objective": ParetoFront
    );
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "parlour --json",
        "description": "The `--json` output of each command.",
        "properties": commands,
        "$defs": generator.take_definitions(true),
    })
}

/// A position file: a schema for each of its forms.
pub(super) fn position(game: &AnyGame, generator: &mut SchemaGenerator) -> Value {
    let schema = (game.schema)(SchemaPart::Position, generator);
    let forms = match &schema["anyOf"] {
        Value::Array(forms) => forms.clone(),
        _ => vec![schema],
    };
    let form = |form: &Value| {
        let mut form = resolved(form, generator);
        form["properties"]["rules"] = closed(rules(game, generator), &[]);
        file(game, form)
    };
    json!({ "anyOf": forms.iter().map(form).collect::<Vec<_>>() })
}

/// A schema itself, in place of its name in the definitions.
fn resolved(schema: &Value, generator: &SchemaGenerator) -> Value {
    let name = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next());
    let defined = name.and_then(|name| generator.definitions().get(name));
    defined.map_or_else(|| schema.clone(), Value::clone)
}

/// An object with these fields and no others.
fn closed(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// A whole file of a game, which may name its schema.
fn file(game: &AnyGame, mut schema: Value) -> Value {
    schema["properties"]["$schema"] =
        json!({ "type": "string", "description": "Location of this schema, for editors." });
    if let Some(field) = schema["properties"].get_mut("game") {
        *field = json!({ "const": game.name, "description": "The game's name." });
    }
    schema
}

/// The rules that a variant may change, each by its name.
fn rules(game: &AnyGame, generator: &mut SchemaGenerator) -> Value {
    let all = (game.schema)(SchemaPart::Rules, generator);
    let mut properties = resolved(&all, generator)["properties"].take();
    for (_, rule) in properties.as_object_mut().into_iter().flatten() {
        // Missing rules come from the base.
        rule.as_object_mut().map(|rule| rule.remove("default"));
    }
    properties
}

/// A custom variant, as its file has it.
fn custom_variant(game: &AnyGame, generator: &mut SchemaGenerator, required: &[&str]) -> Value {
    let mut properties = rules(game, generator);
    properties["name"] = name();
    properties["about"] = json!({ "type": "string", "description": "A sentence for people." });
    properties["base"] = json!({
        "type": "string",
        "description": "The variant whose rules it changes: a name, or the path of a file.",
    });
    closed(properties, required)
}

/// The name of a custom variant or strategy.
fn name() -> Value {
    json!({ "type": "string", "pattern": "^[A-Za-z0-9._-]{1,60}$", "description": "Its name." })
}

/// An experiment; its variants and strategies are names or objects.
fn experiment(game: &AnyGame, generator: &mut SchemaGenerator) -> Value {
    // The schemas of both are filled in below.
    let plain = generator.subschema_for::<Experiment<bool, bool>>().to_value();
    let mut experiment = resolved(&plain, generator);
    let sweep = generator.subschema_for::<Sweep>().to_value();
    let path = json!({ "type": "string", "description": "A name, or the path of a file." });
    let swept = |mut one: Value, required: &[&str]| {
        one["properties"]["sweep"] = sweep.clone();
        one["properties"]["name"] = json!({
            "type": "string",
            "description": "Pattern of the names: `{field}` is replaced by its value; other values are appended.",
        });
        one["required"] = json!(required);
        one
    };
    let custom = custom_variant(game, generator, &["name", "base"]);
    let variants = [path.clone(), custom.clone(), swept(custom, &["base", "sweep"])];
    experiment["properties"]["variants"]["items"] = json!({ "anyOf": variants });
    let mut strategies = vec![path];
    for mut form in (game.strategy_schemas)() {
        let mut required = form["required"].as_array().cloned().unwrap_or_default();
        strategies.push(swept(form.clone(), &["name", "sweep"]));
        if required.contains(&json!("base")) {
            strategies.push(swept(form.clone(), &["base", "sweep"]));
        }
        required.push("name".into());
        form["properties"]["name"] = name();
        form["required"] = required.into();
        strategies.push(form);
    }
    experiment["properties"]["strategies"]["items"] = json!({ "anyOf": strategies });
    experiment
}

/// The data dictionary: the tables of all games, the figures of each game, the tables of `science`.
fn columns() -> String {
    let mut shared = Vec::new();
    let mut others = Vec::new();
    for game in ALL {
        let tables = blank_tables(&(game.figures)());
        let (own, same): (Vec<Table>, _) = tables.into_iter().partition(|t| t.name == "variants");
        others.extend(own.into_iter().map(|table| (format!(" of {}", game.name), table)));
        shared = same;
    }
    let science = [
        Table::empty::<ScienceTurn>("science", 1),
        Table::empty::<ScienceCase>("science_summary", 1),
    ];
    others.extend(science.map(|table| (" of `parlour science`".to_owned(), table)));
    others.push((" of a search of rules".to_owned(), Table::empty::<EffectRow>("effects", 1)));
    dictionary(&shared, others)
}
