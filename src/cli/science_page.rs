//! The page about a study of the one-player protocol.

use maud::{Markup, html};

use crate::chart::{lines, show};
use crate::games::eleusis::science::{AfterCards, OfRule, StatedBetween, Study, TURNS};
use crate::results::report::{Page, Section, figure};
use crate::stats::Estimate;

/// From this probability on a guess claims to be likelier right than not.
const LIKELY: f64 = 0.5;

/// The page: who looked, the seed and where the cases are from.
pub(super) fn page(study: &Study, strategy: &str, seed: u64, cases: &str) -> String {
    let (curve, bins, rules) = (study.by_cards(), study.reliability(), study.by_rule());
    let told = curve.iter().any(|after| after.truth.is_some());
    let answer = answer(study, strategy, &bins);
    let page = Page {
        above: "eleusis · science".to_owned(),
        name: strategy,
        question: &format!("How well does `{strategy}` find a secret rule alone?"),
        answer: &answer,
        size: format!(
            "{}: {} cases of {} rules; at most {TURNS} cards a case; seed {seed}; program {}",
            cases,
            study.cases(),
            rules.len(),
            crate::PROGRAM.to_string(),
        ),
        first_screen: first(&curve, told),
        open: Section {
            id: "evidence",
            title: "Does it know what it knows?",
            body: reliability(&bins),
        },
        folded: vec![
            Section { id: "telling", title: "What its cards tell", body: telling(&curve) },
            Section { id: "rules", title: "The rules, the hardest first", body: hardest(&rules) },
            Section { id: "method", title: "How this was measured", body: method(told) },
        ],
        files: html! {
            p { "Tables: " a href="science.csv" { "science.csv" } " has a row for each card, "
                a href="science_summary.csv" { "science_summary.csv" } " one for each case. The run is in "
                a href="manifest.json" { "manifest.json" } "." }
        },
    };
    page.render()
}

/// The score and what was found, then how honest it was.
fn answer(study: &Study, strategy: &str, bins: &[StatedBetween]) -> Vec<String> {
    let means = study.means();
    let [score, solved] = study.doubts();
    let percent = |share: Option<Estimate>| show(share.map(|share| share.scaled(100.0)));
    let mut said = vec![format!(
        "`{strategy}` found {} % of the rules and scored {} of {TURNS} points.",
        percent(solved),
        show(score),
    )];
    if let Some(turn) = means.turn {
        said.push(format!(
            "It found them with card {turn:.1} on average, and committed itself to {:.2} wrong rules a case.",
            means.wrong_commitments
        ));
    }
    let likely = || bins.iter().filter(|bin| bin.low >= LIKELY);
    let guesses: u64 = likely().map(|bin| bin.guesses).sum();
    if guesses > 0 {
        let of = |figure: fn(&StatedBetween) -> f64| {
            100.0 * likely().map(|bin| figure(bin) * bin.guesses as f64).sum::<f64>()
                / guesses as f64
        };
        let right = of(|bin| bin.right.map_or(0.0, |right| right.value));
        said.push(format!(
            "Of its guesses that it held at least one half likely, {right:.0} % were right; it had said {:.0} %.",
            of(|bin| bin.stated)
        ));
    }
    said
}

fn in_percent(points: impl Iterator<Item = (f64, Option<Estimate>)>) -> Vec<(f64, Estimate)> {
    points.filter_map(|(x, e)| Some((x, e?.scaled(100.0)))).collect()
}

/// How finding and belief grow, card by card.
fn first(curve: &[AfterCards], told: bool) -> Markup {
    let of = |which: fn(&AfterCards) -> Option<Estimate>| {
        in_percent(curve.iter().map(|after| (f64::from(after.cards), which(after))))
    };
    let mut series = vec![("rules found".to_owned(), of(|after| after.found))];
    if told {
        series.push(("belief in the right rule".to_owned(), of(|after| after.truth)));
    }
    let text =
        "Rules found and belief in the right one by the number of cards laid, with 95 % intervals";
    let below = if told {
        "The share of the cases whose rule is found, and the mean belief in the right rule (1 once it is found)."
    } else {
        "The share of the cases whose rule is found. The player does not tell what it believes of the other rules."
    };
    html! {
        (figure("SourceFile, card by card", &lines("%", text, "cards laid", None, &series), below))
        p.dim { "Intervals are of 95 %, from the variance between rules: the cases of one rule go together." }
    }
}

