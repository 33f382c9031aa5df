//! Measures a device: batches as in figures 11 and 12 of Rahmani and Pelechano 2020, and single queries of HNA* whose
//! connect step runs on the device, as in figures 9, 13 and 14.

#[cfg(not(feature = "gpu"))]
use super::SceneBench;
use crate::ReportError;
use crate::device::Device;
use crate::device_model::{DeviceBatches, DeviceConnects};

/// The merge factors at which single queries connect on the device. They include those of the published times.
pub(crate) const DEVICE_FACTORS: [u32; 4] = [2, 6, 10, 20];

/// The maximum number of single queries per merge factor and level.
pub(crate) const DEVICE_QUERIES: usize = 30;

#[cfg(not(feature = "gpu"))]
impl SceneBench<'_> {
    pub(super) fn device_batches(&self, device: &Device) -> Result<DeviceBatches, ReportError> {
        match *device {}
    }

    pub(super) fn device_connects(
        &self,
        _mu: u32,
        device: &Device,
    ) -> Result<DeviceConnects, ReportError> {
        match *device {}
    }
}

#[cfg(feature = "gpu")]
mod measured {
    use std::time::{Duration, Instant};

    use portolan_core::{
        BatchAnswers, BatchOptions, BatchQueries, Connect, Endpoints, Engine, Level, Tier, Want,
        World,
    };
    use portolan_gpu::{GpuError, GpuWorld};
    use portolan_measure::{distant_queries, mean, same_cost, thousandths};

    use super::*;
    use crate::batch_model::{BatchCell, BatchEngine};
    use crate::device_model::{DeviceConnect, DeviceEngine, KernelWork};
    use crate::jobs::batches::{BatchBench, CHECKED, MAX_LABEL_BYTES, RUNS};
    use crate::jobs::grid::nodes;
    use crate::jobs::{IndexSettings, PCCP_AT, SceneBench};
    use crate::measure::LocatedQueries;

    /// The highest level of figures 9, 13 and 14.
    const DEVICE_LEVELS: u32 = 3;

    impl SceneBench<'_> {
        pub(in crate::jobs) fn device_batches(
            &self,
            device: &Device,
        ) -> Result<DeviceBatches, ReportError> {
            let (mu, level) = PCCP_AT;
            let world = self.world(IndexSettings {
                tiers: &[Tier::Fast],
                ..IndexSettings::new(mu, self.max_levels().min(level.into()))
            })?;
            let top = world.hierarchy().map_or(0, |hierarchy| hierarchy.top().0);
            let max_agents = self.effort.agents.last().map_or(0, |&last| last as usize);
            let queries = distant_queries(world.mesh(), max_agents, self.effort.seed);
            let located = LocatedQueries::new(&world, &queries);
            let on_device = device.gpu.upload(&world, world.default_costs());
            let on_device = on_device.map_err(failed)?;
            let counting = device.counting.upload(&world, world.default_costs());
            let counting = counting.map_err(failed)?;
            let (mut times, mut engines) = (Vec::new(), Vec::new());
            for (engine, want) in requests(&world, Level(top)) {
                let measured = self.device_engine(engine, want, &on_device, &counting, &located);
                times.push(measured.0);
                engines.push(measured.1);
            }
            Ok(DeviceBatches {
                times: BatchCell {
                    scene: self.scene(),
                    polygons: world.mesh().polygon_count(),
                    mu,
                    level: top,
                    engines: times,
                },
                engines,
            })
        }

        fn device_engine(
            &self,
            engine: Engine,
            want: Want,
            on_device: &GpuWorld<'_>,
            counting: &GpuWorld<'_>,
            located: &LocatedQueries<'_>,
        ) -> (BatchEngine, DeviceEngine) {
            let world = located.world;
            let mut bench = BatchBench::on(engine, want, |queries, options, answers| {
                let report = on_device.find_paths(queries, options, answers);
                Ok(report.map_err(|error| error.to_string())?.fallbacks)
            });
            // The first batch uploads arrays.
            bench.answer(&located.endpoints[..located.endpoints.len().min(1)]);
            for &agents in &self.effort.agents {
                let agents = (agents as usize).min(located.endpoints.len());
                if bench.expected_ms(agents) > self.effort.batch_ms as f64 {
                    break;
                }
                for _ in 0..RUNS {
                    let patience_ms = self.effort.patience_ms as f64;
                    bench.run_unless_slow(&located.endpoints[..agents], patience_ms);
                }
            }
            let fallbacks = bench.fallbacks;
            let frame_agents = bench.frame_agents(&located.endpoints);
            let largest = bench.times.last().map_or(0, |batch| batch.agents);
            let compared = &located.endpoints[..largest.min(CHECKED)];
            bench.answer(compared);
            let mismatches = differences(world, compared, &bench.options, &bench.answers);
            let counted = self
                .effort
                .agents
                .first()
                .map_or(0, |&agents| agents as usize);
            let counted = &located.endpoints[..counted.min(located.endpoints.len())];
            let kernels = kernel_work(counting, counted, &bench.options);
            let failure = bench.failure.take();
            let failure = failure.or(kernels.as_ref().err().map(GpuError::to_string));
            let times = BatchEngine {
                engine: engine.to_string(),
                want: want.name().to_owned(),
                bytes: world.engine_bytes(engine),
                frame_agents,
                checked: compared.len(),
                mismatches,
                batches: bench.times,
            };
            let of_device = DeviceEngine {
                fallbacks,
                failure,
                counted_agents: counted.len(),
                kernels: kernels.unwrap_or_default(),
            };
            (times, of_device)
        }

