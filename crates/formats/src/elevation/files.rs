//! Opens elevation models by path, joins them, and keeps a part of them.

use std::path::{Path, PathBuf};

use portolan_files::{FileError, ReadError, read};
use portolan_terrain::{Crs, Elevation, Lattice};

use super::tile::{self, TileCoding, put_picture};
use super::{Grid, MAX_SAMPLES, Sink, asc, geotiff, hgt, prj};
use crate::heightmap::read_picture;

/// What to read of elevation models, and what the files themselves do not say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroundOptions {
    /// The system of the coordinates. Files that name another one are errors. [Default: what the files say]
    pub crs: Option<GroundCrs>,
    /// Two opposite corners of the part to keep, in the files' coordinates. [Default: everything]
    pub window: Option<[f64; 4]>,
    /// Keep every Nth column and row. 0 counts as 1. [Default: 1]
    pub step: usize,
    /// What the pixels of a `.png` mean. [Default: heights from 0 to 1]
    pub png: PngHeights,
    /// The positions of the corner samples of a `.png` that knows none: the lowest and the highest x and y.
    /// [Default: the longer side is from -1 to 1]
    pub extent: Option<[f64; 4]>,
}

/// The system that the user names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroundCrs {
    /// A system that is known.
    Known(Crs),
    /// Metres in a plane whose place on the earth does not matter.
    Local,
}

/// What the pixels of a picture mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PngHeights {
    /// Heights from that of the lowest pixel in all files to that of the highest. [Units: m]
    Range([f32; 2]),
    /// Colours that code heights.
    Tile(TileCoding),
}

impl Default for PngHeights {
    fn default() -> Self {
        Self::Range([0.0, 1.0])
    }
}

/// One or more adjacent elevation models whose headers have been read.
#[derive(Debug)]
pub struct GroundFiles {
    files: Vec<GroundFile>,
    options: GroundOptions,
    crs: Option<Crs>,
    /// The positions of the samples of all files together, and their numbers of columns and rows.
    lattice: Lattice,
    size: [usize; 2],
    /// The first column and row that are kept, and the numbers of those that are kept.
    first: [usize; 2],
    kept: [usize; 2],
}

#[derive(Debug)]
struct GroundFile {
    path: PathBuf,
    grid: Grid,
    /// The column and row of the first sample among those of all files.
    offset: [i64; 2],
}

/// A file that does not fit to the others, in units of its samples.
const MAX_MISFIT: f64 = 0.05;

impl GroundFiles {
    /// Reads the headers of files, checks that they fit, and finds out how many samples the options keep.
    ///
    /// Files fit if their samples are on one lattice. They may overlap: the first file with a height decides. Gaps
    /// between them are holes.
    pub fn open(paths: &[PathBuf], options: &GroundOptions) -> Result<Self, FileError> {
        let mut files = Vec::new();
        for path in paths {
            files.push(GroundFile {
                path: path.clone(),
                grid: open_grid(path, options)?,
                offset: [0, 0],
            });
        }
        let Some(first) = files.first() else {
            return Err(content(
                Path::new("terrain"),
                ReadError::Empty {
                    what: "elevation models",
                },
            ));
        };
        let crs = first.grid.crs;
        let (lattice, size) = join(&mut files)?;
        check_units(&files[0], &lattice, options)?;
        let step = options.step.max(1);
        let (first, kept) = part(&lattice, size, options.window, step)
            .map_err(|reason| content(&files[0].path, not_ground(reason)))?;
        Ok(Self {
            files,
            options: options.clone(),
            crs,
            lattice,
            size,
            first,
            kept,
        })
    }

    /// Returns the numbers of columns and rows of all files together.
    pub fn size(&self) -> [usize; 2] {
        self.size
    }

    /// Returns the numbers of columns and rows that are kept.
    pub fn kept(&self) -> [usize; 2] {
        self.kept
    }

    /// Returns the system of the coordinates, or `None` if it is unknown.
    pub fn crs(&self) -> Option<Crs> {
        self.crs
    }

