//! The secret rule that a dealer chooses: set up before the deal, typed by a person, or kept secret
//! until the end.

use std::iter::repeat;

use super::{Act, Eleusis, Move, Rules, Stage, State, View, corpus_rule, read_playable};
use parlour_base::cards::spaced;
use parlour_base::chance::Stream;
use parlour_base::error::{Error, Result, ensure};
use parlour_game::{Game, MANUAL, Ruled, Seat, SecretPreview, SecretSetup};

impl SecretSetup<Eleusis> for Eleusis {
    fn deal_with_setup(&self, setup: Option<u32>, rng: &mut Stream) -> State {
        self.deal_with_rule(setup, rng)
    }

    fn redacted(&self) -> Option<Eleusis> {
        self.without_secret()
    }

    fn asks_dealer(&self) -> bool {
        self.rules().secret.is_none()
    }

    fn with_secret(&self, text: &str) -> Result<Eleusis> {
        under(self, text)
    }

    fn is_manual(&self) -> bool {
        self.by_hand
    }

    fn reveal(
        &self,
        text: &str,
        start: Stream,
        moves: &[(Seat, Move)],
    ) -> Result<(Eleusis, Vec<usize>)> {
        reveal(self, text, start, moves)
    }

    fn preview(&self, text: &str, view: Option<&View>) -> Result<SecretPreview> {
        preview(text, view)
    }
}

/// Returns the game with this secret rule, or with a dealer who judges in person.
fn under(game: &Eleusis, text: &str) -> Result<Eleusis> {
    if text.trim() == MANUAL {
        return Ok(game.judged_by_person());
    }
    let secret = Some(read_playable(text)?.to_string());
    Eleusis::new(&Rules { secret, ..game.rules().clone() })
}

/// Replays a hand that a person judged, under the rule that the person now reveals. Returns the game
/// with this rule and the indices of the moves that also exist in it: all but the verdicts.
///
/// # Errors
/// The first verdict that contradicts the rule.
fn reveal(
    game: &Eleusis,
    text: &str,
    chance: Stream,
    moves: &[(Seat, Move)],
) -> Result<(Eleusis, Vec<usize>)> {
    let told = under(game, text)?;
    let [mut of_hand, mut of_rule] = [chance.clone(), chance];
    let (mut by_hand, mut by_rule) = (game.deal(&mut of_hand), told.deal(&mut of_rule));
    let mut kept = Vec::new();
    for (at, (_, mv)) in moves.iter().enumerate() {
        let of_person = [Stage::Verdict, Stage::Force].contains(&by_hand.public.stage);
        game.apply(&mut by_hand, *mv, &mut of_hand);
        // Under the rule verdicts follow, and an only right card is forced without a move.
        if !of_person || by_rule.public.stage == Stage::Force && matches!(mv, Move::Force(_)) {
            let card = mv.to_string();
            ensure(told.is_legal(&by_rule, *mv), || differs(at, &card, "it is wrong"))?;
            told.apply(&mut by_rule, *mv, &mut of_rule);
            kept.push(at);
        }
        if [Stage::Verdict, Stage::Pick, Stage::Force].contains(&by_hand.public.stage) {
            continue;
        }
        let (said, right) = (&by_hand.public.history, &by_rule.public.history);
        let pairs = said.iter().map(Some).zip(right.iter().map(Some).chain(repeat(None)));
        if let Some((said, right)) = pairs.into_iter().find(|(said, right)| said != right) {
            let what = said.map_or_else(String::new, |event| match &event.act {
                Act::Play(cards) => spaced(cards),
                Act::NoPlay { .. } => "the claim that no card fits".to_owned(),
            });
            let by_rule = match right {
                Some(event) if event.right => "it is right",
                Some(_) => "it is wrong",
                None => "the hand goes another way",
            };
            return Err(differs(at, &what, by_rule));
        }
    }
    Ok((told, kept))
}

fn differs(at: usize, what: &str, by_rule: &str) -> Error {
    Error::input(format!(
        "this rule contradicts your verdicts: at move {} ({what}), under this rule {by_rule}",
        at + 1
    ))
}

/// Returns the meaning of a typed rule and the cards that it accepts now.
fn preview(text: &str, view: Option<&View>) -> Result<SecretPreview> {
    if text.trim() == MANUAL {
        let words = Some("you keep the rule to yourself, and say right or wrong".to_owned());
        return Ok(SecretPreview { text: MANUAL.to_owned(), words, right: Vec::new() });
    }
    let rule = read_playable(text)?;
    let line = view.map_or(&[][..], |view| view.public.mainline.as_slice());
    let right = rule.right(&rule.after(line));
    let words = corpus_rule(text.trim()).map(|entry| entry.words.clone());
    Ok(SecretPreview {
        text: rule.to_string(),
        words,
        right: right.map(|card| card.to_string()).collect(),
    })
}
