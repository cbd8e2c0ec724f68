//! How sentences speak of a figure, and of the size of a difference.

use super::{Call, Finding};
use crate::game::FigureInfo;

/// A figure as the subject of a sentence.
#[derive(Clone, Debug)]
pub(super) enum Subject {
    /// What the first seat scores.
    FirstSeat,
    /// How often something is so.
    Often(String),
    /// A noun.
    Noun(String),
}

/// How sentences speak of a figure: by what its meaning says.
pub(super) fn subject(head: &FigureInfo) -> Subject {
    let first = head.meaning.split(['.', ':', ';', ',']).next().unwrap_or_default().trim();
    if head.name == "first_seat_score" {
        return Subject::FirstSeat;
    }
    if let Some(clause) = first.strip_prefix("How often ") {
        return Subject::Often(clause.to_owned());
    }
    let noun = match first.strip_prefix("Mean ") {
        Some(rest) if rest.len() < 60 => format!("mean {rest}"),
        _ if head.unit.ends_with(" a hand") => format!("number of {}", head.unit),
        _ => head.name.replace('_', " "),
    };
    Subject::Noun(noun)
}

impl Subject {
    /// At the beginning of a sentence.
    pub fn title(&self) -> String {
        match self {
            Subject::FirstSeat => "The first seat's score".to_owned(),
            Subject::Often(clause) => format!("How often {clause}"),
            Subject::Noun(noun) => format!("The {noun}"),
        }
    }

    /// “`revised` has it higher than `original`” as a person would say it.
    pub fn differs(&self, f: &Finding) -> String {
        let (size, from, to) = (size(f), &f.from, &f.to);
        let up = f.call == Call::Higher;
        let of = |high: &'static str, low: &'static str| if up { high } else { low };
        match self {
            Subject::FirstSeat => {
                let how = of("more", "less");
                format!("Under `{to}` the first seat scores {size}{how} than under `{from}`")
            }
            Subject::Often(clause) => {
                let how = of("more often", "less often");
                format!("Under `{to}` {clause} {size}{how} than under `{from}`")
            }
            Subject::Noun(noun) => {
                let how = of("higher", "lower");
                let is = if noun.starts_with("mean points") { "are" } else { "is" };
                format!("Under `{to}` the {noun} {is} {size}{how} than under `{from}`")
            }
        }
    }
}

/// The size of a difference in a word, with a space after it; nothing for one of middling size.
pub(super) fn size(f: &Finding) -> &'static str {
    let change = f.change.map_or(0.0, |change| change.value.abs());
    match change / f.matters().max(f64::MIN_POSITIVE) {
        times if times < 0.5 => "slightly ",
        times if times >= 5.0 => "much ",
        _ => "",
    }
}
