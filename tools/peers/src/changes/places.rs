//! Where the ground changes, and how a path shows that it has.

use std::collections::HashSet;

use glam::{Vec3, Vec3Swizzles};
use portolan_core::{
    DEFAULT_SNAP, Engine, NavMesh, Path, PolygonId, Query, Scratch, Status, Tier, World,
};
use portolan_measure::{narrow_passages, random_queries};

use crate::walk::length_inside;

/// The radius of discs. [Units: m]
pub(crate) const RADIUS: f32 = 2.0;

/// How much nearer than its rim a path may come to a disc. Cells round the disc, and polygons around cells round it
/// again. [Units: m]
const RIM: f32 = 0.5;

/// The length of a path inside a door from which on the path uses the door. [Units: m]
const INSIDE: f64 = 0.1;

/// The distance from the borders of a door to where a path is inside: a path around it may walk along them. [Units: m]
const MARGIN: f64 = 0.02;

/// The number of random queries to try per place.
const TRIES: usize = 100;

/// Something that is put on the ground and taken away again.
#[derive(Clone, Debug)]
pub(crate) enum Obstruction {
    /// The polygon of a narrow passage is closed.
    Door(PolygonId),
    /// A disc around a point of the ground.
    Disc(Vec3),
}

/// An obstruction, and a query whose path leads through it.
#[derive(Clone, Debug)]
pub(crate) struct ChangedPlace {
    pub(crate) obstruction: Obstruction,
    pub(crate) ends: [Vec3; 2],
}

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangeKind {
    Door,
    Disc,
}

impl ChangeKind {
    pub(crate) const ALL: [Self; 2] = [Self::Door, Self::Disc];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Door => "door",
            Self::Disc => "disc",
        }
    }
}

/// Draws up to `count` places of different polygons, on the paths of random queries.
pub(crate) fn draw(world: &World, kind: ChangeKind, count: usize, seed: u64) -> Vec<ChangedPlace> {
    let mesh = world.mesh();
    let passages: HashSet<PolygonId> = narrow_passages(mesh).into_iter().collect();
    let mut used = HashSet::new();
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let mut place_on_path = |ends: [Vec3; 2]| {
        let query = Query {
            engine: Engine::Contraction(Tier::Default),
            ..Query::new(ends[0], ends[1])
        };
        let status = world.find_path(&query, &mut scratch, &mut path).ok()?;
        if status != Status::Found {
            return None;
        }
        let obstruction = match kind {
            ChangeKind::Door => {
                let polygons = &path.corridor.polygons;
                let inner = polygons.get(1..polygons.len().saturating_sub(1))?;
                let is_door = |polygon: &&PolygonId| passages.contains(polygon);
                Obstruction::Door(*inner.iter().find(is_door)?)
            }
            ChangeKind::Disc => {
                // A path is straight between its corners, and the ground is not.
                let ground = mesh.locate(middle(&path.waypoints)?, DEFAULT_SNAP, |_| true);
                let centre = ground?.point;
                let is_far = |end: &Vec3| end.xz().distance(centre.xz()) > RADIUS + 1.0;
                let has_room = ends.iter().all(is_far);
                Obstruction::Disc(has_room.then_some(centre)?)
            }
        };
        let place = ChangedPlace { obstruction, ends };
        place.is_crossed(mesh, &path.waypoints).then_some(place)
    };
    let tries = random_queries(mesh, seed).take(TRIES * count);
    let places = tries.filter_map(|ends| {
        let place = place_on_path(ends)?;
        let key = match place.obstruction {
            Obstruction::Door(polygon) => [polygon.0, 0],
            Obstruction::Disc(centre) => [centre.x.to_bits(), centre.z.to_bits()],
        };
        used.insert(key).then_some(place)
    });
    places.take(count).collect()
}

/// Returns the point half-way along a path.
fn middle(waypoints: &[Vec3]) -> Option<Vec3> {
    let lengths = || waypoints.windows(2).map(|leg| leg[0].distance(leg[1]));
    let mut left = lengths().sum::<f32>() / 2.0;
    for (leg, length) in waypoints.windows(2).zip(lengths()) {
        if left <= length {
            return Some(leg[0].lerp(leg[1], left / length.max(f32::MIN_POSITIVE)));
        }
        left -= length;
    }
    None
}

impl ChangedPlace {
    /// Returns whether a path leads through the middle of the place, as before the change.
    pub(crate) fn is_crossed(&self, mesh: &NavMesh, waypoints: &[Vec3]) -> bool {
        match self.obstruction {
            Obstruction::Door(door) => length_inside(mesh, door, MARGIN, waypoints) > INSIDE,
            Obstruction::Disc(centre) => distance_to(centre, waypoints) < RADIUS / 2.0,
        }
    }

    /// Returns whether a path keeps off the place, as it has to while the change is in effect.
    pub(crate) fn is_avoided(&self, mesh: &NavMesh, waypoints: &[Vec3]) -> bool {
        match self.obstruction {
            Obstruction::Door(door) => length_inside(mesh, door, MARGIN, waypoints) < INSIDE / 2.0,
            Obstruction::Disc(centre) => distance_to(centre, waypoints) > RADIUS - RIM,
        }
    }
}

/// Returns the distance from a point to a path in plan.
fn distance_to(point: Vec3, waypoints: &[Vec3]) -> f32 {
    let to_leg = |leg: &[Vec3]| {
        let (a, b, p) = (leg[0].xz(), leg[1].xz(), point.xz());
        let along = b - a;
        let fraction = (p - a).dot(along) / along.length_squared().max(f32::MIN_POSITIVE);
        p.distance(a + along * fraction.clamp(0.0, 1.0))
    };
    let legs = waypoints.windows(2).map(to_leg);
    legs.fold(f32::INFINITY, f32::min)
}

#[cfg(test)]
mod tests {
    use glam::vec3;

    use super::*;
    use crate::tests::rooms;

    #[test]
    fn places_lie_on_the_paths_of_their_queries() {
        let world = World::from_mesh(rooms());
        let world = portolan_index::build(
            world.into_mesh(),
            &portolan_index::IndexOptions::default(),
            &portolan_core::no_progress,
        )
        .unwrap();
        let doors = draw(&world, ChangeKind::Door, 5, 1);
        assert_eq!(doors.len(), 2, "there are two doors: {doors:?}");
        for place in doors {
            let path = world.find(place.ends[0], place.ends[1]).unwrap();
            assert!(place.is_crossed(world.mesh(), &path.waypoints));
            assert!(!place.is_avoided(world.mesh(), &path.waypoints));
        }
    }

    #[test]
    fn a_path_around_a_disc_avoids_it() {
        let mesh = rooms();
        let place = ChangedPlace {
            obstruction: Obstruction::Disc(vec3(5.0, 0.0, 0.0)),
            ends: [Vec3::ZERO, vec3(10.0, 0.0, 0.0)],
        };
        let line = |z: f32| [vec3(0.0, 0.0, z), vec3(10.0, 0.0, z)];
        assert!(place.is_crossed(&mesh, &line(0.5)));
        assert!(!place.is_avoided(&mesh, &line(1.2)));
        assert!(place.is_avoided(&mesh, &line(1.8)));
        assert!(!place.is_crossed(&mesh, &line(1.8)));
        assert_eq!(middle(&line(1.0)), Some(vec3(5.0, 0.0, 1.0)));
    }
}
