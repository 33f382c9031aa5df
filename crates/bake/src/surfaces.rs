//! Checks the triangles of a level, converts them to cells and assigns an area type to each.

use std::collections::BTreeSet;
use std::f64::consts::FRAC_1_SQRT_2;

use glam::{Vec3, Vec3A};
use portolan_core::geometry::Aabb;
use portolan_core::{AreaRules, Csr, Ground, Triangles, trigonometry};
use rerecast::AreaType;

use crate::diagnose::FaceDirections;
use crate::grid::{Grid, Rect};
use crate::{BakeError, BakeOptions};

/// The area type of holes. No area rule can use it. It is walkable at first and becomes unwalkable after
/// the filters: the filter for low obstacles would treat an unwalkable surface just above walkable ground
/// as a kerb that agents step on. It is the highest number, because Recast keeps the higher number where
/// surfaces meet.
pub(crate) const HOLE: AreaType = AreaType(AreaRules::MAX_AREA + 2);

/// Converts ground to Recast's area type, where 0 means not walkable.
pub(crate) fn area_type(ground: Ground) -> AreaType {
    match ground {
        Ground::Area(area) => AreaType(area + 1),
        Ground::Hole => HOLE,
    }
}

/// Converts Recast's area type of a walkable polygon to an area number, the inverse of [`area_type`].
pub(crate) fn area(area_type: AreaType) -> u8 {
    area_type.0.saturating_sub(1)
}

/// The triangles of a level after all checks, in metres.
pub(crate) struct CheckedTriangles<'a> {
    triangles: &'a Triangles,
    usable: Vec<u32>,
    pub(crate) bounds: Aabb,
    pub(crate) degenerate: usize,
    pub(crate) facing: FaceDirections,
}

impl<'a> CheckedTriangles<'a> {
    pub(crate) fn new(triangles: &'a Triangles) -> Result<Self, BakeError> {
        if triangles.triangles.is_empty() {
            return Err(BakeError::NoTriangles);
        }
        for (vertex, position) in triangles.vertices.iter().enumerate() {
            if !position.is_finite() {
                let Vec3 { x, y, z } = *position;
                return Err(BakeError::NotFinite { vertex, x, y, z });
            }
        }
        let vertices = triangles.vertices.len();
        let materials = &triangles.materials;
        if !materials.is_empty() && materials.len() != triangles.triangles.len() {
            let triangle = materials.len().min(triangles.triangles.len());
            return Err(BakeError::NoSuchMaterial { triangle });
        }
        let mut usable = Vec::with_capacity(triangles.triangles.len());
        let mut bounds = Aabb::EMPTY;
        let mut areas = FaceAreas::default();
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
            if normal_y(triangles.corners(triangle)).is_some() {
                areas.add(triangles.corners(triangle));
                usable.push(triangle as u32);
                bounds = bounds.union(Aabb::around(triangles.corners(triangle)));
            }
        }
        if usable.is_empty() {
            return Err(BakeError::OnlyDegenerate {
                triangles: triangles.triangles.len(),
            });
        }
        Ok(Self {
            degenerate: triangles.triangles.len() - usable.len(),
            triangles,
            usable,
            bounds,
            facing: areas.facing(),
        })
    }

    /// Converts the triangles to the cells of `grid` and assigns area types.
    pub(crate) fn in_cells(
        &self,
        grid: &Grid,
        options: &BakeOptions,
        rules: &AreaRules,
    ) -> Surfaces {
        // The tolerance keeps ground of exactly this slope walkable. `rerecast` can mark slopes, too, but
        // with the cosine of the platform, whose result differs between platforms.
        let min_normal_y = trigonometry::cos(f64::from(options.agent_slope).to_radians()) - 1e-6;
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
        let area_type_of = |triangle: usize| {
            let is_steep =
                normal_y(self.triangles.corners(triangle)).is_none_or(|y| y < min_normal_y);
            if is_steep {
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
                .usable
                .iter()
                .map(|&t| corners(t as usize).map(Vec3A::from))
                .collect(),
            area_types: self
                .usable
                .iter()
                .map(|&t| area_type_of(t as usize))
                .collect(),
        }
    }

    /// Returns the names of materials in the rules that the triangles do not have.
    pub(crate) fn unused_rules(&self, rules: &AreaRules) -> Vec<String> {
        let used: BTreeSet<&String> = self.triangles.material_names.iter().collect();
        let unused = rules.materials.keys().filter(|name| !used.contains(name));
        unused.cloned().collect()
    }
}

