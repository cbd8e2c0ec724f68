//! Conformance tests for games: call [`check`] for each variant.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

mod encoded;
mod figures;
mod records;
#[cfg(test)]
mod tests;

use super::{Bot, Game, MoveHistory, Playthrough, Seat, Turn};
use parlour_base::chance::{Seed, Stream};

pub use encoded::check_encoded;
pub use figures::check_figures;
pub use records::{check_golden, check_records};

/// Plays a random hand from the stream before its deal; `see` gets each state with the move made in it.
pub fn random_hand<G: Game>(
    game: &G,
    start: &Stream,
    choice: Seed,
    mut see: impl FnMut(&G::State, G::Move),
) -> G::State {
    let (mut chance, mut choice) = (start.clone(), choice.stream());
    let mut state = game.deal(&mut chance);
    while game.turn(&state) != Turn::Over {
        let mv = game.sample(&state, &mut choice);
        see(&state, mv);
        game.apply(&mut state, mv, &mut chance);
    }
    state
}

/// Plays random hands and checks the contract of [`Game`] at every node.
///
/// # Panics
/// At the first violation, which the message names.
pub fn check<G: Game>(game: &G, hands: u64) {
    assert!(size_of::<G::Move>() <= 8, "a move is at most eight bytes");
    for hand in 0..hands {
        check_hand(game, Seed::new(hand));
    }
}

fn check_hand<G: Game>(game: &G, seed: Seed) {
    let mut chance = seed.child(0).stream();
    let mut choice = seed.child(1).stream();
    let mut state = game.deal(&mut chance);
    let mut again = game.deal(&mut seed.child(0).stream());
    let mut chance_again = chance.clone();
    assert_eq!(state, again, "the same seed deals the same hand");
    let (mut legal, mut seen) = (Vec::new(), Vec::new());
    let mut made = 0;
    let mut history = MoveHistory::default();
    loop {
        game.legal_moves(&state, &mut legal);
        check_views(game, &state, &legal, &mut seen, &mut choice);
        check_view_at(game, &state, history.moves(), &mut choice);
        if game.turn(&state) == Turn::Over {
            break;
        }
        assert!(!legal.is_empty(), "a seat to move has a move");
        assert!(legal.is_sorted_by(|a, b| a < b), "moves ascend, each once");
        assert!(
            legal.binary_search(&game.sample(&state, &mut choice)).is_ok(),
            "a sampled move is legal"
        );
        let mv = legal[choice.below(legal.len() as u32) as usize];
        let text = game.notation(mv);
        // A table of moves may list one twice; then either is correct.
        let back = game.parse_move(&text).map(|back| game.notation(back));
        assert_eq!(back.as_ref(), Ok(&text), "a move's notation reads back");
        assert_eq!(mv.to_string().parse().ok(), Some(mv), "`{mv}` reads back");
        let other = legal[choice.below(legal.len() as u32) as usize];
        if let Turn::Seat(by) = game.turn(&state) {
            check_told(game, &state, by, [mv, other], &chance);
            history.record(game, &state, by, mv);
        }
        assert_eq!(game.try_apply(&mut state, mv, &mut chance), Ok(()));
        game.apply(&mut again, mv, &mut chance_again);
        assert_eq!(state, again, "the same moves and chance give the same state");
        made += 1;
        assert!(made <= game.max_moves(), "the hand ends within its stated bound");
    }
    assert!(legal.is_empty(), "no moves when the hand is over");
    let scores = game.scores(&state);
    assert_eq!(scores.0.len(), game.seats(), "a score for each seat");
    let (low, high) = game.score_range();
    assert!(scores.0.iter().all(|s| (low..=high).contains(s)), "{scores:?} outside {low}..={high}");
}

/// Where moves are not public, no seat sees more of a move than its views show. If its view is the
/// same after two moves, it must see the same of both. (A view may forget a public move.)
fn check_told<G: Game>(
    game: &G,
    before: &G::State,
    by: Seat,
    moves: [G::Move; 2],
    chance: &Stream,
) {
    if G::PUBLIC_MOVES {
        return;
    }
    let after = moves.map(|mv| {
        let mut state = before.clone();
        game.apply(&mut state, mv, &mut chance.clone());
        state
    });
    for who in (0..game.seats()).map(|s| Seat(s as u8)).filter(|who| *who != by) {
        let views = after.each_ref().map(|state| game.view(state, who));
        let told = moves.map(|mv| game.visible_move(before, mv, by, who));
        if views[0] == views[1] {
            assert_eq!(told[0], told[1], "seat {} sees what its view hides", who.0);
        }
    }
}

/// Makes the same moves in two states that these seats cannot tell apart. Checks that the seats
/// receive the same before and after each move: the turn, their views, and the moves that they see.
/// What is hidden may change neither the number nor the order of the events.
///
/// # Panics
/// If a seat receives something else, or a move is legal in one state only.
pub fn check_received<G: Game>(
    game: &G,
    worlds: [G::State; 2],
    seats: &[Seat],
    moves: &[G::Move],
    chance: &Stream,
) {
    let received = worlds.map(|mut world| {
        let (mut history, mut chance) = (MoveHistory::<G>::default(), chance.clone());
        let mut received = Vec::new();
        for mv in moves.iter().map(Some).chain([None]) {
            let seen = |seat: &Seat| (game.view(&world, *seat), history.visible_to(*seat).to_vec());
            received.push((game.turn(&world), seats.iter().map(seen).collect::<Vec<_>>()));
            if let (Some(&mv), Turn::Seat(by)) = (mv, game.turn(&world)) {
                history.record(game, &world, by, mv);
                assert_eq!(game.try_apply(&mut world, mv, &mut chance), Ok(()), "`{mv}`");
            }
        }
        received
    });
    assert_eq!(received[0], received[1], "what is hidden changes what is received");
}

