//! Tests of the table: no hidden information leaves it.

use std::sync::Arc;

use super::table::is_manual;
use super::*;
use parlour_base::chance::Seed;
use parlour_base::files::compact;
use parlour_eleusis::rule::Rule;
use parlour_eleusis::{Eleusis, Move, Stage, are_equivalent_from};
use parlour_game::strategy::Strategic;
use parlour_game::variant::Variant;
use parlour_game::{Game, MANUAL, Recorded, Seat, Turn};
use parlour_leapfrog::Leapfrog;
use parlour_leopard::Leopard;

/// Returns a table with people only.
fn table_of_people<G: Strategic>(variant: &str, seed: u64) -> Table<G> {
    let variant: Variant<G> = Variant::named(variant).unwrap();
    let participants =
        (0..variant.game.seats()).map(|_| Participant::load(PERSON).unwrap()).collect();
    let mut table = Table::new(variant, participants, seed).unwrap();
    // A person who deals Eleusis gets a random rule.
    _ = table.set_secret(None);
    table
}

/// Checks that snapshots do not depend on the hidden state, byte by byte. Returns the number of
/// hidden states that differed from the true one.
fn check_snapshots<G: Strategic>(variant: &str, seed: u64) -> u32 {
    let mut table = table_of_people::<G>(variant, seed);
    let game: Arc<G> = table.game.clone();
    let mut chance = Seed::new(seed).named(variant).stream();
    let mut differ = 0;
    while let Turn::Seat(next) = table.turn() {
        for seat in table.people() {
            let truth = table.hand.state.clone();
            let world = game.determinize(&table.view(seat), &mut chance);
            let mine = [seat];
            let expected = [Some(seat), None].map(|seat| compact(&table.snapshot(seat, &mine)));
            differ += u32::from(world != truth);
            table.hand.state = world;
            let other = [Some(seat), None].map(|seat| compact(&table.snapshot(seat, &mine)));
            assert_eq!(expected, other, "{variant}, seat {}", seat.0);
            table.hand.state = truth;
        }
        let mv = game.sample_view(&table.view(next), &mut chance);
        table.play(next, &[mv]).unwrap();
    }
    differ
}

#[test]
fn snapshots_do_not_depend_on_hidden_information() {
    assert!(check_snapshots::<Leopard>("revised", 1) > 100);
    assert!(check_snapshots::<Leopard>("running-original", 2) > 100);
    assert!(check_snapshots::<Eleusis>("eleusis", 3) > 100);
    assert!(check_snapshots::<Eleusis>("express", 4) > 50);
    assert_eq!(check_snapshots::<Leapfrog>("murray-mini-5x5", 5), 0);
}

#[test]
fn taking_back_restores_the_position() {
    let mut table = table_of_people::<Leopard>("revised", 7);
    let all = table.people();
    let start = compact(&table.view(Seat(0)));
    for _ in 0..3 {
        for seat in [Seat(0), Seat(1)] {
            let mv = table.options(seat)[0];
            table.play(seat, &[mv]).unwrap();
        }
    }
    for left in [4, 2, 0] {
        table.take_back(Seat(0), &all).unwrap();
        assert_eq!(table.place(), (0, left));
    }
    assert_eq!(compact(&table.view(Seat(0))), start);
    assert!(table.take_back(Seat(0), &all).is_err());
    // Another person's moves would go too, so that person is asked.
    for seat in [Seat(0), Seat(1)] {
        let mv = table.options(seat)[0];
        table.play(seat, &[mv]).unwrap();
    }
    table.take_back(Seat(0), &[Seat(0)]).unwrap();
    assert_eq!(table.place(), (0, 2));
    assert!(table.answer_take_back(&[Seat(0)], true).is_err(), "the asker cannot answer");
    table.answer_take_back(&[Seat(1)], true).unwrap();
    assert_eq!(table.place(), (0, 0));
}

#[test]
fn moves_are_applied_all_or_none() {
    let mut table = table_of_people::<Leapfrog>("mini-5x5", 1);
    let legal = table.options(Seat(0))[0];
    let before = compact(&table.view(Seat(0)));
    // The second move would be the other seat's.
    let error = table.play(Seat(0), &[legal, legal]).unwrap_err().to_string();
    assert!(error.contains("it is the turn of seat 1"), "{error}");
    assert_eq!(compact(&table.view(Seat(0))), before);
    assert!(table.play(Seat(1), &[legal]).is_err());
    assert!(table.play(Seat(0), &[]).is_err());
    table.play(Seat(0), &[legal]).unwrap();
}

