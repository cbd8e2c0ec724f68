//! Numbers in sentences: shares in percent, differences of shares in points, all with as many digits
//! as the doubt allows.

use crate::stats::Estimate;

/// How a unit is written in a sentence.
struct Written {
    /// What numbers are multiplied by.
    times: f64,
    /// What follows a number.
    after: String,
    /// What follows a difference.
    after_change: String,
}

fn written(unit: &str) -> Written {
    if unit.starts_with("share") {
        let step = unit.strip_prefix("share").filter(|rest| is_rate(rest)).unwrap_or_default();
        return Written {
            times: 100.0,
            after: " %".into(),
            after_change: format!(" points{step}"),
        };
    }
    // "turns a hand" are turns; "Elo a doubling" says of what.
    let short = match unit.split_once(' ') {
        Some((first, "a hand")) => first,
        _ => unit,
    };
    Written { times: 1.0, after: format!(" {short}"), after_change: format!(" {short}") }
}

/// Whether what follows a unit says over what it is counted: the unit of a trend.
pub(crate) fn is_rate(rest: &str) -> bool {
    rest == DOUBLING || rest.starts_with(EACH)
}

/// The end of the unit of a trend over doublings.
pub(crate) const DOUBLING: &str = " a doubling";

/// The beginning of the end of the unit of another trend, before the value's name.
pub(crate) const EACH: &str = " for each 1 of ";

/// The digits that an estimate allows, in percent where it is a share; one where there is no doubt
/// to show.
fn digits(e: Estimate, times: f64) -> usize {
    let doubtful = e.scaled(times).half_width().is_some_and(|half| half > 1e-9);
    if doubtful { e.scaled(times).decimals().min(4) } else { usize::from(e.value != 0.0) }
}

/// A number with so many decimals, a true minus sign, and none before a zero.
fn number(x: f64, digits: usize) -> String {
    let text = format!("{x:.digits$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.bytes().all(|b| b == b'0' || b == b'.') => zero.to_owned(),
        Some(rest) => format!("−{rest}"),
        None => text,
    }
}

fn with_sign(x: f64, digits: usize) -> String {
    let text = number(x, digits);
    let is_zero = text.bytes().all(|b| b == b'0' || b == b'.');
    if text.starts_with('−') || is_zero { text } else { format!("+{text}") }
}

/// “95.3 %”, with the digits of another estimate where one is given.
pub(crate) fn level(e: Estimate, unit: &str, like: Option<Estimate>) -> String {
    let Written { times, after, .. } = written(unit);
    let digits = digits(like.unwrap_or(e), times);
    format!("{}{after}", number(e.value * times, digits))
}

/// “95 % interval 94.7 to 95.9 %”.
pub(crate) fn interval(e: Estimate, unit: &str) -> String {
    let Written { times, after, .. } = written(unit);
    let digits = digits(e, times);
    match e.interval {
        None => "no interval".to_owned(),
        Some((low, high)) => {
            let [low, high] = [low, high].map(|x| number(x * times, digits));
            format!("95 % interval {low} to {high}{after}")
        }
    }
}

/// “−1.8 points, 95 % interval −2.4 to −1.2”.
pub(crate) fn signed(e: Estimate, unit: &str) -> String {
    let Written { times, after_change, .. } = written(unit);
    let mut digits = digits(e, times);
    // An end that is not 0 does not look like it.
    let hidden = |x: f64| x != 0.0 && number(x * times, digits).parse() == Ok(0.0);
    if e.interval.is_some_and(|(low, high)| hidden(low) || hidden(high)) {
        digits += 1;
    }
    let value = with_sign(e.value * times, digits);
    let value = format!("{value}{after_change}");
    match e.interval {
        None => format!("{value}, no interval"),
        Some((low, high)) => {
            let [low, high] = [low, high].map(|x| with_sign(x * times, digits));
            format!("{value}, 95 % interval {low} to {high}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_percent_and_their_differences_points() {
        let share = Estimate::symmetric(0.9532, 0.0031);
        assert_eq!(level(share, "share of hands", None), "95.3 %");
        assert_eq!(interval(share, "share of hands"), "95 % interval 95.0 to 95.6 %");
        let change = Estimate::symmetric(-0.018, 0.006);
        assert_eq!(signed(change, "share of hands"), "−1.8 points, 95 % interval −2.4 to −1.2");
        assert_eq!(
            signed(Estimate::symmetric(0.0, 0.006), "share"),
            "0.0 points, 95 % interval −0.6 to +0.6"
        );
    }

    #[test]
    fn others_have_their_unit() {
        let turns = Estimate::symmetric(49.62, 0.31);
        assert_eq!(level(turns, "turns a hand", None), "49.6 turns");
        assert_eq!(
            signed(turns.shifted(-50.0), "turns a hand"),
            "−0.4 turns, 95 % interval −0.7 to −0.1"
        );
        assert_eq!(signed(Estimate::bare(35.0), "Elo"), "+35.0 Elo, no interval");
    }
}
