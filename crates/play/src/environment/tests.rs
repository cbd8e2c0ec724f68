//! Tests of single tables and vector environments.

use super::*;
use parlour_eleusis::Eleusis;
use parlour_game::{Recorded, Seat};
use parlour_leapfrog::Leapfrog;
use parlour_leopard::Leopard;

/// One thread, all seats for the learner, and all buffers.
fn options(variant: &str, tables: usize) -> VectorOptions {
    VectorOptions {
        variant: variant.to_owned(),
        reward: Reward::Win,
        tables,
        threads: 1,
        opponents: Vec::new(),
        seat: None,
        autoreset: true,
        observations: true,
        masks: true,
    }
}

/// Plays a hand of random moves; returns its rewards and its record.
fn hand(table: &mut dyn Environment, seed: u64, deal: u64) -> (Vec<f32>, String) {
    table.reset(seed, deal);
    while let Some(action) = table.sample() {
        table.step(action).unwrap();
    }
    (table.rewards(), table.record().unwrap())
}

#[test]
fn a_hand_can_be_repeated_and_verified() {
    fn check<G: Strategic + Encoded>() {
        let default = G::presets()[0].name;
        let [mut one, mut two] = [0, 0].map(|_| open::<G>(default, Reward::Win).unwrap());
        let first = hand(one.as_mut(), 7, 3);
        assert_eq!(first, hand(two.as_mut(), 7, 3));
        assert_ne!(first.1, hand(two.as_mut(), 8, 3).1);
        G::verify(&serde_json::from_str(&first.1).unwrap()).unwrap();
        assert!(first.0.iter().sum::<f32>().abs() < 1e-6);
    }
    check::<Leopard>();
    check::<Leapfrog>();
    check::<Eleusis>();
}

#[test]
fn the_cards_are_those_of_an_experiment_with_the_seed() {
    let match_up = ["random", "random"].map(str::to_owned);
    let experiment = parlour_arena::Experiment {
        seed: 5,
        ..parlour_arena::Experiment::of_match("leopard", "revised", &match_up)
    };
    let plan = parlour_arena::Plan::<Leopard>::resolve("x", &experiment).unwrap();
    assert_eq!(plan.deal_seed(9, 0), interface::deal_seed(5, 9));
}

#[test]
fn a_copy_goes_on_alike_and_apart() {
    let mut table = open::<Leopard>("revised", Reward::Points).unwrap();
    for _ in 0..5 {
        let action = table.sample().unwrap();
        table.step(action).unwrap();
    }
    let mut copy = table.copy();
    while let Some(action) = copy.sample() {
        copy.step(action).unwrap();
    }
    assert!(table.turn().is_some(), "the copy has its own state");
    while let Some(action) = table.sample() {
        table.step(action).unwrap();
    }
    assert_eq!(table.record(), copy.record());
}

#[test]
fn a_determinized_table_depends_only_on_what_the_seat_knows() {
    fn check<G: Strategic + Encoded>() {
        let mut table = open::<G>(G::presets()[0].name, Reward::Win).unwrap();
        for _ in 0..40 {
            let Some(seat) = table.turn() else { break };
            let mut world = table.determinize(seat, Some(7)).unwrap();
            let mut twin = world.determinize(seat, Some(7)).unwrap();
            let origin = table.position(seat).unwrap();
            let mut there = open_position::<G>(&origin, Reward::Win, 7).unwrap();
            while let Some(action) = world.sample() {
                for table in [&mut world, &mut twin, &mut there] {
                    table.step(action).unwrap();
                }
                assert_eq!(world.legal(), twin.legal());
            }
            assert!(world.past(seat).starts_with(&table.past(seat)));
            assert_eq!(world.points(), twin.points());
            assert_eq!(world.view(seat), there.view(seat));
            assert!(world.record().unwrap_err().to_string().contains("has no record"));
            let action = table.sample().unwrap();
            table.step(action).unwrap();
        }
    }
    check::<Leopard>();
    check::<Leapfrog>();
    check::<Eleusis>();
}

