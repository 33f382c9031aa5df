//! What a game calls every frame beside path-finding: Portolan's probes next to the calls of Detour that do the same,
//! on the same polygons and from the same points.

use std::fmt::Write;

use glam::{Vec3, vec3};
use portolan_core::{
    DEFAULT_SNAP, Location, NavMesh, PolygonId, ProbeScratch, RandomPoints, World,
};
use portolan_measure::Rounds;
use serde::Serialize;

use crate::detour::{CallBuffers, DetourCalls, Place};

/// The number of rounds; the time of a call is the median over them.
const ROUNDS: usize = 5;
/// The number of points from which each call is made.
const POINTS: usize = 1000;
/// The length of a ray, and the radius of everything that has one. [Units: m]
const REACH: f32 = 5.0;
/// How far an agent moves. [Units: m]
const STEP: f32 = 0.5;
/// Answers that differ by less are the same. [Units: m]
const SAME: f32 = 2e-3;

/// The time of a call of Portolan and of its counterpart in Detour.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CallFigures {
    call: &'static str,
    detour_call: &'static str,
    /// [Units: µs]
    micros: f64,
    detour_micros: f64,
    /// The part of the answers that are the same, if they can be compared.
    same: Option<f64>,
}

/// A point from which calls are made, as both libraries know it, and the direction of its ray or move.
struct Case {
    ours: Location,
    theirs: Place,
    direction: Vec3,
}

