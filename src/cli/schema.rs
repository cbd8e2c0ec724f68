//! `parlour schema`.

use schemars::{JsonSchema, SchemaGenerator};

use super::{Args, GAMES, Result, Strategic, Value, ValueEnum, json, say, say_json, with_game};
use crate::arena::Experiment;
use crate::game::Sweep;
use crate::game::{Figure, FigureSpec};
use crate::games::eleusis::science::{Case, ScienceCase, ScienceTurn};
use crate::results::{Summary, Table, blank_tables, dictionary};
use crate::strategy::file_schemas;

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
    /// A line of a file for `parlour science`
    Case,
    /// What `--json` prints of a run
    Summary,
    /// What `--json` prints, command by command
    Json,
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
    if given.what == What::Case {
        return say_json(&SchemaGenerator::default().into_root_schema_for::<Case>());
    }
    if given.what == What::Json {
        return say_json(&printed(&mut generator));
    }
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
        What::Experiment => file::<G>(experiment::<G>(generator)),
        What::Strategy => {
            let forms: Vec<Value> = file_schemas::<G>().into_iter().map(file::<G>).collect();
            json!({ "title": format!("strategy of {}", G::NAME), "anyOf": forms })
        }
        What::Rules => file::<G>(custom::<G>(generator)),
        What::Position => position::<G>(generator),
        What::View => of::<G::View>(generator),
        What::Record => of::<G::Record>(generator),
        What::Summary | What::Case | What::Json | What::Columns => {
            Summary::schema(G::NAME, &figures::<G>())
        }
    }
}

/// What `--json` prints, command by command; that of a run is the summary of a game.
fn printed(generator: &mut SchemaGenerator) -> Value {
    let run = json!({ "type": "object", "description": "See `parlour schema summary`." });
    let mut commands = serde_json::Map::new();
    for name in ["run", "merge", "show", "match", "compare", "sweep"] {
        commands.insert(name.to_owned(), run.clone());
    }
    macro_rules! add {
        ($($name:literal: $what:ty),+) => {
            $(commands.insert($name.to_owned(), generator.subschema_for::<$what>().to_value());)+
        };
    }
    add!(
        "plan": crate::results::Planned,
        "list": super::list::Listing,
        "science": super::science::Found,
        "verify": super::verify::Verified,
        "advise": crate::strategy::Advice,
        "solve": crate::games::leapfrog::solve::Solution,
        "check-certificate": super::check_certificate::Certified,
        "bench": Vec<super::bench::Line>,
        "tune": super::tune::Tuned,
        "tune --towards": super::front::FoundFront<'static>
    );
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "parlour --json",
        "description": "What `--json` prints, command by command.",
        "properties": commands,
        "$defs": generator.take_definitions(true),
    })
}

/// What a position may look like: a schema for each of its forms.
pub(super) fn position<G: Strategic>(generator: &mut SchemaGenerator) -> Value {
    let schema = G::position_schema(generator).to_value();
    let forms = match &schema["anyOf"] {
        Value::Array(forms) => forms.clone(),
        _ => vec![schema],
    };
    let form = |form: &Value| {
        let mut form = resolved(form, generator);
        form["properties"]["rules"] = closed(rules::<G>(generator), &[]);
        file::<G>(form)
    };
    json!({ "anyOf": forms.iter().map(form).collect::<Vec<_>>() })
}

/// A schema itself, in place of the name that it has in the definitions.
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

/// A whole file of a game: it may name its schema.
fn file<G: Strategic>(mut schema: Value) -> Value {
    schema["properties"]["$schema"] =
        json!({ "type": "string", "description": "Where an editor finds this schema." });
    if let Some(game) = schema["properties"].get_mut("game") {
        *game = json!({ "const": G::NAME, "description": "The game's name." });
    }
    schema
}

/// The rules that a variant sets on top of its base, each by its name.
fn rules<G: Strategic>(generator: &mut SchemaGenerator) -> Value {
    let all = generator.subschema_for::<G::Rules>().to_value();
    let mut properties = resolved(&all, generator)["properties"].take();
    for (_, rule) in properties.as_object_mut().into_iter().flatten() {
        // What is left out is as in the base.
        rule.as_object_mut().map(|rule| rule.remove("default"));
    }
    properties
}

/// A variant of one's own, as it stands in a file.
fn custom<G: Strategic>(generator: &mut SchemaGenerator) -> Value {
    let mut properties = rules::<G>(generator);
    properties["name"] = json!({
        "type": "string", "pattern": NAME, "description": "What to call it."
    });
    properties["base"] = json!({
        "type": "string", "description": "The variant from which it differs."
    });
    closed(properties, &["name", "base"])
}

/// What a variant or a strategy may be called.
const NAME: &str = "^[A-Za-z0-9._-]{1,60}$";

/// An experiment, with its variants and strategies by name or written out.
fn experiment<G: Strategic>(generator: &mut SchemaGenerator) -> Value {
    // The two are put in below.
    let plain = generator.subschema_for::<Experiment<bool, bool>>().to_value();
    let mut experiment = resolved(&plain, generator);
    let sweep = generator.subschema_for::<Sweep>().to_value();
    let name = json!({ "type": "string", "description": "A name, or the path of a file." });
    // The name of what is swept has its fields in braces.
    let swept = |mut one: Value, required: &[&str]| {
        one["properties"]["sweep"] = sweep.clone();
        one["properties"]["name"] = json!({
            "type": "string",
            "description": "What to call them: each `{field}` is its value, and what the name leaves out follows it.",
        });
        one["required"] = json!(required);
        one
    };
    let custom = custom::<G>(generator);
    let variants = [name.clone(), custom.clone(), swept(custom, &["base", "sweep"])];
    experiment["properties"]["variants"]["items"] = json!({ "anyOf": variants });
    let mut strategies = vec![name];
    for mut form in file_schemas::<G>() {
        let mut required = form["required"].as_array().cloned().unwrap_or_default();
        strategies.push(swept(form.clone(), &["name", "sweep"]));
        if required.contains(&json!("base")) {
            strategies.push(swept(form.clone(), &["base", "sweep"]));
        }
        required.push("name".into());
        form["properties"]["name"] =
            json!({ "type": "string", "pattern": NAME, "description": "What to call it." });
        form["required"] = required.into();
        strategies.push(form);
    }
    experiment["properties"]["strategies"]["items"] = json!({ "anyOf": strategies });
    experiment
}

fn figures<G: Strategic>() -> Vec<FigureSpec> {
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
