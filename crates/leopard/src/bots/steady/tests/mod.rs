//! `steady` against its slow reference.

mod reference;
mod reference_lines;

use super::{Steady, Weights};
use crate::rules::Covers;
use crate::{Leopard, Plays, Rules};
use parlour_base::chance::Seed;
use parlour_game::{Game, Policy, Ruled, Turn};
use reference::{pick, score_moves};

/// Weights from files, and random weights of either sign.
fn players() -> Vec<Weights> {
    let mut all = vec![Weights::default()];
    let files = ["steady", "steady-original", "steady-revised"];
    for name in files {
        let path = format!("{}/../../strategies/leopard/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let file: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        all.push(serde_json::from_value(file["weights"].clone()).unwrap());
    }
    // Signs and orders that the bounds do not allow.
    all.push(Weights { danger: 0.0, looming: 3.0, ..Weights::default() });
    all.push(Weights { own_replace: -0.5, own_swell: 0.3, ..Weights::default() });
    for seed in 0..12 {
        let mut chance = Seed::new(seed).stream();
        // Half of them near the default, half of them anything.
        let numbers = Weights::default().to_vec().into_iter().map(|weight| match seed % 2 {
            0 => weight * 2.0 * chance.unit(),
            _ => (weight + 0.3) * (4.0 * chance.unit() - 2.0),
        });
        all.push(Weights::from_slice(&numbers.collect::<Vec<f64>>()));
    }
    all
}

#[test]
fn steady_matches_its_reference() {
    let (mut positions, mut options) = (0, Vec::new());
    let mut odd = Leopard::presets().into_iter().map(|preset| preset.rules).collect::<Vec<_>>();
    let base = odd[0].clone();
    odd.push(Rules { suit_line: 1, color_line: 3, knock_at: 4, ..base.clone() });
    odd.push(Rules { color_line: 0, knock_at: 1, knock_penalty: 3, ..base.clone() });
    odd.push(Rules { face_down_covers: Covers::Any, suit_line: 20, color_line: 7, ..base });
    for (at, rules) in odd.iter().enumerate() {
        let game = Leopard::new(rules).unwrap();
        for (number, weights) in players().into_iter().enumerate() {
            let quick = Steady::new(weights).unwrap();
            let weights = match rules.plays {
                Plays::One => weights,
                Plays::Many => weights.for_many_plays(),
            };
            for hand in 0..20 {
                let mut chance = Seed::new((hand + 20 * number + 500 * at) as u64).stream();
                let mut state = game.deal(&mut chance);
                while let Turn::Seat(seat) = game.turn(&state) {
                    let view = game.view(&state, seat);
                    let (mv, plain) =
                        (quick.pick(&game, &view, &mut chance), pick(&weights, rules, &view));
                    assert_eq!(mv, plain, "{rules:?} {weights:?} {view:?}");
                    // Without the wider registers.
                    assert_eq!(quick.choose(rules, &view), mv, "{rules:?} {weights:?} {view:?}");
                    game.legal_moves_in_view(&view, &mut options);
                    let mut values = Vec::new();
                    quick.score_moves(&game, &view, &options, &mut values);
                    assert_eq!(values, score_moves(&weights, rules, &view, &options), "{view:?}");
                    positions += 1;
                    // Its own moves, and sometimes a random one.
                    let strays = chance.unit() < 0.3 && !(view.may_knock(rules) && hand > 0);
                    let mv = if strays { game.sample(&state, &mut chance) } else { mv };
                    game.apply(&mut state, mv, &mut chance);
                }
            }
        }
    }
    assert!(positions > 100_000, "{positions}");
}
