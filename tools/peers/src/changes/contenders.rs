//! The libraries, and how each of them changes its ground.
//!
//! - Portolan: [`LiveWorld::update`], which repairs the costs of all tiers and publishes a snapshot.
//! - Detour: the flags of a polygon, which its search reads. Only for a door that was made as a polygon.
//! - `DetourTileCache`: an obstacle, and `update` until all tiles that it touches are built again.
//! - `polyanya`: an obstacle in a triangulation whose walls are prebuilt, made into a mesh again, merged and baked.
//! - landmass: an infinite cost of the polygon's type for a door, and a new navmesh for anything else. Cutting that navmesh
//!   is not the library's task, and not in the time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::{Vec2, Vec3, Vec3Swizzles};
use portolan_core::{
    Change, LiveOptions, LiveWorld, NavMesh, Obstacle, ObstacleId, Path, PolygonId, Query, Scratch,
    Snapshot, Status, World,
};

use super::{ChangeKind, ChangedPlace, Contender, Obstruction, RADIUS};
use crate::detour::{Detour, ObstacleRef, PolygonRef, REACH, TileCachePeer};
use crate::landmass::Landmass;
use crate::peer::{Peer, PeerAnswer, PeerStatus};
use crate::polyanya::{self, Triangulated};
use crate::welded::WeldedMesh;

/// Builds all libraries that support the navmesh. The first one is Portolan. Adds a note per library that does not.
pub(crate) fn contenders(
    world: &World,
    snap: Vec3,
    notes: &mut Vec<String>,
) -> Vec<Box<dyn Contender>> {
    let mesh = world.mesh();
    let mut all: Vec<Box<dyn Contender>> = vec![Box::new(PortolanContender::new(world))];
    let mut add = |name: &str, built: Result<Box<dyn Contender>, String>| match built {
        Ok(one) => all.push(one),
        Err(problem) => notes.push(format!("without {name}: {problem}")),
    };
    add("Detour", FlagsContender::new(mesh, snap).map(boxed));
    let welded = match WeldedMesh::new(mesh) {
        Ok(welded) => Arc::new(welded),
        Err(problem) => {
            notes.push(format!("without the other libraries: {problem}"));
            return all;
        }
    };
    add(
        "DetourTileCache",
        TileCacheContender::new(mesh, &welded, snap).map(boxed),
    );
    add("polyanya", PolyanyaContender::new(mesh, &welded).map(boxed));
    add("landmass", LandmassContender::new(mesh, &welded).map(boxed));
    all
}

fn boxed(contender: impl Contender + 'static) -> Box<dyn Contender> {
    Box::new(contender)
}

fn corner_points(mesh: &NavMesh, polygon: PolygonId) -> Vec<Vec3> {
    mesh.corner_points(polygon).collect()
}

/// Returns a polygon around a disc.
fn around_disc(centre: Vec3) -> impl Iterator<Item = Vec2> {
    const SIDES: u16 = 16;
    let half_angle = std::f32::consts::PI / f32::from(SIDES);
    let radius = RADIUS / half_angle.cos();
    (0..SIDES)
        .map(move |i| centre.xz() + radius * Vec2::from_angle(2.0 * half_angle * f32::from(i)))
}

/// The name of the only disc of Portolan.
const DISC: ObstacleId = ObstacleId(1);

struct PortolanContender {
    live: LiveWorld,
    /// The world before all changes.
    first: Arc<Snapshot>,
    snapshot: Arc<Snapshot>,
    placed: Vec<Change>,
    scratch: Scratch,
    path: Path,
}

/// Returns the changes that put a disc on the ground and remove it.
fn disc_changes(centre: Vec3) -> [Change; 2] {
    let disc = Obstacle::disc(centre - Vec3::Y * REACH, RADIUS, 2.0 * REACH);
    [Change::Place(DISC, disc), Change::Remove(DISC)]
}

impl PortolanContender {
    /// The world does not settle in the background, which would be timed with other libraries.
    fn new(world: &World) -> Self {
        let options = LiveOptions {
            background: false,
            // The navmesh keeps its distance from walls, and other libraries do not grow the disc.
            agent_radius: 0.0,
            ..LiveOptions::default()
        };
        let live = LiveWorld::with_options(world.clone(), options);
        Self {
            first: live.snapshot(),
            snapshot: live.snapshot(),
            live,
            placed: Vec::new(),
            scratch: Scratch::new(),
            path: Path::default(),
        }
    }

