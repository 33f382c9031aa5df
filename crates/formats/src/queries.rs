//! Lists of path queries as CSV files.

use glam::{Vec3, vec3};

use crate::ReadError;
use crate::text::{finite, quoted};

const COLUMNS: [&str; 6] = ["sx", "sy", "sz", "gx", "gy", "gz"];

/// The start and the goal of a path query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryPoints {
    /// The start, in metres.
    pub from: Vec3,
    /// The goal, in metres.
    pub to: Vec3,
}

/// Reads queries from a CSV file. Its header must name the columns `sx,sy,sz` (start) and `gx,gy,gz` (goal),
/// in any order. Other columns are ignored.
pub fn read_queries(bytes: &[u8]) -> Result<Vec<QueryPoints>, ReadError> {
    if bytes.is_empty() {
        return Err(ReadError::NoBytes);
    }
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(bytes);
    let columns = columns(reader.byte_headers().map_err(broken)?)?;

    let mut queries = Vec::new();
    for record in reader.byte_records() {
        let record = record.map_err(broken)?;
        let mut values = [0.0; COLUMNS.len()];
        for ((value, column), name) in values.iter_mut().zip(columns).zip(COLUMNS) {
            let at_line = |what| ReadError::Syntax {
                line: line_of(&record, bytes),
                what,
            };
            let word = record
                .get(column)
                .ok_or_else(|| at_line(format!("there is no {name}; the line is too short")))?;
            *value = finite(word).ok_or_else(|| {
                at_line(format!("{name} = {} is not a finite number", quoted(word)))
            })?;
        }
        let [sx, sy, sz, gx, gy, gz] = values;
        queries.push(QueryPoints {
            from: vec3(sx, sy, sz),
            to: vec3(gx, gy, gz),
        });
    }
    Ok(queries)
}

/// Returns the index in a line of each of [`COLUMNS`].
fn columns(header: &csv::ByteRecord) -> Result<[usize; COLUMNS.len()], ReadError> {
    let mut columns = [0; COLUMNS.len()];
    for (column, name) in columns.iter_mut().zip(COLUMNS) {
        *column = header
            .iter()
            .position(|field| field == name.as_bytes())
            .ok_or_else(|| ReadError::MissingColumn {
                column: name,
                required: COLUMNS.join(","),
            })?;
    }
    Ok(columns)
}

/// Returns the line on which a record starts. The `csv` crate reports a position before the empty lines that
/// it skips, so they are counted here.
fn line_of(record: &csv::ByteRecord, bytes: &[u8]) -> u64 {
    let Some(position) = record.position() else {
        return 0;
    };
    let start = usize::try_from(position.byte()).unwrap_or(usize::MAX);
    let skipped = bytes.get(start..).unwrap_or_default();
    let empty = skipped
        .iter()
        .take_while(|byte| matches!(byte, b'\r' | b'\n'))
        .filter(|&&byte| byte == b'\n')
        .count();
    position.line() + empty as u64
}

fn broken(error: csv::Error) -> ReadError {
    ReadError::Syntax {
        line: error.position().map_or(0, csv::Position::line),
        what: error.to_string(),
    }
}

#[cfg(test)]
#[path = "queries_test.rs"]
mod tests;
