//! Draws grounds, merge steps, paths and waves.

use std::io::{self, Write};

use portolan_draw::picture::{
    Colour, LegendItem, Picture, colour_of, cost_legend, height_legend, max_cost,
};

use super::built_ground::BuiltGround;
use super::published::ENGINES;
use super::{PathCell, TerrainVariant};

/// A picture and the name of its file.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPicture {
    /// The file name, such as `cone-step-07.png`.
    pub file: String,
    /// The picture.
    pub picture: Picture,
}

impl NamedPicture {
    /// Writes the picture as PNG.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.picture.write(out)
    }
}

// The colours of the thesis, and one for HNA*, which the thesis does not have.
const ASTAR: Colour = [214, 32, 32];
const MESH: Colour = [64, 196, 255];
const HNA: Colour = [255, 214, 0];
const START: Colour = [20, 110, 40];
const GOAL: Colour = [30, 60, 190];

/// Draws the relief of a ground.
pub(super) fn relief(file: String, built: &BuiltGround, side: usize) -> NamedPicture {
    let mut picture = Picture::relief(built.web(), side);
    picture.add_legend(&[height_legend(built.web())]);
    NamedPicture { file, picture }
}

/// Draws the tops after an iteration, each in its own colour.
pub(super) fn tops(file: String, built: &BuiltGround, side: usize, tops: &[u32]) -> NamedPicture {
    let mut picture = Picture::of_web(built.web(), side, |triangle| {
        colour_of(tops[triangle as usize])
    });
    picture.add_legend(&[LegendItem::Text("one colour per top mesh".to_owned())]);
    NamedPicture { file, picture }
}

/// Draws A* with each structure of High Meshes, then A* with HNA* and the contraction.
pub(super) fn paths(
    name: &str,
    built: &BuiltGround,
    side: usize,
    cell: &PathCell,
) -> Vec<NamedPicture> {
    let relief = Picture::relief(built.web(), side);
    let draw = |kind: &str, engines: &[(TerrainVariant, Colour)]| {
        let mut picture = relief.clone();
        for &(engine, colour) in engines {
            for answer in cell.answers.iter().filter(|answer| answer.engine == engine) {
                picture.draw_path(built.web(), &answer.triangles, colour);
            }
        }
        let mut legend: Vec<LegendItem> = engines
            .iter()
            .map(|&(engine, colour)| LegendItem::Colour(colour, engine.name().to_owned()))
            .collect();
        let triangles = cell.answers.first().map(|answer| &answer.triangles[..]);
        let ends = [
            (triangles.and_then(<[u32]>::first), START, "start"),
            (triangles.and_then(<[u32]>::last), GOAL, "goal"),
        ];
        for (triangle, colour, what) in ends {
            if let Some(&triangle) = triangle {
                picture.draw_dot(built.web().centroid(triangle), colour);
                legend.push(LegendItem::Dot(colour, what.to_owned()));
            }
        }
        picture.add_legend(&legend);
        NamedPicture {
            file: format!("{name}-{kind}.png"),
            picture,
        }
    };
    let astar = (TerrainVariant::Astar, ASTAR);
    let mut pictures: Vec<NamedPicture> = TerrainVariant::HIGH_MESHES
        .iter()
        .map(|&engine| draw(engine.slug(), &[astar, (engine, MESH)]))
        .collect();
    let others = [
        astar,
        (TerrainVariant::Hna, HNA),
        (TerrainVariant::Contraction, MESH),
    ];
    pictures.push(draw("others", &others));
    pictures
}

/// Draws the cost of every triangle by A*, full structure, 10 and 5 layers, on one scale, which ends at the highest cost of
/// A*. `from` is the start.
pub(super) fn waves(
    name: &str,
    built: &BuiltGround,
    side: usize,
    from: u32,
    prices: &[(TerrainVariant, Vec<f64>)],
) -> Vec<NamedPicture> {
    let of = |engine| prices.iter().find(|(known, _)| *known == engine);
    let scale = of(TerrainVariant::Astar).map(|(_, prices)| max_cost(prices));
    let waves = ENGINES.into_iter().filter_map(of);
    let one = |(engine, prices): &(TerrainVariant, Vec<f64>)| {
        let file = format!("{name}-{}.png", engine.slug());
        let mut picture = Picture::costs(built.web(), side, prices, scale);
        picture.draw_dot(built.web().centroid(from), START);
        let mut legend = cost_legend(prices, scale);
        legend.push(LegendItem::Dot(START, "start".to_owned()));
        picture.add_legend(&legend);
        NamedPicture { file, picture }
    };
    waves.map(one).collect()
}
