//! Obstacles: what stands on the ground for a while.

use glam::{DVec2, Vec3};

use crate::navmesh::{Block, CUT_TOLERANCE, MAX_COORDINATE};
use crate::trigonometry::direction;

/// The caller's name of an obstacle. Placing another obstacle under the same name moves or replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleId(pub u64);

/// The shape of an obstacle in plan, as (x, z). [Units: m]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Footprint {
    /// A disc. It counts as a polygon with 12 corners around it.
    Disc {
        /// The centre.
        centre: [f32; 2],
        /// The radius.
        radius: f32,
    },
    /// A rectangle.
    Box {
        /// The centre.
        centre: [f32; 2],
        /// Half the lengths of the two sides.
        half_sides: [f32; 2],
        /// The direction of the first side, as the angle from x towards z. [Units: radians]
        yaw: f32,
    },
    /// A convex polygon, by its corners in either order.
    Convex(Vec<[f32; 2]>),
}

/// An obstacle: a prism that stands on the ground or hangs above it. Agents keep their radius away from it. It closes the
/// ground between `bottom` less the height of the agent, and `top`; floors above and below stay open.
///
/// ```
/// use portolan_core::Obstacle;
///
/// let crate_of_2_m = Obstacle::upright_box([10.0, 0.0, 4.0], [1.0, 1.0], 0.3, 2.0);
/// assert_eq!(crate_of_2_m.top, 2.0);
/// let pillar = Obstacle::disc([3.0, 0.0, 3.0], 0.5, 4.0);
/// let bollards = Obstacle::prism([[0.0, 0.0], [4.0, 0.0], [2.0, 1.0]], 0.0, 1.0);
/// # let _ = (pillar, bollards);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// The shape in plan.
    pub footprint: Footprint,
    /// The height of the lower end. [Units: m]
    pub bottom: f32,
    /// The height of the upper end. [Units: m]
    pub top: f32,
}

impl Obstacle {
    /// Creates an upright cylinder that stands on `base`.
    pub fn disc(base: impl Into<Vec3>, radius: f32, height: f32) -> Self {
        let base = base.into();
        let centre = [base.x, base.z];
        Self {
            footprint: Footprint::Disc { centre, radius },
            bottom: base.y,
            top: base.y + height,
        }
    }

    /// Creates an upright box that stands on `base`, which is the centre of its lower side. `yaw` turns it from x towards
    /// z. [Units: m, radians]
    pub fn upright_box(base: impl Into<Vec3>, half_sides: [f32; 2], yaw: f32, height: f32) -> Self {
        let base = base.into();
        Self {
            footprint: Footprint::Box {
                centre: [base.x, base.z],
                half_sides,
                yaw,
            },
            bottom: base.y,
            top: base.y + height,
        }
    }

    /// Creates a prism over a convex polygon in (x, z).
    pub fn prism(outline: impl Into<Vec<[f32; 2]>>, bottom: f32, top: f32) -> Self {
        Self {
            footprint: Footprint::Convex(outline.into()),
            bottom,
            top,
        }
    }

