//! What is measured of a hand of Eleusis: its figures, and what is kept and counted for them.

use super::public::{Act, End, Event};
use super::{Eleusis, Move, Stage, State};
use crate::chance::Stream;
use crate::game::{
    Choices, Decisions, FinishedHand, ForcedByRules, Game, LuckEvaluator, Measured, Reading, Ruled,
    Seat, StandardBins,
};
use crate::stats::Bins;
use crate::{counts, figures};

/// What is kept while a hand is played; all else stands in its history.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandStats {
    turns: u32,
}

type Figure = crate::game::Figure<Eleusis>;

counts! {
    /// What a finished hand counts.
    pub struct HandCounts {
        turns,
        plays,
        right_plays,
        cards_played,
        /// Claims of no play.
        claims,
        true_claims,
        /// Players who became prophet.
        prophets,
        overthrows,
        prophets_at_end,
        expelled,
        guesses,
        ended_out,
        ended_no_play,
        ended_guessed,
        dealer_score,
        /// The points of all players.
        player_score,
        /// How many they are.
        player_seats,
        /// Cards that they hold at the end.
        cards_left,
        /// What follows is known of hands whose decisions were looked at: how often a seat chose, among
        /// how many moves, and among one alone.
        decisions,
        moves,
        forced,
    }
}

impl Measured for Eleusis {
    type HandStats = HandStats;
    type HandCounts = HandCounts;

    const FIGURES: &'static [Figure] = figures! {
        /// Mean number of turns of a hand.
        turns: "turns per hand" = turns, headline;
        /// How often a play was right.
        right_play_share: "share of plays" = right_plays / plays, headline;
        /// Mean number of cards in a play.
        string_length: "cards a play" = cards_played / plays;
        /// How often a claim of no play was true.
        true_claim_share: "share of claims" = true_claims / claims;
        /// Claims of no play.
        claims: "claims per hand" = claims;
        /// Players who became prophet.
        prophets: "prophets per hand" = prophets, headline;
        /// How often a prophet was overthrown.
        overthrow_rate: "share of prophets" = overthrows / prophets;
        /// How often there was a prophet at the end.
        prophet_at_end: "share of hands" = prophets_at_end;
        /// Players expelled.
        expelled: "players per hand" = expelled;
        /// Rules stated in Express.
        guesses: "guesses per hand" = guesses;
        /// How often the rule was stated rightly.
        guessed_rate: "share of hands" = ended_guessed, headline;
        /// How often a hand ended with a player out of cards.
        out_rate: "share of hands" = ended_out;
        /// How often a hand ended with a true claim of no play.
        no_play_end_rate: "share of hands" = ended_no_play;
        /// Mean points of the dealer.
        dealer_score: "points" = dealer_score, headline;
        /// Mean points of a player.
        player_score: "points" = player_score / player_seats, headline;
        /// Mean number of cards a player holds at the end.
        cards_left: "cards" = cards_left / player_seats;
        /// Mean number of moves that the rules allow where a seat chooses.
        choices: "moves" = moves / decisions, headline;
        /// How often the rules allow one move alone.
        forced_share: "share of choices" = forced / decisions;
        /// Cards played, right and wrong, when the prophet stepped up whom nobody overthrew, or in
        /// Express when the rule was stated rightly: what the table can see of somebody knowing the
        /// rule.
        cards_until_the_rule_is_known: "cards played" => Reading::Histogram { bins: |game| bins(game).1, read: known };
    };

    fn forced_figures(&self) -> Vec<(&'static str, ForcedByRules)> {
        let rules = self.rules();
        // The dealer has what the best player has; only a prophet's dealer may have less.
        let without_prophet = [
            ("draw_rate", ForcedByRules::Always),
            ("prophets", ForcedByRules::Never),
            ("prophet_at_end", ForcedByRules::Never),
        ];
        let mut fixed = Vec::new();
        fixed.extend(without_prophet.into_iter().filter(|_| !rules.prophet));
        fixed.extend((!rules.expulsion).then_some(("expelled", ForcedByRules::Never)));
        fixed.extend(
            (rules.longest_string() == 1).then_some(("string_length", ForcedByRules::Always)),
        );
        if !rules.express {
            fixed.extend(["guesses", "guessed_rate"].map(|name| (name, ForcedByRules::Never)));
        }
        fixed
    }

    const DECISION_COUNTS: &'static [&'static str] = &["decisions", "moves", "forced"];

    fn count_decisions(
        &self,
        choices: &Choices<Eleusis>,
        _: Option<&dyn LuckEvaluator<Eleusis>>,
        _: &mut Stream,
    ) -> HandCounts {
        let Decisions { decisions, moves, forced } = Decisions::of(self, choices);
        HandCounts { decisions, moves, forced, ..HandCounts::default() }
    }

    fn track_move(&self, stats: &mut HandStats, before: &State, _: Move) {
        let public = &before.public;
        // A turn starts where nothing of it is on the table yet.
        let fresh = public.stage == Stage::Play && public.string.is_empty();
        stats.turns += u32::from(fresh);
    }

    fn counts(&self, stats: &HandStats, end: &State) -> HandCounts {
        let public = &end.public;
        let scores = self.scores(end);
        let mut counts = HandCounts {
            turns: stats.turns.into(),
            prophets_at_end: public.prophet.is_some().into(),
            ended_out: matches!(public.end, End::Out(_)).into(),
            ended_no_play: matches!(public.end, End::NoPlay(_)).into(),
            ended_guessed: matches!(public.end, End::Guessed(_)).into(),
            dealer_score: scores.0[0].into(),
            player_score: scores.0[1..].iter().map(|s| i64::from(*s)).sum(),
            player_seats: i64::from(self.rules().seats) - 1,
            cards_left: public.held.iter().map(|h| i64::from(*h)).sum(),
            ..HandCounts::default()
        };
        for event in public.history.iter() {
            match &event.act {
                Act::Play(cards) => {
                    counts.plays += 1;
                    counts.cards_played += cards.len() as i64;
                    counts.right_plays += i64::from(event.right);
                }
                Act::NoPlay { .. } => {
                    counts.claims += 1;
                    counts.true_claims += i64::from(event.right);
                }
            }
            counts.prophets += i64::from(event.becomes_prophet);
            counts.overthrows += i64::from(event.overthrows());
            counts.expelled += i64::from(event.expelled);
            counts.guesses += i64::from(event.guess.is_some());
        }
        counts
    }

    fn turns(&self, stats: &HandStats) -> u32 {
        stats.turns
    }

    /// The cards each seat holds.
    fn values(&self, end: &State) -> Vec<i64> {
        let seats = self.rules().seats;
        (0..seats).map(|seat| end.hand(Seat(seat)).len() as i64).collect()
    }

    fn ending(&self, end: &State) -> &'static str {
        match end.public.end {
            End::Open => "open",
            End::Out(_) => "out",
            End::NoPlay(_) => "no_play",
            End::Expelled => "expelled",
            End::StockOut => "stock_out",
            End::Guessed(_) => "guessed",
        }
    }

    fn standard_bins(&self) -> StandardBins {
        bins(self).0
    }
}

