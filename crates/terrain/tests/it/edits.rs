//! Edits of a terrain, and navigators that are under way meanwhile.

use portolan_oracle::ground::{GroundPlan, close, hilly, plans};
use portolan_terrain::{
    Compression, Crowd, LowGraph, MeshTree, Meshes, NO_MESH, Navigator, Price, Terrain,
    TerrainEdit, TerrainError, TerrainOptions, TerrainQuery, TerrainScratch, TriangleWeb,
};
use proptest::prelude::*;
use proptest::sample::Index;

/// An edit, and how many triangles are walked before it.
#[derive(Clone, Debug)]
struct PlannedEdit {
    walked: usize,
    difficulties: Vec<(Index, f32)>,
    heights: Vec<(Index, f32)>,
    up: Option<f32>,
}

fn edits() -> impl Strategy<Value = Vec<PlannedEdit>> {
    let difficulties = prop::collection::vec((any::<Index>(), 0f32..=1.0), 0..3);
    let heights = prop::collection::vec((any::<Index>(), -5f32..20.0), 0..3);
    let edit = (
        0usize..6,
        difficulties,
        heights,
        prop::option::weighted(0.2, 0f32..50.0),
    );
    let edit = edit.prop_map(|(walked, difficulties, heights, up)| PlannedEdit {
        walked,
        difficulties,
        heights,
        up,
    });
    prop::collection::vec(edit, 1..4)
}

fn apply(terrain: &mut Terrain, edit: &PlannedEdit) {
    let (triangles, points) = (terrain.web().len(), terrain.web().points().len());
    let at = |list: &[(Index, f32)], count: usize| -> Vec<(u32, f32)> {
        let items = list.iter();
        items
            .map(|(index, value)| (index.index(count) as u32, *value))
            .collect()
    };
    let price = edit.up.map(|up| Price {
        up,
        ..*terrain.graph().price()
    });
    let edit = TerrainEdit {
        difficulties: &at(&edit.difficulties, triangles),
        heights: &at(&edit.heights, points),
        price,
    };
    terrain.edit(&edit).unwrap();
}

fn options(plan: &GroundPlan, layers: usize) -> TerrainOptions {
    TerrainOptions {
        price: plan.price,
        layers: Some(layers),
        ..TerrainOptions::default()
    }
}

fn navigator(
    terrain: &Terrain,
    [from, to]: [u32; 2],
    scratch: &mut TerrainScratch,
) -> Option<Navigator> {
    let ends = terrain.locate(&TerrainQuery::new(from, to)).unwrap();
    terrain.navigator(&ends, None, scratch).unwrap()
}

fn rest(navigator: &mut Navigator, terrain: &Terrain, scratch: &mut TerrainScratch) -> Vec<u32> {
    std::iter::from_fn(|| navigator.next(terrain, None, scratch)).collect()
}

