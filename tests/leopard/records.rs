//! Records of Leopard hands: written, read, verified, shown; wrong ones refused.

use parlour::chance::{Seed, Stream};
use parlour::game::{Game, Label, Recorded, Ruled, Turn, kit};
use parlour::games::leopard::{
    BonusWhen, Covers, KnockWindow, Leopard, Move, Patch, Plays, Record, Rules, TurnRecord,
};
use smallvec::smallvec;

/// A custom variant, by the fields that it changes.
fn custom(base: &str, patch: Patch) -> Leopard {
    let base = Leopard::preset(base).unwrap();
    Leopard::new(&Leopard::patched(&base, &patch)).unwrap()
}

fn customs() -> Vec<Leopard> {
    let none = Patch::default;
    vec![
        custom("original", Patch { face_down_covers: Some(Covers::Any), ..none() }),
        custom("original", Patch { draw: Some(3), hand_size: Some(1), ..none() }),
        custom("running-revised", Patch { hand_size: Some(52), ..none() }),
        custom(
            "running-original",
            Patch { knock_at: Some(1), knock_window: Some(KnockWindow::AnyTime), ..none() },
        ),
        custom("denexa", Patch { plays: Some(Plays::Many), draw: Some(4), ..none() }),
        custom("revised", Patch { knock_at: Some(255), ..none() }),
        custom("original", Patch { bonus_when: Some(BonusWhen::Always), ..none() }),
    ]
}

/// A random hand, of the variants and the customs in turn.
fn hand(number: u64) -> Record {
    let presets = Leopard::presets();
    let customs = customs();
    let which = number as usize % (presets.len() + customs.len());
    let (name, game) = match presets.get(which) {
        Some(preset) => (preset.name, Leopard::new(&preset.rules).unwrap()),
        None => ("custom", customs[which - presets.len()].clone()),
    };
    play(&game, name, number)
}

fn play(game: &Leopard, variant: &str, number: u64) -> Record {
    play_with(game, variant, number, true)
}

/// A random hand; if it has no knocks, seats decline them.
fn play_with(game: &Leopard, variant: &str, number: u64, knocks: bool) -> Record {
    let start = Seed::new(number).stream();
    let (mut chance, mut choice) = (start.clone(), Seed::new(number).child(1).stream());
    let mut state = game.deal(&mut chance);
    let mut moves = Vec::new();
    while game.turn(&state) != Turn::Over {
        let mv = game.sample(&state, &mut choice);
        // A legal knock is never the only move.
        if knocks || mv != Move::Knock {
            game.apply(&mut state, mv, &mut chance);
            moves.push(mv);
        }
    }
    let seats = vec!["left".to_owned(), "right".to_owned()];
    let label = Label { variant: variant.into(), deal: 3, hand: 0, rotation: 1, seed: 9, seats };
    let record = game.record(&label, start, &moves, &state);
    let scores: Vec<i64> = game.scores(&state).0.iter().map(|&s| i64::from(s)).collect();
    assert_eq!(record.scores, scores, "the record ends as the hand did");
    record
}

/// The place named by the refusal.
fn refused(record: &Record) -> String {
    let fault = Leopard::verify(record).expect_err("the record is wrong");
    let part = fault.place.part.clone().expect("it names a part");
    let message = fault.to_string();
    assert!((part.len() + 3..2000).contains(&message.len()), "{message}");
    part
}

#[test]
fn every_variant_writes_and_reads_its_hands() {
    for preset in Leopard::presets() {
        kit::check_records(&Leopard::new(&preset.rules).unwrap(), preset.name, 300);
    }
    for game in customs() {
        kit::check_records(&game, "custom", 100);
    }
}

#[test]
fn cards_stand_in_the_order_drawn() {
    let record = play(&custom("running-revised", Patch::default()), "running-revised", 4);
    let mut stream = Seed::new(4).stream();
    let mut stock = parlour::cards::Pile::TWO_DECKS;
    let dealt = record.dealt.iter().flatten().copied().collect::<Vec<_>>();
    let drawn: Vec<_> = (0..16).map(|n| stock.draw(104 - n, &mut stream)).collect();
    assert_eq!(dealt, drawn, "the first seat's hand, then the second's");
    let first: Vec<_> = (16..18).map(|n| stock.draw(104 - n, &mut stream)).collect();
    assert_eq!(record.turns[0].drew[..], first[..]);
}

