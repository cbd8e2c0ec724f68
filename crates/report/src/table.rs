//! Tables whose rows are structs and whose columns are their fields. A [`Table`] is written as CSV and
//! JSON, and has a JSON Schema and a section of the data dictionary.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use parlour_arena::inlined_schema;
use parlour_base::error::{Error, Result};
use parlour_base::files::write_atomic;
use parlour_stats::number;

/// The unit of columns in scientific notation.
const P_VALUE: &str = "p-value";

/// A field of a row, which is one or more CSV columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its CSV columns: one; three for an estimate (value and interval ends); or one for each entry of
    /// a list, named by index or by the schema's `names`.
    pub heads: Vec<String>,
    /// `text`, `integer`, `number` or `boolean`.
    pub kind: &'static str,
    /// Unit of a value.
    pub unit: String,
    /// Description, one sentence.
    pub meaning: String,
}

impl Column {
    /// Returns a column of estimates.
    pub fn estimate(name: &str, unit: &str, meaning: &str) -> Column {
        let heads = ["", "_low", "_high"].map(|end| format!("{name}{end}"));
        let (unit, meaning) = (unit.to_owned(), meaning.to_owned());
        Column { heads: heads.to_vec(), kind: "number", unit, meaning }
    }

    /// Returns the column that a field's schema describes. The unit follows `Unit:` in its description.
    fn of(name: &str, field: &Value, seats: usize) -> Column {
        let description = one_line(&field["description"]);
        let (meaning, unit) = description.split_once(" Unit: ").unwrap_or((&description, "name"));
        let unit = unit.trim_end_matches('.');
        if field.pointer("/properties/interval").is_some() {
            return Column::estimate(name, unit, meaning);
        }
        let list = field.get("items");
        let of = &list.unwrap_or(field)["type"];
        let of = of.as_str().or(of[0].as_str());
        let kinds = ["integer", "boolean", "number"];
        let kind = kinds.into_iter().find(|kind| of == Some(*kind)).unwrap_or("text");
        let stem = field["stem"].as_str().unwrap_or(name);
        let count = field["maxItems"].as_u64().map_or(seats, |count| count as usize);
        let heads = match list {
            _ if field["names"].is_array() => {
                let names = field["names"].as_array().into_iter().flatten();
                names.map(|name| format!("{stem}_{}", one_line(name))).collect()
            }
            Some(_) => (0..count).map(|index| format!("{stem}_{index}")).collect(),
            None => vec![stem.to_owned()],
        };
        Column { heads, kind, unit: unit.to_owned(), meaning: meaning.to_owned() }
    }

    /// Formats a value: floats with 6 decimals, p-values with 3 in scientific notation, nothing for
    /// what cannot be computed.
    fn cell(&self, value: &Value) -> String {
        match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            Value::Number(float) if float.is_f64() => match float.as_f64().unwrap_or(f64::NAN) {
                p if self.unit == P_VALUE => format!("{p:.3e}"),
                x => number(x, 6),
            },
            other => other.to_string(),
        }
    }
}

/// Returns a text with its line breaks replaced by spaces.
fn one_line(text: &Value) -> String {
    text.as_str().into_iter().flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// A table of JSON values without nesting.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// Name: that of the file, without `.csv`.
    pub name: String,
    /// Description of a row.
    pub about: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows: one value for each CSV column.
    pub rows: Vec<Vec<Value>>,
}

impl Table {
    /// Returns a table of rows. Lists of unspecified length have two entries.
    pub fn of<T: Serialize + JsonSchema>(name: &str, rows: impl IntoIterator<Item = T>) -> Table {
        let mut table = Table::empty::<T>(name, 2);
        for row in rows {
            #[expect(clippy::expect_used, reason = "a row is a struct of plain fields")]
            let row = serde_json::to_value(row).expect("plain data");
            let row = row.as_object().into_iter().flat_map(Map::values);
            let row = table.columns.iter().zip(row).flat_map(|(c, v)| spread(v, c.heads.len()));
            table.rows.push(row.collect());
        }
        table
    }

