//! A device that counts finds the same answers, and counts what can be known without it.

use portolan_core::batch::{BatchAnswers, BatchOptions, BatchQueries, Want};
use portolan_core::{Connect, Engine, Level, Tier};
use portolan_gpu::Gpu;

use crate::worlds::{gpu, queries, worlds};

#[test]
fn counting_changes_no_answer() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let counting = Gpu::counting().expect("an adapter: install mesa-vulkan-drivers");
    let (_, world) = worlds().swap_remove(0);
    let agents = queries(world.mesh(), 100, 3);
    let agents = BatchQueries::Points(&agents);
    let plain = gpu().upload(&world, world.default_costs()).unwrap();
    let counted = counting.upload(&world, world.default_costs()).unwrap();
    let hna = Engine::Hna {
        level: Some(Level(1)),
        connect: Some(Connect::Parallel),
    };
    for (engine, want, kernels) in [
        (
            Engine::AStar,
            Want::Corridor,
            &["astar_search", "astar_extract"][..],
        ),
        (
            hna,
            Want::Corridor,
            &["connect", "overlay_search", "overlay_extract"],
        ),
        (
            Engine::Contraction(Tier::Fast),
            Want::Corridor,
            &["contraction_search", "contraction_extract"],
        ),
        (Engine::Labels, Want::Portal, &["first_portal"]),
    ] {
        let options = BatchOptions {
            engine,
            ..BatchOptions::new(want)
        };
        let [mut expected, mut answers] = [(); 2].map(|()| BatchAnswers::default());
        plain.find_paths(agents, &options, &mut expected).unwrap();
        counting.take_counts().unwrap();
        counted.find_paths(agents, &options, &mut answers).unwrap();
        let counts = counting.take_counts().unwrap();
        assert_eq!(answers.statuses, expected.statuses, "{engine}");
        assert_eq!(answers.costs, expected.costs, "{engine}");
        for kernel in kernels {
            let of = counts.iter().find(|counts| counts.kernel == *kernel);
            let of = of.unwrap_or_else(|| panic!("{engine}: no counts of {kernel}"));
            assert!(of.index_words + of.own_words > 0, "{of:?}");
            assert!(of.operations >= of.index_words + of.own_words, "{of:?}");
            assert!(of.lockstep_operations >= of.operations, "{of:?}");
        }
        // Every agent reads at least 8 words of its query and its search, and writes at least 3 of its result. Agents of HNA*
        // whose start and goal share a node are searched by A*, so all kernels count.
        let found = answers.costs.iter().filter(|cost| cost.is_finite());
        let found = found.count() as u64;
        let own_words: u64 = counts.iter().map(|counts| counts.own_words).sum();
        let written_words: u64 = counts.iter().map(|counts| counts.written_words).sum();
        assert!(found > 0 && own_words >= 8 * found, "{engine}");
        assert!(written_words >= 3 * found, "{engine}");
        assert_eq!(counting.take_counts().unwrap(), [], "{engine}");
    }
    assert_eq!(gpu().take_counts().unwrap(), []);
}
