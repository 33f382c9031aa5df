//! Answers as an Arrow IPC file ("Feather version 2"), which pyarrow, pandas, Polars, DuckDB and R read.
//! <https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format>

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::{
    ArrayRef, FixedSizeListArray, Float32Array, LargeListArray, RecordBatch, StringArray,
    UInt64Array,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};
use portolan_core::{BatchAnswers, FlatLists, NavMesh, Want};

use super::{AnswerColumn, columns, polygon};

/// Writes answers as an Arrow IPC file, with one record batch per [`write`](Self::write). Fields are null without a path.
///
/// | column | type |
/// |---|---|
/// | `query`, `polygon` | `uint64` |
/// | `status` | `utf8` |
/// | `distance`, `cost` and coordinates | `float32` |
/// | `polygons` | `large_list<uint64>` |
/// | `waypoints` | `large_list<fixed_size_list<float32, 3>>` |
pub struct ArrowAnswers<W: Write> {
    file: FileWriter<W>,
    schema: SchemaRef,
    columns: Vec<AnswerColumn>,
    /// The number of rows so far.
    rows: u64,
}

impl<W: Write> fmt::Debug for ArrowAnswers<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrowAnswers")
            .field("columns", &self.columns)
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

impl<W: Write> ArrowAnswers<W> {
    /// Writes the schema.
    ///
    /// # Errors
    /// Fails if `out` cannot be written.
    pub fn new(out: W, want: Want) -> io::Result<Self> {
        let (names, columns): (Vec<_>, Vec<_>) = columns(want).into_iter().unzip();
        let fields = names.into_iter().zip(&columns);
        let fields = fields.map(|(name, column)| column.field(name));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<Field>>()));
        Ok(Self {
            file: FileWriter::try_new(out, &schema).map_err(into_io)?,
            schema,
            columns,
            rows: 0,
        })
    }

    /// Appends the answers of a batch, which must have what the columns need.
    ///
    /// # Errors
    /// Fails if the output cannot be written.
    pub fn write(&mut self, mesh: &NavMesh, answers: &BatchAnswers) -> io::Result<()> {
        let batch = AnswerBatch {
            mesh,
            answers,
            first: self.rows,
            has_path: NullBuffer::from_iter(answers.statuses.iter().map(|s| s.has_path())),
        };
        let arrays = self.columns.iter().map(|&column| batch.array(column));
        let arrays = arrays.collect::<Result<Vec<_>, _>>().map_err(into_io)?;
        let batch = RecordBatch::try_new(self.schema.clone(), arrays).map_err(into_io)?;
        self.file.write(&batch).map_err(into_io)?;
        self.rows += answers.len() as u64;
        Ok(())
    }

    /// Ends the file. Without it, the file is invalid.
    ///
    /// # Errors
    /// Fails if the output cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.finish().map_err(into_io)
    }
}

fn into_io(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        error => io::Error::other(error),
    }
}

/// The number of coordinates of a point.
const AXES: i32 = 3;

impl AnswerColumn {
    fn field(self, name: &str) -> Field {
        let (data_type, is_nullable) = match self {
            Self::Query => (DataType::UInt64, false),
            Self::Status => (DataType::Utf8, false),
            Self::Number(_) => (DataType::Float32, true),
            Self::Polygon => (DataType::UInt64, true),
            Self::Polygons => (DataType::LargeList(item(DataType::UInt64)), true),
            Self::Waypoints => (DataType::LargeList(item(point_type())), true),
        };
        Field::new(name, data_type, is_nullable)
    }
}

/// Returns the field of the values of a list, under the name that Arrow recommends. None of them is null.
fn item(data_type: DataType) -> FieldRef {
    Arc::new(Field::new("item", data_type, false))
}

fn point_type() -> DataType {
    DataType::FixedSizeList(item(DataType::Float32), AXES)
}

/// The answers of one record batch.
struct AnswerBatch<'a> {
    mesh: &'a NavMesh,
    answers: &'a BatchAnswers,
    /// The number of the first query.
    first: u64,
    has_path: NullBuffer,
}

impl AnswerBatch<'_> {
    fn array(&self, column: AnswerColumn) -> Result<ArrayRef, ArrowError> {
        let Self { mesh, answers, .. } = *self;
        let rows = 0..answers.len();
        Ok(match column {
            AnswerColumn::Query => {
                let numbers = self.first..self.first + answers.len() as u64;
                Arc::new(UInt64Array::from_iter_values(numbers))
            }
            AnswerColumn::Status => {
                let names = answers.statuses.iter().map(|status| status.name());
                Arc::new(StringArray::from_iter_values(names))
            }
            AnswerColumn::Number(figure) => {
                let numbers: Vec<f32> = rows.map(|row| figure.of(answers, row)).collect();
                Arc::new(Float32Array::try_new(
                    numbers.into(),
                    Some(self.has_path.clone()),
                )?)
            }
            AnswerColumn::Polygon => {
                let ids = rows.map(|row| polygon(mesh, answers, row));
                Arc::new(UInt64Array::from_iter(ids))
            }
            AnswerColumn::Polygons => {
                let polygons = answers.corridors.values.iter();
                let ids = polygons.map(|&polygon| mesh.user_id(polygon));
                let ids = Arc::new(UInt64Array::from_iter_values(ids));
                self.lists(&answers.corridors, item(DataType::UInt64), ids)?
            }
            AnswerColumn::Waypoints => {
                let points = answers.waypoints.values.iter();
                let numbers = points.flat_map(|point| point.to_array());
                let numbers = Arc::new(Float32Array::from_iter_values(numbers));
                let points =
                    FixedSizeListArray::try_new(item(DataType::Float32), AXES, numbers, None)?;
                self.lists(&answers.waypoints, item(point_type()), Arc::new(points))?
            }
        })
    }

    /// Returns an array of lists whose values have been converted.
    fn lists<T>(
        &self,
        lists: &FlatLists<T>,
        field: FieldRef,
        values: ArrayRef,
    ) -> Result<ArrayRef, ArrowError> {
        let offsets = OffsetBuffer::new(lists.offsets.clone().into());
        let lists = LargeListArray::try_new(field, offsets, values, Some(self.has_path.clone()))?;
        Ok(Arc::new(lists))
    }
}
