//! The program's referee of records against a slow one that plays them on the reference: after
//! random edits both must agree.

use std::collections::BTreeMap;

use parlour::cards::Card;
use parlour::chance::{Seed, Stream};
use parlour::game::{Game, Label, Recorded, Ruled, Turn};
use parlour::games::leopard::{Leopard, Record, TurnRecord};
use smallvec::smallvec;

use super::reference::{self, Hand, Move, Square};
use super::{Style, card, choose, random_rules, rules};

const HANDS: u64 = 1_000;
const EDITS: u32 = 12;

/// Returns `true` if the turns of the record obey the rules and lead to its result.
fn is_right(record: &Record) -> bool {
    let rules = rules(&record.rules);
    let mut left = rules.deck.clone();
    let mut are_left = |cards: &[Card]| {
        cards.iter().all(|drawn| {
            let place = left.iter().position(|it| *it == card(*drawn));
            place.map(|place| left.swap_remove(place)).is_some()
        })
    };
    let right_size = |hand: &Vec<Card>| hand.len() == rules.hand_size;
    if record.dealt.len() != 2 || !record.dealt.iter().all(right_size) {
        return false;
    }
    if !record.dealt.iter().all(|hand| are_left(hand)) {
        return false;
    }
    let translated = |cards: &[Card]| cards.iter().map(|c| card(*c)).collect::<Vec<_>>();
    let mut hand = Hand::new(rules.clone(), [0, 1].map(|s: usize| translated(&record.dealt[s])));
    for turn in &record.turns {
        if hand.end.is_some() {
            return false;
        }
        // A seat that is passed over draws nothing and is not written.
        let mut passed = 0;
        while let Some((seat, number)) = hand.must_draw {
            let is_passed =
                number == 0 && hand.hands[seat].is_empty() && seat != usize::from(turn.seat);
            if is_passed && passed == 0 {
                hand.draw(&[]);
                passed += 1;
                continue;
            }
            if turn.drew.len() != number || !are_left(&turn.drew) {
                return false;
            }
            hand.draw(&translated(&turn.drew));
            break;
        }
        if hand.must_draw.is_some() || hand.turn_of != usize::from(turn.seat) {
            return false;
        }
        if !turn_is_right(&mut hand, turn) {
            return false;
        }
    }
    let values = [hand.value(0), hand.value(1)];
    let scores = [hand.score(0), hand.score(1)];
    let winner = match scores {
        [a, b] if a > b => Some(0),
        [a, b] if a < b => Some(1),
        _ => None,
    };
    hand.end.is_some()
        && record.values == values
        && record.scores == scores
        && record.winner == winner
}

fn turn_is_right(hand: &mut Hand, turn: &TurnRecord) -> bool {
    let mut acts = turn.acts.iter();
    for act in acts.by_ref() {
        let Some(mv) = read(&act.to_string()) else { return false };
        if !hand.is_legal(mv) {
            return false;
        }
        hand.play(mv);
        if hand.end.is_some() || hand.must_draw.is_some() {
            return acts.next().is_none();
        }
    }
    // All acts are made and the turn goes on: here it must be possible to end it.
    let may_end = hand.is_legal(Move::EndTurn);
    if may_end {
        hand.play(Move::EndTurn);
    }
    may_end
}

fn read(act: &str) -> Option<Move> {
    if act == "knock" {
        return Some(Move::Knock);
    }
    let letters: Vec<char> = act.chars().collect();
    let (&[rank, suit, ' '], place) = letters.split_first_chunk::<3>()? else { return None };
    let rank = "A23456789TJQK".find(rank)? as u32 + 1;
    let card = "SHDC".contains(suit).then_some(reference::Card { rank, suit })?;
    let cell = |digit: char| digit.to_digit(10).filter(|n| *n > 0).map(|n| n as usize);
    match *place {
        ['-'] => Some(Move::Discard(card)),
        ['o', digit] => Some(Move::Play(card, Square::Own, cell(digit)?)),
        ['x', digit] => Some(Move::Play(card, Square::Other, cell(digit)?)),
        _ => None,
    }
}

fn random_record(number: u64) -> Record {
    let seed = Seed::new(number);
    let mut choice = seed.child(1).stream();
    let presets = Leopard::presets();
    let of_a_preset = choice.below(2) == 0;
    let preset = &presets[choice.below(presets.len() as u32) as usize];
    let rules = if of_a_preset { preset.rules.clone() } else { random_rules(&mut choice) };
    let game = Leopard::new(&rules).unwrap();
    let styles = [Style::Uniform, Style::NoKnock, Style::Builder, Style::Spender];
    let style = styles[choice.below(4) as usize];
    let start = seed.child(0).stream();
    let mut chance = start.clone();
    let mut state = game.deal(&mut chance);
    let (mut legal, mut moves) = (Vec::new(), Vec::new());
    while game.turn(&state) != Turn::Over {
        game.legal_moves(&state, &mut legal);
        let mv = choose(style, &legal, &mut choice);
        game.apply(&mut state, mv, &mut chance);
        moves.push(mv);
    }
    let seats = vec!["left".to_owned(), "right".to_owned()];
    let label =
        Label { variant: "edited".into(), deal: number, hand: 0, rotation: 0, seed: 0, seats };
    game.record(&label, start, &moves, &state)
}

