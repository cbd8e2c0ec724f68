//! Sentences on figures of variants, and on trends.

use indexmap::IndexSet;

use super::say::{LISTED, enough, listed, lower_first, names, of_call};
use super::subject::Subject;
use super::{Call, Evidence, Finding, interval, level, signed};
use crate::stats::Estimate;

/// So many are named of those of which the deals say too little.
const FEW: usize = 3;

/// A figure between variants.
pub(super) fn changes(subject: &Subject, rows: &[Finding]) -> String {
    match rows {
        [] => String::new(),
        [one] => two(subject, one),
        _ => many(subject, rows),
    }
}

/// A figure between two variants.
pub(super) fn two(subject: &Subject, f: &Finding) -> String {
    let (Some(b), unit) = (f.b, f.unit.as_str()) else {
        return format!("{} was not measured.", subject.title());
    };
    let (Some(a), Some(change)) = (f.a, f.change) else {
        return format!(
            "{} is {} under `{}` ({}).",
            subject.title(),
            level(b, unit, None),
            f.to,
            interval(b, unit)
        );
    };
    let [va, vb] = [a, b].map(|e| level(e, unit, Some(change)));
    let change = signed(change, unit);
    let values = format!("{va} under `{}`, {vb} under `{}`", f.from, f.to);
    match f.call {
        Call::Higher | Call::Lower => {
            format!("{}: {vb} against {va} ({change}).", subject.differs(f))
        }
        Call::NoClearDifference | Call::Measured => {
            format!("{} shows no clear difference: {values} ({change}).", subject.title())
        }
        Call::TooFewDeals => format!(
            "These are too few deals to say whether {} differs: {values} ({change}){}.",
            lower_first(&subject.title()),
            enough(f)
        ),
    }
}

