//! The fields of a strategy that can be tuned.

use serde_json::{Value, json};

use parlour_base::error::{Error, Result, ensure, unknown};
use parlour_base::files::SourceFile;
use parlour_game::strategy::{Spec, Strategic, Strategy, ranges};
use parlour_game::sweep::Combination;

/// The least size that a number is moved in proportion to: one that begins at 0 has to begin
/// somewhere.
const SMALL: f64 = 0.05;

/// What a number of 0 is moved in proportion to.
const FROM_ZERO: f64 = 0.2;

/// A decimal of a strategy.
#[derive(Clone, PartialEq, Debug)]
pub struct Number {
    /// Its name: fields within groups with points between them.
    pub name: String,
    /// What it is now.
    pub value: f64,
    /// What it is moved in proportion to.
    pub size: f64,
    /// Its range.
    pub range: (f64, f64),
}

impl Number {
    /// The value at a place that is scaled by its size, within its range, to the four digits that a
    /// file holds.
    pub fn at(&self, scaled: f64) -> f64 {
        let (low, high) = self.range;
        let value = (scaled * self.size).clamp(low, high);
        let text = if value.abs() < 0.1 { format!("{value:.3e}") } else { format!("{value:.4}") };
        text.parse().unwrap_or(value)
    }
}

/// A strategy whose fields are changed.
pub struct Fields<'a, G: Strategic> {
    strategy: &'a Strategy<G>,
    /// As a file says it in full.
    spelled: Value,
}

impl<'a, G: Strategic> Fields<'a, G> {
    /// The fields of a strategy.
    pub fn of(strategy: &'a Strategy<G>) -> Fields<'a, G> {
        let mut spelled = json!(strategy.spec);
        if let Some(fields) = spelled.as_object_mut() {
            fields.shift_remove("named");
        }
        Fields { strategy, spelled }
    }

    /// The strategy as a file says it in full.
    pub fn spelled(&self) -> &Value {
        &self.spelled
    }

    /// All single values by name; lists, such as a network's, are left out.
    fn leaves(&self) -> Vec<(String, &Value)> {
        fn look<'a>(value: &'a Value, name: &str, all: &mut Vec<(String, &'a Value)>) {
            match value {
                Value::Object(fields) => fields.iter().for_each(|(field, value)| {
                    let dot = if name.is_empty() { "" } else { "." };
                    look(value, &format!("{name}{dot}{field}"), all);
                }),
                Value::Array(_) => {}
                plain => all.push((name.to_owned(), plain)),
            }
        }
        let mut all = Vec::new();
        look(&self.spelled, "", &mut all);
        all.retain(|(name, _)| name != "kind");
        all
    }

    /// Its decimals: those that are named, by themselves or by a group that they lie in, or all.
    ///
    /// # Errors
    /// Bad input: a name that there is not, a field that is no decimal, none at all.
    pub fn decimals(&self, wanted: &[String]) -> Result<Vec<Number>> {
        let leaves = self.leaves();
        let within = |name: &str, wanted: &str| {
            name.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        for wanted in wanted {
            let found = || leaves.iter().filter(|(name, _)| within(name, wanted));
            let (_, value) = found().next().ok_or_else(|| {
                let what = format!("field of `{}`", self.strategy.name);
                Error::input(unknown(&what, wanted, leaves.iter().map(|(name, _)| name.as_str())))
            })?;
            ensure(found().any(|(_, value)| value.is_f64()), || {
                let is = if value.is_number() { "a whole number" } else { "no number" };
                Error::input(format!(
                    "`{wanted}` of `{}` is {value}, {is}: only decimals are moved step by step; write \
                     `{wanted}=A,B,…` to try several values",
                    self.strategy.name
                ))
            })?;
        }
        let ranges = ranges::<G>(self.spelled["kind"].as_str().unwrap_or_default());
        let is_wanted =
            |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| within(name, wanted));
        let number = |(name, value): (String, &Value)| {
            let value = value.as_f64().filter(|_| value.is_f64() && is_wanted(&name))?;
            let size = if value == 0.0 { FROM_ZERO } else { value.abs().max(SMALL) };
            let range = ranges.get(&name).copied().unwrap_or((f64::MIN, f64::MAX));
            Some(Number { name, value, size, range })
        };
        let all: Vec<Number> = leaves.into_iter().filter_map(number).collect();
        ensure(!all.is_empty(), || {
            Error::input(format!(
                "`{}` has no decimals to tune; write `FIELD=A,B,…` to try values of another field",
                self.strategy.name
            ))
        })?;
        Ok(all)
    }

    /// The strategy with other decimals, within their ranges.
    ///
    /// # Errors
    /// Bad input when the strategy cannot be played so.
    pub fn moved(&self, numbers: &[Number], values: &[f64]) -> Result<Spec<G::Kind>> {
        let mut spelled = self.spelled.clone();
        for (number, value) in numbers.iter().zip(values) {
            *place(&mut spelled, &number.name) = (*value).into();
        }
        self.strategy.spec.changed::<G>(&spelled)
    }

    /// The strategy with other values of any fields.
    ///
    /// # Errors
    /// Bad input when there is no such field, or the strategy cannot be played so.
    pub fn with(&self, values: &Combination<'_>) -> Result<Strategy<G>> {
        let Strategy { name, origin, .. } = self.strategy;
        let text = self.changed(values).to_string();
        Strategy::read(&SourceFile::new(name, origin.clone(), text))
    }

    /// As a file says it, with other values of some fields.
    pub fn changed(&self, values: &Combination<'_>) -> Value {
        let mut spelled = self.spelled.clone();
        for (field, value) in values {
            *place(&mut spelled, field) = (*value).clone();
        }
        spelled
    }
}

/// Where a field of a strategy stands.
pub(crate) fn place<'a>(strategy: &'a mut Value, field: &str) -> &'a mut Value {
    field.split('.').fold(strategy, |group, name| {
        if !group.is_object() {
            *group = json!({});
        }
        &mut group[name]
    })
}
