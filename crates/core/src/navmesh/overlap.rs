//! Finds polygons that cover the same ground, by clipping one outline with the other.

use glam::{DVec2, DVec3, Vec3};

/// How far two outlines may reach into each other. [Units: m] Corners of tiles are rounded, and convex only within a
/// tolerance.
const MAX_OVERLAP: f64 = 0.02;

/// Returns whether two convex outlines, counter-clockwise in plan, overlap in plan by more than a narrow strip, with less
/// than `step` between their heights there.
pub(super) fn overlap(a: &[Vec3], b: &[Vec3], step: f32) -> bool {
    let common = clipped(a, b);
    let (area, perimeter) = size(&common);
    // A strip of width w and length l has the area w l and a perimeter of 2 l.
    if area <= MAX_OVERLAP * perimeter / 2.0 || area <= MAX_OVERLAP * MAX_OVERLAP {
        return false;
    }
    let centre = common.iter().sum::<DVec2>() / common.len() as f64;
    (height_at(a, centre) - height_at(b, centre)).abs() < f64::from(step)
}

fn in_plan(point: Vec3) -> DVec2 {
    DVec2::new(point.x.into(), point.z.into())
}

/// Returns the common part of two convex outlines in plan.
fn clipped(a: &[Vec3], b: &[Vec3]) -> Vec<DVec2> {
    let mut common: Vec<DVec2> = a.iter().map(|&point| in_plan(point)).collect();
    for (i, &from) in b.iter().enumerate() {
        let (from, to) = (in_plan(from), in_plan(b[(i + 1) % b.len()]));
        let side = |point: DVec2| (to - from).perp_dot(point - from);
        let mut kept = Vec::with_capacity(common.len() + 1);
        for (j, &here) in common.iter().enumerate() {
            let next = common[(j + 1) % common.len()];
            let (at_here, at_next) = (side(here), side(next));
            if at_here >= 0.0 {
                kept.push(here);
            }
            if (at_here > 0.0 && at_next < 0.0) || (at_here < 0.0 && at_next > 0.0) {
                kept.push(here.lerp(next, at_here / (at_here - at_next)));
            }
        }
        common = kept;
    }
    common
}

/// Returns the area and the perimeter of an outline.
fn size(outline: &[DVec2]) -> (f64, f64) {
    let Some(&first) = outline.first() else {
        return (0.0, 0.0);
    };
    let sides = outline.iter().zip(outline.iter().cycle().skip(1));
    sides.fold((0.0, 0.0), |(area, perimeter), (&from, &to)| {
        let cross = (from - first).perp_dot(to - first);
        (area + cross / 2.0, perimeter + from.distance(to))
    })
}

/// Returns the height of an outline at a point in plan: on the plane that fits its corners best in the direction of
/// the normal of its outline.
fn height_at(outline: &[Vec3], point: DVec2) -> f64 {
    let count = outline.len() as f64;
    let centre = outline.iter().map(|p| p.as_dvec3()).sum::<DVec3>() / count;
    // The sum of the normals of the triangles around the centre (Newell).
    let normal = outline
        .iter()
        .zip(outline.iter().cycle().skip(1))
        .map(|(a, b)| (a.as_dvec3() - centre).cross(b.as_dvec3() - centre))
        .sum::<DVec3>();
    let offset = point - DVec2::new(centre.x, centre.z);
    match normal.y {
        0.0 => centre.y,
        y => centre.y - (normal.x * offset.x + normal.z * offset.y) / y,
    }
}

#[cfg(test)]
mod tests {
    use glam::vec3;

    use super::*;

    fn square(x: f32, y: f32) -> [Vec3; 4] {
        [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)].map(|(dx, z)| vec3(x + dx, y, z))
    }

    #[test]
    fn neighbours_and_floors_do_not_overlap() {
        let ground = square(0.0, 0.0);
        assert!(!overlap(&ground, &square(2.0, 0.0), 0.9), "a common border");
        assert!(
            !overlap(&ground, &square(1.99, 0.0), 0.9),
            "rounded corners"
        );
        assert!(!overlap(&ground, &square(5.0, 0.0), 0.9), "apart");
        assert!(!overlap(&ground, &square(0.5, 3.0), 0.9), "another floor");
        assert!(overlap(&ground, &square(0.5, 0.5), 0.9));
        assert!(overlap(&ground, &ground, 0.9));
        let slope = [(0.0, 0.0), (2.0, 4.0), (2.0, 4.0), (0.0, 0.0)];
        let slope: Vec<Vec3> = square(0.0, 0.0)
            .iter()
            .zip(slope)
            .map(|(p, (_, y))| p.with_y(y))
            .collect();
        // The slope is 3 m above the ground where they overlap.
        assert!(!overlap(&slope, &square(1.5, 0.0)[..], 0.9));
    }
}
