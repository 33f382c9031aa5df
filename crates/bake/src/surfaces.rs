//! Triangles, checked, measured in cells, each with what it is to an agent.

use std::collections::BTreeSet;
use std::f64::consts::FRAC_1_SQRT_2;

use glam::{Vec3, Vec3A};
use portolan_core::geometry::Aabb;
use portolan_core::{AreaRules, Csr, Ground, Triangles, trigonometry};
use rerecast::AreaType;

use crate::diagnose::Facing;
use crate::grid::{Grid, Rect};
use crate::{BakeError, BakeOptions};

/// Ground of one's own, which no area rule can name: it becomes a hole once the filters are
/// through. Were it not walkable from the start, the filter for low obstacles would take a hole
/// just above walkable ground for a kerb. The highest number, because where surfaces meet the
/// higher wins.
pub(crate) const HOLE: AreaType = AreaType(AreaRules::MAX_AREA + 2);

/// What Recast calls a kind of ground; its 0 is "not walkable".
pub(crate) fn area_type(ground: Ground) -> AreaType {
    match ground {
        Ground::Area(area) => AreaType(area + 1),
        Ground::Hole => HOLE,
    }
}

/// The inverse of [`area_type`] for ground that is left.
pub(crate) fn area(kind: AreaType) -> u8 {
    kind.0.saturating_sub(1)
}

/// Which triangles there are and where, in metres.
pub(crate) struct Checked<'a> {
    triangles: &'a Triangles,
    sound: Vec<u32>,
    pub(crate) bounds: Aabb,
    pub(crate) degenerate: usize,
    pub(crate) facing: Facing,
}

impl<'a> Checked<'a> {
    pub(crate) fn new(triangles: &'a Triangles) -> Result<Self, BakeError> {
        if triangles.triangles.is_empty() {
            return Err(BakeError::NoTriangles);
        }
        for (vertex, place) in triangles.vertices.iter().enumerate() {
            if !place.is_finite() {
                let Vec3 { x, y, z } = *place;
                return Err(BakeError::NotFinite { vertex, x, y, z });
            }
        }
        let vertices = triangles.vertices.len();
        let materials = &triangles.materials;
        if !materials.is_empty() && materials.len() != triangles.triangles.len() {
            let triangle = materials.len().min(triangles.triangles.len());
            return Err(BakeError::NoSuchMaterial { triangle });
        }
        let mut sound = Vec::with_capacity(triangles.triangles.len());
        let mut bounds = Aabb::EMPTY;
        let mut areas = Areas::default();
        for (triangle, corners) in triangles.triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices) {
                return Err(BakeError::NoSuchVertex {
                    triangle,
                    vertex,
                    vertices,
                });
            }
            let material = materials.get(triangle);
            if material.is_some_and(|&m| m as usize >= triangles.material_names.len()) {
                return Err(BakeError::NoSuchMaterial { triangle });
            }
            if normal(triangles.corners(triangle)).is_some() {
                areas.add(triangles.corners(triangle));
                sound.push(triangle as u32);
                bounds = bounds.union(Aabb::around(triangles.corners(triangle)));
            }
        }
        if sound.is_empty() {
            return Err(BakeError::OnlyDegenerate {
                triangles: triangles.triangles.len(),
            });
        }
        Ok(Self {
            degenerate: triangles.triangles.len() - sound.len(),
            triangles,
            sound,
            bounds,
            facing: areas.facing(),
        })
    }

    /// The triangles in the cells of `grid`.
    pub(crate) fn in_cells(
        &self,
        grid: &Grid,
        options: &BakeOptions,
        rules: &AreaRules,
    ) -> Surfaces {
        // Ground of just this slope is walked on, whichever way it is rounded.
        // rerecast could mark slopes too, but by the platform's cosine, its only trigonometry.
        let level = trigonometry::cos(f64::from(options.agent_slope).to_radians()) - 1e-6;
        let by_material: Vec<AreaType> = self
            .triangles
            .material_names
            .iter()
            .map(|name| {
                area_type(
                    rules
                        .materials
                        .get(name)
                        .copied()
                        .unwrap_or(Ground::Area(0)),
                )
            })
            .collect();
        let kind = |triangle: usize| {
            let steep = normal(self.triangles.corners(triangle)).is_none_or(|up| up < level);
            if steep {
                return AreaType::NOT_WALKABLE;
            }
            self.triangles
                .materials
                .get(triangle)
                .map_or(area_type(Ground::Area(0)), |&m| by_material[m as usize])
        };
        let corners = |triangle: usize| self.triangles.corners(triangle).map(|v| grid.to_cells(v));
        Surfaces {
            corners: self
                .sound
                .iter()
                .map(|&t| corners(t as usize).map(Vec3A::from))
                .collect(),
            kinds: self.sound.iter().map(|&t| kind(t as usize)).collect(),
        }
    }

    /// Materials that the rules name and the triangles do not have.
    pub(crate) fn unused_rules(&self, rules: &AreaRules) -> Vec<String> {
        let known: BTreeSet<&String> = self.triangles.material_names.iter().collect();
        let unused = rules.materials.keys().filter(|name| !known.contains(name));
        unused.cloned().collect()
    }
}