        pub(in crate::jobs) fn device_connects(
            &self,
            mu: u32,
            device: &Device,
        ) -> Result<DeviceConnects, ReportError> {
            let levels = self.max_levels().min(DEVICE_LEVELS);
            let world = self.world(IndexSettings::new(mu, levels).without_tables())?;
            let queries = &self.queries[..self.queries.len().min(DEVICE_QUERIES)];
            let located = LocatedQueries::new(&world, queries);
            let on_device = device.gpu.upload(&world, world.default_costs());
            let mut on_device = on_device.map_err(failed)?;
            let top = world.hierarchy().map_or(0, |hierarchy| hierarchy.top().0);
            let mut cells = Vec::new();
            for level in (1..=top).map(Level) {
                cells.push(self.device_connect(mu, level, &mut on_device, &located)?);
            }
            Ok(DeviceConnects { cells })
        }

        fn device_connect(
            &self,
            mu: u32,
            level: Level,
            on_device: &mut GpuWorld<'_>,
            located: &LocatedQueries<'_>,
        ) -> Result<DeviceConnect, ReportError> {
            let options = BatchOptions {
                engine: Engine::Hna {
                    level: Some(level),
                    connect: Some(Connect::Parallel),
                },
                ..BatchOptions::new(Want::Distance)
            };
            let mut answers = BatchAnswers::default();
            let (mut fallbacks, mut mismatches) = (0, 0);
            // This round is not timed. It uploads arrays, and its answers are compared.
            for &ends in &located.endpoints {
                let queries = BatchQueries::Located(std::slice::from_ref(&ends));
                let report = on_device.find_paths(queries, &options, &mut answers);
                fallbacks += report.map_err(failed)?.fallbacks;
                mismatches += differences(located.world, &[ends], &options, &answers);
            }
            let mut timed = |has_steps: bool| {
                on_device.time_steps(has_steps);
                let mut failure = None;
                let times = located.measure_with(self.effort, |ends| {
                    let start = Instant::now();
                    let queries = BatchQueries::Located(std::slice::from_ref(ends));
                    let report = on_device.find_paths(queries, &options, &mut answers);
                    let total = start.elapsed();
                    let connect = report.map_or_else(
                        |error| {
                            failure = Some(error);
                            Duration::ZERO
                        },
                        |report| report.connect,
                    );
                    let cost = answers.costs.first().copied();
                    (total, connect, cost.unwrap_or(f32::INFINITY))
                });
                failure.map_or(Ok(times), |error| Err(failed(error)))
            };
            let (times, steps) = (timed(false)?, timed(true)?);
            let portals = nodes(located, level).into_iter();
            let portals = portals.map(|(start, goal)| (start.1 + goal.1) as f64);
            Ok(DeviceConnect {
                scene: self.scene(),
                mu,
                level: level.0,
                portals_mean: thousandths(mean(portals)),
                time: times.timing(),
                connect_us: steps.step_us(|steps| steps.connect),
                mismatches,
                fallbacks,
            })
        }
    }

    fn failed(error: GpuError) -> ReportError {
        ReportError::Device(error.to_string())
    }

    /// Lists the engines that run on a device and what they return, with A*, the reference, first.
    fn requests(world: &World, level: Level) -> Vec<(Engine, Want)> {
        let level = Some(level);
        let mut engines = vec![
            Engine::AStar,
            Engine::Hna {
                level,
                connect: Some(Connect::Parallel),
            },
            Engine::Pccp { level },
            Engine::Contraction(Tier::Fast),
        ];
        engines.retain(|&engine| world.check_engine(engine).is_ok());
        let corridors = engines.into_iter().map(|engine| (engine, Want::Corridor));
        let labels = world.prepare_labels(world.default_costs(), MAX_LABEL_BYTES);
        let firsts = [Want::Next, Want::Portal].map(|want| (Engine::Labels, want));
        let firsts = firsts.into_iter().filter(|_| labels.is_ok());
        corridors.chain(firsts).collect()
    }

    /// Returns the number of agents whose status or cost differs from that of the same batch on the CPU.
    fn differences(
        world: &World,
        endpoints: &[Endpoints],
        options: &BatchOptions<'_>,
        answers: &BatchAnswers,
    ) -> usize {
        let mut on_cpu = BatchAnswers::default();
        let queries = BatchQueries::Located(endpoints);
        let result = world.find_paths(queries, options, &mut on_cpu);
        result.expect("an engine of this world");
        if answers.statuses.len() != endpoints.len() {
            return endpoints.len();
        }
        let is_different = |i: &usize| {
            let (cost, optimum) = (answers.costs[*i], on_cpu.costs[*i]);
            answers.statuses[*i] != on_cpu.statuses[*i] || !same_cost(cost, optimum)
        };
        (0..endpoints.len()).filter(is_different).count()
    }

    /// Returns what the kernels do for some agents.
    fn kernel_work(
        counting: &GpuWorld<'_>,
        endpoints: &[Endpoints],
        options: &BatchOptions<'_>,
    ) -> Result<Vec<KernelWork>, GpuError> {
        let mut answers = BatchAnswers::default();
        counting.gpu().take_counts()?;
        counting.find_paths(BatchQueries::Located(endpoints), options, &mut answers)?;
        let counts = counting.gpu().take_counts()?;
        let kernels = counts.into_iter().map(|counts| KernelWork {
            kernel: counts.kernel.to_owned(),
            index_words: counts.index_words,
            own_words: counts.own_words,
            written_words: counts.written_words,
            operations: counts.operations,
            lockstep_operations: counts.lockstep_operations,
        });
        Ok(kernels.collect())
    }
}
