//! The strip of land below the city.

use glam::{Vec2, vec2};

use crate::levels::plan::ScenePlan;
use crate::levels::town::outline::left_of;
use crate::model::{Material, Model, at};

/// Height of the water.
pub(super) const SEA: f32 = -2.5;
/// Approximate distance between stations, in metres.
const STEP: f32 = 6.0;
/// Distance between two rows of the strip.
const ROW: f32 = 66.0;
/// How far a turn extends beyond the two rows that it connects.
const TURN: f32 = 34.0;

/// How much wider the land is at its foot, on each side.
const FLANK: f32 = 1.5;

/// A strip of land as a sequence of cross-sections, the stations.
pub(super) struct LandStrip {
    stations: Vec<Station>,
}

struct Station {
    centre: Vec2,
    along: Vec2,
    half: f32,
    height: f32,
}

impl LandStrip {
    /// Creates a strip of approximately this length.
    pub(super) fn new(plan: &ScenePlan, length: f32) -> Self {
        // At least three rows; the level is about square.
        let rows = (length / ROW).sqrt().round().max(3.0);
        let row = (length / rows - ROW).max(50.0);
        let line = smooth(&control_points(plan, rows as u32, row));
        let width = plan.noise(11, 70.0);
        let relief = plan.noise(12, 90.0);
        let stations = (0..line.len())
            .map(|index| {
                let centre = line[index];
                let (before, after) = (index.saturating_sub(1), (index + 1).min(line.len() - 1));
                Station {
                    centre,
                    along: (line[after] - line[before]).normalize_or(Vec2::X),
                    half: 16.0 + 4.0 * width.at(centre),
                    height: 4.0 * relief.at(centre),
                }
            })
            .collect();
        Self { stations }
    }

    pub(super) fn stations(&self) -> usize {
        self.stations.len()
    }

    /// Returns half of the width of the land at a station.
    pub(super) fn half(&self, station: usize) -> f32 {
        self.stations[station].half
    }

    pub(super) fn along(&self, station: usize) -> Vec2 {
        self.stations[station].along
    }

    pub(super) fn height(&self, station: usize) -> f32 {
        self.stations[station].height
    }

    /// Returns a point on the edge of the land, on the right for -1 and on the left for 1.
    pub(super) fn edge(&self, station: usize, side: f32) -> Vec2 {
        self.section(station, side * self.stations[station].half)
    }

    /// Returns the point at `offset` metres to the left of the centre line.
    fn section(&self, station: usize, offset: f32) -> Vec2 {
        let Station { centre, along, .. } = self.stations[station];
        centre + left_of(along) * offset
    }

    /// Returns the point at `offset` metres to the left of the centre line, between two stations.
    pub(super) fn position_at(&self, station: f32, offset: f32) -> Vec2 {
        let last = self.stations.len() - 2;
        let index = (station as usize).min(last);
        let fraction = station - index as f32;
        let [near, far] = [index, index + 1].map(|index| self.section(index, offset));
        near.lerp(far, fraction)
    }

    /// Returns the outline between two stations and two offsets, counterclockwise.
    pub(super) fn plot(&self, stations: [usize; 2], offsets: [f32; 2]) -> Vec<Vec2> {
        let [low, high] = [offsets[0].min(offsets[1]), offsets[0].max(offsets[1])];
        vec![
            self.section(stations[0], low),
            self.section(stations[1], low),
            self.section(stations[1], high),
            self.section(stations[0], high),
        ]
    }

    /// Returns the lowest and the highest ground between two stations.
    pub(super) fn heights(&self, stations: [usize; 2]) -> [f32; 2] {
        let between = &self.stations[stations[0]..=stations[1]];
        between
            .iter()
            .fold([f32::MAX, f32::MIN], |[low, high], station| {
                [low.min(station.height), high.max(station.height)]
            })
    }

    /// Returns the height of the ground at a point on the land.
    pub(super) fn height_near(&self, position: Vec2) -> f32 {
        let mut nearest = (f32::MAX, 0.0);
        for pair in self.stations.windows(2) {
            let segment = pair[1].centre - pair[0].centre;
            let fraction = ((position - pair[0].centre).dot(segment) / segment.length_squared())
                .clamp(0.0, 1.0);
            let squared_distance = position.distance_squared(pair[0].centre + segment * fraction);
            if squared_distance < nearest.0 {
                nearest = (
                    squared_distance,
                    pair[0].height + (pair[1].height - pair[0].height) * fraction,
                );
            }
        }
        nearest.1
    }

