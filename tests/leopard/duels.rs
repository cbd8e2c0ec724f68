//! The fast path of a hand between cheap strategies gives the same results as their bots.

use parlour::arena::{SeatedBot, play_hand};
use parlour::chance::{Seed, Stream};
use parlour::files::Library;
use parlour::game::{Measured, MoveHistory, Ruled};
use parlour::games::leopard::bots::Kind;
use parlour::games::leopard::{
    Covers, HandCounts, HandStats, KnockWindow, Leopard, Plays, Rules, State,
};
use parlour::strategy::{Spec, Strategic, Strategy};

/// The named variants, and rules that take the general path: uneven hands, hands that run out.
fn games() -> Vec<Leopard> {
    let odd = |draw, plays, hand_size, face_down_covers, knock_window| Rules {
        draw,
        plays,
        hand_size,
        face_down_covers,
        knock_window,
        ..Rules::ORIGINAL
    };
    let odd = [
        odd(3, Plays::One, 7, Covers::Any, KnockWindow::AnyTime),
        odd(4, Plays::One, 1, Covers::FaceUp, KnockWindow::BeforePlay),
        odd(1, Plays::Many, 52, Covers::Any, KnockWindow::AnyTime),
        odd(1, Plays::One, 52, Covers::FaceUp, KnockWindow::AnyTime),
        Rules { knock_at: 1, ..odd(2, Plays::Many, 5, Covers::FaceUp, KnockWindow::BeforePlay) },
    ];
    let named = Leopard::presets().into_iter().map(|preset| preset.rules);
    named.chain(odd).map(|rules| Leopard::new(&rules).unwrap()).collect()
}

/// All counts of a hand.
fn counted(game: &Leopard, (end, stats): &(State, HandStats)) -> (HandCounts, u32) {
    (game.counts(stats, end), game.turns(stats))
}

#[test]
fn a_duel_matches_the_hand_of_two_bots() {
    let shelf = Library::strategies("leopard");
    let load = |name| Strategy::<Leopard>::load(&shelf, name).unwrap().spec;
    let cheap: Vec<Spec<Kind>> = ["random", "random-knocker", "greedy"].map(load).into();
    let mut scratch = <Leopard as Strategic>::Scratch::default();
    let mut history = MoveHistory::default();
    let mut stats = HandStats::default();
    for game in games() {
        for (number, pair) in
            cheap.iter().flat_map(|a| cheap.iter().map(move |b| [a, b])).enumerate()
        {
            for hand in 0..60 {
                // Each start comes twice, as in an arena, with other choices.
                let start = Seed::new(hand / 2).child(0).stream();
                let choice = |seat| Seed::new(hand).child(1 + number as u64).child(seat).stream();
                let mut choices: [Stream; 2] = [choice(0), choice(1)];
                let end = game.duel(&pair, &mut scratch, &start, &mut choices, &mut stats).unwrap();
                let quick = (end, stats);
                let mut players = [0, 1]
                    .map(|seat: usize| SeatedBot::new(game.bot(pair[seat]), choice(seat as u64)));
                let slow =
                    play_hand(&game, start, &mut players, |seat| seat, &mut history).unwrap();
                assert_eq!(quick.0, slow.0, "{pair:?} under {:?}", game.rules());
                assert_eq!(counted(&game, &quick), counted(&game, &slow), "{:?}", game.rules());
                // Their streams are in the same state, so they have made the same choices.
                assert_eq!(choices, players.map(|player| player.choice));
            }
        }
    }
}

#[test]
fn other_strategies_have_no_duel() {
    let shelf = Library::strategies("leopard");
    let load = |name| Strategy::<Leopard>::load(&shelf, name).unwrap().spec;
    let (random, steady) = (load("random"), load("steady"));
    let game = Leopard::new(&Rules::REVISED).unwrap();
    let start = Seed::new(1).stream();
    let mut choices = [start.clone(), start.clone()];
    let (mut scratch, mut stats) = (Default::default(), Default::default());
    let pair = [&random, &steady];
    let played = game.duel(&pair, &mut scratch, &start, &mut choices, &mut stats);
    assert!(played.is_none());
    assert_eq!(choices, [start.clone(), start]);
}
