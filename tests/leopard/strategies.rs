//! The cheap strategies of Leopard: legal moves, no peeking, and greedy against a slow version of
//! its rule.

use parlour::chance::{Seed, Stream};
use parlour::files::Library;
use parlour::game::network::Network;
use parlour::game::{Game, Policy, PolicyBot, Ruled, Turn, Uniform, kit};
use parlour::games::leopard::bots::{
    Brisk, BriskWeights, Greedy, Kind, RandomKnocker, Steady, Weights,
};
use parlour::games::leopard::{
    BonusWhen, Covers, KnockWindow, Leopard, Move, Plays, Rules, Side, Square, SquaresOn, View,
};
use parlour::strategy::Strategy;

/// All variants, and rules that stretch every option.
fn games() -> Vec<(String, Leopard)> {
    let mut rules: Vec<(String, Rules)> =
        Leopard::presets().into_iter().map(|p| (p.name.to_owned(), p.rules)).collect();
    let custom = |plays, covers, window, (suit_line, color_line), knock_at| Rules {
        plays,
        face_down_covers: covers,
        knock_window: window,
        suit_line,
        color_line,
        knock_at,
        ..Rules::REVISED
    };
    use KnockWindow::{AnyTime, BeforePlay};
    rules.push((
        "any cover, lines upside down".to_owned(),
        custom(Plays::One, Covers::Any, BeforePlay, (1, 4), 30),
    ));
    rules.push((
        "running, knock at any time, dear lines".to_owned(),
        Rules { draw: 4, ..custom(Plays::Many, Covers::Any, AnyTime, (20, 13), 200) },
    ));
    rules.push((
        "worthless colours, a large hand".to_owned(),
        Rules {
            hand_size: 20,
            bonus_when: BonusWhen::Always,
            knock_penalty: 5,
            ..custom(Plays::Many, Covers::FaceUp, BeforePlay, (2, 0), 1)
        },
    ));
    for (jacks_on, queens_on) in
        [(SquaresOn::Own, SquaresOn::Both), (SquaresOn::Other, SquaresOn::Other)]
    {
        rules.push((
            format!("on face-down cards, jacks on {jacks_on:?}, queens on {queens_on:?}"),
            Rules {
                jacks_on,
                queens_on,
                ..custom(Plays::Many, Covers::Card, BeforePlay, (3, 1), 7)
            },
        ));
    }
    rules.into_iter().map(|(name, rules)| (name, Leopard::new(&rules).unwrap())).collect()
}

/// The squares after a move.
fn after(view: &View, mv: Move) -> (Square, Square) {
    let (mut own, mut other) = (view.square(Side::Own), view.square(Side::Other));
    let lay = |square: &mut Square, card: parlour::cards::Card, cell| match card.rank() {
        11 | 12 => square.cover(cell),
        _ => square.lay(cell, card.suit()),
    };
    match mv {
        Move::Own(card, cell) => lay(&mut own, card, cell),
        Move::Other(card, cell) => lay(&mut other, card, cell),
        _ => {}
    }
    (own, other)
}

/// The greedy rule, word for word, over the list of moves.
fn slow_greedy(game: &Leopard, view: &View) -> Move {
    let rules = game.rules();
    let mut moves = Vec::new();
    game.legal_moves_in_view(view, &mut moves);
    let (own, other) = view.knock_scores(rules);
    if moves.contains(&Move::Knock) && own > other {
        return Move::Knock;
    }
    let lead = |(own, other): (Square, Square)| own.value(rules) as i32 - other.value(rules) as i32;
    let now = lead((view.square(Side::Own), view.square(Side::Other)));
    let mut best: Option<(i32, Move)> = None;
    for &mv in moves.iter().filter(|mv| mv.card().is_some()) {
        let change = lead(after(view, mv)) - now;
        if best.is_none_or(|(most, _)| change > most) {
            best = Some((change, mv));
        }
    }
    match best {
        Some((change, mv)) if change > 0 || !view.played => mv,
        _ => Move::End,
    }
}

/// Plays hands in which each move is one of these policies', at random; visits every view.
fn hands(
    game: &Leopard,
    count: u64,
    policies: &[&dyn Policy<Leopard>],
    mut visit: impl FnMut(&View, &mut Stream),
) {
    for hand in 0..count {
        let (mut chance, mut choice) =
            (Seed::new(hand).child(0).stream(), Seed::new(hand).child(1).stream());
        let mut state = game.deal(&mut chance);
        while let Turn::Seat(seat) = game.turn(&state) {
            let view = game.view(&state, seat);
            visit(&view, &mut choice);
            let policy = policies[choice.below(policies.len() as u32) as usize];
            let mv = policy.pick(game, &view, &mut choice);
            game.apply(&mut state, mv, &mut chance);
        }
    }
}

