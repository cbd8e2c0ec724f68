//! Parquet files with one typed, perhaps nested column for each field of a JSON Schema.
//!
//! Values are split over the columns as in Melnik et al., "Dremel", VLDB 2010. A repetition level tells at
//! which list a value repeats, a definition level how many of its optional parents exist. All columns
//! are optional.

use std::io::{self, Write};
use std::mem::take;
use std::path::Path;
use std::sync::Arc;

use itertools::Itertools;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::writer::{ColumnWriter, ColumnWriterImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use parlour_base::files::{AtomicFile, cannot_write, compact};

/// Number of values in all columns at which a row group ends. It bounds the memory, and depends on the
/// rows alone, so that equal rows give equal bytes.
const VALUES_PER_GROUP: usize = 1 << 18;

/// Returns the JSON Schema of a type without references.
pub fn inlined_schema<T: JsonSchema + ?Sized>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|it| it.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// Returns the Parquet type of a schema. Integers, numbers, booleans, texts, lists and objects have types of
/// their own; every other value, such as one of several types, is text: a string itself, or JSON.
fn type_of(name: &str, schema: &Value) -> Result<TypePtr> {
    let choices = schema["anyOf"].as_array().or(schema["oneOf"].as_array());
    let choices = choices.into_iter().flatten().filter(|schema| schema["type"] != "null");
    if let Ok(only) = choices.exactly_one() {
        return type_of(name, only);
    }
    let optional = Repetition::OPTIONAL;
    let group = |name, fields, repetition, logical| {
        let group = Type::group_type_builder(name).with_fields(fields);
        group.with_repetition(repetition).with_logical_type(logical).build().map(Arc::new)
    };
    let column = |physical, logical| {
        let column = Type::primitive_type_builder(name, physical).with_repetition(optional);
        column.with_logical_type(logical).build().map(Arc::new)
    };
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().find(|kind| *kind != "null"),
        kind => Some(kind),
    };
    match kind.and_then(Value::as_str) {
        Some("object") if schema["properties"].is_object() => {
            group(name, types_of(schema)?, optional, None)
        }
        Some("array") if schema["items"].is_object() => {
            let element = type_of("element", &schema["items"])?;
            let list = group("list", vec![element], Repetition::REPEATED, None)?;
            group(name, vec![list], optional, Some(LogicalType::List))
        }
        Some("integer") => {
            let is_unsigned = schema["format"] == "uint64";
            column(Physical::INT64, is_unsigned.then(|| LogicalType::integer(64, false)))
        }
        Some("number") => column(Physical::DOUBLE, None),
        Some("boolean") => column(Physical::BOOLEAN, None),
        _ => column(Physical::BYTE_ARRAY, Some(LogicalType::String)),
    }
}

/// Returns the types of an object's fields.
fn types_of(schema: &Value) -> Result<Vec<TypePtr>> {
    let fields = schema["properties"].as_object().into_iter().flatten();
    fields.map(|(name, schema)| type_of(name, schema)).collect()
}

/// The values of a column in the current row group with their definition and repetition levels.
#[derive(Default)]
struct Column {
    values: Vec<Value>,
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
}

impl Column {
    /// Writes the values as `read` reads them.
    fn write<T: DataType>(
        self,
        writer: &mut ColumnWriterImpl<'_, T>,
        read: impl Fn(&Value) -> Option<T::T>,
    ) -> Result<usize> {
        let Column { values, definitions, repetitions } = self;
        let values: Option<Vec<T::T>> = values.iter().map(read).collect();
        let place = writer.get_descriptor().path();
        let fault = || ParquetError::General(format!("`{place}` does not fit its schema"));
        writer.write_batch(&values.ok_or_else(fault)?, Some(&definitions), Some(&repetitions))
    }
}

/// Adds a value to the columns of a type, the first of which is `at`, below `lists` lists. Returns the
/// column after them.
fn add(
    columns: &mut [Column],
    at: usize,
    kind: &Type,
    value: Option<&mut Value>,
    (definition, repetition, lists): (i16, i16, i16),
) -> usize {
    let value = value.filter(|value| !value.is_null());
    let within = definition + i16::from(value.is_some());
    if kind.is_primitive() {
        columns[at].definitions.push(within);
        columns[at].repetitions.push(repetition);
        columns[at].values.extend(value.map(Value::take));
        at + 1
    } else if kind.get_basic_info().logical_type_ref() == Some(&LogicalType::List) {
        let element = &kind.get_fields()[0].get_fields()[0];
        let values = value.and_then(Value::as_array_mut).into_iter().flatten();
        let mut end = None;
        for value in values {
            let repetition = if end.is_none() { repetition } else { lists + 1 };
            end = Some(add(columns, at, element, Some(value), (within + 1, repetition, lists + 1)));
        }
        end.unwrap_or_else(|| add(columns, at, element, None, (within, repetition, lists + 1)))
    } else {
        let mut value = value;
        kind.get_fields().iter().fold(at, |at, field| {
            let value = value.as_mut().and_then(|value| value.get_mut(field.name()));
            add(columns, at, field, value, (within, repetition, lists))
        })
    }
}

