//! Files of searches as they were written before their options stood in groups.

use serde_json::Value;

/// The groups in which options stand now, in the order in which they are written, each option as it
/// was called; after `=` where it stands now, if not under its own name.
const MOVED: [(&str, &str); 6] = [
    ("", "about game kind"),
    ("budget/", "iterations milliseconds"),
    (
        "playouts/",
        "rollout=by rollout_start=first stray=epsilon cut_off=cut_off/moves judge=cut_off/judge",
    ),
    ("reward/", "win scale"),
    (
        "tree/",
        "exploration rule=bandit first_play=opening/urgency widening=opening/widening \
         suggested_first others_follow join_equal depth decide memory_mb",
    ),
    ("", "world_iterations paired reuse redeterminize guide model"),
];

/// Each option as it was called, and where it stands now.
fn moved() -> impl Iterator<Item = (&'static str, String)> {
    MOVED.into_iter().flat_map(|(group, options)| {
        options.split(' ').map(move |option| {
            let (old, new) = option.split_once('=').unwrap_or((option, option));
            (old, format!("{group}{new}"))
        })
    })
}

/// The names that options have now within `playouts.first`, `guide` and `model`.
const RENAMED: &[(&str, &str)] = &[("strategy", "by"), ("doubt", "error"), ("pool", "worlds")];

/// The kinds that had all options on one level.
const SEARCHES: &[&str] = &["monte-carlo", "pimc", "ismcts", "mo-ismcts", "mcts"];

/// The first option that stands where it stood in the old form, if this is such a file.
pub(super) fn old_option(kind: &str, file: &Value) -> Option<&'static str> {
    // A strategy of this kind has its own options, on one level still.
    let is_own = ["rules", "skill", "dealer"].iter().any(|name| file.get(*name).is_some());
    if !SEARCHES.contains(&kind) || is_own {
        return None;
    }
    let is_old = |(name, place): &(&'static str, String)| match file.get(*name) {
        None => false,
        Some(value) if ["guide", "model"].contains(name) => {
            RENAMED.iter().any(|(old, _)| value.get(*old).is_some())
        }
        Some(_) => place.contains('/') && !(kind == "monte-carlo" && *name == "join_equal"),
    };
    moved().find(is_old).map(|(name, _)| name)
}

/// Where an option stands now that is called so in the old form.
pub(super) fn place_now(old: &str) -> Option<String> {
    let (_, place) = moved().find(|(name, _)| *name == old)?;
    Some(place.replace('/', ".")).filter(|place| place != old)
}

/// The file in the form of today; `None` when it has it already.
fn in_groups(file: &Value) -> Option<Value> {
    let kind = file["kind"].as_str()?;
    old_option(kind, file)?;
    let others = file.as_object()?.keys().filter(|name| moved().all(|(old, _)| old != *name));
    let others = others.map(|name| (name.clone(), name.clone()));
    let mut new = Value::Null;
    for (name, place) in moved().map(|(old, new)| (old.to_owned(), new)).chain(others) {
        let Some(value) = file.get(&name).filter(|value| !value.is_null()) else { continue };
        let stays = kind == "monte-carlo" && name == "join_equal";
        let groups = if stays { &name } else { &place }.split('/');
        *groups.fold(&mut new, |group, name| &mut group[name]) = renamed(value);
    }
    Some(new)
}

fn renamed(value: &Value) -> Value {
    let Some(fields) = value.as_object() else { return value.clone() };
    let field = |(name, value): (&String, &Value)| {
        let new = RENAMED.iter().find(|(old, _)| old == name).map_or(name.as_str(), |(_, new)| new);
        (new.to_owned(), value.clone())
    };
    Value::Object(fields.iter().map(field).collect())
}

/// A strategy file's text in the form of today, a line for each group; `None` when it has it
/// already.
pub fn migrated(file: &Value) -> Option<String> {
    let new = in_groups(file)?;
    let line = |(name, value)| format!("  \"{name}\": {}", on_a_line(value));
    let lines: Vec<String> = new.as_object()?.iter().map(line).collect();
    Some(format!("{{\n{}\n}}\n", lines.join(",\n")))
}

fn on_a_line(value: &Value) -> String {
    let Some(fields) = value.as_object() else { return value.to_string() };
    let field = |(name, value)| format!("\"{name}\": {}", on_a_line(value));
    format!("{{ {} }}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_old_option_has_its_place() {
        let old = json!({
            "about": "x", "kind": "ismcts", "iterations": 500, "rollout": "brisk",
            "rollout_start": { "strategy": "steady", "moves": 6 }, "cut_off": 20, "judge": "learnt",
            "win": 1.0, "depth": 1, "exploration": 0.5, "paired": true, "first_play": 0.6,
            "guide": { "strategy": "steady", "visits": 20.0, "reward": 0.028 },
            "model": { "strategy": "steady", "doubt": 0.2, "moves": 2, "pool": 1000 }
        });
        let text = migrated(&old).unwrap();
        insta::assert_snapshot!(text, @r#"
        {
          "about": "x",
          "kind": "ismcts",
          "budget": { "iterations": 500 },
          "playouts": { "by": "brisk", "first": { "by": "steady", "moves": 6 }, "cut_off": { "moves": 20, "judge": "learnt" } },
          "reward": { "win": 1.0 },
          "tree": { "exploration": 0.5, "opening": { "urgency": 0.6 }, "depth": 1 },
          "paired": true,
          "guide": { "by": "steady", "visits": 20.0, "reward": 0.028 },
          "model": { "by": "steady", "error": 0.2, "moves": 2, "worlds": 1000 }
        }
        "#);
        let new: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(migrated(&new), None, "once is enough");
    }

    #[test]
    fn files_that_are_no_old_searches_stay() {
        let stays = |file: Value| assert_eq!(migrated(&file), None);
        stays(json!({ "kind": "steady", "weights": {} }));
        stays(json!({ "kind": "lookahead", "depth": 2 }));
        stays(json!({ "kind": "ismcts", "iterations": 600, "rules": 64, "cut_off": 24 }));
        stays(json!({ "kind": "monte-carlo", "budget": { "iterations": 1 }, "join_equal": false }));
        stays(json!({ "base": "ismcts-500", "model": { "worlds": 1 } }));
    }
}
