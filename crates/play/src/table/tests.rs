//! Nothing hidden leaves the table.

use std::sync::Arc;

use super::play::is_manual;
use super::*;
use crate::chance::Seed;
use crate::files::compact;
use crate::game::{Game, MANUAL, Recorded, Seat, Turn};
use crate::strategy::Strategic;
use crate::variant::Variant;
use parlour_eleusis::rule::Rule;
use parlour_eleusis::{Eleusis, Move, Stage, are_equivalent_from};
use parlour_leapfrog::Leapfrog;
use parlour_leopard::Leopard;

/// A table at which only people sit.
fn of_people<G: Strategic>(variant: &str, seed: u64) -> Table<G> {
    let variant: Variant<G> = Variant::named(variant).unwrap();
    let sitters = (0..variant.game.seats()).map(|_| Sitter::Person).collect();
    let mut table = Table::new(Setting { variant, sitters, seed }).unwrap();
    // Where the dealer is asked for a rule, any will do.
    _ = table.lay_down(None);
    table
}

/// Whatever is behind what a seat sees, it is told the same, byte by byte. How many truths were
/// other ones.
fn told_the_same<G: Strategic>(variant: &str, seed: u64) -> u32 {
    let mut table = of_people::<G>(variant, seed);
    let game: Arc<G> = table.game().clone();
    let mut chance = Seed::new(seed).named(variant).stream();
    let mut differ = 0;
    while let Turn::Seat(next) = table.turn() {
        for seat in table.people() {
            let truth = table.hand.play.state.clone();
            let world = game.determinize(&table.view(seat), &mut chance);
            let mine = [seat];
            let told = [Some(seat), None].map(|seat| compact(&table.seen(seat, &mine)));
            differ += u32::from(world != truth);
            table.hand.play.state = world;
            let other = [Some(seat), None].map(|seat| compact(&table.seen(seat, &mine)));
            assert_eq!(told, other, "{variant}, seat {}", seat.0);
            table.hand.play.state = truth;
        }
        let mv = game.sample_view(&table.view(next), &mut chance);
        table.play(next, &[mv]).unwrap();
    }
    differ
}

#[test]
fn a_seat_is_told_the_same_whatever_is_hidden_from_it() {
    assert!(told_the_same::<Leopard>("revised", 1) > 100);
    assert!(told_the_same::<Leopard>("running-original", 2) > 100);
    assert!(told_the_same::<Eleusis>("eleusis", 3) > 100);
    assert!(told_the_same::<Eleusis>("express", 4) > 50);
    assert_eq!(told_the_same::<Leapfrog>("murray-mini-5x5", 5), 0);
}

#[test]
fn what_is_taken_back_never_was() {
    let mut table = of_people::<Leopard>("revised", 7);
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
    // Whose moves would go with it is asked.
    for seat in [Seat(0), Seat(1)] {
        let mv = table.options(seat)[0];
        table.play(seat, &[mv]).unwrap();
    }
    table.take_back(Seat(0), &[Seat(0)]).unwrap();
    assert_eq!(table.place(), (0, 2));
    assert!(table.answer_back(&[Seat(0)], true).is_err(), "who asks does not agree for others");
    table.answer_back(&[Seat(1)], true).unwrap();
    assert_eq!(table.place(), (0, 0));
}

#[test]
fn moves_are_made_all_or_none() {
    let mut table = of_people::<Leapfrog>("mini-5x5", 1);
    let legal = table.options(Seat(0))[0];
    let before = compact(&table.view(Seat(0)));
    // The second is of the other seat's turn.
    let error = table.play(Seat(0), &[legal, legal]).unwrap_err().to_string();
    assert!(error.contains("it is the turn of seat 1"), "{error}");
    assert_eq!(compact(&table.view(Seat(0))), before);
    assert!(table.play(Seat(1), &[legal]).is_err());
    assert!(table.play(Seat(0), &[]).is_err());
    table.play(Seat(0), &[legal]).unwrap();
}

