//! Graphics cards, for a program that was built with the feature `gpu`. Without the feature, the same names exist, but opening a
//! device fails with an error that says how to build the program.

#[cfg(not(feature = "gpu"))]
pub(crate) use absent::{Gpu, GpuError, GpuWorld};
use portolan_core::{Engine, Tier, Want};
#[cfg(feature = "gpu")]
pub(crate) use portolan_gpu::{Gpu, GpuError, GpuWorld};

use crate::outcome::Failure;

/// Opens the device if it is asked for.
pub(crate) fn open(is_wanted: bool) -> Result<Option<Gpu>, Failure> {
    match is_wanted {
        true => Gpu::new()
            .map(Some)
            .map_err(|error| Failure::new(describe(&error))),
        false => Ok(None),
    }
}

/// Describes why a device cannot answer, and what to do.
pub(crate) fn describe(error: &GpuError) -> String {
    #[cfg(feature = "gpu")]
    if let GpuError::NoAdapter { .. } | GpuError::TooLarge { .. } = error {
        return format!("{error}, or leave out --gpu");
    }
    error.to_string()
}

/// Returns the engine that answers on a device by default.
pub(crate) fn default_engine(want: Want) -> Engine {
    match want.default_engine() {
        Engine::Labels => Engine::Labels,
        _ => Engine::Contraction(Tier::Fast),
    }
}

/// Returns the name of a device, and whether it is emulated.
pub(crate) fn adapter_name(gpu: &Gpu) -> String {
    match gpu.is_emulated() {
        true => format!("{} (emulated on the CPU)", gpu.name()),
        false => gpu.name().to_owned(),
    }
}

#[cfg(not(feature = "gpu"))]
mod absent {
    use std::marker::PhantomData;

    use portolan_core::{BatchAnswers, BatchOptions, BatchQueries, Costs, World};

    /// A device, which this program cannot open.
    pub(crate) enum Gpu {}

    /// A world on a device.
    pub(crate) struct GpuWorld<'a> {
        never: Gpu,
        gpu: PhantomData<&'a Gpu>,
    }

    /// The only error: the program was built without support for devices.
    #[derive(Debug)]
    pub(crate) struct GpuError;

    /// How a batch was answered.
    pub(crate) struct GpuReport {
        pub(crate) fallbacks: usize,
    }

    impl std::fmt::Display for GpuError {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(
                "this program was built without support for graphics cards: run `cargo install --path tools/cli \
                 --features gpu`, or leave out --gpu",
            )
        }
    }

    impl Gpu {
        pub(crate) fn new() -> Result<Self, GpuError> {
            Err(GpuError)
        }

        pub(crate) fn name(&self) -> &str {
            match *self {}
        }

        pub(crate) fn is_emulated(&self) -> bool {
            match *self {}
        }

        pub(crate) fn upload(&self, _: &World, _: &Costs) -> Result<GpuWorld<'_>, GpuError> {
            match *self {}
        }
    }

    impl GpuWorld<'_> {
        pub(crate) fn prepare(&self, _: &BatchOptions<'_>) -> Result<(), GpuError> {
            let _ = self.gpu;
            match self.never {}
        }

        pub(crate) fn find_paths(
            &self,
            _: BatchQueries<'_>,
            _: &BatchOptions<'_>,
            _: &mut BatchAnswers,
        ) -> Result<GpuReport, GpuError> {
            match self.never {}
        }
    }
}
