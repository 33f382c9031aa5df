//! Obstacles of all kinds, compared with walks that surely exist and points that surely are closed.

use std::collections::{BTreeMap, HashMap};

use glam::Vec3;
use portolan_core::{
    Change, Costs, Endpoints, Engine, Footprint, LiveOptions, LiveWorld, Location, NavMesh,
    Obstacle, ObstacleId, Path, PolygonId, Query, Scratch, Snapshot, Status, Tier,
};
use portolan_oracle::{
    CaseRng, Roadmap, Walker, agents, densities, plans, point_of_polygon, random_changes,
    random_obstacle, taut_tiers,
};
use proptest::prelude::*;

use crate::live::world;

/// How far a path may lead into what an obstacle closes. [Units: m]
const TOLERANCE: f64 = 5e-3;

/// Draws an obstacle. Many touch corners of the mesh or ends of portals, or lie along borders.
fn drawn_obstacle(mesh: &NavMesh, size: f32, rng: &mut CaseRng) -> Obstacle {
    let mut obstacle = random_obstacle(mesh, size, rng);
    if rng.chance(0.5) {
        return obstacle;
    }
    let polygon = rng.polygon(mesh);
    let corners: Vec<Vec3> = mesh.corner_points(polygon).collect();
    let i = rng.below(corners.len());
    let [a, b] = [corners[i], corners[(i + 1) % corners.len()]];
    let at = a.lerp(b, [0.0, 0.5, 1.0][rng.below(3)]);
    if rng.chance(0.5) {
        // A box along the border, whose sides may lie on those of polygons.
        let yaw = (b.z - a.z).atan2(b.x - a.x);
        let length = a.with_y(0.0).distance(b.with_y(0.0)).max(0.01);
        let half_sides = [length * [0.25, 0.5][rng.below(2)], size * 0.25];
        return Obstacle::upright_box(at, half_sides, yaw, 1.0);
    }
    let moved = |[x, z]: [f32; 2], by: Vec3| [x + by.x, z + by.z];
    match &mut obstacle.footprint {
        Footprint::Disc { centre, .. } | Footprint::Box { centre, .. } => *centre = [at.x, at.z],
        Footprint::Convex(outline) => {
            let by = at - Vec3::new(outline[0][0], at.y, outline[0][1]);
            outline.iter_mut().for_each(|p| *p = moved(*p, by));
        }
        _ => {}
    }
    (obstacle.bottom, obstacle.top) = (at.y, at.y + 1.0);
    obstacle
}

/// Moves an obstacle a little.
fn nudge(obstacle: &mut Obstacle, rng: &mut CaseRng) {
    let by = [(); 2].map(|()| rng.between(-0.4, 0.4));
    let moved = |p: &mut [f32; 2]| *p = [p[0] + by[0], p[1] + by[1]];
    match &mut obstacle.footprint {
        Footprint::Disc { centre, .. } | Footprint::Box { centre, .. } => moved(centre),
        Footprint::Convex(outline) => outline.iter_mut().for_each(moved),
        _ => {}
    }
}

/// The polygons of a snapshot that can be walked on, by the polygons that they are parts of.
fn pieces(mesh: &NavMesh) -> HashMap<PolygonId, Vec<PolygonId>> {
    let mut pieces: HashMap<PolygonId, Vec<PolygonId>> = HashMap::new();
    for piece in mesh.walkable() {
        pieces.entry(mesh.whole(piece)).or_default().push(piece);
    }
    pieces
}

fn distance_in_plan(mesh: &NavMesh, piece: PolygonId, point: Vec3) -> f64 {
    let nearest = mesh.nearest_on(piece, point);
    f64::from((nearest - point).with_y(0.0).length())
}

struct Case<'a> {
    snapshot: &'a Snapshot,
    costs: &'a Costs,
    obstacles: &'a [Obstacle],
    walker: Walker,
    pieces: HashMap<PolygonId, Vec<PolygonId>>,
}

