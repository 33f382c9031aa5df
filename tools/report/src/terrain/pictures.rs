//! Pictures: grounds, merge steps, paths and waves.

use std::io::{self, Write};

use portolan_draw::picture::{Colour, Picture, colour_of, max_cost};

use super::published::ENGINES;
use super::subject::Subject;
use super::{PathCell, TerrainVariant};

/// A picture and the name of its file.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPicture {
    /// `cone-step-07.png`.
    pub file: String,
    /// The picture.
    pub picture: Picture,
}

impl NamedPicture {
    /// Writes a PNG.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.picture.write(out)
    }
}

/// The thesis's colours, and one for an engine that it does not have.
const ASTAR: Colour = [214, 32, 32];
const MESH: Colour = [64, 196, 255];
const HNA: Colour = [255, 214, 0];
const DOT: Colour = [255, 255, 255];

/// Waves are drawn up to so many times the price of A*'s dearest place.
pub(super) const WAVE_SCALE: f64 = 1.5;

pub(super) fn relief(file: String, subject: &Subject, side: usize) -> NamedPicture {
    let picture = Picture::relief(subject.web(), side);
    NamedPicture { file, picture }
}

/// Each top in a colour of its own.
pub(super) fn tops(file: String, subject: &Subject, side: usize, tops: &[u32]) -> NamedPicture {
    let picture = Picture::of_web(subject.web(), side, |triangle| {
        colour_of(tops[triangle as usize])
    });
    NamedPicture { file, picture }
}

/// A* and each structure of High Meshes; then A* with the two others.
pub(super) fn paths(
    name: &str,
    subject: &Subject,
    side: usize,
    cell: &PathCell,
) -> Vec<NamedPicture> {
    let relief = Picture::relief(subject.web(), side);
    let draw = |kind: &str, engines: &[(TerrainVariant, Colour)]| {
        let mut picture = relief.clone();
        for &(engine, colour) in engines {
            for answer in cell.answers.iter().filter(|answer| answer.engine == engine) {
                picture.draw_path(subject.web(), &answer.triangles, colour);
            }
        }
        for answer in cell.answers.iter().take(1) {
            for &end in answer
                .triangles
                .iter()
                .take(1)
                .chain(answer.triangles.last())
            {
                picture.draw_dot(subject.web().centroid(end), DOT);
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

/// What every place costs by A*, full structure, 10 and 5 layers, on one scale.
pub(super) fn waves(
    name: &str,
    subject: &Subject,
    side: usize,
    prices: &[(TerrainVariant, Vec<f64>)],
) -> Vec<NamedPicture> {
    let of = |engine| prices.iter().find(|(known, _)| *known == engine);
    let scale = of(TerrainVariant::Astar).map(|(_, prices)| WAVE_SCALE * max_cost(prices));
    let waves = ENGINES.into_iter().filter_map(of);
    let one = |(engine, prices): &(TerrainVariant, Vec<f64>)| {
        let file = format!("{name}-{}.png", engine.slug());
        let picture = Picture::costs(subject.web(), side, prices, scale);
        NamedPicture { file, picture }
    };
    waves.map(one).collect()
}