    /// Returns a table without rows. Lists of unspecified length have one entry per seat.
    pub fn empty<T: JsonSchema>(name: &str, seats: usize) -> Table {
        let schema = inlined_schema::<T>();
        let fields = schema["properties"].as_object();
        let columns = fields.into_iter().flatten().map(|(n, field)| Column::of(n, field, seats));
        Table {
            name: name.to_owned(),
            about: one_line(&schema["description"]),
            columns: columns.collect(),
            rows: Vec::new(),
        }
    }

    /// Inserts columns, with their cells in all rows, after the first `at` columns, which must be single.
    #[must_use]
    pub fn with_columns(mut self, at: usize, columns: Vec<Column>, rows: Vec<Vec<Value>>) -> Table {
        self.columns.splice(at..at, columns);
        for (row, more) in self.rows.iter_mut().zip(rows) {
            row.splice(at..at, more);
        }
        self
    }

    /// Names of all CSV columns.
    pub fn heads(&self) -> impl Iterator<Item = &str> {
        self.columns_of_heads().map(|(head, _)| head)
    }

    /// Names of all CSV columns, each with its column.
    fn columns_of_heads(&self) -> impl Iterator<Item = (&str, &Column)> {
        self.columns.iter().flat_map(|c| c.heads.iter().map(move |head| (head.as_str(), c)))
    }

    /// Name of the file.
    pub fn file(&self) -> String {
        format!("{}.csv", self.name)
    }

    /// Writes the table into a folder as CSV.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<()> {
        write_atomic(&folder.join(self.file()), self.csv()?)
    }

    /// Returns the table as CSV.
    ///
    /// # Errors
    /// If a row has too many or too few cells.
    pub fn csv(&self) -> Result<Vec<u8>> {
        let mut file = csv::Writer::from_writer(Vec::new());
        let failed = |error: csv::Error| Error::failed(format!("{}: {error}", self.file()));
        file.write_record(self.heads()).map_err(failed)?;
        for row in &self.rows {
            let cells = self.columns_of_heads().zip(row);
            let cells = cells.map(|((_, column), value)| column.cell(value));
            file.write_record(cells.collect::<Vec<_>>()).map_err(failed)?;
        }
        file.into_inner().map_err(|error| Error::failed(error.to_string()))
    }

    /// Returns the rows as JSON objects whose keys are the CSV columns.
    pub fn objects(&self) -> Vec<Map<String, Value>> {
        let object = |row: &Vec<Value>| {
            let values = row.iter().map(plain);
            self.heads().map(str::to_owned).zip(values).collect::<Map<_, _>>()
        };
        self.rows.iter().map(object).collect()
    }

    /// Returns the JSON Schema of its [`objects`](Table::objects).
    pub fn schema(&self) -> Value {
        let property = |(head, column): (&str, &Column)| {
            let Column { kind, unit, meaning, .. } = column;
            let kind = if *kind == "text" { "string" } else { kind };
            let schema = json!({ "type": [kind, "null"], "description": meaning, "unit": unit });
            (head.to_owned(), schema)
        };
        let properties: Map<String, Value> = self.columns_of_heads().map(property).collect();
        let row = json!({ "type": "object", "properties": properties });
        json!({ "type": "array", "description": self.about, "items": row })
    }

    /// Returns its section of the data dictionary in Markdown.
    pub fn dictionary(&self) -> String {
        let row = |Column { heads, kind, unit, meaning }: &Column| {
            format!("| `{}` | {kind} | {unit} | {meaning} |\n", heads.join("`, `"))
        };
        let rows: String = self.columns.iter().map(row).collect();
        format!("{}\n\n| column | type | unit | meaning |\n|---|---|---|---|\n{rows}", self.about)
    }
}

/// Rounds a number to 12 digits, so that 0.93 is not printed as 0.9300000000000002.
fn plain(value: &Value) -> Value {
    let number = value.as_f64().filter(|_| value.is_f64());
    let rounded = number.and_then(|x| format!("{x:.11e}").parse::<f64>().ok());
    rounded.map_or_else(|| value.clone(), |x| json!(x + 0.0))
}

