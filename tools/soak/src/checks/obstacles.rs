//! Obstacles that come and go: every engine must find a path exactly where Dijkstra finds one around them, over open pieces.

use portolan_core::{
    Change, CostModel, Endpoints, Engine, LiveOptions, LiveWorld, Location, ObstacleId, Path,
    PolygonId, Query, Scratch, Snapshot, Status, Tier,
};
use portolan_oracle::{CaseRng, assert_corridor, random_changes, random_obstacle};

use super::QUERIES;
use crate::{AnswerCounts, SoakCase};

/// The number of updates per world.
const UPDATES: usize = 4;

pub(super) fn check(case: &SoakCase, rng: &mut CaseRng) -> AnswerCounts {
    let mut counts = AnswerCounts::default();
    if case.world.graph().options().cost_model == CostModel::Published {
        return counts;
    }
    let options = LiveOptions {
        profiles: vec![case.profile.clone()],
        background: false,
        agent_radius: 0.3,
        ..LiveOptions::default()
    };
    let live = LiveWorld::with_options(case.world.clone(), options);
    for _ in 0..UPDATES {
        let mut changes = Vec::new();
        for _ in 0..1 + rng.below(3) {
            let id = ObstacleId(rng.below(4) as u64);
            changes.push(match rng.chance(0.2) {
                true => Change::Remove(id),
                false => {
                    let size = [0.3, 1.0, 4.0][rng.below(3)];
                    Change::Place(id, random_obstacle(case.world.mesh(), size, rng))
                }
            });
        }
        if rng.chance(0.3) {
            changes.extend(random_changes(case.world.mesh(), rng));
        }
        live.update(&changes).expect("valid changes");
        if rng.chance(0.3) {
            live.settle();
        }
        check_snapshot(case, &live.snapshot(), rng, &mut counts);
    }
    counts
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
