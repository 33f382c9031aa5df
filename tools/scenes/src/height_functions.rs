//! Height maps from functions of the plane, after appendix B.1 and chapter 8 of the terrain thesis (see
//! docs/terrain.md).

use std::fmt;
use std::str::FromStr;

use glam::vec2;
use portolan_core::union_find::UnionFind;
use portolan_terrain::{HeightMap, TerrainError};

use crate::UnknownScene;
use crate::noise::{Noise, smooth_step};
use crate::random::{Random, mix};

/// A scene that generates a height map. The same function, size and seed give the same map on every
/// platform.
///
/// ```
/// use portolan_scenes::HeightFunction;
/// use portolan_terrain::WebOptions;
///
/// let hills: HeightFunction = "hills".parse()?;
/// let web = hills.map(65, 65, 7)?.triangulate(&WebOptions::default(), None)?;
/// assert_eq!(web.len(), 2 * 64 * 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeightFunction {
    /// A cone over the entire map: every contour line is a circle.
    Cone,
    /// Four mountain ranges from south to north, with passes.
    Ridges,
    /// Natural terrain: hills of several sizes with valleys between them.
    Hills,
    /// A bowl with a high rim that is open to the east.
    Crater,
    /// A plain that is nearly cut in two by a steep trench.
    Trench,
    /// A winding canyon with terraced walls through a high plain.
    Canyon,
    /// A flat map of height 0.
    Flat,
    /// A maze of flat paths between walls with walkable tops, like the "simple map" in section 8.1 of the
    /// terrain thesis.
    Maze,
}

/// The names of all height functions, in the order of [`HeightFunction::ALL`].
const NAMES: [&str; HeightFunction::ALL.len()] = [
    "cone", "ridges", "hills", "crater", "trench", "canyon", "flat", "maze",
];

impl HeightFunction {
    /// All height functions.
    pub const ALL: [Self; 8] = [
        Self::Cone,
        Self::Ridges,
        Self::Hills,
        Self::Crater,
        Self::Trench,
        Self::Canyon,
        Self::Flat,
        Self::Maze,
    ];

    /// Returns the name that [`HeightFunction::from_str`] parses.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// Returns a description of one line for lists of scenes.
    pub fn description(self) -> &'static str {
        match self {
            Self::Cone => "a cone over the entire map: every contour line is a circle",
            Self::Ridges => "four mountain ranges from south to north, with passes",
            Self::Hills => "natural terrain: hills of several sizes with valleys between them",
            Self::Crater => "a bowl with a high rim that is open to the east",
            Self::Trench => "a plain that is nearly cut in two by a steep trench",
            Self::Canyon => "a winding canyon with terraced walls through a high plain",
            Self::Flat => "a flat map of height 0",
            Self::Maze => "a maze of flat paths between walls with walkable tops",
        }
    }

    /// Returns whether the map depends on the seed.
    pub fn is_random(self) -> bool {
        matches!(self, Self::Hills | Self::Maze)
    }

    /// Generates a map of `width` x `height` pixels. Its lowest value is 0 and its highest value is 1, except
    /// for [`HeightFunction::Flat`].
    ///
    /// # Errors
    /// [`TerrainError::MapTooSmall`] if the map has fewer than 2 x 2 pixels.
    pub fn map(self, width: usize, height: usize, seed: u64) -> Result<HeightMap, TerrainError> {
        match self {
            Self::Cone => sample(width, height, cone),
            Self::Ridges => sample(width, height, ridges),
            Self::Hills => {
                let hills = Hills::new(seed);
                sample(width, height, |x, y| hills.at(x, y))
            }
            Self::Crater => sample(width, height, crater),
            Self::Trench => sample(width, height, trench),
            Self::Canyon => sample(width, height, canyon),
            Self::Flat => sample(width, height, |_, _| 0.0),
            Self::Maze => {
                let maze = Maze::new(seed);
                sample(width, height, |x, y| maze.at(x, y))
            }
        }
    }
}

impl fmt::Display for HeightFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for HeightFunction {
    type Err = UnknownScene;

    fn from_str(name: &str) -> Result<Self, UnknownScene> {
        Self::ALL
            .into_iter()
            .find(|function| function.name() == name)
            .ok_or_else(|| UnknownScene::new("height function", name, &NAMES))
    }
}