/// Flattens a value to `count` plain ones: an estimate and its ends, or the entries of a list. Missing
/// entries are `null`.
pub(super) fn spread(value: &Value, count: usize) -> Vec<Value> {
    fn leaves(value: &Value) -> Vec<Value> {
        match value {
            Value::Array(list) => list.iter().flat_map(leaves).collect(),
            Value::Object(map) => map.values().flat_map(leaves).collect(),
            plain => vec![plain.clone()],
        }
    }
    let mut plain = leaves(value);
    plain.resize(count, Value::Null);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_stats::Estimate;

    /// One row for each kind of column.
    #[derive(Serialize, JsonSchema)]
    struct Row {
        /// A name, described
        /// in two lines.
        name: &'static str,
        #[serde(skip)]
        _number: usize,
        /// A count. Unit: hands.
        hands: Option<u64>,
        /// A mean. Unit: points.
        mean: Option<Estimate>,
        /// A probability. Unit: p-value.
        p: f64,
        /// Entries of known number.
        #[schemars(extend("stem" = "n"))]
        counts: Option<[u64; 2]>,
        /// Entries of each seat.
        seat: Vec<bool>,
    }

    fn table() -> Table {
        let row = |name, hands, mean, p, counts, seat: &[bool]| {
            let seat = seat.to_vec();
            Row { name, _number: 7, hands, mean, p, counts, seat }
        };
        let mean = Estimate::symmetric(-1e-9, 0.25);
        Table::of(
            "t",
            [
                row("a", Some(9), Some(mean), 0.00123, Some([1, 2]), &[true, false]),
                row("b, c", None, Some(Estimate::bare(2.0)), 1.0, None, &[true]),
                row("d", Some(0), None, 1e-300, Some([0, 0]), &[]),
            ],
        )
    }

    #[test]
    fn a_table_is_written_with_fixed_decimals_and_empty_cells() {
        let here = tempfile::tempdir().unwrap();
        table().write(here.path()).unwrap();
        let text = std::fs::read_to_string(here.path().join("t.csv")).unwrap();
        insta::assert_snapshot!(text, @r#"
        name,hands,mean,mean_low,mean_high,p,n_0,n_1,seat_0,seat_1
        a,9,0.000000,-0.250000,0.250000,1.230e-3,1,2,true,false
        "b, c",,2.000000,,,1.000e0,,,true,
        d,0,,,,1.000e-300,0,0,,
        "#);
    }

    #[test]
    fn json_has_the_same_names_and_no_fewer_digits() {
        let first = serde_json::to_string(&table().objects()[0]).unwrap();
        insta::assert_snapshot!(first, @r#"{"name":"a","hands":9,"mean":-1e-9,"mean_low":-0.250000001,"mean_high":0.249999999,"p":0.00123,"n_0":1,"n_1":2,"seat_0":true,"seat_1":false}"#);
        let schema = table().schema();
        assert_eq!(schema["items"]["properties"]["mean_low"]["unit"], "points");
        assert_eq!(schema["items"]["properties"]["name"]["type"][0], "string");
        let named = schema["items"]["properties"].as_object().unwrap().keys();
        assert!(named.eq(table().objects()[0].keys()), "the schema has the printed keys");
    }

    #[test]
    fn the_dictionary_contains_the_doc_comments() {
        insta::assert_snapshot!(table().dictionary(), @r"
        One row for each kind of column.

        | column | type | unit | meaning |
        |---|---|---|---|
        | `name` | text | name | A name, described in two lines. |
        | `hands` | integer | hands | A count. |
        | `mean`, `mean_low`, `mean_high` | number | points | A mean. |
        | `p` | number | p-value | A probability. |
        | `n_0`, `n_1` | integer | name | Entries of known number. |
        | `seat_0`, `seat_1` | boolean | name | Entries of each seat. |
        ");
        let wider = Table::empty::<Row>("t", 3);
        assert_eq!(wider.heads().last(), Some("seat_2"));
    }

    #[test]
    fn columns_can_be_inserted() {
        let columns = vec![Column::estimate("x", "Elo", "A rating.")];
        let cells = vec![spread(&json!(Estimate::bare(1.0)), 3); 3];
        let wider = table().with_columns(1, columns, cells);
        assert_eq!(
            wider.heads().collect::<Vec<_>>()[..5],
            ["name", "x", "x_low", "x_high", "hands"]
        );
        assert_eq!(wider.rows[0].len(), wider.heads().count());
        assert_eq!(
            wider.rows[2][..5],
            [json!("d"), json!(1.0), Value::Null, Value::Null, json!(0)]
        );
    }
}
