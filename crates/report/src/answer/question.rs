//! Resolution of the names in a run's question: the experiment's own, or the default for its design.

use itertools::Itertools;
use serde_json::Value;

use super::evidence::QuestionKind;
use super::figures::FigureQuestion;
use super::objectives::ObjectiveQuestion;
use super::strategies::{LadderQuestion, PairingQuestion, ScoreQuestion};
use super::trend::{TrendQuestion, series};
use super::verdicts::{Goal, RuleSets, USUAL};
use crate::figures::{FIRST_SEAT, heads, is_measured};
use crate::units::Unit;
use parlour_arena::{Objective, PlanInfo, PlannedTable, Question, Schedule, WinRates};
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::unknown;

/// Figures of strategies, which a question may name besides those of variants.
const STRATEGY_FIGURES: [&str; 2] = ["score", "rating"];

/// Resolves the question of a plan.
///
/// # Errors
/// Bad input: a figure, variant or pairing that the plan does not have.
pub(super) fn resolve(plan: &PlanInfo) -> Result<Box<dyn QuestionKind>> {
    match &plan.experiment().question {
        Some(question) => named(plan, question).map_err(|error| error.in_field("question")),
        None => Ok(default_of(plan)),
    }
}

/// Returns the question of an experiment without one: the first seat's score between variants; a
/// pairing; or the order of the strategies.
pub(super) fn default_of(plan: &PlanInfo) -> Box<dyn QuestionKind> {
    let variants: Vec<usize> = (0..plan.variants.len()).collect();
    if variants.len() > 1 {
        if let Some(trend) = swept_rules(plan) {
            return Box::new(trend);
        }
        let seats = |v: usize| plan.variants[v].seats;
        let variants = variants.into_iter().filter(|v| seats(*v) == seats(0)).collect();
        let figures = vec![FIRST_SEAT];
        return Box::new(FigureQuestion {
            figures,
            variants,
            is_against_fair: false,
            mirror: None,
        });
    }
    let fields = plan.resolved.swept.strategies.iter();
    let mut trends = fields.filter_map(|over| over_strategies(plan, over, &variants).ok());
    if let Some(trend) = trends.next() {
        return Box::new(trend);
    }
    match plan.tables.as_slice() {
        [PlannedTable { line_up, .. }] if line_up.len() == 2 => {
            pairing([line_up[0], line_up[1]], variants, false)
        }
        _ => Box::new(LadderQuestion { champion: champion(plan), variants }),
    }
}

fn named(plan: &PlanInfo, question: &Question) -> Result<Box<dyn QuestionKind>> {
    let Question { figure, between, pairing, exploit, variant, objective, over } = question;
    let is_of_strategies = figure.iter().any(|f| STRATEGY_FIGURES.contains(&f.as_str()));
    let all: Vec<usize> = (0..plan.variants.len()).collect();
    // Where figures of strategies are measured.
    let under = || match variant {
        Some(one) => resolve_variant(plan, one).map(|v| vec![v]).map_err(|e| e.in_field("variant")),
        None => Ok(all.clone()),
    };
    let pairing = pairing.as_ref().map(|pair| ("pairing", pair));
    let exploit = exploit.as_ref().map(|pair| ("exploit", pair));
    if let Some((field, pair)) = pairing.or(exploit) {
        let is_alone = pairing.is_none() || exploit.is_none();
        let is_alone = is_alone && figure.is_empty() && over.is_none() && between.is_empty();
        ensure(is_alone, || {
            let text = "stands alone or with `variant`; remove the other fields";
            Error::input(format!("`{field}` {text}"))
        })?;
        return resolve_pairing(plan, field, pair, under()?);
    }
    let fault = match figure.len() {
        _ if !objective.is_empty()
            && (!figure.is_empty() || over.is_some() || variant.is_some()) =>
        {
            "`objective` stands alone or with `between`"
        }
        0 if objective.is_empty() => {
            "nothing is asked; name a `figure`, a `pairing` or a pair to `exploit`"
        }
        _ if variant.is_some() && !is_of_strategies => {
            "`variant` is for figures of strategies; name variants in `between`"
        }
        2.. if is_of_strategies => "`score` and `rating` cannot be combined with other figures",
        2.. if over.is_some() => "a trend needs exactly one `figure`",
        _ if over.is_some() && !between.is_empty() => "a trend covers all values; remove `between`",
        _ => "",
    };
    ensure(fault.is_empty(), || Error::input(fault))?;
    if let Some(over) = over {
        return Ok(Box::new(match is_of_strategies {
            true => over_strategies(plan, over, &under()?)?,
            false => over_variants(plan, resolve_figure(plan, &figure[0])?, over)?,
        }));
    }
    if is_of_strategies {
        let variants = under()?;
        if between.is_empty() {
            return Ok(Box::new(LadderQuestion { champion: champion(plan), variants }));
        }
        let mut strategies = resolve_all(between, |name| resolve_strategy(plan, name))?;
        if let [first] = strategies[..] {
            let others = 0..plan.names().len();
            strategies.extend(others.filter(|s| *s != first && champion(plan) != Some(*s)));
        }
        return Ok(Box::new(ScoreQuestion { strategies, variants }));
    }
    let figures: Vec<usize> = figure.iter().map(|name| resolve_figure(plan, name)).try_collect()?;
    let is_against_fair = between.is_empty() && figures == [FIRST_SEAT];
    let named = resolve_all(between, |name| resolve_variant(plan, name))?;
    ensure(named.len() != 1, || Error::input("`between` names one variant; name two or more"))?;
    let variants = if named.is_empty() { all } else { named };
    if !objective.is_empty() {
        let objectives = resolve_objectives(plan, objective)?;
        return Ok(Box::new(ObjectiveQuestion(RuleSets { objectives, variants })));
    }
    Ok(Box::new(FigureQuestion { figures, variants, is_against_fair, mirror: None }))
}

