//! Tables for data frames: the typed cells of the CSV files as Arrow record batches, exported by
//! the PyCapsule interface.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray,
};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use parlour::results::{Column, Table as Typed};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyCapsule, PyDict};
use pythonize::pythonize;
use serde_json::Value;

use crate::error::FailedError;

/// A table of a run: one of its CSV files with all digits and types.
///
/// Every data frame that reads Arrow accepts it: `polars.DataFrame(table)`, `pyarrow.table(table)`,
/// `pandas.DataFrame.from_arrow(table)`. Units and meanings are in the metadata of the fields.
#[pyclass(frozen, module = "parlour")]
pub struct Table(pub Typed);

#[pymethods]
impl Table {
    /// Name of the table: that of its file without `.csv`.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// Meaning of a row.
    #[getter]
    fn about(&self) -> &str {
        &self.0.about
    }

    /// Names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.0.heads().collect()
    }

    /// Type of each column: `integer`, `number`, `boolean` or `text`.
    #[getter]
    fn kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let kind = |column: &Column| match column.kind {
            kind @ ("integer" | "boolean" | "text") => kind,
            _ => "number",
        };
        heads(&self.0).map(|(head, column)| (head, kind(column))).into_py_dict(py)
    }

    /// Unit of each column.
    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        heads(&self.0).map(|(head, column)| (head, column.unit.as_str())).into_py_dict(py)
    }

    /// Meaning of each column.
    #[getter]
    fn meanings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        heads(&self.0).map(|(head, column)| (head, column.meaning.as_str())).into_py_dict(py)
    }

    /// Rows as dicts.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let row = |cells: &Vec<Value>| {
            let row = PyDict::new(py);
            for (head, value) in self.0.heads().zip(cells) {
                row.set_item(head, pythonize(py, value)?)?;
            }
            Ok(row)
        };
        self.0.rows.iter().map(row).collect()
    }

    /// Columns as lists.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for (at, head) in self.0.heads().enumerate() {
            let cells = self.0.rows.iter().map(|row| pythonize(py, &row[at]));
            columns.set_item(head, cells.collect::<Result<Vec<_>, _>>()?)?;
        }
        Ok(columns)
    }

    /// As a polars data frame.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        frames(slf.py())?.call_method1("to_polars", (slf,))
    }

    /// As a pandas data frame.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        frames(slf.py())?.call_method1("to_pandas", (slf,))
    }

    /// As a pyarrow table.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    fn __len__(&self) -> usize {
        self.0.rows.len()
    }

    fn __repr__(&self) -> String {
        let (name, rows, columns) = (&self.0.name, self.0.rows.len(), self.0.heads().count());
        format!("<parlour.Table {name}: {rows} rows, {columns} columns>")
    }

    /// Arrow schema of the table.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = arrow_schema::ffi::FFI_ArrowSchema::try_from(&schema(&self.0));
        PyCapsule::new_with_value(py, schema.map_err(failed)?, c"arrow_schema")
    }

    /// Arrow stream of the rows; only its own schema is supported.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batch = batch(&self.0).map_err(failed)?;
        let schema = batch.schema();
        let batches = RecordBatchIterator::new([Ok(batch)], schema);
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

/// The installed data frame libraries.
fn frames(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("parlour.frames")
}

fn failed(error: ArrowError) -> PyErr {
    FailedError::new_err(error.to_string())
}

/// Each header with its column.
fn heads(table: &Typed) -> impl Iterator<Item = (&str, &Column)> {
    table.columns.iter().flat_map(|c| c.heads.iter().map(move |head| (head.as_str(), c)))
}

fn schema(table: &Typed) -> Schema {
    let field = |(head, column): (&str, &Column)| {
        let kind = match column.kind {
            "integer" => DataType::Int64,
            "boolean" => DataType::Boolean,
            "text" => DataType::Utf8,
            _ => DataType::Float64,
        };
        let said = [("unit", &column.unit), ("meaning", &column.meaning)];
        let said = said.map(|(name, said)| (name.to_owned(), said.clone()));
        Field::new(head, kind, true).with_metadata(HashMap::from(said))
    };
    Schema::new(heads(table).map(field).collect::<Vec<_>>())
}

fn batch(table: &Typed) -> Result<RecordBatch, ArrowError> {
    let schema = schema(table);
    let array = |(at, field): (usize, &Arc<Field>)| -> ArrayRef {
        let cells = table.rows.iter().map(|row| &row[at]);
        match field.data_type() {
            DataType::Int64 => Arc::new(cells.map(Value::as_i64).collect::<Int64Array>()),
            DataType::Boolean => Arc::new(cells.map(Value::as_bool).collect::<BooleanArray>()),
            DataType::Utf8 => Arc::new(cells.map(Value::as_str).collect::<StringArray>()),
            _ => Arc::new(cells.map(Value::as_f64).collect::<Float64Array>()),
        }
    };
    let arrays = schema.fields().iter().enumerate().map(array).collect();
    RecordBatch::try_new(Arc::new(schema), arrays)
}