/// At an earlier view it was the seat's turn, and its move was legal.
fn check_view_at<G: Game>(
    game: &G,
    state: &G::State,
    past: &[(Seat, G::Move)],
    choice: &mut Stream,
) {
    let mut options = Vec::new();
    for at in past.len().saturating_sub(3)..past.len() {
        let view = game.search_aid().and_then(|aid| aid.view_at(state, past, at, choice));
        let Some(view) = view else { continue };
        let (seat, mv) = past[at];
        let world = game.determinize(&view, choice);
        assert_eq!(game.turn(&world), Turn::Seat(seat), "a view is recalled at its seat's turn");
        assert_eq!(game.view(&world, seat), view, "a recalled view is the mover's");
        game.legal_moves_in_view(&view, &mut options);
        assert!(options.binary_search(&mv).is_ok(), "{mv:?} was possible when it was made");
    }
}

/// For every seat: a determinization has the view that it was sampled from, and the seat to move
/// gets its legal moves from its view.
fn check_views<G: Game>(
    game: &G,
    state: &G::State,
    legal: &[G::Move],
    options: &mut Vec<G::Move>,
    choice: &mut Stream,
) {
    for seat in (0..game.seats()).map(|s| Seat(s as u8)) {
        let view = game.view(state, seat);
        let world = game.determinize(&view, choice);
        assert_eq!(game.view(&world, seat), view, "an imagined world fits the view");
        assert_eq!(game.turn(&world), game.turn(state), "and has the same turn");
        let text = serde_json::to_string(&view).expect("a view is plain data");
        let back: G::View = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
        assert_eq!(back, view, "a view reads back: {text}");
        assert_eq!(game.check_view(&view), Ok(()), "a view is within the game's ranges: {text}");
        game.legal_moves_in_view(&view, options);
        if game.turn(state) == Turn::Seat(seat) {
            assert_eq!(options, legal, "a view shows the legal moves");
            let (mut here, mut there) = (legal.to_vec(), legal.to_vec());
            if let Some(aid) = game.search_aid() {
                aid.dedup_moves(state, &mut here);
                aid.dedup_moves(&world, &mut there);
            }
            assert_eq!(here, there, "moves are joined by what their seat knows");
            assert!(!here.is_empty() && here.is_sorted(), "joined moves keep their order");
            assert!(here.iter().all(|mv| legal.contains(mv)), "and are legal ones");
            let (mut one, mut two) = (choice.clone(), choice.clone());
            assert_eq!(
                game.sample(state, &mut one),
                game.sample_view(&view, &mut two),
                "state and view sample alike"
            );
        } else {
            assert!(options.is_empty(), "no moves out of turn");
        }
    }
}

/// Checks that illegal moves are refused and change nothing; `all` lists every possible move.
///
/// # Panics
/// If an illegal move is accepted.
pub fn check_refusals<G: Game>(game: &G, hands: u64, all: &[G::Move]) {
    let mut legal = Vec::new();
    for seed in (0..hands).map(Seed::new) {
        random_hand(game, &seed.child(2).stream(), seed.child(2), |state, _| {
            game.legal_moves(state, &mut legal);
            for &mv in all.iter().filter(|mv| legal.binary_search(mv).is_err()) {
                let mut after = state.clone();
                let refused = game.try_apply(&mut after, mv, &mut seed.stream());
                assert!(refused.is_err(), "{mv:?} is illegal");
                assert_eq!(after, *state, "a refused move changes nothing");
            }
        });
    }
}

/// Checks that the bot does not peek: two states with the same view and past get the same move, at
/// every node of random hands. `make` creates a new bot.
///
/// # Panics
/// If the move depends on hidden information.
pub fn check_invariance<G: Game>(game: &G, hands: u64, mut make: impl FnMut() -> Box<dyn Bot<G>>) {
    let mut bot = make();
    for hand in 0..hands {
        let seed = Seed::new(hand);
        let mut choice = seed.child(4).stream();
        let mut hand = Playthrough::new(game, seed.child(3).stream());
        let mut node = 0;
        while let Turn::Seat(seat) = hand.turn(game) {
            let view = hand.view(game, seat);
            let world = game.determinize(&view, &mut choice);
            let answer = |view: &G::View, bot: &mut dyn Bot<G>| {
                bot.start(seat);
                let mut rng = seed.child(5).child(node).stream();
                bot.choose(game, hand.observation(seat, view), &mut rng).expect("the bot chooses")
            };
            let here = answer(&view, bot.as_mut());
            let there = answer(&game.view(&world, seat), make().as_mut());
            assert_eq!(here, there, "the same view gets the same move");
            // Half of the moves are the bot's own, so that its own kind of position occurs too.
            let mv =
                if choice.below(2) == 0 { here } else { game.sample(&hand.state, &mut choice) };
            assert_eq!(hand.try_apply(game, mv), Ok(()), "{mv:?} is legal");
            node += 1;
        }
    }
}
