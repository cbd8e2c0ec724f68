//! Wrong hands of Eleusis and Express.

use parlour::cards::CardSet;
use parlour::game::{Game, Ruled, Seat};
use parlour::games::eleusis::{Eleusis, Move, Stage, State};

use super::*;

#[test]
fn every_wrong_change_of_an_eleusis_record_is_refused() {
    let variants = ["eleusis", "express", "express-golden", "eleusis-1977"];
    check::<Eleusis>(&records::<Eleusis>(&variants, 15, choose), KINDS);
}

/// Short strings, some true claims, prophets who are mostly right, rules stated right now and then.
fn choose(game: &Eleusis, state: &State, chance: &mut Stream) -> Move {
    let public = &state.public;
    let hand = state.hand(Seat(public.player.0)).distinct();
    match public.stage {
        Stage::Play if !public.string.is_empty() && chance.below(3) > 0 => Move::Submit,
        Stage::Play
            if public.string.is_empty()
                && CardSet(state.right().0 & hand.0).is_empty()
                && chance.below(2) == 0 =>
        {
            Move::NoPlay
        }
        Stage::Judge => {
            let right = state.on_the_table_is_right();
            Move::Judge(right == (chance.below(8) > 0))
        }
        Stage::After if game.rules().express => match chance.below(12) {
            0 => Move::Guess(game.statements.of_rule(&state.rule).unwrap()),
            1..4 => game.sample(state, chance),
            _ => Move::Pass,
        },
        _ => game.sample(state, chance),
    }
}

/// Returns the cards that a player holds when a turn begins.
fn hand(r: &Value, turn: usize, seat: &Value) -> Vec<String> {
    let mut hand = cards(&r["dealt"][seat.as_u64().unwrap() as usize]);
    let mut prophet = Value::Null;
    for played in &r["turns"].as_array().unwrap()[..turn] {
        if played["seat"] == *seat {
            let gone = match &played["forced"] {
                Value::Null => cards(&played["play"]),
                forced => vec![forced.as_str().unwrap().to_owned()],
            };
            for card in gone {
                hand.swap_remove(hand.iter().position(|held| *held == card).unwrap());
            }
            if played["no_play"] == true && played["right"] == true {
                hand.clear();
            }
            hand.extend(cards(&played["drew"]).into_iter().chain(cards(&played["guess_drew"])));
        }
        if prophet == *seat {
            hand.extend(cards(&played["prophet_drew"]));
        }
        let judged_wrong =
            !played["prophet_said"].is_null() && played["prophet_said"] != played["right"];
        if judged_wrong || played["prophet_picked"].is_string() {
            prophet = Value::Null;
        }
        if played["becomes_prophet"] == true {
            prophet = played["seat"].clone();
        }
    }
    hand
}

/// A turn that is fit, and a card that its player does not hold.
fn not_held(
    r: &mut Value,
    s: &mut Stream,
    is_fit: impl Fn(&Value) -> bool,
) -> Option<(usize, String)> {
    let at = fit(list(r, "turns"), s, is_fit)?;
    let seat = r["turns"][at]["seat"].clone();
    let held = hand(r, at, &seat);
    Some((at, other_card(&held, s)))
}

fn is_play(turn: &Value) -> bool {
    turn["play"].is_array()
}

fn is_claim(turn: &Value) -> bool {
    turn["no_play"] == true
}

/// Sets a key of a turn that is fit.
fn set(
    r: &mut Value,
    s: &mut Stream,
    key: &str,
    value: impl Into<Value>,
    is_fit: impl Fn(&Value) -> bool,
) -> Option<()> {
    turn(r, s, is_fit)?[key] = value.into();
    Some(())
}

/// Takes a key out of a turn that has it.
fn cut(r: &mut Value, s: &mut Stream, key: &str) -> Option<()> {
    without(turn(r, s, |turn| !turn[key].is_null())?, key)
}

/// Another rule than that of the record, with its name.
fn other_rule(r: &Value, s: &mut Stream) -> (&'static str, &'static str) {
    let rules = [("red-only", "red"), ("even-only", "even"), ("no-faces", "not face")];
    std::iter::repeat_with(|| rules[s.below(3) as usize]).find(|(_, t)| r["rule"] != *t).unwrap()
}

fn express(r: &Value) -> Option<()> {
    (r["rules"]["express"] == true).then_some(())
}

