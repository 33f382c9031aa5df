//! Answers as CSV. Lists are separated by spaces, and a waypoint is `x;y;z`.

use std::io::{self, Write};

use portolan_core::{BatchAnswers, NavMesh, Want};

use super::{AnswerColumn, columns, polygon};

/// Writes answers as CSV. Fields are empty without a path.
///
/// ```
/// use portolan_core::{BatchAnswers, BatchOptions, BatchQueries, NavMeshOptions, Want, World};
/// use portolan_formats::CsvAnswers;
/// use portolan_scenes::{WorldOptions, WorldScene};
///
/// let raw = WorldScene::Rooms.build(&WorldOptions::default());
/// let world = World::build(raw, &NavMeshOptions::default())?;
/// let queries = [[glam::vec3(3.0, 0.0, 3.0), glam::vec3(-99.0, 0.0, 0.0)]];
/// let (options, mut answers) = (BatchOptions::new(Want::Distance), BatchAnswers::default());
/// world.find_paths(BatchQueries::Points(&queries), &options, &mut answers)?;
///
/// let mut table = Vec::new();
/// let mut writer = CsvAnswers::new(&mut table, Want::Distance)?;
/// writer.write(world.mesh(), &answers)?;
/// writer.finish()?;
/// assert_eq!(table, b"query,status,distance,cost\n0,goal_off_mesh,,\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CsvAnswers<W> {
    out: W,
    columns: Vec<AnswerColumn>,
    /// The number of rows so far.
    rows: u64,
    line: Vec<u8>,
}

impl<W: Write> CsvAnswers<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// Fails if `out` cannot be written.
    pub fn new(mut out: W, want: Want) -> io::Result<Self> {
        let (names, columns): (Vec<_>, Vec<_>) = columns(want).into_iter().unzip();
        writeln!(out, "{}", names.join(","))?;
        Ok(Self {
            out,
            columns,
            rows: 0,
            line: Vec::new(),
        })
    }

    /// Appends the answers of a batch, which must have what the columns need.
    ///
    /// # Errors
    /// Fails if the output cannot be written.
    pub fn write(&mut self, mesh: &NavMesh, answers: &BatchAnswers) -> io::Result<()> {
        for index in 0..answers.len() {
            self.line.clear();
            let line = &mut self.line;
            for (i, &column) in self.columns.iter().enumerate() {
                if i > 0 {
                    line.push(b',');
                }
                match column {
                    AnswerColumn::Query => write!(line, "{}", self.rows)?,
                    _ => write_field(line, column, mesh, answers, index)?,
                }
            }
            line.push(b'\n');
            self.out.write_all(line)?;
            self.rows += 1;
        }
        Ok(())
    }

    /// Ends the table.
    ///
    /// # Errors
    /// Fails if the output cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a field of a row, except for the number of the row.
fn write_field(
    line: &mut Vec<u8>,
    column: AnswerColumn,
    mesh: &NavMesh,
    answers: &BatchAnswers,
    index: usize,
) -> io::Result<()> {
    let status = answers.statuses[index];
    match column {
        AnswerColumn::Status => return write!(line, "{}", status.name()),
        _ if !status.has_path() => (),
        AnswerColumn::Query => (),
        AnswerColumn::Number(figure) => return write!(line, "{}", figure.of(answers, index)),
        AnswerColumn::Polygon => {
            if let Some(id) = polygon(mesh, answers, index) {
                return write!(line, "{id}");
            }
        }
        AnswerColumn::Polygons => {
            for (i, &polygon) in answers.corridors.get(index).iter().enumerate() {
                let space = if i == 0 { "" } else { " " };
                write!(line, "{space}{}", mesh.user_id(polygon))?;
            }
        }
        AnswerColumn::Waypoints => {
            for (i, point) in answers.waypoints.get(index).iter().enumerate() {
                let space = if i == 0 { "" } else { " " };
                write!(line, "{space}{};{};{}", point.x, point.y, point.z)?;
            }
        }
    }
    Ok(())
}
