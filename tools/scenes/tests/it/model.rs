//! The modelling kit: what it builds is closed and looks outwards.

use std::collections::HashMap;

use glam::{Vec2, Vec3, vec2, vec3};
use portolan_core::Triangles;
use portolan_scenes::model::{Frame, Gap, Material, Model, TURNS, ngon, turn};

/// The volume, counting what looks inwards as negative.
fn volume(body: &Triangles) -> f32 {
    let part = |triangle| {
        let [a, b, c] = body.corners(triangle);
        a.dot(b.cross(c)) / 6.0
    };
    (0..body.triangles.len()).map(part).sum()
}

/// Whether every side of a triangle has exactly one partner the other way round.
fn is_closed(body: &Triangles) -> bool {
    let mut sides: HashMap<[u32; 2], i32> = HashMap::new();
    for &[a, b, c] in &body.triangles {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            *sides.entry([from.min(to), from.max(to)]).or_default() +=
                if from < to { 1 } else { -1 };
        }
    }
    sides.values().all(|&sum| sum == 0)
}

fn check(expected: f32, part: impl Fn(&mut Model)) {
    for (frame, what) in [
        (Frame::IDENTITY, "as it is"),
        (Frame::new(vec3(3.0, 1.0, -2.0), vec2(3.0, 4.0)), "turned"),
    ] {
        let mut model = Model::new();
        model.within(frame, &part);
        let body = model.finish();
        assert!(
            (volume(&body) - expected).abs() < 0.01 * expected,
            "{what}: {}",
            volume(&body)
        );
        assert!(is_closed(&body), "{what}");
    }
}

#[test]
fn bodies_are_closed_and_look_outwards() {
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
fn tall_bodies_have_low_ceilings_inside() {
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
    // Four steps of a quarter metre, half a metre deep, two wide: 2 x 0.5 x (0.25 + ... + 1).
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
fn a_wall_has_its_gaps() {
    let mut model = Model::new();
    let gaps = [Gap::window(7.0, 2.0), Gap::door(2.0, 2.0)];
    model.wall(vec2(0.0, 0.0), vec2(0.0, 10.0), 1.0, 4.0, 0.5, &gaps);
    let wall = model.finish();
    let expected = 0.5 * (10.0 * 3.0 - 2.0 * 2.4 - 2.0 * 1.2);
    assert!((volume(&wall) - expected).abs() < 0.01, "{}", volume(&wall));
}

#[test]
fn ground_looks_up() {
    let mut model = Model::new();
    model.paint(Material::Sand).landscape(
        vec2(-3.0, -3.0),
        vec2(4.0, 4.0),
        2.0,
        |place| 0.1 * place.x * place.y,
        |place| (place.x > 0.0).then_some(Material::Grass),
    );
    let ground = model.finish();
    assert!((0..ground.triangles.len()).all(|triangle| ground.normal(triangle).y > 0.0));
    assert_eq!(ground.material_names[ground.materials[0] as usize], "grass");
}

#[test]
fn directions_have_length_one_and_go_around() {
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
