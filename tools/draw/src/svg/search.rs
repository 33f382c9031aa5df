//! Draws what a search visited: vertices of a graph, or corners and what start and goal see.

use std::collections::HashSet;
use std::io::{self, Write};

use glam::Vec3;
use portolan_core::{ExactMethod, PolygonId, PortalGraph, SampleId, World};

use super::legend::{LegendEntry, Symbol};
use super::nodes::{CONNECTED, INTER_EDGE, INTRA_EDGE};
use super::{Drawing, Trace, Visited};

/// The colours of settled vertices, from the first to the last. They also differ in brightness.
const EARLY_TO_LATE: [&str; 5] = ["#f5d547", "#f2994a", "#d6455d", "#8e2f8f", "#3d1a6e"];

const START: &str = "#1b8a4a";
const GOAL: &str = "#1c5fc4";
const COMMON: &str = "#e07b10";
const SETTLED_CORNER: &str = "#8e2f8f";
const TANGENT: &str = "#6b7280";

/// The maximum number of tangents in a picture. More would hide everything else.
const MAX_TANGENTS: usize = 5000;

/// The width of a dot. [Units: px]
const DOT: f32 = 8.0;

impl Drawing {
    /// Draws the visited vertices and edges. Returns their entries of the legend.
    pub(super) fn search(
        &self,
        world: &World,
        trace: &Trace,
        visible: &[PolygonId],
        out: &mut dyn Write,
    ) -> io::Result<Vec<LegendEntry>> {
        let graph = trace.graph(world);
        let vertices = graph.sample_count();
        let entries = match &trace.visited {
            Visited::Settled(settled) => {
                let group_size = settled.len().div_ceil(EARLY_TO_LATE.len()).max(1);
                // The first vertices are drawn last, on top, because they are closest to each other.
                for (group, colour) in settled.chunks(group_size).zip(EARLY_TO_LATE).rev() {
                    self.dots(graph, group, colour, DOT, out)?;
                }
                let text = format!("{} of {vertices} vertices settled:", settled.len());
                let order = [
                    "the first fifth",
                    "the second",
                    "the third",
                    "the fourth",
                    "the last",
                ];
                let symbols = EARLY_TO_LATE.map(Symbol::Dot).into_iter().zip(order);
                let mut entries = vec![LegendEntry::new(Symbol::Nothing, text)];
                entries.extend(symbols.map(|(symbol, text)| LegendEntry::new(symbol, text)));
                entries
            }
            Visited::InterEdges {
                level,
                connected,
                settled,
                intra_edges,
            } => {
                let mut is_visible = vec![false; world.mesh().polygon_count()];
                visible
                    .iter()
                    .for_each(|polygon| is_visible[polygon.index()] = true);
                self.node_borders(world, *level, &is_visible, out)?;
                let mut lines = intra_edges.clone();
                lines.iter_mut().for_each(|line| line.sort_unstable());
                lines.sort_unstable();
                lines.dedup();
                self.lines(graph, &lines, INTRA_EDGE, out)?;
                self.dots(graph, &connected.concat(), CONNECTED, DOT, out)?;
                self.dots(graph, settled, INTER_EDGE, DOT, out)?;
                let all = world
                    .hierarchy()
                    .map_or(0, |hierarchy| hierarchy.level(*level).inter_edges().len());
                vec![
                    LegendEntry::new(
                        Symbol::Dot(INTER_EDGE),
                        format!("{} of {all} inter-edges settled", settled.len()),
                    ),
                    LegendEntry::new(
                        Symbol::Dot(CONNECTED),
                        format!(
                            "connected: {} to S, {} to G",
                            connected[0].len(),
                            connected[1].len()
                        ),
                    ),
                    LegendEntry::new(
                        Symbol::line(INTRA_EDGE, 1.5),
                        format!("{} intra-edges examined", intra_edges.len()),
                    ),
                ]
            }
            Visited::Chains {
                start,
                goal,
                meeting,
            } => {
                let from_goal: HashSet<SampleId> = goal.iter().copied().collect();
                let is_common = |vertex: &SampleId| from_goal.contains(vertex);
                let (common, only_start): (Vec<SampleId>, Vec<SampleId>) =
                    start.iter().partition(|&vertex| is_common(vertex));
                let from_start: HashSet<SampleId> = start.iter().copied().collect();
                let only_goal = goal.iter().filter(|&vertex| !from_start.contains(vertex));
                let only_goal: Vec<SampleId> = only_goal.copied().collect();
                self.dots(graph, &common, COMMON, DOT, out)?;
                self.dots(graph, &only_start, START, DOT, out)?;
                self.dots(graph, &only_goal, GOAL, DOT, out)?;
                if let Some(meeting) = *meeting {
                    let (x, y) = self.to_plot(graph.position(meeting));
                    writeln!(
                        out,
                        r##"<circle cx="{x:.1}" cy="{y:.1}" r="11" fill="none" stroke="#000" stroke-width="3"/>"##
                    )?;
                }
                let mut entries = vec![
                    LegendEntry::new(
                        Symbol::Nothing,
                        format!("vertices on the chains, of {vertices}:"),
                    ),
                    LegendEntry::new(
                        Symbol::Dot(START),
                        format!("{} only from the start", only_start.len()),
                    ),
                    LegendEntry::new(
                        Symbol::Dot(GOAL),
                        format!("{} only from the goal", only_goal.len()),
                    ),
                    LegendEntry::new(
                        Symbol::Dot(COMMON),
                        format!("{} of both chains", common.len()),
                    ),
                ];
                if meeting.is_some() {
                    entries.push(LegendEntry::new(Symbol::Ring, "highest vertex of the path"));
                }
                entries
            }
            Visited::Sight {
                intervals,
                seen,
                settled,
            } => {
                let tangents: Vec<[Vec3; 2]> = world.tangents().take(MAX_TANGENTS + 1).collect();
                let is_shown = tangents.len() <= MAX_TANGENTS;
                if is_shown {
                    self.straight_lines(&tangents, TANGENT, 0.6, out)?;
                }
                // Green and blue, like the discs of start and goal.
                for (intervals, colour) in intervals.iter().zip([START, GOAL]) {
                    self.straight_lines(intervals, colour, 2.0, out)?;
                }
                let mut distinct = settled.clone();
                distinct.sort_by_key(|corner| corner.to_array().map(f32::to_bits));
                distinct.dedup();
                self.dots_at(distinct.iter().copied(), SETTLED_CORNER, DOT + 3.0, out)?;
                for (corners, colour) in seen.iter().zip([START, GOAL]) {
                    self.dots_at(corners.iter().copied(), colour, DOT, out)?;
                }
                let mut entries = sight_entries(world, intervals, seen, distinct.len());
                if is_shown {
                    entries.push(LegendEntry::new(
                        Symbol::line(TANGENT, 1.0),
                        format!("{} tangents between corners", tangents.len()),
                    ));
                }
                entries
            }
        };
        Ok(entries)
    }

