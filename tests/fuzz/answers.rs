//! Answers of external players, mutated at random: each is accepted, or is one fault with one short
//! message.

use std::panic::{AssertUnwindSafe, catch_unwind};

use parlour::chance::Seed;
use parlour::external::parse_choice;
use parlour::game::{BotFailure, BotFault, Ruled};
use parlour::games::eleusis::{CardMultiset, Eleusis, science};
use parlour::games::{leapfrog::Leapfrog, leopard::Leopard};
use serde_json::json;

use super::mutate::{Form, mutated};
use super::{MOST_SECONDS, inputs, number, seconds};

/// Reads an answer; nothing is to be said of it but a fault.
type Read = Box<dyn Fn(&[u8]) -> Result<(), BotFailure>>;

/// One that answers `choose` at the start of a hand, and good answers.
fn chooser<G: Ruled + 'static>(variant: &str) -> (Read, Vec<Vec<u8>>) {
    let game = G::new(&G::preset(variant).unwrap()).unwrap();
    let state = game.deal(&mut Seed::new(7).stream());
    let mut moves = Vec::new();
    game.legal_moves(&state, &mut moves);
    let text = game.notation(moves[moves.len() - 1]);
    let good = [
        json!({ "index": 0 }),
        json!({ "move": text, "comment": "a line of ♠", "more": [{ "a": null }] }),
        json!({ "index": moves.len() - 1, "values": [0.5, -1, 1e300], "comment": null }),
    ];
    let good = good.map(|answer| answer.to_string().into_bytes()).to_vec();
    let read = move |said: &[u8]| {
        let mv = parse_choice(&game, &moves, said)?;
        assert!(moves.contains(&mv), "{mv} is not legal");
        Ok(())
    };
    (Box::new(read), good)
}

fn scientist() -> (Read, Vec<Vec<u8>>) {
    let hand: CardMultiset =
        ["7H", "8S", "KC"].map(|card| card.parse().unwrap()).into_iter().collect();
    let good = [
        json!({ "card": "7H" }),
        json!({ "card": "8S", "guess": "if last.red then rank >= last.rank else black", "probability": 0.25, "commit": true }),
        json!({ "card": "KC", "right": ["AS", "2S", "TD"], "probability": 1, "comment": "x" }),
    ];
    let good = good.map(|answer| answer.to_string().into_bytes()).to_vec();
    let read = move |said: &[u8]| {
        let statement = science::parse_statement(&hand, said)?;
        assert!(hand.count(statement.card) > 0, "{} is not held", statement.card);
        let probability = statement.guess.map_or(0.0, |(_, p)| p);
        assert!((0.0..=1.0).contains(&probability), "{probability}");
        Ok(())
    };
    (Box::new(read), good)
}

#[test]
fn answers_of_players_from_outside() {
    let readers = [
        ("leopard", chooser::<Leopard>("revised")),
        ("leapfrog", chooser::<Leapfrog>("murray")),
        ("eleusis", chooser::<Eleusis>("express")),
        ("science", scientist()),
    ];
    let seed = Seed::new(number("PARLOUR_FUZZ_SEED").unwrap_or(15)).named("answers");
    for (name, (read, good)) in readers {
        let (mut taken, mut faults) = (0, std::collections::BTreeMap::new());
        let all = inputs(50);
        for at in 0..all {
            let mut chance = seed.named(name).child(at).stream();
            let mut pick = || &good[chance.below(good.len() as u32) as usize];
            let (one, other) = (pick(), pick());
            let is_good = at < good.len() as u64;
            let bytes = match is_good {
                true => good[at as usize].clone(),
                false => mutated(one, other, Form::Json, &mut chance).bytes,
            };
            let what = || format!("{name}, input {at}: {}", String::from_utf8_lossy(&bytes));
            let before = seconds();
            let Ok(verdict) = catch_unwind(AssertUnwindSafe(|| read(&bytes))) else {
                panic!("{}", what());
            };
            if let (Some(before), Some(after)) = (before, seconds()) {
                assert!(is_good || after - before < MOST_SECONDS, "{}", what());
            }
            match verdict {
                Ok(()) => taken += 1,
                Err(BotFailure { fault, message }) => {
                    assert!(!is_good, "{}: {message}", what());
                    let known = [BotFault::Garbled, BotFault::Illegal].contains(&fault);
                    assert!(known, "{fault:?} for {}", what());
                    assert!(!message.is_empty() && message.len() < 700, "{message} for {}", what());
                    assert!(!message.chars().any(char::is_control), "{message:?} for {}", what());
                    *faults.entry(fault).or_insert(0) += 1;
                }
            }
        }
        println!("answers, {name}: {all} inputs, {taken} taken, {faults:?}");
        assert!(taken > 0 && faults.len() == 2, "{name}: {taken} taken, {faults:?}");
    }
}
