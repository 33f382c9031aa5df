//! Compares every stage up to regions with the stage of `rerecast` that it replaces, on random triangles.

use glam::{Vec3, Vec3A};
use oorandom::Rand32;
use rerecast::{Aabb3d, AreaType, CompactHeightfield, Heightfield, HeightfieldBuilder};

use crate::open::OpenField;
use crate::options::CellLengths;
use crate::rasterize::CellGrid;
use crate::solid::SolidField;

struct RandomLevel {
    grid: CellGrid,
    lengths: CellLengths,
    corners: Vec<[Vec3A; 3]>,
    area_types: Vec<AreaType>,
}

impl RandomLevel {
    fn new(seed: u64) -> Self {
        let mut rng = Rand32::new(seed);
        let [width, depth] = [(); 2].map(|()| rng.rand_range(8..130) as u16);
        let origin = |rng: &mut Rand32| rng.rand_range(0..1000) as f32 - 10.0;
        let min = Vec3::new(origin(&mut rng), 0.0, origin(&mut rng));
        let size = Vec3::new(f32::from(width), 40.0, f32::from(depth));
        let height = rng.rand_range(1..20) as u16;
        let mut level = Self {
            grid: CellGrid {
                min,
                max: min + size,
                width,
                depth,
            },
            lengths: CellLengths {
                height,
                radius: rng.rand_range(0..6) as u16,
                // A climb near the height gives links that do not lead back.
                climb: rng.rand_range(0..height.into()) as u16,
                max_edge: 40,
            },
            corners: Vec::new(),
            area_types: Vec::new(),
        };
        for _ in 0..rng.rand_range(1..200) {
            level.add_triangle(&mut rng, size);
        }
        level.add_quad(Vec3::ZERO, Vec3::X * size.x, Vec3::Z * size.z);
        level
    }

    /// Adds a triangle of any size and direction. It may reach out of the grid, and many of its coordinates
    /// are integers or next to one.
    fn add_triangle(&mut self, rng: &mut Rand32, size: Vec3) {
        let mut coordinate = |centre: f32, reach: f32| {
            let value = centre + (rng.rand_float() - 0.5) * reach;
            match rng.rand_range(0..4) {
                0 => value.round(),
                1 => value.round().next_down(),
                2 => value.round().next_up(),
                _ => value,
            }
        };
        let centre = Vec3::from_array(size.to_array().map(|size| coordinate(size / 2.0, size)));
        let reach = coordinate(10.0, 20.0);
        let steepness = coordinate(0.5, 1.0);
        let corners = [(); 3].map(|()| {
            let x = coordinate(centre.x + self.grid.min.x, reach);
            let y = coordinate(centre.y, reach * steepness);
            let z = coordinate(centre.z + self.grid.min.z, reach);
            Vec3A::new(x, y, z)
        });
        self.corners.push(corners);
        self.area_types.push(AreaType(rng.rand_range(0..4) as u8));
    }

    fn add_quad(&mut self, corner: Vec3, a: Vec3, b: Vec3) {
        let [origin, a, b] = [corner + self.grid.min, a, b].map(Vec3A::from);
        self.corners.push([origin, origin + b, origin + a + b]);
        self.corners.push([origin, origin + a + b, origin + a]);
        self.area_types.extend([AreaType(1); 2]);
    }

    fn solid(&self) -> SolidField {
        let all: Vec<u32> = (0..self.corners.len() as u32).collect();
        let climb = self.lengths.climb;
        SolidField::new(self.grid, climb, &all, &self.corners, &self.area_types)
    }

    fn rerecast_solid(&self) -> Heightfield {
        let (min, max) = (self.grid.min, self.grid.max);
        let mut solid = HeightfieldBuilder {
            aabb: Aabb3d { min, max },
            cell_size: 1.0,
            cell_height: 1.0,
        }
        .build()
        .unwrap();
        for (&corners, &area) in self.corners.iter().zip(&self.area_types) {
            solid
                .rasterize_triangle(corners, area, self.lengths.climb)
                .unwrap();
        }
        solid.filter_low_hanging_walkable_obstacles(self.lengths.climb);
        solid
    }
}

fn assert_same(ours: &CompactHeightfield, theirs: &CompactHeightfield, what: &str) {
    assert_eq!(ours.spans, theirs.spans, "{what}: spans");
    assert_eq!(ours.areas, theirs.areas, "{what}: areas");
    assert_eq!(ours.dist, theirs.dist, "{what}: distances");
    let numbers = |field: &CompactHeightfield| {
        let regions = field.max_region;
        (field.max_distance, regions, field.border_size, field.aabb)
    };
    assert_eq!(numbers(ours), numbers(theirs), "{what}");
}

#[test]
fn every_stage_equals_that_of_rerecast() {
    let mut regions = 0;
    for seed in 0..300 {
        let level = RandomLevel::new(seed);
        let what = format!("seed {seed}");
        let CellLengths { height, climb, .. } = level.lengths;

        let solid = level.solid();
        let mut theirs = level.rerecast_solid();
        for z in 0..level.grid.depth {
            let row = solid.row(z.into());
            for x in 0..level.grid.width {
                let mut spans = row.column(x.into()).iter();
                let mut at = theirs.span_key_at(x, z);
                while let Some(key) = at {
                    let span = theirs.span(key);
                    let ours = spans.next().map(|span| (span.bottom, span.top, span.area));
                    assert_eq!(ours, Some((span.min, span.max, span.area)), "{what}");
                    at = span.next;
                }
                assert_eq!(spans.next(), None, "{what}: {x}, {z}");
            }
        }

        theirs.filter_ledge_spans(height, climb);
        theirs.filter_walkable_low_height_spans(height);
        let Ok(mut ours) = OpenField::new(&solid, &level.lengths) else {
            continue;
        };
        let mut theirs = theirs.into_compact(height, climb).unwrap();
        assert_same(&ours.compact, &theirs, &what);
        let counts = |field: &CompactHeightfield| -> Vec<u8> {
            field.cells.iter().map(|cell| cell.count()).collect()
        };
        assert_eq!(counts(&ours.compact), counts(&theirs), "{what}");

        if level.lengths.radius > 0 {
            ours.erode(level.lengths.radius);
            theirs.erode_walkable_area(level.lengths.radius);
            assert_same(&ours.compact, &theirs, &what);
        }
        ours.build_distance_field();
        theirs.build_distance_field();
        assert_same(&ours.compact, &theirs, &what);

        let border = if seed % 2 == 0 { 0 } else { 5 };
        let (min, merge) = (seed as u16 % 70, seed as u16 * 7 % 500);
        ours.build_regions(border, min, merge).unwrap();
        theirs.build_regions(border, min, merge).unwrap();
        assert_same(&ours.compact, &theirs, &what);
        regions += usize::from(theirs.max_region.bits());
    }
    assert!(regions > 3000, "{regions} regions");
}
