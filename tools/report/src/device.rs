//! The device on which `--gpu` measures. Without the feature `gpu` there is none.

use crate::ReportError;

/// A graphics card, or a program that emulates one.
#[cfg(feature = "gpu")]
#[derive(Debug)]
pub(crate) struct Device {
    pub(crate) gpu: portolan_gpu::Gpu,
    /// The same device, with kernels that count what they do.
    pub(crate) counting: portolan_gpu::Gpu,
}

/// No device: the program was built without the feature `gpu`.
#[cfg(not(feature = "gpu"))]
#[derive(Debug)]
pub(crate) enum Device {}

#[cfg(feature = "gpu")]
impl Device {
    pub(crate) fn open() -> Result<Self, ReportError> {
        let failed = |error: portolan_gpu::GpuError| {
            ReportError::Device(format!("{error}, or leave out --gpu"))
        };
        Ok(Self {
            gpu: portolan_gpu::Gpu::new().map_err(failed)?,
            counting: portolan_gpu::Gpu::counting().map_err(failed)?,
        })
    }

    pub(crate) fn adapter(&self) -> &str {
        self.gpu.name()
    }

    pub(crate) fn is_emulated(&self) -> bool {
        self.gpu.is_emulated()
    }
}

#[cfg(not(feature = "gpu"))]
impl Device {
    pub(crate) fn open() -> Result<Self, ReportError> {
        Err(ReportError::Device(
            "this program was built without support for graphics cards: build it with \
             `cargo build --release -p portolan-cli --features gpu`, or leave out --gpu"
                .to_owned(),
        ))
    }

    pub(crate) fn adapter(&self) -> &str {
        match *self {}
    }

    pub(crate) fn is_emulated(&self) -> bool {
        match *self {}
    }
}
