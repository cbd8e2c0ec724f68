//! Tables: a struct is a row, its fields are the columns. One [`Table`] gives the CSV file, the JSON
//! for other programs, its JSON Schema and its part of the data dictionary.

use std::fmt::Write;
use std::path::Path;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::error::{Error, Result};
use crate::files::WholeFile;

/// The unit of columns whose order of magnitude counts.
const P_VALUE: &str = "p-value";

/// A field of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its heads: one, three of an estimate (the number and the ends of its interval), or one for
    /// each entry of a list.
    pub heads: Vec<String>,
    /// `text`, `integer`, `number` or `boolean`.
    pub kind: &'static str,
    /// What one is.
    pub unit: String,
    /// One sentence.
    pub meaning: String,
}

impl Column {
    /// A number with its interval.
    pub fn estimate(name: &str, unit: &str, meaning: &str) -> Column {
        let heads = ["", "_low", "_high"].map(|end| format!("{name}{end}"));
        let (unit, meaning) = (unit.to_owned(), meaning.to_owned());
        Column { heads: heads.to_vec(), kind: "number", unit, meaning }
    }

    /// The column that a field's schema describes.
    fn of(name: &str, field: &Value, seats: usize) -> Column {
        let text = |key: &str, other: &str| words(field[key].as_str().unwrap_or(other));
        let list = field.get("items");
        let of = list.unwrap_or(field);
        let kinds = of["type"].as_array().map_or_else(|| vec![&of["type"]], |k| k.iter().collect());
        let kind = match kinds.first().and_then(|kind| kind.as_str()) {
            Some("integer") => "integer",
            Some("boolean") => "boolean",
            Some("string") => "text",
            _ => "number",
        };
        let (unit, meaning) = (text("unit", "name"), text("description", ""));
        let stem = field["stem"].as_str().unwrap_or(name);
        let heads = match list {
            _ if field.pointer("/properties/interval").is_some() => {
                return Column::estimate(name, &unit, &meaning);
            }
            Some(_) => {
                let count = field["maxItems"].as_u64().map_or(seats, |count| count as usize);
                (0..count).map(|index| format!("{stem}_{index}")).collect()
            }
            None => vec![stem.to_owned()],
        };
        Column { heads, kind, unit, meaning }
    }

    /// A value as text: numbers that are not whole have 6 decimals, p-values 3 in scientific
    /// notation; nothing for what cannot be computed.
    fn cell(&self, value: &Value) -> String {
        match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            Value::Number(number) if number.is_f64() => {
                let number = number.as_f64().unwrap_or(f64::NAN);
                if self.unit == P_VALUE {
                    return format!("{number:.3e}");
                }
                let text = format!("{number:.6}");
                // No negative zero.
                if text == "-0.000000" { "0.000000".to_owned() } else { text }
            }
            other => other.to_string(),
        }
    }
}

/// Words with one space between them.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A table of plain values.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// Its name: the file's, without `.csv`.
    pub name: String,
    /// What a row is.
    pub about: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows, a value for each head of each column.
    pub rows: Vec<Vec<Value>>,
}

impl Table {
    /// The table of these rows; lists whose length the struct does not say have two entries.
    pub fn of<T: Serialize + JsonSchema>(name: &str, rows: impl IntoIterator<Item = T>) -> Table {
        let mut table = Table::empty::<T>(name, 2);
        for row in rows {
            let row = serde_json::to_value(row).expect("plain data");
            let row = row.as_object().into_iter().flat_map(Map::values);
            let row = table.columns.iter().zip(row).flat_map(|(c, v)| spread(v, c.heads.len()));
            table.rows.push(row.collect());
        }
        table
    }

    /// A table without rows; lists whose length the struct does not say have an entry a seat.
    pub fn empty<T: JsonSchema>(name: &str, seats: usize) -> Table {
        let mut settings = SchemaSettings::default();
        settings.inline_subschemas = true;
        let schema = settings.into_generator().into_root_schema_for::<T>().to_value();
        let fields = schema["properties"].as_object();
        let columns = fields.into_iter().flatten().map(|(n, field)| Column::of(n, field, seats));
        Table {
            name: name.to_owned(),
            about: words(schema["description"].as_str().unwrap_or_default()),
            columns: columns.collect(),
            rows: Vec::new(),
        }
    }

    /// This table with the columns of another to the right; both have as many rows.
    #[must_use]
    pub fn beside(mut self, right: Table) -> Table {
        self.columns.extend(right.columns);
        for (row, more) in self.rows.iter_mut().zip(right.rows) {
            row.extend(more);
        }
        self
    }

    /// The heads of all columns.
    pub fn heads(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().flat_map(|column| column.heads.iter().map(String::as_str))
    }

    /// The name of its file.
    pub fn file(&self) -> String {
        format!("{}.csv", self.name)
    }

