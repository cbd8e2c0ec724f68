//! Wrong hands of Leopard.

use parlour::Game;
use parlour::games::leopard::Leopard;

use super::*;

#[test]
fn every_wrong_change_of_a_leopard_record_is_refused() {
    let variants = ["original", "revised", "running-original", "running-revised", "denexa"];
    let choose = |game: &Leopard, state: &_, chance: &mut Stream| game.sample(state, chance);
    check::<Leopard>(&records::<Leopard>(&variants, 12, choose), KINDS);
}

/// The cards of a seat when it acts in a turn.
fn hand(r: &Value, turn: usize) -> Vec<String> {
    let turns = r["turns"].as_array().unwrap();
    let seat = &turns[turn]["seat"];
    let mut hand = cards(&r["dealt"][seat.as_u64().unwrap() as usize]);
    for (index, played) in turns[..=turn].iter().enumerate().filter(|(_, t)| t["seat"] == *seat) {
        hand.extend(cards(&played["drew"]));
        for act in cards(&played["acts"]).iter().filter(|act| index < turn && *act != "knock") {
            let at = hand.iter().position(|card| *card == act[..2]).unwrap();
            hand.swap_remove(at);
        }
    }
    hand
}

/// The first act of a turn that is as wanted, changed.
fn act(
    r: &mut Value,
    s: &mut Stream,
    is_fit: impl Fn(&str) -> bool,
    change: impl FnOnce(&str) -> String,
) -> Option<()> {
    let first = |turn: &Value| turn["acts"][0].as_str().unwrap_or_default().to_owned();
    let turn = turn(r, s, |turn| is_fit(&first(turn)))?;
    turn["acts"][0] = change(&first(turn)).into();
    Some(())
}

/// A play, by its card's ranks.
fn plays(ranks: &str) -> impl Fn(&str) -> bool {
    move |act| act.len() == 5 && ranks.contains(&act[..1])
}

fn values(r: &mut Value, s: &mut Stream, more: i64) -> Option<()> {
    let seat = one(2, s)?;
    r["values"][seat] = (r["values"][seat].as_i64()? + more).into();
    Some(())
}

/// Cards dealt and drawn.
fn all_cards(r: &mut Value) -> Vec<&mut Vec<Value>> {
    let Value::Object(fields) = r else { return Vec::new() };
    let mut lists = Vec::new();
    for (name, value) in fields.iter_mut() {
        let items = value.as_array_mut().into_iter().flatten();
        match name.as_str() {
            "dealt" => lists.extend(items.filter_map(Value::as_array_mut)),
            "turns" => lists.extend(items.filter_map(|turn| turn["drew"].as_array_mut())),
            _ => {}
        }
    }
    lists
}