    fn update(&mut self, changes: &[Change]) -> Result<Duration, String> {
        let start = Instant::now();
        let updated = self.live.update(changes);
        let time = start.elapsed();
        updated.map_err(|error| error.to_string())?;
        self.snapshot = self.live.snapshot();
        Ok(time)
    }
}

impl Contender for PortolanContender {
    fn name(&self) -> &str {
        "Portolan, LiveWorld::update"
    }

    fn supports(&self, _: ChangeKind) -> bool {
        true
    }

    /// Shortcuts that a change has touched cost sums until the world is settled, and so paths of the next place could be others.
    fn reset(&mut self) -> Result<(), String> {
        let restored = self.live.restore(&self.first);
        restored.map_err(|error| error.to_string())?;
        self.snapshot = self.live.snapshot();
        Ok(())
    }

    fn place(&mut self, place: &ChangedPlace) -> Result<Duration, String> {
        let [made, undone] = match place.obstruction {
            Obstruction::Door(door) => [Change::Block(door), Change::Unblock(door)],
            Obstruction::Disc(centre) => disc_changes(centre),
        };
        self.placed = vec![undone];
        self.update(&[made])
    }

    fn remove(&mut self) -> Result<Duration, String> {
        let changes = std::mem::take(&mut self.placed);
        self.update(&changes)
    }

    fn query(&mut self, ends: [Vec3; 2], answer: &mut PeerAnswer) {
        answer.clear();
        let query = Query::new(ends[0], ends[1]);
        let status = self
            .snapshot
            .find_path(&query, &mut self.scratch, &mut self.path);
        answer.status = match status.expect("`auto` runs on every world") {
            Status::Found => PeerStatus::Found,
            status if status.is_off_mesh() => PeerStatus::OffMesh,
            _ => PeerStatus::NoPath,
        };
        if answer.status == PeerStatus::Found {
            answer.waypoints.extend_from_slice(&self.path.waypoints);
        }
    }
}

struct FlagsContender {
    detour: Detour,
    /// Per polygon.
    user_ids: Vec<u64>,
    closed: Vec<PolygonRef>,
}

impl FlagsContender {
    fn new(mesh: &NavMesh, snap: Vec3) -> Result<Self, String> {
        Ok(Self {
            detour: Detour::with_all_nodes(mesh, snap)?,
            user_ids: mesh.polygons().map(|p| mesh.user_id(p)).collect(),
            closed: Vec::new(),
        })
    }

    fn set_closed(&mut self, is_closed: bool) -> Result<Duration, String> {
        let start = Instant::now();
        self.detour.set_closed(&self.closed, is_closed)?;
        Ok(start.elapsed())
    }
}

impl Contender for FlagsContender {
    fn name(&self) -> &str {
        "Detour, flags of the polygon"
    }

    fn supports(&self, kind: ChangeKind) -> bool {
        kind == ChangeKind::Door
    }

    fn place(&mut self, place: &ChangedPlace) -> Result<Duration, String> {
        let Obstruction::Door(door) = place.obstruction else {
            return Err("no obstacles".to_owned());
        };
        // A game knows the reference of its door.
        self.closed = self.detour.pieces_of(self.user_ids[door.index()]);
        self.set_closed(true)
    }

    fn remove(&mut self) -> Result<Duration, String> {
        self.set_closed(false)
    }

    fn query(&mut self, ends: [Vec3; 2], answer: &mut PeerAnswer) {
        self.detour.query(ends[0], ends[1], answer);
    }
}

struct TileCacheContender {
    cache: TileCachePeer,
    corners: Vec<Vec<Vec3>>,
    placed: Option<ObstacleRef>,
}

impl TileCacheContender {
    fn new(mesh: &NavMesh, welded: &WeldedMesh, snap: Vec3) -> Result<Self, String> {
        Ok(Self {
            cache: TileCachePeer::new(welded, snap)?,
            corners: mesh.polygons().map(|p| corner_points(mesh, p)).collect(),
            placed: None,
        })
    }
}

impl Contender for TileCacheContender {
    fn name(&self) -> &str {
        "DetourTileCache, obstacle"
    }

    fn supports(&self, _: ChangeKind) -> bool {
        true
    }

    fn place(&mut self, place: &ChangedPlace) -> Result<Duration, String> {
        let start = Instant::now();
        let placed = match place.obstruction {
            Obstruction::Door(door) => {
                let corners = || self.corners[door.index()].iter().copied();
                let low = corners().reduce(Vec3::min).unwrap_or_default();
                let high = corners().reduce(Vec3::max).unwrap_or_default();
                self.cache.place_box(low, high)?
            }
            Obstruction::Disc(centre) => self.cache.place_disc(centre, RADIUS)?,
        };
        let time = start.elapsed();
        self.placed = Some(placed);
        Ok(time)
    }

