//! The device: its adapter, its limits, the compiled kernels, and the copies to it and back.

use std::sync::Mutex;
use std::sync::mpsc;

use wgpu::{
    Backends, BindGroup, BindGroupEntry, BindGroupLayout, BindingResource, Buffer,
    BufferDescriptor, BufferUsages, CommandEncoder, ComputePipeline, Device, DeviceDescriptor,
    Instance, InstanceDescriptor, MapMode, PollType, PowerPreference, Queue, RequestAdapterOptions,
};

use crate::error::GpuError;
use crate::kernels::{GROUP, Kernel, Params, Tables, bind_group_layout, pipelines};
use crate::table::Table;

/// A graphics card, or a program that emulates one, with the compiled kernels.
#[derive(Debug)]
pub struct Gpu {
    pub(crate) device: Device,
    pub(crate) queue: Queue,
    name: String,
    is_emulated: bool,
    tables: Tables,
    layout: BindGroupLayout,
    pipelines: Vec<ComputePipeline>,
    /// The counters of a device that counts.
    counts: Option<Buffer>,
    /// The first error that the driver reported, until somebody asks.
    failure: std::sync::Arc<Mutex<Option<String>>>,
}

/// The arrays that a dispatch reads and writes.
pub(crate) struct Bindings<'a> {
    pub(crate) params: &'a Buffer,
    pub(crate) graph: &'a Buffer,
    pub(crate) index: &'a Buffer,
    pub(crate) table: &'a Table,
    pub(crate) agents: &'a Buffer,
    pub(crate) results: &'a Buffer,
    pub(crate) scratch: &'a Buffer,
    pub(crate) paths: &'a Buffer,
}

impl Gpu {
    /// Finds the fastest adapter and compiles the kernels. Adapters that emulate a graphics card on the CPU are used only if
    /// there is no other.
    ///
    /// # Errors
    /// Fails if there is no adapter, or if it cannot be used.
    pub fn new() -> Result<Self, GpuError> {
        Self::with_tables(Tables::default())
    }

    /// Finds the fastest adapter as [`new`](Self::new) does, and says where kernels read tables from.
    ///
    /// # Errors
    /// Fails if there is no adapter, or if it cannot be used.
    pub fn with_tables(tables: Tables) -> Result<Self, GpuError> {
        Self::open(tables, false)
    }

