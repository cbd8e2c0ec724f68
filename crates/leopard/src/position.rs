//! Positions written by hand, with their checks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cells::{CELLS, CardKind, Cell};
use super::{Leopard, Patch, Plays, Rules, Square, State, View};
use parlour_base::cards::{Card, Pile};
use parlour_base::error::{Error, Faults, Result, ensure};
use parlour_base::files::parse_json;
use parlour_game::variant::Variant;
use parlour_game::{Game, Position, Ruled, Seat, read_position};

/// The knowledge of a seat that must choose, after its draw. It may have faults; a view made of it
/// has none.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LeopardPositionByHand")]
pub struct BoardPosition {
    /// Always `leopard`.
    #[serde(default)]
    pub game: String,
    /// Name of the variant, or the path of its file [default: `revised`].
    #[serde(default = "revised")]
    pub variant: String,
    /// Rules that differ from the variant.
    #[serde(default)]
    pub rules: Patch,
    /// The seat that chooses, 0 or 1 (0 moved first in the hand).
    #[serde(default)]
    pub seat: u8,
    /// The cards of the seat.
    pub hand: Vec<Card>,
    /// The face-up cards on its own nine cells, row by row; null for an open cell.
    pub own: Vec<Option<Card>>,
    /// The face-up cards on the other square.
    pub other: Vec<Option<Card>>,
    /// Cards out of play that were seen: discarded, laid face down, or under other cards.
    #[serde(default)]
    pub gone: Vec<Card>,
    /// Number of cards in the stock [default: all cards that are nowhere else].
    pub stock: Option<u32>,
    /// Number of cards in the other hand [default: those that are nowhere else; without `stock` at
    /// most a full hand].
    pub other_held: Option<u32>,
    /// Set to true if the seat has made a play in this turn.
    #[serde(default)]
    pub played: bool,
}

fn revised() -> String {
    "revised".to_owned()
}

/// Tells the two forms of a position apart.
#[derive(Deserialize)]
struct Form {
    view: Option<serde::de::IgnoredAny>,
}

/// Reads a position written by hand or by a program.
pub(super) fn read(file: &str, text: &str) -> Result<Position<Leopard>> {
    if parse_json::<Form>(file, text)?.view.is_some() {
        return read_position(file, text);
    }
    let position: BoardPosition = parse_json(file, text)?;
    let (game, view) = position.view().map_err(|error| error.in_file(file))?;
    Position::checked(game, view, Vec::new()).map_err(|error| error.in_file(file))
}

impl BoardPosition {
    /// Returns the game and the view of the seat.
    ///
    /// # Errors
    /// Every fault of the position.
    pub fn view(&self) -> Result<(Leopard, View)> {
        let mut faults = Faults::default();
        let variant = Variant::<Leopard>::named(&self.variant);
        let rules = variant.map(|it| it.game.rules().clone()).unwrap_or_else(|unknown| {
            faults.add(unknown);
            Rules::REVISED
        });
        let rules = Leopard::patched(&rules, &self.rules);
        let seat = usize::from(self.seat) & 1;
        let mut setup = Setup { to_move: self.seat, played: self.played, ..Setup::default() };
        for (name, cells, at) in [("own", &self.own, seat), ("other", &self.other, seat ^ 1)] {
            match <[Option<Card>; CELLS]>::try_from(&cells[..]) {
                Ok(cells) => setup.squares[at] = cells,
                Err(_) => {
                    let count = cells.len();
                    faults.push(format!("`{name}` has {count} cells; a square has nine"));
                }
            }
        }
        setup.hands[seat].clone_from(&self.hand);
        setup.gone.clone_from(&self.gone);
        // Cards that are named too often are reported below.
        let unseen = setup.stock(&rules, &mut Faults::default());
        let left = unseen.len();
        let other_held = self.other_held.unwrap_or_else(|| match self.stock {
            Some(stock) => left.saturating_sub(stock),
            None => left.min(rules.hand_size.into()),
        });
        let stock = self.stock.unwrap_or(left.saturating_sub(other_held));
        let total = u64::from(stock) + u64::from(other_held);
        if u64::from(left) != total {
            faults.push(format!(
                "`stock` and `other_held` make {total} cards; of {}, {left} are not in `hand`, \
                 `own`, `other` or `gone`",
                rules.deck.pile().len()
            ));
        }
        // Any cards will do for the other seat: a view does not show them.
        setup.hands[seat ^ 1] = unseen.cards().take(other_held.min(104) as usize).collect();
        match setup.state(&rules).map_err(|more| faults.add(more)) {
            Ok(state) if faults.is_empty() => {
                let game = Leopard::new(&rules)?;
                let view = game.view(&state, Seat(seat as u8));
                Ok((game, view))
            }
            _ => Err(faults.into()),
        }
    }
}

