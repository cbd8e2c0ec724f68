//! The moves to look at.

use crate::cards::{Card, CardSet};
use crate::games::leopard::{Covers, Move, Rules, View};
use crate::games::leopard::bots::greedy::{JACK, KING, TEN, four};

/// Tells every move but a knock; of two jacks, or two queens, the first stands for both.
#[inline(always)]
pub(super) fn candidates(rules: &Rules, view: &View, mut tell: impl FnMut(Move)) {
    let hand = view.hand.distinct().0;
    let (own, other) = (view.own(), view.other());
    let any = rules.face_down_covers == Covers::Any;
    let cells = |mask: u32| (0..9u8).filter(move |cell| mask >> cell & 1 == 1);
    let coverable = |face_up: u32| if any { 0x1FF } else { face_up };
    let lay = |card: Card, own: u32, other: u32, tell: &mut dyn FnMut(Move)| {
        cells(own).for_each(|cell| tell(Move::own(card.index(), cell)));
        cells(other).for_each(|cell| tell(Move::other(card.index(), cell)));
        if !view.played {
            tell(Move::discard(card.index()));
        }
    };
    for card in CardSet(hand & ((1 << TEN) - 1)) {
        let cell = 1 << (card.index() / 4);
        lay(card, own.open() & cell, other.open() & cell, &mut tell);
    }
    for card in four(hand, TEN) {
        lay(card, own.open(), 0, &mut tell);
    }
    if let Some(card) = four(hand, JACK).next() {
        lay(card, coverable(own.face_up()), coverable(other.face_up()), &mut tell);
    }
    if let Some(card) = four(hand, JACK + 4).next() {
        lay(card, coverable(own.face_up()), 0, &mut tell);
    }
    for card in four(hand, KING) {
        lay(card, 0x1FF, 0, &mut tell);
    }
    if view.played || hand == 0 {
        tell(Move::END);
    }
}