/// One random change; many make the record wrong.
fn edit(record: &mut Record, choice: &mut Stream) -> &'static str {
    let mut below = |n: usize| choice.below(n.max(1) as u32) as usize;
    let turns = record.turns.len();
    if turns == 0 {
        return "none";
    }
    let (one, two) = (below(turns), below(turns));
    let other_card = Card::from_index(below(52) as u8);
    let swap = |record: &mut Record, what: fn(&mut TurnRecord, &mut TurnRecord)| {
        let mut copy = record.turns[two].clone();
        what(&mut record.turns[one], &mut copy);
        record.turns[two] = copy;
    };
    match below(19) {
        0 => {
            let seat = below(2);
            let at = below(record.dealt[seat].len());
            record.dealt[seat][at] = other_card;
            "a dealt card"
        }
        1 => {
            let (a, b) = (below(record.dealt[0].len()), below(record.dealt[1].len()));
            let card = record.dealt[0][a];
            record.dealt[0][a] = std::mem::replace(&mut record.dealt[1][b], card);
            "two dealt cards"
        }
        2 | 3 => {
            if let Some(card) = record.turns[one].drew.first_mut() {
                *card = other_card;
            }
            "a drawn card"
        }
        4 => {
            record.turns[one].drew.reverse();
            "the order of a draw"
        }
        5 => {
            swap(record, |a, b| std::mem::swap(&mut a.drew, &mut b.drew));
            "two draws"
        }
        6 => {
            swap(record, |a, b| std::mem::swap(&mut a.acts, &mut b.acts));
            "two lists of acts"
        }
        7 => {
            record.turns.swap(one, two);
            "two turns"
        }
        8 => {
            record.turns.remove(one);
            "a turn dropped"
        }
        9 => {
            let turn = record.turns[one].clone();
            record.turns.insert(two, turn);
            "a turn doubled"
        }
        10 => {
            record.turns[one].seat ^= 1;
            "the seat"
        }
        11 => {
            record.turns[one].acts = smallvec!["knock".into()];
            "a knock"
        }
        12 => {
            record.turns[one].acts.push("knock".into());
            "a knock more"
        }
        13 => {
            record.turns[one].acts.pop();
            "an act dropped"
        }
        14 => {
            // The same act on a neighbouring cell, or on the other square.
            if let Some(act) = record.turns[one].acts.first_mut() {
                let text = act.to_string();
                let text = match below(2) {
                    0 => text.replace('o', "x"),
                    _ => text.replace(['1', '5', '9'], "2"),
                };
                *act = text.as_str().into();
            }
            "the place of an act"
        }
        15 => {
            if let Some(act) = record.turns[one].acts.first_mut()
                && let Some((card, _)) = act.to_string().split_once(' ')
            {
                *act = format!("{card} -").as_str().into();
            }
            "a discard instead"
        }
        16 => {
            record.turns[one].acts.reverse();
            "the order of acts"
        }
        17 => {
            record.values.swap(0, 1);
            record.scores.swap(0, 1);
            "the seats of the result"
        }
        _ => {
            record.turns.truncate(one);
            "the end"
        }
    }
}

/// The result of the turns according to the program, so that edited turns are not refused for the
/// result alone.
fn mend_result(record: &mut Record) {
    for _ in 0..3 {
        let Err(fault) = Leopard::verify(record) else { return };
        let message = fault.to_string();
        // "… are [9, 3], not …", "… it is 0, not …"
        let part = |from: &str| {
            let rest = message.split_once(from)?.1;
            Some(rest.split(", not ").next()?.to_owned())
        };
        let pair = || serde_json::from_str(&part(" are ")?).ok();
        match fault.place.part.as_deref().unwrap_or_default() {
            "values" => record.values = pair().unwrap(),
            "scores" => record.scores = pair().unwrap(),
            "winner" => record.winner = serde_json::from_str(&part(" it is ").unwrap()).unwrap(),
            _ => return,
        }
    }
}

#[test]
fn both_referees_agree_on_edited_records() {
    let (mut accepted, mut refused) = (0, BTreeMap::<&str, u32>::new());
    for number in 0..HANDS {
        let record = random_record(number);
        assert!(is_right(&record), "hand {number}");
        let mut choice = Seed::new(number).child(3).stream();
        for _ in 0..EDITS {
            let mut edited = record.clone();
            let what = edit(&mut edited, &mut choice);
            if choice.below(2) == 0 {
                mend_result(&mut edited);
            }
            let verdict = Leopard::verify(&edited);
            let text = || serde_json::to_string(&edited).unwrap();
            assert_eq!(verdict.is_ok(), is_right(&edited), "{what}: {verdict:?}\n{}", text());
            match verdict {
                Ok(()) => accepted += 1,
                Err(_) => *refused.entry(what).or_default() += 1,
            }
        }
    }
    println!("{accepted} accepted, refused: {refused:?}");
    assert!(accepted > 500, "some edits are harmless: {accepted}");
    assert!(refused.len() >= 15, "{refused:?}");
}
