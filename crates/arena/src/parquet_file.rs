//! Parquet files of JSON objects, with one typed, perhaps nested column for each field of a JSON
//! Schema.
//!
//! Values are split over the columns as in Melnik et al., "Dremel", VLDB 2010. A repetition level tells at
//! which list a value repeats, a definition level how many of its optional parents exist. All columns
//! are optional.

use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use parlour_base::files::{AtomicFile, compact};

/// Number of values in all columns at which a row group ends: it bounds the memory, some 20 bytes a
/// value. It depends on the rows alone, so that equal rows give equal bytes.
const VALUES_PER_GROUP: usize = 1 << 20;

/// Returns the JSON Schema of a type without references.
pub fn inlined_schema<T: JsonSchema + ?Sized>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|it| it.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// The values of a column in the current row group with their definition and repetition levels.
#[derive(Default)]
struct Column {
    values: Values,
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
}

enum Values {
    Booleans(Vec<bool>),
    /// Unsigned numbers are stored with the same bits.
    Integers(Vec<i64>),
    /// The texts one after the other, and their lengths.
    Texts(Vec<u8>, Vec<usize>),
}

impl Default for Values {
    fn default() -> Self {
        Values::Texts(Vec::new(), Vec::new())
    }
}

/// A field with its columns.
struct Field {
    columns: Range<usize>,
    kind: Kind,
}

enum Kind {
    Column,
    List(Box<Field>),
    /// Fields with the JSON pointers to their values.
    Group(Vec<(String, Field)>),
}

impl Field {
    /// Creates the field of a schema and its Parquet type. Integers, booleans, texts, lists and objects
    /// have types of their own; every other value, such as one of several types, is text: a string
    /// itself, or JSON.
    fn of(name: &str, schema: &Value, columns: &mut Vec<Column>) -> Result<(Field, TypePtr)> {
        let is_null = |schema: &&Value| schema["type"] == "null";
        let choices = schema["anyOf"].as_array().or(schema["oneOf"].as_array());
        let mut choices = choices.into_iter().flatten().filter(|schema| !is_null(schema));
        if let (Some(only), None) = (choices.next(), choices.next()) {
            return Field::of(name, only, columns);
        }
        let kind = match &schema["type"] {
            Value::Array(kinds) => kinds.iter().find(|kind| *kind != "null"),
            kind => Some(kind),
        };
        let (start, optional) = (columns.len(), Repetition::OPTIONAL);
        let group = |name, fields, repetition, logical| -> Result<TypePtr> {
            let group = Type::group_type_builder(name).with_fields(fields);
            Ok(Arc::new(group.with_repetition(repetition).with_logical_type(logical).build()?))
        };
        let column = |physical, logical| -> Result<TypePtr> {
            let column = Type::primitive_type_builder(name, physical).with_repetition(optional);
            Ok(Arc::new(column.with_logical_type(logical).build()?))
        };
        let mut values = None;
        let (kind, kind_type) = match kind.and_then(Value::as_str) {
            Some("object") if schema["properties"].is_object() => {
                let (fields, types) = fields(&schema["properties"], columns)?;
                (Kind::Group(fields), group(name, types, optional, None)?)
            }
            Some("array") if schema["items"].is_object() => {
                let (element, of) = Field::of("element", &schema["items"], columns)?;
                let list = group("list", vec![of], Repetition::REPEATED, None)?;
                let list = group(name, vec![list], optional, Some(LogicalType::List))?;
                (Kind::List(Box::new(element)), list)
            }
            Some("integer") => {
                values = Some(Values::Integers(Vec::new()));
                let is_unsigned = schema["format"] == "uint64";
                let logical = is_unsigned.then(|| LogicalType::integer(64, false));
                (Kind::Column, column(Physical::INT64, logical)?)
            }
            Some("boolean") => {
                values = Some(Values::Booleans(Vec::new()));
                (Kind::Column, column(Physical::BOOLEAN, None)?)
            }
            _ => {
                values = Some(Values::default());
                (Kind::Column, column(Physical::BYTE_ARRAY, Some(LogicalType::String))?)
            }
        };
        columns.extend(values.map(|values| Column { values, ..Column::default() }));
        Ok((Field { columns: start..columns.len(), kind }, kind_type))
    }

