//! Sentences on strategies: a pairing, a champion and its opponents, a ladder.

use super::super::Matchup;
use super::find::{ADJUSTED, FAIR};
use super::say::{LISTED, count, enough, listed, names, of_call, short};
use super::subject::size;
use super::{Call, Evidence, Finding, interval, level};
use crate::arena::StopCondition;
use crate::stats::{Sprt, Verdict};

/// Two of the same strategy.
pub(super) fn mirror(f: &Finding) -> String {
    let Some(b) = f.b else { return String::new() };
    let (value, doubt) = (level(b, &f.unit, None), interval(b, &f.unit));
    let (to, variant) = (&f.to, &f.variant);
    let how = match f.call {
        Call::Higher => "more than its fair half",
        Call::Lower => "less than its fair half",
        Call::TooFewDeals => "too few deals to say whether this is fair",
        _ => "no clear difference from its fair half",
    };
    let what = format!("Between two of `{to}` the first seat scores {value} under `{variant}`");
    format!(
        "{what} ({doubt}): {how}{}.",
        if f.call == Call::TooFewDeals { enough(f) } else { String::new() }
    )
}

/// Two strategies, under each variant.
pub(super) fn pairings(evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<String> {
    let [one] = findings else {
        return findings.first().map(|f| pairing_under_all(f, findings)).into_iter().collect();
    };
    let rows = evidence.variants.iter().flat_map(|variant| &variant.matchups);
    let mut rows = rows.filter(|row| {
        let names = [&row.strategy, &row.opponent];
        row.variant == one.variant && names.contains(&&one.to) && names.contains(&&one.from)
    });
    let tested = match evidence.plan.experiment().until {
        Some(StopCondition::Sprt(test)) => rows.next().and_then(|row| tested(test, row)),
        _ => None,
    };
    tested.into_iter().chain([pairing(one)]).collect()
}

pub(super) fn pairing(f: &Finding) -> String {
    let Some(score) = f.b else { return String::new() };
    let (to, from, variant) = (&f.to, &f.from, &f.variant);
    let value = level(score, &f.unit, None);
    let doubt = interval(score, &f.unit);
    let size = size(f);
    match f.call {
        Call::Higher | Call::Lower => {
            let how = if f.call == Call::Higher { "stronger" } else { "weaker" };
            format!(
                "`{to}` is {size}{how} than `{from}` under `{variant}`: it scores {value} ({doubt})."
            )
        }
        Call::NoClearDifference | Call::Measured => format!(
            "There is no clear difference between `{to}` and `{from}` under `{variant}`: `{to}` scores {value} ({doubt})."
        ),
        Call::TooFewDeals => format!(
            "These are too few deals to say whether `{to}` or `{from}` is stronger under `{variant}`: `{to}` scores {value} ({doubt}){}.",
            enough(f)
        ),
    }
}

/// How far a strategy can be beaten, by one that was made to.
pub(super) fn bound(f: &Finding) -> String {
    let Some(score) = f.b else { return String::new() };
    let (to, from, variant) = (&f.to, &f.from, &f.variant);
    let (value, doubt) = (level(score, &f.unit, None), interval(score, &f.unit));
    let luck = if f.figure == ADJUSTED { ", the luck of the cards taken out" } else { "" };
    let scores = format!(
        "`{to}`, made to beat it, scores {value} against it under `{variant}` ({doubt}{luck})"
    );
    match f.call {
        Call::Higher => {
            format!("`{from}` can be beaten: {scores}. Whoever is best against it scores no less.")
        }
        Call::TooFewDeals => format!(
            "These are too few deals to say whether `{from}` can be beaten: {scores}{}.",
            enough(f)
        ),
        _ => format!(
            "No way to beat `{from}` was found: {scores}. Another player may find one: this is a lower bound \
             alone."
        ),
    }
}

pub(super) fn pairing_under_all(first: &Finding, rows: &[Finding]) -> String {
    let say = |(index, f): (usize, &&Finding)| {
        let b = f.b.map(|b| format!(" ({}, {})", level(b, &f.unit, None), interval(b, &f.unit)));
        format!("`{}`{}", f.variant, short(index, b.unwrap_or_default()))
    };
    let list = |found: &[&Finding]| listed(&found.iter().enumerate().map(say).collect::<Vec<_>>());
    let part = |call: Call, words: &str| {
        let found = of_call(rows, call);
        (!found.is_empty()).then(|| format!("{words} under {}", list(&found)))
    };
    let few = of_call(rows, Call::TooFewDeals);
    if few.len() == rows.len() {
        let most = few.iter().max_by_key(|f| f.deals_needed).map_or(String::new(), |f| enough(f));
        return format!(
            "These are too few deals to say whether `{}` is stronger than `{}`, under {}{most}.",
            first.to,
            first.from,
            list(&few)
        );
    }
    let parts = [
        part(Call::Higher, "stronger"),
        part(Call::Lower, "weaker"),
        part(Call::NoClearDifference, "not clearly different"),
        part(Call::TooFewDeals, "not known from so few deals"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("Compared with `{}`, `{}` is {}.", first.from, first.to, parts.join("; "))
}

/// What a sequential test says of a pairing.
pub(super) fn tested(test: Sprt, row: &Matchup) -> Option<String> {
    let (low, high) = test.bounds();
    let [llr, low, high] = [row.sprt_llr?, low, high].map(|x| format!("{x:.2}").replace('-', "−"));
    let llr = format!("log-likelihood ratio {llr}, bounds {low} and {high}");
    let (one, other) = (&row.strategy, &row.opponent);
    let said = match row.sprt? {
        Verdict::Upper => {
            format!("accepts that `{one}` is at least {} Elo stronger than `{other}`", test.elo1)
        }
        Verdict::Lower => {
            format!("accepts that `{one}` is at most {} Elo stronger than `{other}`", test.elo0)
        }
        Verdict::Undecided => {
            format!(
                "has not decided whether `{one}` is {} or {} Elo stronger than `{other}`",
                test.elo0, test.elo1
            )
        }
    };
    Some(format!("The sequential test {said} ({llr})."))
}

/// The champion of a gauntlet against all.
pub(super) fn gauntlet(variant: &str, findings: &[Finding]) -> Option<String> {
    let rows: Vec<Finding> = findings.iter().filter(|f| f.variant == variant).cloned().collect();
    let champion = &rows.first()?.from;
    let say =
        |f: &Finding| f.b.map_or(String::new(), |b| format!(" ({})", level(b, &f.unit, None)));
    let [up, down, none, few] =
        [Call::Higher, Call::Lower, Call::NoClearDifference, Call::TooFewDeals]
            .map(|call| of_call(&rows, call));
    let mut parts = Vec::new();
    if up.is_empty() {
        parts.push(format!("No opponent is clearly stronger than `{champion}` under `{variant}`"));
    } else {
        let verb = if up.len() == 1 { "is" } else { "are" };
        let list = names(&up, LISTED, say);
        parts.push(format!(
            "Of {} under `{variant}` {} {verb} stronger than `{champion}`: {list}",
            count(rows.len() as u64, "opponent"),
            up.len()
        ));
    }
    if !down.is_empty() {
        parts.push(format!(
            "weaker {} {}",
            if down.len() == 1 { "is" } else { "are" },
            names(&down, LISTED, say)
        ));
    }
    if !none.is_empty() {
        parts.push(format!("no clear difference shows {}", names(&none, LISTED, say)));
    }
    if !few.is_empty() {
        let deals = few.iter().filter_map(|f| f.deals_needed).max();
        let deals =
            deals.map_or(String::new(), |n| format!("; about {} would do", count(n, "deal")));
        parts.push(format!("the deals are too few to place {}{deals}", names(&few, LISTED, say)));
    }
    Some(parts.join("; ") + ".")
}

/// The strategies, one below the other.
pub(super) fn ladder(variant: &str, findings: &[Finding]) -> Option<String> {
    let rows: Vec<&Finding> = findings.iter().filter(|f| f.variant == variant).collect();
    let first = *rows.first()?;
    let value = |f: &Finding| {
        f.b.map_or(String::new(), |b| {
            format!("{} ({})", level(b, &f.unit, None), interval(b, &f.unit))
        })
    };
    if first.from == FAIR {
        let last = *rows.last()?;
        let fair = first.a.map_or(String::new(), |a| level(a, "share", None).replace(".000", ""));
        return Some(format!(
            "Under `{variant}` `{}` scores most, {}, and `{}` least, {}; a fair share is {fair}.",
            first.to,
            value(first),
            last.to,
            value(last)
        ));
    }
    let mut order = format!("`{}`", first.to);
    for f in &rows {
        let sign = match f.call {
            Call::Higher => ">",
            Call::Lower => "<",
            _ => "≈",
        };
        order += &format!(" {sign} `{}`", f.from);
    }
    let doubtful = rows.iter().any(|f| f.call != Call::Higher);
    let note = if doubtful { " (≈: no clear difference)" } else { "" };
    let how = match first.call {
        Call::Higher => "is the strongest",
        _ => "is rated highest",
    };
    Some(format!(
        "Under `{variant}` `{}` {how}: it scores {} against `{}`, the next. The order is {order}{note}.",
        first.to,
        value(first),
        first.from
    ))
}

#[cfg(test)]
mod tests {
    use super::super::find::blank;
    use super::*;
    use crate::stats::Estimate;

    #[test]
    fn what_is_said_of_a_bound_follows_from_what_was_found() {
        let of = |figure: &str, b: Estimate, call: Call| {
            let found = blank(figure, "share of the win", "revised", "steady", "response");
            bound(&Finding { b: Some(b), call, ..found })
        };
        let said = of(ADJUSTED, Estimate::symmetric(0.634, 0.015), Call::Higher);
        assert_eq!(
            said,
            "`steady` can be beaten: `response`, made to beat it, scores 63.4 % against it under `revised` \
             (95 % interval 61.9 to 64.9 %, the luck of the cards taken out). Whoever is best against it \
             scores no less."
        );
        let said = of("score", Estimate::symmetric(0.51, 0.015), Call::NoClearDifference);
        assert!(said.starts_with("No way to beat `steady` was found"), "{said}");
        assert!(said.contains("a lower bound alone") && !said.contains("luck"), "{said}");
        let said = of("score", Estimate::symmetric(0.8, 0.3), Call::TooFewDeals);
        assert!(
            said.starts_with("These are too few deals to say whether `steady` can be beaten"),
            "{said}"
        );
    }
}