/// How many cards were played before somebody knew the secret rule; none where nobody did.
fn known(hand: &FinishedHand<'_, Eleusis>) -> Option<i32> {
    let public = &hand.end.public;
    let knows = |event: &Event| {
        event.guess.is_some_and(|(_, right)| right)
            || (event.becomes_prophet && public.prophet == Some(event.seat))
    };
    let last = public.history.iter().rposition(knows)?;
    Some(public.history[..=last].iter().map(Event::cards).sum::<u32>() as i32)
}

/// The most bins of one histogram.
const MOST: i32 = 60;

/// Bins within which nearly all hands lie: of points and turns, and of cards until the rule is
/// known. What a hand can come to is far more than what hands do come to; the ends here were read
/// off hands of `bayes`, `cautious` and `random`.
///
/// Where a string may be of any length, a prophet and a table that knows the rule play whole hands
/// at once, each card of which pays. In Express no card pays, wrong ones cost points, and a table
/// that does not find the rule plays on to the end of the stock.
fn bins(game: &Eleusis) -> (StandardBins, Bins) {
    let rules = game.rules();
    let (points, turns, known) = match rules {
        _ if rules.express => (-36..=21, 219, 219),
        _ if rules.longest_string() > 4 => (0..=259, 119, 179),
        _ => (0..=129, 119, 119),
    };
    let (least, most) = game.score_range();
    let (low, high) = (least.max(*points.start()), most.min(*points.end()));
    let score = Bins::over(low, high, MOST);
    let spread = StandardBins {
        score,
        margin: margin(high - low, score.width),
        turns: Bins::over(0, turns.min(game.max_moves() as i32), MOST),
    };
    (spread, Bins::over(0, known, MOST))
}

/// The dealer has never more points than the best player: below the bin with 0 in its middle lie
/// all the others but one, which stays empty and shows that nothing lies beyond.
fn margin(reach: i32, width: i32) -> Bins {
    let width = width | 1;
    let below = (reach - width / 2 + width - 1) / width;
    Bins { low: -below * width - width / 2, width, count: below as usize + 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_margin_is_the_middle_of_the_last_bin_but_one() {
        for (reach, width) in [(259, 5), (129, 3), (57, 1), (30, 2), (0, 1)] {
            let bins = margin(reach, width);
            assert_eq!(bins.of(0), bins.count - 2, "{bins:?}");
            assert_eq!(bins.middle(bins.of(0)), 0.0, "{bins:?}");
            assert!(bins.low <= -reach, "{bins:?}");
        }
    }
}
