//! Signs that a level was read with the wrong axis up, with its faces turned over or in the wrong unit.

use std::fmt;

use portolan_core::{AreaRules, NavMesh, Triangles};

use crate::columns::{Columns, bounds};
use crate::surfaces::Checked;
use crate::{BakeOptions, bake};

/// A sign that a level was not read as its maker meant it. As text, it is one line that names the field
/// of [`LevelOptions`](portolan_core::LevelOptions) and the flag of the command line that help.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Finding {
    /// Most faces point along z, and few along y, as in a level whose z points up.
    OtherAxisUp {
        /// Share of the faces, by area, that point up or down.
        vertical: f32,
        /// Share of the faces, by area, that point along z.
        along_z: f32,
    },
    /// The ground points down: faces are wound the other way round, or the level was mirrored.
    FacesTurnedOver,
    /// The level has no detail of the size of an agent: it is in centimetres or millimetres.
    TooLarge {
        /// Its longest side. [Units: m]
        extent: f32,
        /// Half of the sides of its triangles are at least this long. [Units: m]
        edge: f32,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::OtherAxisUp { vertical, along_z } => write!(
                f,
                "{:.0}% of its faces point along z and {:.0}% up or down, as if z were up in the file: \
                 read it with the other axis up (`--up z`, or without it; `LevelOptions::up`)",
                100.0 * along_z,
                100.0 * vertical
            ),
            Self::FacesTurnedOver => write!(
                f,
                "its ground faces down, as if faces were wound the other way round: turn them over \
                 (`--flip`, or without it; `LevelOptions::flip`)"
            ),
            Self::TooLarge { extent, edge } => write!(
                f,
                "it is {extent:.0} m long and half of its edges are longer than {edge:.0} m, as if it were \
                 not in metres: scale it (`--scale 0.01` for centimetres, `--scale 0.001` for \
                 millimetres; `LevelOptions::scale`)"
            ),
        }
    }
}

/// How much more of the faces, by area, have to point along z than along any other axis before z is
/// taken for up. Levels that are right have at least 1.4 times as much along y.
const CLEARLY_MORE: f64 = 1.25;
/// How many more surfaces have to lie above one another along y than along z then. It tells a level
/// with z up from a street between long walls.
const MORE_LAYERS: f64 = 1.15;
/// Share of the ground that may look wrong in a level that is right.
const SOME: f64 = 0.15;
/// How many times as many connected polygons a level turned over has to have to be the right one.
const MORE_POLYGONS: usize = 5;
/// Below this many connected polygons a comparison says nothing.
const FEW_POLYGONS: usize = 10;
/// Above this many cells, seen from above, a second bake for a comparison would take too long.
const MOST_CELLS: u64 = 1 << 22;

/// Looks for signs that a level was read with the wrong axis up, with its faces turned over or in the
/// wrong unit. `mesh` is what came out of the bake, if anything did.
///
/// The signs are these, in agents and not in metres, so that levels in other units can be baked too:
/// - the area of faces along each axis, and how many surfaces lie above one another along y and z;
/// - what a grid of vertical lines meets first and last. Where that allows two readings (a room without
///   an outside looks like a solid block turned inside out), the level is baked once more, turned over,
///   and the reading with clearly more connected polygons counts;
/// - the length of edges.
///
/// A level that is right gives no finding. Some that are wrong look just like another one that is right
/// and give none either: a ball turned on its side, a plain box that was meant as a room, a square of two
/// triangles in centimetres that would be a small field in metres.
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
/// assert_eq!(findings, [Finding::FacesTurnedOver]);
/// assert!(findings[0].to_string().contains("--flip"));
/// ```
pub fn diagnose(
    triangles: &Triangles,
    rules: &AreaRules,
    options: &BakeOptions,
    mesh: Option<&NavMesh>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    // What cannot be baked at all has an error of its own.
    let Ok(checked) = Checked::new(triangles) else {
        return findings;
    };
    let agent = f64::from(options.agent_height);
    let columns = Columns::new(triangles, 1, agent / 100.0);
    if let Some(finding) = other_axis_up(triangles, checked.facing, &columns, agent) {
        findings.push(finding);
    } else if is_turned_over(triangles, rules, options, mesh, &columns) {
        findings.push(Finding::FacesTurnedOver);
    }
    findings.extend(too_large(triangles, &columns, agent));
    findings
}