    /// Adds the ground, its flanks down into the water, and parapets along both edges.
    pub(super) fn build(&self, model: &mut Model) {
        for pair in self.stations.windows(2) {
            let section = |station: &Station, offset: f32, height: f32| {
                at(
                    station.centre + left_of(station.along) * offset,
                    station.height + height,
                )
            };
            let halves = [pair[0].half, pair[1].half];
            // Borders of the lanes from right to left, relative to the distance of the edge.
            let lanes = [-1.0f32, -0.25, 0.25, 1.0];
            for (lane, material) in [Material::Stone, Material::Road, Material::Stone]
                .into_iter()
                .enumerate()
            {
                let (right, left) = (lanes[lane], lanes[lane + 1]);
                model.paint(material);
                model.quad(
                    section(&pair[0], right * halves[0], 0.0),
                    section(&pair[0], left * halves[0], 0.0),
                    section(&pair[1], left * halves[1], 0.0),
                    section(&pair[1], right * halves[1], 0.0),
                );
            }
            model.paint(Material::Rock);
            for side in [-1.0, 1.0] {
                let top = [0, 1].map(|end| section(&pair[end], side * halves[end], 0.0));
                let foot = [0, 1].map(|end| {
                    let edge = section(&pair[end], side * (halves[end] + FLANK), 0.0);
                    at(vec2(edge.x, edge.z), SEA - 1.0)
                });
                if side > 0.0 {
                    model.quad(top[0], foot[0], foot[1], top[1]);
                } else {
                    model.quad(top[0], top[1], foot[1], foot[0]);
                }
            }
            model.paint(Material::Stone);
            for side in [-1.0, 1.0] {
                let [near, far] =
                    [0, 1].map(|end| section(&pair[end], side * (halves[end] - 0.25), 1.0));
                model.slab(near, far, 0.4, 1.2);
            }
        }
        let last = self.stations.len() - 1;
        for (station, side) in [(0, 1.0), (last, -1.0)] {
            self.build_end(model, station, side);
        }
    }

    /// Adds the face at one end of the strip and a parapet on it. `side` is the edge on the left as seen from outside
    /// the strip.
    fn build_end(&self, model: &mut Model, station: usize, side: f32) {
        let Station { half, height, .. } = self.stations[station];
        let [a, b] = [side, -side].map(|side| self.section(station, side * half));
        let [c, d] = [side, -side].map(|side| self.section(station, side * (half + FLANK)));
        model.paint(Material::Rock);
        model.quad(
            at(a, height),
            at(b, height),
            at(d, SEA - 1.0),
            at(c, SEA - 1.0),
        );
        let inwards = left_of(b - a).normalize_or_zero() * 0.25;
        model.paint(Material::Stone);
        model.wall(
            a + inwards,
            b + inwards,
            height - 0.2,
            height + 1.0,
            0.4,
            &[],
        );
    }
}

/// Returns the control points of the centre line: along a row, around, and back.
fn control_points(plan: &ScenePlan, rows: u32, length: f32) -> Vec<Vec2> {
    let mut random = plan.random(10);
    let pieces = (length / 42.0).round().max(1.0) as u32;
    let mut points = Vec::new();
    for row in 0..rows {
        let z = row as f32 * ROW;
        for point in 0..=pieces {
            let fraction = point as f32 / pieces as f32;
            let x = if row % 2 == 0 {
                fraction
            } else {
                1.0 - fraction
            } * length;
            points.push(vec2(x, z + random.between(-6.0, 6.0)));
        }
        if row + 1 < rows {
            let out = if row % 2 == 0 { length + TURN } else { -TURN };
            points.push(vec2(out, z + 0.5 * ROW));
        }
    }
    points
}

/// Returns points of a Catmull-Rom spline through the control points, approximately `STEP` apart.
fn smooth(points: &[Vec2]) -> Vec<Vec2> {
    let point = |index: isize| points[index.clamp(0, points.len() as isize - 1) as usize];
    let mut line = vec![points[0]];
    for index in 0..points.len() as isize - 1 {
        let [a, b, c, d] = [-1, 0, 1, 2].map(|step| point(index + step));
        let steps = (b.distance(c) / STEP).round().max(1.0) as u32;
        for step in 1..=steps {
            let t = step as f32 / steps as f32;
            let curve = 2.0 * b
                + (c - a) * t
                + (2.0 * a - 5.0 * b + 4.0 * c - d) * (t * t)
                + (3.0 * b - a - 3.0 * c + d) * (t * t * t);
            line.push(0.5 * curve);
        }
    }
    line
}