/// Returns the y component of a triangle's unit normal, or `None` if the triangle has no area.
fn normal_y(corners: [Vec3; 3]) -> Option<f64> {
    let [a, b, c] = corners.map(|corner| corner.as_dvec3());
    let normal = (b - a).cross(c - a);
    let length = normal.length();
    (length > 0.0).then(|| normal.y / length)
}

/// Surface areas by the direction of the faces.
#[derive(Default)]
struct FaceAreas {
    all: f64,
    up: f64,
    down: f64,
    along: [f64; 3],
}

impl FaceAreas {
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

    fn facing(&self) -> FaceDirections {
        let fraction = |area: f64| (area / self.all) as f32;
        FaceDirections {
            up: fraction(self.up),
            down: fraction(self.down),
            along_x: fraction(self.along[0]),
            along_z: fraction(self.along[2]),
        }
    }
}

/// The triangles of a level in cells, and their area types.
pub(crate) struct Surfaces {
    pub(crate) corners: Vec<[Vec3A; 3]>,
    pub(crate) area_types: Vec<AreaType>,
}

impl Surfaces {
    /// Returns the height of the highest point, in cells.
    pub(crate) fn top(&self) -> f32 {
        let heights = self.corners.iter().flatten().map(|corner| corner.y);
        heights.fold(0.0, f32::max)
    }

    /// Returns per tile the triangles in it or within `border` cells of it.
    pub(crate) fn by_tile(&self, grid: &Grid, border: u16) -> Csr<u32> {
        let tiles_along = grid.tiles_along();
        let mut pairs = Vec::with_capacity(self.corners.len());
        for (triangle, corners) in self.corners.iter().enumerate() {
            let (min, max) = extent(corners);
            let tiles = |axis: usize| {
                let side = if grid.side == 0 { 1 << 30 } else { grid.side } as f32;
                let low = ((min[axis] - f32::from(border) - 1.0) / side)
                    .floor()
                    .max(0.0);
                let high = ((max[axis] + f32::from(border) + 1.0) / side).floor();
                let last = tiles_along[axis / 2] - 1;
                (low as u32)..=(high.max(0.0) as u32).min(last)
            };
            for z in tiles(2) {
                for x in tiles(0) {
                    pairs.push((x + z * tiles_along[0], triangle as u32));
                }
            }
        }
        Csr::group(grid.tiles(), &pairs)
    }

    /// Returns those of `triangles` that are in `rect` or within `border` cells of it.
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

/// Checks that the areas and volumes of the rules are valid.
pub(crate) fn check_rules(rules: &AreaRules) -> Result<(), BakeError> {
    let check_area = |ground: Ground, rule: &dyn Fn() -> String| match ground {
        Ground::Area(area) if area > AreaRules::MAX_AREA => {
            Err(BakeError::Area { rule: rule(), area })
        }
        _ => Ok(()),
    };
    for (name, &ground) in &rules.materials {
        check_area(ground, &|| format!("material {name:?}"))?;
    }
    for &area in rules.flags.keys() {
        check_area(Ground::Area(area), &|| {
            "an entry of the area flags".to_owned()
        })?;
    }
    for (index, volume) in rules.volumes.iter().enumerate() {
        check_area(volume.ground, &|| format!("volume {index}"))?;
        let invalid = |reason| {
            Err(BakeError::Volume {
                volume: index,
                reason,
            })
        };
        if volume.outline.len() < 3 {
            return invalid("the outline has fewer than three corners");
        }
        let heights = [volume.bottom, volume.top];
        if heights.iter().any(|h| h.is_nan()) || volume.outline.iter().any(|c| !c.is_finite()) {
            return invalid("a coordinate is not finite");
        }
    }
    Ok(())
}
