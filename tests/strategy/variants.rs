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
    assert!(fault.to_string().contains("hands_per_match, name, base, sweep."), "{fault}");
    let spec: VariantSpec = parse_json("e.json", "{\"name\": \"x\"}").unwrap();
    let fault = spec.patch::<Leopard>("", None).unwrap_err();
    assert!(fault.to_string().contains("missing field `base`"), "{fault}");
}
