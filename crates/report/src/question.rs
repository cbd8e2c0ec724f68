//! The question of a run with its names resolved: the experiment's own, or the default for its design.

use serde_json::Value;

use super::figures::{FIRST_SEAT, heads, is_measured};
use super::series::{Series, series};
use parlour_arena::{PlanInfo, PlannedTable, Question, Schedule};
use parlour_base::error::Error;
use parlour_base::error::Result;
use parlour_base::files::unknown;

/// A question that a run can answer.
#[derive(Clone, PartialEq, Debug)]
pub enum ResolvedQuestion {
    /// Figures of variants.
    Figures(FigureQuestion),
    /// Two strategies against each other, or one against itself.
    Pairing(PairingQuestion),
    /// Scores of several strategies.
    Scores(ScoreQuestion),
    /// The order of the strategies.
    Ladder(LadderQuestion),
    /// The dependence of a figure on a value.
    Trend(TrendQuestion),
}

/// A question about figures of variants.
#[derive(Clone, PartialEq, Debug)]
pub struct FigureQuestion {
    /// Indices of the figures.
    pub figures: Vec<usize>,
    /// The variants; the first is the reference.
    pub variants: Vec<usize>,
    /// `true` if the first seat's score is compared with a fair share instead.
    pub is_against_fair: bool,
}

/// A question about the stronger of two strategies; for one strategy, its first seat's score.
#[derive(Clone, PartialEq, Debug)]
pub struct PairingQuestion {
    /// The two strategies.
    pub strategies: [usize; 2],
    /// The variants.
    pub variants: Vec<usize>,
    /// `true` if the first was built to exploit the second, so that its score is a lower bound.
    pub is_bound: bool,
}

/// A question about the scores of strategies.
#[derive(Clone, PartialEq, Debug)]
pub struct ScoreQuestion {
    /// The strategies; the first is the reference.
    pub strategies: Vec<usize>,
    /// The variants.
    pub variants: Vec<usize>,
}

/// A question about the order of the strategies.
#[derive(Clone, PartialEq, Debug)]
pub struct LadderQuestion {
    /// The champion of a gauntlet, which all others are compared with.
    pub champion: Option<usize>,
    /// The variants.
    pub variants: Vec<usize>,
}

/// A question about the change of a figure over a value.
#[derive(Clone, PartialEq, Debug)]
pub struct TrendQuestion {
    /// Index of the figure; `None` for the strategies' ratings.
    pub figure: Option<usize>,
    /// Name of the value.
    pub over: String,
    /// The variants, or strategies, that differ in the value only.
    pub series: Vec<Series>,
}

/// Figures of strategies, which a question may name besides those of variants.
const STRATEGY_FIGURES: [&str; 2] = ["score", "rating"];

impl ResolvedQuestion {
    /// Resolves the question of a plan.
    ///
    /// # Errors
    /// Bad input: a figure, variant or pairing that the plan does not have.
    pub fn of(plan: &PlanInfo) -> Result<ResolvedQuestion> {
        let Some(question) = &plan.experiment().question else {
            return Ok(ResolvedQuestion::default_of(plan));
        };
        resolve(plan, question).map_err(|error| error.in_field("question"))
    }

    /// Returns the question of an experiment without one: the first seat's score between variants; a
    /// pairing; or the order of the strategies.
    pub(super) fn default_of(plan: &PlanInfo) -> ResolvedQuestion {
        let variants: Vec<usize> = (0..plan.variants.len()).collect();
        if variants.len() > 1 {
            if let Some(trend) = swept_rules(plan) {
                return trend;
            }
            let seats = |v: usize| plan.variants[v].seats;
            let variants = variants.into_iter().filter(|v| seats(*v) == seats(0)).collect();
            let figures = vec![FIRST_SEAT];
            let question = FigureQuestion { figures, variants, is_against_fair: false };
            return ResolvedQuestion::Figures(question);
        }
        let fields = plan.resolved.swept.strategies.iter();
        let mut trends = fields.filter_map(|over| over_strategies(plan, over, &variants).ok());
        if let Some(trend) = trends.next() {
            return trend;
        }
        match plan.tables.as_slice() {
            [PlannedTable { line_up, .. }] if line_up.len() == 2 => {
                let strategies = [line_up[0], line_up[1]];
                let question = PairingQuestion { strategies, variants, is_bound: false };
                ResolvedQuestion::Pairing(question)
            }
            _ => ResolvedQuestion::Ladder(LadderQuestion { champion: champion(plan), variants }),
        }
    }
}

