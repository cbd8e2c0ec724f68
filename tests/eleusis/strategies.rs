//! Every strategy, used through the library.

use parlour::chance::Seed;
use parlour::files::{Library, Origin, SourceFile};
use parlour::game::{Observation, Ruled, Seat, kit};
use parlour::games::eleusis::bots::Kind;
use parlour::games::eleusis::{Eleusis, Rules};
use parlour::strategy::{Advice, Spec, Strategic, Strategy};

fn specs() -> Vec<(String, Spec<Kind>)> {
    let shelf = Library::strategies("eleusis").embedded_only();
    let load = |name: &String| {
        let spec = Strategy::<Eleusis>::load(&shelf, name).unwrap().spec;
        (name.clone(), spec)
    };
    shelf.names().iter().map(load).collect()
}

fn read(text: &str) -> parlour::error::Result<Strategy<Eleusis>> {
    Strategy::read(&SourceFile::new("x", Origin::Embedded, text.to_owned()))
}

/// Two states with the same view get the same move, and the move is legal.
#[test]
fn no_strategy_depends_on_hidden_information() {
    for (name, spec) in specs() {
        for preset in ["eleusis", "express"] {
            // Few cards, so that all stages of a hand occur soon.
            let base = Eleusis::preset(preset).unwrap();
            let seats = if base.express { 3 } else { 4 };
            let rules =
                Rules { seats, hand_size: 4, decks_added_max: 0, string_max: Some(1), ..base };
            let game = Eleusis::new(&rules).unwrap();
            println!("{name} {preset}");
            kit::check_invariance(&game, 1, || game.bot(&spec));
        }
    }
}

#[test]
fn a_fixed_dealer_deals_its_rule_and_the_cards_of_any_other() {
    let fixed = read(r#"{"kind": "random", "dealer": "fixed:same-suit"}"#).unwrap().spec;
    let same = read(r#"{"kind": "random", "dealer": "fixed:last.suit == suit"}"#).unwrap().spec;
    assert_eq!(fixed, same, "a corpus rule by its text");
    let game = Eleusis::new(&Rules::ELEUSIS).unwrap();
    let mut chance = Seed::new(1).stream();
    let wish = game.bot(&fixed).choose_setup(&game, &mut chance);
    let dealt =
        parlour::game::SecretSetup::deal_with_setup(&game, wish, &mut Seed::new(5).stream());
    let usual = parlour::game::Game::deal(&game, &mut Seed::new(5).stream());
    assert_eq!(dealt.rule.to_string(), "suit == last.suit");
    assert_ne!(usual.rule, dealt.rule);
    let seats = (0..5).map(parlour::game::Seat);
    seats.for_each(|seat| assert_eq!(dealt.hand(seat), usual.hand(seat)));
}

#[test]
fn advice_names_the_likeliest_rules_and_the_reason() {
    let game = Eleusis::new(&Rules::ELEUSIS).unwrap();
    let state = parlour::game::Game::deal(&game, &mut Seed::new(5).stream());
    let view = parlour::game::Game::view(&game, &state, Seat(1));
    let advice = |strategy: &str| {
        let strategy = read(strategy).unwrap();
        let observation = Observation { view: &view, past: &[] };
        Advice::of(&game, &strategy, Seat(1), observation, Seed::new(1)).unwrap()
    };
    for kind in ["bayes", "cautious"] {
        let advice = advice(&format!(r#"{{"kind": "{kind}"}}"#));
        let said = advice.in_words();
        let named = &advice.beliefs[0];
        assert!(
            said.contains(&format!("It believes `{}` {:.0} %", named.what, 100.0 * named.share)),
            "{said}"
        );
        assert!(said.contains(&format!("plays {}, ", advice.best)), "{said}");
        assert!(said.contains(" % likely to be right, "), "{said}");
        assert!(said.contains(" because "), "{said}");
        let known: f64 = advice.beliefs.iter().map(|belief| belief.share).sum();
        assert!(known + advice.unknown.unwrap_or(0.0) <= 1.0 + 1e-9, "{advice:?}");
        assert!(advice.beliefs.is_sorted_by(|a, b| a.share >= b.share));
    }
    let none = advice(r#"{"kind": "random"}"#);
    assert!(none.beliefs.is_empty() && none.reasons.is_none(), "it has no belief");
}

#[test]
fn wrong_dealers_and_fields_are_refused() {
    let refused = |text: &str, words: &[&str]| {
        let said = read(text).unwrap_err().to_string();
        words.iter().for_each(|word| assert!(said.contains(word), "`{word}` is not in: {said}"));
    };
    refused(r#"{"kind": "random", "dealer": "random"}"#, &["dealer", "random-rule"]);
    refused(r#"{"kind": "random", "dealer": "fixed:same-sut"}"#, &["same-suit"]);
    refused(r#"{"kind": "random", "dealer": "fixed:rank == 3 and red"}"#, &["secret"]);
    refused(r#"{"kind": "bayes", "faith": 2}"#, &["faith", "0 to 1"]);
    refused(r#"{"kind": "bayes", "fait": 0.5}"#, &["fait"]);
    refused(r#"{"kind": "baies"}"#, &["bayes"]);
}