/// Returns everything that the searches read which led to the remaining steps.
fn read_by_searches(navigator: &Navigator, terrain: &Terrain, goal: u32) -> impl PartialEq + use<> {
    let meshes = terrain.meshes();
    let mut parents: Vec<u32> = navigator
        .remaining()
        .map(|mesh| meshes.parent(mesh))
        .collect();
    parents.retain(|&parent| parent != NO_MESH);
    parents.sort_unstable();
    parents.dedup();
    let children = parents.iter().flat_map(|&parent| meshes.children(parent));
    let children = children.map(|&child| {
        let records = meshes.neighbours(child);
        let distances: Vec<_> = records.map(|(to, distance, _)| (to, distance)).collect();
        (child, meshes.extent(child), distances)
    });
    let children: Vec<_> = children.collect();
    (children, meshes.extent(meshes.low(goal)))
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn an_edited_terrain_equals_the_same_tree_over_the_new_ground(
        plan in plans(), layers in 2usize..12, edits in edits(),
    ) {
        let options = options(&plan, layers);
        let mut terrain = Terrain::build(plan.web(), &options).unwrap();
        edits.iter().for_each(|edit| apply(&mut terrain, edit));
        let web = terrain.web();
        let web = TriangleWeb::new(web.points().to_vec(), web.triangles().to_vec(), web.difficulty().to_vec()).unwrap();
        prop_assert_eq!(web.extent(), terrain.web().extent());
        let graph = LowGraph::new(&web, terrain.graph().price()).unwrap();
        prop_assert_eq!(&graph, terrain.graph());
        let tree = MeshTree::new(&plan.graph(), &options.merge).compressed(layers, Compression::Balanced);
        prop_assert_eq!(terrain.meshes(), &Meshes::new(&graph, &tree, options.merge.entry));
    }

    #[test]
    fn a_navigator_reacts_to_edits_like_a_fresh_navigation(
        plan in plans(), layers in 2usize..30, edits in edits(), ends: [Index; 2],
    ) {
        let mut terrain = Terrain::build(plan.web(), &options(&plan, layers)).unwrap();
        let ends @ [from, goal] = ends.map(|end| end.index(terrain.web().len()) as u32);
        let mut scratch = TerrainScratch::new();
        let Some(mut nav) = navigator(&terrain, ends, &mut scratch) else {
            return Ok(());
        };
        let (mut walked, mut cost) = (Vec::new(), 0.0);
        for edit in &edits {
            for _ in 0..edit.walked {
                let Some(next) = nav.next(&terrain, None, &mut scratch) else { break };
                if let Some(&last) = walked.last() {
                    cost += terrain.graph().cost(&[last, next]).expect("neighbours");
                }
                walked.push(next);
            }
            // Without a step since the last edit, the navigator may already be out of date.
            let was_current = nav.is_current(&terrain);
            let before = read_by_searches(&nav, &terrain, goal);
            apply(&mut terrain, edit);
            let has_same_reads = read_by_searches(&nav, &terrain, goal) == before;
            let is_current = nav.is_current(&terrain);
            if edit.up.is_none() {
                prop_assert_eq!(is_current, was_current && has_same_reads);
            }
            let mut copy = nav.clone();
            let restarts = copy.restarts();
            let found = rest(&mut copy, &terrain, &mut scratch);
            prop_assert_eq!(copy.restarts() - restarts, usize::from(!is_current));
            if !is_current {
                // A fresh navigation from the current triangle begins with this triangle.
                let here = nav.position().unwrap_or(from);
                let mut fresh = navigator(&terrain, [here, goal], &mut scratch).unwrap();
                let expected = rest(&mut fresh, &terrain, &mut scratch);
                let skipped = usize::from(nav.position().is_some());
                prop_assert_eq!(found, &expected[skipped..]);
            }
        }
        for next in rest(&mut nav, &terrain, &mut scratch) {
            if let Some(&last) = walked.last() {
                cost += terrain.graph().cost(&[last, next]).expect("neighbours");
            }
            walked.push(next);
        }
        prop_assert_eq!((walked.first(), walked.last()), (Some(&from), Some(&goal)));
        prop_assert!(nav.has_arrived(&terrain) && close(cost, nav.cost()));
    }
}

