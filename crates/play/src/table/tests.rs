//! Tests of the table: no hidden information leaves it.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::actor::Command;
use super::table::is_manual;
use super::*;
use parlour_base::chance::Seed;
use parlour_base::files::compact;
use parlour_eleusis::rule::Rule;
use parlour_eleusis::{Eleusis, Move, Stage, are_equivalent_from};
use parlour_game::strategy::Strategic;
use parlour_game::variant::Variant;
use parlour_game::{Game, MANUAL, Recorded, Scores, Seat, Turn};
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
fn snapshots_tell_the_seat_to_move_what_it_can_do() {
    fn to_do<G: Strategic>(table: &Table<G>, seat: u8) -> String {
        let snapshot = table.snapshot(Some(Seat(seat)), &[Seat(seat)]);
        snapshot["to_do"].as_str().unwrap_or("-").to_owned()
    }
    let mut table = table_of_people::<Leopard>("original", 7);
    let text = "Play a card or discard one; to knock you need 5, you have 0.";
    assert_eq!([to_do(&table, 0), to_do(&table, 1)], [text, "-"]);
    let error = table.play(Seat(0), &[parlour_leopard::Move::Knock]).unwrap_err().to_string();
    assert_eq!(error, format!("`knock` is not legal here. {text}"));
    let mut table = table_of_people::<Leapfrog>("mini-5x5", 7);
    assert_eq!(to_do(&table, 0), "Choose a piece to remove; you score its value.");
    for seat in [Seat(0), Seat(1)] {
        let mv = table.options(seat)[0];
        table.play(seat, &[mv]).unwrap();
    }
    assert!(to_do(&table, 0).starts_with("Choose a piece, then where it lands: it captures"));
    let mut table = table_of_people::<Eleusis>("eleusis", 7);
    let text = "Play one card or a string, or say no play if none of your cards is right.";
    assert_eq!(to_do(&table, 1), text);
    let card = table.options(Seat(1))[0];
    table.play(Seat(1), &[card]).unwrap();
    assert!(to_do(&table, 1).ends_with(": add a card, or submit to hear the verdict."));
    // A person who deals and judges.
    let mut table = Table::new(
        Variant::<Eleusis>::named("express").unwrap(),
        (0..4).map(|_| Participant::load(PERSON).unwrap()).collect(),
        7,
    )
    .unwrap();
    assert_eq!(to_do(&table, 0), "-", "the page asks for the rule");
    table.set_secret(Some(MANUAL)).unwrap();
    table.play(Seat(1), &[Move::NoPlay]).unwrap();
    assert!(to_do(&table, 0).starts_with("The claim is that no card of the shown hand is right"));
    table.play(Seat(0), &[Move::Judge(false)]).unwrap();
    assert!(to_do(&table, 0).starts_with("The claim was false: choose a shown card"));
    assert_eq!(to_do(&table, 1), "-");
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
    // Another person has seen the move, so that person is asked.
    for seat in [Seat(0), Seat(1)] {
        let mv = table.options(seat)[0];
        table.play(seat, &[mv]).unwrap();
    }
    table.take_back(Seat(0), &[Seat(0)]).unwrap();
    assert_eq!(table.place(), (0, 2));
    assert!(table.answer_take_back(&[Seat(0)], true).is_err(), "the asker cannot answer");
    table.answer_take_back(&[Seat(1)], true).unwrap();
    assert_eq!(table.place(), (0, 0));
    // The other's move goes with it, so that person is asked in an open game, too.
    let mut table = table_of_people::<Leapfrog>("mini-4x4", 11);
    for seat in [Seat(0), Seat(1)] {
        let mv = table.options(seat)[0];
        table.play(seat, &[mv]).unwrap();
    }
    assert_eq!(table.turn(), Turn::Seat(Seat(0)));
    table.take_back(Seat(0), &[Seat(0)]).unwrap();
    assert_eq!(table.place(), (0, 2));
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

/// Plays the current hand to its end with random moves, for people and bots.
fn finish<G: Strategic>(table: &mut Table<G>, seed: u64) {
    let mut chance = Seed::new(seed).stream();
    while let Turn::Seat(seat) = table.turn() {
        if table.people().contains(&seat) {
            let mv = table.game.sample_view(&table.view(seat), &mut chance);
            table.play(seat, &[mv]).unwrap();
        } else if let Some(task) = table.next_task() {
            task()(table);
        }
    }
}

#[test]
fn moves_cannot_be_tried_out_on_the_real_hand() {
    let cards = || table_of_people::<Eleusis>("express", 6).options(Seat(1));
    let mut verdicts = Vec::new();
    for card in cards().into_iter().filter(|mv| matches!(mv, Move::Lay(_))) {
        // Only after a right card `pass` is legal. The card is laid in any case, and stays.
        let mut table = table_of_people::<Eleusis>("express", 6);
        let made = table.play(Seat(1), &[card, Move::Pass]).unwrap();
        assert_eq!(table.place(), (0, made));
        verdicts.push(made == 2);
        // `submit` is never legal here, but that is reported only after the card is laid.
        let mut table = table_of_people::<Eleusis>("express", 6);
        assert_eq!(table.play(Seat(1), &[card, Move::Submit]).unwrap(), 1);
        assert_eq!(table.place(), (0, 1));
    }
    assert!(verdicts.contains(&true) && verdicts.contains(&false), "{verdicts:?}");
    // A string and its `submit` reveal nothing on the way.
    let mut table = table_of_people::<Eleusis>("eleusis", 6);
    let card = table.options(Seat(1))[0];
    assert_eq!(table.play(Seat(1), &[card, Move::Submit]).unwrap(), 2);
}

#[test]
fn all_people_agree_before_a_verdict_is_taken_back() {
    let mut table = table_of_people::<Eleusis>("express", 6);
    let card = table.options(Seat(1))[0];
    table.play(Seat(1), &[card]).unwrap();
    table.take_back(Seat(1), &[Seat(1)]).unwrap();
    assert_eq!(table.place(), (0, 1), "nothing is taken back yet");
    assert_eq!(table.snapshot(None, &[Seat(2)])["asks_back"], 1);
    assert!(table.answer_take_back(&[Seat(1)], true).is_err(), "the asker cannot answer");
    table.answer_take_back(&[Seat(2)], true).unwrap();
    table.answer_take_back(&[Seat(0)], true).unwrap();
    assert!(table.snapshot(None, &[Seat(2)])["asks_back"].is_null(), "that person has agreed");
    assert_eq!(table.place(), (0, 1), "one answer is missing");
    table.answer_take_back(&[Seat(3)], true).unwrap();
    assert_eq!(table.place(), (0, 0));
    table.play(Seat(1), &[card]).unwrap();
    table.take_back(Seat(1), &[Seat(1)]).unwrap();
    table.answer_take_back(&[Seat(2)], false).unwrap();
    assert!(table.answer_take_back(&[Seat(0)], true).is_err(), "it was refused");
    assert_eq!(table.place(), (0, 1));
    // Before the string is submitted, nothing has come to light.
    let mut table = table_of_people::<Eleusis>("eleusis", 6);
    let card = table.options(Seat(1))[0];
    table.play(Seat(1), &[card]).unwrap();
    table.take_back(Seat(1), &[Seat(1)]).unwrap();
    assert_eq!(table.place(), (0, 0));
}

#[test]
fn records_tell_take_backs_and_advice() {
    let mut table = table_of_people::<Leapfrog>("mini-4x4", 3);
    let all = table.people();
    let first = table.options(Seat(0))[0];
    table.play(Seat(0), &[first]).unwrap();
    table.take_back(Seat(0), &all).unwrap();
    table.request_advice(Seat(0)).unwrap();
    let advise = table.next_task().unwrap();
    advise()(&mut table);
    // Both are known after a hand is resumed.
    let mut table = Table::<Leapfrog>::resume("x", &table.unfinished().unwrap()).unwrap();
    finish(&mut table, 1);
    let line = table.record().unwrap();
    let record: <Leapfrog as Recorded>::Record = serde_json::from_str(&line).unwrap();
    assert_eq!((record.taken_back, record.advised.as_deref()), (Some(1), Some(&[0][..])));
    assert_eq!(Leapfrog::verify(&record), Ok(()));
    table.next_hand().unwrap();
    finish(&mut table, 2);
    let line = table.record().unwrap();
    assert!(!line.contains("taken_back") && !line.contains("advised"), "{line}");
}

#[test]
fn a_table_plays_whole_matches() {
    let variant = || Variant::<Leopard>::named("denexa").unwrap();
    let people = || [PERSON, "random"].map(|name| Participant::load(name).unwrap()).into();
    let mut table = Table::new(variant(), people(), 5).unwrap();
    let mut totals = [0, 0];
    let mut seeds = Vec::new();
    for hand in 0..4u32 {
        // The deal goes round: the person moves first in every other hand.
        let person = Seat((hand % 2) as u8);
        assert_eq!(table.people(), [person]);
        assert_eq!(table.seats_now(&[Seat(0)]), [person]);
        // The seed in the record deals the same cards as the first hand of a table.
        let seed = table.place.seed;
        let replayed = Table::new(variant(), people(), seed).unwrap();
        for seat in [Seat(0), Seat(1)] {
            assert_eq!(replayed.view(seat), table.view(seat));
        }
        finish(&mut table, hand.into());
        let record: <Leopard as Recorded>::Record =
            serde_json::from_str(&table.record().unwrap()).unwrap();
        assert_eq!((record.deal, record.hand, record.seed), (0, hand, seed));
        assert_eq!(record.seats[person.index()], PERSON);
        assert_eq!(Leopard::verify(&record), Ok(()));
        totals[0] += record.scores[person.index()];
        totals[1] += record.scores[1 - person.index()];
        seeds.push(seed);
        let seen = table.snapshot(Some(person), &[person]);
        assert_eq!(seen["totals"][person.index()], totals[0]);
        assert_eq!(seen["end"]["match_over"], hand == 3);
        if hand < 3 {
            // The match can be resumed between its hands.
            let kept = table.unfinished().unwrap();
            table.next_hand().unwrap();
            let resumed = Table::<Leopard>::resume("x", &kept).unwrap();
            assert_eq!((&resumed.place, resumed.people()), (&table.place, table.people()));
            assert_eq!(resumed.view(Seat(0)), table.view(Seat(0)));
        }
    }
    let winner = match totals[0].cmp(&totals[1]) {
        std::cmp::Ordering::Greater => Some(table.people()[0]),
        std::cmp::Ordering::Less => Some(Seat(1 - table.people()[0].0)),
        std::cmp::Ordering::Equal => None,
    };
    assert!(table.is_match_over());
    assert_eq!(table.totals().winner(), winner);
    assert_eq!(table.unfinished(), None, "the match is over");
    table.next_hand().unwrap();
    assert_eq!((table.place.deal, table.place.hand), (1, 0));
    assert_eq!((table.people(), table.totals()), (vec![Seat(0)], Scores::two(0, 0)));
    seeds.push(table.place.seed);
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 5, "every hand has a seed of its own");
}

