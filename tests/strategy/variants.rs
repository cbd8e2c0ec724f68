//! Variants as files name them.

use parlour::Ruled;
use parlour::arena::{Variant, VariantSpec};
use parlour::files::{Origin, SourceFile, parse_json};
use parlour::games::leapfrog::Leapfrog;
use parlour::games::leopard::{Leopard, Rules};

#[test]
fn a_custom_variant_is_its_base_with_changes() {
    let text = r#"{ "name": "revised-8", "knock_at": 8, "base": "revised" }"#;
    let spec: VariantSpec = parse_json("x", text).unwrap();
    let variant: Variant<Leopard> = Variant::resolve(&spec).unwrap();
    assert_eq!(variant.name, "revised-8");
    assert_eq!(variant.game.rules(), &Rules { knock_at: 8, ..Rules::REVISED });
}

#[test]
fn an_unknown_variant_names_the_listed_ones_and_the_others() {
    let fault = Leopard::named("revise").unwrap_err().to_string();
    assert!(fault.starts_with("unknown variant of leopard `revise`. Did you mean `revised`?"));
    assert!(fault.ends_with("."), "{fault}");
    for name in ["mini-0x4", "mini-19x4", "murray-mini-4"] {
        let fault = Leapfrog::named(name).unwrap_err().to_string();
        assert!(fault.contains("1 to 18 rows and columns"), "{fault}");
    }
}

#[test]
fn a_fault_within_a_custom_variant_has_its_place() {
    type Fields = std::collections::BTreeMap<String, Vec<VariantSpec>>;
    let text = "{\"v\": [\"revised\",\n {\"name\": \"x\", \"base\": \"revised\", \"hand\": 9}]}";
    let file = SourceFile::new("e.json", Origin::Given, text.to_owned());
    let fields: Fields = parse_json("e.json", text).unwrap();
    let fault = fields["v"][1].patch::<Leopard>("/v/1", Some(&file)).unwrap_err();
    let place = &fault.faults()[0].place;
    assert_eq!((place.line, place.field.as_deref()), (Some(2), Some("v[1].hand")), "{fault}");
    assert!(fault.to_string().contains("unknown field `hand`. Known: suit_line"), "{fault}");
    assert!(
        fault.to_string().contains("hands_per_match, deck, name, about, base, sweep."),
        "{fault}"
    );
    let spec: VariantSpec = parse_json("e.json", "{\"name\": \"x\"}").unwrap();
    let fault = spec.patch::<Leopard>("", None).unwrap_err();
    assert!(fault.to_string().contains("missing field `base`"), "{fault}");
}

#[test]
fn a_file_names_its_variant_and_may_be_the_base_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let write = |name: &str, text: &str| std::fs::write(path(name), text).unwrap();
    write("mine.json", r#"{ "about": "Longer.", "base": "revised", "knock_at": 8 }"#);
    write(
        "other.json",
        &format!(r#"{{ "name": "x", "base": {:?}, "suit_line": 4 }}"#, path("mine.json")),
    );
    let variant = |name: &str| Variant::<Leopard>::named(&path(name));
    let mine = variant("mine.json").unwrap();
    assert_eq!((mine.name.as_str(), mine.game.rules().knock_at), ("mine", 8));
    let other = variant("other.json").unwrap();
    assert_eq!(other.name, "x");
    assert_eq!(other.game.rules(), &Rules { knock_at: 8, suit_line: 4, ..Rules::REVISED });
    assert_eq!(parlour::games::game_of_variant(&path("other.json")).unwrap().name, "leopard");
    write("a.json", &format!(r#"{{ "base": {:?} }}"#, path("b.json")));
    write("b.json", &format!(r#"{{ "base": {:?} }}"#, path("a.json")));
    let cycle = variant("a.json").unwrap_err().to_string();
    let game = parlour::games::game_of_variant(&path("a.json")).err().unwrap().to_string();
    assert!(cycle.contains("cyclic `base`: ") && game.contains("cyclic `base`: "), "{cycle}");
    write("typo.json", r#"{ "base": "revisd" }"#);
    let fault = parlour::games::game_of_variant(&path("typo.json")).err().unwrap().to_string();
    assert!(fault.contains("typo.json") && fault.contains("Did you mean `revised`?"), "{fault}");
    assert_eq!(fault.matches(" original,").count(), 1, "{fault}");
}