impl Case<'_> {
    /// Returns the obstacle that surely closes a point on the ground, if there is one.
    fn closed_by(&self, point: Vec3, margin: f64) -> Option<&Obstacle> {
        let mut obstacles = self.obstacles.iter();
        obstacles.find(|obstacle| {
            let is_near = self.walker.depth(point, obstacle) > margin;
            is_near && self.walker.is_at_height(point, obstacle)
        })
    }

    fn located(&self, location: Location) -> Option<Location> {
        let mesh = self.snapshot.mesh();
        let near = self.pieces.get(&location.polygon).into_iter().flatten();
        let near = near.map(|&piece| (piece, distance_in_plan(mesh, piece, location.point)));
        let (polygon, distance) = near.min_by(|a, b| a.1.total_cmp(&b.1))?;
        (distance < TOLERANCE).then_some(Location {
            polygon,
            ..location
        })
    }

    fn find(&self, engine: Engine, endpoints: Endpoints) -> (Status, Path) {
        let query = Query {
            engine,
            costs: Some(self.costs),
            ground_tolerance: 0.05,
            ..Query::new(endpoints.start.point, endpoints.goal.point)
        };
        let mut path = Path::default();
        let located = self.snapshot.located(&query, endpoints);
        let mut scratch = Scratch::new();
        let searched = located.expect("the engine").search(&mut scratch);
        (searched.waypoints(&mut path), path)
    }

    fn check_points(&self, mesh: &NavMesh, rng: &mut CaseRng) {
        for _ in 0..40 {
            let polygon = rng.polygon(mesh);
            let point = point_of_polygon(mesh, polygon, rng);
            let Some(obstacle) = self.closed_by(point, 2.0 * TOLERANCE) else {
                continue;
            };
            let inside = self
                .pieces
                .get(&polygon)
                .into_iter()
                .flatten()
                .find(|&&piece| {
                    let around = [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z];
                    let mut around = around.map(|by| point + by * TOLERANCE as f32).into_iter();
                    around.all(|point| self.snapshot.mesh().contains_xz(piece, point))
                });
            assert_eq!(inside, None, "{point} is inside {obstacle:?}");
        }
    }

    fn check_path(&self, engine: Engine, endpoints: Endpoints, path: &Path) {
        let mesh = self.snapshot.mesh();
        crate::obstacles::assert_walkable(self.snapshot, self.costs, path, endpoints);
        assert!(mesh.has_polygon(endpoints.start.polygon) && path.is_current(self.snapshot));
        for (i, leg) in path.legs().enumerate() {
            if path.links.iter().any(|link| link.waypoint as usize == i) {
                continue;
            }
            for step in 0..=20 {
                let point = leg[0].lerp(leg[1], step as f32 / 20.0);
                let closed = self.closed_by(point, TOLERANCE);
                assert!(
                    closed.is_none(),
                    "{engine}: {point} is inside {closed:?} {endpoints:?}"
                );
            }
        }
    }

    /// Compares engines with the roadmap. Returns how many pairs of points it connects.
    fn check_paths(&self, map: &mut Roadmap, tier: Tier, rng: &mut CaseRng) -> usize {
        let mut connected = 0;
        let points = map.points().to_vec();
        let located: Vec<Option<Location>> = points.iter().map(|&at| self.located(at)).collect();
        for (point, located) in points.iter().zip(&located) {
            assert!(
                located.is_some(),
                "no obstacle reaches {point:?}, but it is closed"
            );
        }
        for _ in 0..if points.is_empty() { 0 } else { 6 } {
            let [a, b] = [(); 2].map(|()| rng.below(points.len()));
            let [Some(start), Some(goal)] = [located[a], located[b]] else {
                continue;
            };
            let endpoints = Endpoints { start, goal };
            let must_exist = map.connects(a, b);
            connected += usize::from(must_exist);
            let expected = self.find(Engine::Dijkstra, endpoints).0;
            assert!(
                !must_exist || expected == Status::Found,
                "{expected} {endpoints:?}"
            );
            let mut engines = ["dijkstra", "astar", "closest"].map(engine).to_vec();
            for tier in [Tier::Fast, tier] {
                engines.extend([Engine::Auto(tier), Engine::Contraction(tier)]);
            }
            for engine in engines {
                let (status, path) = self.find(engine, endpoints);
                assert_eq!(status, expected, "{engine} {endpoints:?}");
                if status == Status::Found {
                    self.check_path(engine, endpoints, &path);
                }
            }
        }
        connected
    }
}

fn engine(name: &str) -> Engine {
    name.parse().expect("an engine")
}

proptest! {
    #![proptest_config(portolan_oracle::cases(400))]

    #[test]
    fn paths_exist_where_walks_exist_and_keep_away_from_obstacles(
        plan in plans(),
        samples in densities(),
        tier in taut_tiers(),
        [default, other] in [agents(), agents()],
        seed in any::<u64>(),
        size in prop::sample::select(&[0.3f32, 1.0, 4.0]),
        radius in prop::sample::select(&[0.0f32, 0.3, 0.6]),
    ) {
        let walker = Walker { radius, height: 2.0 };
        let options = || LiveOptions {
            profiles: vec![other.profile()],
            background: false,
            agent_radius: radius,
            agent_height: walker.height,
            ..LiveOptions::default()
        };
        let world = world(&plan, samples, tier, &default, seed);
        // The same world without obstacles.
        let bare = LiveWorld::with_options(world.clone(), options());
        let live = LiveWorld::with_options(world, options());
        let mut rng = CaseRng::new(seed);
        let mut placed: BTreeMap<u64, Obstacle> = BTreeMap::new();
        for _ in 0..4 {
            let mut changes = Vec::new();
            for _ in 0..1 + rng.below(3) {
                let id = rng.below(6) as u64;
                let mesh = bare.snapshot();
                match (rng.below(5), placed.get(&id).cloned()) {
                    (0, _) => {
                        placed.remove(&id);
                        changes.push(Change::Remove(ObstacleId(id)));
                        continue;
                    }
                    (1 | 2, Some(mut known)) => {
                        nudge(&mut known, &mut rng);
                        placed.insert(id, known);
                    }
                    _ => {
                        placed.insert(id, drawn_obstacle(mesh.mesh(), size, &mut rng));
                    }
                }
                changes.push(Change::Place(ObstacleId(id), placed[&id].clone()));
            }
            if rng.chance(0.5) {
                let others = random_changes(bare.snapshot().mesh(), &mut rng);
                bare.update(&others).expect("valid changes");
                changes.extend(others);
            }
            live.update(&changes).expect("valid changes");
            if rng.chance(0.3) {
                live.settle();
            }
            let (snapshot, ground) = (live.snapshot(), bare.snapshot());
            let obstacles: Vec<Obstacle> = placed.values().cloned().collect();
            let profiles = [
                (snapshot.default_costs(), ground.default_costs()),
                (snapshot.costs(0), ground.costs(0)),
            ];
            for (costs, on_bare) in profiles {
                let mesh = ground.mesh();
                let case = Case {
                    snapshot: &snapshot,
                    costs,
                    obstacles: &obstacles,
                    walker,
                    pieces: pieces(snapshot.mesh()),
                };
                case.check_points(mesh, &mut rng);
                let mut map = Roadmap::new(mesh, on_bare.prices(), &obstacles, walker, &mut rng);
                case.check_paths(&mut map, tier.0, &mut rng);
            }
        }
    }
}