fn whole_game(r: &Value) -> Option<()> {
    (r["rules"]["express"] == false).then_some(())
}

const KINDS: &Kinds = &[
    ("a hand dealt too few", |r, _| list(r, "dealt").pop().map(|_| ())),
    ("a hand dealt too many", |r, _| {
        list(r, "dealt").push(Value::Array(Vec::new()));
        Some(())
    }),
    ("a card too few dealt", |r, s| {
        let seat = 1 + one(list(r, "dealt").len() - 1, s)?;
        list(r, "dealt")[seat].as_array_mut()?.pop().map(|_| ())
    }),
    ("a card too many dealt", |r, s| {
        let seat = 1 + one(list(r, "dealt").len() - 1, s)?;
        list(r, "dealt")[seat].as_array_mut()?.push(any_card(s).into());
        Some(())
    }),
    ("a card dealt to the dealer", |r, s| {
        r["dealt"][0] = vec![any_card(s)].into();
        Some(())
    }),
    ("a third copy of a card dealt", |r, s| {
        third_copy(list(r, "dealt").iter_mut().filter_map(Value::as_array_mut).collect(), s)
    }),
    ("a starter of which two were dealt", |r, s| {
        let card = any_card(s);
        r["dealt"][1][one(6, s)?] = card.clone().into();
        r["dealt"][2][one(6, s)?] = card.clone().into();
        r["starter"] = card.into();
        Some(())
    }),
    ("a starter that is no card", |r, s| {
        r["starter"] = ["", "1H", "joker", "7h"][one(4, s)?].into();
        Some(())
    }),
    ("no starter", |r, _| without(r, "starter")),
    ("no secret rule", |r, _| without(r, "rule")),
    ("a secret rule that cannot be read", |r, s| {
        r["rule"] = ["", "rank >", "colour", "red and", "(red"][one(5, s)?].into();
        Some(())
    }),
    ("a secret rule under which no card is right", |r, s| {
        without(r, "rule_name");
        fit(list(r, "turns"), s, |turn| is_play(turn) && turn["right"] == true)?;
        r["rule"] = ["red and black", "rank > 13", "heart and spade"][one(3, s)?].into();
        Some(())
    }),
    ("a secret rule under which each card is right", |r, s| {
        without(r, "rule_name");
        fit(list(r, "turns"), s, |turn| is_play(turn) && turn["right"] == false)?;
        r["rule"] = ["red or black", "rank < 14", "true"][one(3, s)?].into();
        Some(())
    }),
    ("the name of another rule", |r, s| {
        r["rule_name"] = other_rule(r, s).0.into();
        Some(())
    }),
    ("an unknown corpus rule name", |r, s| {
        r["rule_name"] = ["", "my-rule", "Red-only", "red"][one(4, s)?].into();
        Some(())
    }),
    ("a variant with another secret rule", |r, s| {
        r["variant"] = "my-own".into();
        r["rules"]["secret"] = other_rule(r, s).1.into();
        Some(())
    }),
    ("a variant whose secret rule cannot be read", |r, s| {
        r["variant"] = "my-own".into();
        r["rules"]["secret"] = ["", "rank >", "colour"][one(3, s)?].into();
        Some(())
    }),
    ("another verdict on a play", |r, s| {
        let turn = turn(r, s, is_play)?;
        turn["right"] = (turn["right"] == false).into();
        Some(())
    }),
    ("another verdict on a claim", |r, s| {
        let turn = turn(r, s, is_claim)?;
        turn["right"] = (turn["right"] == false).into();
        Some(())
    }),
    ("a turn without its verdict", |r, s| cut(r, s, "right")),
    ("a turn without its seat", |r, s| cut(r, s, "seat")),
    ("a turn of another seat", |r, s| {
        let seats = list(r, "seats").len();
        let turn = turn(r, s, |_| true)?;
        turn["seat"] = ((turn["seat"].as_u64()? as usize + 1 + one(seats - 1, s)?) % seats).into();
        Some(())
    }),
    ("a turn of the dealer", |r, s| set(r, s, "seat", 0, |_| true)),
    ("a turn of nobody", |r, s| set(r, s, "seat", 8, |_| true)),
    ("two turns exchanged", |r, s| {
        let turns = list(r, "turns");
        let at = one(turns.len().checked_sub(1)?, s)?;
        turns.swap(at, at + 1);
        (turns[at]["seat"] != turns[at + 1]["seat"]).then_some(())
    }),
    ("a card played that the player does not hold", |r, s| {
        let (at, card) = not_held(r, s, is_play)?;
        let play = list(&mut r["turns"][at], "play");
        let which = one(play.len(), s)?;
        play[which] = card.into();
        Some(())
    }),
    ("a further card played that the player does not hold", |r, s| {
        let (at, card) = not_held(r, s, is_play)?;
        list(&mut r["turns"][at], "play").push(card.into());
        Some(())
    }),
    ("Express: a second card played", |r, s| {
        express(r)?;
        let at = fit(list(r, "turns"), s, is_play)?;
        let seat = r["turns"][at]["seat"].clone();
        let held = hand(r, at, &seat);
        let card = held[one(held.len(), s)?].clone();
        list(&mut r["turns"][at], "play").push(card.into());
        Some(())
    }),
    ("a string longer than the variant allows", |r, s| {
        (r["rules"]["string_max"] == 4).then_some(())?;
        let at = fit(list(r, "turns"), s, is_play)?;
        let seat = r["turns"][at]["seat"].clone();
        let held = hand(r, at, &seat);
        (held.len() > 4).then(|| r["turns"][at]["play"] = held[..5].into())
    }),
    ("a play of no card", |r, s| set(r, s, "play", Vec::<String>::new(), is_play)),
    ("a play and a claim in one turn", |r, s| set(r, s, "no_play", true, is_play)),
    ("a claim and a play in one turn", |r, s| {
        let at = fit(list(r, "turns"), s, is_claim)?;
        let seat = r["turns"][at]["seat"].clone();
        let card = hand(r, at, &seat)[0].clone();
        r["turns"][at]["play"] = vec![card].into();
        Some(())
    }),
    ("neither a play nor a claim", |r, s| cut(r, s, "play")),
    ("a claim in place of a play", |r, s| {
        let turn = turn(r, s, is_play)?;
        turn["no_play"] = true.into();
        without(turn, "play")
    }),
    ("a card drawn too few", |r, s| {
        let turn = turn(r, s, |turn| turn["drew"] != Value::Array(Vec::new()))?;
        list(turn, "drew").pop().map(|_| ())
    }),
    ("a card drawn too many", |r, s| {
        let card = any_card(s).into();
        list(turn(r, s, |_| true)?, "drew").push(card);
        Some(())
    }),
    ("a card drawn that is none", |r, s| {
        let text = ["", "1S", "ten", "7h"][one(4, s)?];
        let turn = turn(r, s, |turn| turn["drew"] != Value::Array(Vec::new()))?;
        list(turn, "drew")[0] = text.into();
        Some(())
    }),
    ("a turn without its draw", |r, s| cut(r, s, "drew")),
    ("another verdict of the prophet", |r, s| {
        let turn = turn(r, s, |turn| turn["prophet_said"].is_boolean())?;
        turn["prophet_said"] = (turn["prophet_said"] == false).into();
        Some(())
    }),
    ("no verdict of the prophet", |r, s| cut(r, s, "prophet_said")),
    ("a verdict of no prophet", |r, s| {
        let said = s.below(2) == 0;
        set(r, s, "prophet_said", said, |turn| turn["prophet_said"].is_null())
    }),
    ("an overthrown prophet that draws nothing", |r, s| cut(r, s, "prophet_drew")),
    ("an overthrown prophet that draws too few", |r, s| {
        list(turn(r, s, |turn| turn["prophet_drew"].is_array())?, "prophet_drew").pop().map(|_| ())
    }),
    ("a prophet that draws though it was right", |r, s| {
        let drew = vec![any_card(s)];
        set(r, s, "prophet_drew", drew, |turn| turn["prophet_drew"].is_null())
    }),
    ("a wrong card picked by no prophet", |r, s| {
        let turn = turn(r, s, |t| t["forced"].is_string() && t["prophet_said"].is_null())?;
        turn["prophet_picked"] = turn["forced"].clone();
        Some(())
    }),
    ("a right card picked and called wrong", |r, s| {
        let turn = turn(r, s, |t| t["forced"].is_string() && t["prophet_said"] == false)?;
        turn["prophet_picked"] = turn["forced"].clone();
        Some(())
    }),
    ("a prophet that picks a card that was not shown", |r, s| {
        let (at, card) = not_held(r, s, |turn| turn["prophet_picked"].is_string())?;
        r["turns"][at]["prophet_picked"] = card.into();
        Some(())
    }),
    ("a wrong card picked that is not told", |r, s| cut(r, s, "prophet_picked")),
    ("a card picked where none was claimed", |r, s| {
        let card = any_card(s);
        set(r, s, "prophet_picked", card, is_play)
    }),
    ("a named variant in which the dealer picks", |r, _| {
        r["rules"]["forced_by"] = "dealer".into();
        Some(())
    }),
    ("an expulsion too early", |r, s| set(r, s, "expelled", true, |t| t["expelled"].is_null())),
    ("an expulsion kept back", |r, s| cut(r, s, "expelled")),
    ("a second prophet", |r, s| {
        set(r, s, "becomes_prophet", true, |turn| {
            turn["prophet_said"].is_boolean()
                && turn["prophet_said"] == turn["right"]
                && turn["prophet_picked"].is_null()
        })
    }),
    ("a prophet in Express", |r, s| {
        express(r)?;
        set(r, s, "becomes_prophet", true, |_| true)
    }),
    ("an expelled prophet", |r, s| {
        set(r, s, "becomes_prophet", true, |turn| turn["expelled"] == true)
    }),
    ("a prophet without a verdict", |r, s| {
        let turns = list(r, "turns");
        let last = turns.len() - 1;
        let at = fit(&turns[..last], s, |turn| turn["becomes_prophet"] == true)?;
        turns[at + 1]["prophet_said"].is_boolean().then_some(())?;
        without(&mut turns[at], "becomes_prophet")
    }),
    ("a stock that has not run out", |r, s| {
        set(r, s, "stock_out", true, |turn| turn["stock_out"].is_null())
    }),
    ("a stock whose end is not told", |r, s| cut(r, s, "stock_out")),
    ("no card put on the mainline", |r, s| cut(r, s, "forced")),
    ("a card put on the mainline that was not shown", |r, s| {
        let (at, card) = not_held(r, s, |turn| turn["forced"].is_string())?;
        r["turns"][at]["forced"] = card.into();
        Some(())
    }),
    ("a card put on the mainline after a play", |r, s| {
        let card = any_card(s);
        set(r, s, "forced", card, is_play)
    }),
    ("a card put on the mainline after a true claim", |r, s| {
        let card = any_card(s);
        set(r, s, "forced", card, |turn| is_claim(turn) && turn["right"] == true)
    }),
    ("a rule stated after a wrong play", |r, s| {
        express(r)?;
        let turn = turn(r, s, |turn| is_play(turn) && turn["right"] == false)?;
        turn["guess"] = "red".into();
        turn["guess_right"] = false.into();
        Some(())
    }),
    ("a rule stated in the whole game", |r, s| {
        whole_game(r)?;
        let turn = turn(r, s, |_| true)?;
        turn["guess"] = "red".into();
        turn["guess_right"] = false.into();
        Some(())
    }),
    ("another verdict on a stated rule", |r, s| {
        let turn = turn(r, s, |turn| turn["guess"].is_string())?;
        turn["guess_right"] = (turn["guess_right"] == false).into();
        Some(())
    }),
    ("a stated rule without a verdict", |r, s| cut(r, s, "guess_right")),
    ("a stated rule that is not told", |r, s| cut(r, s, "guess")),
    ("a stated rule that cannot be read", |r, s| {
        let text = ["", "rank >", "colour"][one(3, s)?];
        set(r, s, "guess", text, |turn| turn["guess"].is_string())
    }),
    ("the secret rule stated and called wrong", |r, s| {
        let rule = r["rule"].clone();
        set(r, s, "guess", rule, |turn| turn["guess_right"] == false)
    }),
    ("cards drawn for a rule that was not stated", |r, s| {
        let drew = vec![any_card(s)];
        set(r, s, "guess_drew", drew, |turn| turn["guess"].is_null())
    }),
    ("cards drawn for a wrong rule that costs none", |r, s| {
        let drew = vec![any_card(s)];
        set(r, s, "guess_drew", drew, |turn| turn["guess"].is_string())
    }),
];