/// Samples a function of (x, y). x goes from 0 in the west to 1 in the east, y from 0 in the south, the last
/// row of the map, to 1 in the north.
fn sample(
    width: usize,
    height: usize,
    function: impl Fn(f32, f32) -> f32,
) -> Result<HeightMap, TerrainError> {
    if width < 2 || height < 2 {
        return Err(TerrainError::MapTooSmall { width, height });
    }
    let fraction = |step: usize, pixels: usize| step as f32 / (pixels - 1) as f32;
    let mut heights = Vec::new();
    for row in 0..height {
        let y = fraction(height - 1 - row, height);
        heights.extend((0..width).map(|column| f64::from(function(fraction(column, width), y))));
    }
    HeightMap::stretched(width, height, &heights)
}

fn distance_from_centre(x: f32, y: f32) -> f32 {
    let (x, y) = (x - 0.5, y - 0.5);
    (x * x + y * y).sqrt()
}

/// A wave without trigonometry: 0 at every integer and 1 halfway between.
fn wave(t: f32) -> f32 {
    smooth_step(1.0 - (2.0 * (t - t.floor()) - 1.0).abs())
}

/// Rises smoothly from 0 at `from` to 1 at `to`, and is constant outside.
fn rise(from: f32, to: f32, t: f32) -> f32 {
    smooth_step(((t - from) / (to - from)).clamp(0.0, 1.0))
}

/// The cone reaches to the corners of the map, so no part of the map is flat.
fn cone(x: f32, y: f32) -> f32 {
    1.0 - distance_from_centre(x, y)
}

/// The passes of neighbouring ranges are offset, so a path across the ranges has to wind.
fn ridges(x: f32, y: f32) -> f32 {
    let along = 4.0 * x + 0.35 * wave(y);
    let is_odd = along.floor() as i32 % 2 != 0;
    let crest = 0.45 + 0.55 * wave(2.0 * y + if is_odd { 0.5 } else { 0.0 });
    wave(along) * crest + 0.1 * y
}

fn crater(x: f32, y: f32) -> f32 {
    const RIM: f32 = 0.3;
    let distance = distance_from_centre(x, y);
    let bowl = (distance / RIM) * (distance / RIM);
    let slope = 1.0 - rise(RIM, 0.5, distance) * 0.75 - (distance - RIM).max(0.0) * 0.3;
    let ring = if distance < RIM { bowl } else { slope };
    let breach = (1.0 - rise(0.03, 0.09, (y - 0.5).abs())) * rise(0.55, 0.75, x);
    ring * (1.0 - breach) + ring.min(0.2) * breach
}

/// The trench does not reach the north of the map.
fn trench(x: f32, y: f32) -> f32 {
    let centre_line = 0.5 + 0.08 * (wave(y) - 0.5);
    let wall = rise(0.05, 0.08, (x - centre_line).abs());
    1.0 - (1.0 - wall) * (1.0 - rise(0.8, 0.85, y))
}

fn canyon(x: f32, y: f32) -> f32 {
    const TERRACES: f32 = 3.0;
    let centre_line = 0.5 + 0.2 * (wave(1.5 * x) - 0.5) + 0.1 * (wave(3.0 * x + 0.3) - 0.5);
    let up = TERRACES * ((y - centre_line).abs() - 0.03).max(0.0) / 0.24;
    // Each terrace slopes gently up to a steep wall.
    let terrace = up.floor() + 0.15 * (up - up.floor()) + 0.85 * rise(0.6, 1.0, up - up.floor());
    let plateau = terrace.min(TERRACES) / TERRACES;
    // The floor of the canyon descends to the east.
    plateau * 0.85 + 0.15 * (1.0 - x) * (1.0 - plateau) + 0.1 * plateau * wave(x + 2.0 * y)
}

/// Octaves of value noise, cut by valleys where another noise is near its mean.
struct Hills {
    octaves: [Noise; 6],
    valleys: [Noise; 2],
}

impl Hills {
    fn new(seed: u64) -> Self {
        let noise = |stream: usize, cells: f32| Noise::new(mix(seed ^ stream as u64), 1.0 / cells);
        Self {
            octaves: std::array::from_fn(|octave| noise(octave, 3.0 * (1 << octave) as f32)),
            valleys: [noise(100, 2.3), noise(101, 6.1)],
        }
    }

    fn at(&self, x: f32, y: f32) -> f32 {
        let position = vec2(x, y);
        let mut height = 0.0;
        let mut amplitude = 0.5;
        for octave in &self.octaves {
            height += amplitude * octave.at(position);
            amplitude *= 0.45;
        }
        let [broad, fine] = &self.valleys;
        let course = broad.at(position) - 0.5 + 0.15 * (fine.at(position) - 0.5);
        let valley = 1.0 - rise(0.0, 0.22, course.abs());
        height * (1.0 - 0.6 * valley)
    }
}

