//! Opens the ground of `portolan terrain build`: elevation files, a height map or triangles.

use std::path::Path;

use portolan_formats::Up;
use portolan_formats::elevation::{GroundFiles, GroundOptions, PngHeights};
use portolan_terrain::{
    Elevation, ElevationOptions, GroundArea, TerrainError, TriangleWeb, WebOptions,
};

use super::build::ground_failure;
use crate::args::{BuildArgs, Common, UpAxis};
use crate::commands::extension;
use crate::outcome::Failure;
use crate::terminal::say;

/// The memory that a build needs at its peak, per triangle. The command of docs/hike.md needed 74 MB for 128 380 triangles
/// (`/usr/bin/time -v`), which is 578 bytes each; the rest is a reserve. [Units: bytes]
const BYTES_PER_TRIANGLE: usize = 700;

/// Ground that needs more memory than this is announced before it is read. [Units: bytes]
const ANNOUNCED_BYTES: usize = 100_000_000;

/// The ground, and a line about the samples that were kept unless it has been printed already.
pub(super) struct Ground {
    pub(super) web: TriangleWeb,
    pub(super) kept: Option<String>,
}

impl From<TriangleWeb> for Ground {
    fn from(web: TriangleWeb) -> Self {
        Self { web, kept: None }
    }
}

/// Opens the ground and triangulates it.
pub(super) fn open(args: &BuildArgs, common: &Common) -> Result<Ground, Failure> {
    let first = &args.ground[0];
    let is_geometry = |file: &Path| matches!(&extension(file)[..], "obj" | "gltf" | "glb");
    if let Some(file) = args.ground.iter().find(|file| is_geometry(file)) {
        if args.ground.len() > 1 {
            return Err(Failure::new(format!(
                "{}: geometry cannot be joined with other files; give it alone",
                file.display()
            )));
        }
        return Ok(open_geometry(args)?.into());
    }
    let is_known = |file: &Path| {
        matches!(
            &extension(file)[..],
            "png" | "hgt" | "zip" | "asc" | "tif" | "tiff"
        )
    };
    if let Some(file) = args.ground.iter().find(|file| !is_known(file)) {
        return Err(Failure::new(format!(
            "{}: expected elevation files (.hgt, .zip, .asc, .tif), a height map (.png) or triangles (.obj, .gltf, \
             .glb); `portolan heightmap` generates height maps",
            file.display()
        )));
    }
    check_picture_options(args)?;
    if let Some(file) = args
        .difficulty
        .as_deref()
        .filter(|file| extension(file) == "txt")
    {
        return Err(wrong_difficulty(file, "a height map", ".png"));
    }
    if is_plain_picture(args) {
        let picture = portolan_formats::open_picture(first)?;
        // Transparent pixels are holes, which only elevation models have.
        if picture.holes.is_empty() {
            return Ok(open_map(args)?.into());
        }
    }
    open_elevation(args, common)
}

/// Returns whether the ground is one picture without a position on the earth.
fn is_plain_picture(args: &BuildArgs) -> bool {
    let file = &args.ground[0];
    let options = [
        args.mask.is_some(),
        args.areas.is_some(),
        args.window.is_some(),
    ];
    args.ground.len() == 1
        && extension(file) == "png"
        && args.extent.is_none()
        && args.colours.is_none()
        && args.crs.is_none()
        && args.step == 1
        && !options.contains(&true)
        && !["pgw", "wld", "prj"]
            .iter()
            .any(|ending| file.with_extension(ending).is_file())
}

/// Fails if options for pictures are given for files that need none.
fn check_picture_options(args: &BuildArgs) -> Result<(), Failure> {
    let pictures = args
        .ground
        .iter()
        .filter(|file| extension(file) == "png")
        .count();
    let others = args.ground.iter().find(|file| extension(file) != "png");
    let fail = |option: &str, reason: &str| {
        let file = others.unwrap_or(&args.ground[0]).display();
        Err(Failure::new(format!("{file}: {option} {reason}")))
    };
    for (option, is_given) in [
        ("--extent", args.extent.is_some()),
        ("--height-range", args.height_range.is_some()),
        ("--colours", args.colours.is_some()),
    ] {
        if is_given && others.is_some() {
            return fail(
                option,
                "is for pictures (.png); this file has heights of its own",
            );
        }
    }
    if args.height_range.is_some() && args.colours.is_some() {
        return fail("--height-range", "and --colours exclude each other");
    }
    if args.extent.is_some() && pictures > 1 {
        return fail(
            "--extent",
            "is for one picture; put a world file (.wld) beside each of them",
        );
    }
    match args.height_range {
        Some([low, high]) if low > high => Err(Failure::new(format!(
            "--height-range: {low} to {high} is no range; give the lower height first"
        ))),
        _ => Ok(()),
    }
}

/// Opens a picture as the terrain thesis does: the map is a box, and the lowest and highest values are its
/// bottom and top.
fn open_map(args: &BuildArgs) -> Result<TriangleWeb, Failure> {
    let file = &args.ground[0];
    let map = portolan_formats::open_height_map(file)?;
    let difficulty = args.difficulty.as_deref();
    let difficulty = difficulty
        .map(portolan_formats::open_height_map)
        .transpose()?;
    let options = WebOptions {
        hidef: args.hidef,
        height_range: args.height_range.unwrap_or([0.0, 1.0]),
        ..WebOptions::default()
    };
    check_triangles(args, [map.width(), map.height()])?;
    map.triangulate(&options, difficulty.as_ref())
        .map_err(|error| match error {
            TerrainError::MapSizes { .. } => {
                let file = args.difficulty.as_deref().unwrap_or(file);
                Failure::new(format!("{}: {error}", file.display()))
            }
            _ => ground_failure(args, &error),
        })
}