const KINDS: &Kinds = &[
    ("one hand dealt", |r, _| list(r, "dealt").pop().map(|_| ())),
    ("a third hand dealt", |r, _| {
        list(r, "dealt").push(Value::Array(Vec::new()));
        Some(())
    }),
    ("a card too few dealt", |r, s| {
        let dealt = list(r, "dealt");
        dealt[one(2, s)?].as_array_mut()?.pop().map(|_| ())
    }),
    ("a card too many dealt", |r, s| {
        let dealt = list(r, "dealt");
        dealt[one(2, s)?].as_array_mut()?.push(any_card(s).into());
        Some(())
    }),
    ("a card that is none dealt", |r, s| {
        r["dealt"][one(2, s)?][one(8, s)?] = ["1S", "XX", "10H", "7h", ""][one(5, s)?].into();
        Some(())
    }),
    ("a third copy of a card", |r, s| third_copy(all_cards(r), s)),
    ("a card drawn too few", |r, s| {
        let turn = turn(r, s, |turn| turn["drew"] != Value::Array(Vec::new()))?;
        list(turn, "drew").pop().map(|_| ())
    }),
    ("a card drawn too many", |r, s| {
        let card = any_card(s).into();
        list(turn(r, s, |_| true)?, "drew").push(card);
        Some(())
    }),
    ("a turn without its draw", |r, s| without(turn(r, s, |_| true)?, "drew")),
    ("a turn without its acts", |r, s| without(turn(r, s, |_| true)?, "acts")),
    ("a turn without its seat", |r, s| without(turn(r, s, |_| true)?, "seat")),
    ("a card discarded that the seat does not hold", |r, s| {
        let at = fit(list(r, "turns"), s, |turn| turn["acts"] != Value::Array(Vec::new()))?;
        let card = other_card(&hand(r, at), s);
        r["turns"][at]["acts"][0] = format!("{card} -").into();
        Some(())
    }),
    ("a card played that the seat does not hold", |r, s| {
        let at = fit(list(r, "turns"), s, |turn| turn["acts"] != Value::Array(Vec::new()))?;
        let card = other_card(&hand(r, at), s);
        let cell = "A23456789".find(&card[..1]).map_or(1 + s.below(9), |at| at as u32 + 1);
        r["turns"][at]["acts"][0] = format!("{card} o{cell}").into();
        Some(())
    }),
    ("a card of a cell on another cell", |r, s| {
        let other = 1 + s.below(8) as usize;
        act(r, s, plays("A23456789"), |act| {
            let cell = "A23456789".find(&act[..1]).unwrap();
            format!("{}{}", &act[..4], (cell + other) % 9 + 1)
        })
    }),
    ("a ten, queen or king on the other's square", |r, s| {
        act(r, s, plays("TQK"), |act| act.replace('o', "x"))
    }),
    ("a cell that is none", |r, s| {
        let cell = ["0", "10", "a", ""][one(4, s)?];
        act(r, s, plays("A23456789TJQK"), |act| format!("{}{cell}", &act[..4]))
    }),
    ("a square that is none", |r, s| {
        act(r, s, plays("A23456789TJQK"), |act| act.replace(['o', 'x'], "y"))
    }),
    ("a card in small letters", |r, s| {
        act(r, s, |act| act.len() > 3 && act != "knock", str::to_lowercase)
    }),
    ("a knock with an empty square", |r, _| {
        r["turns"][0]["acts"] = vec!["knock"].into();
        Some(())
    }),
    ("a jack or queen on an open cell", |r, s| {
        let face = fit(list(r, "dealt")[0].as_array()?, s, |card| {
            card.as_str().is_some_and(|card| "JQ".contains(&card[..1]))
        })?;
        let card = r["dealt"][0][face].as_str()?.to_owned();
        r["turns"][0]["acts"] = vec![format!("{card} o{}", 1 + s.below(9))].into();
        Some(())
    }),
    ("a second discard", |r, s| {
        let turn = turn(r, s, |turn| turn["acts"][0].as_str().is_some_and(|a| a.ends_with('-')))?;
        let card = any_card(s);
        list(turn, "acts").push(format!("{card} -").into());
        Some(())
    }),
    ("a play after a discard", |r, s| {
        let turn = turn(r, s, |turn| turn["acts"][0].as_str().is_some_and(|a| a.ends_with('-')))?;
        list(turn, "acts").push("KS o5".into());
        Some(())
    }),
    ("a knock after a play or discard", |r, s| {
        let turn = turn(r, s, |t| t["acts"][0].as_str().is_some_and(|act| act != "knock"))?;
        list(turn, "acts").push("knock".into());
        Some(())
    }),
    ("an act after a knock", |r, s| {
        let turn = turn(r, s, |turn| turn["acts"][0] == "knock")?;
        let card = any_card(s);
        list(turn, "acts").push(format!("{card} -").into());
        Some(())
    }),
    ("a turn in which nothing is done", |r, s| {
        (r["rules"]["plays"] == "one").then_some(())?;
        turn(r, s, |_| true)?["acts"] = Value::Array(Vec::new());
        Some(())
    }),
    ("the end of a turn written", |r, s| {
        list(turn(r, s, |_| true)?, "acts").push("end".into());
        Some(())
    }),
    ("an act that is none", |r, s| {
        let text = ["", "pass", "7H", "7H o", "o7", "Knock"][one(6, s)?];
        act(r, s, |act| !act.is_empty(), |_| text.to_owned())
    }),
    ("a turn of the other seat", |r, s| {
        let turn = turn(r, s, |_| true)?;
        turn["seat"] = (1 - turn["seat"].as_u64()?).into();
        Some(())
    }),
    ("a turn of a third seat", |r, s| {
        turn(r, s, |_| true)?["seat"] = 2.into();
        Some(())
    }),
    ("two turns exchanged", |r, s| {
        let turns = list(r, "turns");
        let at = one(turns.len() - 1, s)?;
        turns.swap(at, at + 1);
        (turns[at]["seat"] != turns[at + 1]["seat"]).then_some(())
    }),
    ("a turn left out between two of the other seat", |r, s| {
        let turns = list(r, "turns");
        let at = one(turns.len() - 1, s)?;
        let gone = turns.remove(at);
        (turns[at]["seat"] != gone["seat"]).then_some(())
    }),
    ("a square worth one more", |r, s| values(r, s, 1)),
    ("a square worth one less", |r, s| values(r, s, -1)),
    ("the values of the squares exchanged", |r, _| {
        list(r, "values").swap(0, 1);
        (r["values"][0] != r["values"][1]).then_some(())
    }),
    ("the value of a square left out", |r, _| list(r, "values").pop().map(|_| ())),
    ("no values", |r, _| without(r, "values")),
];
