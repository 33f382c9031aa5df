//! `portolan probe`: asks one question about the ground.

use glam::Vec3;
use portolan_core::{Engine, Location, Probe, ProbeScratch, RandomPoints, Wall};
use portolan_draw::svg::{self, DrawnEndpoint, DrawnProbe};
use serde_json::{Value, json};

use super::{check_outputs, extension, open_costs, open_world};
use crate::args::{Common, ProbeArgs};
use crate::outcome::{ExitKind, Failure};
use crate::terminal::{HEADING, count, say, styled};

pub(crate) fn run(args: &ProbeArgs, common: &Common) -> Result<ExitKind, Failure> {
    if let Some(svg) = args.svg.as_deref().filter(|svg| extension(svg) != "svg") {
        let message = format!("{}: --svg writes .svg", svg.display());
        return Err(Failure::new(message));
    }
    check_outputs(&[&args.world], &[args.svg.as_deref()])?;
    let world = open_world(&args.world, args.trust, common)?;
    // Probes need no engine, and A* needs nothing but prices.
    let costs = open_costs(&world, args.profile.as_deref(), &[Engine::AStar], common)?;
    let probe = world.probe_with(&costs).expect("costs of this world");
    let answer = Question { args, probe }.answer();

    if let Some(file) = &args.svg {
        portolan_files::save(file, |out| {
            svg::write_probe(world.mesh(), &answer.picture, out)
        })?;
    }
    if args.json {
        say!("{:#}", answer.json);
    } else {
        say!("{}", styled(HEADING, answer.status));
        answer.lines.iter().for_each(|line| say!("{line}"));
        if let Some(svg) = &args.svg {
            say!("picture: {}", svg.display());
        }
    }
    Ok(match answer.status {
        "none" | "off_mesh" => ExitKind::Negative,
        _ => ExitKind::Success,
    })
}

/// The answer to a question, in the three forms that it can be shown in.
struct Answer {
    status: &'static str,
    json: Value,
    lines: Vec<String>,
    picture: DrawnProbe,
}

/// What the user asks.
struct Question<'a> {
    args: &'a ProbeArgs,
    probe: Probe<'a>,
}

