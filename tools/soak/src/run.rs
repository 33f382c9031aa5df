//! Runs the checks on one world after another, on all cores, until the time is up.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fmt, thread};

use portolan_oracle::CaseRng;

use crate::{AnswerCounts, CHECKS, EngineFilter, FindPath, SoakCase, SoakCheck};

/// The number of differences after which a soak test stops.
const MAX_DIFFERENCES: usize = 10;

/// The settings of a soak test.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The seed of the first world. Each further world has the next number.
    pub seed: u64,
    /// The largest number of worlds to check.
    pub worlds: u64,
    /// The time after which no new world is started.
    pub time: Duration,
    /// The engines to compare.
    pub engines: EngineFilter,
    /// The function that finds paths: [`World::find_path`](portolan_core::World::find_path), except in tests of the
    /// soak test itself.
    pub find_path: FindPath,
}

/// A wrong answer or a panic.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The seed of the world.
    pub seed: u64,
    /// The name of the check that found it.
    pub check: &'static str,
    /// The message of the failed assertion or of the panic, with its location in the source.
    pub message: String,
}

/// The result of a soak test.
#[derive(Clone, Debug, Default)]
pub struct SoakReport {
    /// The number of worlds that were checked.
    pub worlds: u64,
    /// The numbers of answers that were compared.
    pub compared: AnswerCounts,
    /// The wrong answers, at most one per world and check.
    pub differences: Vec<Difference>,
}

impl fmt::Display for SoakReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.compared)?;
        let Self {
            worlds,
            differences,
            ..
        } = self;
        writeln!(f, "   {worlds} worlds, {} differences", differences.len())?;
        for Difference {
            seed,
            check,
            message,
        } in differences
        {
            writeln!(f, "difference: {check}: {message}")?;
            writeln!(f, "   reproduce: cargo xtask soak --seed {seed} --worlds 1")?;
        }
        Ok(())
    }
}

/// Draws and checks worlds on all cores until the time is up, the number of worlds is reached, or there are ten
/// differences.
pub fn soak(settings: &Settings) -> SoakReport {
    let start = Instant::now();
    let drawn = AtomicU64::new(0);
    let report = Mutex::new(SoakReport::default());
    let work = || {
        loop {
            let number = drawn.fetch_add(1, Ordering::Relaxed);
            if number >= settings.worlds || start.elapsed() >= settings.time {
                break;
            }
            let (compared, differences) = check_world(settings, settings.seed.wrapping_add(number));
            let mut report = report
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner());
            report.worlds += 1;
            report.compared.merge(compared);
            report.differences.extend(differences);
            if report.differences.len() >= MAX_DIFFERENCES {
                break;
            }
        }
    };
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(work);
        }
    });
    let mut report = report
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    report
        .differences
        .sort_by_key(|difference| (difference.seed, difference.check));
    report
}

/// Runs all checks on the world of one seed.
fn check_world(settings: &Settings, seed: u64) -> (AnswerCounts, Vec<Difference>) {
    let mut compared = AnswerCounts::default();
    let mut differences = Vec::new();
    let difference = |check, message| Difference {
        seed,
        check,
        message,
    };
    let case = caught(|| {
        SoakCase::draw(
            &mut rng(seed, "world"),
            &settings.engines,
            settings.find_path,
        )
    });
    match case {
        Err(message) => differences.push(difference("world", message)),
        Ok(case) => {
            for &SoakCheck { name, run } in CHECKS {
                match caught(|| run(&case, &mut rng(seed, name))) {
                    Ok(counts) => compared.merge(counts),
                    Err(message) => differences.push(difference(name, message)),
                }
            }
        }
    }
    (compared, differences)
}

/// Returns the generator for one purpose. Every purpose has its own, so that a new check does not change the queries of
/// other checks.
fn rng(seed: u64, purpose: &str) -> CaseRng {
    // Consecutive seeds give similar streams. FNV-1a mixes them.
    let bytes = seed.to_le_bytes().into_iter().chain(purpose.bytes());
    let mixed = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    CaseRng::new(mixed)
}

thread_local! {
    /// The source location of the last panic of this thread.
    static PANICKED_AT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Installs a panic hook that prints nothing and records the source location of a panic, which [`soak`] reports.
pub fn record_panics() {
    panic::set_hook(Box::new(|panic| {
        let location = panic.location().map(|location| format!(" ({location})"));
        PANICKED_AT.with(|last| *last.borrow_mut() = location.unwrap_or_default());
    }));
}

/// Runs a function and returns its value, or the message and the source location if it panics.
fn caught<T>(function: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(function)).map_err(|panic| {
        let location = PANICKED_AT.with(|last| last.take());
        format!("{}{location}", message(&*panic))
    })
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without a message")
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan_core::{Engine, EngineError, Path, Query, Scratch, Status, Tier, World};

    fn settings(find_path: FindPath) -> Settings {
        Settings {
            seed: 1,
            worlds: 4,
            time: Duration::MAX,
            engines: EngineFilter::default(),
            find_path,
        }
    }

    #[test]
    fn correct_engines_have_no_differences() {
        let report = soak(&settings(World::find_path));
        assert!(report.differences.is_empty(), "{report}");
        assert_eq!(report.worlds, 4);
        for engine in [
            "astar",
            "dijkstra",
            "contraction:fast",
            "contraction",
            "labels",
            "terrain:astar",
        ] {
            assert!(report.compared.count(engine) > 0, "{engine}: {report}");
        }
    }

    /// Finds paths like [`World::find_path`], but lowers the costs of the contraction by a thousandth.
    fn wrong_costs(
        world: &World,
        query: &Query<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> Result<Status, EngineError> {
        let status = world.find_path(query, scratch, path);
        if query.engine == Engine::Contraction(Tier::Fast) {
            path.cost *= 0.999;
        }
        status
    }

    #[test]
    fn a_wrong_cost_is_reported_with_its_seed() {
        let report = soak(&settings(wrong_costs));
        let found = report
            .differences
            .iter()
            .find(|found| found.check == "answers");
        let Difference { seed, message, .. } = found.expect("a difference");
        assert!(message.starts_with("contraction:fast: "), "{message}");
        let command = format!("cargo xtask soak --seed {seed} --worlds 1");
        assert!(report.to_string().contains(&command), "{report}");

        let again = Settings {
            seed: *seed,
            worlds: 1,
            ..settings(wrong_costs)
        };
        assert!(
            soak(&again)
                .differences
                .iter()
                .any(|same| same.message == *message)
        );
    }

    #[test]
    fn only_the_selected_engines_are_compared() {
        let report = soak(&Settings {
            engines: EngineFilter::new(vec!["astar".to_owned(), "hna".to_owned()]),
            ..settings(wrong_costs)
        });
        assert!(report.differences.is_empty(), "{report}");
        assert!(
            report.compared.count("astar") > 0 && report.compared.count("hna") > 0,
            "{report}"
        );
        assert_eq!(report.compared.count("contraction:fast"), 0);
    }

    #[test]
    fn a_panic_is_reported_as_a_difference() {
        let report = soak(&settings(|_, _, _, _| panic!("a bug")));
        assert!(
            report
                .differences
                .iter()
                .any(|found| found.message.starts_with("a bug"))
        );
    }
}
