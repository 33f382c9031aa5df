//! The journal: finished cells in a file, so that an interrupted run can be resumed.
//!
//! Each line is a JSON value. The first line identifies the run. The journal of another build or of other
//! options is discarded, because its numbers cannot be combined with those of this run. An incomplete last
//! line is removed.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::model::Cell;

/// The file name of the journal in the folder of the report.
pub(crate) const NAME: &str = "cells.jsonl";

/// A line of the journal: a finished cell.
#[derive(Serialize, Deserialize)]
struct JournalEntry {
    key: String,
    /// The measuring time. [Units: s]
    seconds: f64,
    cell: Cell,
}

/// The first line of the journal.
#[derive(Serialize, Deserialize)]
struct JournalHeader {
    run: String,
}

/// A journal, open for appending.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    cells: HashMap<String, (Cell, f64)>,
}

impl Journal {
    /// Opens the journal of a run and reads the cells that it has finished.
    pub(crate) fn open(folder: &Path, run: &str) -> io::Result<Self> {
        let path = folder.join(NAME);
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let (cells, valid_bytes) = read(&bytes, run);
        file.set_len(valid_bytes as u64)?;
        file.seek(SeekFrom::End(0))?;
        if valid_bytes == 0 {
            let run = run.to_owned();
            write_line(&mut file, &JournalHeader { run })?;
        }
        Ok(Self { path, file, cells })
    }

    /// Returns a finished cell and its measuring time in seconds.
    pub(crate) fn get(&self, key: &str) -> Option<&(Cell, f64)> {
        self.cells.get(key)
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Appends a finished cell.
    pub(crate) fn add(&mut self, key: String, cell: &Cell, seconds: f64) -> io::Result<()> {
        let entry = JournalEntry {
            key: key.clone(),
            seconds,
            cell: cell.clone(),
        };
        write_line(&mut self.file, &entry)?;
        self.cells.insert(key, (entry.cell, seconds));
        Ok(())
    }

    /// Deletes the journal, after the report has been written.
    pub(crate) fn remove(self) -> io::Result<()> {
        drop(self.file);
        std::fs::remove_file(self.path)
    }
}

/// Writes a line in one call, so that an interruption can leave at most one incomplete line, at the end.
fn write_line(file: &mut File, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    file.write_all(&line)
}

/// Reads the cells of a journal of this run. Also returns the number of bytes of its complete lines.
fn read(bytes: &[u8], run: &str) -> (HashMap<String, (Cell, f64)>, usize) {
    let mut cells = HashMap::new();
    let mut valid_bytes = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let Some(json) = line.strip_suffix(b"\n") else {
            break;
        };
        if valid_bytes == 0 {
            let header = serde_json::from_slice::<JournalHeader>(json);
            if !header.is_ok_and(|header| header.run == run) {
                break;
            }
        } else {
            let Ok(entry) = serde_json::from_slice::<JournalEntry>(json) else {
                break;
            };
            cells.insert(entry.key, (entry.cell, entry.seconds));
        }
        valid_bytes += line.len();
    }
    (cells, valid_bytes)
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
    fn complete_lines_are_read_back_and_an_incomplete_line_is_removed() {
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
            // A cell that is appended after an incomplete line is read back.
            journal.add("c".to_owned(), &cell(3), 0.0).unwrap();
            drop(journal);
            let journal = Journal::open(folder.path(), "run 1").unwrap();
            assert_eq!((journal.len(), journal.get("c").is_some()), (2, true));
        }
    }

    #[test]
    fn cells_of_another_run_are_discarded() {
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
    fn an_invalid_journal_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["", "\n", "{\"run\":", "[1, 2]\n", "{\"run\":\"run 1\"}"] {
            std::fs::write(folder.path().join(NAME), text).unwrap();
            assert_eq!(Journal::open(folder.path(), "run 1").unwrap().len(), 0);
        }
    }
}
