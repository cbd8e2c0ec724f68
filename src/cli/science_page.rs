//! The report page of a rule-discovery study.

use maud::{Markup, html};

use crate::chart::{lines, show};
use crate::games::eleusis::science::{CalibrationBin, CaseResult, CurvePoint, Means, Study, TURNS};
use crate::results::TextTable;
use crate::results::report::{Page, Section, figure, sortable};
use crate::stats::Estimate;

/// Makes the page of a strategy; `source` is the origin of the cases.
pub(super) fn page(study: &Study, strategy: &str, seed: u64, source: &str) -> String {
    let (curve, bins, rules) = (study.learning_curve(), study.calibration(), study.by_rule());
    let has_beliefs = curve.iter().any(|point| point.truth.is_some());
    let (cases, all) = (study.results.len(), rules.len());
    let page = Page {
        above: "eleusis · science".to_owned(),
        name: strategy,
        question: &format!("How well does `{strategy}` discover a secret rule on its own?"),
        answer: &answer(study, strategy, &bins),
        size: format!(
            "{source}: {cases} cases of {all} rules; at most {TURNS} cards per case; seed {seed}; \
             program {}",
            crate::PROGRAM
        ),
        first_screen: learning_curve(&curve, has_beliefs),
        open: Section { id: "evidence", title: "Is it calibrated?", body: calibration(&bins) },
        folded: vec![
            Section { id: "telling", title: "Information of its cards", body: information(&curve) },
            Section { id: "rules", title: "The rules, hardest first", body: hardest(&rules) },
            Section { id: "method", title: "Method", body: method(has_beliefs) },
        ],
        files: html! {
            p { "Tables: " a href="science.csv" { "science.csv" } " has one row per card, "
                a href="science_summary.csv" { "science_summary.csv" } " one per case. "
                a href="manifest.json" { "manifest.json" } " describes the run." }
        },
    };
    page.render()
}

/// The score and the share of rules found, then the calibration of confident guesses.
fn answer(study: &Study, strategy: &str, bins: &[CalibrationBin]) -> Vec<String> {
    let means = study.means();
    let [score, solved] = study.intervals();
    let mut answer = vec![format!(
        "`{strategy}` found {} % of the rules and scored {} of {TURNS} points.",
        show(solved.map(percent)),
        show(score),
    )];
    if let Some(turn) = means.turn {
        answer.push(format!(
            "It found a rule with card {turn:.1} on average and made {:.2} wrong commitments per case.",
            means.wrong_commitments
        ));
    }
    let confident = || bins.iter().filter(|bin| bin.low >= 0.5);
    if confident().next().is_some() {
        let sum = |figure: fn(&CalibrationBin) -> f64| -> f64 {
            confident().map(|bin| figure(bin) * bin.guesses as f64).sum()
        };
        let mean = |figure| 100.0 * sum(figure) / sum(|_| 1.0);
        let right = mean(|bin| bin.right.map_or(0.0, |right| right.value));
        let stated = mean(|bin| bin.stated);
        answer.push(format!(
            "Of its guesses with a stated probability of at least 50 %, {right:.0} % were right; the \
             mean stated probability was {stated:.0} %."
        ));
    }
    answer
}

fn percent(share: Estimate) -> Estimate {
    share.scaled(100.0)
}

/// The points of a curve where the value is known.
fn points(
    curve: &[CurvePoint],
    value: impl Fn(&CurvePoint) -> Option<Estimate>,
) -> Vec<(f64, Estimate)> {
    curve.iter().filter_map(|point| Some((f64::from(point.cards), value(point)?))).collect()
}

/// Discovery and belief, card by card.
fn learning_curve(curve: &[CurvePoint], has_beliefs: bool) -> Markup {
    let found = points(curve, |point| point.found.map(percent));
    let mut series = vec![("rules found".to_owned(), found)];
    if has_beliefs {
        let belief = points(curve, |point| point.truth.map(percent));
        series.push(("belief in the right rule".to_owned(), belief));
    }
    let text =
        "Rules found and belief in the right rule by number of cards laid, with 95 % intervals";
    let caption = match has_beliefs {
        true => "Share of solved cases, and mean belief in the right rule (1 once it is found).",
        false => "Share of solved cases. The player does not report its beliefs.",
    };
    html! {
        (figure("Found, card by card", &lines("%", text, "cards laid", None, &series), caption))
        p.dim { "Intervals are 95 %, from the variance between rules; the cases of a rule form one group." }
    }
}

