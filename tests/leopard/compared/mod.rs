//! The fast game against the slow reference, on random hands of every variant and of many custom
//! rules.

mod referee;
mod reference;

use parlour::cards::{Card, Pile};
use parlour::chance::{Seed, Stream};
use parlour::game::{Game, Ruled, Seat, Turn};
use parlour::games::leopard::{
    BonusWhen, Cell, Covers, DeckCards, End, KnockWindow, Leopard, Move, Patch, Plays, Rules, Side,
    SquaresOn, State,
};

/// Numbers of hands of each named variant, and of custom rules; each custom hand has rules of its
/// own.
const NAMED: u64 = 10_100;
const CUSTOM: u64 = 20_000;

/// One hand in this number is compared in full at every node, the others at one node in sixteen.
/// Legality of the move made, turns, squares, values and ends are compared at every node of every
/// hand.
const WHOLE: u64 = 16;

fn card(card: Card) -> reference::Card {
    let suit = ['S', 'H', 'D', 'C'][card.suit().index()];
    reference::Card { rank: u32::from(card.rank()), suit }
}

fn translated(mv: Move) -> reference::Move {
    use reference::Square;
    let cell = |cell: Cell| usize::from(cell.number());
    match mv {
        Move::Own(c, at) => reference::Move::Play(card(c), Square::Own, cell(at)),
        Move::Other(c, at) => reference::Move::Play(card(c), Square::Other, cell(at)),
        Move::Discard(c) => reference::Move::Discard(card(c)),
        Move::End => reference::Move::EndTurn,
        Move::Knock => reference::Move::Knock,
    }
}

fn deck(cards: DeckCards) -> Vec<reference::Card> {
    let packs = match cards {
        DeckCards::Cards(cards) => return cards.cards().map(card).collect(),
        DeckCards::OnePack => 1,
        DeckCards::TwoPacks => 2,
    };
    let suits = ['S', 'H', 'D', 'C'];
    let pack = suits.map(|suit| (1..=13).map(move |rank| reference::Card { rank, suit }));
    let pack: Vec<_> = pack.into_iter().flatten().collect();
    pack.repeat(packs)
}

fn rules(rules: &Rules) -> reference::Rules {
    reference::Rules {
        suit_line: rules.suit_line.into(),
        color_line: rules.color_line.into(),
        knock_at: rules.knock_at.into(),
        bonus_over: rules.bonus_over.into(),
        bonus_even_after_a_knock: rules.bonus_when == BonusWhen::Always,
        knock_penalty: rules.knock_penalty.into(),
        draw: rules.draw.into(),
        many_plays: rules.plays == Plays::Many,
        hand_size: rules.hand_size.into(),
        face_down_covers_any_cell: rules.face_down_covers == Covers::Any,
        face_down_covers_face_down: rules.face_down_covers == Covers::Card,
        jacks_on: [Side::Own, Side::Other].map(|side| rules.jacks_on.includes(side)),
        queens_on: [Side::Own, Side::Other].map(|side| rules.queens_on.includes(side)),
        knock_at_any_time: rules.knock_window == KnockWindow::AnyTime,
        deck: deck(rules.deck),
    }
}

/// The cards of the pile that the reference's hand lacks: the cards just drawn.
fn drawn(now: Pile, known: &[reference::Card]) -> Vec<reference::Card> {
    let mut cards: Vec<_> = now.cards().map(card).collect();
    for known in known {
        let place = cards.iter().position(|c| c == known);
        cards.remove(place.unwrap_or_else(|| panic!("{known:?} has left the hand")));
    }
    cards
}

/// Ways to choose, so that long hands, full squares and empty hands occur, too.
#[derive(Clone, Copy)]
enum Style {
    Uniform,
    /// Knocks only if there is no other move.
    NoKnock,
    /// Lays face-up cards on its own square if it can, and seldom knocks.
    Builder,
    /// Plays rather than discards or ends its turn, so that hands run empty.
    Spender,
}

fn choose(style: Style, legal: &[Move], choice: &mut Stream) -> Move {
    let likes = |mv: &Move| match style {
        Style::Uniform => true,
        Style::NoKnock => *mv != Move::Knock,
        Style::Builder => {
            matches!(mv, Move::Own(card, _) if !matches!(card.rank(), 11 | 12))
        }
        Style::Spender => mv.laid().is_some(),
    };
    let liked = legal.iter().filter(|mv| likes(mv)).count() as u32;
    let keep = liked > 0 && (matches!(style, Style::NoKnock) || choice.below(8) > 0);
    let among = if keep { liked } else { legal.len() as u32 };
    let pick = choice.below(among) as usize;
    let mut list = legal.iter().filter(|mv| !keep || likes(mv));
    *list.nth(pick).expect("below the count")
}