    fn remove(&mut self) -> Result<Duration, String> {
        let placed = self.placed.take().ok_or("nothing is placed")?;
        let start = Instant::now();
        self.cache.remove(placed)?;
        Ok(start.elapsed())
    }

    fn query(&mut self, ends: [Vec3; 2], answer: &mut PeerAnswer) {
        self.cache.query(ends[0], ends[1], answer);
    }

    fn rebuilt(&self) -> Option<usize> {
        Some(self.cache.rebuilt)
    }
}

/// Returns the outline of an obstruction in (x, z).
fn outline(mesh_corners: &[Vec<Vec3>], obstruction: &Obstruction) -> Vec<Vec2> {
    match *obstruction {
        Obstruction::Door(door) => mesh_corners[door.index()].iter().map(|c| c.xz()).collect(),
        Obstruction::Disc(centre) => around_disc(centre).collect(),
    }
}

struct PolyanyaContender {
    triangulated: Triangulated,
    corners: Vec<Vec<Vec3>>,
    mesh: ::polyanya::Mesh,
}

impl PolyanyaContender {
    fn new(mesh: &NavMesh, welded: &WeldedMesh) -> Result<Self, String> {
        let triangulated = Triangulated::new(welded)?;
        Ok(Self {
            mesh: triangulated.mesh(None),
            triangulated,
            corners: mesh.polygons().map(|p| corner_points(mesh, p)).collect(),
        })
    }
}

impl Contender for PolyanyaContender {
    fn name(&self) -> &str {
        "polyanya, triangulated again"
    }

    fn supports(&self, _: ChangeKind) -> bool {
        true
    }

    fn place(&mut self, place: &ChangedPlace) -> Result<Duration, String> {
        let obstacle = outline(&self.corners, &place.obstruction);
        let start = Instant::now();
        self.mesh = self.triangulated.mesh(Some(obstacle));
        Ok(start.elapsed())
    }

    fn remove(&mut self) -> Result<Duration, String> {
        let start = Instant::now();
        self.mesh = self.triangulated.mesh(None);
        Ok(start.elapsed())
    }

    fn query(&mut self, ends: [Vec3; 2], answer: &mut PeerAnswer) {
        polyanya::find(&self.mesh, ends, answer);
    }
}

struct LandmassContender {
    landmass: Landmass,
    /// Per polygon, its index in what landmass was given.
    indices: Vec<usize>,
    /// Cuts the navmesh, if it is flat.
    triangulated: Result<Triangulated, String>,
    /// The closed door, if the last change was one.
    closed: Option<usize>,
}

impl LandmassContender {
    fn new(mesh: &NavMesh, welded: &WeldedMesh) -> Result<Self, String> {
        let mut indices = vec![0; mesh.polygon_count()];
        for (index, polygon) in polyanya::order(mesh).into_iter().enumerate() {
            indices[polygon.index()] = index;
        }
        Ok(Self {
            landmass: Landmass::start_with_doors(mesh)?,
            indices,
            triangulated: Triangulated::new(welded),
            closed: None,
        })
    }
}

impl Contender for LandmassContender {
    fn name(&self) -> &str {
        "landmass, cost of a type or a new mesh"
    }

    fn supports(&self, kind: ChangeKind) -> bool {
        kind == ChangeKind::Door || self.triangulated.is_ok()
    }

    fn place(&mut self, place: &ChangedPlace) -> Result<Duration, String> {
        match place.obstruction {
            Obstruction::Door(door) => {
                let index = self.indices[door.index()];
                self.closed = Some(index);
                self.landmass.request_change(&format!("close {index}"))
            }
            Obstruction::Disc(centre) => {
                self.closed = None;
                let cut = self.triangulated.as_ref().map_err(String::clone)?;
                let cut = WeldedMesh::of_flat(&cut.mesh(Some(around_disc(centre).collect())));
                self.landmass.replace(&cut)
            }
        }
    }

    fn remove(&mut self) -> Result<Duration, String> {
        match self.closed.take() {
            Some(index) => self.landmass.request_change(&format!("open {index}")),
            None => self.landmass.request_change("restore"),
        }
    }

    fn query(&mut self, ends: [Vec3; 2], answer: &mut PeerAnswer) {
        self.landmass.query(ends[0], ends[1], answer);
    }
}
