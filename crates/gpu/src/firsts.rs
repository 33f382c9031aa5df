//! Batches by labels: the first portal or the first waypoint of every agent.

use glam::Vec3;
use portolan_core::batch::{BatchAnswers, BatchOptions, BatchQueries, RecordArrays, Want};
use portolan_core::contraction::Contraction;
use portolan_core::graph::Origin;
use portolan_core::{Endpoints, Engine, PolygonId, SampleId, Status, Tier};
use rayon::prelude::*;

use crate::arrays::NONE;
use crate::error::GpuError;
use crate::kernels::{Kernel, Params};
use crate::memory::Read;
use crate::parts::LabelPart;
use crate::paths::{AGENT_WORDS, FOUND, LocatedAgent, NO_PATH, locate};
use crate::world::{GpuReport, GpuWorld, Method};

/// The words of an answer, as in `kernels/labels.wgsl`.
pub(crate) const ANSWER_WORDS: usize = 8;

/// The number of portals that the walk to the first bend remembers. An agent that needs more is answered by the CPU.
const MAX_PORTALS: u32 = 256;

/// The answer of one agent.
#[derive(Clone, Copy, Debug)]
struct FirstAnswer {
    status: Status,
    cost: f32,
    polygon: PolygonId,
    points: [Vec3; 2],
    is_undecided: bool,
}

impl FirstAnswer {
    fn without_path(status: Status) -> Self {
        Self {
            status,
            cost: f32::INFINITY,
            polygon: BatchAnswers::NO_POLYGON,
            points: [Vec3::NAN; 2],
            is_undecided: false,
        }
    }
}

