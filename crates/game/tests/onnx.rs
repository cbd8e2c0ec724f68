//! The play of a network in an ONNX file.

#![cfg(feature = "onnx")]

use parlour_base::chance::Seed;
use parlour_game::network::Network;
use parlour_game::{Encoded, Game, Policy, Ruled, Turn};
use parlour_leopard::Leopard;

#[test]
fn an_onnx_network_plays_the_legal_action_with_the_highest_score() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/network/files/leopard.onnx");
    let network: Network = serde_json::from_value(serde_json::json!({ "file": path })).unwrap();
    let game = Leopard::new(&Leopard::preset("revised").unwrap()).unwrap();
    network.check(&game).unwrap();
    let mut chance = Seed::new(3).stream();
    let mut state = game.deal(&mut chance);
    while let Turn::Seat(seat) = game.turn(&state) {
        let view = game.view(&state, seat);
        let mut legal = Vec::new();
        game.legal_moves_in_view(&view, &mut legal);
        let best = legal.iter().filter_map(|mv| game.action_of(*mv)).max();
        let mv = network.pick(&game, &view, &mut chance);
        assert_eq!(game.action_of(mv), best);
        game.apply(&mut state, mv, &mut chance);
    }
}