    /// Writes it into a folder.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let mut file = CsvFile::create(&folder.join(self.file()))?;
        file.row(self.heads().collect::<Vec<_>>())?;
        let of_head = || self.columns.iter().flat_map(|c| std::iter::repeat_n(c, c.heads.len()));
        for row in &self.rows {
            let cells = of_head().zip(row).map(|(column, value)| column.cell(value));
            file.row(cells.collect::<Vec<_>>())?;
        }
        file.finish()
    }

    /// Its rows as JSON objects, the heads being the names.
    pub fn objects(&self) -> Vec<Map<String, Value>> {
        let object = |row: &Vec<Value>| {
            self.heads().map(str::to_owned).zip(row.iter().cloned()).collect::<Map<_, _>>()
        };
        self.rows.iter().map(object).collect()
    }

    /// The JSON Schema of its [`objects`](Table::objects).
    pub fn schema(&self) -> Value {
        let mut properties = Map::new();
        for column in &self.columns {
            let kind = if column.kind == "text" { "string" } else { column.kind };
            for head in &column.heads {
                let property = json!({
                    "type": [kind, "null"], "description": column.meaning, "unit": column.unit
                });
                properties.insert(head.clone(), property);
            }
        }
        let row = json!({ "type": "object", "properties": properties });
        json!({ "type": "array", "description": self.about, "items": row })
    }

    /// Its part of the data dictionary, in Markdown.
    pub fn dictionary(&self) -> String {
        let mut text =
            format!("{}\n\n| column | type | unit | meaning |\n|---|---|---|---|\n", self.about);
        for Column { heads, kind, unit, meaning } in &self.columns {
            let heads = heads.join("`, `");
            let _ = writeln!(text, "| `{heads}` | {kind} | {unit} | {meaning} |");
        }
        text
    }
}

/// A value as so many plain ones: an estimate and its ends, the entries of a list; nothing where
/// there are too few.
pub(super) fn spread(value: &Value, count: usize) -> Vec<Value> {
    fn leaves(value: &Value, out: &mut Vec<Value>) {
        match value {
            Value::Array(list) => list.iter().for_each(|value| leaves(value, out)),
            Value::Object(map) => map.values().for_each(|value| leaves(value, out)),
            plain => out.push(plain.clone()),
        }
    }
    let mut out = Vec::new();
    leaves(value, &mut out);
    out.resize(count, Value::Null);
    out
}

/// A CSV file that is written row by row and takes its place when it is whole.
pub(super) struct CsvFile {
    writer: csv::Writer<WholeFile>,
    place: String,
}

impl CsvFile {
    pub fn create(path: &Path) -> Result<CsvFile> {
        let file = WholeFile::create(path)?;
        let writer = csv::WriterBuilder::new().has_headers(false).from_writer(file);
        Ok(CsvFile { writer, place: path.display().to_string() })
    }

    pub fn row(&mut self, row: impl Serialize) -> Result<()> {
        let place = &self.place;
        self.writer
            .serialize(row)
            .map_err(|error| Error::failed(format!("cannot write {place}: {error}")))
    }

    pub fn finish(self) -> Result<()> {
        let place = self.place;
        let file = self.writer.into_inner();
        file.map_err(|error| Error::failed(format!("cannot write {place}: {}", error.error())))?
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Estimate;

    /// One row for each kind of column.
    #[derive(Serialize, JsonSchema)]
    struct Row {
        /// A name, told
        /// over two lines.
        name: &'static str,
        #[serde(skip)]
        _number: usize,
        /// A count.
        #[schemars(extend("unit" = "hands"))]
        hands: Option<u64>,
        /// A mean.
        #[schemars(extend("unit" = "points"))]
        mean: Option<Estimate>,
        /// A probability.
        #[schemars(extend("unit" = "p-value"))]
        p: f64,
        /// Entries whose number is known.
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
    fn json_has_the_same_names_and_no_less_digits() {
        let first = serde_json::to_string(&table().objects()[0]).unwrap();
        insta::assert_snapshot!(first, @r#"{"name":"a","hands":9,"mean":-1e-9,"mean_low":-0.250000001,"mean_high":0.249999999,"p":0.00123,"n_0":1,"n_1":2,"seat_0":true,"seat_1":false}"#);
        let schema = table().schema();
        assert_eq!(schema["items"]["properties"]["mean_low"]["unit"], "points");
        assert_eq!(schema["items"]["properties"]["name"]["type"][0], "string");
        let named = schema["items"]["properties"].as_object().unwrap().keys();
        assert!(named.eq(table().objects()[0].keys()), "the schema names what is printed");
    }

    #[test]
    fn the_dictionary_tells_what_the_fields_say() {
        insta::assert_snapshot!(table().dictionary(), @r"
        One row for each kind of column.

        | column | type | unit | meaning |
        |---|---|---|---|
        | `name` | text | name | A name, told over two lines. |
        | `hands` | integer | hands | A count. |
        | `mean`, `mean_low`, `mean_high` | number | points | A mean. |
        | `p` | number | p-value | A probability. |
        | `n_0`, `n_1` | integer | name | Entries whose number is known. |
        | `seat_0`, `seat_1` | boolean | name | Entries of each seat. |
        ");
        let wider = Table::empty::<Row>("t", 3);
        assert_eq!(wider.heads().last(), Some("seat_2"));
    }

    #[test]
    fn columns_stand_beside_one_another() {
        let mut figures =
            Table { columns: vec![Column::estimate("x", "Elo", "A rating.")], ..Table::default() };
        figures.rows = vec![spread(&json!(Estimate::bare(1.0)), 3); 3];
        let both = table().beside(figures);
        assert_eq!(both.heads().last(), Some("x_high"));
        assert_eq!(both.rows[0].len(), both.heads().count());
        assert_eq!(both.rows[2][10..], [json!(1.0), Value::Null, Value::Null]);
    }
}
