//! The question in words, where the experiment has none.

use super::super::{Asked, FIRST_SEAT};
use super::say::listed;
use crate::arena::PlanInfo;
use crate::game::FigureInfo;

/// The question in words, where the experiment has none.
pub(super) fn question(plan: &PlanInfo, heads: &[FigureInfo], asked: &Asked) -> String {
    let strategy = |s: &usize| plan.name_of(*s);
    let variant = |v: &usize| plan.variants[*v].name.as_str();
    match asked {
        Asked::Figures { figures, variants, .. } => {
            let named = |figure: &usize| match *figure {
                FIRST_SEAT => "first seat's score".to_owned(),
                figure => heads[figure].name.replace('_', " "),
            };
            let what = format!("the {}", listed(&figures.iter().map(named).collect::<Vec<_>>()));
            let is = if figures.len() == 1 { "is" } else { "are" };
            match variants.as_slice() {
                [one] => format!("What {is} {what} under {}?", variant(one)),
                [from, to] => {
                    format!("Does {} change {what}, compared with {}?", variant(to), variant(from))
                }
                [from, others @ ..] => {
                    format!(
                        "Do {} other rules change {what}, compared with {}?",
                        others.len(),
                        variant(from)
                    )
                }
                [] => String::new(),
            }
        }
        Asked::Pairing { strategies: [a, b], variants, bound } => {
            let under = match variants.as_slice() {
                [one] => format!(" under {}", variant(one)),
                _ => String::new(),
            };
            if a == b {
                format!("What is the first seat worth between two of {}{under}?", strategy(a))
            } else if *bound {
                format!("How far can {} be beaten{under}?", strategy(b))
            } else {
                format!("Is {} stronger than {}{under}?", strategy(a), strategy(b))
            }
        }
        Asked::Scores { strategies, .. } => match strategies.as_slice() {
            [first, ..] => format!("Which strategy scores more than {}?", strategy(first)),
            [] => String::new(),
        },
        Asked::Ladder { champion: Some(champion), .. } => {
            format!("How does {} do against the others?", strategy(champion))
        }
        Asked::Ladder { champion: None, .. } => "How strong are the strategies?".to_owned(),
        Asked::Trend { over, .. } => format!("What does {over} change?"),
    }
}
