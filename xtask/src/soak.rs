//! Builds and runs `tools/soak`, which compares every engine with the oracle on random worlds.

use std::path::Path;

use crate::shell::{self, cargo, command};
use crate::steps::{self, StepOutcome};
use crate::{TestPlan, programs};

/// Builds the program and runs it with `arguments`. Returns its exit code.
///
/// It is a development build with the same features as the tests. Nothing is therefore compiled twice, and
/// debug assertions and overflow checks are on.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<u8, String> {
    let mut build = cargo(root, "build");
    build
        .args(steps::EVERYTHING)
        .args(["--bin", "portolan-soak"]);
    shell::run(&mut build)?;
    let name = format!("portolan-soak{}", std::env::consts::EXE_SUFFIX);
    let program = programs::development()?.join(name);
    let status = command(root, &program, arguments)
        .status()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    Ok(status.code().map_or(1, |code| code.clamp(0, 255) as u8))
}

pub(crate) fn run_step(plan: &TestPlan) -> Result<StepOutcome, String> {
    let arguments = ["--minutes", "1", "--seed", steps::SEED].map(str::to_owned);
    match run(&plan.root, &arguments)? {
        0 => Ok(StepOutcome::Passed),
        code => Err(format!(
            "the soak test ended with exit code {code}; its output above names the worlds that failed"
        )),
    }
}