/// Resolves objectives to the indices of their figures and goals, limits last.
///
/// # Errors
/// Bad input: an unknown figure or player, a wrong matrix, no goal, or goals that contradict each other.
pub fn resolve_objectives(plan: &PlanInfo, all: &[Objective]) -> Result<Vec<(usize, Goal)>> {
    let resolve = |objective: &Objective| {
        let (figure, goal) = Goal::of(objective)?;
        if let Objective::WinRates(WinRates { players, .. }) = objective {
            for [name, other] in players.iter().array_combinations() {
                let strategies = [resolve_strategy(plan, name)?, resolve_strategy(plan, other)?];
                let meet = plan.tables.iter().any(|table| is_between(table, strategies));
                ensure(meet, || Error::input(never_meet(name, other)))?;
            }
        }
        let found = resolve_figure(plan, figure)?;
        let other = || format!("`{figure}` is a figure of strategies; name a figure of variants");
        let head = heads(plan).nth(found).ok_or_else(|| Error::input(other()))?;
        let is_high = matches!(goal, Goal::Near(x) | Goal::AtMost(x) | Goal::AtLeast(x) if x > 1.0);
        let fault = || format!("`{figure}` is a share from 0 to 1; write 50 % as 0.5");
        ensure(!(is_high && Unit::parse(head.unit).is_share()), || Error::input(fault()))?;
        Ok((found, goal))
    };
    let found: Result<Vec<_>> = all.iter().map(resolve).collect();
    let found = found.and_then(|found| {
        let mut pairs = found.iter().zip(all).array_combinations();
        let clash = pairs.find(|[(one, _), (two, _)]| one.0 == two.0 && one.1.contradicts(two.1));
        let Some(clash) = clash else { return Ok(found) };
        let [one, two] = clash.map(|(_, objective)| match objective {
            Objective::Figure(text) => text,
            Objective::WinRates(_) => "a matrix",
        });
        Err(Error::input(format!("`{one}` and `{two}` contradict each other; keep one of them")))
    });
    let mut found = found.map_err(|error| error.in_field("objective"))?;
    found.sort_by_key(|(_, goal)| goal.is_limit());
    ensure(found.first().is_some_and(|(_, goal)| !goal.is_limit()), || {
        Error::input("`objective` has only limits; add a goal, as `first_seat_score=0.5`")
    })?;
    Ok(found)
}

/// Returns the trend of the first seat's score if three or more variants differ in one number only.
fn swept_rules(plan: &PlanInfo) -> Option<TrendQuestion> {
    let first = plan.experiment().variants.iter().flatten().next()?;
    let fields = first.rules.as_object()?.iter().filter(|(_, value)| value.is_number());
    let mut trends = fields.filter_map(|(over, _)| over_variants(plan, FIRST_SEAT, over).ok());
    trends.find(|trend| {
        let lengths = || trend.series.iter().map(|series| series.points.len());
        lengths().all(|length| length > 2) && lengths().sum::<usize>() == plan.variants.len()
    })
}

/// Returns the champion of a gauntlet.
fn champion(plan: &PlanInfo) -> Option<usize> {
    let experiment = plan.experiment();
    if experiment.schedule != Schedule::Gauntlet {
        return None;
    }
    // Without a name it is the strategy that sits at every table.
    let is_everywhere = |s: &usize| plan.tables.iter().all(|table| table.line_up.contains(s));
    match &experiment.champion {
        Some(name) => plan.names().position(|other| other == name),
        None => (0..plan.names().len()).find(is_everywhere),
    }
}