    /// Reads the samples that are kept. Memory is that of these samples and of one file at a time.
    pub fn read(&self) -> Result<Elevation, FileError> {
        let step = self.options.step.max(1);
        let mut heights = vec![f32::NAN; self.kept[0] * self.kept[1]];
        for file in &self.files {
            let mut sink = Sink {
                first: self.first.map(|index| index as i64),
                step: step as i64,
                size: self.kept,
                offset: file.offset,
                heights: &mut heights,
            };
            let (columns, rows) = (0..file.grid.width, 0..file.grid.height);
            if sink.needs(columns, rows) {
                read_samples(&file.path, file.grid, &self.options, &mut sink)?;
            }
        }
        if let PngHeights::Range(range) = self.options.png {
            if self.files.iter().any(|file| is_png(&file.path)) {
                stretch(&mut heights, range);
            }
        }
        let lattice = Lattice {
            first: self.lattice.position(self.first[0], self.first[1]),
            step: self.lattice.step.map(|distance| distance * step as f64),
        };
        let [width, height] = self.kept;
        Elevation::new(width, height, heights, lattice, self.crs)
            .map_err(|error| content(&self.files[0].path, not_ground(error.to_string())))
    }

    /// Reads a picture with one pixel per sample, of all files together or of those that are kept. Returns the
    /// values of the samples that are kept, from 0 for black to 1 for white.
    pub fn read_mask(&self, path: &Path) -> Result<Vec<f32>, FileError> {
        let picture = read(path, read_picture)?;
        let size = [picture.width, picture.height];
        let values = picture.values();
        if size == self.kept {
            return Ok(values);
        }
        if size != self.size {
            let ([width, height], [kept_width, kept_height]) = (self.size, self.kept);
            let reason = format!(
                "it has {} x {} pixels; the ground has {width} x {height} samples, of which {kept_width} x \
                 {kept_height} are kept: use one of these sizes",
                picture.width, picture.height
            );
            return Err(content(path, not_ground(reason)));
        }
        let step = self.options.step.max(1);
        let mut kept = Vec::with_capacity(self.kept[0] * self.kept[1]);
        for row in 0..self.kept[1] {
            let start = (self.first[1] + row * step) * size[0] + self.first[0];
            kept.extend((0..self.kept[0]).map(|column| values[start + column * step]));
        }
        Ok(kept)
    }
}

/// Reads size, position and system of a file.
fn open_grid(path: &Path, options: &GroundOptions) -> Result<Grid, FileError> {
    let name = path.display().to_string();
    let mut grid = read(path, |bytes| {
        Ok(match (kind(path)?, options.png) {
            (Kind::Hgt, _) => hgt::open(&name, bytes)?.grid(),
            (Kind::Ascii, _) => asc::open(bytes)?.grid(),
            (Kind::GeoTiff, _) => geotiff::open(bytes)?.grid(),
            (Kind::Png, PngHeights::Tile(coding)) => tile::open(&name, bytes, coding)?.grid(),
            (Kind::Png, PngHeights::Range(_)) => {
                let picture = read_picture(bytes)?;
                Grid {
                    width: picture.width,
                    height: picture.height,
                    lattice: None,
                    crs: None,
                }
            }
        })
    })?;
    if grid.lattice.is_none() {
        grid.lattice = Some(other_lattice(path, grid, options)?);
    }
    if grid.crs.is_none() {
        if let Some(file) = beside(path, &["prj"]) {
            grid.crs = read(&file, prj::read_wkt)?;
        }
    }
    match (options.crs, grid.crs) {
        (Some(GroundCrs::Known(named)), Some(found)) if named != found => {
            let reason = format!("it is in {found}, not in {named}");
            Err(content(path, not_ground(reason)))
        }
        (Some(GroundCrs::Known(named)), _) => Ok(Grid {
            crs: Some(named),
            ..grid
        }),
        (Some(GroundCrs::Local), Some(found)) if found.is_geographic() => {
            let reason = format!("it is in {found}, whose degrees are not metres");
            Err(content(path, not_ground(reason)))
        }
        (Some(GroundCrs::Local), _) => Ok(Grid { crs: None, ..grid }),
        (None, _) => Ok(grid),
    }
}

/// Returns the positions of samples that the file itself does not know: from a world file or from the options.
fn other_lattice(path: &Path, grid: Grid, options: &GroundOptions) -> Result<Lattice, FileError> {
    let steps = [grid.width - 1, grid.height - 1].map(|steps| steps as f64);
    if let Some([x0, y0, x1, y1]) = options.extent {
        let lattice = Lattice {
            first: [x0, y1],
            step: [(x1 - x0) / steps[0], (y1 - y0) / steps[1]],
        };
        return match lattice.check(grid.width, grid.height) {
            Ok(()) => Ok(lattice),
            Err(error) => Err(content(path, not_ground(format!("--extent: {error}")))),
        };
    }
    if let Some(file) = beside(path, &["pgw", "tfw", "wld"]) {
        let lattice = read(&file, prj::read_world_file)?;
        return match lattice.check(grid.width, grid.height) {
            Ok(()) => Ok(lattice),
            Err(error) => Err(content(&file, not_ground(error.to_string()))),
        };
    }
    if kind(path).is_ok_and(|kind| kind == Kind::Png) && !matches!(options.png, PngHeights::Tile(_))
    {
        let step = 2.0 / steps[0].max(steps[1]);
        return Ok(Lattice {
            first: [-steps[0] * step / 2.0, steps[1] * step / 2.0],
            step: [step, step],
        });
    }
    let reason = "the file does not say where it lies; put a world file (.wld) beside it, or, for a tile of a web map, \
                  name it Z/X/Y.png";
    Err(content(path, not_ground(reason.to_owned())))
}

