//! Renders a scene to a picture.
//!
//! ```text
//! cargo run --release -p portolan-scenes --example render -- tower paper tower.png
//! ```
//!
//! Options after the file: `seed=2`, `floors=5`, `top` (view from above), `cut=2.5` (omits everything above
//! that height), `from=ne` (or `nw`, `se`, `sw`: the direction of the camera), `width=1600`,
//! `part=X,Z,SIDE` (only a square around a point), and `mesh` (adds the polygons of a bake: blue for the
//! largest component, red for islands).

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;

use glam::{Vec2, Vec3, vec2, vec3};
use portolan_bake::{BakeOptions, bake};
use portolan_core::{AreaRules, Triangles};
use portolan_scenes::model::Material;
use portolan_scenes::{LevelScene, SceneOptions};

/// Number of samples per pixel along each side.
const SAMPLES: usize = 2;

/// An orthographic view.
struct OrthographicView {
    right: Vec3,
    up: Vec3,
    /// The direction towards the camera.
    back: Vec3,
}

impl OrthographicView {
    fn new(back: Vec3) -> Self {
        let back = back.normalize();
        let north = if back.y > 0.999 { Vec3::NEG_Z } else { Vec3::Y };
        let right = north.cross(back).normalize();
        let up = back.cross(right);
        Self { right, up, back }
    }

    fn project(&self, position: Vec3) -> Vec3 {
        vec3(
            position.dot(self.right),
            -position.dot(self.up),
            position.dot(self.back),
        )
    }
}

/// Per sample, the triangle that is nearest to the camera, and its depth.
struct Canvas {
    view: OrthographicView,
    origin: Vec2,
    /// Samples per metre.
    scale: f32,
    width: usize,
    height: usize,
    depth: Vec<f32>,
    triangle: Vec<u32>,
    /// Surfaces above this height are not drawn.
    cut: f32,
}

impl Canvas {
    fn draw(view: OrthographicView, scene: &Triangles, width: usize, cut: f32) -> Self {
        let projected: Vec<Vec3> = scene.vertices.iter().map(|&v| view.project(v)).collect();
        let used = || {
            scene
                .triangles
                .iter()
                .flatten()
                .map(|&v| projected[v as usize].truncate())
        };
        let min = used().fold(Vec2::INFINITY, Vec2::min) - 1.0;
        let max = used().fold(Vec2::NEG_INFINITY, Vec2::max) + 1.0;
        let extent = max - min;
        let scale = (width as f32 / extent.x).min(1.6 * width as f32 / extent.y);
        let size = (extent * scale).ceil();
        let (width, height) = (size.x as usize, size.y as usize);
        let mut canvas = Self {
            view,
            origin: min,
            scale,
            width,
            height,
            depth: vec![f32::NEG_INFINITY; width * height],
            triangle: vec![u32::MAX; width * height],
            cut,
        };
        for (index, corners) in scene.triangles.iter().enumerate() {
            let heights = corners.map(|v| scene.vertices[v as usize].y);
            canvas.fill(
                index as u32,
                corners.map(|v| projected[v as usize]),
                heights,
            );
        }
        canvas
    }

    fn to_sample(&self, projected: Vec3) -> Vec3 {
        ((projected.truncate() - self.origin) * self.scale).extend(projected.z)
    }

    fn fill(&mut self, index: u32, corners: [Vec3; 3], heights: [f32; 3]) {
        let [a, b, c] = corners.map(|corner| self.to_sample(corner));
        let area = (b - a).truncate().perp_dot((c - a).truncate());
        if area == 0.0 {
            return;
        }
        let low = a.min(b).min(c).truncate().max(Vec2::ZERO);
        let high = a.max(b).max(c).truncate();
        let end_x = (high.x.ceil() as usize).min(self.width);
        let end_y = (high.y.ceil() as usize).min(self.height);
        for y in low.y as usize..end_y {
            for x in low.x as usize..end_x {
                let position = vec2(x as f32 + 0.5, y as f32 + 0.5);
                let u = (c - b).truncate().perp_dot(position - b.truncate()) / area;
                let v = (a - c).truncate().perp_dot(position - c.truncate()) / area;
                let w = 1.0 - u - v;
                let height = u * heights[0] + v * heights[1] + w * heights[2];
                if u < 0.0 || v < 0.0 || w < 0.0 || height > self.cut {
                    continue;
                }
                let depth = u * a.z + v * b.z + w * c.z;
                let sample = y * self.width + x;
                if depth > self.depth[sample] {
                    self.depth[sample] = depth;
                    self.triangle[sample] = index;
                }
            }
        }
    }

