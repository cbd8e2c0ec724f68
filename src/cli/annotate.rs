//! A strategy's opinion of the choices of a recorded hand.

use comfy_table::CellAlignment;

use super::advise::ask;
use super::{Error, Finding, Result, Seat, Seed, Sight, Strategic, Strategy, Turn, grid};
use crate::Position;
use crate::game::{Choices, Told};

/// A table with a row for each choice between several moves: what was done, what the strategy
/// would have done knowing what that seat knew, and what it makes of both.
pub(super) fn table<G: Strategic>(
    game: &G,
    strategy: &Strategy<G>,
    choices: &Choices<G>,
    seed: Seed,
) -> String {
    let would = format!("{} would", strategy.name);
    let heads = ["choice", "seat", "did", "value", &would, "value", ""];
    let mut table = grid(heads.len(), heads, Vec::<[String; 7]>::new());
    for column in [0, 1, 3, 5] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut past: Vec<(Seat, G::Move)> = Vec::new();
    let mut told = Told::new(game);
    let mut options = Vec::new();
    let (mut asked, mut agreed) = (0, 0);
    for (index, (state, made)) in choices.iter().enumerate() {
        let Turn::Of(seat) = game.turn(state) else { break };
        let view = game.view(state, seat);
        game.options(&view, &mut options);
        if options.len() > 1 {
            let sight = Sight { view: &view, past: told.to(seat, &past) };
            let findings = ask(game, strategy, seat, sight, seed.child(index as u64));
            let value = |finding: Option<&Finding<G::Move>>| {
                let tried = finding.filter(|finding| finding.visits > 0);
                tried.map_or_else(|| "-".to_owned(), |finding| format!("{:.3}", finding.value()))
            };
            let best = findings.moves.first();
            let same = best.is_some_and(|best| best.mv == *made);
            asked += 1;
            agreed += usize::from(same);
            table.add_row([
                (index + 1).to_string(),
                seat.0.to_string(),
                game.notation(*made),
                value(findings.moves.iter().find(|finding| finding.mv == *made)),
                best.map_or_else(String::new, |best| game.notation(best.mv)),
                value(best),
                if same { String::new() } else { "!".to_owned() },
            ]);
        }
        told.tell(game, state, seat, *made);
        past.push((seat, *made));
    }
    format!(
        "{table}\n{} would have done the same in {agreed} of {asked} choices; `!` marks the others. \
         A value is a mean reward to the seat that chose, `-` for a move that was not tried.",
        strategy.name
    )
}

/// The position of a choice, from 1, as the seat to move saw it.
pub(super) fn position<G: Strategic>(
    game: &G,
    choices: &Choices<G>,
    number: usize,
) -> Result<Position<G::Patch, G::View>> {
    let (mut past, mut told) = (Vec::new(), Told::new(game));
    for (index, (state, made)) in choices.iter().enumerate() {
        let Turn::Of(seat) = game.turn(state) else { break };
        if index + 1 == number {
            let view = game.view(state, seat);
            return Ok(Position::of(game, &view, told.to(seat, &past)));
        }
        told.tell(game, state, seat, *made);
        past.push((seat, *made));
    }
    let what = format!("the hand has {} choices; `--position` is {number}", choices.len());
    Err(Error::input(what))
}