    /// Draws straight lines: parts of portals that an end looked through, or tangents.
    fn straight_lines(
        &self,
        lines: &[[Vec3; 2]],
        colour: &str,
        width: f32,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write!(
            out,
            r#"<path fill="none" stroke="{colour}" stroke-width="{width}" stroke-opacity="0.75" stroke-linecap="round" d=""#
        )?;
        for line in lines {
            self.outline(line.iter().copied(), out)?;
        }
        writeln!(out, r#""/>"#)
    }

    /// Draws dots with dark rims at vertices. Each dot is a line of length 0 with round ends.
    fn dots(
        &self,
        graph: &PortalGraph,
        vertices: &[SampleId],
        colour: &str,
        width: f32,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let points = vertices.iter().map(|&vertex| graph.position(vertex));
        self.dots_at(points, colour, width, out)
    }

    /// Draws dots at points, with dark rims.
    fn dots_at(
        &self,
        points: impl Iterator<Item = Vec3> + Clone,
        colour: &str,
        width: f32,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        for (colour, width) in [("#22252a", width + 2.0), (colour, width)] {
            write!(
                out,
                r#"<path fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round" d=""#
            )?;
            for point in points.clone() {
                let (x, y) = self.to_plot(point);
                write!(out, "M{x:.1} {y:.1}h0")?;
            }
            writeln!(out, r#""/>"#)?;
        }
        Ok(())
    }

    fn lines(
        &self,
        graph: &PortalGraph,
        lines: &[[SampleId; 2]],
        colour: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write!(
            out,
            r#"<path fill="none" stroke="{colour}" stroke-width="0.8" d=""#
        )?;
        for line in lines {
            let ends = line.map(|vertex| graph.position(vertex));
            self.outline(ends.into_iter(), out)?;
        }
        writeln!(out, r#""/>"#)
    }
}

/// Returns the entries of the legend for an exact search.
fn sight_entries(
    world: &World,
    intervals: &[Vec<[Vec3; 2]>; 2],
    seen: &[Vec<Vec3>; 2],
    settled: usize,
) -> Vec<LegendEntry> {
    let corners = world.exact_size().map_or(0, |size| size.nodes);
    let mut entries = vec![LegendEntry::new(
        Symbol::Nothing,
        "seen, until the shortest path was known:",
    )];
    let ends = [(START, "the start"), (GOAL, "the goal")];
    for ((colour, end), intervals) in ends.into_iter().zip(intervals) {
        entries.push(LegendEntry::new(
            Symbol::line(colour, 2.0),
            format!("{} parts of portals from {end}", intervals.len()),
        ));
    }
    for ((colour, end), seen) in ends.into_iter().zip(seen) {
        entries.push(LegendEntry::new(
            Symbol::Dot(colour),
            format!("{} of {corners} corners from {end}", seen.len()),
        ));
    }
    entries.push(match world.exact_method() {
        Some(ExactMethod::Labels) => {
            LegendEntry::new(Symbol::Nothing, "hub labels connect the corners")
        }
        _ => LegendEntry::new(
            Symbol::Dot(SETTLED_CORNER),
            format!("{settled} corners settled"),
        ),
    });
    entries
}

#[cfg(test)]
mod tests {
    use portolan_core::{
        Engine, ExactLimits, ExactOptions, NavMeshOptions, Query, Tier, no_progress,
    };
    use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};

    use super::*;
    use crate::svg::DrawnPath;

    #[test]
    fn every_vertex_of_the_chains_is_a_dot() {
        let raw = WorldScene::Rooms.build(&WorldOptions::default());
        let world = World::build(raw, &NavMeshOptions::default()).unwrap();
        let order = (0..world.graph().sample_count() as u32).collect();
        let world = world
            .with_contraction(order)
            .expect("order is a permutation");
        let mut points = RandomPoints::new(world.mesh(), 3);
        let query = Query {
            engine: Engine::Contraction(Tier::Fast),
            ..Query::new(points.next().unwrap(), points.next().unwrap())
        };
        let trace = Trace::new(&world, &query).unwrap();
        let Visited::Chains { start, goal, .. } = &trace.visited else {
            panic!("expected chains");
        };
        let mut all: Vec<SampleId> = start.iter().chain(goal).copied().collect();
        all.sort_unstable();
        all.dedup();
        let mut svg = Vec::new();
        crate::svg::write_search(&world, &DrawnPath::default(), &trace, &mut svg).unwrap();
        let svg = String::from_utf8(svg).unwrap();
        // Each dot has a rim, which is a second dot.
        assert_eq!(svg.matches("h0").count(), 2 * all.len());
        // The ring and its symbol in the legend.
        assert_eq!(svg.matches("<circle").count(), 2);
    }

    #[test]
    fn every_corner_that_an_end_sees_is_a_dot() {
        let raw = WorldScene::Rooms.build(&WorldOptions::default());
        let world = World::build(raw, &NavMeshOptions::default()).unwrap();
        let options = ExactOptions {
            limits: ExactLimits::NONE,
            auto: false,
        };
        let labels = world.with_exact(options, &no_progress).unwrap();
        let lazy = labels.clone().with_lazy_exact();
        let mut points = RandomPoints::new(labels.mesh(), 3);
        let query = Query {
            engine: Engine::Auto(Tier::Exact),
            ..Query::new(points.next().unwrap(), points.next().unwrap())
        };
        for world in [labels, lazy] {
            let trace = Trace::new(&world, &query).unwrap();
            let Visited::Sight { seen, settled, .. } = &trace.visited else {
                panic!("expected what the ends see");
            };
            let settled: HashSet<[u32; 3]> = settled
                .iter()
                .map(|corner| corner.to_array().map(f32::to_bits))
                .collect();
            let dots = seen[0].len() + seen[1].len() + settled.len();
            let mut svg = Vec::new();
            crate::svg::write_search(&world, &DrawnPath::default(), &trace, &mut svg).unwrap();
            let svg = String::from_utf8(svg).unwrap();
            // Each dot has a rim, which is a second dot.
            assert_eq!(svg.matches("h0").count(), 2 * dots);
            assert!(svg.contains("corners from the goal"));
        }
    }
}