    /// Returns the position of the surface at a sample.
    fn position(&self, x: usize, y: usize) -> Vec3 {
        let plane = vec2(x as f32 + 0.5, y as f32 + 0.5) / self.scale + self.origin;
        let depth = self.depth[y * self.width + x];
        self.view.right * plane.x - self.view.up * plane.y + self.view.back * depth
    }

    /// Returns whether a surface is between a position and the camera.
    fn hides(&self, position: Vec3) -> bool {
        let sample = self.to_sample(self.view.project(position));
        let (x, y) = (sample.x as usize, sample.y as usize);
        x < self.width && y < self.height && self.depth[y * self.width + x] > sample.z + 0.4
    }
}

/// Adds the polygons of a bake, a little above the ground, in shades that distinguish neighbours.
fn add_polygons(scene: &mut Triangles, colors: &mut Vec<[u8; 3]>) -> Result<(), Box<dyn Error>> {
    let mesh = bake(scene, &AreaRules::default(), &BakeOptions::default())?.build_navmesh()?;
    println!("{} polygons", mesh.polygon_count());
    let components = mesh.components();
    for id in mesh.polygons() {
        let shade = (id.index() as u32)
            .wrapping_mul(2_654_435_761)
            .to_le_bytes()[3]
            / 3;
        let color = if components.of(id) == components.largest() {
            [40 + shade, 110 + shade, 170 + shade]
        } else {
            [170 + shade, 60 + shade, 50 + shade]
        };
        let first = scene.vertices.len() as u32;
        scene.vertices.extend(
            mesh.corner_points(id)
                .map(|corner| corner + vec3(0.0, 0.1, 0.0)),
        );
        for corner in first + 1..scene.vertices.len() as u32 - 1 {
            // Polygons have the opposite orientation of triangles that face up.
            scene.triangles.push([first, corner + 1, corner]);
            colors.push(color);
        }
    }
    Ok(())
}

/// Returns the colours of the samples of `camera`, lit from the direction of `sun`, with shadows.
fn shade(scene: &Triangles, colors: &[[u8; 3]], camera: &Canvas, sun: &Canvas) -> Vec<[f32; 3]> {
    let mut pixels = vec![[236.0, 240.0, 244.0]; camera.width * camera.height];
    for y in 0..camera.height {
        for x in 0..camera.width {
            let sample = y * camera.width + x;
            let triangle = camera.triangle[sample];
            if triangle == u32::MAX {
                continue;
            }
            let normal = scene.normal(triangle as usize).normalize();
            // Back faces are dark where something was cut open and magenta elsewhere, which reveals wrong
            // winding.
            let color = if normal.dot(camera.view.back) < -0.01 {
                if camera.cut.is_finite() {
                    [60, 56, 60]
                } else {
                    [255, 0, 255]
                }
            } else {
                colors[triangle as usize]
            };
            let lit = normal.dot(sun.view.back).max(0.0);
            let lit = if sun.hides(camera.position(x, y) + 0.1 * normal) {
                0.0
            } else {
                lit
            };
            let light = 0.42 + 0.16 * normal.y + 0.55 * lit;
            pixels[sample] = color.map(|part| (f32::from(part) * light).min(255.0));
        }
    }
    pixels
}