/// The share of right guesses by stated probability.
fn calibration(bins: &[CalibrationBin]) -> Markup {
    if bins.is_empty() {
        return html! { p { "The player stated no rule." } };
    }
    // Whole numbers fit the axis.
    let middle = |bin: &CalibrationBin| (100.0 * f64::midpoint(bin.low, bin.high)).round();
    let right = bins.iter().filter_map(|bin| Some((middle(bin), percent(bin.right?)))).collect();
    let ends = [0.0, 100.0].map(|x| (x, Estimate::bare(x)));
    let series = [("right".to_owned(), right), ("as stated".to_owned(), ends.to_vec())];
    let text = "Share of right guesses by stated probability, with 95 % intervals";
    let heads = ["stated, %", "guesses", "rules", "stated, mean", "right, %"];
    let row = |bin: &CalibrationBin| {
        let CalibrationBin { low, high, guesses, rules, stated, right } = bin;
        [
            format!("{:.0} to {:.0}", 100.0 * low, 100.0 * high),
            guesses.to_string(),
            rules.to_string(),
            format!("{:.1}", 100.0 * stated),
            show(right.map(percent)),
        ]
    };
    html! {
        p { "In each turn the player states its best guess and the probability that it is right. Below the dashed line "
            "the player is overconfident, above it underconfident." }
        div.grid {
            (figure("Right guesses by stated probability", &lines("% right", text, "stated, %", None, &series), ""))
        }
        (sortable(&TextTable::of(1, heads, bins.iter().map(row))))
    }
}

/// The information of the cards laid and of the best cards.
fn information(curve: &[CurvePoint]) -> Markup {
    let (best, laid) = (points(curve, |point| point.best), points(curve, |point| point.expected));
    if laid.is_empty() {
        return html! {};
    }
    let sum = |points: &[(f64, Estimate)]| points.iter().map(|(_, e)| e.value).sum::<f64>();
    let share = 100.0 * sum(&laid) / sum(&best).max(f64::MIN_POSITIVE);
    let series = [
        ("the card laid".to_owned(), laid),
        ("the best card of the hand".to_owned(), best),
        ("its verdict".to_owned(), points(curve, |point| point.gained)),
    ];
    let text = "Expected information of the next card by number of cards laid, with 95 % intervals";
    let caption = "Expected information of the card laid and of the best card of the hand, and the information of the \
                   verdict: more than expected if the player is surprised. Over unsolved cases.";
    html! {
        p { "A verdict has at most 1 bit of information: when right and wrong are equally likely. The cards laid had "
            (format!("{share:.0}")) " % of the expected information of the best cards of the hand. A player that looks "
            "ahead may give up some of it for later turns." }
        div.grid { (figure("Information", &lines("bits", text, "cards laid before", None, &series), caption)) }
    }
}

fn hardest(rules: &[(Means, Vec<&CaseResult>)]) -> Markup {
    let heads = ["case", "rule", "last guess", "cases", "score", "found", "at turn", "wrong"];
    let row = |(means, results): &(Means, Vec<&CaseResult>)| {
        let (case, found) = (&results[0].case, results.iter().filter(|one| one.solved.is_some()));
        [
            case.name.clone(),
            case.rule.to_string(),
            results[0].wrong_guess().unwrap_or_default().to_owned(),
            means.cases.to_string(),
            format!("{:.1}", means.score),
            found.count().to_string(),
            means.turn.map_or("–".to_owned(), |turn| format!("{turn:.1}")),
            results.iter().map(|one| one.wrong_commitments).sum::<u32>().to_string(),
        ]
    };
    html! {
        p { "Click a column head to sort. “Last guess” is the guess at the end of the first case, if it was wrong." }
        (sortable(&TextTable::of(3, heads, rules.iter().map(row))))
    }
}

fn method(has_beliefs: bool) -> Markup {
    html! {
        p { "The player is alone with a rule. It has 12 cards of two shuffled decks; the starter is a card that the rule "
            "accepts. In each turn it names a card and its best guess of the rule with a probability, and may commit to "
            "the guess. Then the card is judged and, if it is right, laid. A rule found in turn t scores "
            (TURNS + 1) " − t, less 2 for each wrong commitment, and at least 0. A guess is right if it judges every "
            "card as the rule does in every situation that can still arise." }
        @if has_beliefs {
            p { "The belief in the right rule is the player's probability, before each card, of rules that judge as the "
                "secret one. The expected information of a card is the entropy of its verdict under the player's beliefs: "
                "−p log₂ p − (1 − p) log₂ (1 − p), where p is the probability that the card is right (Lindley 1956)." }
        }
        p { "The unit of every interval is the rule: the jackknife leaves out one rule with all its cases. Intervals of "
            "shares stay between 0 and 100 %." }
    }
}