impl GpuWorld<'_> {
    pub(crate) fn answer_by_labels(
        &self,
        queries: BatchQueries<'_>,
        options: &BatchOptions<'_>,
        answers: &mut BatchAnswers,
    ) -> Result<GpuReport, GpuError> {
        let costs = self.asked_costs(options)?;
        let labels = self.labels(costs, options.max_label_bytes)?;
        let located = locate(
            &self.world,
            queries,
            &BatchOptions {
                engine: Engine::Contraction(Tier::Fast),
                ..*options
            },
        )?;
        let agents: Vec<(usize, Endpoints)> = (0..)
            .zip(&located)
            .filter_map(|(query, located)| Some((query, located.as_ref().ok()?.0)))
            .collect();
        let without_path = |located: &Result<_, Status>| match located {
            Ok(_) => FirstAnswer::without_path(Status::NoPath),
            Err(status) => FirstAnswer::without_path(*status),
        };
        let mut firsts: Vec<FirstAnswer> = located.iter().map(without_path).collect();
        let mut slices = 0;
        for slice in agents.chunks(self.label_slice(labels, options.want)) {
            let words: Vec<u32> = slice
                .iter()
                .flat_map(|(_, ends)| self.first_words(ends, options.want))
                .collect();
            let results = self.run_labels(labels, options.want, &words)?;
            let answered: Vec<FirstAnswer> = slice
                .par_iter()
                .zip(results.par_chunks_exact(ANSWER_WORDS))
                .map(|((_, ends), result)| self.first_answer(ends, result, options))
                .collect();
            for ((query, _), answer) in slice.iter().zip(answered) {
                firsts[*query] = answer;
            }
            slices += 1;
        }
        let fallbacks = self.decide(&located, &mut firsts, options)?;
        write_answers(&firsts, options.want, answers);
        Ok(GpuReport {
            fallbacks,
            slices,
            ..GpuReport::default()
        })
    }

    /// Returns the number of agents whose labels fit into the scratch.
    pub(crate) fn label_slice(&self, labels: &LabelPart, want: Want) -> usize {
        let words = label_scratch(labels, want) as u64;
        let fit = self.limits().scratch_bytes / (4 * words.max(1));
        (fit as usize).clamp(1, self.limits().agents)
    }

    /// Returns the number of agents of a crowd whose labels fit into the scratch, also in later versions of the world, where
    /// chains may be known to greater depths.
    pub(crate) fn crowd_slice(&self, labels: &LabelPart) -> usize {
        let depth = self.world.contraction().map_or(0, Contraction::depth);
        let blocks = depth.div_ceil(4).max(labels.max_blocks as usize);
        let fit = self.limits().scratch_bytes / (4 * (4 * blocks as u64 + u64::from(MAX_PORTALS)));
        (fit as usize).clamp(1, self.limits().agents)
    }

    /// Returns the parameters of a batch by labels.
    pub(crate) fn label_params(&self, labels: &LabelPart, want: Want, agents: usize) -> Params {
        let plan_model = self.world.graph().options().cost_model == portolan_core::CostModel::Plan;
        Params {
            agents: agents as u32,
            agent_scratch: label_scratch(labels, want),
            goals_first: labels.goals_first,
            rank_count: labels.rank_count,
            depth: labels.max_blocks,
            max_portals: MAX_PORTALS,
            method: u32::from(plan_model),
            ..self.params
        }
    }

    fn run_labels(
        &self,
        labels: &LabelPart,
        want: Want,
        words: &[u32],
    ) -> Result<Vec<u32>, GpuError> {
        let agents = words.len() / AGENT_WORDS;
        let params = self.label_params(labels, want, agents);
        let kernel = match want {
            Want::Portal => Kernel::FirstPortal,
            _ => Kernel::NextWaypoint,
        };
        let memory = &mut *self
            .memory
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        memory.agents.reserve(self.gpu, words.len());
        memory.results.reserve(self.gpu, ANSWER_WORDS * agents);
        memory.reserve_scratch(self.gpu, agents * params.agent_scratch as usize);
        self.gpu.write(&memory.agents.buffer, 0, words);
        memory.run(
            self.gpu,
            (&self.graph, &labels.index, &labels.table),
            None,
            &params,
            &[(kernel, agents)],
            Read::Results(ANSWER_WORDS * agents),
        )
    }

    /// Returns the words of an agent. A walk to the first bend needs the points themselves, and the first portal the points
    /// from which costs are measured.
    pub(crate) fn first_words(&self, ends: &Endpoints, want: Want) -> [u32; AGENT_WORDS] {
        let ends = [ends.start, ends.goal].map(|end| match want {
            Want::Portal => self.world.graph().cost_location(end),
            _ => end,
        });
        let mut words = [0; AGENT_WORDS];
        words[..2].copy_from_slice(&ends.map(|end| end.polygon.0));
        for (words, end) in words[2..8].chunks_exact_mut(3).zip(ends) {
            words.copy_from_slice(&end.point.to_array().map(f32::to_bits));
        }
        words
    }

    fn first_answer(
        &self,
        ends: &Endpoints,
        result: &[u32],
        options: &BatchOptions<'_>,
    ) -> FirstAnswer {
        let none = FirstAnswer::without_path(Status::NoPath);
        match result[0] {
            FOUND => {}
            NO_PATH => return none,
            _ => {
                return FirstAnswer {
                    is_undecided: true,
                    ..none
                };
            }
        }
        let (cost, limit) = (f32::from_bits(result[1]), options.limits.max_cost);
        if limit < f32::INFINITY && (cost - limit).abs() <= RecordArrays::TIE * limit {
            // The sums of the CPU may be rounded to the other side of the limit.
            return FirstAnswer {
                is_undecided: true,
                ..none
            };
        }
        if cost > limit {
            return none;
        }
        let (polygon, points) = match options.want {
            Want::Portal => self.portal_ends(ends, result[2]),
            _ => {
                let [x, y, z] = [3, 4, 5].map(|word| f32::from_bits(result[word]));
                (PolygonId(result[2]), [Vec3::new(x, y, z); 2])
            }
        };
        FirstAnswer {
            status: Status::Found,
            cost,
            polygon,
            points,
            is_undecided: false,
        }
    }

    /// Returns the polygon beyond an exit and the ends of its portal, as [`BatchAnswers::portals`] describes them.
    fn portal_ends(&self, ends: &Endpoints, exit: u32) -> (PolygonId, [Vec3; 2]) {
        let (mesh, here) = (self.world.mesh(), ends.start.polygon);
        if exit == NONE {
            return (here, [ends.goal.point; 2]);
        }
        match self.world.graph().origin(SampleId(exit)) {
            Origin::Portal(portal) => {
                let portal = mesh.portal(portal);
                (portal.beyond(here), portal.ends_from(here))
            }
            Origin::LinkEnd(link, end) => {
                let link = mesh.link(link);
                (link.polygons[1 - end], [link.ends[end], link.ends[1 - end]])
            }
        }
    }

    /// Answers the agents that labels do not decide, because several paths cost the same up to rounding. Their paths are searched
    /// on the device, as those of the CPU are then, in the contraction. Returns the number of agents that the CPU had to search for.
    fn decide(
        &self,
        located: &[LocatedAgent],
        firsts: &mut [FirstAnswer],
        options: &BatchOptions<'_>,
    ) -> Result<usize, GpuError> {
        let undecided: Vec<(usize, Endpoints)> = (0..)
            .zip(&*firsts)
            .filter(|(_, first)| first.is_undecided)
            .filter_map(|(query, _)| Some((query, located[query].as_ref().ok()?.0)))
            .collect();
        let ends: Vec<Endpoints> = undecided.iter().map(|(_, ends)| *ends).collect();
        if ends.is_empty() {
            return Ok(0);
        }
        let queries = BatchQueries::Located(&ends);
        let by_contraction = BatchOptions {
            engine: Engine::Contraction(Tier::Fast),
            ..*options
        };
        let mut answers = BatchAnswers::default();
        let searched =
            self.answer_by_paths(queries, Method::Contraction, &by_contraction, &mut answers);
        let fallbacks = match searched {
            Ok(report) => report.fallbacks,
            // The labels fit on the device, and the contraction does not.
            Err(GpuError::TooLarge { .. }) => {
                self.world.find_paths(queries, options, &mut answers)?;
                ends.len()
            }
            Err(error) => return Err(error),
        };
        for (i, (query, _)) in undecided.iter().enumerate() {
            let points = match options.want {
                Want::Portal => answers.portals[i],
                _ => [answers.next[i]; 2],
            };
            firsts[*query] = FirstAnswer {
                status: answers.statuses[i],
                cost: answers.costs[i],
                polygon: answers.polygons[i],
                points,
                is_undecided: false,
            };
        }
        Ok(fallbacks)
    }
}

/// The words of scratch of an agent: the costs of the goal's chain, and the portals of the walk.
fn label_scratch(labels: &LabelPart, want: Want) -> u32 {
    let portals = if want == Want::Portal { 0 } else { MAX_PORTALS };
    (4 * labels.max_blocks + portals).max(4)
}

fn write_answers(firsts: &[FirstAnswer], want: Want, answers: &mut BatchAnswers) {
    answers.clear();
    answers
        .statuses
        .extend(firsts.iter().map(|first| first.status));
    answers.costs.extend(firsts.iter().map(|first| first.cost));
    answers
        .polygons
        .extend(firsts.iter().map(|first| first.polygon));
    match want {
        Want::Portal => answers
            .portals
            .extend(firsts.iter().map(|first| first.points)),
        _ => answers
            .next
            .extend(firsts.iter().map(|first| first.points[0])),
    }
}