fn resolve(plan: &PlanInfo, question: &Question) -> Result<ResolvedQuestion> {
    let Question { figure, between, pairing, exploit, variant, over } = question;
    let is_of_strategies = figure.iter().any(|f| STRATEGY_FIGURES.contains(&f.as_str()));
    let wrong = |text: &str| Err(Error::input(text.to_owned()));
    let pairing = pairing.as_ref().map(|pair| ("pairing", pair));
    let exploit = exploit.as_ref().map(|pair| ("exploit", pair));
    if let Some((field, pair)) = pairing.or(exploit) {
        let both = pairing.is_some() && exploit.is_some();
        if both || !figure.is_empty() || over.is_some() || !between.is_empty() {
            return wrong(&format!(
                "`{field}` stands alone or with `variant`; remove the other fields"
            ));
        }
        return resolve_pairing(plan, (field, pair), &resolve_under(plan, variant.as_deref())?);
    }
    if figure.is_empty() {
        return wrong("nothing is asked; name a `figure`, a `pairing` or a pair to `exploit`");
    }
    if variant.is_some() && !is_of_strategies {
        return wrong("`variant` is for figures of strategies; name variants in `between`");
    }
    if is_of_strategies && figure.len() > 1 {
        return wrong("`score` and `rating` cannot be combined with other figures");
    }
    if let Some(over) = over {
        let [one] = figure.as_slice() else {
            return wrong("a trend needs exactly one `figure`");
        };
        if !between.is_empty() {
            return wrong("a trend covers all values; remove `between`");
        }
        return if is_of_strategies {
            over_strategies(plan, over, &resolve_under(plan, variant.as_deref())?)
        } else {
            over_variants(plan, resolve_figure(plan, one)?, over)
        };
    }
    if is_of_strategies {
        let variants = resolve_under(plan, variant.as_deref())?;
        if between.is_empty() {
            let question = LadderQuestion { champion: champion(plan), variants };
            return Ok(ResolvedQuestion::Ladder(question));
        }
        let mut strategies = resolve_all(between, |name| resolve_strategy(plan, name))?;
        if let [first] = strategies[..] {
            let others = 0..plan.names().len();
            strategies.extend(others.filter(|s| *s != first && champion(plan) != Some(*s)));
        }
        return Ok(ResolvedQuestion::Scores(ScoreQuestion { strategies, variants }));
    }
    let figures: Vec<usize> =
        figure.iter().map(|name| resolve_figure(plan, name)).collect::<Result<_>>()?;
    let is_against_fair = between.is_empty() && figures == [FIRST_SEAT];
    let mut variants = resolve_all(between, |name| resolve_variant(plan, name))?;
    if between.len() == 1 {
        return wrong("`between` names one variant; name two or more");
    }
    if variants.is_empty() {
        variants = (0..plan.variants.len()).collect();
    }
    Ok(ResolvedQuestion::Figures(FigureQuestion { figures, variants, is_against_fair }))
}

