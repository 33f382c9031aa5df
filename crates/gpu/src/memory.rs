//! The memory of the device in which slices are answered. It grows and is reused.

use wgpu::Buffer;

use crate::device::{Bindings, Gpu};
use crate::error::GpuError;
use crate::kernels::{Kernel, Params};
use crate::table::Table;

/// The arrays that a slice reads and writes.
#[derive(Debug)]
pub(crate) struct SliceMemory {
    params: Buffer,
    pub(crate) agents: Array,
    pub(crate) results: Array,
    scratch: Array,
    pub(crate) paths: Array,
    staging: Staging,
    /// The layout of the labels in the scratch. Labels of another layout must not be mistaken for current ones.
    layout: Option<[u32; 8]>,
    generation: u32,
}

/// An array that grows.
#[derive(Debug)]
pub(crate) struct Array {
    pub(crate) buffer: Buffer,
    words: usize,
}

/// A buffer that results are copied to.
#[derive(Debug)]
struct Staging {
    buffer: Buffer,
    words: usize,
}

impl Array {
    fn new(gpu: &Gpu) -> Self {
        let words = 64;
        Self {
            buffer: gpu.array(words),
            words,
        }
    }

    /// Makes room for this many words. What was there is lost if the array grows. Returns whether it has grown.
    pub(crate) fn reserve(&mut self, gpu: &Gpu, words: usize) -> bool {
        let grows = words > self.words;
        if grows {
            self.words = grown(gpu, words);
            self.buffer = gpu.array(self.words);
        }
        grows
    }
}

/// Returns the next size of an array that needs this many words. It is a power of two if the device binds that much, so arrays
/// seldom grow.
fn grown(gpu: &Gpu, words: usize) -> usize {
    let limit = (gpu.max_binding() / 4) as usize;
    words.next_power_of_two().min(limit).max(words)
}

impl SliceMemory {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        Self {
            params: gpu.params(),
            agents: Array::new(gpu),
            results: Array::new(gpu),
            scratch: Array::new(gpu),
            paths: Array::new(gpu),
            staging: Staging {
                buffer: gpu.staging(64),
                words: 64,
            },
            layout: None,
            generation: 0,
        }
    }

    /// Makes room in the scratch for kernels without labels.
    pub(crate) fn reserve_scratch(&mut self, gpu: &Gpu, words: usize) {
        self.scratch.reserve(gpu, words);
        self.layout = None;
    }

    /// Makes room in the scratch for labels, and sets the generation of the parameters so that no label of an earlier search
    /// counts.
    pub(crate) fn reserve_labels(&mut self, gpu: &Gpu, words: usize, params: &mut Params) {
        let layout = [
            params.label_slots,
            params.heap_slots,
            params.agent_scratch,
            params.job_scratch,
            params.job_labels,
            params.job_heap,
            params.agents_start,
            params.key_range,
        ];
        // A new array is zero, and so is no generation.
        let has_grown = self.scratch.reserve(gpu, words);
        let last = u32::MAX / params.key_range.max(1) - 1;
        if !has_grown && (self.layout != Some(layout) || self.generation >= last) {
            gpu.clear(&self.scratch.buffer);
            self.generation = 0;
        }
        if has_grown {
            self.generation = 0;
        }
        self.layout = Some(layout);
        self.generation += 1;
        params.generation = self.generation;
    }

    /// Runs kernels and returns the first words of an array. `agents` are those of a crowd, and otherwise those of this memory.
    pub(crate) fn run(
        &mut self,
        gpu: &Gpu,
        (graph, index, table): (&Buffer, &Buffer, &Table),
        agents: Option<&Buffer>,
        params: &Params,
        kernels: &[(Kernel, usize)],
        read: Read,
    ) -> Result<Vec<u32>, GpuError> {
        let agents = agents.unwrap_or(&self.agents.buffer);
        let (source, words) = match read {
            Read::Results(words) => (&self.results.buffer, words),
            Read::Paths(words) => (&self.paths.buffer, words),
        };
        if words > self.staging.words {
            let words = grown(gpu, words);
            self.staging = Staging {
                buffer: gpu.staging(words),
                words,
            };
        }
        gpu.write(
            &self.params,
            0,
            bytemuck::cast_slice(std::slice::from_ref(params)),
        );
        let bind_group = gpu.bind(&Bindings {
            params: &self.params,
            graph,
            index,
            table,
            agents,
            results: &self.results.buffer,
            scratch: &self.scratch.buffer,
            paths: &self.paths.buffer,
        });
        gpu.run(&bind_group, kernels, (source, &self.staging.buffer, words))
    }
}

/// The words that are copied to the CPU after kernels have run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Read {
    Results(usize),
    Paths(usize),
}
