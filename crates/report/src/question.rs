//! What a run is asked: an experiment's question with its names looked up, or the first that its
//! design allows.

use serde_json::Value;

use super::figures::{FIRST_SEAT, heads, is_measured};
use super::series::{Series, series};
use crate::arena::{PlanInfo, PlannedTable, Question, Schedule};
use crate::files::unknown;
use crate::{Error, Result};

/// A question that a run can answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Asked {
    /// Figures of the variants.
    Figures {
        /// The figures' numbers.
        figures: Vec<usize>,
        /// The variants; the first is compared with each other.
        variants: Vec<usize>,
        /// Whether the figure is the first seat's score, and is compared with a fair share instead.
        fair: bool,
    },
    /// Which of two strategies is stronger; of one strategy, what its first seat scores.
    Pairing {
        /// The two.
        strategies: [usize; 2],
        /// Under which variants.
        variants: Vec<usize>,
        /// Whether the first was made to beat the second, so that its score is a lower bound of what
        /// can be scored against it.
        bound: bool,
    },
    /// The scores of strategies; the first is compared with each other.
    Scores {
        /// The strategies.
        strategies: Vec<usize>,
        /// Under which variants.
        variants: Vec<usize>,
    },
    /// How the strategies stand: against the champion, or one below the other.
    Ladder {
        /// The champion of a gauntlet.
        champion: Option<usize>,
        /// Under which variants.
        variants: Vec<usize>,
    },
    /// How a number changes over a value.
    Trend {
        /// The figure; none for the strategies' ratings.
        figure: Option<usize>,
        /// The value's name.
        over: String,
        /// The variants, or the strategies, that differ in the value alone.
        series: Vec<Series>,
    },
}

/// The names by which figures of strategies are asked for.
const OF_STRATEGIES: [&str; 2] = ["score", "rating"];

impl Asked {
    /// What a plan is asked.
    ///
    /// # Errors
    /// Bad input: a figure, variant or pairing that the plan does not have.
    pub fn of(plan: &PlanInfo) -> Result<Asked> {
        let Some(question) = &plan.experiment().question else { return Ok(Asked::usual(plan)) };
        Asked::read(plan, question).map_err(|error| error.in_field("question"))
    }

    /// What is asked where nothing is said: the first seat's score between variants; a pairing; how
    /// the strategies stand.
    pub(super) fn usual(plan: &PlanInfo) -> Asked {
        let variants: Vec<usize> = (0..plan.variants.len()).collect();
        if variants.len() > 1 {
            let seats = |v: &usize| plan.variants[*v].seats;
            if let Some(trend) = swept(plan) {
                return trend;
            }
            let variants = variants.iter().copied().filter(|v| seats(v) == seats(&0)).collect();
            return Asked::Figures { figures: vec![FIRST_SEAT], variants, fair: false };
        }
        let fields = plan.resolved.swept.strategies.iter();
        let mut trends = fields.filter_map(|over| over_strategies(plan, over, &variants).ok());
        if let Some(trend) = trends.next() {
            return trend;
        }
        match plan.tables.as_slice() {
            [PlannedTable { line_up, .. }] if line_up.len() == 2 => {
                let strategies = [line_up[0], line_up[1]];
                Asked::Pairing { strategies, variants, bound: false }
            }
            _ => Asked::Ladder { champion: champion(plan), variants },
        }
    }

    fn read(plan: &PlanInfo, question: &Question) -> Result<Asked> {
        let Question { figure, between, pairing, exploit, variant, over } = question;
        let of_strategies = figure.iter().any(|f| OF_STRATEGIES.contains(&f.as_str()));
        let wrong = |what: &str| Err(Error::input(what.to_owned()));
        let pairing = pairing.as_ref().map(|pair| ("pairing", pair));
        let exploit = exploit.as_ref().map(|pair| ("exploit", pair));
        if let Some((field, pair)) = pairing.or(exploit) {
            let both = pairing.is_some() && exploit.is_some();
            if both || !figure.is_empty() || over.is_some() || !between.is_empty() {
                return wrong(&format!(
                    "`{field}` asks alone, or with `variant`; leave the rest out"
                ));
            }
            return met(plan, (field, pair), &under(plan, variant.as_deref())?);
        }
        if figure.is_empty() {
            return wrong("it asks nothing; name a `figure`, a `pairing` or whom to `exploit`");
        }
        if variant.is_some() && !of_strategies {
            return wrong("`variant` belongs to strategies; name variants in `between`");
        }
        if of_strategies && figure.len() > 1 {
            return wrong("`score` and `rating` are asked for alone");
        }
        if let Some(over) = over {
            let [one] = figure.as_slice() else {
                return wrong("a trend is asked of one `figure`");
            };
            if !between.is_empty() {
                return wrong("a trend is asked over all values; leave `between` out");
            }
            return if of_strategies {
                over_strategies(plan, over, &under(plan, variant.as_deref())?)
            } else {
                over_variants(plan, number(plan, one)?, over)
            };
        }
        if of_strategies {
            let variants = under(plan, variant.as_deref())?;
            if between.is_empty() {
                return Ok(Asked::Ladder { champion: champion(plan), variants });
            }
            let mut strategies = all_of(between, |name| strategy(plan, name))?;
            if let [first] = strategies[..] {
                let others = 0..plan.names().len();
                strategies.extend(others.filter(|s| *s != first && champion(plan) != Some(*s)));
            }
            return Ok(Asked::Scores { strategies, variants });
        }
        let figures = figure.iter().map(|name| number(plan, name)).collect::<Result<Vec<_>>>()?;
        let fair = between.is_empty() && figures == [FIRST_SEAT];
        let mut variants = all_of(between, |name| self::variant(plan, name))?;
        if between.len() == 1 {
            return wrong("`between` names one variant; name two or more");
        }
        if variants.is_empty() {
            variants = (0..plan.variants.len()).collect();
        }
        Ok(Asked::Figures { figures, variants, fair })
    }
}