    /// Adds a value to the columns, below `lists` lists. Returns `None` if it does not fit the schema.
    fn add(
        &self,
        value: Option<&Value>,
        (definition, repetition, lists): (i16, i16, i16),
        columns: &mut [Column],
    ) -> Option<()> {
        let value = value.filter(|value| !value.is_null());
        let is_empty = value.is_some_and(|value| value.as_array().is_some_and(Vec::is_empty));
        let value = match (&self.kind, value) {
            (Kind::List(_), Some(value)) if !is_empty => value,
            (Kind::Column | Kind::Group(_), Some(value)) => value,
            _ => {
                for column in &mut columns[self.columns.clone()] {
                    column.definitions.push(definition + i16::from(is_empty));
                    column.repetitions.push(repetition);
                }
                return Some(());
            }
        };
        match &self.kind {
            Kind::Group(fields) => fields.iter().try_for_each(|(pointer, field)| {
                field.add(value.pointer(pointer), (definition + 1, repetition, lists), columns)
            }),
            Kind::List(element) => {
                value.as_array()?.iter().enumerate().try_for_each(|(at, value)| {
                    let repetition = if at == 0 { repetition } else { lists + 1 };
                    element.add(Some(value), (definition + 2, repetition, lists + 1), columns)
                })
            }
            Kind::Column => {
                let column = &mut columns[self.columns.start];
                column.definitions.push(definition + 1);
                column.repetitions.push(repetition);
                match &mut column.values {
                    Values::Booleans(values) => values.push(value.as_bool()?),
                    Values::Integers(values) => {
                        let unsigned = || value.as_u64().map(u64::cast_signed);
                        values.push(value.as_i64().or_else(unsigned)?);
                    }
                    Values::Texts(texts, lengths) => {
                        let before = texts.len();
                        match value {
                            Value::String(text) => texts.extend_from_slice(text.as_bytes()),
                            value => texts.extend_from_slice(compact(value).as_bytes()),
                        }
                        lengths.push(texts.len() - before);
                    }
                }
                Some(())
            }
        }
    }
}

type Fields = (Vec<(String, Field)>, Vec<TypePtr>);

/// Creates the fields of an object. A list with a `stem` and `maxItems` has a column for each place.
fn fields(properties: &Value, columns: &mut Vec<Column>) -> Result<Fields> {
    let (mut fields, mut types) = Fields::default();
    let mut add = |name: &str, pointer: String, schema| -> Result<()> {
        let (field, kind) = Field::of(name, schema, columns)?;
        fields.push((pointer, field));
        types.push(kind);
        Ok(())
    };
    for (name, schema) in properties.as_object().unwrap_or(&Map::new()) {
        match (schema["stem"].as_str(), schema["maxItems"].as_u64()) {
            (Some(stem), Some(places)) => (0..places).try_for_each(|at| {
                add(&format!("{stem}_{at}"), format!("/{name}/{at}"), &schema["items"])
            })?,
            _ => add(name, format!("/{name}"), schema)?,
        }
    }
    Ok((fields, types))
}

/// A Parquet file to which lines of JSON are written.
pub(super) struct ParquetFile {
    file: SerializedFileWriter<AtomicFile>,
    fields: Vec<(String, Field)>,
    columns: Vec<Column>,
    /// The start of a line.
    line: Vec<u8>,
    /// Number of rows.
    pub rows: u64,
    /// The field that numbers its values other than null.
    numbered: Option<(&'static str, u64)>,
}

impl ParquetFile {
    /// Starts a file of objects of a schema. Values of the field `numbered` other than null are replaced by
    /// 1, 2, ….
    pub fn new(file: AtomicFile, schema: &Value, numbered: Option<&'static str>) -> Result<Self> {
        let mut columns = Vec::new();
        let (fields, types) = fields(&schema["properties"], &mut columns)?;
        let root = Type::group_type_builder("schema").with_fields(types).build()?;
        let zstd = Compression::ZSTD(ZstdLevel::default());
        let properties = WriterProperties::builder().set_compression(zstd).build();
        let file = SerializedFileWriter::new(file, Arc::new(root), Arc::new(properties))?;
        let numbered = numbered.map(|field| (field, 0));
        Ok(ParquetFile { file, fields, columns, line: Vec::new(), rows: 0, numbered })
    }

    /// Writes the last row group and the footer. Returns the file, to be finished.
    pub fn finish(mut self) -> Result<AtomicFile> {
        self.write_group()?;
        self.file.into_inner()
    }

    fn add_line(&mut self, line: &[u8]) -> io::Result<()> {
        let mut row: Value = serde_json::from_slice(line)?;
        if let Some((field, last)) = &mut self.numbered
            && !row[*field].is_null()
        {
            *last += 1;
            row[*field] = (*last).into();
        }
        for (pointer, field) in &self.fields {
            let added = field.add(row.pointer(pointer), (0, 0, 0), &mut self.columns);
            added
                .ok_or_else(|| io::Error::other(format!("`{pointer}` does not fit its schema")))?;
        }
        self.rows += 1;
        let values: usize = self.columns.iter().map(|column| column.definitions.len()).sum();
        if values >= VALUES_PER_GROUP { Ok(self.write_group()?) } else { Ok(()) }
    }