/// The events that occurred, so that a test can check that all did.
#[derive(Default, Debug)]
struct Met {
    hands: u64,
    nodes: u64,
    knocks: u64,
    exhausted: u64,
    passed_over: u64,
    declined: u64,
    knocks_after_plays: u64,
    best: i64,
}

fn compare(fast: &Leopard, number: u64, met: &mut Met) {
    let seed = Seed::new(number);
    let (mut chance, mut choice) = (seed.child(0).stream(), seed.child(1).stream());
    let styles = [Style::Uniform, Style::NoKnock, Style::Builder, Style::Spender];
    let style = styles[number as usize % styles.len()];
    let slow_rules = rules(fast.rules());
    let hand_size = slow_rules.hand_size;

    // The fast game's first seat has drawn already; the order of its cards does not matter.
    let mut state = fast.deal(&mut chance);
    let mut dealt = [0, 1].map(|s| state.hand(Seat(s)).cards().map(card).collect::<Vec<_>>());
    let first_draw = dealt[0].split_off(hand_size);
    let mut slow = reference::Hand::new(slow_rules, dealt);
    slow.draw(&first_draw);
    assert!(slow.must_draw.is_none(), "a dealt hand is never passed over");

    let mut legal = Vec::new();
    loop {
        let close = number.is_multiple_of(WHOLE) || choice.below(16) == 0;
        agree(fast, &state, &slow, close);
        fast.legal_moves(&state, &mut legal);
        met.nodes += 1;
        if close {
            let listed = slow.moves();
            let mut ours: Vec<_> = legal.iter().copied().map(translated).collect();
            ours.sort_unstable();
            assert_eq!(ours, listed, "hand {number}, {:?}", fast.rules());
        }
        if fast.turn(&state) == Turn::Over {
            break;
        }
        let mv = choose(style, &legal, &mut choice);
        assert!(slow.is_legal(translated(mv)), "hand {number}, {mv}, {:?}", fast.rules());
        let seat = slow.turn_of;
        met.declined += u64::from(mv == Move::End && !slow.has_played());
        met.knocks_after_plays += u64::from(mv == Move::Knock && slow.has_played());
        fast.apply(&mut state, mv, &mut chance);
        slow.play(translated(mv));
        let mut turns_begun = 0;
        while let Some((seat, _)) = slow.must_draw {
            let cards = drawn(state.hand(Seat(seat as u8)), &slow.hands[seat]);
            slow.draw(&cards);
            turns_begun += 1;
            assert!(turns_begun <= 2, "both seats passed over");
        }
        if turns_begun == 2 {
            assert_eq!(slow.turn_of, seat, "the other seat was passed over");
            met.passed_over += 1;
        }
    }
    met.hands += 1;
    match slow.end {
        Some(reference::End::KnockBy(_)) => met.knocks += 1,
        _ => met.exhausted += 1,
    }
    met.best = met.best.max(slow.value(0)).max(slow.value(1));
}

/// Turn, end, stock, squares, values; at the end and on a close look the scores and hands as well
/// (hands are compared at every draw of their seat anyway).
fn agree(fast: &Leopard, state: &State, slow: &reference::Hand, close: bool) {
    let end = match state.end() {
        End::Open => None,
        End::Knock(seat) => Some(reference::End::KnockBy(seat.index())),
        End::Exhausted => Some(reference::End::NoCardsLeft),
    };
    assert_eq!(end, slow.end);
    let turn = match fast.turn(state) {
        Turn::Seat(seat) => Some(seat.index()),
        Turn::Over => None,
    };
    assert_eq!(turn, slow.end.is_none().then_some(slow.turn_of));
    assert_eq!(state.stock().len() as usize, slow.stock.len());
    for seat in 0..2 {
        let at = Seat(seat as u8);
        assert_eq!(state.hand(at).len() as usize, slow.hands[seat].len());
        assert_eq!(i64::from(state.value(at)), slow.value(seat));
        for cell in Cell::ALL {
            let shows = state.square(at).at(cell).map(|suit| ['S', 'H', 'D', 'C'][suit.index()]);
            assert_eq!(shows, slow.shows(seat, usize::from(cell.number())));
        }
        if close || end.is_some() {
            assert!(drawn(state.hand(at), &slow.hands[seat]).is_empty(), "the same hands");
        }
    }
    if close || end.is_some() {
        let scores = fast.scores(state);
        let slow_scores = [slow.score(0), slow.score(1)];
        assert_eq!([0, 1].map(|seat: usize| i64::from(scores.0[seat])), slow_scores);
        let apart = slow_scores[0] != slow_scores[1];
        let best = apart.then(|| Seat(u8::from(slow_scores[1] > slow_scores[0])));
        assert_eq!(scores.winner(), best);
        assert_eq!(slow.all_cards(), deck(fast.rules().deck).len());
    }
}