#[test]
fn every_seat_of_eleusis_deals_once() {
    let mut table = table_of_people::<Eleusis>("express", 3);
    for hand in 0..4 {
        assert_eq!(table.place.hand, hand);
        finish(&mut table, u64::from(hand));
        table.next_hand().unwrap();
        assert!(table.asks_dealer, "the person at seat 0 deals");
        table.set_secret(Some("red")).unwrap();
    }
    assert_eq!((table.place.deal, table.place.hand), (1, 0));
    // A rule of one hand does not stay for the next.
    let mut table = Table::<Eleusis>::resume("x", &table.unfinished().unwrap()).unwrap();
    assert_eq!(table.view(Seat(0)).rule.unwrap().to_string(), "red");
    finish(&mut table, 9);
    table.next_hand().unwrap();
    table.set_secret(Some("black")).unwrap();
    assert_eq!(table.view(Seat(0)).rule.unwrap().to_string(), "black");
}

#[test]
fn the_seed_of_a_hand_tells_nothing_about_the_next() {
    let hands = [1, 1].map(|seed| {
        let mut table = table_of_people::<Leopard>("revised", seed);
        let first = table.view(Seat(0));
        table.resign().unwrap();
        table.next_hand().unwrap();
        (first, table.view(Seat(0)))
    });
    assert_eq!(hands[0].0, hands[1].0, "the seed deals the first hand");
    assert_ne!(hands[0].1, hands[1].1, "and no other");
}

