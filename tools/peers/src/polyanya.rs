//! `polyanya`: any-angle paths, the shortest there are, on the mesh seen from above.
//!
//! It knows a place by its (x, z), so where floors lie above one another it takes a corner of one for
//! a corner of the other. Vertices that stand above others are moved aside by a millimetre each.

use std::collections::HashMap;
use std::rc::Rc;

use glam::{DVec2, Vec2, Vec3, Vec3Swizzles};
use polyanya::{Coords, Mesh, PolyanyaFile};
use portolan_core::{NavMesh, PolygonId};
use portolan_formats::polyanya::LeftOut;
use portolan_measure::Stopwatch;

use crate::peer::{Answer, Peer, Status};

/// How far a vertex that stands above another is moved. [Units: m]
const ASIDE: f32 = 1e-3;

pub(crate) struct Polyanya {
    mesh: Rc<Mesh>,
    /// User ids of its polygons.
    user_ids: Rc<[u64]>,
    build_ms: f64,
}

/// The same mesh as a judge: the length that no path is below.
pub(crate) struct Optimum {
    mesh: Rc<Mesh>,
    /// Its number of each of our polygons.
    ranks: Vec<u32>,
    /// What its mesh lacks, in words; where it lacks something, shorter paths are no fault.
    pub(crate) lacks: Option<String>,
}

/// Both, of one mesh.
pub(crate) fn build(ours: &NavMesh) -> Result<(Polyanya, Optimum), String> {
    let (file, left_out) = file(ours)?;
    let order = order(ours);
    let mut watch = Stopwatch::start();
    let mut mesh: Mesh = file.try_into().map_err(|e| format!("{e:?}"))?;
    let heights = heights(ours, &order, &mesh);
    let layer = &mut mesh.layers[0];
    layer.set_heights(heights).map_err(|e| format!("{e:?}"))?;
    move_aside(layer.vertices.iter_mut().map(|vertex| &mut vertex.coords));
    mesh.bake();
    let build_ms = watch.lap_ms();

    let mut ranks = vec![0; order.len()];
    for (rank, polygon) in order.iter().enumerate() {
        ranks[polygon.index()] = rank as u32;
    }
    let lacks = (left_out.portals + left_out.links > 0).then(|| {
        format!(
            "{} portals and {} links that a flat mesh has no place for",
            left_out.portals, left_out.links
        )
    });
    let mesh = Rc::new(mesh);
    let peer = Polyanya {
        mesh: Rc::clone(&mesh),
        user_ids: order.iter().map(|&polygon| ours.user_id(polygon)).collect(),
        build_ms,
    };
    Ok((peer, Optimum { mesh, ranks, lacks }))
}

/// The polygons with one vertex wherever two meet at a portal, as this crate and `landmass` want them,
/// in the order of [`order`]; nothing is moved aside.
pub(crate) fn welded(ours: &NavMesh) -> Result<(Vec<Vec3>, Vec<Vec<u32>>), String> {
    let mesh: Mesh = file(ours)?.0.try_into().map_err(|e| format!("{e:?}"))?;
    let heights = heights(ours, &order(ours), &mesh);
    let layer = &mesh.layers[0];
    let places = layer.vertices.iter().map(|vertex| vertex.coords);
    let point = |(place, height): (Vec2, f32)| Vec3::new(place.x, height, place.y);
    let polygons = layer.polygons.iter();
    Ok((
        places.zip(heights).map(point).collect(),
        polygons.map(|polygon| polygon.vertices.clone()).collect(),
    ))
}

fn file(ours: &NavMesh) -> Result<(PolyanyaFile, LeftOut), String> {
    let mut file = Vec::new();
    let left_out = portolan_formats::polyanya::write(ours, &mut file).map_err(|e| e.to_string())?;
    Ok((PolyanyaFile::from_bytes(&file), left_out))
}

/// Our polygons by their user ids, which is the order of the file.
pub(crate) fn order(ours: &NavMesh) -> Vec<PolygonId> {
    let mut order: Vec<PolygonId> = ours.polygons().collect();
    order.sort_by_key(|&polygon| (ours.user_id(polygon), polygon));
    order
}

