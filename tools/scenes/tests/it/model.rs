//! Tests of the modelling kit: solids are closed and face outwards.

use std::collections::HashMap;

use glam::{Vec2, Vec3, vec2, vec3};
use portolan_core::Triangles;
use portolan_scenes::model::{Frame, Gap, Material, Model, TURNS, ngon, turn};

/// Returns the signed volume of a solid. Faces that point inwards count as negative.
fn volume(solid: &Triangles) -> f32 {
    let part = |triangle| {
        let [a, b, c] = solid.corners(triangle);
        a.dot(b.cross(c)) / 6.0
    };
    (0..solid.triangles.len()).map(part).sum()
}

/// Returns whether every edge is traversed equally often in both directions.
fn is_closed(solid: &Triangles) -> bool {
    let mut edges: HashMap<[u32; 2], i32> = HashMap::new();
    for &[a, b, c] in &solid.triangles {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            *edges.entry([from.min(to), from.max(to)]).or_default() +=
                if from < to { 1 } else { -1 };
        }
    }
    edges.values().all(|&sum| sum == 0)
}

fn check(expected: f32, part: impl Fn(&mut Model)) {
    for (frame, name) in [
        (Frame::IDENTITY, "identity frame"),
        (
            Frame::new(vec3(3.0, 1.0, -2.0), vec2(3.0, 4.0)),
            "rotated frame",
        ),
    ] {
        let mut model = Model::new();
        model.within(frame, &part);
        let solid = model.finish();
        assert!(
            (volume(&solid) - expected).abs() < 0.01 * expected,
            "{name}: {}",
            volume(&solid)
        );
        assert!(is_closed(&solid), "{name}");
    }
}

#[test]
fn solids_are_closed_and_face_outwards() {
    check(6.0, |model| model.block(Vec3::ZERO, vec3(1.0, 2.0, 3.0)));
    let triangle = [vec2(0.0, 0.0), vec2(2.0, 0.0), vec2(0.0, 2.0)];
    check(6.0, |model| model.prism(&triangle, 0.0, 3.0));
    check(2.0, |model| model.taper(&triangle, 0.0, 3.0, 0.0));
    check(15.0, |model| {
        model.gable(vec2(0.0, 0.0), vec2(5.0, 2.0), 1.0, 4.0)
    });
    check(15.0, |model| {
        model.gable_along_z(vec2(0.0, 0.0), vec2(5.0, 2.0), 1.0, 4.0)
    });
    check(12.0, |model| {
        model.ramp(vec3(1.0, 1.0, 1.0), vec3(9.0, 2.5, 1.0), 2.0)
    });
    check(12.0, |model| {
        model.ramp(vec3(9.0, 2.5, 1.0), vec3(1.0, 1.0, 1.0), 2.0)
    });
    check(4.0, |model| {
        model.slab(vec3(0.0, 5.0, 0.0), vec3(0.0, 2.0, 4.0), 2.0, 0.5)
    });
    // A hexagon of radius 1 has an area of 1.5 times the square root of 3.
    check(1.5 * 3f32.sqrt() * 4.0, |model| {
        model.column(Vec2::ONE, 1.0, 6, -1.0, 3.0)
    });
    check(1.5 * 3f32.sqrt() * 4.0, |model| {
        model.pipe(vec3(0.0, 2.0, 1.0), vec3(0.0, 2.0, 5.0), 1.0)
    });
}

#[test]
fn tall_solids_have_low_ceilings_inside() {
    let mut model = Model::new();
    model.block(Vec3::ZERO, vec3(3.0, 4.0, 3.0));
    let block = model.finish();
    let mut heights: Vec<f32> = (0..block.triangles.len())
        .filter(|&triangle| block.normal(triangle).y < 0.0)
        .map(|triangle| block.corners(triangle)[0].y)
        .collect();
    heights.dedup();
    assert_eq!(heights, [0.0, 1.6, 3.2]);
}

#[test]
fn stairs_climb_in_steps() {
    // Four steps of 0.25 m, 0.5 m deep and 2 m wide: 2 x 0.5 x (0.25 + 0.5 + 0.75 + 1).
    let mut model = Model::new();
    model.stairs(vec3(0.0, 1.0, 0.0), vec3(2.0, 2.0, 0.0), 2.0, 0.25);
    let stairs = model.finish();
    assert!((volume(&stairs) - 2.5).abs() < 0.01, "{}", volume(&stairs));
    let highest = stairs
        .vertices
        .iter()
        .map(|vertex| vertex.y)
        .fold(0.0, f32::max);
    assert_eq!(highest, 2.0);
}

#[test]
fn a_wall_is_open_at_its_gaps() {
    let mut model = Model::new();
    let gaps = [Gap::window(7.0, 2.0), Gap::door(2.0, 2.0)];
    model.wall(vec2(0.0, 0.0), vec2(0.0, 10.0), 1.0, 4.0, 0.5, &gaps);
    let wall = model.finish();
    let expected = 0.5 * (10.0 * 3.0 - 2.0 * 2.4 - 2.0 * 1.2);
    assert!((volume(&wall) - expected).abs() < 0.01, "{}", volume(&wall));
}

#[test]
fn terrain_faces_up() {
    let mut model = Model::new();
    model.paint(Material::Sand).landscape(
        vec2(-3.0, -3.0),
        vec2(4.0, 4.0),
        2.0,
        |position| 0.1 * position.x * position.y,
        |position| (position.x > 0.0).then_some(Material::Grass),
    );
    let ground = model.finish();
    assert!((0..ground.triangles.len()).all(|triangle| ground.normal(triangle).y > 0.0));
    assert_eq!(ground.material_names[ground.materials[0] as usize], "grass");
}

#[test]
fn directions_are_unit_vectors_of_the_full_circle() {
    for step in 0..TURNS {
        assert!((turn(step).length() - 1.0).abs() < 1e-6);
        let (sine, cosine) = (step as f32 / TURNS as f32 * std::f32::consts::TAU).sin_cos();
        assert!(turn(step).distance(vec2(cosine, sine)) < 1e-6);
    }
    assert_eq!(ngon(Vec2::ZERO, 2.0, 4)[1], vec2(0.0, 2.0));
}

#[test]
fn materials_are_listed_in_the_order_of_their_numbers() {
    for (index, material) in Material::ALL.into_iter().enumerate() {
        assert_eq!(material as usize, index);
    }
}