/// A position in the middle of a hand, after the draw of the seat to move. It may have faults; a
/// [`State`] made of it has none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// The cards of each seat, in any order.
    pub hands: [Vec<Card>; 2],
    /// The face-up card on each cell of each seat's square, if any.
    pub squares: [[Option<Card>; CELLS]; 2],
    /// Cards out of play: discarded, laid face down, or under other cards.
    pub gone: Vec<Card>,
    /// The seat to move, 0 or 1.
    pub to_move: u8,
    /// Set to `true` if the seat to move has made a play in this turn.
    pub played: bool,
}

impl Setup {
    /// Returns the position under these rules. All cards that are not named are in the stock.
    ///
    /// The position need not be reachable in play: hands may have any size.
    ///
    /// # Errors
    /// Every fault of the position.
    pub fn state(&self, rules: &Rules) -> Result<State> {
        let mut faults = rules.faults();
        let stock = self.stock(rules, &mut faults);
        let squares = [0, 1].map(|seat| self.square(seat, &mut faults));
        if self.to_move > 1 {
            faults.push(format!("the `seat` to move is {}; it must be 0 or 1", self.to_move));
        }
        if self.played && rules.plays == Plays::One {
            faults.push("with one play a turn, the seat to move has not played yet");
        }
        faults.into_result()?;
        let values = squares.map(|square| square.value(rules) as u8);
        let state = State {
            hands: self.hands.each_ref().map(|hand| hand.iter().copied().collect()),
            stock,
            squares,
            values,
            held: self.hands.each_ref().map(|hand| hand.len() as u8),
            stock_len: stock.len() as u8,
            seat: Seat(self.to_move),
            played: self.played,
            ..State::default()
        };
        check_choice(rules, &state).map(|()| state).map_err(Error::input)
    }

    /// The cards that are neither held nor on a square nor gone.
    pub(super) fn stock(&self, rules: &Rules, faults: &mut Faults) -> Pile {
        let mut stock = rules.deck.pile();
        let mut extra = Pile::EMPTY;
        let on_squares = self.squares.iter().flatten().flatten();
        for &card in self.hands.iter().flatten().chain(on_squares).chain(&self.gone) {
            // Each card is reported once, however often it is named.
            if !stock.remove(card) && extra.count(card) == 0 {
                extra.add(card);
                let what = format!("`{card}` is named more often than the deck has it");
                faults.push(what);
            }
        }
        stock
    }

    fn square(&self, seat: usize, faults: &mut Faults) -> Square {
        let mut square = Square::EMPTY;
        for (cell, card) in Cell::ALL.into_iter().zip(self.squares[seat]) {
            let Some(card) = card else { continue };
            let number = cell.number();
            match CardKind::of(card) {
                CardKind::Number(right) if right != cell => faults.push(format!(
                    "`{card}` lies on cell {number} of seat {seat}; it can lie on cell {} only",
                    right.number()
                )),
                CardKind::Jack | CardKind::Queen => faults.push(format!(
                    "`{card}` lies face up on cell {number} of seat {seat}; jacks and queens lie \
                     face down: leave the cell open and name the card among those gone"
                )),
                _ => square.put(card, cell),
            }
        }
        square
    }
}

/// Checks that the seat to move has a choice.
fn check_choice(rules: &Rules, state: &State) -> std::result::Result<(), String> {
    let (seat, stock) = (state.seat.side(), state.stock_len);
    let is_over = stock == 0 && state.held == [0, 0];
    ensure(!is_over, || "the stock and both hands are empty: the hand is over".to_owned())?;
    let has_move = state.held[seat] > 0 || state.played;
    ensure(has_move || stock == 0, || {
        format!("seat {seat} holds no card, but it draws from the stock first")
    })?;
    ensure(has_move || state.values[seat] >= rules.knock_at, || {
        format!("seat {seat} has neither a card nor a knock and is passed over: it is not its turn")
    })
}