/// Returns the names in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn each_table_has_a_file_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("hands.jsonl");
    let mut tables = Vec::new();
    for seed in 0..3 {
        // The dealer has not chosen a rule yet.
        let variant = Variant::<Eleusis>::named("express").unwrap();
        let people = (0..4).map(|_| Participant::load(PERSON).unwrap()).collect();
        let mut table = Table::new(variant, people, seed).unwrap();
        let mut files = HandFiles::open(&records, None).unwrap();
        files.save(&mut table).unwrap();
        tables.push((table, files));
    }
    let expected = ["hands.unfinished-2.json", "hands.unfinished-3.json", "hands.unfinished.json"];
    assert_eq!(names(folder.path()), expected);
    let place = folder.path().join(expected[0]);
    let error = HandFiles::open(&records, Some(&place)).err().unwrap().to_string();
    assert!(error.contains("another table plays the hand in"), "{error}");
    // The lock passes on to every new version of the file.
    let (mut table, mut files) = tables.swap_remove(1);
    table.set_secret(Some("red")).unwrap();
    files.save(&mut table).unwrap();
    assert!(HandFiles::open(&records, Some(&place)).is_err());
    drop(files);
    let files = HandFiles::open(&records, Some(&place)).unwrap();
    let resumed = Table::<Eleusis>::resume("x", &fs::read_to_string(&place).unwrap()).unwrap();
    assert_eq!(resumed.place, table.place);
    drop(files);
}