/// Returns the trend of the first seat's score if three or more variants differ in one number only.
fn swept_rules(plan: &PlanInfo) -> Option<ResolvedQuestion> {
    let first = plan.experiment().variants.iter().flatten().next()?;
    let fields = first.rules.as_object()?.iter().filter(|(_, value)| value.is_number());
    let mut trends = fields.filter_map(|(over, _)| over_variants(plan, FIRST_SEAT, over).ok());
    trends.find(|question| {
        let ResolvedQuestion::Trend(TrendQuestion { series, .. }) = question else { return false };
        let long = series.iter().all(|series| series.points.len() > 2);
        long && series.iter().map(|series| series.points.len()).sum::<usize>()
            == plan.variants.len()
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
        if found.contains(&number) {
            return Err(place(Error::input(format!("`{name}` is listed twice"))));
        }
        found.push(number);
    }
    Ok(found)
}

fn resolve_figure(plan: &PlanInfo, name: &str) -> Result<usize> {
    let known: Vec<&str> = heads(&plan.figures).map(|head| head.name).collect();
    let found = known.iter().position(|known| *known == name);
    let figure = plan.figures.iter().find(|figure| figure.head.name == name);
    if figure.is_some_and(|figure| !is_measured(figure, &plan.empty.missing)) {
        let text = format!(
            "`{name}` needs analyzed decisions; `\"sample_decisions_every\": 10` analyzes those of every tenth deal"
        );
        return Err(Error::input(text).in_field("figure"));
    }
    found.ok_or_else(|| {
        let known = known.into_iter().chain(STRATEGY_FIGURES);
        Error::input(unknown("figure", name, known)).in_field("figure")
    })
}

fn resolve_variant(plan: &PlanInfo, name: &str) -> Result<usize> {
    let names = || plan.variants.iter().map(|frame| frame.name.as_str());
    let missing = || Error::input(unknown("variant of this experiment", name, names()));
    names().position(|known| known == name).ok_or_else(missing)
}

fn resolve_strategy(plan: &PlanInfo, name: &str) -> Result<usize> {
    let missing = || Error::input(unknown("strategy of this experiment", name, plan.names()));
    plan.names().position(|known| known == name).ok_or_else(missing)
}

/// Returns the named variant, or all variants without a name.
fn resolve_under(plan: &PlanInfo, name: Option<&str>) -> Result<Vec<usize>> {
    match name {
        Some(name) => Ok(vec![resolve_variant(plan, name).map_err(|e| e.in_field("variant"))?]),
        None => Ok((0..plan.variants.len()).collect()),
    }
}

/// Resolves a pairing under those of the variants under which it is played.
fn resolve_pairing(
    plan: &PlanInfo,
    (field, pair): (&str, &[String; 2]),
    variants: &[usize],
) -> Result<ResolvedQuestion> {
    let find = |index: usize| {
        resolve_strategy(plan, &pair[index]).map_err(|e| e.in_field(&format!("{field}[{index}]")))
    };
    let strategies = [find(0)?, find(1)?];
    let is_at = |table: &PlannedTable| {
        table.line_up.len() == 2 && strategies.iter().all(|s| table.line_up.contains(s)) && {
            table.is_mirror() == (strategies[0] == strategies[1])
        }
    };
    let is_played = |v: &usize| plan.tables.iter().any(|t| t.variant == *v && is_at(t));
    let variants: Vec<usize> = variants.iter().copied().filter(is_played).collect();
    if variants.is_empty() {
        let [a, b] = pair;
        let text = format!("`{a}` and `{b}` do not meet at a table of two in this experiment");
        return Err(Error::input(text).in_field(field));
    }
    let is_bound = field == "exploit";
    Ok(ResolvedQuestion::Pairing(PairingQuestion { strategies, variants, is_bound }))
}

/// Returns the trend of a figure over variants that differ in one number only.
fn over_variants(plan: &PlanInfo, figure: usize, over: &str) -> Result<ResolvedQuestion> {
    let spelled = plan.experiment().variants.iter().flatten();
    let spelled: Vec<(&str, &Value)> = spelled.map(|v| (v.name.as_str(), &v.rules)).collect();
    let series = series(&spelled, over, None, "no two variants")?;
    let (figure, over) = (Some(figure), over.to_owned());
    Ok(ResolvedQuestion::Trend(TrendQuestion { figure, over, series }))
}

/// Returns the trend of the rating over strategies that differ in one number only.
fn over_strategies(plan: &PlanInfo, over: &str, variants: &[usize]) -> Result<ResolvedQuestion> {
    let spelled = plan.experiment().strategies.iter();
    let spelled: Vec<(&str, &Value)> = spelled.map(|s| (s.name.as_str(), &s.strategy)).collect();
    let mut all = Vec::new();
    for &variant in variants {
        all.extend(series(&spelled, over, Some(variant), "no two strategies")?);
    }
    let question = TrendQuestion { figure: None, over: over.to_owned(), series: all };
    Ok(ResolvedQuestion::Trend(question))
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_arena::{Experiment, Plan, VariantSpec};
    use parlour_game::Ruled;
    use parlour_leopard::Leopard;

    fn question(fields: &str) -> Result<ResolvedQuestion> {
        let text =
            format!(r#"{{ "game": "leopard", "strategies": ["random", "greedy"], {fields} }}"#);
        let experiment: Experiment<VariantSpec<<Leopard as Ruled>::Patch>> =
            parlour_base::files::parse_json("e.json", &text)?;
        let plan = Plan::<Leopard>::resolve("small", &experiment)?;
        ResolvedQuestion::of(&plan)
    }

    const TWO: &str = r#""variants": ["original", "revised"]"#;

    #[test]
    fn the_default_question_follows_from_the_design() {
        let figures = FigureQuestion {
            figures: vec![FIRST_SEAT],
            variants: vec![0, 1],
            is_against_fair: false,
        };
        assert_eq!(question(TWO).unwrap(), ResolvedQuestion::Figures(figures));
        let pairing = PairingQuestion { strategies: [0, 1], variants: vec![0], is_bound: false };
        let found = question(r#""variants": ["revised"]"#).unwrap();
        assert_eq!(found, ResolvedQuestion::Pairing(pairing));
        let mirror = question(r#""variants": ["revised"], "mirror": true"#).unwrap();
        let ladder =
            |champion| ResolvedQuestion::Ladder(LadderQuestion { champion, variants: vec![0] });
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
        let ResolvedQuestion::Trend(TrendQuestion { over, series, .. }) =
            question(variants).unwrap()
        else {
            panic!("no trend")
        };
        assert_eq!(over, "knock_at");
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
            (r#"{"figure": 5}"#, "question.figure", "the name of a figure or a list of names"),
            (r#"{"figur": "turns"}"#, "question.figur", "`figure`"),
        ] {
            let found = wrong(question);
            assert!(found.contains(&format!("`{place}`")) && found.contains(text), "{found}");
        }
    }
}