/// Shares of the faces of a level, by area: those within 45 degrees of an axis count for it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Facing {
    /// Faces that point up.
    pub up: f32,
    /// Faces that point down.
    pub down: f32,
    /// Faces that point along x, either way.
    pub along_x: f32,
    /// Faces that point along z, either way.
    pub along_z: f32,
}

fn other_axis_up(
    triangles: &Triangles,
    facing: Facing,
    columns: &Columns,
    agent: f64,
) -> Option<Finding> {
    let vertical = facing.up + facing.down;
    let other = f64::from(vertical.max(facing.along_x));
    let is_more = f64::from(facing.along_z) > CLEARLY_MORE * other;
    let layers = || Columns::new(triangles, 2, agent / 100.0).layers();
    (is_more && columns.layers() >= MORE_LAYERS * layers()).then_some(Finding::OtherAxisUp {
        vertical,
        along_z: facing.along_z,
    })
}

fn is_turned_over(
    triangles: &Triangles,
    rules: &AreaRules,
    options: &BakeOptions,
    mesh: Option<&NavMesh>,
    columns: &Columns,
) -> bool {
    let agent = f64::from(options.agent_height);
    let outsides = columns.outsides();
    // Undersides nearly everywhere, and ground hardly anywhere. Seas that nobody walks on may face down.
    if outsides.underside > 0.5 && outsides.ground + outsides.solid < SOME {
        return true;
    }
    let looks_like_rooms = outsides.room > SOME && outsides.solid < SOME;
    if looks_like_rooms && columns.room_height() < agent {
        return true;
    }
    // The inside of solid things is higher than the agent, and higher than what is between them.
    let inside = columns.gap(false);
    let looks_like_blocks =
        outsides.solid > 0.5 && inside >= agent && inside > 2.0 * columns.gap(true);
    (looks_like_rooms || looks_like_blocks)
        && is_better_turned_over(triangles, rules, options, mesh)
}

/// Bakes the level turned over and compares the number of polygons that hang together.
fn is_better_turned_over(
    triangles: &Triangles,
    rules: &AreaRules,
    options: &BakeOptions,
    mesh: Option<&NavMesh>,
) -> bool {
    let mut turned = triangles.clone();
    turned.flip();
    let options = BakeOptions {
        max_cells: options.max_cells.min(MOST_CELLS),
        detail_sample: 0.0,
        ..options.clone()
    };
    let other = bake(&turned, rules, &options).and_then(|baked| baked.build_navmesh());
    let Ok(other) = other else {
        return false;
    };
    let connected = |mesh: &NavMesh| {
        let components = mesh.components();
        components.size(components.largest()) as usize
    };
    let (here, there) = (mesh.map_or(0, connected), connected(&other));
    there >= FEW_POLYGONS && 2 * there >= MORE_POLYGONS * here
}

fn too_large(triangles: &Triangles, columns: &Columns, agent: f64) -> Option<Finding> {
    let bounds = bounds(triangles);
    let extent = f64::from((bounds.max - bounds.min).max_element());
    let mut edges: Vec<f64> = (0..triangles.triangles.len())
        .flat_map(|triangle| {
            let [a, b, c] = triangles.corners(triangle).map(|corner| corner.as_dvec3());
            [a.distance(b), b.distance(c), c.distance(a)]
        })
        .filter(|&edge| edge > 0.0)
        .collect();
    edges.sort_by(f64::total_cmp);
    let at = |share: f64| edges.get((edges.len() as f64 * share) as usize).copied();
    let (short, middle) = (at(0.1)?, at(0.5)?);
    let is_ground_only = columns.outsides().ground > 0.95 && columns.layers() < 1.1;
    let is_large = match triangles.triangles.len() {
        // A field can be of two triangles.
        ..100 => extent > 2500.0 * agent,
        // Ground from surveys has a point every 30 or 90 m.
        _ if is_ground_only => short > 60.0 * agent,
        _ => short > 6.0 * agent && middle > 20.0 * agent && extent > 250.0 * agent,
    };
    is_large.then_some(Finding::TooLarge {
        extent: extent as f32,
        edge: middle as f32,
    })
}
