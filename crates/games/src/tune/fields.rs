//! The fields of a strategy that can be tuned.

use serde_json::{Value, json};

use parlour_base::error::{Error, Result, ensure, unknown};
use parlour_base::files::{SourceFile, field_path, leaves};
use parlour_game::strategy::{BotFactory, Strategic, Strategy, ranges};
use parlour_game::sweep::{Combination, set_fields};

/// The minimum size of a field that is not 0.
const MIN_SIZE: f64 = 0.05;

/// The size of a field that is 0.
const SIZE_OF_ZERO: f64 = 0.2;

/// A real-valued field of a strategy.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct RealField {
    /// The name; groups are separated by dots.
    pub name: String,
    /// The current value.
    pub value: f64,
    /// The unit of its changes.
    pub size: f64,
    /// The valid range.
    pub range: (f64, f64),
}

impl RealField {
    /// Returns the value at a scaled position, clamped to the range and rounded to four digits as in
    /// files.
    pub fn at(&self, scaled: f64) -> f64 {
        let (low, high) = self.range;
        let value = (scaled * self.size).clamp(low, high);
        let text = if value.abs() < 0.1 { format!("{value:.3e}") } else { format!("{value:.4}") };
        text.parse().unwrap_or(value)
    }
}

/// The fields of a strategy.
pub(super) struct Fields<'a, G: Strategic> {
    pub strategy: &'a Strategy<G>,
    /// All options, as in a file.
    pub options: Value,
}

impl<'a, G: Strategic> Fields<'a, G> {
    /// Creates the fields of a strategy.
    pub fn new(strategy: &'a Strategy<G>) -> Fields<'a, G> {
        let mut options = json!(strategy.spec);
        if let Some(fields) = options.as_object_mut() {
            fields.shift_remove("named");
        }
        Fields { strategy, options }
    }

    /// Returns all single values by name, without lists such as those of a network.
    fn leaves(&self) -> Vec<(String, &Value)> {
        let all = leaves(&self.options).into_iter();
        let named = all.map(|(pointer, value)| (field_path(&pointer), value));
        named.filter(|(name, value)| name != "kind" && !value.is_array()).collect()
    }

    /// Returns the real-valued fields: those named by field or group, or all.
    ///
    /// # Errors
    /// Bad input: an unknown name, a field that is not real-valued, or no real-valued field at all.
    pub fn reals(&self, wanted: &[String]) -> Result<Vec<RealField>> {
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
                let is = if value.is_number() { "an integer" } else { "not a number" };
                Error::input(format!(
                    "`{wanted}` of `{}` is {value}, {is}; only real-valued fields are tuned without \
                     values. Use `{wanted}=A,B,…` to compare values",
                    self.strategy.name
                ))
            })?;
        }
        let ranges = ranges::<G>(self.options["kind"].as_str().unwrap_or_default());
        let is_wanted =
            |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| within(name, wanted));
        let number = |(name, value): (String, &Value)| {
            let value = value.as_f64().filter(|_| value.is_f64() && is_wanted(&name))?;
            let size = if value == 0.0 { SIZE_OF_ZERO } else { value.abs().max(MIN_SIZE) };
            let range = ranges.get(&name).copied().unwrap_or((f64::MIN, f64::MAX));
            Some(RealField { name, value, size, range })
        };
        let all: Vec<RealField> = leaves.into_iter().filter_map(number).collect();
        ensure(!all.is_empty(), || {
            Error::input(format!(
                "`{}` has no real-valued fields to tune; use `FIELD=A,B,…` to compare values of a field",
                self.strategy.name
            ))
        })?;
        Ok(all)
    }

    /// Returns all options at a point: other values of some fields, scaled by their sizes.
    pub fn at(&self, reals: &[RealField], point: &[f64]) -> Value {
        let values: Vec<Value> = reals.iter().zip(point).map(|(r, x)| r.at(*x).into()).collect();
        self.changed(&reals.iter().map(|real| real.name.as_str()).zip(&values).collect())
    }

    /// Returns the bots at a point.
    ///
    /// # Errors
    /// Bad input if the options are invalid.
    pub fn bots_at(&self, reals: &[RealField], point: &[f64]) -> Result<BotFactory<G>> {
        Ok(BotFactory::from_spec(self.strategy.spec.changed::<G>(&self.at(reals, point))?))
    }

    /// Returns all options, with other values of some fields.
    pub fn changed(&self, values: &Combination<'_>) -> Value {
        let mut options = self.options.clone();
        set_fields(&mut options, values);
        options
    }

    /// Reads bots from all options, as from a file.
    ///
    /// # Errors
    /// Bad input if a field is unknown or the options are invalid.
    pub fn read(&self, options: &Value) -> Result<BotFactory<G>> {
        let Strategy { name, origin, .. } = self.strategy;
        let file = SourceFile::new(name, origin.clone(), options.to_string());
        Ok(BotFactory::from_spec(Strategy::<G>::read(&file)?.spec))
    }
}