    /// Writes the rows so far as a row group.
    fn write_group(&mut self) -> Result<()> {
        if self.columns.iter().all(|column| column.definitions.is_empty()) {
            return Ok(());
        }
        let mut group = self.file.next_row_group()?;
        for Column { values, definitions, repetitions } in &mut self.columns {
            let Some(mut writer) = group.next_column()? else { break };
            let levels = (Some(&definitions[..]), Some(&repetitions[..]));
            match values {
                Values::Booleans(values) => {
                    writer.typed::<BoolType>().write_batch(values, levels.0, levels.1)?;
                    values.clear();
                }
                Values::Integers(values) => {
                    writer.typed::<Int64Type>().write_batch(values, levels.0, levels.1)?;
                    values.clear();
                }
                Values::Texts(texts, lengths) => {
                    let (all, mut end) = (ByteArray::from(std::mem::take(texts)), 0);
                    let text = |length: usize| {
                        end += length;
                        all.slice(end - length, length)
                    };
                    let values: Vec<ByteArray> = lengths.drain(..).map(text).collect();
                    writer.typed::<ByteArrayType>().write_batch(&values, levels.0, levels.1)?;
                }
            }
            writer.close()?;
            definitions.clear();
            repetitions.clear();
        }
        group.close().map(drop)
    }
}

impl Write for ParquetFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                let mut line = std::mem::take(&mut self.line);
                self.add_line(&line)?;
                line.clear();
                self.line = line;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use serde_json::json;

    fn schema() -> Value {
        let text = json!({ "type": ["string", "null"] });
        let turn = json!({ "type": "object", "properties": {
            "seat": { "type": "integer" },
            "cards": { "type": ["array", "null"], "items": text },
        } });
        json!({ "properties": {
            "seed": { "type": "integer", "format": "uint64" },
            "turns": { "type": "array", "items": turn },
            "won": { "type": ["boolean", "null"] },
            "maybe": { "anyOf": [text, { "type": "null" }] },
            "either": { "anyOf": [{ "type": "integer" }, { "type": "string" }] },
            "points": { "type": "array", "items": { "type": "integer" }, "stem": "point", "maxItems": 2 },
            "row": { "type": ["integer", "null"] },
        } })
    }

    /// Writes lines in pieces of `piece` bytes; returns the file.
    fn write(lines: &str, piece: usize) -> std::result::Result<std::fs::File, String> {
        let here = tempfile::tempdir().unwrap();
        let file = AtomicFile::create(&here.path().join("it.parquet")).unwrap();
        let mut file = ParquetFile::new(file, &schema(), Some("row")).unwrap();
        for bytes in lines.as_bytes().chunks(piece) {
            file.write_all(bytes).map_err(|error| error.to_string())?;
        }
        file.finish().unwrap().finish().unwrap();
        Ok(std::fs::File::open(here.path().join("it.parquet")).unwrap())
    }

    #[test]
    fn nested_rows_are_read_as_they_were_written() {
        let lines = r#"{"seed":18446744073709551615,"turns":[{"seat":0,"cards":["AS",null]},{"seat":1,"cards":[]},null,{"seat":2}],"won":true,"maybe":"é","either":3,"points":[4,-5],"row":0}
{"seed":1,"turns":[],"won":null,"maybe":null,"either":"x","points":[6],"row":null}
{"turns":[{"cards":["2H"]}],"points":[null,7],"row":0}
"#;
        let reader = SerializedFileReader::new(write(lines, 7).unwrap()).unwrap();
        let rows: Vec<String> =
            reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
        assert_eq!(
            rows,
            [
                r#"{seed: 18446744073709551615, turns: [{seat: 0, cards: ["AS", null]}, {seat: 1, cards: []}, null, {seat: 2, cards: null}], won: true, maybe: "é", either: "3", point_0: 4, point_1: -5, row: 1}"#,
                r#"{seed: 1, turns: [], won: null, maybe: null, either: "x", point_0: 6, point_1: null, row: null}"#,
                r#"{seed: null, turns: [{seat: null, cards: ["2H"]}], won: null, maybe: null, either: null, point_0: null, point_1: 7, row: 2}"#,
            ]
        );
    }

    #[test]
    fn row_groups_are_bounded() {
        let row = |seed| format!("{{\"seed\":{seed},\"points\":[1,2],\"row\":0}}\n");
        let count = VALUES_PER_GROUP / 9 + 10;
        let lines: String = (0..count).map(row).collect();
        let reader = SerializedFileReader::new(write(&lines, 1 << 16).unwrap()).unwrap();
        let groups = reader.metadata().row_groups().iter().map(|group| group.num_rows());
        assert_eq!(groups.collect::<Vec<_>>(), [VALUES_PER_GROUP as i64 / 9 + 1, 9]);
        let last = reader.get_row_iter(None).unwrap().last().unwrap().unwrap().to_string();
        assert!(last.contains(&format!("seed: {},", count - 1)), "{last}");
        assert!(last.contains(&format!("row: {count}}}")), "{last}");
    }

    #[test]
    fn a_value_of_another_type_is_refused() {
        let fault = write("{\"seed\":\"many\"}\n", 99).unwrap_err();
        assert_eq!(fault, "`/seed` does not fit its schema");
    }
}