#[test]
fn greedy_matches_its_rule() {
    for (name, game) in games() {
        let mut positions = 0;
        hands(&game, 300, &[&Uniform, &Uniform, &Greedy], |view, choice| {
            positions += 1;
            let (fast, slow) = (Greedy.pick(&game, view, choice), slow_greedy(&game, view));
            assert_eq!(fast, slow, "{name}: {view:?}");
        });
        assert!(positions >= 5_000, "{name}: {positions} positions");
    }
}

/// A strategy file of kind `steady`.
fn file(name: &str) -> Weights {
    weights(name, "steady")
}

/// The file of kind `brisk`.
fn brisk() -> Brisk {
    Brisk::new(weights::<BriskWeights>("brisk", "brisk")).unwrap()
}

/// The player with the built-in network.
fn network() -> Network {
    let shelf = Library::strategies("leopard");
    match Strategy::<Leopard>::load(&shelf, &path("self-taught")).unwrap().spec.kind {
        Kind::Network(network) => network,
        other => panic!("{other:?}"),
    }
}

fn path(name: &str) -> String {
    format!("{}/strategies/leopard/{name}.json", env!("CARGO_MANIFEST_DIR"))
}

/// The weights of a strategy file of this kind.
fn weights<T: serde::de::DeserializeOwned>(name: &str, kind: &str) -> T {
    let text = std::fs::read_to_string(path(name)).unwrap();
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(file["kind"], kind);
    serde_json::from_value(file["weights"].clone()).unwrap()
}

#[test]
fn committed_files_have_valid_weights() {
    assert_eq!(file("steady-plain"), Weights::default());
    assert_eq!(file("steady").faults(), Vec::<String>::new());
}

#[test]
fn a_weights_object_names_every_weight_and_no_other() {
    let mut weights = serde_json::to_value(Weights::default()).unwrap();
    weights["luck"] = 1.0.into();
    let error = serde_json::from_value::<Weights>(weights.clone()).unwrap_err().to_string();
    assert!(error.contains("unknown field `luck`"), "{error}");
    let weights = weights.as_object_mut().unwrap();
    weights.remove("luck");
    weights.remove("threat");
    let weights = serde_json::Value::Object(weights.clone());
    let error = serde_json::from_value::<Weights>(weights).unwrap_err().to_string();
    assert!(error.contains("missing field `threat`"), "{error}");
}

/// Weights as odd as a file may have them.
fn odd_weights() -> Vec<Weights> {
    let len = Weights::NAMES.len();
    let mut choice = Seed::new(5).stream();
    let mut odd: Vec<Weights> =
        [-1000.0, 0.0, 1.0, 1000.0].map(|weight| Weights::from_slice(&vec![weight; len])).to_vec();
    for _ in 0..4 {
        let wild: Vec<f64> = (0..len).map(|_| 2000.0 * choice.unit() - 1000.0).collect();
        odd.push(Weights::from_slice(&wild));
    }
    odd
}

fn legal_throughout(game: &Leopard, name: &str, policy: &dyn Policy<Leopard>, count: u64) {
    let mut legal = Vec::new();
    hands(game, count, &[&Uniform, policy], |view, choice| {
        game.legal_moves_in_view(view, &mut legal);
        let mv = policy.pick(game, view, choice);
        assert!(legal.binary_search(&mv).is_ok(), "{name}: {mv:?} among {legal:?}");
    });
}

#[test]
fn every_move_is_legal() {
    let plain = Steady::new(Weights::default()).unwrap();
    let steady = Steady::new(file("steady")).unwrap();
    for (name, game) in games() {
        let (brisk, network) = (brisk(), network());
        let policies: [&dyn Policy<Leopard>; 6] =
            [&Greedy, &RandomKnocker, &plain, &steady, &brisk, &network];
        for policy in policies {
            legal_throughout(&game, &name, policy, 300);
        }
    }
}

#[test]
fn odd_weights_still_make_legal_moves() {
    for (name, game) in games() {
        for weights in odd_weights() {
            legal_throughout(&game, &name, &Steady::new(weights).unwrap(), 50);
        }
        for weight in [-2.0, 0.0, 2.0] {
            let same = vec![weight; BriskWeights::NAMES.len()];
            let brisk = Brisk::new(BriskWeights::from_slice(&same)).unwrap();
            legal_throughout(&game, &name, &brisk, 50);
        }
    }
}

#[test]
fn nobody_peeks() {
    // A bot is made at every node; its file is read once.
    let (brisk, network) = (brisk(), network());
    let steady = ["steady-plain", "steady"].map(|name| Steady::new(file(name)).unwrap());
    for (_, game) in games() {
        kit::check_invariance(&game, 40, || Box::new(PolicyBot(Uniform)));
        kit::check_invariance(&game, 40, || Box::new(PolicyBot(RandomKnocker)));
        kit::check_invariance(&game, 40, || Box::new(PolicyBot(Greedy)));
        kit::check_invariance(&game, 40, || Box::new(PolicyBot(brisk.clone())));
        kit::check_invariance(&game, 10, || Box::new(PolicyBot(network.clone())));
        for steady in &steady {
            kit::check_invariance(&game, 40, || Box::new(PolicyBot(steady.clone())));
        }
    }
}