    /// Finds the fastest adapter and compiles the kernels, with or without counters.
    pub(crate) fn open(tables: Tables, is_counting: bool) -> Result<Self, GpuError> {
        let instance = Instance::new(InstanceDescriptor {
            backends: Backends::PRIMARY,
            ..InstanceDescriptor::new_without_display_handle()
        });
        let options = RequestAdapterOptions {
            power_preference: PowerPreference::HighPerformance,
            ..RequestAdapterOptions::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&options)).map_err(|error| {
            GpuError::NoAdapter {
                reason: one_line(&error),
            }
        })?;
        let info = adapter.get_info();
        let descriptor = DeviceDescriptor {
            required_limits: adapter.limits(),
            ..DeviceDescriptor::default()
        };
        let (device, queue) =
            pollster::block_on(adapter.request_device(&descriptor)).map_err(|error| {
                GpuError::NoDevice {
                    adapter: info.name.clone(),
                    reason: one_line(&error),
                }
            })?;
        let failure = std::sync::Arc::new(Mutex::new(None));
        let reported = std::sync::Arc::clone(&failure);
        device.on_uncaptured_error(std::sync::Arc::new(move |error: wgpu::Error| {
            let mut known = reported
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            known.get_or_insert_with(|| one_line(&error));
        }));
        let layout = bind_group_layout(&device, tables, is_counting);
        let pipelines = pipelines(&device, &layout, tables, is_counting);
        #[cfg_attr(not(feature = "estimate"), expect(unused_mut))]
        let mut gpu = Self {
            device,
            queue,
            name: info.name,
            is_emulated: info.device_type == wgpu::DeviceType::Cpu,
            tables,
            layout,
            pipelines,
            counts: None,
            failure,
        };
        #[cfg(feature = "estimate")]
        if is_counting {
            gpu.counts = Some(gpu.array(crate::estimate::COUNT_WORDS));
        }
        gpu.check()?;
        Ok(gpu)
    }

    /// Returns the counters of a device that counts.
    #[cfg(feature = "estimate")]
    pub(crate) fn counts(&self) -> Option<&Buffer> {
        self.counts.as_ref()
    }

    /// Returns the name of the adapter.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether the adapter runs on the CPU, so that its speed says nothing about graphics cards.
    pub fn is_emulated(&self) -> bool {
        self.is_emulated
    }

    /// Returns where kernels read tables from.
    pub fn tables(&self) -> Tables {
        self.tables
    }

    /// Returns the maximum size of an array. [Units: bytes]
    pub fn max_binding(&self) -> u64 {
        let limits = self.device.limits();
        limits
            .max_storage_buffer_binding_size
            .min(limits.max_buffer_size)
    }

    /// Returns the number of vertices that a search may expand before it pauses. Long kernels stop the display of a real
    /// device. Mesa's emulation gives up loops without an error after 65 535 iterations of all loops of an invocation.
    pub(crate) fn budget(&self) -> u32 {
        if self.is_emulated { 96 } else { 4096 }
    }

    /// Fails if the driver has reported an error since the last check.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        let mut known = self
            .failure
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        match known.take() {
            None => Ok(()),
            Some(reason) => Err(self.failed(reason)),
        }
    }

    fn failed(&self, reason: String) -> GpuError {
        GpuError::Failed {
            adapter: self.name.clone(),
            reason,
        }
    }

    /// Creates an array of words for kernels.
    pub(crate) fn array(&self, words: usize) -> Buffer {
        self.buffer(
            words,
            BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC,
        )
    }

    fn buffer(&self, words: usize, usage: BufferUsages) -> Buffer {
        self.device.create_buffer(&BufferDescriptor {
            label: None,
            size: 4 * words.max(4) as u64,
            usage,
            mapped_at_creation: false,
        })
    }

    /// Copies words to a new array on the device.
    pub(crate) fn upload_array(
        &self,
        part: &'static str,
        words: &[u32],
    ) -> Result<Buffer, GpuError> {
        self.check_size(part, words.len())?;
        let buffer = self.array(words.len());
        self.write(&buffer, 0, words);
        Ok(buffer)
    }

    pub(crate) fn check_size(&self, part: &'static str, words: usize) -> Result<(), GpuError> {
        let (bytes, limit) = (4 * words as u64, self.max_binding());
        match bytes > limit {
            true => Err(GpuError::TooLarge { part, bytes, limit }),
            false => Ok(()),
        }
    }

    /// Copies words to an array, from word `first` on.
    pub(crate) fn write(&self, buffer: &Buffer, first: usize, words: &[u32]) {
        self.queue
            .write_buffer(buffer, 4 * first as u64, bytemuck::cast_slice(words));
    }

    /// Copies the first words of an array to a new array that has room for more.
    pub(crate) fn enlarged(&self, array: &Buffer, words: usize, room: usize) -> Buffer {
        let larger = self.array(room);
        let mut encoder = self.encoder();
        encoder.copy_buffer_to_buffer(array, 0, &larger, 0, 4 * words as u64);
        self.queue.submit([encoder.finish()]);
        larger
    }

    /// Returns the first words of an array.
    pub(crate) fn read(&self, array: &Buffer, words: usize) -> Result<Vec<u32>, GpuError> {
        let staging = self.staging(words);
        self.finish(self.encoder(), (array, &staging, words))
    }

    /// Sets all words of an array to 0.
    pub(crate) fn clear(&self, buffer: &Buffer) {
        let mut encoder = self.encoder();
        encoder.clear_buffer(buffer, 0, None);
        self.queue.submit([encoder.finish()]);
    }

    /// Creates a buffer for parameters.
    pub(crate) fn params(&self) -> Buffer {
        let words = size_of::<Params>() / 4;
        self.buffer(words, BufferUsages::UNIFORM | BufferUsages::COPY_DST)
    }

    /// Creates a buffer that results are copied to.
    pub(crate) fn staging(&self, words: usize) -> Buffer {
        self.buffer(words, BufferUsages::MAP_READ | BufferUsages::COPY_DST)
    }

    pub(crate) fn bind(&self, bindings: &Bindings<'_>) -> BindGroup {
        let table = match bindings.table {
            Table::Buffer(buffer) => buffer.as_entire_binding(),
            Table::Texture(view) => BindingResource::TextureView(view),
        };
        let mut resources = vec![
            bindings.params.as_entire_binding(),
            bindings.graph.as_entire_binding(),
            bindings.index.as_entire_binding(),
            table,
            bindings.agents.as_entire_binding(),
            bindings.results.as_entire_binding(),
            bindings.scratch.as_entire_binding(),
            bindings.paths.as_entire_binding(),
        ];
        resources.extend(self.counts.as_ref().map(Buffer::as_entire_binding));
        let entries: Vec<BindGroupEntry<'_>> = (0..)
            .zip(resources)
            .map(|(binding, resource)| BindGroupEntry { binding, resource })
            .collect();
        self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.layout,
            entries: &entries,
        })
    }

    /// Runs kernels one after the other, each for a number of invocations, and then copies the first `words` of an array to
    /// the CPU.
    pub(crate) fn run(
        &self,
        bind_group: &BindGroup,
        kernels: &[(Kernel, usize)],
        (results, staging, words): (&Buffer, &Buffer, usize),
    ) -> Result<Vec<u32>, GpuError> {
        let mut encoder = self.encoder();
        for &(kernel, invocations) in kernels {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&self.pipelines[kernel as usize]);
            pass.set_bind_group(0, bind_group, &[]);
            let [x, y] = self.workgroups(invocations);
            pass.dispatch_workgroups(x, y, 1);
        }
        self.finish(encoder, (results, staging, words))
    }

    pub(crate) fn encoder(&self) -> CommandEncoder {
        self.device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    /// Submits commands, and then copies the first `words` of an array to the CPU.
    pub(crate) fn finish(
        &self,
        mut encoder: CommandEncoder,
        (results, staging, words): (&Buffer, &Buffer, usize),
    ) -> Result<Vec<u32>, GpuError> {
        let bytes = 4 * words as u64;
        if words > 0 {
            encoder.copy_buffer_to_buffer(results, 0, staging, 0, bytes);
        }
        self.queue.submit([encoder.finish()]);
        if words == 0 {
            self.check()?;
            return Ok(Vec::new());
        }
        let (sender, receiver) = mpsc::channel();
        staging.map_async(MapMode::Read, ..bytes, move |result| {
            // The receiver waits below.
            let _ = sender.send(result);
        });
        self.device
            .poll(PollType::wait_indefinitely())
            .map_err(|error| self.failed(one_line(&error)))?;
        self.check()?;
        let mapped = receiver
            .recv()
            .map_err(|error| self.failed(one_line(&error)))?;
        mapped.map_err(|error| self.failed(one_line(&error)))?;
        let view = staging
            .get_mapped_range(..bytes)
            .map_err(|error| self.failed(one_line(&error)))?;
        let copied = bytemuck::cast_slice(&view).to_vec();
        drop(view);
        staging.unmap();
        Ok(copied)
    }

    /// Returns a grid of workgroups with at least as many invocations.
    fn workgroups(&self, invocations: usize) -> [u32; 2] {
        let groups = invocations.div_ceil(GROUP as usize).max(1) as u32;
        let limit = self.device.limits().max_compute_workgroups_per_dimension;
        let x = groups.min(limit);
        [x, groups.div_ceil(x)]
    }
}

/// Returns the first line of a message.
fn one_line(error: &impl std::fmt::Display) -> String {
    let message = error.to_string();
    let lines: Vec<&str> = message
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    lines.join("; ")
}
