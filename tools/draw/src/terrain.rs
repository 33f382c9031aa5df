//! What the static runners of the terrain thesis show (its appendix B.3): pictures of the ground, of its meshes, and of
//! a path that is being expanded.

use std::collections::BTreeSet;

use portolan_terrain::{Meshes, NO_TRIANGLE, Navigator, Terrain, TriangleWeb};

use crate::picture::{
    Colour, LegendItem, Picture, colour_of, height_legend, legend_number, ramp_colour,
};

/// The colour of ground without a relief.
const CLEAR: Colour = [214, 214, 208];

/// The colour of the start of a path or of a wave.
pub const START: Colour = [20, 110, 40];
/// The colour of the goal of a path.
pub const GOAL: Colour = [30, 60, 190];
/// The colour of a path.
pub const PATH: Colour = [214, 20, 30];

/// From easy ground to the hardest.
const DIFFICULTY: [Colour; 3] = [[236, 240, 214], [190, 140, 60], [70, 20, 60]];
/// From level ground to the steepest.
const STEEPNESS: [Colour; 3] = [[238, 238, 238], [240, 170, 60], [120, 10, 20]];
/// From few neighbours to many.
const NEIGHBOURS: [Colour; 4] = [
    [40, 50, 110],
    [40, 150, 150],
    [170, 210, 80],
    [250, 240, 130],
];

/// What a picture of a terrain shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TerrainView {
    /// The relief, tinted by height.
    Height,
    /// The difficulty of each triangle.
    Difficulty,
    /// The steepness of each triangle: 1 minus the z component of its normal.
    Steepness,
    /// The number of neighbours of each mesh of a layer.
    Neighbours,
    /// The meshes of a layer, each in its own colour.
    Layer,
    /// Ground without any colours, for paths.
    ClearHeight,
    /// The meshes of a path after a number of expansions, over the relief.
    Expansions,
}

impl TerrainView {
    /// All views.
    pub const ALL: [Self; 7] = [
        Self::Height,
        Self::Difficulty,
        Self::Steepness,
        Self::Neighbours,
        Self::Layer,
        Self::ClearHeight,
        Self::Expansions,
    ];

    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Height => "height",
            Self::Difficulty => "difficulty",
            Self::Steepness => "steepness",
            Self::Neighbours => "neighbours",
            Self::Layer => "layer",
            Self::ClearHeight => "clear-height",
            Self::Expansions => "expansions",
        }
    }
}

/// Draws the ground of a view and returns its legend, which the caller adds after everything else. `layer` is counted
/// downwards from the Top Meshes, which are layer 0.
pub fn draw_ground(
    terrain: &Terrain,
    view: TerrainView,
    layer: usize,
    side: usize,
) -> (Picture, Vec<LegendItem>) {
    let web = terrain.web();
    match view {
        TerrainView::Height | TerrainView::Expansions => {
            (Picture::relief(web, side), vec![height_legend(web)])
        }
        TerrainView::ClearHeight => (Picture::of_web(web, side, |_| CLEAR), Vec::new()),
        TerrainView::Difficulty => {
            let value = |triangle: u32| f64::from(web.difficulty()[triangle as usize]);
            draw_values(web, side, &DIFFICULTY, (0.0, 1.0), "difficulty", value)
        }
        TerrainView::Steepness => {
            let value = |triangle: u32| steepness(web, triangle);
            let highest = (0..web.len() as u32).map(value).fold(0.0, f64::max);
            draw_values(web, side, &STEEPNESS, (0.0, highest), "steepness", value)
        }
        TerrainView::Neighbours => {
            let meshes = terrain.meshes();
            let counts = neighbour_counts(terrain, layer);
            let count = |triangle: u32| {
                let mesh = meshes.in_layer(meshes.low(triangle), layer);
                counts[mesh as usize]
            };
            let shown = (0..web.len() as u32).map(count);
            let (low, high) = shown.fold((u32::MAX, 0), |(low, high), count| {
                (low.min(count), high.max(count))
            });
            let range = (f64::from(low), f64::from(high));
            let (picture, mut legend) =
                draw_values(web, side, &NEIGHBOURS, range, "neighbours", |triangle| {
                    count(triangle).into()
                });
            legend.push(layer_text(meshes, layer));
            (picture, legend)
        }
        TerrainView::Layer => {
            let meshes = terrain.meshes();
            let mut picture = Picture::relief(web, side);
            picture.overlay(0.7, |triangle| {
                Some(colour_of(meshes.in_layer(meshes.low(triangle), layer)))
            });
            (picture, vec![layer_text(meshes, layer)])
        }
    }
}