const SQUARES: [SquaresOn; 3] = [SquaresOn::Both, SquaresOn::Own, SquaresOn::Other];

/// Random rules, with small numbers and large ones.
fn random_rules(choice: &mut Stream) -> Rules {
    let mut pick = |from: &[u8]| from[choice.below(from.len() as u32) as usize];
    let patch = Patch {
        suit_line: Some(pick(&[0, 1, 2, 3, 5, 20])),
        color_line: Some(pick(&[0, 1, 2, 4, 20])),
        knock_at: Some(pick(&[1, 2, 3, 5, 7, 12, 255])),
        bonus_over: Some(pick(&[0, 1, 3, 5, 7, 100, 255])),
        bonus_when: Some([BonusWhen::Always, BonusWhen::NoKnock][usize::from(pick(&[0, 1]))]),
        knock_penalty: Some(pick(&[0, 1, 2, 5, 100])),
        draw: Some(pick(&[1, 2, 3, 4])),
        plays: Some([Plays::One, Plays::Many][usize::from(pick(&[0, 1, 1]))]),
        hand_size: Some(pick(&[1, 2, 3, 5, 7, 8, 9, 12, 26, 51, 52])),
        face_down_covers: Some(
            [Covers::FaceUp, Covers::Any, Covers::Card][usize::from(pick(&[0, 1, 2]))],
        ),
        jacks_on: Some(SQUARES[usize::from(pick(&[0, 0, 1, 2]))]),
        queens_on: Some(SQUARES[usize::from(pick(&[0, 1, 1, 2]))]),
        knock_window: Some(
            [KnockWindow::BeforePlay, KnockWindow::AnyTime][usize::from(pick(&[0, 1]))],
        ),
        hands_per_match: None,
        deck: None,
    };
    let rules = Leopard::patched(&Rules::ORIGINAL, &patch);
    let some: Pile = Card::all().filter(|_| choice.below(3) > 0).collect();
    let twice = Card::all().filter(|_| choice.below(2) > 0);
    let cards = DeckCards::Cards(some.cards().chain(twice).collect());
    let deck = [DeckCards::TwoPacks, DeckCards::OnePack, cards][choice.below(3) as usize];
    let fits = deck.pile().len() >= 2 * u32::from(rules.hand_size);
    if fits { Rules { deck, ..rules } } else { rules }
}

#[test]
fn named_variants_agree_with_the_reference() {
    for preset in Leopard::presets() {
        let game = Leopard::new(&preset.rules).unwrap();
        let mut met = Met::default();
        for number in 0..NAMED {
            compare(&game, number, &mut met);
        }
        println!("{}: {met:?}", preset.name);
        assert_eq!(met.hands, NAMED);
        assert!(met.knocks > 100 && met.exhausted > 100, "{}: {met:?}", preset.name);
        assert_eq!(met.knocks_after_plays, 0);
        let running = preset.rules.plays == Plays::Many;
        assert_eq!(met.passed_over > 0, running, "{}: {met:?}", preset.name);
        assert_eq!(met.declined > 0, running, "{}: {met:?}", preset.name);
    }
}

#[test]
fn custom_rules_agree_with_the_reference() {
    let mut met = Met::default();
    for number in 0..CUSTOM {
        let mut choice = Seed::new(number).child(2).stream();
        let game = Leopard::new(&random_rules(&mut choice)).unwrap();
        compare(&game, number, &mut met);
    }
    println!("custom: {met:?}");
    assert_eq!(met.hands, CUSTOM);
    for count in [met.knocks, met.exhausted, met.passed_over, met.declined, met.knocks_after_plays]
    {
        assert!(count > 100, "{met:?}");
    }
}
