//! Obstacles that come and go: every engine must find a path exactly where Dijkstra finds one around them, over open pieces, and
//! wherever straight lines around them connect two points.

use std::collections::BTreeMap;

use portolan_core::{
    Change, CostModel, Endpoints, Engine, LiveOptions, LiveWorld, Location, NavMesh, Obstacle,
    ObstacleId, Path, PolygonId, Query, Scratch, Snapshot, Status, Tier,
};
use portolan_oracle::{CaseRng, Roadmap, Walker, assert_corridor, random_changes, random_obstacle};

use super::QUERIES;
use crate::{AnswerCounts, SoakCase};

/// The number of updates per world.
const UPDATES: usize = 4;

/// The agents that walk around obstacles.
const WALKER: Walker = Walker {
    radius: 0.3,
    height: 2.0,
};

pub(super) fn check(case: &SoakCase, rng: &mut CaseRng) -> AnswerCounts {
    let mut counts = AnswerCounts::default();
    if case.world.graph().options().cost_model == CostModel::Published {
        return counts;
    }
    let options = LiveOptions {
        profiles: vec![case.profile.clone()],
        background: false,
        agent_radius: WALKER.radius,
        agent_height: WALKER.height,
        ..LiveOptions::default()
    };
    // The same world without obstacles.
    let bare = LiveWorld::with_options(case.world.clone(), options.clone());
    let live = LiveWorld::with_options(case.world.clone(), options);
    let mut placed: BTreeMap<ObstacleId, Obstacle> = BTreeMap::new();
    for _ in 0..UPDATES {
        let mut changes = Vec::new();
        for _ in 0..1 + rng.below(3) {
            let id = ObstacleId(rng.below(4) as u64);
            changes.push(match rng.chance(0.2) {
                true => {
                    placed.remove(&id);
                    Change::Remove(id)
                }
                false => {
                    let size = [0.3, 1.0, 4.0][rng.below(3)];
                    let obstacle = random_obstacle(case.world.mesh(), size, rng);
                    placed.insert(id, obstacle.clone());
                    Change::Place(id, obstacle)
                }
            });
        }
        if rng.chance(0.3) {
            let others = random_changes(case.world.mesh(), rng);
            bare.update(&others).expect("valid changes");
            changes.extend(others);
        }
        live.update(&changes).expect("valid changes");
        if rng.chance(0.3) {
            live.settle();
        }
        let snapshot = live.snapshot();
        check_snapshot(case, &snapshot, rng, &mut counts);
        let obstacles: Vec<Obstacle> = placed.values().cloned().collect();
        check_walks(&snapshot, &bare.snapshot(), &obstacles, rng);
    }
    counts
}

/// Checks that there is a path between points that straight lines connect.
fn check_walks(snapshot: &Snapshot, bare: &Snapshot, obstacles: &[Obstacle], rng: &mut CaseRng) {
    let (mesh, prices) = (bare.mesh(), bare.costs(0).prices());
    let mut map = Roadmap::new(mesh, prices, obstacles, WALKER, rng);
    let points = map.points().to_vec();
    for _ in 0..if points.is_empty() { 0 } else { QUERIES } {
        let pair = [(); 2].map(|()| rng.below(points.len()));
        let [start, goal] = pair.map(|point| piece_of(snapshot.mesh(), points[point]));
        if !map.connects(pair[0], pair[1]) {
            continue;
        }
        let endpoints = Endpoints { start, goal };
        for engine in [Engine::Dijkstra, Engine::default()] {
            let query = Query {
                engine,
                costs: Some(snapshot.costs(0)),
                ..Query::new(start.point, goal.point)
            };
            let located = snapshot.located(&query, endpoints);
            let located = located.expect("the world has this engine");
            let status = located.search(&mut Scratch::new()).status();
            assert_eq!(status, Status::Found, "{engine}: {endpoints:?}");
        }
    }
}

/// Returns a location in the piece that a point of a polygon lies in.
fn piece_of(mesh: &NavMesh, location: Location) -> Location {
    let pieces = mesh.walkable();
    let pieces = pieces.filter(|&piece| mesh.whole(piece) == location.polygon);
    let distance = |piece: PolygonId| {
        let nearest = mesh.nearest_on(piece, location.point);
        (nearest - location.point).with_y(0.0).length()
    };
    let nearest = pieces.map(|piece| (piece, distance(piece)));
    let (polygon, distance) = nearest
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap_or((location.polygon, f32::INFINITY));
    assert!(
        distance < 5e-3,
        "no obstacle reaches {location:?}, but it is closed"
    );
    Location {
        polygon,
        ..location
    }
}

fn check_snapshot(
    case: &SoakCase,
    snapshot: &Snapshot,
    rng: &mut CaseRng,
    counts: &mut AnswerCounts,
) {
    let (mesh, costs) = (snapshot.mesh(), snapshot.costs(0));
    let open: Vec<PolygonId> = mesh
        .walkable()
        .filter(|&polygon| costs.prices().allows(mesh, polygon))
        .collect();
    if open.is_empty() {
        return;
    }
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    for _ in 0..QUERIES {
        let [start, goal] = [(); 2].map(|()| {
            let polygon = open[rng.below(open.len())];
            let point = mesh.centre(polygon);
            Location { polygon, point }
        });
        let mut find = |engine| {
            let query = Query {
                engine,
                costs: Some(costs),
                ..Query::new(start.point, goal.point)
            };
            let located = snapshot.located(&query, Endpoints { start, goal });
            let searched = located.expect("the world has this engine");
            let status = searched.search(&mut scratch).waypoints(&mut path);
            if status == Status::Found {
                assert_corridor(mesh, &case.profile, &path);
                let polygons = &path.corridor.polygons;
                assert!(
                    polygons.iter().all(|polygon| open.contains(polygon)),
                    "{engine}: the corridor leads over a polygon that is closed or cut"
                );
            }
            status
        };
        let expected = find(Engine::Dijkstra);
        let mut engines = vec![
            Engine::AStar,
            Engine::Closest,
            Engine::Contraction(Tier::Fast),
        ];
        engines.extend(Tier::TAUT.map(Engine::Contraction));
        for engine in engines
            .into_iter()
            .filter(|engine| case.is_selected(engine))
        {
            let status = find(engine);
            assert_eq!(status, expected, "{engine}: next to obstacles");
            counts.add(engine);
        }
    }
}