/// Draws the meshes that a path still has to walk, and its triangles so far. Returns the legend.
pub fn draw_expansions(
    picture: &mut Picture,
    terrain: &Terrain,
    navigator: &Navigator,
    walked: &[u32],
) -> Vec<LegendItem> {
    let meshes = terrain.meshes();
    let remaining: Vec<u32> = navigator.remaining().collect();
    let mut path = walked.to_vec();
    let mut known = 0;
    let mut is_known_so_far = true;
    for &mesh in &remaining {
        let is_low = (mesh as usize) < meshes.low_count();
        if is_low {
            known += 1;
        } else {
            // Each mesh of a path in its own colour, the same one in every picture.
            let colour = colour_of(mesh);
            let lows = meshes.low_range(mesh);
            picture.overlay(0.65, |triangle| {
                lows.contains(&meshes.low(triangle)).then_some(colour)
            });
        }
        is_known_so_far &= is_low;
        if is_known_so_far {
            path.push(meshes.triangle(mesh));
        }
    }
    let lows = remaining
        .iter()
        .filter(|&&mesh| (mesh as usize) < meshes.low_count());
    let later: BTreeSet<u32> = lows.map(|&low| meshes.triangle(low)).collect();
    picture.overlay(1.0, |triangle| later.contains(&triangle).then_some(PATH));
    picture.draw_path(terrain.web(), &path, PATH);
    let highs = remaining.len() - known;
    vec![
        LegendItem::Text(format!("{} expansions", navigator.expansions())),
        LegendItem::Colour(PATH, format!("{} triangles", walked.len() + known)),
        LegendItem::Text(match highs {
            1 => "1 high mesh".to_owned(),
            _ => format!("{highs} high meshes, one colour each"),
        }),
    ]
}

fn layer_text(meshes: &Meshes, layer: usize) -> LegendItem {
    let all = (0..meshes.low_count() as u32).map(|low| meshes.in_layer(low, layer));
    let count = all.collect::<BTreeSet<u32>>().len();
    let meshes = if count == 1 { "mesh" } else { "meshes" };
    LegendItem::Text(format!("layer {layer} from the top: {count} {meshes}"))
}

fn draw_values(
    web: &TriangleWeb,
    side: usize,
    colours: &[Colour],
    (low, high): (f64, f64),
    name: &str,
    value: impl Fn(u32) -> f64,
) -> (Picture, Vec<LegendItem>) {
    let range = high - low;
    let picture = Picture::of_web(web, side, |triangle| {
        let fraction = (value(triangle) - low) / if range > 0.0 { range } else { 1.0 };
        ramp_colour(colours, fraction)
    });
    let ramp = LegendItem::Ramp {
        colours: colours.to_vec(),
        from: legend_number(low),
        to: format!("{} {name}", legend_number(high)),
    };
    (picture, vec![ramp])
}

/// Returns 1 minus the z component of the normal: 0 on a plain and 1 at a wall.
fn steepness(web: &TriangleWeb, triangle: u32) -> f64 {
    let [a, b, c] = web.corners(triangle).map(|corner| corner.as_dvec3());
    let normal = (b - a).cross(c - a);
    match normal.length() > 0.0 {
        true => 1.0 - (normal.z / normal.length()).abs(),
        false => 0.0,
    }
}

