// Finds a first path at once and better ones later, each with a bound on its excess over the best.
//
// `cargo run --release --example anytime`

use portolan::engines::Engine;
use portolan::frame::{Anytime, AnytimeProgress, Budget};
use portolan::parts::NavMeshOptions;
use portolan::{Path, Query, World};
use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let level = WorldScene::Rooms.build(&WorldOptions::default());
    let world = World::build(level, &NavMeshOptions::default())?;
    let points: Vec<_> = RandomPoints::new(world.mesh(), 3).take(2).collect();
    let mut query = Query::new(points[0], points[1]);
    query.engine = Engine::AStar; // `hna` does the same on a level of the hierarchy

    let (mut search, mut path) = (Anytime::new(), Path::default());
    search.begin(&world, &query)?;
    for frame in 1.. {
        match search.improve(&world, Budget::expansions(100))? {
            // Nothing new: the agent keeps to the path that it has.
            AnytimeProgress::Running => {}
            AnytimeProgress::Better(better) => {
                search.path(&world, &mut path)?;
                let excess = 100.0 * (better.bound - 1.0);
                println!("frame {frame}: {better:?}, at most {excess:.1}% too much");
            }
            AnytimeProgress::Done(status) => {
                println!("frame {frame}: {status}: {:.1} m", path.length());
                break;
            }
        }
    }
    assert_eq!(search.bound(), Some(1.0));
    Ok(())
}
