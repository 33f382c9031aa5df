//! Detects levels that were read with the wrong axis up, with flipped faces or in the wrong unit.

use std::fmt;

use portolan_core::{AreaRules, LevelOptions, NavMesh, Triangles, Up};

use crate::columns::{Columns, bounding_box};
use crate::surfaces::CheckedTriangles;
use crate::{BakeOptions, bake};

/// A sign that a level was not read as its author intended. Its text is one line that states what was
/// noticed and which flag of the command line, or field of
/// [`LevelOptions`](portolan_core::LevelOptions), to try.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Finding {
    /// Many faces point along z and few along y, as in a level with z up that was read with y up.
    OtherAxisUp {
        /// Fraction of the surface that points up or down, from 0 to 1.
        vertical: f32,
        /// Fraction of the surface that points along z, from 0 to 1.
        along_z: f32,
    },
    /// The ground points down: the faces have the opposite winding order, or the level is mirrored.
    FacesFlipped,
    /// The level has no details of the size of an agent, so it is probably in centimetres or millimetres.
    TooLarge {
        /// Longest side of the bounding box. [Units: m]
        extent: f32,
        /// Median length of the edges of triangles. [Units: m]
        edge: f32,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::OtherAxisUp { vertical, along_z } => write!(
                f,
                "{:.0}% of the surface points along z and only {:.0}% up or down, so the level probably has \
                 another axis up: try `--up z`, or leave it out if it is set (`LevelOptions::up`)",
                100.0 * along_z,
                100.0 * vertical
            ),
            Self::FacesFlipped => write!(
                f,
                "the ground faces down, so the faces probably have the opposite winding order: try \
                 `--flip`, or leave it out if it is set (`LevelOptions::flip`)"
            ),
            Self::TooLarge { extent, edge } => write!(
                f,
                "the level is {extent:.0} m long and half of its edges are longer than {edge:.0} m, so it is \
                 probably not in metres: try `--scale 0.01` for centimetres or `--scale 0.001` for \
                 millimetres (`LevelOptions::scale`)"
            ),
        }
    }
}

/// Minimum ratio between the surface that points along z and the surface that points along either other
/// axis, for z to be considered the up axis. Correct levels have at least 1.4 times as much along y.
const MIN_Z_FACES_RATIO: f64 = 1.25;
/// Minimum ratio between the layers of surfaces along y and along z in a level with z up. Below it, two
/// bakes are compared. This distinguishes a level with z up from a street between long walls.
const MIN_LAYERS_RATIO: f64 = 1.15;
/// Fraction of the ground that may look wrong in a correct level.
const MAX_ODD_FRACTION: f64 = 0.15;
/// Minimum ratio between the connected polygons of the changed level and of the level as it was read, for
/// the change to count as right. The unit is one half: 5 means 2.5 times as many.
const MIN_POLYGONS_RATIO_HALVES: usize = 5;
/// Minimum number of connected polygons of the changed level. With fewer, a comparison is meaningless.
const MIN_CONNECTED_POLYGONS: usize = 10;
/// Maximum number of cells in the (x, z) plane for a second bake. With more, it would take too long.
const MAX_TRIAL_CELLS: u64 = 1 << 22;

/// Looks for signs that a level was read with the wrong axis up, with flipped faces or in the wrong unit.
///
/// `mesh` is the result of the bake. With `None`, only the geometry is examined, which takes little time
/// and can be done before the bake.
///
/// The signs are:
/// - the area of the faces along each axis, and the number of surfaces above one another along y and z;
/// - the directions of the lowest and the highest face along each vertical line of a grid;
/// - the lengths of edges.
///
/// Lengths are compared with the agent's height, so a level and an agent that are both in centimetres
/// give no finding.
///
/// Where these signs are ambiguous (a room without outer walls looks like a solid block with flipped
/// faces), the level is changed and baked once more. The change counts as right if it gives clearly more
/// connected polygons.
///
/// A correct level gives no finding. Neither does a wrong level that looks like a correct one: a ball
/// lying on its side, a plain box that was meant as a room, or a square of two triangles in centimetres
/// that would be a small field in metres.
///
/// ```
/// use glam::vec3;
/// use portolan_core::{AreaRules, Triangles};
/// use portolan_bake::{BakeOptions, Finding, diagnose};
///
/// let mut upside_down = Triangles::default();
/// upside_down.vertices = vec![vec3(0., 0., 0.), vec3(9., 0., 0.), vec3(9., 0., 9.)];
/// upside_down.triangles = vec![[0, 1, 2]];
/// let findings = diagnose(&upside_down, &AreaRules::default(), &BakeOptions::default(), None);
/// assert_eq!(findings, [Finding::FacesFlipped]);
/// assert!(findings[0].to_string().contains("--flip"));
/// ```
pub fn diagnose(
    triangles: &Triangles,
    rules: &AreaRules,
    options: &BakeOptions,
    mesh: Option<&NavMesh>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    // A bake of such triangles fails with an error, which states the problem better.
    let Ok(checked) = CheckedTriangles::new(triangles) else {
        return findings;
    };
    let columns = Columns::new(triangles, 1, f64::from(options.agent_height) / 100.0);
    let baseline = Baseline {
        triangles,
        rules,
        options,
        mesh,
    };
    if let Some(finding) = other_axis_up(&baseline, checked.facing, &columns) {
        findings.push(finding);
    } else if is_flipped(&baseline, &columns) {
        findings.push(Finding::FacesFlipped);
    }
    findings.extend(too_large(triangles, &columns, options.agent_height.into()));
    findings
}

