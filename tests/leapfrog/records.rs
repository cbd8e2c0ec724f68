//! Records of Leap Frog: golden hands, and faults that the replay finds.

use std::path::PathBuf;

use parlour::chance::Seed;
use parlour::game::{Game, Label, Playthrough, Recorded, Ruled, Turn, kit};
use parlour::games::leapfrog::{FirstToLeap, Leapfrog, Record, Rules};

#[test]
fn every_variant_has_a_golden_hand() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/leapfrog");
    kit::check_golden::<Leapfrog>(&folder);
}

/// A hand of 3 × 3 plain pieces.
const TEXT: &str = r#"{"format":1,"game":"leapfrog","variant":"mini-3x3","rules":{"rows":3,"cols":3,"pieces":"original","chains":"optional","diagonal":false,"second_seat_starts":false},
"deal":0,"rotation":0,"seed":7,"seats":["greedy","random"],"board":"ooo/ooo/ooo","moves":["xb2","xa1","c1-a1","c3-c1","a3-c3","a1-a3"],"scores":[3,3],"winner":null}"#;

fn record() -> Record {
    serde_json::from_str(TEXT).unwrap()
}

fn fault(change: impl FnOnce(&mut Record)) -> String {
    let mut record = record();
    change(&mut record);
    Leapfrog::verify(&record).unwrap_err().to_string()
}

#[test]
fn a_correct_record_is_accepted() {
    let mut record = record();
    println!("{}", Leapfrog::show(&record).unwrap());
    assert_eq!(Leapfrog::verify(&record), Ok(()));
    record.variant = "mine".to_owned();
    assert_eq!(Leapfrog::verify(&record), Ok(()), "a variant may have any name");
}

#[test]
fn faults_of_the_header_are_found() {
    assert_eq!(fault(|r| r.format = 2), "format: this program reads format 1, not 2");
    assert_eq!(
        fault(|r| r.game = "leopard".into()),
        "game: this is a record of \"leopard\", not of `leapfrog`"
    );
    assert_eq!(fault(|r| drop(r.seats.pop())), "seats: there are 2 seats; 1 are named");
    assert_eq!(fault(|r| r.rules.rows = 0), "rules: `rows` is 0; it must be from 1 to 18");
    let named = "rules: in the variant `mini-3x3`, `rows` is 3";
    assert_eq!(fault(|r| r.rules.rows = 4), named);
    assert_eq!(fault(|r| r.hand = 1), "hand: a match has hands 0 to 0; there is no hand 1");
    assert_eq!(fault(|r| r.rotation = 2), "rotation: 2 seats have rotations 0 to 1, not 2");
    // Rules with an unregistered name may be anything.
    let fault = |change: fn(&mut Record)| {
        fault(|r| {
            r.variant = "mine".to_owned();
            change(r);
        })
    };
    assert!(fault(|r| r.rules.rows = 4).starts_with("board: the board has 3 rows"));
    assert!(
        fault(|r| r.board = "ooo/oooo/ooo".into()).contains("row 2 of the board, `oooo`, has 4")
    );
    assert!(fault(|r| r.board = "ooo/o.o/ooo".into()).starts_with("board: b2 is empty"));
    assert!(fault(|r| r.board = "ooo/owo/ooo".into()).starts_with("board: `w` on b2"));
    assert!(
        fault(|r| {
            r.rules = Rules::murray(3, 3);
            r.board = "www/www/www".into();
        })
        .starts_with("board: it has 0 green pieces; the rules need 1")
    );
}

#[test]
fn illegal_moves_are_found() {
    let second = |text: &str| fault(|r| r.moves[1] = text.to_owned());
    assert_eq!(second("xb2"), "move 2: `xb2`: b2 is empty");
    assert!(second("xd1").starts_with("move 2: `xd1`: d1 is not on a board of 3 rows"));
    assert!(second("xz9").starts_with("move 2: `xz9`: `z9` is not a cell"));
    assert!(second("a1-c1").ends_with("the next move must be a first capture, such as `xe5`"));
    let third = |text: &str| fault(|r| r.moves[2] = text.to_owned());
    assert!(third("xc1").ends_with("the next move must be a chain, such as `e5-g5-g7`"));
    assert_eq!(third("a1-c1"), "move 3: `a1-c1`: there is no piece on a1");
    assert_eq!(third("a3-c1"), "move 3: `a3-c1`: a3 and c1 are not a leap apart");
    assert_eq!(third("a3-c3"), "move 3: `a3-c3`: there is a piece on c3");
    assert_eq!(third("b1-b3"), "move 3: `b1-b3`: there is no piece between b1 and b3 to leap over");
    assert_eq!(
        third("c1-a1-c1"),
        "move 3: `c1-a1-c1`: there is no piece between a1 and c1 to leap over"
    );
    for text in ["", "-", "c1", "c1-", "c1--a1", "c1-a1-", "C1-a1", "stop", "é-a1"] {
        assert!(third(text).starts_with("move 3: "), "{text}");
    }
    assert!(third(&"c1-a1".repeat(100_000)).len() < 300, "a long text is cut");
}