/// Averages the samples of each pixel. Returns the picture as bytes, its width and its height.
fn downsample(pixels: &[[f32; 3]], width: usize, height: usize) -> (Vec<u8>, usize, usize) {
    let (columns, rows) = (width / SAMPLES, height / SAMPLES);
    let mut bytes = Vec::with_capacity(columns * rows * 3);
    for row in 0..rows {
        for column in 0..columns {
            let mut sum = Vec3::ZERO;
            for sample in 0..SAMPLES * SAMPLES {
                let x = column * SAMPLES + sample % SAMPLES;
                let y = row * SAMPLES + sample / SAMPLES;
                sum += Vec3::from_array(pixels[y * width + x]);
            }
            let mean = sum / (SAMPLES * SAMPLES) as f32;
            bytes.extend(mean.to_array().map(|part| part as u8));
        }
    }
    (bytes, columns, rows)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, size, file, rest @ ..] = arguments.as_slice() else {
        return Err("usage: render SCENE SIZE FILE.png [seed=N] [floors=N] [top] [cut=Y] [from=ne] [width=1600] [part=X,Z,SIDE] [mesh]".into());
    };
    let mut options = SceneOptions {
        size: size.parse()?,
        ..Default::default()
    };
    let mut back = vec3(0.62, 0.9, 0.8);
    let (mut cut, mut width) = (f32::INFINITY, 1600);
    let mut part = (Vec2::ZERO, f32::INFINITY);
    let mut has_mesh = false;
    for argument in rest {
        match argument.split_once('=') {
            None if argument == "top" => back = Vec3::Y,
            None if argument == "mesh" => has_mesh = true,
            Some(("seed", seed)) => options.seed = seed.parse()?,
            Some(("floors", floors)) => options.floors = Some(floors.parse()?),
            Some(("cut", height)) => cut = height.parse()?,
            Some(("width", pixels)) => width = pixels.parse()?,
            Some(("from", from)) => {
                let sign = |letter| if from.contains(letter) { -1.0 } else { 1.0 };
                back = vec3(0.62 * sign('w'), 0.9, 0.8 * sign('n'));
            }
            Some(("part", square)) => {
                let numbers: Vec<f32> = square
                    .split(',')
                    .map(str::parse)
                    .collect::<Result<_, _>>()?;
                let [x, z, side] = numbers[..] else {
                    return Err("part takes three numbers: part=X,Z,SIDE".into());
                };
                part = (vec2(x, z), 0.5 * side);
            }
            _ => {
                return Err(format!(
                    "unknown option {argument:?}; run without arguments to list the options"
                )
                .into());
            }
        }
    }
    let kind: LevelScene = name.parse()?;
    let mut scene = kind.build(&options);
    println!("{name} {size}: {} triangles", scene.triangles.len());
    let mut colors: Vec<[u8; 3]> = scene
        .materials
        .iter()
        .map(|&material| Material::ALL[material as usize].color())
        .collect();
    if has_mesh {
        add_polygons(&mut scene, &mut colors)?;
    }
    // Water faces down so that it is not walkable; flip it to make it visible.
    for (corners, &material) in scene.triangles.iter_mut().zip(&scene.materials) {
        if Material::ALL[material as usize] == Material::Water {
            corners.swap(1, 2);
        }
    }

    let kept: Vec<usize> = (0..scene.triangles.len())
        .filter(|&triangle| {
            scene.corners(triangle).iter().all(|corner| {
                let offset = (vec2(corner.x, corner.z) - part.0).abs();
                offset.max_element() <= part.1
            })
        })
        .collect();
    scene.triangles = kept.iter().map(|&t| scene.triangles[t]).collect();
    let colors: Vec<[u8; 3]> = kept.iter().map(|&t| colors[t]).collect();

    let camera = Canvas::draw(OrthographicView::new(back), &scene, width * SAMPLES, cut);
    let sun = Canvas::draw(
        OrthographicView::new(vec3(-0.35, 0.8, 0.5)),
        &scene,
        2 * width * SAMPLES,
        cut,
    );
    let pixels = shade(&scene, &colors, &camera, &sun);
    let (bytes, columns, rows) = downsample(&pixels, camera.width, camera.height);
    let writer = BufWriter::new(File::create(file)?);
    let mut encoder = png::Encoder::new(writer, columns as u32, rows as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&bytes)?;
    Ok(())
}