/// The directions in which the faces of a level point, as fractions of its surface area from 0 to 1. A
/// face counts for an axis if its normal is within 45 degrees of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FaceDirections {
    /// Fraction of the surface that points up.
    pub up: f32,
    /// Fraction of the surface that points down.
    pub down: f32,
    /// Fraction of the surface that points along x, in either direction.
    pub along_x: f32,
    /// Fraction of the surface that points along z, in either direction.
    pub along_z: f32,
}

fn other_axis_up(
    baseline: &Baseline<'_>,
    facing: FaceDirections,
    columns: &Columns,
) -> Option<Finding> {
    let vertical = facing.up + facing.down;
    let other = f64::from(vertical.max(facing.along_x));
    if f64::from(facing.along_z) <= MIN_Z_FACES_RATIO * other {
        return None;
    }
    let merge_distance = f64::from(baseline.options.agent_height) / 100.0;
    let along_z = Columns::new(baseline.triangles, 2, merge_distance);
    let turn_up = |level: &mut Triangles| {
        let z_up = LevelOptions {
            up: Up::Z,
            ..LevelOptions::default()
        };
        z_up.apply(level);
    };
    let is_z_up = columns.layers() >= MIN_LAYERS_RATIO * along_z.layers()
        || baseline.is_better_after(turn_up);
    is_z_up.then_some(Finding::OtherAxisUp {
        vertical,
        along_z: facing.along_z,
    })
}

fn is_flipped(baseline: &Baseline<'_>, columns: &Columns) -> bool {
    let agent_height = f64::from(baseline.options.agent_height);
    let fractions = columns.fractions();
    // Most lines show an underside, and few show ground or a solid. A correct level may have a sea that faces
    // down.
    if fractions.underside > 0.5 && fractions.ground + fractions.solid < MAX_ODD_FRACTION {
        return true;
    }
    let looks_like_rooms = fractions.room > MAX_ODD_FRACTION && fractions.solid < MAX_ODD_FRACTION;
    if looks_like_rooms && columns.room_height() < agent_height {
        return true;
    }
    // Solids that are taller inside than the agent, and taller than the gaps between them, may be rooms.
    let inside = columns.gap(false);
    let looks_like_blocks =
        fractions.solid > 0.5 && inside >= agent_height && inside > 2.0 * columns.gap(true);
    (looks_like_rooms || looks_like_blocks) && baseline.is_better_after(Triangles::flip)
}

/// A level as it was read and the result of its bake, if there was one. Other bakes are compared with it.
struct Baseline<'a> {
    triangles: &'a Triangles,
    rules: &'a AreaRules,
    options: &'a BakeOptions,
    mesh: Option<&'a NavMesh>,
}

impl Baseline<'_> {
    /// Bakes the level once more after a change and compares the sizes of the largest components.
    /// Returns whether the changed level is clearly better connected.
    fn is_better_after(&self, change: impl Fn(&mut Triangles)) -> bool {
        let Some(mesh) = self.mesh else {
            return false;
        };
        let mut changed = self.triangles.clone();
        change(&mut changed);
        let options = BakeOptions {
            max_cells: self.options.max_cells.min(MAX_TRIAL_CELLS),
            detail_sample: 0.0,
            ..self.options.clone()
        };
        let other = bake(&changed, self.rules, &options).and_then(|baked| baked.build_navmesh());
        let Ok(other) = other else {
            return false;
        };
        let connected = |mesh: &NavMesh| {
            let components = mesh.components();
            components.size(components.largest()) as usize
        };
        let (current, changed) = (connected(mesh), connected(&other));
        changed >= MIN_CONNECTED_POLYGONS && 2 * changed >= MIN_POLYGONS_RATIO_HALVES * current
    }
}

fn too_large(triangles: &Triangles, columns: &Columns, agent_height: f64) -> Option<Finding> {
    let bounds = bounding_box(triangles);
    let extent = f64::from((bounds.max - bounds.min).max_element());
    let mut edges: Vec<f64> = (0..triangles.triangles.len())
        .flat_map(|triangle| {
            let [a, b, c] = triangles.corners(triangle).map(|corner| corner.as_dvec3());
            [a.distance(b), b.distance(c), c.distance(a)]
        })
        .filter(|&edge| edge > 0.0)
        .collect();
    edges.sort_by(f64::total_cmp);
    let at = |fraction: f64| edges.get((edges.len() as f64 * fraction) as usize).copied();
    let (short, median) = (at(0.1)?, at(0.5)?);
    let is_ground_only = columns.fractions().ground > 0.95 && columns.layers() < 1.1;
    let is_large = match triangles.triangles.len() {
        // A large field can consist of two triangles.
        ..100 => extent > 2500.0 * agent_height,
        // Terrain from surveys has a point every 30 or 90 m.
        _ if is_ground_only => median > 60.0 * agent_height,
        _ => {
            short > 6.0 * agent_height
                && median > 20.0 * agent_height
                && extent > 250.0 * agent_height
        }
    };
    is_large.then_some(Finding::TooLarge {
        extent: extent as f32,
        edge: median as f32,
    })
}
