//! Draws the vertices that a search visited.

use std::collections::HashSet;
use std::io::{self, Write};

use portolan_core::{PolygonId, PortalGraph, SampleId, World};

use super::legend::{LegendEntry, Symbol};
use super::nodes::{CONNECTED, INTER_EDGE, INTRA_EDGE};
use super::{Drawing, Trace, Visited};

/// The colours of settled vertices, from the first to the last. They also differ in brightness.
const EARLY_TO_LATE: [&str; 5] = ["#f5d547", "#f2994a", "#d6455d", "#8e2f8f", "#3d1a6e"];

const START: &str = "#1b8a4a";
const GOAL: &str = "#1c5fc4";
const COMMON: &str = "#e07b10";

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
        };
        Ok(entries)
    }

    /// Draws dots with dark rims. Each dot is a line of length 0 with round ends.
    fn dots(
        &self,
        graph: &PortalGraph,
        vertices: &[SampleId],
        colour: &str,
        width: f32,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        for (colour, width) in [("#22252a", width + 2.0), (colour, width)] {
            write!(
                out,
                r#"<path fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round" d=""#
            )?;
            for &vertex in vertices {
                let (x, y) = self.to_plot(graph.position(vertex));
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

#[cfg(test)]
mod tests {
    use portolan_core::{Engine, NavMeshOptions, Query, Tier};
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
}