#[test]
fn task_results_for_an_old_position_are_void() {
    let variant = Variant::<Leopard>::named("revised").unwrap();
    let participants = [PERSON, "ismcts-250"].map(|name| Participant::load(name).unwrap()).into();
    let mut table = Table::new(variant, participants, 5).unwrap();
    let mv = table.options(Seat(0))[0];
    table.play(Seat(0), &[mv]).unwrap();
    let task = table.next_task().unwrap();
    assert!(table.next_task().is_none(), "each task is handed out once");
    table.take_back(Seat(0), &[Seat(0)]).unwrap();
    task()(&mut table);
    assert_eq!(table.place(), (0, 0));
    table.play(Seat(0), &[mv]).unwrap();
    let task = table.next_task().unwrap();
    task()(&mut table);
    assert_eq!(table.place(), (0, 2));
}

/// Plays a hand to its end with random moves of one card; the dealer judges by the rule. Returns the
/// number of verdicts.
fn play_judged_by(table: &mut Table<Eleusis>, rule: &Rule, seed: u64) -> usize {
    let mut chance = Seed::new(seed).stream();
    let mut verdicts = 0;
    while let Turn::Seat(seat) = table.turn() {
        let public = table.view(seat).public;
        let memory = rule.after(&public.mainline);
        let right = rule.right(&memory);
        let asked = (public.stage, table.hand.moves().last(), public.shown);
        let mv = match asked {
            (Stage::Verdict, Some((_, Move::Force(card))), _) => Move::Judge(right.has(*card)),
            (Stage::Verdict, Some((_, Move::Guess(number))), _) => {
                let stated = table.game.statements.rule(*number).unwrap();
                let after = stated.after(&public.mainline);
                Move::Judge(are_equivalent_from(rule, &stated, &memory, &after))
            }
            (Stage::Verdict, _, Some(hand)) => Move::Judge((right & hand.distinct()).is_empty()),
            (Stage::Verdict, ..) => Move::Judge(rule.accepts(&memory, &public.string).is_some()),
            (Stage::Force, _, Some(hand)) => Move::Force((right & hand.distinct()).next().unwrap()),
            // One card only: long strings are rarely right.
            (Stage::Play, ..) if !public.string.is_empty() => Move::Submit,
            _ => {
                let options = table.options(seat);
                options[chance.below(options.len() as u32) as usize]
            }
        };
        verdicts += usize::from(public.stage == Stage::Verdict);
        table.play(seat, &[mv]).unwrap();
    }
    verdicts
}

#[test]
fn a_dealer_can_judge_by_hand_and_reveal_the_rule() {
    for (variant, seed) in [("eleusis", 1), ("eleusis", 2), ("express", 3), ("eleusis-1977", 4)] {
        let variant = Variant::<Eleusis>::named(variant).unwrap();
        let participants =
            (0..variant.game.seats()).map(|_| Participant::load(PERSON).unwrap()).collect();
        let mut table = Table::new(variant, participants, seed).unwrap();
        table.set_secret(Some(MANUAL)).unwrap();
        assert_eq!(table.view(Seat(0)).rule, None, "the rule stays secret");
        let rule = "color != last.color".parse().unwrap();
        let verdicts = play_judged_by(&mut table, &rule, seed);
        assert!(verdicts > 5, "{verdicts}");
        assert!(table.asks_rule() && table.record().is_none());
        let error = table.reveal_secret("rank == 1").unwrap_err().to_string();
        assert!(error.contains("this rule contradicts your verdicts: at move "), "{error}");
        let points = table.game.scores(&table.hand.state);
        table.reveal_secret("color != last.color").unwrap();
        assert_eq!(table.game.scores(&table.hand.state), points);
        let record = serde_json::from_str(&table.record().unwrap()).unwrap();
        assert_eq!(Eleusis::verify(&record), Ok(()));
    }
}

#[test]
fn a_hand_judged_by_hand_is_resumed() {
    let variant = Variant::<Eleusis>::named("express").unwrap();
    let participants =
        (0..variant.game.seats()).map(|_| Participant::load(PERSON).unwrap()).collect();
    let mut table = Table::new(variant, participants, 9).unwrap();
    table.set_secret(Some(MANUAL)).unwrap();
    let lay = table.options(Seat(1))[0];
    table.play(Seat(1), &[lay]).unwrap();
    assert_eq!(table.turn(), Turn::Seat(Seat(0)));
    assert!(table.request_advice(Seat(0)).is_err(), "nobody else knows the rule");
    table.play(Seat(0), &[Move::Judge(true)]).unwrap();
    let kept = table.unfinished().unwrap();
    let again = Table::<Eleusis>::resume("x", &kept).unwrap();
    assert_eq!(again.unfinished(), Some(kept));
    assert_eq!(again.view(Seat(2)), table.view(Seat(2)));
    assert!(is_manual(&*again.game));
}