/// Resolves the names of `between`, which must differ.
fn resolve_all(names: &[String], find: impl Fn(&str) -> Result<usize>) -> Result<Vec<usize>> {
    let mut found = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let place = |error: Error| error.in_field(&format!("between[{index}]"));
        let number = find(name).map_err(place)?;
        let twice = || place(Error::input(format!("`{name}` is listed twice")));
        ensure(!found.contains(&number), twice)?;
        found.push(number);
    }
    Ok(found)
}

/// Returns the index of a name; the error names the nearest one.
fn index<'a>(kind: &str, name: &str, all: impl Iterator<Item = &'a str> + Clone) -> Result<usize> {
    let found = all.clone().position(|all| all == name);
    found.ok_or_else(|| Error::input(unknown(kind, name, all)))
}

fn resolve_figure(plan: &PlanInfo, name: &str) -> Result<usize> {
    // The heads of the table of verdicts are names, too.
    let name = USUAL.iter().find(|(_, head, _)| *head == name).map_or(name, |(figure, ..)| *figure);
    let figure = plan.figures.iter().find(|figure| figure.head.name == name);
    let is_measured = figure.is_none_or(|figure| is_measured(figure, &plan.empty.missing));
    let missing = || {
        Error::input(format!(
            "`{name}` needs analyzed decisions; `\"sample_decisions_every\": 10` analyzes those of every tenth deal"
        ))
    };
    let known: Vec<&str> = heads(plan).map(|head| head.name).collect();
    ensure(is_measured, missing)
        .and_then(|()| index("figure", name, known.into_iter().chain(STRATEGY_FIGURES)))
        .map_err(|error| error.in_field("figure"))
}

fn resolve_variant(plan: &PlanInfo, name: &str) -> Result<usize> {
    let names = plan.variants.iter().map(|frame| frame.name.as_str());
    index("variant of this experiment", name, names)
}

fn resolve_strategy(plan: &PlanInfo, name: &str) -> Result<usize> {
    let names = plan.experiment().strategies.iter().map(|s| s.name.as_str());
    index("strategy of this experiment", name, names)
}

/// Returns `true` for a table of these two strategies.
fn is_between(table: &PlannedTable, strategies: [usize; 2]) -> bool {
    table.line_up.len() == 2
        && strategies.iter().all(|s| table.line_up.contains(s))
        && table.is_mirror() == (strategies[0] == strategies[1])
}

fn never_meet(a: &str, b: &str) -> String {
    format!("`{a}` and `{b}` do not meet at a table of two in this experiment")
}

/// Resolves a pairing under those of the variants under which it is played.
fn resolve_pairing(
    plan: &PlanInfo,
    field: &str,
    pair @ [a, b]: &[String; 2],
    mut variants: Vec<usize>,
) -> Result<Box<dyn QuestionKind>> {
    let find = |index: usize| {
        resolve_strategy(plan, &pair[index]).map_err(|e| e.in_field(&format!("{field}[{index}]")))
    };
    let strategies = [find(0)?, find(1)?];
    variants.retain(|v| plan.tables.iter().any(|t| t.variant == *v && is_between(t, strategies)));
    ensure(!variants.is_empty(), || Error::input(never_meet(a, b)).in_field(field))?;
    Ok(pairing(strategies, variants, field == "exploit"))
}

/// The question about two strategies; for one against itself, about the first seat's score.
fn pairing(strategies: [usize; 2], variants: Vec<usize>, is_bound: bool) -> Box<dyn QuestionKind> {
    if strategies[0] != strategies[1] {
        return Box::new(PairingQuestion { strategies, variants, is_bound });
    }
    let (figures, mirror) = (vec![FIRST_SEAT], Some(strategies[0]));
    Box::new(FigureQuestion { figures, variants, is_against_fair: true, mirror })
}

/// Returns the trend of a figure over variants that differ in one number only.
fn over_variants(plan: &PlanInfo, figure: usize, over: &str) -> Result<TrendQuestion> {
    let named = plan.experiment().variants.iter().flatten();
    let named: Vec<(&str, &Value)> = named.map(|v| (v.name.as_str(), &v.rules)).collect();
    let series = series(&named, over, None, "no two variants")?;
    Ok(TrendQuestion { figure: Some(figure), over: over.to_owned(), series })
}

