//! The conformance kit of all games, and records.

use super::*;
use parlour_game::{Measured, Recorded, kit};

fn all() -> impl Iterator<Item = (&'static str, Eleusis)> {
    Eleusis::presets().into_iter().map(|p| (p.name, Eleusis::new(&p.rules).unwrap()))
}

#[test]
fn every_variant_passes_the_kit() {
    for (_, game) in all() {
        kit::check(&game, 4);
        kit::check_figures(&game, 20);
    }
}

#[test]
fn other_rule_values_pass_the_kit() {
    let whole = Rules {
        forced_by: ForcedBy::Dealer,
        no_play_end: NoPlayEnd::None,
        dealer_cap_on: DealerCap::Hand,
        expel_counts: ExpelCounts::Played,
        cap_counts: CapCounts::Mainline,
        ..Rules::ELEUSIS
    };
    let any = Rules { guess_after: GuessAfter::Any, wrong_guess_penalty: 2, ..Rules::EXPRESS };
    let express =
        Rules { guess_with_last_card: false, wrong_guess_penalty: 1, seats: 3, ..Rules::EXPRESS };
    for rules in [whole, express, any] {
        let game = Eleusis::new(&rules).unwrap();
        kit::check(&game, 2);
        kit::check_records(&game, "mine", 6);
    }
}

#[test]
fn every_variant_keeps_records() {
    for (name, game) in all() {
        kit::check_records(&game, name, 12);
    }
}

#[test]
fn illegal_moves_are_refused() {
    let mut every =
        vec![Move::Submit, Move::NoPlay, Move::Pass, Move::Prophesy, Move::Guess(u32::MAX)];
    every.extend([Move::Judge(true), Move::Judge(false)]);
    every.extend(Card::all().map(Move::Lay));
    every.extend(Card::all().map(Move::Force));
    for (_, game) in all() {
        kit::check_refusals(&game, 1, &every);
    }
}

#[test]
fn the_four_variants_are_named() {
    let names: Vec<_> = all().map(|(name, _)| name).collect();
    assert_eq!(names, ["eleusis", "express", "express-golden", "eleusis-1977"]);
    let golden = Eleusis::preset("express-golden").unwrap();
    assert_eq!((golden.wrong_card_penalty, golden.seats), (1, 4));
    let old = Eleusis::preset("eleusis-1977").unwrap();
    assert_eq!((old.going_out_bonus, old.string_max), (4, Some(4)));
    assert_eq!((old.expel_counts, old.expel_at), (ExpelCounts::Played, 40));
}

#[test]
fn invalid_rules_are_refused_with_one_message_each() {
    let rules = Rules { seats: 3, hand_size: 0, ..Rules::ELEUSIS };
    let faults = Eleusis::new(&rules).unwrap_err();
    assert_eq!(faults.faults().len(), 2);
    assert!(faults.to_string().contains("`seats` is 3; it must be from 4 to 8"));
    assert!(Eleusis::new(&Rules { seats: 3, ..Rules::EXPRESS }).is_ok());
    let secret = Some("rank > last.rank".to_owned());
    let faults = Eleusis::new(&Rules { secret, ..Rules::ELEUSIS }).unwrap_err();
    assert!(faults.to_string().contains("leaves no card right after"), "{faults:?}");
}

#[test]
fn only_the_dealers_view_holds_the_rule() {
    let table = Table::red();
    for seat in 0..5 {
        let view = table.game.view(&table.state, Seat(seat));
        assert_eq!(view.rule.is_some(), seat == 0);
    }
}

#[test]
fn determinized_rules_agree_with_all_verdicts() {
    let game = Eleusis::new(&Rules::ELEUSIS).unwrap();
    for hand in 0..3 {
        let mut chance = Seed::new(hand).stream();
        let mut state = game.deal(&mut chance);
        for _ in 0..60 {
            let Turn::Seat(seat) = game.turn(&state) else { break };
            let mv = game.sample(&state, &mut chance);
            game.apply(&mut state, mv, &mut chance);
            let view = game.view(&state, Seat(seat.0 % 4 + 1));
            let world = game.determinize(&view, &mut chance);
            assert!(state.public.agrees(&state.rule), "the truth agrees");
            assert!(state.public.agrees(&world.rule), "and so does what is imagined");
            for (pool, undrawn) in world.public.pools.iter().zip(&world.undrawn) {
                assert_eq!(undrawn.len(), usize::from(pool.stock));
                assert!(undrawn.minus(&pool.cards).is_empty(), "drawn from its own pool");
            }
        }
    }
}