#[test]
fn only_a_file_of_records_gets_records() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str, words: &str| {
        let error = HandFiles::open(&folder.path().join(name), None).err().unwrap();
        assert!(error.to_string().contains(words), "{error}");
    };
    refused("", "it is a folder");
    refused("no/such/hands.jsonl", "there is no folder");
    let table = table_of_people::<Leopard>("revised", 1);
    let unfinished = folder.path().join("hand.json");
    fs::write(&unfinished, table.unfinished().unwrap()).unwrap();
    refused("hand.json", "it has other contents than records");
    let error = HandFiles::open(&unfinished, Some(&unfinished)).err().unwrap().to_string();
    assert!(error.contains("name another file with `--save`"), "{error}");
    assert_eq!(names(folder.path()), ["hand.json"], "nothing is written");
}

#[test]
fn a_killed_program_loses_no_record_and_writes_none_twice() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("hands.jsonl");
    // A line that another program did not finish.
    fs::write(&records, r#"{"format":1"#).unwrap();
    let refused = HandFiles::open(&records, None).err().unwrap().to_string();
    assert!(refused.contains("other contents"), "{refused}");
    fs::write(&records, "{\"format\":1}\n{\"form").unwrap();
    let mut table = table_of_people::<Leapfrog>("mini-3x3", 2);
    let mut files = HandFiles::open(&records, None).unwrap();
    files.save(&mut table).unwrap();
    let place = folder.path().join("hands.unfinished.json");
    finish(&mut table, 1);
    let end = table.saved(&table.place);
    // The program is killed before and after the record is appended.
    files.write(Some(end.clone())).unwrap();
    drop(files);
    for _ in 0..3 {
        let mut files = HandFiles::open(&records, Some(&place)).unwrap();
        let text = fs::read_to_string(&place).unwrap();
        let mut resumed = Table::<Leapfrog>::resume("x", &text).unwrap();
        assert_eq!(resumed.record(), table.record());
        files.save(&mut resumed).unwrap();
        assert!(!place.exists());
        let lines = fs::read_to_string(&records).unwrap();
        let record = table.record().unwrap();
        assert_eq!(lines.lines().collect::<Vec<_>>(), ["{\"format\":1}", "{\"form", &record]);
        fs::write(&place, &end).unwrap();
    }
}

#[test]
fn failures_to_save_are_told_and_withdrawn() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("here");
    fs::create_dir(&inner).unwrap();
    let table = table_of_people::<Leapfrog>("mini-3x3", 2);
    let moves: Vec<String> =
        table.options(Seat(0)).iter().map(|mv| table.game.notation(*mv)).collect();
    let files = HandFiles::open(&inner.join("hands.jsonl"), None).unwrap();
    let (service, _) = TableActor::start(table, files).unwrap();
    let all = [Seat(0), Seat(1)];
    let notice = || {
        let seen: serde_json::Value =
            serde_json::from_str(&service.snapshot(&all, Some(Seat(0)), None)).unwrap();
        seen["notice"].as_str().map(str::to_owned)
    };
    let play = Command::Play { seat: Seat(0), deal: 0, after: 0, moves: vec![moves[0].clone()] };
    fs::remove_dir_all(&inner).unwrap();
    service.execute(&all, Some(Seat(0)), play).unwrap();
    let told = notice().unwrap();
    assert!(told.starts_with("the hand is not saved: cannot write"), "{told}");
    // No further hand is dealt before.
    service.execute(&all, None, Command::Resign { seat: Seat(0), deal: 0 }).unwrap();
    let next = || service.execute(&all, None, Command::NextHand { deal: 0 });
    fs::create_dir(&inner).unwrap();
    for _ in 0..100 {
        if notice().is_none() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(notice(), None, "it is saved again");
    next().unwrap();
    assert_eq!(names(&inner), ["hands.unfinished.json"]);
    // A move is in the file before it is answered.
    let play = Command::Play { seat: Seat(0), deal: 1, after: 0, moves: vec![moves[1].clone()] };
    service.execute(&all, Some(Seat(0)), play).unwrap();
    let saved = fs::read_to_string(inner.join("hands.unfinished.json")).unwrap();
    assert!(saved.contains(&format!(r#""moves":["{}"]"#, moves[1])), "{saved}");
    service.close();
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
