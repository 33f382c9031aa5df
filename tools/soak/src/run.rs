//! Worlds one after the other, on all cores, until time is up.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fmt, thread};

use portolan_oracle::CaseRng;

use crate::{Ask, CHECKS, Case, Check, Compared, EngineFilter};

/// A soak with this many differences ends: more would not be read.
const MAX_DIFFERENCES: usize = 10;

/// What to try, and for how long.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The seed of the first world. Each further world has the next number.
    pub seed: u64,
    /// How many worlds to draw at most.
    pub worlds: u64,
    /// No world is begun after this time.
    pub time: Duration,
    /// The engines to compare.
    pub engines: EngineFilter,
    /// How answers are obtained: [`World::find_path`](portolan_core::World::find_path) but in tests of the soak.
    pub ask: Ask,
}

/// Something that is not as it should be.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The seed of the world.
    pub seed: u64,
    /// The check that found it.
    pub check: &'static str,
    /// What differs.
    pub message: String,
}

/// What came of a soak.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Worlds that were checked.
    pub worlds: u64,
    /// Answers that were compared.
    pub compared: Compared,
    /// Answers that were wrong, at most one for each world and check.
    pub differences: Vec<Difference>,
}

impl fmt::Display for Report {
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
            writeln!(f, "differs: {check}: {message}")?;
            writeln!(f, "   again: cargo xtask soak --seed {seed} --worlds 1")?;
        }
        Ok(())
    }
}

/// Draws and checks worlds on all cores until the time is up, all worlds are drawn, or too much differs.
pub fn soak(settings: &Settings) -> Report {
    let begin = Instant::now();
    let drawn = AtomicU64::new(0);
    let report = Mutex::new(Report::default());
    let work = || {
        loop {
            let number = drawn.fetch_add(1, Ordering::Relaxed);
            if number >= settings.worlds || begin.elapsed() >= settings.time {
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
fn check_world(settings: &Settings, seed: u64) -> (Compared, Vec<Difference>) {
    let mut compared = Compared::default();
    let mut differences = Vec::new();
    let difference = |check, message| Difference {
        seed,
        check,
        message,
    };
    let case = caught(|| Case::draw(&mut rng(seed, "world"), &settings.engines, settings.ask));
    match case {
        Err(message) => differences.push(difference("world", message)),
        Ok(case) => {
            for &Check { name, run } in CHECKS {
                match caught(|| run(&case, &mut rng(seed, name))) {
                    Ok(counts) => compared.merge(counts),
                    Err(message) => differences.push(difference(name, message)),
                }
            }
        }
    }
    (compared, differences)
}

/// CaseRng for one purpose. Every purpose has its own, so that a new check leaves the queries of others as they are.
fn rng(seed: u64, purpose: &str) -> CaseRng {
    // Numbers that follow one another would begin alike: FNV-1a spreads them.
    let bytes = seed.to_le_bytes().into_iter().chain(purpose.bytes());
    let mixed = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    CaseRng::new(mixed)
}

thread_local! {
    /// Where this thread panicked last.
    static PANICKED_AT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// From now on a panic prints nothing, and its place in the source is kept for [`soak`] to report.
pub fn record_panics() {
    panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|place| format!(" ({place})"));
        PANICKED_AT.with(|last| *last.borrow_mut() = place.unwrap_or_default());
    }));
}

/// The value, or the message and place of a panic.
fn caught<T>(make: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(make)).map_err(|panic| {
        let place = PANICKED_AT.with(|last| last.take());
        format!("{}{place}", message(&*panic))
    })
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without words")
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan_core::{Engine, EngineError, Path, Query, Scratch, Status, Tier, World};

    fn settings(ask: Ask) -> Settings {
        Settings {
            seed: 1,
            worlds: 4,
            time: Duration::MAX,
            engines: EngineFilter::default(),
            ask,
        }
    }

    #[test]
    fn right_answers_do_not_differ() {
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

    /// Answers as they are, but the contraction claims that its paths cost a thousandth less.
    fn flattering(
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
    fn a_wrong_cost_is_found_and_its_world_is_named() {
        let report = soak(&settings(flattering));
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
            ..settings(flattering)
        };
        assert!(
            soak(&again)
                .differences
                .iter()
                .any(|same| same.message == *message)
        );
    }

    #[test]
    fn other_engines_are_not_compared_when_some_are_named() {
        let report = soak(&Settings {
            engines: EngineFilter::new(vec!["astar".to_owned(), "hna".to_owned()]),
            ..settings(flattering)
        });
        assert!(report.differences.is_empty(), "{report}");
        assert!(
            report.compared.count("astar") > 0 && report.compared.count("hna") > 0,
            "{report}"
        );
        assert_eq!(report.compared.count("contraction:fast"), 0);
    }

    #[test]
    fn a_panic_is_a_difference() {
        let report = soak(&settings(|_, _, _, _| panic!("a bug")));
        assert!(
            report
                .differences
                .iter()
                .any(|found| found.message.starts_with("a bug"))
        );
    }
}
