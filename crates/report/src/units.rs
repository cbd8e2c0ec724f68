//! Units of figures, and numbers as text: shares in percent, differences of shares in percentage
//! points, with as many digits as the interval supports.

use parlour_stats::Estimate;

/// End of the unit of a trend that is measured per doubling of a value.
pub(super) const PER_DOUBLING: &str = " per doubling";

/// End of the unit of any other trend, before the name of the value.
pub(super) const PER_UNIT: &str = " per unit of ";

/// The unit of a figure, or of its trend over a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Unit<'a> {
    /// The unit without the rate of a trend.
    base: &'a str,
    /// The rate of a trend with its leading space, or nothing.
    rate: &'a str,
}

impl<'a> Unit<'a> {
    /// The unit of scores.
    pub const SHARE: Unit<'static> = Unit { base: "share", rate: "" };

    /// Reads the unit of a figure (`share of hands`, `turns per hand`) or of a trend.
    pub fn parse(text: &'a str) -> Unit<'a> {
        let rate = text.find(PER_DOUBLING).or_else(|| text.find(PER_UNIT)).unwrap_or(text.len());
        let (base, rate) = text.split_at(rate);
        Unit { base, rate }
    }

    /// The kind of unit: its first word.
    fn kind(self) -> &'a str {
        self.base.split(' ').next().unwrap_or_default()
    }

    /// Returns `true` for shares, which are shown in percent.
    pub fn is_share(self) -> bool {
        self.kind() == "share"
    }

    /// The unit of this figure's trend: `Elo per doubling`, `share per unit of knock_at`.
    pub fn trend(self, rate: &str) -> String {
        format!("{}{rate}", self.kind())
    }

    /// The unit without the rate of a trend.
    pub fn without_rate(self) -> Unit<'a> {
        Unit { rate: "", ..self }
    }

    fn factor(self) -> f64 {
        if self.is_share() { 100.0 } else { 1.0 }
    }

    /// Returns an estimate as it is displayed: shares in percent.
    pub fn displayed(self, estimate: Option<Estimate>) -> Option<Estimate> {
        estimate.map(|e| e.scaled(self.factor()))
    }

    /// The unit of a displayed number: `% of hands`.
    pub fn label(self) -> String {
        match self.base.strip_prefix("share") {
            Some(of_what) => format!("%{of_what}{}", self.rate),
            None => self.base.replace("points", "game points") + self.rate,
        }
    }

    /// The unit of a displayed difference: `percentage points`.
    pub fn change_label(self) -> String {
        if self.is_share() { format!("percentage points{}", self.rate) } else { self.label() }
    }

    /// The unit of a level: `%`, or without "per hand".
    pub fn short(self) -> String {
        match self.is_share() {
            true => "%".to_owned(),
            false => self.label().replace(" per hand", ""),
        }
    }

    /// “52.7 ± 1.1”, or a dash.
    fn shown(self, estimate: Option<Estimate>) -> String {
        let Some(e) = estimate else { return show(None) };
        format!("{:.*}", self.digits(e), e.scaled(self.factor())).replace('-', "−")
    }

    /// “−0.4 ± 0.3 pp”, or a dash.
    pub fn change_cell(self, change: Option<Estimate>) -> String {
        let unit = if self.is_share() { format!("pp{}", self.rate) } else { self.short() };
        format!("{} {unit}", self.shown(change))
    }

    /// “52.7 ± 1.1 %”, or a dash; numbers other than shares stand without their unit.
    pub fn cell(self, estimate: Option<Estimate>) -> String {
        let text = self.shown(estimate);
        match text.split_once(" (") {
            _ if !self.is_share() || estimate.is_none() => text,
            Some((value, note)) => format!("{value} % ({note}"),
            None => text + " %",
        }
    }

    /// “49.1 → 52.7 %”, with the digits of the change.
    pub fn step(self, from: f64, to: f64, change: Estimate) -> String {
        let [from, to] = [from, to].map(|x| number(x * self.factor(), self.digits(change)));
        format!("{from} → {to} {}", self.short())
    }

    /// The smallest difference that matters between two numbers, and its text: 2 percentage points,
    /// 20 Elo, a tenth of any other figure.
    pub fn relevant_difference(self, a: f64, b: f64) -> (f64, &'static str) {
        match self.kind() {
            "share" => (0.02, "2 percentage points"),
            "Elo" => (20.0, "20 Elo"),
            _ => (0.1 * a.abs().max(b.abs()), "10 %"),
        }
    }

    /// The digits that an estimate supports; one for a value without an interval.
    fn digits(self, e: Estimate) -> usize {
        let e = e.scaled(self.factor());
        let has_width = e.half_width().is_some_and(|half| half > 1e-9);
        if has_width { e.decimals().min(4) } else { usize::from(e.value != 0.0) }
    }

    /// “95.3” without its unit.
    pub fn bare_level(self, e: Estimate) -> String {
        number(e.value * self.factor(), self.digits(e))
    }

    /// “95.3 %”, with the digits of `like` if given.
    pub fn level(self, e: Estimate, like: Option<Estimate>) -> String {
        let value = number(e.value * self.factor(), self.digits(like.unwrap_or(e)));
        format!("{value} {}", self.short())
    }

    /// “95 % interval 94.7 to 95.9 %”.
    pub fn interval(self, e: Estimate) -> String {
        let Some((low, high)) = e.interval else { return "no interval".to_owned() };
        let [low, high] = [low, high].map(|x| number(x * self.factor(), self.digits(e)));
        format!("95 % interval {low} to {high} {}", self.short())
    }

    /// “95.3 %, 95 % interval 94.7 to 95.9 %”.
    pub fn level_and_interval(self, e: Estimate) -> String {
        format!("{}, {}", self.level(e, None), self.interval(e))
    }

    /// “−1.8 percentage points, 95 % interval −2.4 to −1.2”.
    pub fn change(self, e: Estimate) -> String {
        let mut digits = self.digits(e);
        // An end that is not 0 must not look like 0.
        let is_hidden = |x: f64| x != 0.0 && number(x * self.factor(), digits).parse() == Ok(0.0);
        if e.interval.is_some_and(|(low, high)| is_hidden(low) || is_hidden(high)) {
            digits += 1;
        }
        let show = |x: f64| with_sign(x * self.factor(), digits);
        let unit = if self.is_share() { self.change_label() } else { self.short() };
        let value = format!("{} {unit}", show(e.value));
        match e.interval {
            None => format!("{value}, no interval"),
            Some((low, high)) => format!("{value}, 95 % interval {} to {}", show(low), show(high)),
        }
    }
}

