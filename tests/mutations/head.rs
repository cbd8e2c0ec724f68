//! Changes of the fields around a hand, for every game.

use super::*;

/// The list of what was done.
fn done(record: &mut Value) -> &mut Vec<Value> {
    let name = if record["game"] == "leapfrog" { "moves" } else { "turns" };
    list(record, name)
}

/// Changes one rule whose value `change` knows to change.
fn rule(
    record: &mut Value,
    chance: &mut Stream,
    change: impl Fn(&Value) -> Option<Value>,
) -> Option<()> {
    let rules = record["rules"].as_object_mut()?;
    let fit: Vec<String> = rules
        .iter()
        .filter(|(_, value)| change(value).is_some())
        .map(|(name, _)| name.clone())
        .collect();
    let name = &fit[one(fit.len(), chance)?];
    rules[name] = change(&rules[name])?;
    Some(())
}

/// Adds to one seat's points.
fn points(record: &mut Value, chance: &mut Stream, more: i64) -> Option<()> {
    let scores = list(record, "scores");
    let seat = one(scores.len(), chance)?;
    scores[seat] = (scores[seat].as_i64()? + more).into();
    Some(())
}

pub const KINDS: &Kinds = &[
    ("another version of the format", |r, s| {
        r["format"] = [0, 2, 3][one(3, s)?].into();
        Some(())
    }),
    ("another game", |r, s| {
        let games = ["leopard", "leapfrog", "eleusis", "Eleusis", "chess"];
        let game = games[one(games.len(), s)?];
        let is_other = r["game"] != game;
        r["game"] = game.into();
        is_other.then_some(())
    }),
    ("the name of another variant", |r, s| {
        let names = match r["game"].as_str()? {
            "leopard" => ["original", "revised", "denexa", "running-revised"],
            "leapfrog" => ["murray", "original-18", "mini-7x7", "froglet"],
            _ => ["eleusis", "express", "express-golden", "eleusis-1977"],
        };
        let name = names[one(names.len(), s)?];
        let is_other = r["variant"] != name;
        r["variant"] = name.into();
        is_other.then_some(())
    }),
    ("another number in the rules of a named variant", |r, s| {
        rule(r, s, |value| Some((value.as_i64()? + 1).into()))
    }),
    ("a switch of a named variant turned", |r, s| {
        if r["game"] == "leopard" {
            r["rules"]["plays"] = if r["rules"]["plays"] == "one" { "many" } else { "one" }.into();
            return Some(());
        }
        rule(r, s, |value| Some((!value.as_bool()?).into()))
    }),
    ("a word of the rules of a named variant that is none", |r, s| {
        rule(r, s, |value| value.is_string().then(|| "seldom".into()))
    }),
    ("a rule of another type", |r, s| rule(r, s, |value| value.is_u64().then(|| "7".into()))),
    ("a rule out of its range", |r, s| {
        r["variant"] = "my-own".into();
        let names = ["hand_size", "draw", "rows", "cols", "seats", "refill_at"];
        let rules = r["rules"].as_object_mut()?;
        let known: Vec<_> = names.iter().filter(|name| rules.contains_key(**name)).collect();
        rules[*known[one(known.len(), s)?]] = 99.into();
        Some(())
    }),
    ("a rule left out", |r, s| {
        let names = ["knock_at", "draw", "rows", "pieces", "express", "expel_at", "hand_size"];
        let rules = r["rules"].as_object_mut()?;
        let known: Vec<_> = names.iter().filter(|name| rules.contains_key(**name)).collect();
        rules.remove(*known[one(known.len(), s)?]).map(|_| ())
    }),
    ("a rule that the game has not", |r, _| {
        r["rules"]["lucky_card"] = 7.into();
        Some(())
    }),
    ("rules left out", |r, _| without(r, "rules")),
    ("a rotation that the seats do not have", |r, s| {
        let seats = list(r, "seats").len();
        r["rotation"] = (seats + one(9, s)?).into();
        Some(())
    }),
    ("a hand that the match does not have", |r, s| {
        let hands = match r["game"].as_str()? {
            "leopard" => r["rules"]["hands_per_match"].as_u64()?,
            "leapfrog" => 1,
            _ => r["rules"]["seats"].as_u64()?,
        };
        r["hand"] = (hands + u64::from(s.below(9))).into();
        Some(())
    }),
    ("a seat without a name", |r, s| {
        let seats = list(r, "seats");
        let seat = one(seats.len(), s)?;
        seats.remove(seat);
        Some(())
    }),
    ("a seat too many", |r, s| {
        let seats = list(r, "seats");
        let seat = one(seats.len(), s)?;
        seats.insert(seat, "another".into());
        Some(())
    }),
    ("seats left out", |r, _| without(r, "seats")),
    ("a point more", |r, s| points(r, s, 1)),
    ("a point less", |r, s| points(r, s, -1)),
    ("ten points more", |r, s| points(r, s, 10)),
    ("the points of two seats exchanged", |r, s| {
        let scores = list(r, "scores");
        let (a, b) = (one(scores.len(), s)?, one(scores.len(), s)?);
        scores.swap(a, b);
        (scores[a] != scores[b]).then_some(())
    }),
    ("the points of a seat left out", |r, s| {
        let scores = list(r, "scores");
        let seat = one(scores.len(), s)?;
        scores.remove(seat);
        Some(())
    }),
    ("points of a seat that is not there", |r, _| {
        list(r, "scores").push(0.into());
        Some(())
    }),
    ("no points", |r, _| without(r, "scores")),
    ("another winner", |r, s| {
        let seats = list(r, "seats").len();
        let winner = r["winner"].as_u64()? as usize;
        r["winner"] = ((winner + 1 + one(seats - 1, s)?) % seats).into();
        Some(())
    }),
    ("no winner though one has most", |r, _| {
        r["winner"].is_u64().then(|| r["winner"] = Value::Null)
    }),
    ("a winner who is not at the table", |r, s| {
        r["winner"] = (list(r, "seats").len() + one(9, s)?).into();
        Some(())
    }),
    ("the winner's key left out", |r, _| without(r, "winner")),
    ("the last turn left out", |r, _| done(r).pop().map(|_| ())),
    ("the last turns left out", |r, s| {
        let turns = done(r);
        let left = one(turns.len(), s)?;
        turns.truncate(left);
        Some(())
    }),
    ("the first turn left out", |r, _| {
        done(r).remove(0);
        Some(())
    }),
    ("a turn after the end", |r, s| {
        let turns = done(r);
        let again = turns[one(turns.len(), s)?].clone();
        turns.push(again);
        Some(())
    }),
    ("the turns left out", |r, _| {
        without(r, if r["game"] == "leapfrog" { "moves" } else { "turns" })
    }),
];
