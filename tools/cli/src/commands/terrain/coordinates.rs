//! Converts between the coordinates of a terrain and those of the file that it was built from.

use glam::Vec3;
use portolan_formats::track::rounded;
use portolan_terrain::{Georeference, TriangleWeb};

/// The length of a degree of latitude, at least. [Units: m]
const METRES_PER_DEGREE: f64 = 110_000.0;

/// The coordinates of the file that a terrain was built from. Those that are printed are rounded to what the terrain
/// can tell apart, so that 384000.5 is not printed as 384000.49999.
pub(super) struct FileCoordinates<'a> {
    web: &'a TriangleWeb,
    /// The numbers of decimals in plan and of heights.
    decimals: [usize; 2],
}

impl<'a> FileCoordinates<'a> {
    pub(super) fn new(web: &'a TriangleWeb) -> Self {
        let extent = web.extent();
        let largest = extent.min.abs().max(extent.max.abs());
        // Neighbouring values of an f32.
        let unit = |largest: f32| f64::from(largest) * f64::from(f32::EPSILON);
        let is_geographic = web
            .georeference()
            .crs()
            .is_some_and(|crs| crs.is_geographic());
        let scale = if is_geographic {
            METRES_PER_DEGREE
        } else {
            1.0
        };
        Self {
            web,
            decimals: [
                decimals(unit(largest.x.max(largest.y)) / scale),
                decimals(unit(largest.z)),
            ],
        }
    }

    fn georeference(&self) -> &Georeference {
        self.web.georeference()
    }

    /// Converts a point of the file to the terrain.
    pub(super) fn local(&self, point: [f64; 2]) -> [f32; 2] {
        self.georeference().to_local(point).map(|c| c as f32)
    }

    /// Converts a point of the terrain, in plan, to the file.
    pub(super) fn of_plan(&self, [x, y]: [f32; 2]) -> [f64; 2] {
        let point = self.georeference().to_file([f64::from(x), f64::from(y)]);
        point.map(|coordinate| rounded(coordinate, self.decimals[0]))
    }

    /// Converts a point of the terrain to the file.
    pub(super) fn of(&self, point: Vec3) -> [f64; 3] {
        let [x, y] = self.of_plan([point.x, point.y]);
        [x, y, rounded(f64::from(point.z), self.decimals[1])]
    }

    /// Converts a point of the terrain to longitude, latitude and height. Returns `None` if the system is unknown.
    pub(super) fn degrees(&self, point: Vec3) -> Option<[f64; 3]> {
        let plan = [f64::from(point.x), f64::from(point.y)];
        let [longitude, latitude] = self.georeference().to_degrees(plan)?;
        Some([longitude, latitude, f64::from(point.z)])
    }

    /// Returns the lowest and the highest coordinates of the ground.
    pub(super) fn bounds(&self) -> [[f64; 2]; 2] {
        let extent = self.web.extent();
        let corners = [extent.min.truncate(), extent.max.truncate()];
        let is_moved_only = self
            .georeference()
            .crs()
            .is_none_or(|crs| matches!(crs, portolan_terrain::Crs::Utm { .. }));
        if is_moved_only {
            return corners.map(|corner| self.of_plan(corner.to_array()));
        }
        // The box in other coordinates is not that of the corners, because a parallel is curved on the map.
        let points = self.web.points().iter();
        let points = points.map(|point| {
            self.georeference()
                .to_file([f64::from(point.x), f64::from(point.y)])
        });
        let empty = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        let bounds = points.fold(empty, |[min, max], [x, y]| {
            [
                [min[0].min(x), min[1].min(y)],
                [max[0].max(x), max[1].max(y)],
            ]
        });
        bounds.map(|corner| corner.map(|coordinate| rounded(coordinate, self.decimals[0])))
    }
}

/// Returns the largest number of decimals whose last digit is not finer than a unit.
fn decimals(unit: f64) -> usize {
    let mut shown = 0.1;
    let mut decimals = 0;
    while shown >= unit && decimals < 12 {
        shown /= 10.0;
        decimals += 1;
    }
    decimals
}

#[cfg(test)]
mod tests {
    use portolan_terrain::{Crs, Elevation, ElevationOptions, Lattice};

    use super::*;

    fn web(first: [f64; 2], step: f64, crs: Option<Crs>) -> TriangleWeb {
        let lattice = Lattice {
            first,
            step: [step; 2],
        };
        let heights = (0..9).map(|index| 2000.1 + index as f32).collect();
        let ground = Elevation::new(3, 3, heights, lattice, crs).unwrap();
        ground.triangulate(&ElevationOptions::default()).unwrap()
    }

    #[test]
    fn points_are_those_of_the_file() {
        let metres = web([384_000.25, 5_200_000.75], 0.5, Crs::from_epsg(32631));
        let coordinates = FileCoordinates::new(&metres);
        assert_eq!(
            coordinates.bounds(),
            [[384_000.25, 5_199_999.75], [384_001.25, 5_200_000.75]]
        );
        assert_eq!(coordinates.local([384_000.75, 5_200_000.25]), [0.0, 0.0]);
        let first = metres.points()[0];
        assert_eq!(coordinates.of(first), [384_000.25, 5_200_000.75, 2000.1]);
        let degrees = web([1.5, 42.5], 1.0 / 1200.0, Some(Crs::Wgs84));
        let coordinates = FileCoordinates::new(&degrees);
        let [x, y, z] = coordinates.of(degrees.points()[0]);
        assert!(
            (x - 1.5).abs() < 1e-9 && (y - 42.5).abs() < 1e-9 && z == 2000.1,
            "{x} {y} {z}"
        );
        let [_, [east, north]] = coordinates.bounds();
        assert!((east - 1.5 - 1.0 / 600.0).abs() < 1e-9 && (north - 42.5).abs() < 1e-9);
    }
}