/// Formats an estimate of a figure with this unit, shares in percent, or a dash.
pub fn cell(unit: &str, estimate: Option<Estimate>) -> String {
    Unit::parse(unit).cell(estimate)
}

/// Formats an estimate with a true minus sign, or a dash.
pub fn show(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(|| "–".to_owned(), |e| e.to_string().replace('-', "−"))
}

/// A number with a true minus sign, and none before a zero.
fn number(x: f64, digits: usize) -> String {
    parlour_stats::number(x, digits).replace('-', "−")
}

fn with_sign(x: f64, digits: usize) -> String {
    let text = number(x, digits);
    let is_zero = text.bytes().all(|b| b == b'0' || b == b'.');
    if text.starts_with('−') || is_zero { text } else { format!("+{text}") }
}

/// A whole number with commas between thousands: “1,234,567”.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// “3 opponents”, “1 deal”.
pub(super) fn count(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", thousands(n), if n == 1 { "" } else { "s" })
}

/// A list with “and” before the last part.
pub(super) fn list(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// The name of a figure or column as words. The headline calls another figure luck than the shares of
/// the variance between all participants.
pub(super) fn words(name: &str) -> String {
    match name {
        "luck_share" => "variance from the deal".to_owned(),
        "skill_share" => "variance from strength".to_owned(),
        "rest_share" => "other variance".to_owned(),
        _ => name.replace('_', " "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_percent_and_their_differences_percentage_points() {
        let unit = Unit::parse("share of hands");
        let share = Estimate::symmetric(0.9532, 0.0031);
        assert_eq!(unit.level(share, None), "95.3 %");
        assert_eq!(unit.interval(share), "95 % interval 95.0 to 95.6 %");
        assert_eq!(
            unit.change(Estimate::symmetric(-0.018, 0.006)),
            "−1.8 percentage points, 95 % interval −2.4 to −1.2"
        );
        assert_eq!(
            unit.change(Estimate::symmetric(0.0, 0.006)),
            "0.0 percentage points, 95 % interval −0.6 to +0.6"
        );
        assert_eq!(unit.label(), "% of hands");
        assert_eq!(unit.cell(Some(share)), "95.3 ± 0.3 %");
        assert_eq!(unit.cell(Some(Estimate::exact(0.5))), "50.0 % (exact)");
        assert_eq!(unit.change_cell(Some(Estimate::symmetric(-0.018, 0.006))), "−1.8 ± 0.6 pp");
    }

    #[test]
    fn other_figures_keep_their_unit() {
        let unit = Unit::parse("turns per hand");
        let turns = Estimate::symmetric(49.62, 0.31);
        assert_eq!(unit.level(turns, None), "49.6 turns");
        assert_eq!(unit.change(turns.shifted(-50.0)), "−0.4 turns, 95 % interval −0.7 to −0.1");
        let elo = Unit::parse("Elo per doubling");
        assert_eq!(elo.change(Estimate::bare(35.0)), "+35.0 Elo per doubling, no interval");
        assert_eq!(elo.without_rate().label(), "Elo");
        assert_eq!(unit.trend(PER_DOUBLING), "turns per doubling");
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }
}