#[cfg(test)]
mod tests {
    use super::super::Side;
    use super::*;

    fn position() -> BoardPosition {
        serde_json::from_str(
            r#"{ "hand": ["AS", "KD"], "own": [null, "2H", null, null, null, null, null, null, null],
                 "other": [null, null, null, null, null, null, null, null, null],
                 "gone": ["JS"], "stock": 92, "other_held": 8 }"#,
        )
        .unwrap()
    }

    #[test]
    fn a_right_position_is_a_view() {
        let (game, view) = position().view().unwrap();
        assert_eq!(view.hand.len(), 2);
        assert_eq!(view.unseen.len(), 100);
        assert_eq!((view.stock_len, view.held), (92, [2, 8]));
        assert_eq!(format!("{:?}", view.square(Side::Own)), ".H./.../...");
        let mut options = Vec::new();
        game.legal_moves_in_view(&view, &mut options);
        assert!(!options.is_empty());
    }

    #[test]
    fn the_stock_follows_from_the_other_cards() {
        let held = |stock, other_held| {
            let (_, view) = BoardPosition { stock, other_held, ..position() }.view().unwrap();
            (view.stock_len, view.held[1])
        };
        assert_eq!(held(None, Some(5)), (95, 5));
        assert_eq!(held(Some(90), None), (90, 10));
        assert_eq!(held(None, None), (92, 8));
    }

    #[test]
    fn every_fault_is_named() {
        let mut wrong = position();
        wrong.variant = "revisd".to_owned();
        (wrong.seat, wrong.stock) = (3, Some(500));
        wrong.own.pop();
        wrong.hand = vec!["AS".parse().unwrap(); 3];
        wrong.other[0] = Some("2C".parse().unwrap());
        wrong.other[1] = Some("JC".parse().unwrap());
        let faults = wrong.view().unwrap_err();
        assert_eq!(faults.faults().len(), 7, "{faults:#?}");
    }
}

#[cfg(test)]
mod setup_tests {
    use super::super::cells::Cells;
    use super::*;

    fn cards(text: &str) -> Vec<Card> {
        text.split_whitespace().map(|card| card.parse().unwrap()).collect()
    }

    #[test]
    fn a_right_setup_is_a_state() {
        let mut setup = Setup { hands: [cards("AS JH"), cards("KD")], ..Setup::default() };
        setup.squares[0][8] = Some("9C".parse().unwrap());
        setup.gone = cards("QS QS");
        let state = setup.state(&Rules::REVISED).unwrap();
        assert_eq!(state.stock().len(), 104 - 6);
        assert_eq!(state.square(Seat(0)).face_up(), Cells::only(Cell::ALL[8]));
    }

    #[test]
    fn all_that_is_wrong_is_reported() {
        let mut setup = Setup { hands: [cards("AS AS AS AS"), cards("KD")], ..Setup::default() };
        setup.squares[0][0] = Some("2H".parse().unwrap());
        setup.squares[1][4] = Some("QC".parse().unwrap());
        (setup.to_move, setup.played) = (2, true);
        let rules = Rules { draw: 0, ..Rules::REVISED };
        let faults = setup.state(&rules).unwrap_err();
        assert_eq!(faults.faults().len(), 6, "{faults:#?}");
    }

    #[test]
    fn a_seat_without_a_choice_is_not_to_move() {
        let over = |setup: &Setup| setup.state(&Rules::REVISED).unwrap_err().to_string();
        let mut setup = Setup { hands: [vec![], cards("KD")], ..Setup::default() };
        assert!(over(&setup).contains("draws from the stock"));
        let mut rest = Pile::TWO_DECKS;
        rest.remove("KD".parse().unwrap());
        setup.gone = rest.cards().collect();
        assert!(over(&setup).contains("passed over"));
        setup.to_move = 1;
        assert!(setup.state(&Rules::REVISED).is_ok());
        setup.hands[1].clear();
        setup.gone = Pile::TWO_DECKS.cards().collect();
        assert!(over(&setup).contains("the hand is over"));
    }
}
