//! Draws the meshes after each iteration of merging.

use std::path::{Path, PathBuf};

use portolan_draw::picture::{LegendItem, Picture, colour_of};
use portolan_terrain::{MeshTree, TriangleWeb};

use super::PICTURE_SIZE;
use crate::args::Common;
use crate::outcome::Failure;
use crate::terminal::{count, progress};

/// All iterations are drawn if there are no more than this; otherwise about this many.
const MAX_PICTURES: usize = 60;

/// A folder of pictures, one per iteration.
pub(super) struct StepPictures {
    folder: PathBuf,
    written: usize,
}

impl StepPictures {
    /// Fails if the folder exists and contains anything but pictures of an earlier run.
    pub(super) fn new(folder: &Path) -> Result<Self, Failure> {
        let steps = Self {
            folder: folder.to_owned(),
            written: 0,
        };
        if folder.exists() {
            steps.old_pictures()?;
        }
        Ok(steps)
    }

    /// Returns the pictures of an earlier run.
    fn old_pictures(&self) -> Result<Vec<PathBuf>, Failure> {
        let files = std::fs::read_dir(&self.folder).and_then(Iterator::collect);
        let files: Vec<std::fs::DirEntry> = files.map_err(|error| self.unwritable(&error))?;
        let mut old = Vec::new();
        for file in files {
            if !is_step(&file.file_name().to_string_lossy()) {
                return Err(Failure::new(format!(
                    "{}: the folder contains other files ({}); --steps needs a new or empty folder",
                    self.folder.display(),
                    file.file_name().display()
                )));
            }
            old.push(file.path());
        }
        Ok(old)
    }

    fn unwritable(&self, error: &std::io::Error) -> Failure {
        Failure::new(format!(
            "{}: cannot be written: {error}",
            self.folder.display()
        ))
    }

    /// Draws each remaining mesh in its own colour over the relief. `mesh_counts` has the number of
    /// meshes that remain after each iteration.
    pub(super) fn draw(
        &mut self,
        web: &TriangleWeb,
        merged: &MeshTree,
        mesh_counts: &[usize],
        common: &Common,
    ) -> Result<(), Failure> {
        std::fs::create_dir_all(&self.folder).map_err(|error| self.unwritable(&error))?;
        for file in self.old_pictures()? {
            std::fs::remove_file(file).map_err(|error| self.unwritable(&error))?;
        }
        let chosen = chosen(mesh_counts);
        let bar = progress(common, "drawing", chosen.len() as u64);
        let relief = Picture::relief(web, PICTURE_SIZE);
        let digits = mesh_counts.len().to_string().len();
        for iteration in chosen {
            let top_of = merged.tops_after(iteration);
            let mut picture = relief.clone();
            picture.overlay(0.7, |triangle| Some(colour_of(top_of[triangle as usize])));
            let all = mesh_counts.len();
            let tops = count(mesh_counts[iteration - 1], "top mesh").replace("meshs", "meshes");
            picture.add_legend(&[
                LegendItem::Text(format!("iteration {iteration} of {all}")),
                LegendItem::Text(format!("{tops}, one colour each")),
            ]);
            let name = format!("step-{iteration:0digits$}.png");
            picture.save(&self.folder.join(name))?;
            self.written += 1;
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(())
    }

    pub(super) fn shown(&self, iterations: usize) -> String {
        format!(
            "{} of {iterations} iterations in {}",
            count(self.written, "picture"),
            self.folder.display()
        )
    }
}

fn is_step(name: &str) -> bool {
    let number = name.strip_prefix("step-");
    let number = number.and_then(|rest| rest.strip_suffix(".png"));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// Returns the iterations to draw, counted from 1. They include the first and the last. Between two pictures,
/// the number of meshes decreases by at least a tenth.
fn chosen(mesh_counts: &[usize]) -> Vec<usize> {
    if mesh_counts.len() <= MAX_PICTURES {
        return (1..=mesh_counts.len()).collect();
    }
    let (first, last) = (
        mesh_counts[0] as f64,
        mesh_counts[mesh_counts.len() - 1] as f64,
    );
    let fraction = (last / first).powf(1.0 / MAX_PICTURES as f64).min(0.9);
    let mut last_drawn = f64::INFINITY;
    let mut chosen = Vec::new();
    for (iteration, &remaining) in (1..).zip(mesh_counts) {
        if remaining as f64 <= last_drawn * fraction || iteration == mesh_counts.len() {
            last_drawn = remaining as f64;
            chosen.push(iteration);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn about_60_of_many_iterations_are_chosen() {
        assert_eq!(chosen(&[]), [0usize; 0]);
        assert_eq!(chosen(&[9, 3, 1]), [1, 2, 3]);
        let slow: Vec<usize> = (1..=1000).rev().collect();
        let some = chosen(&slow);
        assert!((40..=62).contains(&some.len()), "{}", some.len());
        assert_eq!((some[0], some[some.len() - 1]), (1, 1000));
        assert!(some.is_sorted());
    }

    #[test]
    fn pictures_of_steps_are_recognized_by_name() {
        assert!(is_step("step-012.png"));
        for other in [
            "step-.png",
            "step-1.txt",
            "step-a.png",
            "photo.png",
            "step-1.png~",
        ] {
            assert!(!is_step(other), "{other}");
        }
    }
}