#[test]
fn all_cards_are_always_somewhere() {
    for (_, game) in all() {
        let mut chance = Seed::new(8).stream();
        let mut state = game.deal(&mut chance);
        while game.turn(&state) != Turn::Over {
            let mv = game.sample(&state, &mut chance);
            game.apply(&mut state, mv, &mut chance);
            let public = &state.public;
            let hands: usize = state.hands.iter().map(CardMultiset::len).sum();
            let stock: usize = state.undrawn.iter().map(CardMultiset::len).sum();
            for (seat, hand) in state.hands.iter().enumerate() {
                let hidden: u16 = public.pools.iter().map(|pool| pool.held[seat]).sum();
                let known = public.known[seat];
                assert!(known.minus(hand).is_empty());
                assert_eq!(hand.len(), known.len() + usize::from(hidden), "seat {seat}");
                assert_eq!(hand.len(), usize::from(public.held[seat]));
            }
            let table = 1 + usize::from(public.played) + public.string.len();
            assert_eq!(hands + stock + table, 104 + 52 * usize::from(public.decks_added));
            for (pool, undrawn) in public.pools.iter().zip(&state.undrawn) {
                let held: u16 = pool.held.iter().sum();
                assert_eq!(undrawn.len(), usize::from(pool.stock));
                assert_eq!(pool.cards.len(), usize::from(pool.stock + held));
            }
        }
    }
}

#[test]
fn a_changed_record_is_refused() {
    let game = Eleusis::new(&Rules::ELEUSIS).unwrap();
    let start = Seed::new(3).stream();
    let (mut chance, mut moves) = (start.clone(), Vec::new());
    let mut state = game.deal(&mut chance);
    let mut choice = Seed::new(4).stream();
    let mut stats = 0;
    while game.turn(&state) != Turn::Over {
        let mv = game.sample(&state, &mut choice);
        game.track_move(&mut stats, &state, mv);
        game.apply(&mut state, mv, &mut chance);
        moves.push(mv);
    }
    let label = parlour_game::Label {
        variant: "eleusis".to_owned(),
        deal: 0,
        hand: 0,
        rotation: 0,
        seed: 3,
        seats: vec!["random".to_owned(); 5],
    };
    let record = game.record(&label, start, &moves, &state);
    assert_eq!(Eleusis::verify(&record), Ok(()));
    assert_eq!(game.turns(&stats) as usize, record.turns.len());
    let refused = |change: &dyn Fn(&mut Record)| {
        let mut changed = record.clone();
        change(&mut changed);
        assert!(Eleusis::verify(&changed).is_err(), "{changed:?}");
    };
    refused(&|r| r.scores[1] += 1);
    refused(&|r| r.winner = Some(4 - r.winner.unwrap_or(0)));
    refused(&|r| r.turns[0].right = !r.turns[0].right);
    refused(&|r| r.turns[0].seat = 2);
    refused(&|r| r.dealt[1].truncate(13));
    refused(&|r| r.dealt[0].push(r.starter));
    refused(&|r| r.turns.truncate(2));
    refused(&|r| r.turns.push(r.turns[0].clone()));
    refused(&|r| r.rule = "rank >".to_owned());
    refused(&|r| r.format = 2);
    refused(&|r| r.turns[0].drew.push(r.starter));
    refused(&|r| r.turns[0].play = None);
    refused(&|r| r.dealt[2][0] = r.dealt[1][0]);
}

/// The number of right cards in a shown hand stays hidden: one and two of them look alike.
#[test]
fn forced_cards_are_announced_alike() {
    for rules in [Rules::ELEUSIS, Rules::EXPRESS] {
        let game = Eleusis::new(&rules).unwrap();
        let worlds = ["rank == 5 and heart", "rank == 5"].map(|secret| {
            let mut table = Table::new(rules.clone(), secret);
            table.give(1, "5H 5S 9C JD");
            // The rule is in no view but the dealer's.
            table.state
        });
        let moves = [Move::NoPlay, Move::Force("5H".parse().unwrap())];
        let others: Vec<Seat> = (1..rules.seats).map(Seat).collect();
        kit::check_received(&game, worlds, &others, &moves, &Seed::new(3).stream());
    }
}