#[test]
fn running_ends_of_turns_are_not_written_and_a_seat_passed_over_has_no_turn() {
    let game = custom("running-original", Patch { knock_at: Some(1), ..Patch::default() });
    let (mut declined, mut passed, mut many) = (0, 0, 0);
    for number in 0..400 {
        let record = play_with(&game, "custom", number, false);
        assert!(record.turns.iter().all(|turn| !turn.acts.contains(&"end".into())));
        declined += record.turns.iter().filter(|turn| turn.acts.is_empty()).count();
        many += record.turns.iter().filter(|turn| turn.acts.len() > 1).count();
        passed += record.turns.windows(2).filter(|two| two[0].seat == two[1].seat).count();
        assert_eq!(Leopard::verify(&record), Ok(()));
    }
    assert!(declined > 10 && passed > 10 && many > 1000, "{declined} {passed} {many}");
}

#[test]
fn keys_may_be_added_and_may_come_in_any_order() {
    let record = hand(0);
    let text = serde_json::to_string(&record).unwrap();
    let added = text.replacen("{\"format\"", "{\"note\":[1],\"format\"", 1).replacen(
        "\"drew\"",
        "\"think\":1.5,\"drew\"",
        1,
    );
    assert_ne!(text, added);
    assert_eq!(serde_json::from_str::<Record>(&added).unwrap(), record);
    let sorted: std::collections::BTreeMap<String, serde_json::Value> =
        serde_json::from_str(&text).unwrap();
    let sorted = serde_json::to_string(&sorted).unwrap();
    assert_eq!(serde_json::from_str::<Record>(&sorted).unwrap(), record);
}

#[test]
fn a_missing_winner_is_not_a_draw() {
    let text = serde_json::to_string(&hand(0)).unwrap();
    let cut = text.rfind(",\"winner\"").unwrap();
    assert!(serde_json::from_str::<Record>(&format!("{}}}", &text[..cut])).is_err());
}

/// The example of the format's description, with its hands filled in.
const EXAMPLE: &str = r#"
{"format":1,"game":"leopard","variant":"revised","rules":{"suit_line":3,"color_line":1,"knock_at":7,"bonus_over":7,"bonus_when":"no_knock","knock_penalty":1,"draw":1,"plays":"one","hand_size":8,"face_down_covers":"face_up","knock_window":"before_play","hands_per_match":1},
 "deal":17,"hand":0,"rotation":1,"seed":1963,"seats":["steady","greedy"],
 "dealt":[["AS","7H","4S","5S","2S","3H","8S","JS"],["TC","TH","9C","2D","KD","QH","QD","AH"]],
 "turns":[
  {"seat":0,"drew":["TS"],"acts":["AS o1"]},{"seat":1,"drew":["2C"],"acts":["2C x2"]},
  {"seat":0,"drew":["KS"],"acts":["JS o2"]},{"seat":1,"drew":["9H"],"acts":["KD -"]},
  {"seat":0,"drew":["3S"],"acts":["2S o2"]},{"seat":1,"drew":["6H"],"acts":["6H -"]},
  {"seat":0,"drew":["9S"],"acts":["3S o3"]},{"seat":1,"drew":["7C"],"acts":["7C -"]},
  {"seat":0,"drew":["6D"],"acts":["5S o5"]},{"seat":1,"drew":["8H"],"acts":["8H -"]},
  {"seat":0,"drew":["6C"],"acts":["9S o9"]},{"seat":1,"drew":["KC"],"acts":["KC o9"]},
  {"seat":0,"drew":["6S"],"acts":["8S o8"]},{"seat":1,"drew":["4D"],"acts":["4D -"]},
  {"seat":0,"drew":["AD"],"acts":["knock"]}],
 "values":[9,0],"scores":[8,0],"winner":0}"#;

fn example() -> Record {
    serde_json::from_str(EXAMPLE).unwrap()
}