/// Reads lines into objects of a type.
pub(super) type ReadLines = fn(&[u8], &Type) -> io::Result<Vec<Value>>;

/// Length of text from which lines are read.
const LINES: usize = 1 << 16;

/// A Parquet file to which lines of text are written, one for each row.
pub(super) struct ParquetFile {
    file: SerializedFileWriter<AtomicFile>,
    schema: TypePtr,
    /// Reads lines.
    read: ReadLines,
    columns: Vec<Column>,
    /// Lines that are not read yet; the last one may be a part.
    lines: Vec<u8>,
    rows: u64,
}

impl ParquetFile {
    /// Starts a file of rows of a schema.
    pub fn new(file: AtomicFile, schema: &Value, read: ReadLines) -> Result<Self> {
        let schema = Type::group_type_builder("schema").with_fields(types_of(schema)?).build()?;
        let schema = Arc::new(schema);
        let zstd = Compression::ZSTD(ZstdLevel::default());
        let properties = WriterProperties::builder().set_compression(zstd).build();
        let file = SerializedFileWriter::new(file, Arc::clone(&schema), Arc::new(properties))?;
        let columns = file.schema_descr().columns().iter().map(|_| Column::default()).collect();
        Ok(ParquetFile { file, schema, read, columns, lines: Vec::new(), rows: 0 })
    }

    /// Writes the last row group and the footer. Returns the file, to be finished, and the number of
    /// rows.
    pub fn finish(mut self) -> Result<(AtomicFile, u64)> {
        self.add_lines()?;
        self.write_group()?;
        Ok((self.file.into_inner()?, self.rows))
    }

    /// Adds the complete lines.
    fn add_lines(&mut self) -> io::Result<()> {
        let end = self.lines.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        for mut row in (self.read)(&self.lines[..end], &self.schema)? {
            self.schema.get_fields().iter().fold(0, |at, field| {
                add(&mut self.columns, at, field, row.get_mut(field.name()), (0, 0, 0))
            });
            self.rows += 1;
            let values: usize = self.columns.iter().map(|column| column.definitions.len()).sum();
            if values >= VALUES_PER_GROUP {
                self.write_group()?;
            }
        }
        self.lines.drain(..end);
        Ok(())
    }

    /// Writes the rows so far as a row group.
    fn write_group(&mut self) -> Result<()> {
        if self.columns.iter().all(|column| column.definitions.is_empty()) {
            return Ok(());
        }
        let integer = |value: &Value| {
            let unsigned = value.as_u64().or_else(|| value.as_str()?.parse().ok());
            let signed = value.as_i64().or_else(|| value.as_str()?.parse().ok());
            unsigned.map(u64::cast_signed).or(signed)
        };
        let text = |value: &Value| match value {
            Value::String(text) => Some(ByteArray::from(text.as_str())),
            value => Some(ByteArray::from(compact(value).into_bytes())),
        };
        let mut group = self.file.next_row_group()?;
        for column in &mut self.columns {
            let Some(mut writer) = group.next_column()? else { break };
            match writer.untyped() {
                ColumnWriter::BoolColumnWriter(writer) => {
                    take(column).write(writer, Value::as_bool)
                }
                ColumnWriter::Int64ColumnWriter(writer) => take(column).write(writer, integer),
                ColumnWriter::DoubleColumnWriter(writer) => {
                    take(column).write(writer, Value::as_f64)
                }
                ColumnWriter::ByteArrayColumnWriter(writer) => take(column).write(writer, text),
                _ => Err(ParquetError::NYI("a column of another type".to_owned())),
            }?;
            writer.close()?;
        }
        group.close().map(drop)
    }
}