/// Returns the number of neighbours of each mesh of a layer within that layer; 0 for other meshes.
fn neighbour_counts(terrain: &Terrain, layer: usize) -> Vec<u32> {
    let meshes = terrain.meshes();
    let mesh_of = |triangle: u32| meshes.in_layer(meshes.low(triangle), layer);
    let mut pairs = BTreeSet::new();
    for (triangle, neighbours) in (0..).zip(terrain.web().neighbours()) {
        let own = mesh_of(triangle);
        let beyond = neighbours.iter().filter(|&&next| next != NO_TRIANGLE);
        let beyond = beyond
            .map(|&next| mesh_of(next))
            .filter(|&mesh| mesh != own);
        pairs.extend(beyond.map(|mesh| (own, mesh)));
    }
    let mut counts = vec![0; meshes.len()];
    for (mesh, _) in pairs {
        counts[mesh as usize] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use portolan_scenes::HeightFunction;
    use portolan_terrain::{
        NavigationStep, TerrainOptions, TerrainQuery, TerrainScratch, WebOptions,
    };

    use super::*;

    fn terrain() -> Terrain {
        let map = HeightFunction::Hills.map(17, 17, 1).unwrap();
        let web = map.triangulate(&WebOptions::default(), Some(&map)).unwrap();
        Terrain::build(web, &TerrainOptions::default()).unwrap()
    }

    #[test]
    fn every_view_has_a_legend_except_clear_ground() {
        let terrain = terrain();
        for view in TerrainView::ALL {
            let (picture, legend) = draw_ground(&terrain, view, 3, 100);
            let colours: BTreeSet<Colour> = picture.colours().iter().copied().collect();
            let is_clear = view == TerrainView::ClearHeight;
            assert_eq!(
                (legend.is_empty(), colours.len() == 1),
                (is_clear, is_clear)
            );
        }
    }

    #[test]
    fn neighbours_are_counted_per_mesh_of_the_layer() {
        let terrain = terrain();
        let low = terrain.meshes().low(5);
        let lows = neighbour_counts(&terrain, 1000);
        let neighbours = terrain.web().neighbours()[5];
        let expected = neighbours
            .iter()
            .filter(|&&next| next != NO_TRIANGLE)
            .count();
        assert_eq!(lows[low as usize] as usize, expected);
        // The Top Mesh has none, and each of its children has another one.
        let root = terrain.meshes().root();
        assert_eq!(neighbour_counts(&terrain, 0)[root as usize], 0);
        let below = neighbour_counts(&terrain, 1);
        for &child in terrain.meshes().children(root) {
            assert!(below[child as usize] >= 1);
        }
    }

    #[test]
    fn expansions_turn_high_meshes_into_triangles() {
        let terrain = terrain();
        let mut scratch = TerrainScratch::new();
        let ends = terrain.locate(&TerrainQuery::new([-0.9, -0.9], [0.9, 0.9]));
        let navigator = terrain.navigator(&ends.unwrap(), None, &mut scratch);
        let mut navigator = navigator.unwrap().unwrap();
        let ground = Picture::relief(terrain.web(), 100);
        let mut walked = Vec::new();
        let mut red = Vec::new();
        loop {
            let mut picture = ground.clone();
            let legend = draw_expansions(&mut picture, &terrain, &navigator, &walked);
            assert_eq!(
                legend[0],
                LegendItem::Text(format!("{} expansions", navigator.expansions()))
            );
            assert_ne!(picture, ground);
            red.push(
                picture
                    .colours()
                    .iter()
                    .filter(|&&colour| colour == PATH)
                    .count(),
            );
            match navigator.step(&terrain, None, &mut scratch) {
                NavigationStep::Expanded(_) => {}
                NavigationStep::Triangle(triangle) => walked.push(triangle),
                NavigationStep::End => break,
            }
        }
        assert_eq!(red[0], 0);
        assert!(red.is_sorted(), "{red:?}");
        assert!(navigator.expansions() > 10 && red[red.len() - 1] > 200);
    }
}