    /// Returns what the obstacle closes to the centre of an agent, or what is wrong with the obstacle.
    pub(super) fn grown(&self, agent: Agent) -> Result<Block, &'static str> {
        let numbers_are_valid = |numbers: &[f32]| {
            let is_valid = |number: &f32| number.is_finite() && number.abs() <= MAX_COORDINATE;
            numbers.iter().all(is_valid)
        };
        if !numbers_are_valid(&[self.bottom, self.top]) || self.bottom > self.top {
            return Err(
                "its bottom and top must be numbers, and the bottom must not be above the top",
            );
        }
        let margin = f64::from(agent.radius) + 2.0 * CUT_TOLERANCE;
        let corners: Vec<DVec2> = match &self.footprint {
            Footprint::Disc { centre, radius } => {
                if !numbers_are_valid(centre) || !(0.0..=MAX_COORDINATE).contains(radius) {
                    return Err("a disc needs a centre on the map and a radius of at least 0");
                }
                let radius = f64::from(*radius) + margin;
                let side = |i: usize| {
                    let angle = i as f64 * std::f64::consts::TAU / DISC_SIDES as f64;
                    let normal = direction(angle);
                    HalfPlane {
                        normal,
                        offset: normal.dot(point(*centre)) + radius,
                    }
                };
                return Ok(self.block(&(0..DISC_SIDES).map(side).collect::<Vec<_>>(), agent));
            }
            Footprint::Box {
                centre,
                half_sides,
                yaw,
            } => {
                let sides_are_valid = half_sides.iter().all(|&side| side > 0.0);
                if !numbers_are_valid(centre)
                    || !numbers_are_valid(half_sides)
                    || !sides_are_valid
                    || !yaw.is_finite()
                {
                    return Err(
                        "a box needs a centre on the map, sides of more than 0 and a finite yaw",
                    );
                }
                let along = direction(f64::from(*yaw)) * f64::from(half_sides[0]);
                let across = direction(f64::from(*yaw)).perp() * f64::from(half_sides[1]);
                let centre = point(*centre);
                vec![
                    centre - along - across,
                    centre + along - across,
                    centre + along + across,
                    centre - along + across,
                ]
            }
            Footprint::Convex(outline) => {
                if outline.len() > MAX_CORNERS || !outline.iter().all(|p| numbers_are_valid(p)) {
                    return Err("a prism needs 3 to 64 corners on the map");
                }
                convex(outline.iter().copied().map(point).collect())
                    .ok_or("the corners of a prism must form a convex polygon with an area")?
            }
        };
        Ok(self.block(&grown_sides(&corners, margin), agent))
    }

    fn block(&self, sides: &[HalfPlane], agent: Agent) -> Block {
        let count = sides.len();
        let corner = |i: usize| sides[i].meet(sides[(i + 1) % count]);
        Block {
            outline: (0..count).map(corner).collect(),
            bottom: self.bottom - agent.height,
            top: self.top,
        }
    }
}

/// The size of the agents that obstacles are grown by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Agent {
    pub(super) radius: f32,
    pub(super) height: f32,
}

/// The number of sides of the polygon around a disc. It reaches 3.5% beyond the disc at its corners.
const DISC_SIDES: usize = 12;

/// The maximum number of corners of an outline.
const MAX_CORNERS: usize = 64;

/// The cosine of the maximum turn between two sides of a grown outline, 60 degrees. A sharper corner is cut off.
const MIN_COSINE: f64 = 0.5 - 1e-9;

/// The points whose product with the normal is at most the offset.
#[derive(Clone, Copy)]
struct HalfPlane {
    normal: DVec2,
    offset: f64,
}

impl HalfPlane {
    /// Returns where the borders of two half-planes cross.
    fn meet(self, other: Self) -> DVec2 {
        let determinant = self.normal.perp_dot(other.normal);
        let x = self.offset * other.normal.y - other.offset * self.normal.y;
        let y = other.offset * self.normal.x - self.offset * other.normal.x;
        DVec2::new(x, y) / determinant
    }
}

fn point([x, z]: [f32; 2]) -> DVec2 {
    DVec2::new(f64::from(x), f64::from(z))
}

/// Returns a convex outline in counter-clockwise order, without corners that do not turn; `None` if it is not convex.
fn convex(mut corners: Vec<DVec2>) -> Option<Vec<DVec2>> {
    let doubled_area = |corners: &[DVec2]| {
        let next = corners.iter().cycle().skip(1);
        let terms = corners.iter().zip(next).map(|(a, b)| a.perp_dot(*b));
        terms.sum::<f64>()
    };
    corners.dedup();
    while corners.len() > 1 && corners.first() == corners.last() {
        corners.pop();
    }
    if doubled_area(&corners) < 0.0 {
        corners.reverse();
    }
    let turn = |corners: &[DVec2], i: usize| {
        let count = corners.len();
        let (a, b, c) = (
            corners[(i + count - 1) % count],
            corners[i],
            corners[(i + 1) % count],
        );
        (b - a).normalize().perp_dot((c - b).normalize())
    };
    let mut i = 0;
    while corners.len() > 2 && i < corners.len() {
        match turn(&corners, i).abs() < 1e-6 {
            true => drop(corners.remove(i)),
            false => i += 1,
        }
    }
    let count = corners.len();
    let turns_left = |i: usize| turn(&corners, i) > 0.0;
    // An outline that turns left everywhere may still go around twice.
    let is_left_of = |i: usize, p: &DVec2| {
        let (a, b) = (corners[i], corners[(i + 1) % count]);
        (b - a).perp_dot(*p - a) >= -1e-6 * (b - a).length()
    };
    let is_convex = count >= 3
        && (0..count).all(turns_left)
        && (0..count).all(|i| corners.iter().all(|p| is_left_of(i, p)));
    (is_convex && doubled_area(&corners) > 1e-6).then_some(corners)
}