/// Writes a Parquet file of rows, which are objects of a JSON Schema.
///
/// # Errors
/// If the file cannot be written, or a row does not fit the schema.
pub fn write_parquet(
    place: &Path,
    schema: &Value,
    rows: impl IntoIterator<Item = Value>,
) -> parlour_base::error::Result<()> {
    let write = |file| -> Result<AtomicFile> {
        let mut file = ParquetFile::new(file, schema, read_json)?;
        for row in rows {
            file.write_all((compact(&row) + "\n").as_bytes())?;
        }
        Ok(file.finish()?.0)
    };
    let file = write(AtomicFile::create(place)?).map_err(|e| cannot_write(place, &e.into()))?;
    file.finish().map(drop)
}

/// Reads lines of JSON.
pub(super) fn read_json(lines: &[u8], _: &Type) -> io::Result<Vec<Value>> {
    let rows = serde_json::Deserializer::from_slice(lines).into_iter();
    rows.map(|row| row.map_err(io::Error::from)).collect()
}

/// Reads lines of CSV into objects of texts, null for what is empty.
pub(super) fn read_csv(lines: &[u8], schema: &Type) -> io::Result<Vec<Value>> {
    let cell = |text: &str| if text.is_empty() { Value::Null } else { text.into() };
    let row = |row: csv::Result<csv::StringRecord>| {
        let row = row?;
        let cells = schema.get_fields().iter().zip(&row);
        Ok(cells.map(|(column, text)| (column.name().to_owned(), cell(text))).collect())
    };
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(lines);
    reader.records().map(row).collect()
}

impl Write for ParquetFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lines.extend_from_slice(bytes);
        if self.lines.len() >= LINES {
            self.add_lines()?;
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
            "points": { "type": "array", "items": { "type": "integer" } },
        } })
    }

    /// Writes lines in pieces of `piece` bytes; returns the file.
    fn write(lines: &str, piece: usize) -> std::result::Result<std::fs::File, String> {
        let here = tempfile::tempdir().unwrap();
        let file = AtomicFile::create(&here.path().join("it.parquet")).unwrap();
        let mut file = ParquetFile::new(file, &schema(), read_json).unwrap();
        for bytes in lines.as_bytes().chunks(piece) {
            file.write_all(bytes).map_err(|error| error.to_string())?;
        }
        file.finish().map_err(|error| error.to_string())?.0.finish().unwrap();
        Ok(std::fs::File::open(here.path().join("it.parquet")).unwrap())
    }

    #[test]
    fn nested_rows_are_read_as_they_were_written() {
        let lines = r#"{"seed":18446744073709551615,"turns":[{"seat":0,"cards":["AS",null]},{"seat":1,"cards":[]},null,{"seat":2}],"won":true,"maybe":"é","either":3,"points":[4,-5]}
{"seed":1,"turns":[],"won":null,"maybe":null,"either":"x","points":[6]}
{"turns":[{"cards":["2H"]}],"points":[null,7]}
"#;
        let reader = SerializedFileReader::new(write(lines, 7).unwrap()).unwrap();
        let rows: Vec<String> =
            reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
        assert_eq!(
            rows,
            [
                r#"{seed: 18446744073709551615, turns: [{seat: 0, cards: ["AS", null]}, {seat: 1, cards: []}, null, {seat: 2, cards: null}], won: true, maybe: "é", either: "3", points: [4, -5]}"#,
                r#"{seed: 1, turns: [], won: null, maybe: null, either: "x", points: [6]}"#,
                r#"{seed: null, turns: [{seat: null, cards: ["2H"]}], won: null, maybe: null, either: null, points: [null, 7]}"#,
            ]
        );
    }

    #[test]
    fn row_groups_are_bounded() {
        let row = |seed| format!("{{\"seed\":{seed},\"points\":[1,2]}}\n");
        let count = VALUES_PER_GROUP / 8 + 10;
        let lines: String = (0..count).map(row).collect();
        let reader = SerializedFileReader::new(write(&lines, 1 << 16).unwrap()).unwrap();
        let groups = reader.metadata().row_groups().iter().map(|group| group.num_rows());
        assert_eq!(groups.collect::<Vec<_>>(), [VALUES_PER_GROUP as i64 / 8, 10]);
        let last = reader.get_row_iter(None).unwrap().last().unwrap().unwrap().to_string();
        assert!(last.contains(&format!("seed: {},", count - 1)), "{last}");
    }

    #[test]
    fn a_value_of_another_type_is_refused() {
        let fault = write("{\"seed\":\"many\"}\n", 99).unwrap_err();
        assert_eq!(fault, "Parquet error: `\"seed\"` does not fit its schema");
    }
}
