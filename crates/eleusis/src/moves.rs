//! The moves of a hand and their text form.

use std::fmt;
use std::str::FromStr;

use parlour_base::cards::Card;

/// One move of one seat. A string of cards is laid card by card and then submitted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Lays a card of the hand as the next card of the string. If the rules allow only one card per
    /// play, the card is submitted at once.
    Lay(Card),
    /// Ends the string and requests the verdict on it.
    Submit,
    /// Shows the hand and claims that none of its cards is right.
    NoPlay,
    /// The prophet's verdict on the play or claim: right or wrong.
    Judge(bool),
    /// Puts this card of the shown hand on the mainline, as the dealer or the prophet.
    Force(Card),
    /// Ends the own turn without becoming prophet or stating a rule.
    Pass,
    /// Becomes prophet.
    Prophesy,
    /// Express: states a rule by its number in the game's [statements](super::Statements).
    Guess(u32),
}

/// The moves that are written as fixed words.
const WORDS: [(&str, Move); 6] = [
    ("submit", Move::Submit),
    ("no play", Move::NoPlay),
    ("right", Move::Judge(true)),
    ("wrong", Move::Judge(false)),
    ("pass", Move::Pass),
    ("prophesy", Move::Prophesy),
];

/// `7H` lays a card, `force 7H` puts it on the mainline, and `right` and `wrong` judge. The other
/// moves are `submit`, `no play`, `pass` and `prophesy`. A guess shows its number, as in `guess #17`.
/// The game's [notation](parlour_game::Game::notation) shows the stated rule instead, as in
/// `guess color != last.color`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Lay(card) => write!(f, "{card}"),
            Move::Force(card) => write!(f, "force {card}"),
            Move::Guess(number) => write!(f, "guess #{number}"),
            other => {
                let known = WORDS.iter().find(|(_, mv)| mv == other);
                f.write_str(known.map_or("", |(word, _)| word))
            }
        }
    }
}

/// Parses the displayed form.
impl FromStr for Move {
    type Err = String;

    fn from_str(text: &str) -> Result<Move, String> {
        let card = |text: &str| text.parse::<Card>().ok();
        let known = WORDS.iter().find(|(word, _)| *word == text).map(|(_, mv)| *mv);
        let read = match (text.strip_prefix("force "), text.strip_prefix("guess #")) {
            (Some(forced), _) => card(forced).map(Move::Force),
            (_, Some(number)) => number.parse().ok().map(Move::Guess),
            (None, None) => known.or_else(|| card(text).map(Move::Lay)),
        };
        read.ok_or_else(|| {
            let said: String = text.chars().take(20).collect();
            format!(
                "`{said}` is not a move: write a card to lay, `7H`, or `submit`, `no play`, \
                 `right`, `wrong`, `force 7H`, `pass`, `prophesy`, `guess red`"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_as_they_are_written() {
        let cards = || Card::all();
        let others = [Move::Submit, Move::NoPlay, Move::Pass, Move::Prophesy, Move::Guess(17)];
        let all = cards().map(Move::Lay).chain(cards().map(Move::Force)).chain(others);
        for mv in all.chain([true, false].map(Move::Judge)) {
            assert_eq!(mv.to_string().parse(), Ok(mv));
        }
        for text in ["", "7h", "force", "force X", "guess", "guess #-1", "Pass", "7H 8H"] {
            assert!(text.parse::<Move>().unwrap_err().contains("is not a move"), "{text}");
        }
    }
}
