//! What is counted during a hand of Eleusis.

use super::public::{Act, End, Event};
use super::spread::spread;
use super::{Eleusis, Move, Stage, State};
use crate::game::{Figure, Game, Measured, Ruled, Seat, Spread};

/// What is kept while a hand is played: nothing, the history of the hand holds it all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watch {
    turns: u32,
}

const fn figure(
    name: &'static str,
    above: &'static [&'static str],
    below: &'static [&'static str],
    unit: &'static str,
    meaning: &'static str,
) -> Figure {
    Figure { name, above, below, unit, meaning }
}

impl Measured for Eleusis {
    type Watch = Watch;

    const COUNTERS: &'static [&'static str] = &[
        "hands",
        "turns",
        "plays",
        "right_plays",
        "cards_played",
        "right_cards",
        "claims",
        "true_claims",
        "prophets",
        "overthrows",
        "prophets_at_end",
        "expelled",
        "guesses",
        "ended_out",
        "ended_no_play",
        "ended_guessed",
        "dealer_score",
        "player_score",
        "player_seats",
        "cards_left",
        "decks_added",
    ];

    const FIGURES: &'static [Figure] = &[
        figure("turns", &["turns"], &[], "turns a hand", "Mean number of turns of a hand."),
        figure(
            "right_play_share",
            &["right_plays"],
            &["plays"],
            "share of plays",
            "How often a play was right.",
        ),
        figure(
            "string_length",
            &["cards_played"],
            &["plays"],
            "cards a play",
            "Mean number of cards in a play.",
        ),
        figure(
            "true_claim_share",
            &["true_claims"],
            &["claims"],
            "share of claims",
            "How often a claim of no play was true.",
        ),
        figure("claims", &["claims"], &[], "claims a hand", "Claims of no play."),
        figure("prophets", &["prophets"], &[], "prophets a hand", "Players who became prophet."),
        figure(
            "overthrow_rate",
            &["overthrows"],
            &["prophets"],
            "share of prophets",
            "How often a prophet was overthrown.",
        ),
        figure(
            "prophet_at_end",
            &["prophets_at_end"],
            &[],
            "share of hands",
            "How often there was a prophet at the end.",
        ),
        figure("expelled", &["expelled"], &[], "players a hand", "Players expelled."),
        figure("guesses", &["guesses"], &[], "guesses a hand", "Rules stated in Express."),
        figure(
            "guessed_rate",
            &["ended_guessed"],
            &[],
            "share of hands",
            "How often the rule was stated rightly.",
        ),
        figure(
            "out_rate",
            &["ended_out"],
            &[],
            "share of hands",
            "How often a hand ended with a player out of cards.",
        ),
        figure(
            "no_play_end_rate",
            &["ended_no_play"],
            &[],
            "share of hands",
            "How often a hand ended with a true claim of no play.",
        ),
        figure("dealer_score", &["dealer_score"], &[], "points", "Mean points of the dealer."),
        figure(
            "player_score",
            &["player_score"],
            &["player_seats"],
            "points",
            "Mean points of a player.",
        ),
        figure(
            "cards_left",
            &["cards_left"],
            &["player_seats"],
            "cards",
            "Mean number of cards a player holds at the end.",
        ),
    ];

    const HEADLINES: &'static [&'static str] =
        &["turns", "right_play_share", "prophets", "guessed_rate", "dealer_score", "player_score"];

    const KNOWN: &'static str = "Cards played, right and wrong, when the prophet stepped up whom nobody overthrew, or in \
         Express when the rule was stated rightly: what the table can see of somebody knowing the rule.";

    fn spread(&self) -> Spread {
        spread(self)
    }

    fn known(&self, end: &State) -> Option<u32> {
        let public = end.public();
        let knows = |event: &Event| {
            event.guess.is_some_and(|(_, right)| right)
                || (event.becomes_prophet && public.prophet == Some(event.seat))
        };
        let last = public.history.iter().rposition(knows)?;
        Some(public.history[..=last].iter().map(Event::cards).sum())
    }

    fn watch(&self, watch: &mut Watch, before: &State, _: Move) {
        let public = before.public();
        // A turn starts where nothing of it is on the table yet.
        let fresh = public.stage == Stage::Play && public.string.is_empty();
        watch.turns += u32::from(fresh);
    }

    fn count(&self, watch: &Watch, end: &State, out: &mut [i64]) {
        let public = end.public();
        let scores = self.scores(end);
        let seats = i64::from(self.rules().seats);
        let mut counts = [0i64; Self::COUNTERS.len()];
        let mut add = |name: &str, amount: i64| {
            if let Some(index) = Self::COUNTERS.iter().position(|known| *known == name) {
                counts[index] += amount;
            }
        };
        add("hands", 1);
        add("turns", watch.turns.into());
        for event in public.history.iter() {
            match &event.act {
                Act::Play(cards) => {
                    add("plays", 1);
                    add("cards_played", cards.len() as i64);
                    if event.right {
                        add("right_plays", 1);
                        add("right_cards", cards.len() as i64);
                    }
                }
                Act::NoPlay { .. } => {
                    add("claims", 1);
                    add("true_claims", event.right.into());
                }
            }
            add("prophets", event.becomes_prophet.into());
            let overthrown = event.prophet_said.is_some_and(|(_, said)| said != event.right);
            add("overthrows", overthrown.into());
            add("expelled", event.expelled.into());
            add("guesses", event.guess.is_some().into());
        }
        add("prophets_at_end", public.prophet.is_some().into());
        match public.end {
            End::Out(_) => add("ended_out", 1),
            End::NoPlay(_) => add("ended_no_play", 1),
            End::Guessed(_) => add("ended_guessed", 1),
            _ => {}
        }
        add("dealer_score", scores.0[0].into());
        add("player_score", scores.0[1..].iter().map(|s| i64::from(*s)).sum());
        add("player_seats", seats - 1);
        add("cards_left", public.held.iter().map(|h| i64::from(*h)).sum());
        add("decks_added", public.decks_added.into());
        for (sum, count) in out.iter_mut().zip(counts) {
            *sum += count;
        }
    }

    fn turns(&self, watch: &Watch) -> u32 {
        watch.turns
    }

    /// The cards each seat holds.
    fn values(&self, end: &State) -> Vec<i64> {
        let seats = self.rules().seats;
        (0..seats).map(|seat| end.hand(Seat(seat)).len() as i64).collect()
    }

    fn ending(&self, end: &State) -> &'static str {
        match end.public().end {
            End::Open => "open",
            End::Out(_) => "out",
            End::NoPlay(_) => "no_play",
            End::Expelled => "expelled",
            End::StockOut => "stock_out",
            End::Guessed(_) => "guessed",
        }
    }
}