#[test]
fn a_record_written_by_hand_is_verified() {
    assert_eq!(Leopard::verify(&example()), Ok(()));
    let text = Leopard::show(&example()).unwrap();
    assert!(text.contains("seat 0, steady, wins."), "{text}");
    assert!(!text.contains("wrong"), "{text}");
}

#[test]
fn a_wrong_result_is_shown_with_a_remark() {
    let mut record = example();
    record.scores[0] = 9;
    let text = Leopard::show(&record).unwrap();
    assert!(text.contains("The record is wrong: scores: "), "{text}");
}

/// Changes the example and checks the place and the words of the refusal.
fn edited(edit: impl FnOnce(&mut Record)) -> String {
    let mut record = example();
    edit(&mut record);
    Leopard::verify(&record).expect_err("the record is wrong").to_string()
}

#[test]
fn the_head_is_checked() {
    let starts = |text: String, start: &str| assert!(text.starts_with(start), "{text}");
    starts(edited(|r| r.format = 2), "format: this program reads format 1, not 2");
    starts(edited(|r| r.game = "go".into()), "game: ");
    starts(edited(|r| r.rules.draw = 5), "rules: `draw` is 5; it must be from 1 to 4");
    starts(edited(|r| r.rules.knock_at = 6), "rules: in the variant `revised`, `knock_at` is 7");
    starts(edited(|r| r.hand = 1), "hand: ");
    starts(edited(|r| r.rotation = 2), "rotation: ");
    starts(edited(|r| r.seats.clear()), "seats: ");
    starts(edited(|r| r.seats.push("third".into())), "seats: ");
    starts(edited(|r| r.dealt.clear()), "dealt: ");
    starts(edited(|r| r.dealt[1].truncate(7)), "dealt, seat 1: a hand has 8 cards, not 7");
    starts(
        edited(|r| r.dealt[1] = vec!["AS".parse().unwrap(); 8]),
        "dealt, seat 1: `AS` is dealt more often",
    );
}

#[test]
fn a_name_that_is_not_registered_may_have_any_rules() {
    let mut record = example();
    record.variant = "revised-6".into();
    record.rules.knock_at = 6;
    assert_eq!(Leopard::verify(&record), Ok(()));
}

#[test]
fn the_turns_are_checked() {
    let starts = |text: String, start: &str| assert!(text.starts_with(start), "{text}");
    starts(edited(|r| r.turns.clear()), "turn 1: the hand is not over");
    starts(edited(|r| r.turns[0].seat = 1), "turn 1: it is the turn of seat 0, not of seat 1");
    starts(edited(|r| r.turns[2].drew.clear()), "turn 3: `drew` has 0 cards");
    starts(
        edited(|r| r.turns[2].drew = smallvec!["5C".parse().unwrap(); 2]),
        "turn 3: `drew` has 2 cards; the stock held 86, so that seat 0 draws 1",
    );
    starts(
        edited(|r| r.turns[7].drew = smallvec!["TC".parse().unwrap()]),
        "turn 8, act 1: seat 1 does not hold 7C",
    );
    starts(
        edited(|r| {
            r.turns[10].drew = smallvec!["AS".parse().unwrap()];
            r.turns[14].drew = smallvec!["AS".parse().unwrap()];
        }),
        "turn 15: `AS` is drawn more often",
    );
    starts(edited(|r| r.turns[0].acts.clear()), "turn 1: seat 0 holds 9 cards and did nothing");
    starts(
        edited(|r| r.turns[0].acts.push("7H o7".into())),
        "turn 1, act 2: the turn ended with act 1",
    );
    starts(
        edited(|r| {
            let last = r.turns[1].clone();
            r.turns.push(last);
        }),
        "turn 16: the hand ended with turn 15, by the knock of seat 0",
    );
    starts(edited(|r| drop(r.turns.pop())), "turn 15: the hand is not over after turn 14");
}

