//! The pinned hash of answers once more, with every instruction that this processor has.
//!
//! A compiler that fused multiplications and additions, or reordered sums, would change the last bit of an
//! answer. This shows that it does not.

use crate::shell::{self, cargo};
use crate::steps::Outcome;
use crate::{Plan, programs};

pub(crate) fn run_step(plan: &Plan) -> Result<Outcome, String> {
    let target = programs::development()?.with_file_name("native");
    let mut test = cargo(&plan.root, "test");
    test.args(["--package", "portolan-index", "--test", "it"]);
    test.arg("--target-dir").arg(target);
    test.arg("pinned::answers_are_those_that_were_recorded");
    shell::run(test.env("RUSTFLAGS", "-C target-cpu=native"))?;
    Ok(Outcome::Passed)
}