/// Calls `visit` with the normals of sides that cut off the corner between two sides, in order, so that no turn is larger
/// than [`MIN_COSINE`] allows.
fn cut_off([before, after]: [DVec2; 2], visit: &mut impl FnMut(DVec2)) {
    if before.dot(after) >= MIN_COSINE {
        return;
    }
    // The bisector, also if the two point away from each other.
    let middle = (before.perp() - after.perp()).normalize();
    cut_off([before, middle], visit);
    visit(middle);
    cut_off([middle, after], visit);
}

/// Returns the sides of an outline whose distance from a convex polygon is at least `margin` everywhere.
fn grown_sides(corners: &[DVec2], margin: f64) -> Vec<HalfPlane> {
    let count = corners.len();
    let normal = |i: usize| {
        let along = (corners[(i + 1) % count] - corners[i]).normalize();
        -along.perp()
    };
    let mut sides = Vec::new();
    for (i, &corner) in corners.iter().enumerate() {
        let (before, after) = (normal((i + count - 1) % count), normal(i));
        cut_off([before, after], &mut |normal: DVec2| {
            sides.push(HalfPlane {
                normal,
                offset: normal.dot(corner) + margin,
            });
        });
        sides.push(HalfPlane {
            normal: after,
            offset: after.dot(corner) + margin,
        });
    }
    sides
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGENT: Agent = Agent {
        radius: 0.6,
        height: 2.0,
    };

    fn is_inside(outline: &[DVec2], p: DVec2) -> bool {
        let next = outline.iter().cycle().skip(1);
        let mut sides = outline.iter().zip(next);
        sides.all(|(a, b)| (b - a).perp_dot(p - a) >= 0.0)
    }

    #[test]
    fn grown_outlines_keep_agents_at_their_radius() {
        let shapes = [
            Obstacle::disc([5.0, 0.0, -3.0], 2.0, 1.0),
            Obstacle::upright_box([5.0, 0.0, -3.0], [2.0, 0.3], 0.4, 1.0),
            Obstacle::prism([[0.0, 0.0], [10.0, 0.5], [10.0, 1.0]], 0.0, 1.0),
            // Clockwise, with a corner that does not turn.
            Obstacle::prism([[0.0, 0.0], [0.0, 2.0], [1.0, 2.0], [2.0, 2.0]], 0.0, 1.0),
        ];
        for shape in shapes {
            let outline = shape.grown(AGENT).unwrap().outline;
            let shrunk = shape
                .grown(Agent {
                    radius: 0.0,
                    ..AGENT
                })
                .unwrap()
                .outline;
            // Every point within the radius of the shape is inside the grown outline, and it is not much larger.
            for corner in &shrunk {
                for i in 0..64 {
                    let around = direction(f64::from(i) / 10.0) * 0.599;
                    assert!(is_inside(&outline, *corner + around), "{shape:?}");
                }
            }
            for corner in &outline {
                let nearest = shrunk.iter().map(|p| p.distance(*corner));
                assert!(
                    nearest.fold(f64::INFINITY, f64::min) < 0.6 * 1.2 + 0.1,
                    "{shape:?}"
                );
            }
        }
    }

    #[test]
    fn invalid_obstacles_are_rejected() {
        let invalid = [
            Obstacle::disc([f32::NAN, 0.0, 0.0], 1.0, 1.0),
            Obstacle::disc([0.0, 0.0, 0.0], -1.0, 1.0),
            Obstacle::disc([0.0, 0.0, 0.0], 1.0, -1.0),
            Obstacle::disc([0.0, 0.0, 0.0], f32::INFINITY, 1.0),
            Obstacle::upright_box([0.0; 3], [0.0, 1.0], 0.0, 1.0),
            Obstacle::upright_box([0.0; 3], [1.0, 1.0], f32::NAN, 1.0),
            Obstacle::prism([[0.0, 0.0], [1.0, 0.0]], 0.0, 1.0),
            Obstacle::prism([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], 0.0, 1.0),
            Obstacle::prism([[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]], 0.0, 1.0),
            Obstacle::prism(vec![[0.0, 0.0]; 3], 0.0, 1.0),
            Obstacle::prism(Vec::new(), 0.0, 1.0),
        ];
        for obstacle in invalid {
            assert!(obstacle.grown(AGENT).is_err(), "{obstacle:?}");
        }
    }
}
