//! The sums of progress files of format 3, which have no names: what stood where.
//!
//! This is a fact about files that were written. It does not change, whatever games there are and
//! whatever they count now.

use super::tally::Sums;
use super::written::Sparse;
use super::{Layout, Tally};

/// Of each game the counters of every table and the figures of every variant, in their order.
const COUNTED: [(&str, &str, &str); 3] = [
    (
        "leopard",
        "hands turns knocks knocker_wins knocker_losses value_0 value_1 score_0 score_1 \
         suit_points color_points bonus_points lead_changes plays plays_on_other discards",
        "lead_over_time",
    ),
    (
        "leapfrog",
        "hands turns leaps chains first_points captured left points_left lead_changes score_0 \
         score_1 score_2 score_3",
        "lead_over_time captures_on_the_board",
    ),
    (
        "eleusis",
        "hands turns plays right_plays cards_played right_cards claims true_claims prophets \
         overthrows prophets_at_end expelled guesses ended_out ended_no_play ended_guessed \
         dealer_score player_score player_seats cards_left decks_added",
        "cards_until_the_rule_is_known",
    ),
];

/// The tally of so many deals whose sums stand in a row. What was not counted then is missing.
/// None when the row does not fit the plan.
pub(super) fn tally(row: &Sparse, deals: u64, layout: &Layout) -> Option<Tally> {
    let (_, counters, figures) = COUNTED.iter().find(|(game, ..)| *game == layout.game)?;
    let [counters, figures] = [counters, figures].map(|names| names.split(' ').collect::<Vec<_>>());
    let mut tally = Tally { deals, ..layout.empty() };
    let at = ("", "");
    let mut row = row.iter();
    let mut whole = true;
    let mut next = || {
        let number = row.next();
        whole &= number.is_some();
        number.unwrap_or_default()
    };
    let Tally { tables, variants, .. } = &mut tally;
    for (table, &variant) in tables.iter_mut().zip(&layout.variant_of) {
        let two = table.slots.len() == 2;
        table.walk(deals, at, &mut |(_, name), number| match name {
            "turns" | "faults" => {}
            "deals" if !two => {}
            _ => *number = next(),
        });
        let counts = &mut variants[variant].counts;
        for counter in &counters {
            let number = next();
            if *counter == "turns" {
                table.turns = number as u64;
            }
            if let Some(at) = counts.names.iter().position(|name| name == counter) {
                counts.sums[at] += number;
            }
        }
    }
    variants.iter_mut().for_each(|variant| variant.first.walk(deals, at, &mut |_, n| *n = next()));
    variants
        .iter_mut()
        .for_each(|variant| variant.standings.walk(deals, at, &mut |_, n| *n = next()));
    let control = |name: &str| layout.control == Some(name);
    for variant in variants.iter_mut() {
        for row in variant.figures.iter_mut().filter(|row| control(row.name)) {
            row.sums.fill_with(&mut next);
        }
    }
    for variant in variants.iter_mut() {
        variant.scores.fill_with(&mut next);
        variant.margin.fill_with(&mut next);
        variant.turns.fill_with(&mut next);
        for figure in &figures {
            let row = variant.figures.iter_mut().find(|row| row.name == *figure);
            row?.sums.fill_with(&mut next);
        }
    }
    let known = |name: &&str| !counters.contains(name) && !figures.contains(name) && !control(name);
    if let Some(variant) = tally.variants.first() {
        let names = variant.counts.names.iter().copied();
        let names = names.chain(variant.figures.iter().map(|row| row.name));
        tally.missing = names.filter(known).collect();
    }
    (whole && row.next().is_none()).then_some(tally)
}