/// Measures all calls on a navmesh.
pub(crate) fn measure(mesh: &NavMesh) -> Result<Vec<CallFigures>, String> {
    let world = World::from_mesh(mesh.clone());
    let probe = world.probe();
    let mut detour = DetourCalls::new(mesh, DEFAULT_SNAP)?;
    let mut random = RandomPoints::new(probe, 1);
    let mut turn = 0.0f32;
    let cases = (0..POINTS).filter_map(|_| {
        let ours = random.anywhere()?;
        turn += 2.399_963; // the golden angle: all directions, evenly
        Some(Case {
            ours,
            theirs: detour.locate(ours.point)?,
            direction: vec3(turn.cos(), 0.0, turn.sin()),
        })
    });
    let cases: Vec<Case> = cases.collect();
    if cases.is_empty() {
        return Err("Detour finds none of the points".to_owned());
    }
    let (mut scratch, mut buffers) = (ProbeScratch::new(), CallBuffers::default());
    let (mut polygons, mut walls) = (Vec::<PolygonId>::new(), Vec::new());
    let mut figures = Vec::new();
    let mut compare =
        |call, detour_call, both: &mut dyn FnMut(bool, &Case) -> f32, is_comparable: bool| {
            let micros = Rounds::by_contender(ROUNDS).mean_micros(2, cases.len(), |turn| {
                std::hint::black_box(both(turn.contender == 0, &cases[turn.query]));
            });
            let same = cases
                .iter()
                .filter(|case| (both(true, case) - both(false, case)).abs() <= SAME);
            let same = is_comparable.then(|| same.count() as f64 / cases.len() as f64);
            figures.push(CallFigures {
                call,
                detour_call,
                micros: micros[0],
                detour_micros: micros[1],
                same,
            });
        };
    compare(
        "nearest",
        "findNearestPoly",
        &mut |is_ours, case| {
            let asked = case.ours.point + 0.3 * case.direction;
            let found = match is_ours {
                true => probe.nearest(asked, DEFAULT_SNAP).map(|found| found.point),
                false => detour.locate(asked).map(|found| found.1),
            };
            found.map_or(-1.0, |point| point.distance(asked))
        },
        true,
    );
    compare(
        "ray",
        "raycast",
        &mut |is_ours, case| {
            let to = case.ours.point + REACH * case.direction;
            match is_ours {
                true => REACH * probe.ray(case.ours, to, &mut polygons).fraction,
                false => {
                    REACH
                        * detour
                            .query()
                            .raycast(case.theirs, to, &mut buffers)
                            .0
                            .distance
                            .min(1.0)
                }
            }
        },
        true,
    );
    compare(
        "slide",
        "moveAlongSurface, getPolyHeight",
        &mut |is_ours, case| {
            let to = case.ours.point + STEP * case.direction;
            let moved = match is_ours {
                true => probe.slide(case.ours, to, &mut scratch).point,
                false => detour
                    .query()
                    .move_along_surface(case.theirs, to, &mut buffers),
            };
            (moved - to).with_y(0.0).length()
        },
        true,
    );
    compare(
        "nearest_wall",
        "findDistanceToWall",
        &mut |is_ours, case| match is_ours {
            true => probe
                .nearest_wall(case.ours, REACH, &mut scratch)
                .map_or(REACH, |wall| wall.distance),
            false => detour
                .query()
                .distance_to_wall(case.theirs, REACH)
                .distance
                .min(REACH),
        },
        true,
    );
    compare(
        "walls_within",
        "findLocalNeighbourhood, getPolyWallSegments",
        &mut |is_ours, case| match is_ours {
            true => {
                probe.walls_within(case.ours, REACH, &mut scratch, &mut walls);
                walls.len() as f32
            }
            false => detour
                .query()
                .walls_around(case.theirs, REACH, &mut buffers) as f32,
        },
        false,
    );
    compare(
        "polygons_within",
        "findPolysAroundCircle",
        &mut |is_ours, case| match is_ours {
            true => {
                probe.polygons_within(case.ours, REACH, &mut scratch, &mut polygons);
                polygons.len() as f32
            }
            false => detour
                .query()
                .polygons_around(case.theirs, REACH, &mut buffers) as f32,
        },
        true,
    );
    compare(
        "RandomPoints::anywhere",
        "findRandomPoint",
        &mut |is_ours, _| match is_ours {
            true => random.anywhere().map_or(0.0, |found| found.point.x),
            false => detour.query().random_point().map_or(0.0, |found| found.1.x),
        },
        false,
    );
    compare(
        "RandomPoints::within",
        "findRandomPointAroundCircle",
        &mut |is_ours, case| match is_ours {
            true => random
                .within(case.ours, REACH, &mut scratch)
                .map_or(0.0, |found| found.point.x),
            false => detour
                .query()
                .random_point_around(case.theirs, REACH)
                .map_or(0.0, |found| found.1.x),
        },
        false,
    );
    compare(
        "height",
        "getPolyHeight",
        &mut |is_ours, case| match is_ours {
            true => probe.height(case.ours.polygon, case.ours.point),
            false => detour
                .query()
                .height(case.theirs.0, case.ours.point)
                .unwrap_or(f32::NAN),
        },
        true,
    );
    compare(
        "is_reachable",
        "findPath",
        &mut |is_ours, case| {
            let other = &cases[0];
            match is_ours {
                true => f32::from(u8::from(probe.is_reachable(case.ours, other.ours))),
                false => {
                    let found = detour.query().corridor(case.theirs, other.theirs).last()
                        == Some(&other.theirs.0);
                    f32::from(u8::from(found))
                }
            }
        },
        true,
    );
    Ok(figures)
}

/// Returns the table of the calls on one map.
pub(crate) fn table(map: &str, figures: &[CallFigures]) -> String {
    let mut text = format!(
        "\n{map}: calls of one frame, µs, from {POINTS} random points; radius and rays {REACH} m, moves {STEP} m\n\
         {:<24} {:>8}   {:<46} {:>8} {:>7} {:>6}\n",
        "Portolan", "µs", "Detour", "µs", "ratio", "same"
    );
    for row in figures {
        let same = row
            .same
            .map_or("-".to_owned(), |same| format!("{:.1}%", 100.0 * same));
        let ratio = row.detour_micros / row.micros;
        let _ = writeln!(
            text,
            "{:<24} {:>8.3}   {:<46} {:>8.3} {ratio:>7.2} {same:>6}",
            row.call, row.micros, row.detour_call, row.detour_micros
        );
    }
    text
}