#[test]
fn the_acts_are_checked() {
    let act = |turn: usize, act: &str| {
        let text = edited(|r| r.turns[turn - 1].acts = smallvec![act.into()]);
        let at = format!("turn {turn}, act 1: ");
        text.strip_prefix(&at).unwrap_or_else(|| panic!("{text}")).to_owned()
    };
    let holds = |text: String, part: &str| assert!(text.contains(part), "{text}");
    holds(act(1, "gibberish"), "is not a move");
    holds(act(1, "end"), "leave `end` out");
    holds(act(1, "1S o1"), "is not a card");
    holds(act(1, "KS o1"), "does not hold KS");
    holds(act(1, "knock"), "a knock needs a square worth 7; that of seat 0 is worth 0");
    holds(act(1, "JS o1"), "covers a face-up card, and cell 1 is open");
    holds(act(1, "AS o2"), "AS goes on cell 1 only; with AS: `AS o1`, `AS x1`, `AS -`");
    holds(act(2, "AH x1"), "cell 1 is not open");
    holds(act(2, "TC x4"), "own square only");
}

#[test]
fn hostile_records_do_not_panic() {
    let mut record = example();
    record.dealt = vec![Vec::new(); 200_000];
    assert_eq!(refused(&record), "dealt");
    let mut record = example();
    record.turns = vec![TurnRecord { seat: 255, drew: smallvec![], acts: smallvec![] }; 200_000];
    assert_eq!(refused(&record), "turn 1");
    let mut record = example();
    record.turns[0].acts = smallvec!["é".repeat(1000).as_str().into(); 100_000];
    assert_eq!(refused(&record), "turn 1, act 1");
    let mut record = example();
    record.turns[0].drew = smallvec!["AS".parse().unwrap(); 100_000];
    assert_eq!(refused(&record), "turn 1");
    let mut record = example();
    record.values = vec![i64::MIN; 100_000];
    assert_eq!(refused(&record), "values");
    let mut record = example();
    record.scores = vec![i64::MAX, i64::MIN];
    assert_eq!(refused(&record), "scores");
    let mut record = example();
    record.rules.hand_size = 0;
    assert_eq!(refused(&record), "rules");
    assert!(Leopard::show(&record).is_err());
    let mut record = example();
    record.game = "é".repeat(1_000_000);
    assert_eq!(refused(&record), "game");
    let mut record = example();
    (record.hand, record.rotation, record.deal) = (u32::MAX, u32::MAX, u64::MAX);
    assert_eq!(refused(&record), "hand");
    assert!(Leopard::show(&record).is_err());
}

/// The stream of 400 cases of the property with this name: the same in every run.
fn cases(name: &str) -> impl Iterator<Item = Stream> {
    let seed = Seed::new(1).named(name);
    (0..400).map(move |case| seed.child(case).stream())
}

#[test]
fn a_result_off_by_one_is_refused() {
    for mut chance in cases("a_result_off_by_one_is_refused") {
        let number = chance.bits();
        let seat = chance.below(2) as usize;
        let up = chance.below(2) == 1;
        let step = if up { 1 } else { -1 };
        let mut record = hand(number);
        record.scores[seat] += step;
        assert_eq!(refused(&record), "scores");
        let mut record = hand(number);
        record.values[seat] += step;
        assert_eq!(refused(&record), "values");
        for winner in [None, Some(0), Some(1), Some(2)] {
            let mut record = hand(number);
            if record.winner != winner {
                record.winner = winner;
                assert_eq!(refused(&record), "winner");
            }
        }
    }
}

#[test]
fn a_turn_dropped_doubled_or_of_the_wrong_seat_is_refused() {
    for mut chance in cases("a_turn_dropped_doubled_or_of_the_wrong_seat_is_refused") {
        let number = chance.bits();
        let record = hand(number);
        let index = chance.below(record.turns.len() as u32) as usize;
        let mut wrong = record.clone();
        wrong.turns[index].seat ^= 1;
        assert_eq!(refused(&wrong), format!("turn {}", index + 1));
        // If the other seat is passed over, the turns of one seat follow each other, and one of
        // them may be missing without a trace.
        if record.turns.get(index + 1).is_none_or(|next| next.seat != record.turns[index].seat) {
            let mut wrong = record.clone();
            wrong.turns.remove(index);
            assert_eq!(refused(&wrong), format!("turn {}", index + 1));
        }
        let mut wrong = record.clone();
        let turn = wrong.turns[index].clone();
        wrong.turns.push(turn);
        assert_eq!(refused(&wrong), format!("turn {}", record.turns.len() + 1));
    }
}