/// Returns a file with the same name and another ending, if there is one.
fn beside(path: &Path, endings: &[&str]) -> Option<PathBuf> {
    let files = endings.iter().map(|ending| path.with_extension(ending));
    files.into_iter().find(|file| file.is_file())
}

/// Finds the offset of each file on the lattice of all of them. Returns this lattice and its size.
fn join(files: &mut [GroundFile]) -> Result<(Lattice, [usize; 2]), FileError> {
    let lattice_of = |file: &GroundFile| {
        file.grid
            .lattice
            .expect("every file has a lattice after it is opened")
    };
    let base = lattice_of(&files[0]);
    let name = files[0].path.display().to_string();
    let crs = files[0].grid.crs;
    let (mut low, mut high) = ([0i64; 2], [0i64; 2]);
    for file in files.iter_mut() {
        let lattice = lattice_of(file);
        let size = [file.grid.width, file.grid.height];
        let misfit = |reason: &str| {
            let reason = format!("it does not fit to {name}: {reason}");
            content(&file.path, not_ground(reason))
        };
        if file.grid.crs != crs {
            let shown =
                |crs: Option<Crs>| crs.map_or("no known system".to_owned(), |c| c.to_string());
            return Err(misfit(&format!(
                "{} instead of {}",
                shown(file.grid.crs),
                shown(crs)
            )));
        }
        let offset = base.offset(lattice.first);
        for axis in 0..2 {
            let grown = (lattice.step[axis] / base.step[axis] - 1.0).abs() * size[axis] as f64;
            if grown > MAX_MISFIT {
                return Err(misfit("its samples are farther apart or closer"));
            }
            let whole = offset[axis].round();
            if (offset[axis] - whole).abs() > MAX_MISFIT {
                return Err(misfit("its samples are between those"));
            }
            if whole.abs() > 1e9 {
                return Err(misfit("it is too far away"));
            }
            file.offset[axis] = whole as i64;
            low[axis] = low[axis].min(file.offset[axis]);
            high[axis] = high[axis].max(file.offset[axis] + size[axis] as i64);
        }
    }
    for file in files.iter_mut() {
        file.offset = [0, 1].map(|axis| file.offset[axis] - low[axis]);
    }
    let lattice = Lattice {
        first: [
            base.first[0] + low[0] as f64 * base.step[0],
            base.first[1] - low[1] as f64 * base.step[1],
        ],
        step: base.step,
    };
    let size = [0, 1].map(|axis| (high[axis] - low[axis]) as usize);
    Ok((lattice, size))
}

/// Fails if coordinates look like degrees and nobody has said what they are: as metres, all ground would be a cliff.
fn check_units(
    file: &GroundFile,
    lattice: &Lattice,
    options: &GroundOptions,
) -> Result<(), FileError> {
    let [x, y] = lattice.first;
    let looks_geographic = x.abs() <= 180.0 && y.abs() <= 90.0 && lattice.step[0] < 0.1;
    let is_unknown = file.grid.crs.is_none() && options.crs.is_none() && !is_png(&file.path);
    match is_unknown && looks_geographic {
        true => Err(content(
            &file.path,
            not_ground(
                "its coordinates look like degrees, but it does not name their system; give --crs EPSG:4326, or --crs \
                 local if they are metres"
                    .to_owned(),
            ),
        )),
        false => Ok(()),
    }
}