#[test]
fn chains_by_any_path_are_accepted_unless_leaps_are_single() {
    let mut record = record();
    record.moves[2] = "c1-a1-a3".to_owned();
    assert!(Leapfrog::verify(&record).unwrap_err().to_string().contains("there is a piece on a3"));
    assert!(
        fault(|r| {
            r.variant = "mine".to_owned();
            r.rules.chains = parlour::games::leapfrog::Chains::Single;
            r.moves[2] = "c1-a1-a3".to_owned();
        })
        .contains("one leap per turn")
    );
}

/// The hand with the second seat to leap first, by lot or by choice.
fn second_leaps_first(first_to_leap: FirstToLeap) -> Record {
    let mut record = record();
    record.variant = "mine".to_owned();
    record.rules.first_to_leap = first_to_leap;
    if first_to_leap == FirstToLeap::Lot {
        record.lot = Some(1);
    } else {
        record.moves.insert(2, "first 1".to_owned());
    }
    record
}

#[test]
fn a_forged_lot_is_refused() {
    let record = second_leaps_first(FirstToLeap::Lot);
    assert_eq!(Leapfrog::verify(&record), Ok(()));
    assert!(Leapfrog::show(&record).unwrap().contains("seat 1 leaps first by lot"));
    assert!(serde_json::to_string(&record).unwrap().contains(r#""lot":1"#));
    let fault = |change: fn(&mut Record)| {
        let mut record = record.clone();
        change(&mut record);
        Leapfrog::verify(&record).unwrap_err().to_string()
    };
    for lot in [fault(|r| r.lot = None), fault(|r| r.lot = Some(2))] {
        assert_eq!(lot, "lot: no seat leaps first by lot");
    }
    let numbered = fault(|r| r.rules.first_to_leap = FirstToLeap::Seat(1));
    assert_eq!(numbered, "lot: no lot was drawn in this hand");
    // The other lot gives the chains to other seats.
    let rules = Rules { first_to_leap: FirstToLeap::Lot, ..Rules::murray(4, 4) };
    let game = Leapfrog::new(&rules).unwrap();
    let mut refused = 0;
    for deal in 0..50 {
        let mut hand = Playthrough::new(&game, Seed::new(deal).stream());
        let mut chance = Seed::new(deal + 100).stream();
        while let Turn::Seat(seat) = hand.turn(&game) {
            let mv = game.sample(&hand.state, &mut chance);
            hand.apply(&game, seat, mv);
        }
        let moves: Vec<_> = hand.moves().iter().map(|&(_, mv)| mv).collect();
        let seats = vec!["random".to_owned(); 2];
        let label =
            Label { variant: "mine".to_owned(), deal, hand: 0, rotation: 0, seed: 1, seats };
        let mut record = game.record(&label, Seed::new(deal).stream(), &moves, &hand.state);
        assert_eq!(Leapfrog::verify(&record), Ok(()));
        record.lot = record.lot.map(|seat| 1 - seat);
        refused += u32::from(Leapfrog::verify(&record).is_err());
    }
    assert!(refused > 40, "{refused}");
}

#[test]
fn a_forged_choice_is_refused() {
    let record = second_leaps_first(FirstToLeap::LastChooses);
    assert_eq!(Leapfrog::verify(&record), Ok(()));
    assert!(Leapfrog::show(&record).unwrap().contains("seat 1 (random) first 1"));
    let second = |text: &str| {
        let mut record = record.clone();
        record.moves[2] = text.to_owned();
        Leapfrog::verify(&record).unwrap_err().to_string()
    };
    for text in ["first 2", "first", "first 01", "first 1 ", "xa3", "stop", ""] {
        assert!(
            second(text).ends_with("the next move must be a choice, such as `first 1`"),
            "{text}"
        );
    }
    let mut early = record.clone();
    early.moves.swap(1, 2);
    assert!(Leapfrog::verify(&early).unwrap_err().to_string().contains("must be a first capture"));
    let mut without = record;
    without.rules.first_to_leap = FirstToLeap::Seat(1);
    assert!(Leapfrog::verify(&without).unwrap_err().to_string().starts_with("move 3: `first 1`"));
}

#[test]
fn missing_and_extra_moves_are_found() {
    assert!(fault(|r| drop(r.moves.pop())).starts_with("move 6: the hand is not over"));
    assert_eq!(
        fault(|r| r.moves.push("c3-a3".into())),
        "move 7: `c3-a3`: the hand is over; no capture is left"
    );
    assert_eq!(fault(|r| r.scores[1] = 4), "scores: the points are [3, 3], not [3, 4]");
    assert_eq!(fault(|r| r.scores.truncate(1)), "scores: the points are [3, 3], not [3]");
    assert_eq!(fault(|r| r.winner = Some(0)), "winner: with the points [3, 3] it is null, not 0");
    let absent = TEXT.replace(",\"winner\":null", "");
    assert!(serde_json::from_str::<Record>(&absent).is_err(), "an absent winner is not a draw");
}
