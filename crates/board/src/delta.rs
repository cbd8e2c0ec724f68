//! Differences between JSON values, so that a page need not hold many similar values in full.
//! `hand.js` applies them.

use serde_json::{Map, Value, json};

/// Returns the change from `old` to `new`; `None` if they are equal. It is one of `{"o": {name:
/// change}, "x": [names]}` for changed and removed fields; `{"i": {index: change}}` for changed
/// elements; `{"s": [start, count, [elements]]}` for replaced elements; and `{"v": value}` for
/// another value.
pub(super) fn delta(old: &Value, new: &Value) -> Option<Value> {
    if old == new {
        return None;
    }
    Some(match (old, new) {
        (Value::Object(old), Value::Object(new)) => fields(old, new),
        (Value::Array(old), Value::Array(new)) => elements(old, new),
        _ => json!({ "v": new }),
    })
}

fn fields(old: &Map<String, Value>, new: &Map<String, Value>) -> Value {
    let changed = new.iter().filter_map(|(name, value)| {
        let change = match old.get(name) {
            Some(old) => delta(old, value)?,
            None => json!({ "v": value }),
        };
        Some((name.clone(), change))
    });
    let mut both = json!({ "o": changed.collect::<Map<String, Value>>() });
    let gone: Vec<&String> = old.keys().filter(|name| !new.contains_key(*name)).collect();
    if !gone.is_empty() {
        both["x"] = json!(gone);
    }
    both
}

fn elements(old: &[Value], new: &[Value]) -> Value {
    let nested = |all: &[Value]| all.iter().all(|v| v.is_object() || v.is_array());
    if old.len() == new.len() && nested(old) && nested(new) {
        let changed = old.iter().zip(new).enumerate();
        let changed =
            changed.filter_map(|(at, (old, new))| Some((at.to_string(), delta(old, new)?)));
        return json!({ "i": changed.collect::<Map<String, Value>>() });
    }
    let alike = |pairs: &mut dyn Iterator<Item = (&Value, &Value)>| {
        pairs.take_while(|(old, new)| old == new).count()
    };
    let start = alike(&mut old.iter().zip(new));
    let end = alike(&mut old[start..].iter().rev().zip(new[start..].iter().rev()));
    json!({ "s": [start, old.len() - start - end, new[start..new.len() - end]] })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies a change, as `hand.js` does.
    fn applied(old: &Value, change: &Value) -> Value {
        let mut new = old.clone();
        if let Some(value) = change.get("v") {
            return value.clone();
        }
        for (name, change) in change["o"].as_object().into_iter().flatten() {
            new[name] = applied(&old[name], change);
        }
        for name in change["x"].as_array().into_iter().flatten() {
            new.as_object_mut().unwrap().remove(name.as_str().unwrap());
        }
        for (at, change) in change["i"].as_object().into_iter().flatten() {
            let at: usize = at.parse().unwrap();
            new[at] = applied(&old[at], change);
        }
        if let Some(splice) = change["s"].as_array() {
            let [start, count] = [0, 1].map(|at| splice[at].as_u64().unwrap() as usize);
            let elements = splice[2].as_array().unwrap().clone();
            new.as_array_mut().unwrap().splice(start..start + count, elements);
        }
        new
    }

    #[test]
    fn applying_a_delta_gives_the_new_value() {
        let values = [
            json!({ "hand": ["7H", "8H"], "stock": 9, "own": [{ "a": 1 }, { "a": 2 }] }),
            json!({ "hand": ["8H", "9H"], "own": [{ "a": 1 }, { "a": 3, "b": null }] }),
            json!({ "hand": [], "stock": null, "own": [], "end": { "out": 1 } }),
            json!({ "hand": ["8H", "8H", "8H"], "stock": [1], "own": [[1], [2]] }),
            json!([1]),
        ];
        for (old, new) in values.iter().flat_map(|old| values.iter().map(move |new| (old, new))) {
            match delta(old, new) {
                None => assert_eq!(old, new),
                Some(change) => assert_eq!(applied(old, &change), *new, "{change}"),
            }
        }
        let change =
            delta(&json!({ "line": ["6S", "8S"] }), &json!({ "line": ["6S", "8S", "7H"] }));
        assert_eq!(change.unwrap().to_string(), r#"{"o":{"line":{"s":[2,0,["7H"]]}}}"#);
    }
}
