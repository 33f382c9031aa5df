//! Random worlds, every engine against the oracle, by `tools/soak`.

use std::path::Path;

use crate::Plan;
use crate::programs;
use crate::shell::{self, cargo, command};
use crate::steps::Outcome;

/// Builds the program and runs it with the arguments. Returns the code that it ends with.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<u8, String> {
    shell::run(cargo(root, "build").args(["--release", "--package", "portolan-soak"]))?;
    let name = format!("portolan-soak{}", std::env::consts::EXE_SUFFIX);
    let program = programs::target()?.join("release").join(name);
    let status = command(root, &program, arguments)
        .status()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    Ok(status.code().map_or(1, |code| code.clamp(0, 255) as u8))
}

pub(crate) fn run_step(plan: &Plan) -> Result<Outcome, String> {
    let arguments = ["--minutes", "1"].map(str::to_owned);
    match run(&plan.root, &arguments)? {
        0 => Ok(Outcome::Passed),
        code => Err(format!(
            "the soak ended with code {code}; its lines above say which worlds"
        )),
    }
}
