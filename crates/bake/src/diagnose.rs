//! Signs that a level was read with the wrong axis up, with its faces turned over or in the wrong unit.

use std::fmt;

use portolan_core::{AreaRules, LevelOptions, NavMesh, Triangles, Up};

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
/// How many more surfaces have to lie above one another along y than along z then, or two bakes are
/// compared. It tells a level with z up from a street between long walls.
const MORE_LAYERS: f64 = 1.15;
/// Share of the ground that may look wrong in a level that is right.
const SOME: f64 = 0.15;
/// How many times as many connected polygons another reading has to give, in halves, to be the right one.
const MORE_POLYGONS_HALVES: usize = 5;
/// Below this many connected polygons a comparison says nothing.
const FEW_POLYGONS: usize = 10;
/// Above this many cells, seen from above, a second bake for a comparison would take too long.
const MOST_CELLS: u64 = 1 << 22;

/// Looks for signs that a level was read with the wrong axis up, with its faces turned over or in the
/// wrong unit. `mesh` is what came out of the bake; `None` before the bake, when only the geometry is
/// judged, which takes little time.
///
/// The signs are these, in agents and not in metres, so that levels in other units can be baked too:
/// - the area of faces along each axis, and how many surfaces lie above one another along y and z;
/// - what a grid of vertical lines meets first and last;
/// - the length of edges.
///
/// Where these allow two readings (a room without an outside looks like a solid block turned inside
/// out), the level is baked once more in the other reading, and that one counts if it gives clearly more
/// connected polygons.
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
    let columns = Columns::new(triangles, 1, f64::from(options.agent_height) / 100.0);
    let trial = Trial {
        triangles,
        rules,
        options,
        mesh,
    };
    if let Some(finding) = other_axis_up(&trial, checked.facing, &columns) {
        findings.push(finding);
    } else if is_turned_over(&trial, &columns) {
        findings.push(Finding::FacesTurnedOver);
    }
    findings.extend(too_large(triangles, &columns, options.agent_height.into()));
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

fn other_axis_up(trial: &Trial<'_>, facing: Facing, columns: &Columns) -> Option<Finding> {
    let vertical = facing.up + facing.down;
    let other = f64::from(vertical.max(facing.along_x));
    if f64::from(facing.along_z) <= CLEARLY_MORE * other {
        return None;
    }
    let apart = f64::from(trial.options.agent_height) / 100.0;
    let along_z = Columns::new(trial.triangles, 2, apart);
    let turn = |level: &mut Triangles| {
        let z_up = LevelOptions {
            up: Up::Z,
            ..LevelOptions::default()
        };
        z_up.apply(level);
    };
    let is_found =
        columns.layers() >= MORE_LAYERS * along_z.layers() || trial.is_better_after(turn);
    is_found.then_some(Finding::OtherAxisUp {
        vertical,
        along_z: facing.along_z,
    })
}

fn is_turned_over(trial: &Trial<'_>, columns: &Columns) -> bool {
    let agent = f64::from(trial.options.agent_height);
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
    (looks_like_rooms || looks_like_blocks) && trial.is_better_after(Triangles::flip)
}

/// A level, and what came out of its bake if there was one: what another bake is compared with.
struct Trial<'a> {
    triangles: &'a Triangles,
    rules: &'a AreaRules,
    options: &'a BakeOptions,
    mesh: Option<&'a NavMesh>,
}

impl Trial<'_> {
    /// Bakes the level once more after a change, and compares the number of polygons that hang together.
    fn is_better_after(&self, change: impl Fn(&mut Triangles)) -> bool {
        let Some(mesh) = self.mesh else {
            return false;
        };
        let mut changed = self.triangles.clone();
        change(&mut changed);
        let options = BakeOptions {
            max_cells: self.options.max_cells.min(MOST_CELLS),
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
        let (here, there) = (connected(mesh), connected(&other));
        there >= FEW_POLYGONS && 2 * there >= MORE_POLYGONS_HALVES * here
    }
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
        _ if is_ground_only => middle > 60.0 * agent,
        _ => short > 6.0 * agent && middle > 20.0 * agent && extent > 250.0 * agent,
    };
    is_large.then_some(Finding::TooLarge {
        extent: extent as f32,
        edge: middle as f32,
    })
}