/// Opens elevation files, and pictures with a position.
fn open_elevation(args: &BuildArgs, common: &Common) -> Result<Ground, Failure> {
    let options = GroundOptions {
        crs: args.crs,
        window: args.window,
        step: args.step as usize,
        png: match args.colours {
            Some(coding) => PngHeights::Tile(coding),
            None => PngHeights::Range(args.height_range.unwrap_or([0.0, 1.0])),
        },
        extent: args.extent,
    };
    let files = GroundFiles::open(&args.ground, &options)?;
    let triangles = check_triangles(args, files.kept())?;
    let bytes = triangles.saturating_mul(BYTES_PER_TRIANGLE);
    let mut kept = Some(announcement(&files, triangles, bytes));
    if bytes >= ANNOUNCED_BYTES && !common.quiet {
        say!("{}", kept.take().unwrap_or_default());
    }
    let areas = open_areas(args, &files)?;
    let mut ground = files.read()?;
    if let Some(mask) = &args.mask {
        let mask = files.read_mask(mask)?;
        let is_closed: Vec<bool> = mask.iter().map(|&value| value == 0.0).collect();
        ground
            .close(&is_closed)
            .map_err(|error| ground_failure(args, &error))?;
    }
    let difficulty = args.difficulty.as_deref().map(|file| files.read_mask(file));
    let difficulty = difficulty.transpose()?;
    let web = triangulate(args, &ground, difficulty.as_deref(), &areas)?;
    Ok(Ground { web, kept })
}

/// Says how many samples are kept, and how much memory they need.
fn announcement(files: &GroundFiles, triangles: usize, bytes: usize) -> String {
    let ([columns, rows], [kept_columns, kept_rows]) = (files.size(), files.kept());
    let crs = files.crs();
    let crs = crs.map_or("no known system".to_owned(), |crs| crs.to_string());
    let megabytes = bytes as f64 / 1e6;
    format!(
        "keeping {kept_columns} x {kept_rows} of {columns} x {rows} samples in {crs}: up to {triangles} triangles, \
         about {megabytes:.0} MB of memory"
    )
}

fn triangulate(
    args: &BuildArgs,
    ground: &Elevation,
    difficulty: Option<&[f32]>,
    areas: &[GroundArea],
) -> Result<TriangleWeb, Failure> {
    let options = ElevationOptions {
        hidef: args.hidef,
        difficulty,
        areas,
    };
    ground.triangulate(&options).map_err(|error| match error {
        TerrainError::Empty => Failure::new(format!(
            "{}: no ground is left: every square has a sample without a height or is closed",
            args.ground[0].display()
        )),
        TerrainError::TooFar(..) => Failure::new(format!(
            "{}: {error} with --window",
            args.ground[0].display()
        )),
        _ => ground_failure(args, &error),
    })
}

fn open_areas(args: &BuildArgs, files: &GroundFiles) -> Result<Vec<GroundArea>, Failure> {
    match (&args.areas, files.crs()) {
        (None, _) => Ok(Vec::new()),
        (Some(file), Some(crs)) => Ok(portolan_formats::open_ground_areas(file, crs)?),
        (Some(file), None) => Err(Failure::new(format!(
            "{}: its polygons are longitudes and latitudes, but the coordinate system of {} is not known; give --crs",
            file.display(),
            args.ground[0].display()
        ))),
    }
}

/// Returns the largest possible number of triangles of a grid. Fails if it exceeds the limit.
fn check_triangles(args: &BuildArgs, [columns, rows]: [usize; 2]) -> Result<usize, Failure> {
    let per_square = if args.hidef { 4 } else { 2 };
    let squares = (columns - 1).saturating_mul(rows - 1);
    let triangles = squares.saturating_mul(per_square);
    match triangles > args.max_triangles {
        false => Ok(triangles),
        true => Err(Failure::new(format!(
            "{}: {columns} x {rows} samples give {triangles} triangles, which need about {:.1} GB, and the limit is {} \
             triangles; keep a part with --window, every second sample with --step 2, or raise --max-triangles",
            args.ground[0].display(),
            triangles.saturating_mul(BYTES_PER_TRIANGLE) as f64 / 1e9,
            args.max_triangles
        ))),
    }
}

fn open_geometry(args: &BuildArgs) -> Result<TriangleWeb, Failure> {
    let file = &args.ground[0];
    let map_options = [
        ("--hidef", args.hidef),
        ("--extent", args.extent.is_some()),
        ("--height-range", args.height_range.is_some()),
        ("--colours", args.colours.is_some()),
        ("--crs", args.crs.is_some()),
        ("--window", args.window.is_some()),
        ("--step", args.step != 1),
        ("--mask", args.mask.is_some()),
        ("--areas", args.areas.is_some()),
    ];
    if let Some((option, _)) = map_options.iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::new(format!(
            "{}: {option} is for height maps and elevation files; geometry has coordinates of its own",
            file.display()
        )));
    }
    let difficulty = args.difficulty.as_deref();
    if let Some(file) = difficulty.filter(|file| extension(file) == "png") {
        return Err(wrong_difficulty(file, "geometry", ".txt"));
    }
    let up = match args.up {
        UpAxis::Y => Up::Y,
        UpAxis::Z => Up::Z,
    };
    Ok(portolan_formats::open_web(file, up, difficulty)?)
}

fn wrong_difficulty(file: &Path, ground: &str, extension: &str) -> Failure {
    let file = file.display();
    Failure::new(format!(
        "{file}: the difficulty of {ground} must be a {extension} file"
    ))
}
