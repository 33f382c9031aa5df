//! Finished cells in a file, so that an interrupted run can be continued.
//!
//! One JSON value a line. The first line says what run this is; a file of another build or other
//! options is thrown away, for its numbers do not belong together with this run's. A last line
//! that an interruption tore is cut off.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::model::Cell;

/// The name of the file in the folder of the report.
pub(crate) const NAME: &str = "cells.jsonl";

/// What one line holds.
#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    /// What measuring it took. [Units: s]
    seconds: f64,
    cell: Cell,
}

/// What the first line holds.
#[derive(Serialize, Deserialize)]
struct Header {
    run: String,
}

/// The file, open for more cells.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    cells: HashMap<String, (Cell, f64)>,
}

impl Journal {
    /// Opens the journal of a run, with whatever it finished before.
    pub(crate) fn open(folder: &Path, run: &str) -> io::Result<Self> {
        let path = folder.join(NAME);
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let (cells, whole) = read(&bytes, run);
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        if whole == 0 {
            let run = run.to_owned();
            write_line(&mut file, &Header { run })?;
        }
        Ok(Self { path, file, cells })
    }

    /// A cell that is there already.
    pub(crate) fn get(&self, key: &str) -> Option<&(Cell, f64)> {
        self.cells.get(key)
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Adds a finished cell.
    pub(crate) fn add(&mut self, key: String, cell: &Cell, seconds: f64) -> io::Result<()> {
        let line = Line {
            key: key.clone(),
            seconds,
            cell: cell.clone(),
        };
        write_line(&mut self.file, &line)?;
        self.cells.insert(key, (line.cell, seconds));
        Ok(())
    }

    /// The run is over, and its report written.
    pub(crate) fn remove(self) -> io::Result<()> {
        drop(self.file);
        std::fs::remove_file(self.path)
    }
}

/// In one call, so that whoever interrupts it leaves a whole line or a torn one, and nothing after.
fn write_line(file: &mut File, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    file.write_all(&line)
}

/// The cells of a journal of this run, and how many bytes of it are whole lines.
fn read(bytes: &[u8], run: &str) -> (HashMap<String, (Cell, f64)>, usize) {
    let mut cells = HashMap::new();
    let mut whole = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let Some(json) = line.strip_suffix(b"\n") else {
            break;
        };
        if whole == 0 {
            let header = serde_json::from_slice::<Header>(json);
            if !header.is_ok_and(|header| header.run == run) {
                break;
            }
        } else {
            let Ok(line) = serde_json::from_slice::<Line>(json) else {
                break;
            };
            cells.insert(line.key, (line.cell, line.seconds));
        }
        whole += line.len();
    }
    (cells, whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SceneCell;

    fn cell(polygons: usize) -> Cell {
        Cell::Scene(SceneCell {
            scene: "yard".to_owned(),
            is_map: false,
            triangles_in: None,
            triangles_out: 2,
            polygons,
            portals: 0,
            components: 1,
            largest: polygons,
            bake_ms: 0.125,
        })
    }

    #[test]
    fn what_is_finished_comes_back_and_torn_lines_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(folder.path(), "run 1").unwrap();
        journal.add("a".to_owned(), &cell(1), 1.5).unwrap();
        journal.add("b".to_owned(), &cell(2), 2.5).unwrap();
        drop(journal);
        let path = folder.path().join(NAME);
        let bytes = std::fs::read(&path).unwrap();
        let last_line = bytes.trim_ascii_end().iter().rposition(|&b| b == b'\n');
        for cut in last_line.unwrap() + 1..bytes.len() {
            std::fs::write(&path, &bytes[..cut]).unwrap();
            let mut journal = Journal::open(folder.path(), "run 1").unwrap();
            assert_eq!(journal.get("a"), Some(&(cell(1), 1.5)), "cut at {cut}");
            assert_eq!(journal.get("b"), None, "cut at {cut}");
            // What is added after a torn line is read again.
            journal.add("c".to_owned(), &cell(3), 0.0).unwrap();
            drop(journal);
            let journal = Journal::open(folder.path(), "run 1").unwrap();
            assert_eq!((journal.len(), journal.get("c").is_some()), (2, true));
        }
    }

    #[test]
    fn cells_of_another_run_are_not_mixed_in() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(folder.path(), "run 1").unwrap();
        journal.add("a".to_owned(), &cell(1), 0.0).unwrap();
        drop(journal);
        let journal = Journal::open(folder.path(), "run 2").unwrap();
        assert_eq!(journal.len(), 0);
        drop(journal);
        let journal = Journal::open(folder.path(), "run 1").unwrap();
        assert_eq!(journal.len(), 0);
        journal.remove().unwrap();
        assert!(!folder.path().join(NAME).exists());
    }

    #[test]
    fn what_is_no_journal_is_begun_anew() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["", "\n", "{\"run\":", "[1, 2]\n", "{\"run\":\"run 1\"}"] {
            std::fs::write(folder.path().join(NAME), text).unwrap();
            assert_eq!(Journal::open(folder.path(), "run 1").unwrap().len(), 0);
        }
    }
}
