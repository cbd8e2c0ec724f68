//! The named variants, custom rules, matches.

use parlour::game::{Game, Ruled};
use parlour::games::leopard::{
    BonusWhen, Covers, DeckCards, KnockWindow, Leopard, Patch, Plays, Rules, SquaresOn,
};

use super::table::preset;

#[test]
fn six_variants_are_named() {
    let mut names: Vec<_> = Leopard::presets().iter().map(|preset| preset.name).collect();
    names.sort_unstable();
    let expected =
        ["denexa", "original", "original-bonus", "revised", "running-original", "running-revised"];
    assert_eq!(names, expected);
    assert!(Leopard::preset("sabotage").is_none());
}

/// suit_line, color_line, knock_at, bonus_over, bonus_when, knock_penalty, draw, plays,
/// hands_per_match.
type Row = (u8, u8, u8, u8, BonusWhen, u8, u8, Plays, u8);

fn check(name: &str, row: Row) {
    let rules = Rules {
        suit_line: row.0,
        color_line: row.1,
        knock_at: row.2,
        bonus_over: row.3,
        bonus_when: row.4,
        knock_penalty: row.5,
        draw: row.6,
        plays: row.7,
        hands_per_match: row.8,
        hand_size: 8,
        face_down_covers: Covers::FaceUp,
        jacks_on: SquaresOn::Both,
        queens_on: SquaresOn::Own,
        knock_window: KnockWindow::BeforePlay,
        deck: DeckCards::TwoPacks,
    };
    assert_eq!(preset(name), rules, "{name}");
}

use BonusWhen::{Always, NoKnock};
use Plays::{Many, One};

#[test]
fn variant_original() {
    check("original", (2, 1, 5, 5, NoKnock, 1, 1, One, 1));
}

#[test]
fn variant_revised() {
    check("revised", (3, 1, 7, 7, NoKnock, 1, 1, One, 1));
}

#[test]
fn variant_running_original() {
    check("running-original", (2, 1, 5, 5, NoKnock, 1, 2, Many, 1));
}

#[test]
fn variant_running_revised() {
    check("running-revised", (3, 1, 7, 7, NoKnock, 1, 2, Many, 1));
}

#[test]
fn variant_denexa() {
    check("denexa", (3, 1, 7, 7, Always, 1, 1, One, 4));
    assert_eq!(Leopard::new(&preset("denexa")).unwrap().hands_per_match(), 4);
}

#[test]
fn variant_original_bonus() {
    check("original-bonus", (2, 1, 5, 5, Always, 1, 1, One, 1));
}

#[test]
fn rules_are_written_with_the_words_of_the_format() {
    let text = r#"{"suit_line":3,"color_line":1,"knock_at":7,"bonus_over":7,"bonus_when":"no_knock","knock_penalty":1,"draw":1,"plays":"one","hand_size":8,"face_down_covers":"face_up","jacks_on":"both","queens_on":"own","knock_window":"before_play","hands_per_match":1,"deck":"two_packs"}"#;
    assert_eq!(serde_json::to_string(&Rules::REVISED).unwrap(), text);
    let words: Patch = serde_json::from_str(
        r#"{"bonus_when":"always","plays":"many","face_down_covers":"any","knock_window":"any_time"}"#,
    )
    .unwrap();
    let rules = Leopard::patched(&Rules::REVISED, &words);
    assert_eq!((rules.bonus_when, rules.plays), (Always, Many));
    assert_eq!(rules.face_down_covers, Covers::Any);
    assert_eq!(rules.knock_window, KnockWindow::AnyTime);
}

#[test]
fn a_custom_rules_file_sets_any_field_on_top_of_a_base() {
    let patch: Patch = serde_json::from_str(r#"{"knock_at":8,"hand_size":5}"#).unwrap();
    let rules = Leopard::patched(&preset("revised"), &patch);
    assert_eq!(rules, Rules { knock_at: 8, hand_size: 5, ..Rules::REVISED });
}

#[test]
fn rules_out_of_range_are_refused_all_at_once() {
    let rules = Rules { draw: 0, hand_size: 53, hands_per_match: 0, ..Rules::REVISED };
    assert_eq!(Leopard::new(&rules).unwrap_err().faults().len(), 3);
    assert!(Leopard::new(&Rules { draw: 4, hand_size: 52, ..Rules::REVISED }).is_ok());
    assert!(Leopard::new(&Rules { draw: 5, ..Rules::REVISED }).is_err());
}
