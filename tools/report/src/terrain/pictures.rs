//! Draws grounds, merge steps, paths and waves.

use std::io::{self, Write};

use portolan_draw::picture::{Colour, Picture, colour_of, max_cost};

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
const DOT: Colour = [255, 255, 255];

/// The end of the colour scale of waves, relative to the highest cost of A*.
pub(super) const WAVE_SCALE: f64 = 1.5;

/// Draws the relief of a ground.
pub(super) fn relief(file: String, built: &BuiltGround, side: usize) -> NamedPicture {
    let picture = Picture::relief(built.web(), side);
    NamedPicture { file, picture }
}

/// Draws the tops after an iteration, each in its own colour.
pub(super) fn tops(file: String, built: &BuiltGround, side: usize, tops: &[u32]) -> NamedPicture {
    let picture = Picture::of_web(built.web(), side, |triangle| {
        colour_of(tops[triangle as usize])
    });
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
        for answer in cell.answers.iter().take(1) {
            for &endpoint in answer
                .triangles
                .iter()
                .take(1)
                .chain(answer.triangles.last())
            {
                picture.draw_dot(built.web().centroid(endpoint), DOT);
            }
        }
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

/// Draws the cost of every triangle by A*, full structure, 10 and 5 layers, on one scale.
pub(super) fn waves(
    name: &str,
    built: &BuiltGround,
    side: usize,
    prices: &[(TerrainVariant, Vec<f64>)],
) -> Vec<NamedPicture> {
    let of = |engine| prices.iter().find(|(known, _)| *known == engine);
    let scale = of(TerrainVariant::Astar).map(|(_, prices)| WAVE_SCALE * max_cost(prices));
    let waves = ENGINES.into_iter().filter_map(of);
    let one = |(engine, prices): &(TerrainVariant, Vec<f64>)| {
        let file = format!("{name}-{}.png", engine.slug());
        let picture = Picture::costs(built.web(), side, prices, scale);
        NamedPicture { file, picture }
    };
    waves.map(one).collect()
}