/// The trend of the first seat's score, where three variants or more differ in one number alone.
fn swept(plan: &PlanInfo) -> Option<Asked> {
    let first = plan.experiment().variants.iter().flatten().next()?;
    let fields = first.rules.as_object()?.iter().filter(|(_, value)| value.is_number());
    let mut trends = fields.filter_map(|(over, _)| over_variants(plan, FIRST_SEAT, over).ok());
    trends.find(|asked| {
        let Asked::Trend { series, .. } = asked else { return false };
        let long = series.iter().all(|series| series.points.len() > 2);
        long && series.iter().map(|series| series.points.len()).sum::<usize>()
            == plan.variants.len()
    })
}

/// The champion of a gauntlet.
fn champion(plan: &PlanInfo) -> Option<usize> {
    let experiment = plan.experiment();
    if experiment.schedule != Schedule::Gauntlet {
        return None;
    }
    // Older runs do not name it; it sits at every table.
    let everywhere = |s: &usize| plan.tables.iter().all(|table| table.line_up.contains(s));
    match &experiment.champion {
        Some(name) => plan.names().position(|other| other == name),
        None => (0..plan.names().len()).find(everywhere),
    }
}

/// Looks up the names of `between`, each once.
fn all_of(names: &[String], find: impl Fn(&str) -> Result<usize>) -> Result<Vec<usize>> {
    let mut found = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let place = |error: Error| error.in_field(&format!("between[{index}]"));
        let number = find(name).map_err(place)?;
        if found.contains(&number) {
            return Err(place(Error::input(format!("`{name}` is there twice"))));
        }
        found.push(number);
    }
    Ok(found)
}

fn number(plan: &PlanInfo, name: &str) -> Result<usize> {
    let known: Vec<&str> = heads(&plan.figures).map(|head| head.name).collect();
    let found = known.iter().position(|known| *known == name);
    let figure = plan.figures.iter().find(|figure| figure.head.name == name);
    if figure.is_some_and(|figure| !is_measured(figure, &plan.empty.missing)) {
        let said = format!(
            "`{name}` is known of decisions that were looked at: `\"decisions\": 10` looks at those of every tenth deal"
        );
        return Err(Error::input(said).in_field("figure"));
    }
    found.ok_or_else(|| {
        let known = known.into_iter().chain(OF_STRATEGIES);
        Error::input(unknown("figure", name, known)).in_field("figure")
    })
}

fn variant(plan: &PlanInfo, name: &str) -> Result<usize> {
    let names = || plan.variants.iter().map(|frame| frame.name.as_str());
    let missing = || Error::input(unknown("variant of this experiment", name, names()));
    names().position(|known| known == name).ok_or_else(missing)
}

fn strategy(plan: &PlanInfo, name: &str) -> Result<usize> {
    let missing = || Error::input(unknown("strategy of this experiment", name, plan.names()));
    plan.names().position(|known| known == name).ok_or_else(missing)
}

/// The variant of this name, or all.
fn under(plan: &PlanInfo, name: Option<&str>) -> Result<Vec<usize>> {
    match name {
        Some(name) => Ok(vec![variant(plan, name).map_err(|e| e.in_field("variant"))?]),
        None => Ok((0..plan.variants.len()).collect()),
    }
}

/// A pairing under those of the variants under which it is played.
fn met(plan: &PlanInfo, (field, pair): (&str, &[String; 2]), variants: &[usize]) -> Result<Asked> {
    let find = |index: usize| {
        strategy(plan, &pair[index]).map_err(|e| e.in_field(&format!("{field}[{index}]")))
    };
    let strategies = [find(0)?, find(1)?];
    let sits = |table: &PlannedTable| {
        table.line_up.len() == 2 && strategies.iter().all(|s| table.line_up.contains(s)) && {
            table.is_mirror() == (strategies[0] == strategies[1])
        }
    };
    let played = |v: &usize| plan.tables.iter().any(|t| t.variant == *v && sits(t));
    let variants: Vec<usize> = variants.iter().copied().filter(played).collect();
    if variants.is_empty() {
        let [a, b] = pair;
        let said = format!("`{a}` and `{b}` do not meet at a table of two in this experiment");
        return Err(Error::input(said).in_field(field));
    }
    Ok(Asked::Pairing { strategies, variants, bound: field == "exploit" })
}

