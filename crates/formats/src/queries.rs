//! Lists of path queries as CSV files.

use std::io::{self, Read};

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
    QueryReader::new(bytes)?.collect()
}

/// Reads queries from a CSV file one by one, in the format of [`read_queries`]. Its memory does not grow with the
/// number of queries.
///
/// ```
/// use portolan_formats::QueryReader;
///
/// let csv = b"sx,sy,sz,gx,gy,gz\n1,0,1,5,0,1\n5,0,1,2,0,2\n2,0,2,1,0,1\n";
/// let mut queries = QueryReader::new(&csv[..])?;
/// let slice = queries.by_ref().take(2).collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(slice.len(), 2);
/// assert_eq!(queries.count(), 1);
/// # Ok::<(), portolan_formats::ReadError>(())
/// ```
#[derive(Debug)]
pub struct QueryReader<R> {
    reader: csv::Reader<RecentBytes<R>>,
    columns: [usize; COLUMNS.len()],
    record: csv::ByteRecord,
}

impl<R: Read> QueryReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// Fails if there is nothing to read, or if a column is missing.
    pub fn new(source: R) -> Result<Self, ReadError> {
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(RecentBytes::new(source));
        let header = reader.byte_headers().map_err(broken);
        let header = header.and_then(columns);
        if header.is_err() && reader.get_ref().is_empty() {
            return Err(ReadError::NoBytes);
        }
        Ok(Self {
            columns: header?,
            reader,
            record: csv::ByteRecord::new(),
        })
    }

    /// Returns how far the source has been read. [Units: bytes]
    pub fn bytes_read(&self) -> u64 {
        self.reader.position().byte()
    }

    /// Reads the next query; `None` at the end.
    fn read(&mut self) -> Result<Option<QueryPoints>, ReadError> {
        let position = self.bytes_read();
        self.reader.get_mut().needed_from = position;
        let is_record = self.reader.read_byte_record(&mut self.record);
        if !is_record.map_err(broken)? {
            return Ok(None);
        }
        let mut values = [0.0; COLUMNS.len()];
        for ((value, column), name) in values.iter_mut().zip(self.columns).zip(COLUMNS) {
            let at_line = |what| ReadError::Syntax {
                line: line_of(&self.record, self.reader.get_ref()),
                what,
            };
            let word = self.record.get(column);
            let word =
                word.ok_or_else(|| at_line(format!("there is no {name}; the line is too short")))?;
            *value = finite(word).ok_or_else(|| {
                at_line(format!("{name} = {} is not a finite number", quoted(word)))
            })?;
        }
        let [sx, sy, sz, gx, gy, gz] = values;
        Ok(Some(QueryPoints {
            from: vec3(sx, sy, sz),
            to: vec3(gx, gy, gz),
        }))
    }
}

impl<R: Read> Iterator for QueryReader<R> {
    type Item = Result<QueryPoints, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// A source that keeps the bytes of the record that is being read, so that an error can name its line.
#[derive(Debug)]
struct RecentBytes<R> {
    source: R,
    bytes: Vec<u8>,
    /// The position of the first of `bytes` in the source.
    first: u64,
    /// Bytes before this position of the source may be dropped.
    needed_from: u64,
}

impl<R> RecentBytes<R> {
    fn new(source: R) -> Self {
        Self {
            source,
            bytes: Vec::new(),
            first: 0,
            needed_from: 0,
        }
    }

    /// Returns whether nothing has been read.
    fn is_empty(&self) -> bool {
        self.first == 0 && self.bytes.is_empty()
    }

    /// Returns the bytes from a position of the source on, as far as they are known.
    fn from(&self, position: u64) -> &[u8] {
        let skipped = usize::try_from(position.saturating_sub(self.first)).unwrap_or(usize::MAX);
        self.bytes.get(skipped..).unwrap_or_default()
    }
}

impl<R: Read> Read for RecentBytes<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        let kept = self.from(self.needed_from).len();
        let dropped = self.bytes.len() - kept;
        self.bytes.drain(..dropped);
        self.first += dropped as u64;
        self.bytes.extend_from_slice(&buffer[..read]);
        Ok(read)
    }
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
fn line_of<R>(record: &csv::ByteRecord, recent: &RecentBytes<R>) -> u64 {
    let Some(position) = record.position() else {
        return 0;
    };
    let empty = recent
        .from(position.byte())
        .iter()
        .take_while(|byte| matches!(byte, b'\r' | b'\n'))
        .filter(|&&byte| byte == b'\n')
        .count();
    position.line() + empty as u64
}

fn broken(error: csv::Error) -> ReadError {
    match error.kind() {
        csv::ErrorKind::Io(error) => ReadError::Unreadable {
            what: error.to_string(),
        },
        _ => ReadError::Syntax {
            line: error.position().map_or(0, csv::Position::line),
            what: error.to_string(),
        },
    }
}

#[cfg(test)]
#[path = "queries_test.rs"]
mod tests;
