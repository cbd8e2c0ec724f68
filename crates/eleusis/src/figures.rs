//! Figures of a hand, and the counts behind them.

use super::{Eleusis, End, Event, Move, State, figures};
use parlour_game::counts;
use parlour_game::{FinishedHand, ForcedByRules, Game, Measured, Reading, Ruled, StandardBins};
use parlour_stats::Bins;

type Figure = parlour_game::Figure<Eleusis>;

counts! {
    /// Counts of finished hands.
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
        /// The sum of all players' points.
        player_score,
        /// The number of players.
        player_seats,
        /// Cards in the players' hands at the end.
        cards_left,
        /// Decisions in hands with analyzed decisions. The next two fields count their legal moves and
        /// those with only one.
        decisions,
        moves,
        forced,
    }
}

impl Measured for Eleusis {
    /// The number of turns; all other statistics follow from the hand's history.
    type HandStats = u32;
    type HandCounts = HandCounts;

    const FIGURES: &'static [Figure] = figures! {
        /// Mean number of turns per hand.
        turns: "turns per hand" = turns, headline;
        /// Share of right plays.
        right_play_share: "share of plays" = right_plays / plays, headline;
        /// Mean number of cards per play.
        string_length: "cards a play" = cards_played / plays;
        /// Share of true claims of no play.
        true_claim_share: "share of claims" = true_claims / claims;
        /// Claims of no play.
        claims: "claims per hand" = claims;
        /// Players who became prophet.
        prophets: "prophets per hand" = prophets, headline;
        /// Share of prophets that were overthrown.
        overthrow_rate: "share of prophets" = overthrows / prophets;
        /// Share of hands with a prophet at the end.
        prophet_at_end: "share of hands" = prophets_at_end;
        /// Players expelled.
        expelled: "players per hand" = expelled;
        /// Rules stated in Express.
        guesses: "guesses per hand" = guesses;
        /// Share of hands in which the secret rule was stated.
        guessed_rate: "share of hands" = ended_guessed, headline;
        /// Share of hands that ended with a player out of cards.
        out_rate: "share of hands" = ended_out;
        /// Share of hands that ended with a true claim of no play.
        no_play_end_rate: "share of hands" = ended_no_play;
        /// Mean points of the dealer.
        dealer_score: "points" = dealer_score, headline;
        /// Mean points of a player.
        player_score: "points" = player_score / player_seats, headline;
        /// Mean number of cards in a player's hand at the end.
        cards_left: "cards" = cards_left / player_seats;
        /// Mean number of legal moves per decision.
        choices: "moves" = moves / decisions, headline;
        /// Share of decisions with only one legal move.
        forced_share: "share of choices" = forced / decisions;
        /// Cards played, right and wrong, before a lasting prophet stepped up or, in Express, before
        /// the secret rule was stated. It is the visible sign that a player knows the rule.
        cards_until_the_rule_is_known: "cards played" => Reading::Histogram { bins: |game| bins(game).1, read: known };
    };

    fn forced_figures(&self) -> Vec<(&'static str, ForcedByRules)> {
        let rules = self.rules();
        let all = [
            // The dealer scores as the best player; only a prophet can lower the dealer's score.
            ("draw_rate", ForcedByRules::Always, !rules.prophet),
            ("prophets", ForcedByRules::Never, !rules.prophet),
            ("prophet_at_end", ForcedByRules::Never, !rules.prophet),
            ("expelled", ForcedByRules::Never, !rules.expulsion),
            ("string_length", ForcedByRules::Always, rules.longest_string() == 1),
            ("guesses", ForcedByRules::Never, !rules.express),
            ("guessed_rate", ForcedByRules::Never, !rules.express),
        ];
        all.into_iter().filter_map(|(name, forced, is)| is.then_some((name, forced))).collect()
    }

    fn track_move(&self, turns: &mut u32, before: &State, _: Move) {
        *turns += u32::from(before.public.is_turn_start());
    }

    fn counts(&self, turns: &u32, end: &State) -> HandCounts {
        let public = &end.public;
        let scores = self.scores(end).0;
        let count = |is: fn(&Event) -> bool| public.history.iter().filter(|e| is(e)).count() as i64;
        let cards = public.history.iter().filter(|event| event.is_play()).map(Event::cards);
        HandCounts {
            turns: (*turns).into(),
            plays: count(Event::is_play),
            right_plays: count(|event| event.is_play() && event.right),
            cards_played: cards.map(i64::from).sum(),
            claims: count(|event| !event.is_play()),
            true_claims: count(|event| !event.is_play() && event.right),
            prophets: count(|event| event.becomes_prophet),
            overthrows: count(Event::overthrows),
            prophets_at_end: public.prophet.is_some().into(),
            expelled: count(|event| event.expelled),
            guesses: public.history.iter().flat_map(Event::guesses).count() as i64,
            ended_out: matches!(public.end, End::Out(_)).into(),
            ended_no_play: matches!(public.end, End::NoPlay(_)).into(),
            ended_guessed: matches!(public.end, End::Guessed(_)).into(),
            dealer_score: scores[0].into(),
            player_score: scores[1..].iter().map(|points| i64::from(*points)).sum(),
            player_seats: i64::from(self.rules().seats) - 1,
            cards_left: public.held.iter().map(|held| i64::from(*held)).sum(),
            ..HandCounts::default()
        }
    }

    fn turns(&self, turns: &u32) -> u32 {
        *turns
    }

    /// Returns the number of cards of each seat.
    fn values(&self, end: &State) -> Vec<i64> {
        end.public.held[..self.seats()].iter().map(|held| i64::from(*held)).collect()
    }

    fn ending(&self, end: &State) -> &'static str {
        end.public.end.into()
    }

    fn standard_bins(&self) -> StandardBins {
        bins(self).0
    }
}

/// Returns the number of cards played before a player knew the secret rule, if one did.
fn known(hand: &FinishedHand<'_, Eleusis>) -> Option<i32> {
    let public = &hand.end.public;
    let knows = |event: &Event| {
        event.guesses().any(|(_, right)| right)
            || (event.becomes_prophet && public.prophet == Some(event.seat))
    };
    let last = public.history.iter().rposition(knows)?;
    Some(public.history[..=last].iter().map(Event::cards).sum::<u32>() as i32)
}

/// The maximum number of bins of a histogram.
const MAX_BINS: i32 = 60;

/// Returns bins that hold nearly all hands: for points and turns, and for cards until the rule is
/// known. The possible range is far larger than the actual one. The ends come from hands of `bayes`,
/// `cautious` and `random`.
///
/// With strings of any length, players who know the rule lay whole hands at once, and each card pays
/// the prophet. In Express wrong cards cost points, and a table that does not find the rule plays to
/// the end of the stock.
fn bins(game: &Eleusis) -> (StandardBins, Bins) {
    let rules = game.rules();
    let (points, turns, known) = match rules {
        _ if rules.express => (-36..=21, 219, 219),
        _ if rules.longest_string() > 4 => (0..=259, 119, 179),
        _ => (0..=129, 119, 119),
    };
    let (least, most) = game.score_range();
    let (low, high) = (least.max(*points.start()), most.min(*points.end()));
    let score = Bins::over(low, high, MAX_BINS);
    let spread = StandardBins {
        score,
        margin: margin(high - low, score.width),
        turns: Bins::over(0, turns.min(game.max_moves() as i32), MAX_BINS),
    };
    (spread, Bins::over(0, known, MAX_BINS))
}

/// Returns the bins of the margin. The dealer never has more points than the best player, so all bins
/// but one are at or below 0. The last bin stays empty.
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