/// Variants that differ in one number of their rules alone.
fn over_variants(plan: &PlanInfo, figure: usize, over: &str) -> Result<Asked> {
    let spelled = plan.experiment().variants.iter().flatten();
    let spelled: Vec<(&str, &Value)> = spelled.map(|v| (v.name.as_str(), &v.rules)).collect();
    let series = series(&spelled, over, None, "no two variants")?;
    Ok(Asked::Trend { figure: Some(figure), over: over.to_owned(), series })
}

/// Strategies that differ in one number alone.
fn over_strategies(plan: &PlanInfo, over: &str, variants: &[usize]) -> Result<Asked> {
    let spelled = plan.experiment().strategies.iter();
    let spelled: Vec<(&str, &Value)> = spelled.map(|s| (s.name.as_str(), &s.strategy)).collect();
    let mut all = Vec::new();
    for &variant in variants {
        all.extend(series(&spelled, over, Some(variant), "no two strategies")?);
    }
    Ok(Asked::Trend { figure: None, over: over.to_owned(), series: all })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{Experiment, Plan, VariantSpec};
    use crate::game::Ruled;
    use parlour_leopard::Leopard;

    fn asked(fields: &str) -> Result<Asked> {
        let text =
            format!(r#"{{ "game": "leopard", "strategies": ["random", "greedy"], {fields} }}"#);
        let experiment: Experiment<VariantSpec<<Leopard as Ruled>::Patch>> =
            crate::files::parse_json("e.json", &text)?;
        let plan = Plan::<Leopard>::resolve("small", &experiment)?;
        Asked::of(&plan)
    }

    const TWO: &str = r#""variants": ["original", "revised"]"#;

    #[test]
    fn what_is_not_said_follows_from_the_design() {
        let first = Asked::Figures { figures: vec![FIRST_SEAT], variants: vec![0, 1], fair: false };
        assert_eq!(asked(TWO).unwrap(), first);
        let pairing = Asked::Pairing { strategies: [0, 1], variants: vec![0], bound: false };
        assert_eq!(asked(r#""variants": ["revised"]"#).unwrap(), pairing);
        let mirror = asked(r#""variants": ["revised"], "mirror": true"#).unwrap();
        assert_eq!(mirror, Asked::Ladder { champion: None, variants: vec![0] });
        let gauntlet = r#""variants": ["revised"], "schedule": "gauntlet", "champion": "greedy", "question": {"figure": "rating"}"#;
        let ladder = Asked::Ladder { champion: Some(1), variants: vec![0] };
        assert_eq!(asked(gauntlet).unwrap(), ladder);
    }

    #[test]
    fn a_trend_has_a_series_for_all_that_differ_in_the_value_alone() {
        let variants = r#""variants": ["original", "revised",
            {"name": "original-9", "base": "original", "knock_at": 9},
            {"name": "revised-4", "base": "revised", "knock_at": 4}],
            "question": {"figure": "turns", "over": "knock_at"}"#;
        let Asked::Trend { figure: Some(_), over, series } = asked(variants).unwrap() else {
            panic!("no trend")
        };
        assert_eq!(over, "knock_at");
        let names: Vec<&str> = series.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["original", "revised"]);
        assert_eq!(series[0].points, [(5.0, 0), (9.0, 2)]);
        assert_eq!(series[1].points, [(4.0, 3), (7.0, 1)]);
    }

    #[test]
    fn a_wrong_question_is_told_its_place_and_the_nearest_name() {
        let wrong = |question: &str| {
            let fields = format!("{TWO}, \"question\": {question}");
            asked(&fields).unwrap_err().to_string()
        };
        for (question, place, said) in [
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
                "`pairing` asks alone",
            ),
            (r#"{"pairing": ["random", "greedy"], "variant": "x"}"#, "question.variant", "`x`"),
            (r#"{"figure": "turns", "over": "knock_a"}"#, "question.over", "`knock_at`?"),
            (r#"{"figure": "turns", "over": "hand_size"}"#, "question.over", "differ in"),
            (r"{}", "question", "it asks nothing"),
            (r#"{"figure": 5}"#, "question.figure", "a figure's name, or a list"),
            (r#"{"figur": "turns"}"#, "question.figur", "`figure`"),
        ] {
            let found = wrong(question);
            assert!(found.contains(&format!("`{place}`")) && found.contains(said), "{found}");
        }
    }
}
