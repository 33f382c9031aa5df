//! Terrain whose exact height is known everywhere.

use glam::vec3;
use portolan_core::Triangles;

/// A square height field of `side` x `side` squares with a point every `spacing` metres.
pub struct TestTerrain {
    pub side: u32,
    pub spacing: f32,
    height: fn(f32, f32) -> f32,
}

/// A smooth wave with a period of 2 and values from -1 to 1, computed from products only.
fn wave(t: f32) -> f32 {
    let part = t - t.floor();
    let hump = 4.0 * part * (1.0 - part);
    if (t.floor() as i64).rem_euclid(2) == 0 {
        hump
    } else {
        -hump
    }
}

pub fn hills(x: f32, z: f32) -> f32 {
    2.0 * wave(x / 13.0) * wave(z / 11.0) + 0.8 * wave((x + z) / 7.0) + 0.05 * x
}

/// Hills that are walkable everywhere: no slope is steeper than 42 degrees.
pub fn downs(x: f32, z: f32) -> f32 {
    1.6 * wave(x / 13.0) * wave(z / 11.0) + 0.4 * wave((x + z) / 9.0) + 0.05 * x
}

pub fn flat(_: f32, _: f32) -> f32 {
    0.0
}

impl TestTerrain {
    pub fn new(side: u32, height: fn(f32, f32) -> f32) -> Self {
        Self {
            side,
            spacing: 1.0,
            height,
        }
    }

    pub fn triangles(&self) -> Triangles {
        let points = self.side + 1;
        let mut triangles = Triangles::default();
        for z in 0..points {
            for x in 0..points {
                let (x, z) = (x as f32 * self.spacing, z as f32 * self.spacing);
                triangles.vertices.push(vec3(x, (self.height)(x, z), z));
            }
        }
        for z in 0..self.side {
            for x in 0..self.side {
                let a = z * points + x;
                let (b, c, d) = (a + 1, a + points, a + points + 1);
                triangles.triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
        triangles
    }

    /// Returns the exact height of the triangles, which interpolate the height function.
    pub fn ground(&self, x: f32, z: f32) -> f32 {
        let last = (self.side - 1) as f32;
        let (u, v) = (x / self.spacing, z / self.spacing);
        let (i, j) = (u.floor().clamp(0.0, last), v.floor().clamp(0.0, last));
        let at = |i: f32, j: f32| (self.height)(i * self.spacing, j * self.spacing);
        let (s, t) = (u - i, v - j);
        let (b, c) = (at(i + 1.0, j), at(i, j + 1.0));
        if s + t <= 1.0 {
            let a = at(i, j);
            a + (b - a) * s + (c - a) * t
        } else {
            let d = at(i + 1.0, j + 1.0);
            d + (c - d) * (1.0 - s) + (b - d) * (1.0 - t)
        }
    }

    /// Returns the lowest and the highest ground within `reach` of a point along x and z.
    pub fn ground_around(&self, x: f32, z: f32, reach: f32) -> [f32; 2] {
        let steps = [-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0];
        let heights = steps
            .iter()
            .flat_map(|dx| steps.map(|dz| self.ground(x + dx * reach, z + dz * reach)));
        heights.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], h| {
            [low.min(h), high.max(h)]
        })
    }
}