/// A number of several, each compared with the first.
pub(super) fn many(subject: &Subject, rows: &[Finding]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    if rows.iter().any(|f| f.variant != first.variant) {
        let variants: IndexSet<&str> = rows.iter().map(|f| f.variant.as_str()).collect();
        let of = |variant: &str| -> Vec<Finding> {
            rows.iter().filter(|f| f.variant == variant).cloned().collect()
        };
        let each = variants
            .iter()
            .map(|v| format!("Under `{v}`: {}", lower_first(&many(subject, &of(v)))));
        return each.collect::<Vec<_>>().join(" ");
    }
    let say = |f: &Finding| {
        let change = f.change.map(|change| signed(change, &f.unit));
        change.map_or(String::new(), |change| format!(" ({change})"))
    };
    let part = |call: Call, words: &str, all: bool| {
        let found = of_call(rows, call);
        let most = if all { LISTED } else { FEW };
        let list = names(&found, most, |f| if all { say(f) } else { String::new() });
        (!found.is_empty()).then(|| format!("{words} {list}"))
    };
    let title = lower_first(&subject.title());
    let base = first.a.map_or(String::new(), |a| format!(" ({})", level(a, &first.unit, None)));
    let few = of_call(rows, Call::TooFewDeals);
    let most = few.iter().max_by_key(|f| f.deals_needed).map_or(String::new(), |f| enough(f));
    if few.len() == rows.len() {
        let list = names(&few, FEW, say);
        return format!(
            "These are too few deals to compare {title} with that of `{}`{base}: {list}{most}.",
            first.from
        );
    }
    let of_strategies = !first.variant.is_empty();
    let preposition = if of_strategies { "for" } else { "under" };
    let parts = [
        part(Call::Higher, &format!("higher {preposition}"), true),
        part(Call::Lower, &format!("lower {preposition}"), true),
        part(Call::NoClearDifference, &format!("not clearly different {preposition}"), false),
        part(Call::TooFewDeals, &format!("not known from so few deals {preposition}"), false),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("Compared with `{}`{base}, {title} is {}{most}.", first.from, parts.join("; "))
}

/// The first seat's score against its fair share.
pub(super) fn against_fair(rows: &[Finding], preposition: &str) -> String {
    let say = |f: &Finding| {
        let b = f.b.map(|b| format!("{}, {}", level(b, &f.unit, None), interval(b, &f.unit)));
        b.map_or(String::new(), |b| format!(" ({b})"))
    };
    let fair = rows.iter().find_map(|f| f.a);
    let same = rows.iter().all(|f| f.a == fair);
    let share = match fair.filter(|_| same) {
        Some(fair) if fair.value == 0.5 => "its fair half".to_owned(),
        Some(fair) => format!("its fair share of {}", level(fair, "share", None)),
        None => "its fair share".to_owned(),
    };
    let part = |call: Call, words: String| {
        let found = of_call(rows, call);
        (!found.is_empty()).then(|| format!("{words} {preposition} {}", names(&found, LISTED, say)))
    };
    let parts = [
        part(Call::Higher, format!("more than {share}")),
        part(Call::Lower, format!("less than {share}")),
        part(Call::NoClearDifference, format!("what does not clearly differ from {share}")),
        part(Call::TooFewDeals, "what cannot be said from so few deals".to_owned()),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("The first seat scores {}.", listed(&parts))
}

/// Whether two variants are fair, one beside the other.
pub(super) fn fairness(evidence: &Evidence<'_>, variants: &[usize]) -> Option<String> {
    let [from, to] = variants else { return None };
    let (from, to) = (&evidence.variants[*from], &evidence.variants[*to]);
    let side = |e: Option<Estimate>, fair: f64| {
        let (low, high) = e?.interval?;
        Some(i8::from(low > fair) - i8::from(high < fair))
    };
    let fair = from.fair();
    let sides = (side(from.first_seat(), fair)?, side(to.first_seat(), fair)?);
    let (a, b) = (&from.variant, &to.variant);
    let share = level(Estimate::symmetric(fair, 0.0), "share", Some(Estimate::bare(0.0)));
    let share = share.replace(".0 %", " %");
    Some(match sides {
        (0, 0) => format!("Under both it is not clearly off the fair {share}."),
        (x, y) if x == y => {
            let how = if x > 0 { "above" } else { "below" };
            format!("Under both it is {how} the fair {share}.")
        }
        (0, y) => {
            let how = if y > 0 { "above" } else { "below" };
            format!("Only under `{b}` is it clearly {how} the fair {share}.")
        }
        (x, 0) => {
            let how = if x > 0 { "above" } else { "below" };
            format!("Only under `{a}` is it clearly {how} the fair {share}.")
        }
        _ => format!("It lies on opposite sides of the fair {share}."),
    })
}

/// A trend.
pub(super) fn trend(subject: &Subject, over: &str, f: &Finding, several: bool) -> String {
    let Some(slope) = f.change else { return String::new() };
    let unit = f.unit.as_str();
    let level_unit = unit.split(' ').next().unwrap_or(unit);
    let under = if several { format!(" under `{}`", f.variant) } else { String::new() };
    let ends = f.a.zip(f.b).map_or(String::new(), |(a, b)| {
        let [a, b] = [a, b].map(|e| level(e, level_unit, None));
        let [from, to] = [&f.from, &f.to].map(|at| at.trim_start_matches(over).trim());
        format!(": {a} at {from}, {b} at {to}")
    });
    let (title, change) = (subject.title(), signed(slope, unit));
    match f.call {
        Call::Higher => format!("{title} rises as `{over}` grows{under}{ends} ({change})."),
        Call::Lower => format!("{title} falls as `{over}` grows{under}{ends} ({change})."),
        Call::TooFewDeals => format!(
            "These are too few deals to say whether {} changes as `{over}` grows{under}{ends} ({change}){}.",
            lower_first(&title),
            enough(f)
        ),
        _ => format!("{title} does not clearly change as `{over}` grows{under}{ends} ({change})."),
    }
}