/// Returns the trend of the rating over strategies that differ in one number only.
fn over_strategies(plan: &PlanInfo, over: &str, variants: &[usize]) -> Result<TrendQuestion> {
    let named = plan.experiment().strategies.iter();
    let named: Vec<(&str, &Value)> = named.map(|s| (s.name.as_str(), &s.strategy)).collect();
    let all = variants.iter().map(|v| series(&named, over, Some(*v), "no two strategies"));
    let all: Vec<_> = all.try_collect()?;
    let series = all.into_iter().flatten().collect();
    Ok(TrendQuestion { figure: None, over: over.to_owned(), series })
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_arena::{Experiment, Plan, VariantSpec};
    use parlour_leopard::Leopard;

    fn plan(fields: &str) -> Result<Plan<Leopard>> {
        let text =
            format!(r#"{{ "game": "leopard", "strategies": ["random", "greedy"], {fields} }}"#);
        let experiment: Experiment<VariantSpec> = parlour_base::files::parse_json("e.json", &text)?;
        Plan::<Leopard>::resolve("small", &experiment)
    }

    fn question(fields: &str) -> Result<String> {
        Ok(format!("{:?}", resolve(&*plan(fields)?)?))
    }

    const TWO: &str = r#""variants": ["original", "revised"]"#;

    #[test]
    fn the_default_question_follows_from_the_design() {
        let figures = FigureQuestion {
            figures: vec![FIRST_SEAT],
            variants: vec![0, 1],
            is_against_fair: false,
            mirror: None,
        };
        assert_eq!(question(TWO).unwrap(), format!("{figures:?}"));
        let pairing = PairingQuestion { strategies: [0, 1], variants: vec![0], is_bound: false };
        let found = question(r#""variants": ["revised"]"#).unwrap();
        assert_eq!(found, format!("{pairing:?}"));
        let mirror = question(r#""variants": ["revised"], "mirror": true"#).unwrap();
        let ladder = |champion| format!("{:?}", LadderQuestion { champion, variants: vec![0] });
        assert_eq!(mirror, ladder(None));
        let gauntlet = r#""variants": ["revised"], "schedule": "gauntlet", "champion": "greedy", "question": {"figure": "rating"}"#;
        assert_eq!(question(gauntlet).unwrap(), ladder(Some(1)));
    }

    #[test]
    fn a_trend_has_one_series_per_group_that_differs_only_in_the_value() {
        let variants = r#""variants": ["original", "revised",
            {"name": "original-9", "base": "original", "knock_at": 9},
            {"name": "revised-4", "base": "revised", "knock_at": 4}],
            "question": {"figure": "turns", "over": "knock_at"}"#;
        assert!(question(variants).unwrap().starts_with("TrendQuestion"));
        let plan = plan(variants).unwrap();
        let TrendQuestion { series, .. } = over_variants(&plan, FIRST_SEAT, "knock_at").unwrap();
        let names: Vec<&str> = series.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["original", "revised"]);
        assert_eq!(series[0].points, [(5.0, 0), (9.0, 2)]);
        assert_eq!(series[1].points, [(4.0, 3), (7.0, 1)]);
    }

    #[test]
    fn errors_in_a_question_name_the_place_and_the_nearest_name() {
        let wrong = |text: &str| {
            let fields = format!("{TWO}, \"question\": {text}");
            question(&fields).unwrap_err().to_string()
        };
        for (question, place, text) in [
            (r#"{"figure": "draw_rat"}"#, "question.figure", "Did you mean `draw_rate`?"),
            (
                r#"{"figure": "turns", "between": ["original", "revise"]}"#,
                "question.between[1]",
                "Did you mean `revised`?",
            ),
            (r#"{"pairing": ["random", "gredy"]}"#, "question.pairing[1]", "`greedy`?"),
            (r#"{"pairing": ["random", "random"]}"#, "question.pairing", "do not meet"),
            (r#"{"exploit": ["random", "gredy"]}"#, "question.exploit[1]", "`greedy`?"),
            (
                r#"{"exploit": ["random", "greedy"], "pairing": ["random", "greedy"]}"#,
                "question",
                "`pairing` stands alone",
            ),
            (r#"{"pairing": ["random", "greedy"], "variant": "x"}"#, "question.variant", "`x`"),
            (r#"{"figure": "turns", "over": "knock_a"}"#, "question.over", "`knock_at`?"),
            (r#"{"figure": "turns", "over": "hand_size"}"#, "question.over", "differ only in"),
            (r"{}", "question", "nothing is asked"),
            (r#"{"figure": 5}"#, "question.figure", "a text or a list of texts"),
            (r#"{"figur": "turns"}"#, "question.figur", "`figure`"),
        ] {
            let found = wrong(question);
            assert!(found.contains(&format!("`{place}`")) && found.contains(text), "{found}");
        }
    }
}
