//! The rules of a variant for people: how it is played, its fields, and what is fixed.

use itertools::Itertools;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Serialize;
use serde_json::{Value, json};

use super::Ruled;

/// The rules of a variant, for people.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Rulebook {
    /// The game's name.
    pub game: String,
    /// The variant's name.
    pub variant: String,
    /// The rules of play: paragraphs, each a text or several lines. The last one names the differences
    /// from the most similar listed variant, if there are any.
    pub play: Vec<Vec<String>>,
    /// The fields that a variant can change.
    pub fields: Vec<RuleField>,
    /// The rules that no field changes.
    pub fixed: Vec<String>,
}

/// A field of the rules.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RuleField {
    /// Its name.
    pub name: String,
    /// Its value in this variant.
    pub value: String,
    /// Its value in the most similar listed variant.
    pub default: String,
    /// The possible values.
    pub range: String,
    /// A description.
    pub meaning: String,
    /// The origin of the rule.
    pub source: String,
}

impl Rulebook {
    /// Returns the rulebook of a variant.
    pub fn of<G: Ruled>(variant: &str, game: &G) -> Rulebook {
        let rules = json!(game.rules());
        let differing = |base: &Value| {
            let fields = rules.as_object().into_iter().flatten();
            fields.filter(|(name, value)| base[*name] != **value).count()
        };
        let presets = G::presets().into_iter().map(|preset| (preset.name, json!(preset.rules)));
        let (base, preset) = presets.min_by_key(|(_, rules)| differing(rules)).unwrap_or_default();
        let part = |title, values: &Value| section(G::RULES_TEXT, title, values);
        let (mut play, fixed) = (part("", &rules), part("Fixed", &rules).concat());
        let settings = SchemaSettings::draft2020_12().with(|it| it.inline_subschemas = true);
        let schema = settings.into_generator().into_root_schema_for::<G::Rules>().to_value();
        let field = |(name, schema): (&String, &Value)| RuleField {
            name: name.clone(),
            value: shown(&rules[name]),
            default: shown(&preset[name]),
            range: range(schema),
            meaning: meaning(schema),
            source: part("Sources", &json!({ "field": name })).concat().join(" "),
        };
        let fields = schema["properties"].as_object().into_iter().flatten().map(field);
        let fields: Vec<RuleField> = fields.collect();
        let changed = fields.iter().filter(|field| field.value != field.default);
        let text = |it: &RuleField| format!("`{}` {} instead of {}", it.name, it.value, it.default);
        let changes = changed.map(text).join(", ");
        if !changes.is_empty() {
            play.push(vec![format!("`{variant}` is `{base}` with {changes}.")]);
        }
        Rulebook { game: G::NAME.to_owned(), variant: variant.to_owned(), play, fields, fixed }
    }

    /// Returns the rules of play as plain text.
    pub fn to_text(&self) -> String {
        self.play.iter().map(|paragraph| paragraph.join("\n")).join("\n\n")
    }
}

/// Returns the paragraphs of a section of [`Ruled::RULES_TEXT`] with these values, each split into its
/// list items. The first section has no title.
pub(crate) fn section(text: &str, title: &str, values: &Value) -> Vec<Vec<String>> {
    let paragraph = |text: &str| {
        let mut items: Vec<String> = Vec::new();
        for line in text.lines().filter_map(|line| filled(line, values)) {
            match (line.strip_prefix("- "), items.last_mut()) {
                (None, Some(item)) => *item += &format!(" {line}"),
                (item, _) => items.push(item.unwrap_or(&line).to_owned()),
            }
        }
        items
    };
    let section = text.split("\n# ").find_map(|section| section.strip_prefix(title));
    let paragraphs = section.unwrap_or_default().split("\n\n").map(paragraph);
    paragraphs.filter(|items| !items.concat().is_empty()).collect()
}

/// Returns a line with `{field}` replaced by its value; `None` if a condition, `[field=value]` or
/// `[field!=value|value]`, does not hold.
fn filled(mut line: &str, values: &Value) -> Option<String> {
    let value = |path: &str| {
        let value = values.pointer(&format!("/{}", path.replace('.', "/")));
        shown(value.unwrap_or(&Value::Null))
    };
    while let Some((condition, rest)) = line.strip_prefix('[').and_then(|it| it.split_once("] ")) {
        let (field, wanted) = condition.split_once('=')?;
        let has = |field| wanted.split('|').any(|one| one == value(field));
        if !field.strip_suffix('!').map_or_else(|| has(field), |field| !has(field)) {
            return None;
        }
        line = rest;
    }
    let part = |part: &str| {
        part.split_once('}').map_or_else(|| part.to_owned(), |(field, rest)| value(field) + rest)
    };
    Some(line.split('{').map(part).collect())
}

/// Returns a value as text.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(shown).join(", "),
        other => other.to_string(),
    }
}

/// Returns the alternatives of a schema; the schema itself if it has none.
fn alternatives(schema: &Value) -> &[Value] {
    let lists = ["oneOf", "anyOf", "enum"].into_iter().find_map(|word| schema[word].as_array());
    lists.map_or(std::slice::from_ref(schema), Vec::as_slice)
}

/// Returns the values that a schema allows, in words.
fn range(schema: &Value) -> String {
    let one = |one: &Value| match (&one["minimum"], &one["maximum"]) {
        (Value::Null, _) => {
            let words = [&one["const"], &one["required"][0], &one["type"], one];
            shown(words.into_iter().find(|word| !word.is_null()).unwrap_or(one))
        }
        (low, high) => format!("{low} to {high}"),
    };
    alternatives(schema).iter().map(one).join(", ")
}

/// Returns the description of a field without its range, then those of its values.
fn meaning(schema: &Value) -> String {
    let text = |schema: &Value| schema["description"].as_str().unwrap_or("").replace('\n', " ");
    let range = format!("From {} to {}.", schema["minimum"], schema["maximum"]);
    let values = alternatives(schema).iter().filter(|one| !one["const"].is_null());
    let mut values = values.map(|one| format!(" `{}`: {}", shown(&one["const"]), text(one)));
    text(schema).replace(&range, "").trim().to_owned() + &values.join("")
}