/// What was right by what was stated.
fn reliability(bins: &[StatedBetween]) -> Markup {
    if bins.is_empty() {
        return html! { p { "The player stated no rule." } };
    }
    // A whole number, which the axis can show.
    let middle = |bin: &StatedBetween| (100.0 * f64::midpoint(bin.low, bin.high)).round();
    let right = in_percent(bins.iter().map(|bin| (middle(bin), bin.right)));
    let ends = [0.0, 100.0].map(|x| (x, Estimate::bare(x)));
    let series = [("right".to_owned(), right), ("as stated".to_owned(), ends.to_vec())];
    let text = "Share of guesses that were right by the probability stated, with 95 % intervals";
    let percent = |x: f64| format!("{:.0}", 100.0 * x);
    html! {
        p { "Every turn the player states its best guess and how likely it is to be right. Where the line lies below the "
            "dashed one the player claims too much, above it too little." }
        div.grid {
            (figure("Right, by what was stated", &lines("% right", text, "stated, %", None, &series), ""))
        }
            div.scroll { table {
                thead { tr {
                    th.text { "stated, %" } th { "guesses" } th { "rules" } th { "stated, mean" } th { "right, %" }
                } }
                tbody { @for bin in bins { tr {
                    td.text { (percent(bin.low)) " to " (percent(bin.high)) }
                    td { (bin.guesses) }
                    td { (bin.rules) }
                    td { (format!("{:.1}", 100.0 * bin.stated)) }
                    td { (show(bin.right.map(|right| right.scaled(100.0)))) }
                } } }
            } }
    }
}

/// What the next card tells, and what it could.
fn telling(curve: &[AfterCards]) -> Markup {
    let of = |which: fn(&AfterCards) -> Option<Estimate>| -> Vec<(f64, Estimate)> {
        let points = curve.iter().filter_map(|after| Some((f64::from(after.cards), which(after)?)));
        points.collect()
    };
    let (best, laid) = (of(|after| after.best), of(|after| after.expected));
    if laid.is_empty() {
        return html! {};
    }
    let all = |points: &[(f64, Estimate)]| points.iter().map(|(_, e)| e.value).sum::<f64>();
    let share = 100.0 * all(&laid) / all(&best).max(f64::MIN_POSITIVE);
    let series = [
        ("the card laid".to_owned(), laid),
        ("the best card of the hand".to_owned(), best),
        ("its verdict".to_owned(), of(|after| after.gained)),
    ];
    let text =
        "Expected information of the next card by the number of cards laid, with 95 % intervals";
    html! {
        p { "A verdict tells at most one bit, and most where right and wrong are alike likely to the player. The cards laid "
            "were expected to tell " (format!("{share:.0}")) " % of what the most telling card of the hand would have "
            "told at once; a player that looks ahead may give some of it up for the turns to come." }
        div.grid {
            (figure("Information", &lines("bits", text, "cards laid before", None, &series), "Expected of the card laid and of the best card of the hand, and what the verdict told: more than was expected where the player is surprised. Over the cases that still go on."))
        }
    }
}

fn hardest(rules: &[OfRule<'_>]) -> Markup {
    html! {
        p { "Press a head to sort. “Took it for” is what the player guessed at the end of the first case of a rule that "
            "it did not find." }
        div.scroll { table.sort {
            thead { tr {
                th.text { "case" } th.text { "rule" } th { "cases" } th { "score" } th { "found" } th { "at turn" }
                th { "wrong" } th.text { "took it for" }
            } }
            tbody { @for row in rules { tr {
                td.text { (row.case.name) }
                td.text.long { code { (row.case.rule.to_string()) } }
                td { (row.cases) }
                td { (format!("{:.1}", row.score)) }
                td { (row.solved) }
                td { (row.turn.map_or("–".to_owned(), |turn| format!("{turn:.1}"))) }
                td { (row.wrong_commitments) }
                td.text.long { @if let Some(guess) = row.took_for { code { (guess) } } }
            } } }
        } }
    }
}

fn method(told: bool) -> Markup {
    html! {
        p { "The player is alone with a rule. It holds twelve cards of two shuffled decks; the starter is a card that the rule "
            "accepts. Each turn it names a card, its best guess of the rule with a probability, and whether it commits "
            "itself to the guess. Then the card is judged and, if it is right, laid. A rule that is found at turn t scores "
            (TURNS + 1) " − t, less 2 for each wrong commitment, and at least 0. A guess is right if it judges every "
            "card as the rule does in every situation that can still arise." }
        @if told {
            p { "The belief in the right rule is the share that the player gives, before each card, to rules that judge as the "
                "secret one. What a card can be expected to tell is the entropy of its verdict as the player sees it: "
                "−p log₂ p − (1 − p) log₂ (1 − p), where p is the chance that the card is right (Lindley 1956)." }
        }
        p { "The unit of every interval is the rule: the jackknife leaves out one rule with all its cases. Shares have "
            "intervals that stay between 0 and 100 %." }
    }
}
