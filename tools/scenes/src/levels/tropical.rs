//! Islands in a warm sea: hills, beaches, jungle and rocks on open ground, villages of huts on
//! stilts, a stepped temple here and there, and boardwalks from island to island.

mod land;
mod village;

use glam::{Vec2, vec2};

use crate::levels::plan::Plan;
use crate::levels::town::furniture::Thing;
use crate::levels::town::outline::{left_of, oblong};
use crate::levels::town::site::Site;
use crate::model::{Material, Model, at, ngon};
use crate::random::Random;
use land::{Island, Land};

pub(crate) const DESCRIPTION: &str =
    "islands in a warm sea: open hilly ground with palms, rocks and huts, joined by boardwalks";

/// How many polygons an island bakes into, about.
const POLYGONS_PER_ISLAND: f32 = 1400.0;
/// Height of boardwalks above the sea, in metres.
const BOARDWALK: f32 = 1.3;

pub(crate) fn build(plan: &Plan) -> Model {
    let mut model = Model::new();
    let mut site = Site::default();
    let land = Land::new(plan, (plan.polygons / POLYGONS_PER_ISLAND).max(2.0));
    land.lay(&mut model);
    boardwalks(&mut model, &mut site, &land);
    for (number, island) in land.islands().iter().enumerate() {
        let mut random = plan.random(1000 + number as u64);
        if island.has_temple {
            village::temple(&mut model, &mut site, island);
        } else {
            village::huts(&mut model, &mut site, &land, island, &mut random);
        }
        rocks(&mut model, &mut site, &land, island, &mut random);
        jungle(&mut model, &mut site, &land, island, plan, &mut random);
    }
    model
}

/// Decks on posts between neighbouring islands.
fn boardwalks(model: &mut Model, site: &mut Site, land: &Land) {
    for [from, to] in land.neighbours() {
        let (start, end) = (land.islands()[from].centre, land.islands()[to].centre);
        let along = (end - start).normalize();
        let steps = start.distance(end) as u32;
        let height = |step: u32| land.height(start + along * step as f32);
        let dry = |step: &u32| height(*step) > BOARDWALK;
        // From the last dry ground on this side to the first on the other.
        let Some(wet) = (steps / 5..steps).find(|step| height(*step) < 0.0) else {
            continue;
        };
        let Some(near) = (0..wet).rev().find(dry) else {
            continue;
        };
        let Some(shore) = (0..steps).rev().find(|step| height(*step) < 0.0) else {
            continue;
        };
        let Some(far) = (shore..steps).find(dry) else {
            continue;
        };
        let (near, far) = (near as f32 - 1.5, far as f32 + 1.5);
        let place = |metres: f32| start + along * metres;
        site.claim(&oblong(
            place(0.5 * (near + far)),
            along,
            far - near + 4.0,
            3.4,
        ));
        model.paint(Material::Wood);
        model.slab(
            at(place(near), BOARDWALK),
            at(place(far), BOARDWALK),
            3.4,
            0.3,
        );
        let posts = ((far - near) / 5.0).ceil() as u32;
        for post in 0..=posts {
            for side in [-1.6, 1.6] {
                let foot =
                    place(near + (far - near) * post as f32 / posts as f32) + left_of(along) * side;
                model.column(foot, 0.15, 6, land.height(foot).min(-1.0), BOARDWALK + 1.2);
            }
        }
    }
}

/// Outcrops with tops to stand on, which nothing leads up to.
fn rocks(model: &mut Model, site: &mut Site, land: &Land, island: &Island, random: &mut Random) {
    for _ in 0..26 {
        let place = island.centre + random.direction() * (island.radius * random.between(0.1, 1.0));
        let radius = random.between(2.5, 6.0);
        let stretch = vec2(random.between(0.8, 1.2), random.between(0.8, 1.2));
        let foot: Vec<Vec2> = ngon(Vec2::ZERO, radius, 8)
            .iter()
            .map(|&corner| place + corner * stretch * random.between(0.85, 1.1))
            .collect();
        let heights = foot.iter().map(|&corner| land.height(corner));
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), height| {
            (low.min(height), high.max(height))
        });
        if high < 0.3 || !site.try_claim(&foot, 2.5) {
            continue;
        }
        model.paint(Material::Rock);
        let top = high + random.between(2.5, 0.9 * radius + 2.6);
        model.taper(&foot, low - 1.5, top, random.between(0.5, 0.75));
    }
}

/// Trees where the noise says that it is green, boulders and driftwood elsewhere.
fn jungle(
    model: &mut Model,
    site: &mut Site,
    land: &Land,
    island: &Island,
    plan: &Plan,
    random: &mut Random,
) {
    let thicket = plan.noise(20, 28.0);
    for _ in 0..2450 {
        let reach = 1.25 * island.radius;
        let place =
            island.centre + vec2(random.between(-reach, reach), random.between(-reach, reach));
        let height = land.height(place);
        let dense = thicket.at(place);
        // Not in the water, and not in clearings; on beaches only now and then.
        let often = if height < 0.6 {
            0.12
        } else {
            1.6 * dense - 0.3
        };
        if height < 0.0 || !random.chance(often) {
            continue;
        }
        let thing = if height < 3.0 {
            random.pick(&[Thing::Palm, Thing::Palm, Thing::Palm, Thing::Boulder])
        } else {
            random.pick(&[Thing::Palm, Thing::Tree, Thing::Tree, Thing::Boulder])
        };
        thing.put(
            model,
            site,
            at(place, height - 0.3),
            random.direction(),
            1.9,
            random,
        );
    }
}