/// Per vertex of the flat mesh, its height on a polygon of ours that it is a corner of.
fn heights(ours: &NavMesh, order: &[PolygonId], mesh: &Mesh) -> Vec<f32> {
    let layer = &mesh.layers[0];
    let mut heights = vec![0.0; layer.vertices.len()];
    for (&polygon, flat) in order.iter().zip(&layer.polygons) {
        for &vertex in &flat.vertices {
            let place = layer.vertices[vertex as usize].coords;
            heights[vertex as usize] = height_on_border(ours, polygon, place);
        }
    }
    heights
}

/// The height of the border of a polygon where it is nearest to a place, seen from above.
fn height_on_border(mesh: &NavMesh, polygon: PolygonId, place: Vec2) -> f32 {
    let nearest = |[a, b]: [Vec3; 2]| {
        let along = b.xz() - a.xz();
        let share = along.dot(place - a.xz()) / along.length_squared().max(f32::MIN_POSITIVE);
        let point = a.lerp(b, share.clamp(0.0, 1.0));
        (point.xz().distance_squared(place), point.y)
    };
    let offers = mesh.borders(polygon).map(nearest);
    offers
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map_or(0.0, |offer| offer.1)
}

/// Puts each place that was there before a millimetre beside all others.
fn move_aside<'a>(places: impl Iterator<Item = &'a mut Vec2>) {
    let mut above: HashMap<[u32; 2], u32> = HashMap::new();
    for place in places {
        let key = [place.x, place.y].map(f32::to_bits);
        let count = above.entry(key).or_default();
        place.x += ASIDE * *count as f32;
        *count += 1;
    }
}

impl Optimum {
    /// The length of the shortest path between two places on polygons of ours, in (x, z); `None`
    /// where there is none. Never too long by where it puts the ends: what it moves them by is taken
    /// off.
    pub(crate) fn length(&self, ends: &portolan_core::Endpoints) -> Option<f64> {
        let [start, goal] = [&ends.start, &ends.goal].map(|place| {
            let rank = self.ranks[place.polygon.index()];
            let offers = self.mesh.get_closest_points(place.point.xz());
            let same = offers.iter().find(|offer| offer.polygon() == rank);
            same.copied()
                .or_else(|| located(&self.mesh, place.point))
                .map(|offer| (offer, offer.position().distance(place.point.xz())))
        });
        let ((start, off_start), (goal, off_goal)) = (start?, goal?);
        let path = self.mesh.path(start, goal)?;
        let moved = f64::from(off_start) + f64::from(off_goal);
        Some(length(start.position(), &path.path) - moved)
    }
}

fn length(start: Vec2, rest: &[Vec2]) -> f64 {
    let mut here: DVec2 = start.as_dvec2();
    rest.iter().fold(0.0, |sum, point| {
        let before = std::mem::replace(&mut here, point.as_dvec2());
        sum + before.distance(here)
    })
}

/// Polyanya's own location: rings around the point, then the nearest height.
fn located(mesh: &Mesh, point: Vec3) -> Option<Coords> {
    mesh.get_closest_point_at_height(point, point.y)
}

impl Peer for Polyanya {
    fn name(&self) -> &str {
        "polyanya"
    }

    fn build_ms(&self) -> f64 {
        self.build_ms
    }

    fn bytes(&self) -> Option<usize> {
        None
    }

    /// Search and string pulling are one in this algorithm. Waypoints are flat: their heights are
    /// those of the ends.
    fn ask(&mut self, from: Vec3, to: Vec3, answer: &mut Answer) {
        answer.clear();
        let mut watch = Stopwatch::start();
        let ends = (located(&self.mesh, from), located(&self.mesh, to));
        answer.parts.locate = watch.lap_ns();
        let (Some(start), Some(goal)) = ends else {
            answer.status = Status::OffMesh;
            return;
        };
        let path = self.mesh.path(start, goal);
        answer.parts.corridor = watch.lap_ns();
        let Some(path) = path else {
            return;
        };
        let place = |at: Vec2| Vec3::new(at.x, to.y, at.y);
        answer
            .waypoints
            .push(place(start.position()).with_y(from.y));
        answer
            .waypoints
            .extend(path.path.iter().copied().map(place));
        answer.status = Status::Found;
        let ids = path.polygons().into_iter();
        answer
            .polygons
            .extend(ids.map(|(_, polygon)| self.user_ids[polygon as usize]));
    }
}