/// A dam rises across the path, with a gap far from it. High Meshes do not find the gap, but a cheaper place.
#[test]
fn a_walker_notices_a_new_dam() {
    let (web, _) = hilly(33);
    let flat: Vec<(u32, f32)> = (0..web.points().len() as u32)
        .map(|point| (point, 0.0))
        .collect();
    let options = TerrainOptions {
        layers: Some(6),
        ..TerrainOptions::default()
    };
    let mut terrain = Terrain::build(web, &options).unwrap();
    let heights = TerrainEdit {
        heights: &flat,
        ..TerrainEdit::default()
    };
    terrain.edit(&heights).unwrap();
    assert_eq!(terrain.web().extent().size().z, 0.0);
    let ends = [[2.1, 16.2], [30.1, 16.2]].map(|[x, y]| terrain.web().locate(x, y).unwrap());
    let mut scratch = TerrainScratch::new();
    let mut nav = navigator(&terrain, ends, &mut scratch).unwrap();
    let start: Vec<u32> = (0..8)
        .map_while(|_| nav.next(&terrain, None, &mut scratch))
        .collect();
    let mut without_dam = nav.clone();
    let old = rest(&mut without_dam, &terrain, &mut scratch);
    let points = terrain.web().points().iter().enumerate();
    let is_dam = |x: f32, y: f32| (18.0..=20.0).contains(&x) && y >= 4.0;
    let dam: Vec<(u32, f32)> = points
        .filter(|(_, point)| is_dam(point.x, point.y))
        .map(|(point, _)| (point as u32, 40.0))
        .collect();
    let dam = TerrainEdit {
        heights: &dam,
        ..TerrainEdit::default()
    };
    terrain.edit(&dam).unwrap();
    let new = rest(&mut nav, &terrain, &mut scratch);
    assert_eq!((nav.restarts(), new.last()), (1, old.last()));
    let cost = |path: &[u32]| {
        let path: Vec<u32> = start.last().into_iter().chain(path).copied().collect();
        terrain.graph().cost(&path).unwrap()
    };
    let [old, new] = [&old, &new].map(|path| cost(path));
    assert!(new < old, "{new} with the dam in mind, {old} without");
}

#[test]
fn invalid_edits_change_nothing() {
    let (web, graph) = hilly(3);
    let mut terrain = Terrain::build(web.clone(), &TerrainOptions::default()).unwrap();
    let points = web.points().len();
    let mut reject = |edit: TerrainEdit<'_>| {
        let error = terrain.edit(&edit).unwrap_err();
        assert_eq!(terrain.graph(), &graph);
        assert_eq!(terrain.web().points(), web.points());
        error
    };
    let valid = TerrainEdit {
        difficulties: &[(0, 0.5)],
        heights: &[(0, 3.0)],
        price: None,
    };
    assert_eq!(
        reject(TerrainEdit {
            heights: &[(0, 3.0), (99, 1.0)],
            ..valid
        }),
        TerrainError::EditedPoint { point: 99, points }
    );
    assert_eq!(
        reject(TerrainEdit {
            heights: &[(0, 3.0), (1, f32::INFINITY)],
            ..valid
        }),
        TerrainError::NotFinite(1)
    );
    let price = Price {
        up: -1.0,
        ..Price::default()
    };
    reject(TerrainEdit {
        price: Some(price),
        ..valid
    });
    reject(TerrainEdit {
        difficulties: &[(0, 2.0)],
        ..valid
    });
    // Two corners of a wall would fall together.
    let wall = vec![
        glam::vec3(0.0, 0.0, 0.0),
        glam::vec3(1.0, 0.0, 0.0),
        glam::vec3(1.0, 0.0, 2.0),
    ];
    let web = TriangleWeb::new(wall, vec![[0, 1, 2]], Vec::new()).unwrap();
    let mut terrain = Terrain::build(web, &TerrainOptions::default()).unwrap();
    let fall = TerrainEdit {
        heights: &[(2, 0.0)],
        ..TerrainEdit::default()
    };
    assert_eq!(terrain.edit(&fall), Err(TerrainError::Degenerate(0)));
    let both = TerrainEdit {
        heights: &[(2, 0.0), (1, -1.0)],
        ..TerrainEdit::default()
    };
    assert_eq!(terrain.edit(&both), Ok(()));
}

#[test]
#[should_panic(expected = "another terrain")]
fn a_navigator_of_another_terrain_is_refused() {
    let [small, large] =
        [5, 9].map(|side| Terrain::build(hilly(side).0, &TerrainOptions::default()).unwrap());
    let mut scratch = TerrainScratch::new();
    let mut nav = navigator(&small, [0, 9], &mut scratch).unwrap();
    assert!(Crowd::new(large.meshes(), 1.0).is_ok());
    nav.next(&large, None, &mut scratch);
}
