//! Kernels decide on which side of a line a point is as the CPU does.

use std::borrow::Cow;

use portolan_oracle::CaseRng;
use wgpu::{
    BindGroupDescriptor, BindGroupEntry, ComputePassDescriptor, ComputePipelineDescriptor,
    PipelineCompilationOptions, ShaderModuleDescriptor, ShaderSource,
};

use crate::Gpu;
use crate::kernels::ORIENTATION;

/// Writes the side of every triple of points, and 2 where it is uncertain.
const KERNEL: &str = "
@group(0) @binding(0) var<storage, read> points: array<f32>;
@group(0) @binding(1) var<storage, read_write> sides: array<i32>;

@compute @workgroup_size(64)
fn all_sides(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = 6u * id.x;
    if at + 5u >= arrayLength(&points) {
        return;
    }
    let start = vec2(points[at], points[at + 1u]);
    let over = vec2(points[at + 2u], points[at + 3u]);
    let to = vec2(points[at + 4u], points[at + 5u]);
    let side = side_of(start, over, to);
    sides[id.x] = select(side, 2, is_uncertain);
}
";

type Triple = [[f32; 2]; 3];

/// Returns the sides of all triples on the device.
fn sides_on_device(gpu: &Gpu, triples: &[Triple]) -> Vec<i32> {
    let source = format!("{ORIENTATION}\n{KERNEL}");
    let module = gpu.device.create_shader_module(ShaderModuleDescriptor {
        label: None,
        source: ShaderSource::Wgsl(Cow::Owned(source)),
    });
    let pipeline = gpu
        .device
        .create_compute_pipeline(&ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("all_sides"),
            compilation_options: PipelineCompilationOptions::default(),
            cache: None,
        });
    let words: Vec<u32> = triples
        .iter()
        .flatten()
        .flatten()
        .map(|number| number.to_bits())
        .collect();
    let points = gpu
        .upload_array("points", &words)
        .expect("room on the device");
    let sides = gpu.array(triples.len());
    let bind_group = gpu.device.create_bind_group(&BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[(0, &points), (1, &sides)].map(|(binding, buffer)| BindGroupEntry {
            binding,
            resource: buffer.as_entire_binding(),
        }),
    });
    let mut encoder = gpu.encoder();
    {
        let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &bind_group, &[]);
        pass.dispatch_workgroups(triples.len().div_ceil(64) as u32, 1, 1);
    }
    let staging = gpu.staging(triples.len());
    let words = gpu.finish(encoder, (&sides, &staging, triples.len()));
    words
        .expect("an answer of the device")
        .into_iter()
        .map(|word| word as i32)
        .collect()
}

/// Returns the side in 64-bit numbers, as the CPU computes it.
fn side_on_cpu([from, over, to]: &Triple) -> i32 {
    let vector = |end: &[f32; 2]| [0, 1].map(|axis| f64::from(end[axis]) - f64::from(from[axis]));
    let ([ax, ay], [bx, by]) = (vector(over), vector(to));
    let area = ax * by - ay * bx;
    i32::from(area > 0.0) - i32::from(area < 0.0)
}

/// Returns the side without any rounding. Coordinates must be multiples of 2^-44 and less than 2^14.
fn exact_side(triple: &Triple) -> i32 {
    let [from, over, to] =
        triple.map(|point| point.map(|x| (f64::from(x) * (1u64 << 44) as f64) as i128));
    let vector = |end: [i128; 2]| [end[0] - from[0], end[1] - from[1]];
    let ([ax, ay], [bx, by]) = (vector(over), vector(to));
    (ax * by - ay * bx).signum() as i32
}

/// Draws points that are on one line, or next to it by a rounding.
fn close_triples(rng: &mut CaseRng, count: usize) -> Vec<Triple> {
    let mut number = |scale: f32| (rng.between(-scale, scale) * 1048576.0).round() / 1048576.0;
    (0..count)
        .map(|i| {
            let scale = [1.0, 30.0, 1000.0][i % 3];
            // Half of all points are on a grid, where three of them often are exactly on one line.
            let round = |x: f32| {
                if i % 2 == 0 {
                    (x * 4.0).round() / 4.0
                } else {
                    x
                }
            };
            let from = [round(number(scale)), round(number(scale))];
            let leg = [round(number(scale)), round(number(scale))];
            let along = |share: f32| [from[0] + leg[0] * share, from[1] + leg[1] * share];
            let shares = [1.0, 0.5, 2.0, -1.0, 3.0, 0.0, number(3.0)];
            [from, along(shares[i % 7]), along(shares[i / 7 % 7])]
        })
        .collect()
}

#[test]
fn sides_are_exact_and_those_of_the_cpu() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let gpu = Gpu::new().expect("an adapter: install mesa-vulkan-drivers");
    let triples = close_triples(&mut CaseRng::new(7), 200_000);
    let sides = sides_on_device(&gpu, &triples);
    let mut of_side = [0; 3];
    for (triple, &side) in triples.iter().zip(&sides) {
        assert_eq!(side, exact_side(triple), "{triple:?}");
        assert_eq!(side, side_on_cpu(triple), "{triple:?}");
        of_side[(side + 1) as usize] += 1;
    }
    // All three sides are tested often.
    assert!(of_side.iter().all(|&count| count > 20_000), "{of_side:?}");
}

#[test]
fn sides_that_the_cpu_may_round_are_uncertain() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let gpu = Gpu::new().expect("an adapter: install mesa-vulkan-drivers");
    let tiny = f32::MIN_POSITIVE;
    let half = 1.0 / (1u32 << 30) as f32;
    let triples = [
        // The coordinates differ too much in size to be integers of 64 bits.
        [[0.0, 0.0], [1.0, 1.0], [1.0 + tiny, 1.0 - tiny]],
        [[tiny, 0.0], [1000.0, 1000.0], [1.0, 1.0]],
        // The CPU rounds both products to the same number.
        [[half, half], [1.0, 1.0 + f32::EPSILON], [3.0, 3.0]],
        [[0.0, 0.0], [0.0, 0.0], [5.0, 7.0]],
        [[0.0, 0.0], [-3.0, 5.0], [6.0, -10.0]],
        [[-0.0, 0.0], [1.0, 0.0], [2.0, -0.0]],
    ];
    let sides = sides_on_device(&gpu, &triples);
    for (triple, &side) in triples.iter().zip(&sides) {
        assert!(
            side == 2 || side == side_on_cpu(triple),
            "{triple:?}: {side}"
        );
    }
    assert_eq!(sides[1], 2);
    assert_eq!(sides[3..], [0, 0, 0]);
}
