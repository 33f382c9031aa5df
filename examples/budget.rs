// Runs one query over several frames, with a small budget per frame and a path before the search ends.
//
// `cargo run --release --example budget`

use portolan::engines::Engine;
use portolan::frame::{Budget, PendingSearch, SearchProgress};
use portolan::parts::NavMeshOptions;
use portolan::{Path, Query, Scratch, World};
use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let level = WorldScene::Rooms.build(&WorldOptions::default());
    let world = World::build(level, &NavMeshOptions::default())?;
    let points: Vec<_> = RandomPoints::new(world.mesh(), 3).take(2).collect();
    let mut query = Query::new(points[0], points[1]);
    query.engine = Engine::AStar;
    query.limits.partial = true;

    // The search owns its memory. Keep it, and use it again for the next query.
    let (mut search, mut path) = (PendingSearch::new(), Path::default());
    search.begin(&world, &query)?;
    for frame in 1.. {
        // `Budget::time` is the budget of a game; a number of expansions prints the same on every machine.
        if let SearchProgress::Done(status) = search.run(&world, Budget::expansions(100))? {
            println!("frame {frame}: {status}");
            break;
        }
        // The agent does not wait: it walks towards the nearest point that the search has reached.
        let status = search.best_so_far(&world, &mut path)?;
        println!("frame {frame}: {status:?}, {:.1} m", path.length());
    }
    search.path(&world, &mut path)?;

    // The answer does not depend on the pauses.
    let mut whole = Path::default();
    world.find_path(&query, &mut Scratch::new(), &mut whole)?;
    assert_eq!(path.waypoints, whole.waypoints);
    Ok(())
}