#[test]
fn what_a_bot_thought_of_a_position_that_is_gone_is_void() {
    let variant = Variant::<Leopard>::named("revised").unwrap();
    let sitters = vec![Sitter::Person, Sitter::named("ismcts-250").unwrap()];
    let mut table = Table::new(Setting { variant, sitters, seed: 5 }).unwrap();
    let mv = table.options(Seat(0))[0];
    table.play(Seat(0), &[mv]).unwrap();
    let job = table.job().unwrap();
    assert!(table.job().is_none(), "it is thought about once");
    table.take_back(Seat(0), &[Seat(0)]).unwrap();
    table.done(job.run());
    assert_eq!(table.place(), (0, 0));
    table.play(Seat(0), &[mv]).unwrap();
    let job = table.job().unwrap();
    table.done(job.run());
    assert_eq!(table.place(), (0, 2));
}

/// Plays a hand to its end, card by card at random; who deals judges as this rule does. How many verdicts there were.
fn judged_by(table: &mut Table<Eleusis>, rule: &Rule, seed: u64) -> usize {
    let mut chance = Seed::new(seed).stream();
    let mut verdicts = 0;
    while let Turn::Seat(seat) = table.turn() {
        let public = table.view(seat).public;
        let memory = rule.after(&public.mainline);
        let right = rule.right(&memory);
        let asked = (public.stage, table.hand.play.moves().last(), public.shown);
        let mv = match asked {
            (Stage::Verdict, Some((_, Move::Force(card))), _) => Move::Judge(right.has(*card)),
            (Stage::Verdict, Some((_, Move::Guess(number))), _) => {
                let stated = table.game().statements().rule(*number).unwrap();
                let after = stated.after(&public.mainline);
                Move::Judge(are_equivalent_from(rule, &stated, &memory, &after))
            }
            (Stage::Verdict, _, Some(hand)) => Move::Judge((right & hand.distinct()).is_empty()),
            (Stage::Verdict, ..) => Move::Judge(rule.accepts(&memory, &public.string).is_some()),
            (Stage::Force, _, Some(hand)) => Move::Force((right & hand.distinct()).next().unwrap()),
            // Of one card: a long string tells little.
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
fn a_person_who_deals_may_keep_the_rule_and_judge_by_hand() {
    for (variant, seed) in [("eleusis", 1), ("eleusis", 2), ("express", 3), ("eleusis-1977", 4)] {
        let variant = Variant::<Eleusis>::named(variant).unwrap();
        let sitters = (0..variant.game.seats()).map(|_| Sitter::Person).collect();
        let mut table = Table::new(Setting { variant, sitters, seed }).unwrap();
        table.lay_down(Some(MANUAL)).unwrap();
        assert_eq!(table.view(Seat(0)).rule, None, "nobody told it");
        let rule = "color != last.color".parse().unwrap();
        let verdicts = judged_by(&mut table, &rule, seed);
        assert!(verdicts > 5, "{verdicts}");
        assert!(table.asks_rule() && table.record().is_none());
        let error = table.disclose("rank == 1").unwrap_err().to_string();
        assert!(error.contains("this rule contradicts your verdicts: at move "), "{error}");
        let points = table.end().unwrap().scores;
        table.disclose("color != last.color").unwrap();
        assert_eq!(table.end().unwrap().scores, points);
        let record = serde_json::from_str(&table.record().unwrap()).unwrap();
        assert_eq!(Eleusis::verify(&record), Ok(()));
    }
}

#[test]
fn a_hand_judged_by_hand_is_taken_up_again() {
    let variant = Variant::<Eleusis>::named("express").unwrap();
    let sitters = (0..variant.game.seats()).map(|_| Sitter::Person).collect();
    let mut table = Table::new(Setting { variant, sitters, seed: 9 }).unwrap();
    table.lay_down(Some(MANUAL)).unwrap();
    let lay = table.options(Seat(1))[0];
    table.play(Seat(1), &[lay]).unwrap();
    assert_eq!(table.turn(), Turn::Seat(Seat(0)));
    assert!(table.want_advice(Seat(0)).is_err(), "nobody else knows the rule");
    table.play(Seat(0), &[Move::Judge(true)]).unwrap();
    let kept = table.unfinished().unwrap();
    let again = Table::<Eleusis>::resumed("x", &kept).unwrap();
    assert_eq!(again.unfinished(), Some(kept));
    assert_eq!(again.view(Seat(2)), table.view(Seat(2)));
    assert!(is_manual(&**again.game()));
}