impl Question<'_> {
    fn answer(&self) -> Answer {
        let ProbeArgs {
            near,
            ray,
            slide,
            wall,
            around,
            within,
            ..
        } = self.args;
        let (asked, line) = match (near, ray, slide) {
            (Some(near), ..) => (Some(*near), None),
            (_, Some(ends), _) | (.., Some(ends)) => (Some(ends[0]), Some(ends[1])),
            _ => (wall.or(*around).or(*within), None),
        };
        let Some(asked) = asked else {
            return self.random(None);
        };
        let Some(here) = self.probe.nearest(asked, self.args.snap) else {
            return self.off_mesh(asked);
        };
        match line {
            Some(to) if ray.is_some() => self.ray(here, to),
            Some(to) => self.slide(here, to),
            None if near.is_some() => self.near(asked, here),
            None if wall.is_some() => self.wall(here),
            None if around.is_some() => self.around(here),
            None => self.random(Some(here)),
        }
    }

    /// Says that a point is off the mesh, or only near closed ground.
    fn off_mesh(&self, asked: Vec3) -> Answer {
        let nearest = self.probe.nearest_within(asked, f32::INFINITY, |_| true);
        let hint = match nearest {
            Some(nearest) => format!(
                "no open ground within {} of {}; the nearest is at {}: use a larger --snap",
                comma(self.args.snap),
                comma(asked),
                comma(nearest.point)
            ),
            None => "the profile closes all ground".to_owned(),
        };
        Answer {
            status: "off_mesh",
            json: json!({ "status": "off_mesh", "nearest": nearest.map(|nearest| nearest.point.to_array()) }),
            lines: vec![hint],
            picture: DrawnProbe {
                start: Some(DrawnEndpoint {
                    point: asked,
                    polygon: None,
                    is_open: false,
                }),
                ..DrawnProbe::default()
            },
        }
    }

    fn near(&self, asked: Vec3, here: Location) -> Answer {
        let distance = asked.distance(here.point);
        let reachable = self.probe.reachable(here);
        let mut answer = self.found("found", here);
        answer.json["distance"] = json!(distance);
        answer.json["reachable"] =
            json!({ "polygons": reachable.polygons, "area": reachable.area });
        answer.lines.push(format!("distance {distance:.3} m"));
        answer.lines.push(format!(
            "reachable from there: {}, {:.1} m² in plan",
            count(reachable.polygons as usize, "polygon"),
            reachable.area
        ));
        answer
    }

    fn ray(&self, here: Location, to: Vec3) -> Answer {
        let mut crossed = Vec::new();
        let ray = self.probe.ray(here, to, &mut crossed);
        let status = if ray.hit.is_some() { "hit" } else { "clear" };
        let mut answer = self.found(status, ray.end);
        let mesh = self.probe.mesh();
        let ids: Vec<u64> = crossed
            .iter()
            .map(|&polygon| mesh.user_id(polygon))
            .collect();
        let distance = here.point.with_y(0.0).distance(ray.end.point.with_y(0.0));
        answer.json["hit"] = json!(ray.hit.is_some());
        answer.json["distance"] = json!(distance);
        answer.json["fraction"] = json!(ray.fraction);
        answer.json["polygons"] = json!(ids);
        answer.lines.push(format!(
            "distance {distance:.3} m in plan, {:.1}% of the way, through {}",
            100.0 * ray.fraction,
            count(ids.len(), "polygon")
        ));
        if let Some(wall) = ray.hit {
            answer.json["normal"] = json!(wall.normal.to_array());
            answer
                .lines
                .push(format!("the wall faces {}", comma(wall.normal)));
            answer.picture.walls = (vec![wall.ends], "the wall that it hits".to_owned());
        }
        answer.picture.polygons = (crossed, "polygons that it crosses".to_owned());
        answer.picture.line = (vec![here.point, ray.end.point], "ray".to_owned());
        answer.picture.start = Some(endpoint(here));
        answer
    }

    fn slide(&self, here: Location, to: Vec3) -> Answer {
        let mut scratch = ProbeScratch::new();
        let moved = self.probe.slide(here, to, &mut scratch);
        let mut answer = self.found("found", moved);
        let short = moved.point.with_y(0.0).distance(to.with_y(0.0));
        let mesh = self.probe.mesh();
        let trail = scratch.trail().to_vec();
        let ids: Vec<u64> = trail.iter().map(|&polygon| mesh.user_id(polygon)).collect();
        answer.json["distance"] = json!(short);
        answer.json["polygons"] = json!(ids);
        answer
            .lines
            .push(format!("{short:.3} m in plan from the target"));
        answer.picture.polygons = (trail, "polygons that it passes".to_owned());
        answer.picture.line = (
            vec![here.point, moved.point],
            "from start to end of the move".to_owned(),
        );
        answer.picture.points = (
            vec![moved.point, to],
            "end of the move, and target".to_owned(),
        );
        answer.picture.start = Some(endpoint(here));
        answer
    }

    fn wall(&self, here: Location) -> Answer {
        let mut scratch = ProbeScratch::new();
        let radius = self.args.radius;
        let Some(wall) = self.probe.nearest_wall(here, radius, &mut scratch) else {
            let mut answer = self.found("none", here);
            answer.lines = vec![format!("no wall within {radius} m")];
            answer.picture.radius = Some(radius);
            return answer;
        };
        let Wall {
            point,
            normal,
            distance,
            polygon,
            ends,
        } = wall;
        let mut answer = self.found("found", Location { polygon, point });
        answer.json["distance"] = json!(distance);
        answer.json["normal"] = json!(normal.to_array());
        answer.lines.push(format!(
            "distance {distance:.3} m in plan; the wall faces {}",
            comma(normal)
        ));
        answer.picture.walls = (vec![ends], "the nearest wall".to_owned());
        answer.picture.start = Some(endpoint(here));
        answer.picture.radius = Some(radius);
        answer
    }

    fn around(&self, here: Location) -> Answer {
        let (mut scratch, mut polygons, mut walls) = (ProbeScratch::new(), Vec::new(), Vec::new());
        let (mesh, radius) = (self.probe.mesh(), self.args.radius);
        self.probe
            .polygons_within(here, radius, &mut scratch, &mut polygons);
        self.probe
            .walls_within(here, radius, &mut scratch, &mut walls);
        let ids: Vec<u64> = polygons
            .iter()
            .map(|&polygon| mesh.user_id(polygon))
            .collect();
        let shown_walls = walls.iter().map(|wall| {
            json!({
                "point": wall.point.to_array(),
                "distance": wall.distance,
                "normal": wall.normal.to_array(),
                "polygon": mesh.user_id(wall.polygon),
                "ends": wall.ends.map(|end| end.to_array()),
            })
        });
        let shown_walls: Vec<Value> = shown_walls.collect();
        let mut answer = self.found("found", here);
        answer.lines.push(format!(
            "within {radius} m: {} and {}",
            count(ids.len(), "polygon"),
            count(walls.len(), "wall")
        ));
        answer.json["polygons"] = json!(ids);
        answer.json["walls"] = json!(shown_walls);
        answer.picture.points.0.clear();
        answer.picture.polygons = (polygons, "polygons within the radius".to_owned());
        answer.picture.walls = (
            walls.iter().map(|wall| wall.ends).collect(),
            "walls within the radius".to_owned(),
        );
        answer.picture.start = Some(endpoint(here));
        answer.picture.radius = Some(radius);
        answer
    }

    fn random(&self, around: Option<Location>) -> Answer {
        let (mut random, mut scratch) = (
            RandomPoints::new(self.probe, self.args.seed),
            ProbeScratch::new(),
        );
        let radius = self.args.radius;
        let points = (0..self.args.random.unwrap_or(0)).map_while(|_| match around {
            Some(here) => random.within(here, radius, &mut scratch),
            None => random.anywhere(),
        });
        let found: Vec<Location> = points.collect();
        let mesh = self.probe.mesh();
        let points: Vec<Vec3> = found.iter().map(|location| location.point).collect();
        let ids: Vec<u64> = found
            .iter()
            .map(|location| mesh.user_id(location.polygon))
            .collect();
        let status = if found.is_empty() { "none" } else { "found" };
        let arrays: Vec<[f32; 3]> = points.iter().map(|point| point.to_array()).collect();
        Answer {
            status,
            json: json!({ "status": status, "points": arrays, "polygons": ids }),
            lines: match found.is_empty() {
                true => vec!["there is no open ground".to_owned()],
                false => points.iter().map(|&point| comma(point)).collect(),
            },
            picture: DrawnProbe {
                start: around.map(endpoint),
                radius: around.map(|_| radius),
                points: (points, "random points".to_owned()),
                ..DrawnProbe::default()
            },
        }
    }

    /// Returns an answer with a location.
    fn found(&self, status: &'static str, location: Location) -> Answer {
        let Location { polygon, point } = location;
        let id = self.probe.mesh().user_id(polygon);
        Answer {
            status,
            json: json!({ "status": status, "point": point.to_array(), "polygon": id }),
            lines: vec![format!("{} on polygon {id}", comma(point))],
            picture: DrawnProbe {
                points: (vec![point], "answer".to_owned()),
                ..DrawnProbe::default()
            },
        }
    }
}

fn endpoint(location: Location) -> DrawnEndpoint {
    DrawnEndpoint {
        point: location.point,
        polygon: Some(location.polygon),
        is_open: true,
    }
}

/// Returns a point as text, as on the command line.
fn comma(point: Vec3) -> String {
    let [x, y, z] = point.to_array().map(|number| {
        let text = format!("{number:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    });
    format!("{x},{y},{z}")
}
