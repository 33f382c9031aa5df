//! What a search looked at, drawn.

use std::io::{self, Write};

use portolan_core::{PolygonId, PortalGraph, SampleId, World};

use super::legend::{Entry, Sign};
use super::{Drawing, Seen, Trace};

/// From the first settled to the last, told apart in grey as well.
const EARLY_TO_LATE: [&str; 5] = ["#f5d547", "#f2994a", "#d6455d", "#8e2f8f", "#3d1a6e"];

const START: &str = "#1b8a4a";
const GOAL: &str = "#1c5fc4";
const COMMON: &str = "#e07b10";

/// The width of a dot, in pixels.
const DOT: f32 = 8.0;

impl Drawing {
    pub(super) fn search(
        &self,
        world: &World,
        trace: &Trace,
        seen: &[PolygonId],
        out: &mut dyn Write,
    ) -> io::Result<Vec<Entry>> {
        let graph = trace.graph(world);
        let vertices = graph.sample_count();
        let entries = match &trace.seen {
            Seen::Settled(settled) => {
                let each = settled.len().div_ceil(EARLY_TO_LATE.len()).max(1);
                // The first on top: there they lie closest.
                for (group, color) in settled.chunks(each).zip(EARLY_TO_LATE).rev() {
                    self.dots(graph, group, color, DOT, out)?;
                }
                let text = format!("{} of {vertices} vertices settled:", settled.len());
                let order = [
                    "the first fifth",
                    "the second",
                    "the third",
                    "the fourth",
                    "the last",
                ];
                let signs = EARLY_TO_LATE.map(Sign::Dot).into_iter().zip(order);
                let mut entries = vec![Entry::new(Sign::Nothing, text)];
                entries.extend(signs.map(|(sign, text)| Entry::new(sign, text)));
                entries
            }
            Seen::InterEdges {
                level,
                connected,
                settled,
                intra_edges,
            } => {
                let mut is_seen = vec![false; world.mesh().polygon_count()];
                seen.iter()
                    .for_each(|polygon| is_seen[polygon.index()] = true);
                self.node_borders(world, *level, &is_seen, out)?;
                let mut lines = intra_edges.clone();
                lines.iter_mut().for_each(|line| line.sort_unstable());
                lines.sort_unstable();
                lines.dedup();
                self.lines(graph, &lines, "#ffd91a", out)?;
                self.dots(graph, &connected.concat(), "#ffffff", DOT, out)?;
                self.dots(graph, settled, "#e0202c", DOT, out)?;
                let all = world
                    .hierarchy()
                    .map_or(0, |hierarchy| hierarchy.level(*level).inter_edges().len());
                vec![
                    Entry::new(
                        Sign::Dot("#e0202c"),
                        format!("{} of {all} inter-edges settled", settled.len()),
                    ),
                    Entry::new(
                        Sign::Dot("#ffffff"),
                        format!(
                            "connected, not settled ({} and {})",
                            connected[0].len(),
                            connected[1].len()
                        ),
                    ),
                    Entry::new(
                        Sign::line("#ffd91a", 1.5),
                        format!("{} intra-edges looked at", intra_edges.len()),
                    ),
                ]
            }
            Seen::Chains {
                start,
                goal,
                meeting,
            } => {
                let common = start
                    .iter()
                    .rev()
                    .zip(goal.iter().rev())
                    .take_while(|(a, b)| a == b)
                    .count();
                let (starts, both) = start.split_at(start.len() - common);
                let goals = &goal[..goal.len() - common];
                self.dots(graph, both, COMMON, DOT, out)?;
                self.dots(graph, starts, START, DOT, out)?;
                self.dots(graph, goals, GOAL, DOT, out)?;
                if let Some(meeting) = *meeting {
                    let (x, y) = self.place(graph.position(meeting));
                    writeln!(
                        out,
                        r##"<circle cx="{x:.1}" cy="{y:.1}" r="11" fill="none" stroke="#000" stroke-width="3"/>"##
                    )?;
                }
                let mut entries = vec![
                    Entry::new(
                        Sign::Nothing,
                        format!("of {vertices} vertices, on the chains:"),
                    ),
                    Entry::new(Sign::Dot(START), format!("{} of the start", starts.len())),
                    Entry::new(Sign::Dot(GOAL), format!("{} of the goal", goals.len())),
                    Entry::new(Sign::Dot(COMMON), format!("{common} of both")),
                ];
                if meeting.is_some() {
                    entries.push(Entry::new(Sign::Ring, "where the path turns"));
                }
                entries
            }
        };
        Ok(entries)
    }

    /// Dots are lines without length and with round ends, of one element.
    fn dots(
        &self,
        graph: &PortalGraph,
        vertices: &[SampleId],
        color: &str,
        width: f32,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        for (color, width) in [("#22252a", width + 2.0), (color, width)] {
            write!(
                out,
                r#"<path fill="none" stroke="{color}" stroke-width="{width}" stroke-linecap="round" d=""#
            )?;
            for &vertex in vertices {
                let (x, y) = self.place(graph.position(vertex));
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
        color: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write!(
            out,
            r#"<path fill="none" stroke="{color}" stroke-width="0.8" d=""#
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
    use crate::svg::Shown;

    #[test]
    fn every_vertex_of_the_chains_is_a_dot() {
        let raw = WorldScene::Rooms.build(&WorldOptions::default());
        let world = World::build(raw, &NavMeshOptions::default()).unwrap();
        let order = (0..world.graph().sample_count() as u32).collect();
        let world = world.with_contraction(order);
        let mut points = RandomPoints::new(world.mesh(), 3);
        let query = Query {
            engine: Engine::Contraction(Tier::Fast),
            ..Query::new(points.next().unwrap(), points.next().unwrap())
        };
        let trace = Trace::new(&world, &query).unwrap();
        let Seen::Chains { start, goal, .. } = &trace.seen else {
            panic!("not chains");
        };
        let mut all: Vec<SampleId> = start.iter().chain(goal).copied().collect();
        all.sort_unstable();
        all.dedup();
        let mut svg = Vec::new();
        crate::svg::write_search(&world, &Shown::default(), &trace, &mut svg).unwrap();
        let svg = String::from_utf8(svg).unwrap();
        // Each has a rim.
        assert_eq!(svg.matches("h0").count(), 2 * all.len());
        // The ring, and its sign in the legend.
        assert_eq!(svg.matches("<circle").count(), 2);
    }
}