/// How much a triangle's normal points up, from -1 to 1; `None` where it has no area.
fn normal(corners: [Vec3; 3]) -> Option<f64> {
    let [a, b, c] = corners.map(|corner| corner.as_dvec3());
    let normal = (b - a).cross(c - a);
    let length = normal.length();
    (length > 0.0).then(|| normal.y / length)
}

/// Areas of faces by the direction that they point in.
#[derive(Default)]
struct Areas {
    all: f64,
    up: f64,
    down: f64,
    along: [f64; 3],
}

impl Areas {
    fn add(&mut self, corners: [Vec3; 3]) {
        let [a, b, c] = corners.map(|corner| corner.as_dvec3());
        let normal = (b - a).cross(c - a);
        let area = normal.length();
        self.all += area;
        let Some(axis) = (0..3).find(|&axis| normal[axis].abs() > FRAC_1_SQRT_2 * area) else {
            return;
        };
        match axis {
            1 if normal.y > 0.0 => self.up += area,
            1 => self.down += area,
            _ => self.along[axis] += area,
        }
    }

    fn facing(&self) -> Facing {
        let share = |area: f64| (area / self.all) as f32;
        Facing {
            up: share(self.up),
            down: share(self.down),
            along_x: share(self.along[0]),
            along_z: share(self.along[2]),
        }
    }
}

/// Triangles in cells, and what kind of ground each is.
pub(crate) struct Surfaces {
    pub(crate) corners: Vec<[Vec3A; 3]>,
    pub(crate) kinds: Vec<AreaType>,
}

impl Surfaces {
    /// Highest point, in cells.
    pub(crate) fn top(&self) -> f32 {
        let heights = self.corners.iter().flatten().map(|corner| corner.y);
        heights.fold(0.0, f32::max)
    }

    /// Per tile, the triangles that reach into it or within `border` cells of it.
    pub(crate) fn by_tile(&self, grid: &Grid, border: u16) -> Csr<u32> {
        let along = grid.tiles_along();
        let mut pairs = Vec::with_capacity(self.corners.len());
        for (triangle, corners) in self.corners.iter().enumerate() {
            let (min, max) = extent(corners);
            let tiles = |axis: usize| {
                let side = if grid.side == 0 { 1 << 30 } else { grid.side } as f32;
                let low = ((min[axis] - f32::from(border) - 1.0) / side)
                    .floor()
                    .max(0.0);
                let high = ((max[axis] + f32::from(border) + 1.0) / side).floor();
                let last = along[axis / 2] - 1;
                (low as u32)..=(high.max(0.0) as u32).min(last)
            };
            for z in tiles(2) {
                for x in tiles(0) {
                    pairs.push((x + z * along[0], triangle as u32));
                }
            }
        }
        Csr::group(grid.tiles(), &pairs)
    }

    /// Of `triangles`, those that reach into `rect` or within `border` cells of it.
    pub(crate) fn within(&self, rect: Rect, border: u16, triangles: &[u32]) -> Vec<u32> {
        let border = f32::from(border) + 1.0;
        let reaches = |&&triangle: &&u32| {
            let (min, max) = extent(&self.corners[triangle as usize]);
            min.x <= rect.max[0] as f32 + border
                && max.x >= rect.min[0] as f32 - border
                && min.z <= rect.max[1] as f32 + border
                && max.z >= rect.min[1] as f32 - border
        };
        triangles.iter().filter(reaches).copied().collect()
    }
}

fn extent(corners: &[Vec3A; 3]) -> (Vec3A, Vec3A) {
    let [a, b, c] = *corners;
    (a.min(b).min(c), a.max(b).max(c))
}

/// Checks that a bake can make the areas that the rules ask for.
pub(crate) fn check_rules(rules: &AreaRules) -> Result<(), BakeError> {
    let check = |ground: Ground, what: &dyn Fn() -> String| match ground {
        Ground::Area(area) if area > AreaRules::MAX_AREA => {
            Err(BakeError::Area { what: what(), area })
        }
        _ => Ok(()),
    };
    for (name, &ground) in &rules.materials {
        check(ground, &|| format!("material {name:?}"))?;
    }
    for &area in rules.flags.keys() {
        check(Ground::Area(area), &|| "an entry of the flags".to_owned())?;
    }
    for (index, volume) in rules.volumes.iter().enumerate() {
        check(volume.ground, &|| format!("volume {index}"))?;
        let wrong = |what| {
            Err(BakeError::Volume {
                volume: index,
                what,
            })
        };
        if volume.outline.len() < 3 {
            return wrong("its outline has fewer than three corners");
        }
        let heights = [volume.bottom, volume.top];
        if heights.iter().any(|h| h.is_nan()) || volume.outline.iter().any(|c| !c.is_finite()) {
            return wrong("not all of its numbers are finite");
        }
    }
    Ok(())
}
