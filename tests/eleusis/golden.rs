//! One golden transcript for each named variant. A variant without one fails;
//! `UPDATE_GOLDEN=1 cargo test --test all eleusis::golden` rewrites them.

use std::path::PathBuf;

use parlour::game::kit;
use parlour::games::eleusis::Eleusis;

#[test]
fn every_named_variant_has_its_golden_transcript() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/eleusis");
    kit::check_golden::<Eleusis>(&folder);
}