/// A grid of path and wall blocks. Blocks with odd row and column are cells; the blocks between two cells
/// are walls or doors.
struct Maze {
    is_wall: [[bool; Self::BLOCKS]; Self::BLOCKS],
}

impl Maze {
    const CELLS: usize = 5;
    const BLOCKS: usize = 2 * Self::CELLS + 1;

    /// Opens the doors of a random spanning tree of the cells. There is exactly one path between two cells,
    /// and all walls are connected.
    fn new(seed: u64) -> Self {
        let mut is_wall = [[true; Self::BLOCKS]; Self::BLOCKS];
        let mut doors = Vec::new();
        for row in 0..Self::CELLS {
            for column in 0..Self::CELLS {
                is_wall[2 * row + 1][2 * column + 1] = false;
                let cell = row * Self::CELLS + column;
                if column + 1 < Self::CELLS {
                    doors.push(([cell, cell + 1], [2 * row + 1, 2 * column + 2]));
                }
                if row + 1 < Self::CELLS {
                    doors.push(([cell, cell + Self::CELLS], [2 * row + 2, 2 * column + 1]));
                }
            }
        }
        Random::new(mix(seed)).shuffle(&mut doors);
        let mut connected = UnionFind::new(Self::CELLS * Self::CELLS);
        for ([a, b], [row, column]) in doors {
            if connected.join(a as u32, b as u32) {
                is_wall[row][column] = false;
            }
        }
        Self { is_wall }
    }

    fn at(&self, x: f32, y: f32) -> f32 {
        let block =
            |fraction: f32| ((fraction * Self::BLOCKS as f32) as usize).min(Self::BLOCKS - 1);
        f32::from(u8::from(self.is_wall[block(y)][block(x)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan_terrain::{LowGraph, Price, WebOptions};

    #[test]
    fn every_function_fills_its_range_at_any_size() {
        for function in HeightFunction::ALL {
            for (width, height) in [(33, 33), (64, 17), (257, 257)] {
                let map = function.map(width, height, 1).unwrap();
                assert_eq!([map.width(), map.height()], [width, height]);
                let has = |wanted: f32| map.values().contains(&wanted);
                assert!(has(0.0), "{function}");
                assert_eq!(has(1.0), function != HeightFunction::Flat, "{function}");
                let web = map.triangulate(&WebOptions::default(), None).unwrap();
                LowGraph::new(&web, &Price::default()).unwrap();
            }
            function.map(2, 2, 1).unwrap();
            assert!(function.map(1, 2, 1).is_err());
        }
    }

    #[test]
    fn only_random_functions_depend_on_the_seed() {
        for function in HeightFunction::ALL {
            let [a, again, b] = [1, 1, 2].map(|seed| function.map(65, 65, seed).unwrap());
            assert_eq!(a, again);
            assert_eq!(a != b, function.is_random(), "{function}");
        }
    }

    #[test]
    fn names_can_be_parsed() {
        for function in HeightFunction::ALL {
            assert_eq!(function.name().parse(), Ok(function));
        }
        let error = "Cone".parse::<HeightFunction>().unwrap_err().to_string();
        assert!(
            error.contains("\"Cone\"") && error.contains("cone, ridges"),
            "{error}"
        );
    }

    #[test]
    fn the_first_row_is_the_north() {
        // The trench does not reach the north, so row 0 has the height of the plain.
        let map = HeightFunction::Trench.map(65, 65, 1).unwrap();
        assert!(map.values()[..65].iter().all(|&value| value == 1.0));
        assert!(map.values()[64 * 65..].contains(&0.0));
    }

    #[test]
    fn all_paths_of_a_maze_are_connected_and_so_are_all_walls() {
        for seed in 0..20 {
            let maze = Maze::new(seed);
            for is_wall in [false, true] {
                let blocks = Maze::BLOCKS;
                let mut connected = UnionFind::new(blocks * blocks);
                let mut pieces = 0;
                for row in 0..blocks {
                    for column in 0..blocks {
                        if maze.is_wall[row][column] != is_wall {
                            continue;
                        }
                        pieces += 1;
                        let id = (row * blocks + column) as u32;
                        if row > 0 && maze.is_wall[row - 1][column] == is_wall {
                            pieces -= i32::from(connected.join(id, id - blocks as u32));
                        }
                        if column > 0 && maze.is_wall[row][column - 1] == is_wall {
                            pieces -= i32::from(connected.join(id, id - 1));
                        }
                    }
                }
                assert_eq!(pieces, 1, "seed {seed}, wall {is_wall}");
            }
        }
    }
}