#[test]
fn a_wrong_draw_is_refused() {
    for mut chance in cases("a_wrong_draw_is_refused") {
        let number = chance.bits();
        let index = chance.below(52) as u8;
        let record = hand(number);
        let turn = chance.below(record.turns.len() as u32) as usize;
        let card = parlour::cards::Card::from_index(index);
        let mut wrong = record.clone();
        wrong.turns[turn].drew.push(card);
        assert_eq!(refused(&wrong), format!("turn {}", turn + 1));
        let mut wrong = record.clone();
        if wrong.turns[turn].drew.pop().is_some() {
            assert_eq!(refused(&wrong), format!("turn {}", turn + 1));
        }
        // A card of which both copies are out already.
        let out: parlour::cards::Pile = {
            let dealt = record.dealt.iter().flatten();
            let before = record.turns[..turn].iter().flat_map(|t| &t.drew);
            dealt.chain(before).copied().collect()
        };
        let gone = out.doubled().next();
        if let (Some(gone), false) = (gone, record.turns[turn].drew.is_empty()) {
            let mut wrong = record.clone();
            wrong.turns[turn].drew[0] = gone;
            assert_eq!(refused(&wrong), format!("turn {}", turn + 1));
        }
    }
}

#[test]
fn an_act_with_a_card_that_is_not_held_is_refused() {
    for mut chance in cases("an_act_with_a_card_that_is_not_held_is_refused") {
        let number = chance.bits();
        let from = chance.below(52) as u8;
        let record = hand(number);
        let turn = chance.below(record.turns.len() as u32) as usize;
        let seat = record.turns[turn].seat;
        if record.turns[turn].acts.is_empty() {
            continue;
        }
        // A card that the seat never had.
        let own = |t: &&TurnRecord| t.seat == seat;
        let drew = record.turns[..=turn].iter().filter(own).flat_map(|t| &t.drew);
        let had: Vec<_> = record.dealt[usize::from(seat)].iter().chain(drew).collect();
        let never = (0..52u8).map(|i| parlour::cards::Card::from_index((from + i) % 52));
        if let Some(card) = never.into_iter().find(|card| !had.contains(&card)) {
            let mut wrong = record.clone();
            wrong.turns[turn].acts[0] = Move::Discard(card).to_string();
            assert_eq!(refused(&wrong), format!("turn {}, act 1", turn + 1));
        }
    }
}

#[test]
fn acts_that_do_not_end_their_turn_right_are_refused() {
    for mut chance in cases("acts_that_do_not_end_their_turn_right_are_refused") {
        let number = chance.bits();
        let record = hand(number);
        let turn = chance.below(record.turns.len() as u32) as usize;
        let acts = record.turns[turn].acts.clone();
        let mut wrong = record.clone();
        wrong.turns[turn].acts.push("gibberish".into());
        assert_eq!(refused(&wrong), format!("turn {}, act {}", turn + 1, acts.len() + 1));
        if let Some(last) = acts.last() {
            // The same act again: the card is gone, or the turn is over.
            let copies =
                record.dealt.iter().flatten().chain(record.turns.iter().flat_map(|t| &t.drew));
            let card = last.to_string().parse().ok().and_then(Move::card);
            if copies.filter(|c| Some(**c) == card).count() < 2 || record.rules.plays == Plays::One
            {
                let mut wrong = record.clone();
                wrong.turns[turn].acts.push(last.clone());
                assert_eq!(refused(&wrong), format!("turn {}, act {}", turn + 1, acts.len() + 1));
            }
            let mut wrong = record.clone();
            wrong.turns[turn].acts.clear();
            assert!(refused(&wrong).starts_with("turn "));
        }
    }
}

#[test]
fn the_rules_of_a_named_variant_are_its_own() {
    for mut chance in cases("the_rules_of_a_named_variant_are_its_own") {
        let number = chance.bits();
        let record = hand(number);
        if record.variant == "custom" {
            continue;
        }
        let mut wrong = record.clone();
        wrong.rules.knock_penalty += 1;
        assert_eq!(refused(&wrong), "rules");
        let mut wrong = record;
        wrong.rules = Rules { hand_size: wrong.rules.hand_size + 1, ..wrong.rules };
        assert_eq!(refused(&wrong), "rules");
    }
}