/// Returns the first column and row that are kept, and the numbers of those that are kept.
fn part(
    lattice: &Lattice,
    size: [usize; 2],
    window: Option<[f64; 4]>,
    step: usize,
) -> Result<([usize; 2], [usize; 2]), String> {
    let mut range = [[0, size[0]], [0, size[1]]];
    if let Some([x0, y0, x1, y1]) = window {
        let ends = [lattice.offset([x0, y0]), lattice.offset([x1, y1])];
        for axis in 0..2 {
            // Rounding must not exclude a sample on the border of the window.
            let low = (ends[0][axis].min(ends[1][axis]) - 1e-6).ceil().max(0.0);
            let high = (ends[0][axis].max(ends[1][axis]) + 1e-6).floor() + 1.0;
            range[axis] = [low as usize, (high.max(0.0) as usize).min(size[axis])];
        }
    }
    let [columns, rows] = range.map(|[first, end]| end.saturating_sub(first).div_ceil(step));
    if columns < 2 || rows < 2 {
        let [west, north] = lattice.first;
        let [east, south] = lattice.position(size[0] - 1, size[1] - 1);
        return Err(format!(
            "--window and --step keep {columns} x {rows} samples; at least 2 x 2 are needed. The samples are from \
             {west},{south} to {east},{north}"
        ));
    }
    if columns
        .checked_mul(rows)
        .is_none_or(|count| count > MAX_SAMPLES)
    {
        return Err(format!(
            "{columns} x {rows} samples are too many; at most {MAX_SAMPLES} are supported: use --window or --step"
        ));
    }
    Ok(([range[0][0], range[1][0]], [columns, rows]))
}

/// Passes the samples of a file to a sink. The file must still be the one whose header was read.
fn read_samples(
    path: &Path,
    grid: Grid,
    options: &GroundOptions,
    sink: &mut Sink<'_>,
) -> Result<(), FileError> {
    let name = path.display().to_string();
    let same = |found: Grid| match [found.width, found.height] == [grid.width, grid.height] {
        true => Ok(()),
        false => Err(not_ground("it has changed while it was read".to_owned())),
    };
    read(path, |bytes| {
        match (kind(path)?, options.png) {
            (Kind::Hgt, _) => {
                let tile = hgt::open(&name, bytes)?;
                same(tile.grid())?;
                tile.read(sink);
            }
            (Kind::Ascii, _) => {
                let file = asc::open(bytes)?;
                same(file.grid())?;
                file.read(sink)?;
            }
            (Kind::GeoTiff, _) => {
                let mut file = geotiff::open(bytes)?;
                same(file.grid())?;
                file.read(sink)?;
            }
            (Kind::Png, PngHeights::Tile(coding)) => {
                let tile = tile::open(&name, bytes, coding)?;
                same(tile.grid())?;
                tile.read(sink);
            }
            (Kind::Png, PngHeights::Range(_)) => {
                let picture = read_picture(bytes)?;
                if [picture.width, picture.height] != [grid.width, grid.height] {
                    return Err(not_ground("it has changed while it was read".to_owned()));
                }
                let max = f64::from(picture.max);
                put_picture(&picture, sink, |number| (f64::from(number) / max) as f32);
            }
        }
        Ok(())
    })
}

/// Maps heights linearly such that the lowest and the highest become the ends of a range.
fn stretch(heights: &mut [f32], [bottom, top]: [f32; 2]) {
    let known = heights.iter().copied().filter(|height| !height.is_nan());
    let low = known.clone().fold(f32::INFINITY, f32::min);
    let high = known.fold(f32::NEG_INFINITY, f32::max);
    for height in heights.iter_mut().filter(|height| !height.is_nan()) {
        let fraction = match low < high {
            true => f64::from(*height - low) / f64::from(high - low),
            false => 0.0,
        };
        *height = (f64::from(bottom) * (1.0 - fraction) + f64::from(top) * fraction) as f32;
    }
}

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Hgt,
    Ascii,
    GeoTiff,
    Png,
}

fn kind(path: &Path) -> Result<Kind, ReadError> {
    let ending = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    match &ending[..] {
        "hgt" | "zip" => Ok(Kind::Hgt),
        "asc" => Ok(Kind::Ascii),
        "tif" | "tiff" => Ok(Kind::GeoTiff),
        "png" => Ok(Kind::Png),
        _ => Err(ReadError::UnknownExtension {
            extension: format!(".{ending}"),
            supported: ".hgt, .zip, .asc, .tif, .tiff and .png",
        }),
    }
}

fn is_png(path: &Path) -> bool {
    kind(path) == Ok(Kind::Png)
}

fn content(path: &Path, error: ReadError) -> FileError {
    FileError::Content {
        file: path.display().to_string(),
        error,
    }
}

fn not_ground(reason: String) -> ReadError {
    ReadError::NotThisFormat {
        format: "ground that can be used",
        reason,
    }
}

#[cfg(test)]
#[path = "files_test.rs"]
mod tests;