#[test]
fn what_cannot_be_done_is_refused_and_changes_nothing() {
    let mut table = open::<Leopard>("revised", Reward::Win).unwrap();
    let before = table.view(Seat(0)).unwrap();
    let said = |result: Result<()>| result.unwrap_err().to_string();
    assert!(said(table.step(305)).starts_with("action 305 (`knock`) is not legal here; "));
    assert!(said(table.step(306)).contains("there is no action 306; actions are 0 to 305"));
    assert!(said(table.step(-1)).contains("there is no action -1"));
    assert!(table.record().unwrap_err().to_string().contains("the hand is not over"));
    assert_eq!(table.view(Seat(0)).unwrap(), before);
    assert!(table.view(Seat(2)).unwrap_err().to_string().contains("there is no seat 2"));
    while let Some(action) = table.sample() {
        table.step(action).unwrap();
    }
    assert!(said(table.step(0)).contains("is over; `reset` deals another"));
    assert!(table.choose("greedy").is_err());
    let refused = |variant: &str| open::<Leopard>(variant, Reward::Win).err().unwrap().to_string();
    assert!(refused("revise").contains("Did you mean `revised`?"));
    assert!(refused(r#"{"base": "revised", "knock_at": 0}"#).contains("knock_at"));
    assert!(refused(r#"{"base": "revised", "knok_at": 8}"#).contains("unknown field `knok_at`"));
}

/// The outcome of some steps at many tables.
fn steps<G: Strategic + Encoded>(options: &VectorOptions) -> Vec<Vec<u8>> {
    let (mut many, tables) = (open_many::<G>(options).unwrap(), options.tables);
    let (numbers, count) = (many.facts().numbers, many.facts().count);
    let mut rewards = vec![0.0; tables * many.columns()];
    let mut bytes = [numbers, count, 1, 1].map(|width| vec![0; tables * width]);
    let mut actions = vec![0; tables];
    let (mut seen, mut paid, mut ended) = (Vec::new(), Vec::new(), 0);
    for step in 0..150 {
        let [observations, masks, dones, seats] = &mut bytes;
        let out = StepBuffers { observations, masks, rewards: &mut rewards, dones, seats };
        match step {
            0 => many.reset(11, out).unwrap(),
            _ => many.step(&actions, out).unwrap(),
        }
        many.sample(&mut actions);
        let [_, masks, dones, _] = &bytes;
        ended += dones.iter().map(|done| u32::from(*done)).sum::<u32>();
        assert!(actions.iter().zip(masks.chunks(count)).all(|(a, mask)| mask[*a as usize] == 1));
        paid.extend(rewards.iter().map(|reward| (reward * 12.0 + 100.0) as u8));
        seen.extend(bytes.iter().cloned());
    }
    assert!(ended > 20, "{ended}");
    seen.push(paid);
    seen
}

#[test]
fn threads_do_not_change_what_happens_at_a_table() {
    fn check<G: Strategic + Encoded>(variant: &str, opponents: &[&str]) {
        let opponents = opponents.iter().map(|&name| name.to_owned()).collect();
        let one = VectorOptions { opponents, ..options(variant, 70) };
        assert!(steps::<G>(&one) == steps::<G>(&VectorOptions { threads: 2, ..one }));
    }
    check::<Leopard>("revised", &[]);
    check::<Leopard>("running-revised", &["greedy"]);
    check::<Leapfrog>("murray-mini-5x5", &["greedy"]);
    check::<Eleusis>("express", &[]);
}

#[test]
fn many_tables_play_the_hands_that_tables_alone_play() {
    let tables = 5;
    let points = VectorOptions { reward: Reward::Points, ..options("revised", tables) };
    let mut many = open_many::<Leopard>(&points).unwrap();
    let mut alone: Vec<(u64, Box<dyn Environment>)> = (0..tables as u64)
        .map(|deal| (deal, open::<Leopard>("revised", Reward::Points).unwrap()))
        .collect();
    alone.iter_mut().for_each(|(deal, table)| table.reset(3, *deal));
    let (mut observations, mut rewards) = (vec![0; tables * many.facts().numbers], vec![0.0; 10]);
    let (mut dones, mut seats) = (vec![0; tables], vec![0; tables]);
    let mut actions = vec![0; tables];
    for step in 0..400 {
        let out = StepBuffers {
            observations: &mut observations,
            masks: &mut [],
            rewards: &mut rewards,
            dones: &mut dones,
            seats: &mut seats,
        };
        if step == 0 { many.reset(3, out) } else { many.step(&actions, out) }.unwrap();
        let rows = observations.chunks(many.facts().numbers);
        for (at, ((deal, table), row)) in alone.iter_mut().zip(rows).enumerate() {
            if step > 0 {
                table.step(actions[at]).unwrap();
                assert_eq!(table.turn().is_none(), dones[at] == 1);
                assert_eq!(table.rewards(), rewards[2 * at..][..2]);
            }
            if table.turn().is_none() {
                *deal += tables as u64;
                table.reset(3, *deal);
            }
            let mut own = vec![0; row.len()];
            table.observe(table.turn().unwrap(), &mut own);
            assert!(own == row && table.turn() == Some(Seat(seats[at])));
        }
        many.sample(&mut actions);
    }
}

#[test]
fn opponents_sit_where_the_learner_does_not() {
    let tables = 40;
    let open = |opponents: &[&str], seat: Option<usize>| {
        let opponents = opponents.iter().map(|&name| name.to_owned()).collect();
        open_many::<Leopard>(&VectorOptions { opponents, seat, ..options("revised", tables) })
    };
    let mut many = open(&["greedy"], Some(1)).unwrap();
    let (mut rewards, mut dones, mut seats) = (vec![0.0; tables], vec![0; tables], vec![0; tables]);
    let mut actions = vec![0; tables];
    let (mut sum, mut hands) = (0.0, 0);
    for step in 0..1000 {
        let out = StepBuffers {
            observations: &mut [],
            masks: &mut [],
            rewards: &mut rewards,
            dones: &mut dones,
            seats: &mut seats,
        };
        if step == 0 { many.reset(1, out) } else { many.step(&actions, out) }.unwrap();
        many.sample(&mut actions);
        assert!(seats.iter().all(|seat| *seat == 1));
        sum += rewards.iter().sum::<f32>();
        hands += dones.iter().map(|done| i32::from(*done)).sum::<i32>();
    }
    assert!(hands > 200 && sum < -0.8 * hands as f32, "random play loses: {sum} of {hands}");
    let wrong = |opponents: &[&str], seat| open(opponents, seat).err().unwrap().to_string();
    assert!(wrong(&["greedy"], Some(2)).contains("`seat` is 2"));
    assert!(wrong(&[], Some(0)).contains("there are none"));
    assert!(wrong(&["gredy"], None).contains("greedy"));
    assert!(wrong(&["greedy"; 3], None).contains("`opponents` are 3; there is 1 other seat"));
}

#[test]
fn without_autoreset_a_table_shows_the_end_until_it_deals() {
    fn check<G: Strategic + Encoded>(variant: &str) {
        let tables = 6;
        let auto =
            VectorOptions { opponents: vec!["random".to_owned()], ..options(variant, tables) };
        let manual = VectorOptions { autoreset: false, ..auto.clone() };
        let mut both = [auto, manual].map(|options| open_many::<G>(&options).unwrap());
        let (numbers, count) = (both[0].facts().numbers, both[0].facts().count);
        let widths = [numbers, count, 1, 1];
        let mut bytes = [(); 2].map(|()| widths.map(|width| vec![0; tables * width]));
        let mut rewards = [(); 2].map(|()| vec![0.0; tables]);
        let mut step = |at: usize, actions: &[i64]| {
            let [observations, masks, dones, seats] = &mut bytes[at];
            let out = StepBuffers { observations, masks, rewards: &mut rewards[at], dones, seats };
            let result = match actions {
                [] => both[at].reset(4, out),
                _ => both[at].step(actions, out),
            };
            let mut sampled = vec![0; tables];
            both[at].sample(&mut sampled);
            (result, sampled, bytes[at].clone(), rewards[at].clone())
        };
        step(1, &[]).0.unwrap();
        let (mut actions, mut ended) = (step(0, &[]).1, 0);
        for _ in 0..300 {
            let (_, next, shown, paid) = step(0, &actions);
            let (_, sampled, end, there) = step(1, &actions);
            assert!(end[2] == shown[2] && there == paid, "the same hands end");
            let deal: Vec<i64> = end[2].iter().map(|done| -1 - i64::from(*done)).collect();
            for (at, _) in end[2].iter().enumerate().filter(|(_, done)| **done == 1) {
                ended += 1;
                assert_eq!(sampled[at], -2);
                assert!(end[1][at * count..][..count].iter().all(|bit| *bit == 0));
                let mut wrong = vec![-1; tables];
                wrong[at] = 0;
                let refused = step(1, &wrong).0.unwrap_err().to_string();
                assert!(refused.contains(&format!("table {at}")), "{refused}");
                assert!(refused.contains("the hand is over; action -2 deals"), "{refused}");
                assert_eq!(step(1, &vec![-1; tables]).2[0], end[0], "-1 changes nothing");
            }
            let (_, _, dealt, nothing) = step(1, &deal);
            assert!(dealt[0] == shown[0] && dealt[1] == shown[1] && dealt[3] == shown[3]);
            assert!(nothing.iter().all(|reward| *reward == 0.0) && !dealt[2].contains(&1));
            actions = next;
        }
        assert!(ended > 10, "{ended}");
        assert!(both[1].picture(0).unwrap().lines().count() > 3);
        let none = both[1].picture(6).unwrap_err().to_string();
        assert!(none.contains("there is no table 6; there are 6"), "{none}");
    }
    check::<Leopard>("revised");
    check::<Leapfrog>("murray-mini-5x5");
    check::<Eleusis>("express");
}

#[test]
fn a_rule_that_has_no_action_is_stated_by_its_text() {
    let variant = r#"{"base": "express", "secret": "red"}"#;
    let mut table = open::<Eleusis>(variant, Reward::Win).unwrap();
    assert!(table.action_of("guess not black").is_err(), "it has no action");
    let mut deal = 0;
    while table.make("guess not black").is_err() {
        match table.sample() {
            Some(action) => table.step(action).unwrap(),
            None => (deal += 1, table.reset(0, deal)).1,
        }
    }
    assert_eq!(table.turn(), None, "it means the secret rule");
    let record = table.record().unwrap();
    assert!(record.contains(r#""guess":"not black","guess_right":true"#), "{record}");
    Eleusis::verify(&serde_json::from_str(&record).unwrap()).unwrap();
}

#[test]
fn chosen_outcomes_lead_on_and_have_no_record() {
    let table = open::<Leopard>("toy", Reward::Win).unwrap();
    let mut rest = table.outcomes(None).unwrap().unwrap();
    assert_eq!(rest.len(), 30);
    let before = table.view(Seat(0)).unwrap();
    while let Some((_, mut table)) = rest.pop() {
        let Some(action) = table.sample() else {
            assert!(table.record().unwrap_err().to_string().contains("chosen"));
            assert!(table.outcomes(Some(0)).is_err());
            break;
        };
        let next = table.outcomes(Some(action)).unwrap().unwrap();
        assert!(
            next.iter()
                .all(|(_, next)| next.view(Seat(0)).unwrap() != table.view(Seat(0)).unwrap())
        );
        rest = next;
    }
    assert_eq!(table.view(Seat(0)).unwrap(), before);
    assert!(open::<Eleusis>("express", Reward::Win).unwrap().outcomes(None).unwrap().is_none());
    let facts = |reward| open::<Leopard>("toy", reward).unwrap().facts().rewards;
    assert_eq!(facts(Reward::Win), (-1.0, 1.0));
    assert_eq!(facts(Reward::Points), (-1.0, 41.0));
    assert_eq!(facts(Reward::Margin), (-42.0, 42.0));
}
