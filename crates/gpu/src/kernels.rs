//! The kernels: their source, their parameters, and how a device compiles them.

use std::borrow::Cow;

use bytemuck::{Pod, Zeroable};
use wgpu::{
    BindGroupLayout, BindGroupLayoutEntry, BindingType, BufferBindingType, ComputePipeline,
    ComputePipelineDescriptor, Device, ShaderModuleDescriptor, ShaderSource, ShaderStages,
    TextureSampleType, TextureViewDimension,
};

/// The invocations of a workgroup, as in the kernels.
pub(crate) const GROUP: u32 = 64;

/// The parts of the kernels that search.
const COMMON: &str = include_str!("kernels/common.wgsl");
const SEARCH: &str = include_str!("kernels/search.wgsl");
/// Signs that no rounding changes.
pub(crate) const ORIENTATION: &str = include_str!("kernels/orientation.wgsl");
const TABLE_BUFFER: &str = include_str!("kernels/table_buffer.wgsl");
const TABLE_TEXTURE: &str = include_str!("kernels/table_texture.wgsl");

/// The source of all kernels of a family.
pub(crate) fn source(family: Family, tables: Tables) -> String {
    let table = match tables {
        Tables::Buffer => TABLE_BUFFER,
        Tables::Texture => TABLE_TEXTURE,
    };
    let parts: &[&str] = match family {
        Family::AStar => &[COMMON, SEARCH, include_str!("kernels/astar.wgsl")],
        Family::Hierarchy => &[
            COMMON,
            SEARCH,
            table,
            include_str!("kernels/hierarchy.wgsl"),
        ],
        Family::Contraction => &[COMMON, include_str!("kernels/contraction.wgsl")],
        Family::Labels => &[
            COMMON,
            table,
            include_str!("kernels/labels.wgsl"),
            ORIENTATION,
            include_str!("kernels/next.wgsl"),
        ],
    };
    parts.join("\n")
}

/// Kernels that share their source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    AStar,
    Hierarchy,
    Contraction,
    Labels,
}

/// Where kernels read tables from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tables {
    /// From a storage buffer. [Default]
    #[default]
    Buffer,
    /// From a texture, as Rahmani and Pelechano 2020 do.
    Texture,
}

/// A kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kernel {
    AStarSearch,
    AStarExtract,
    Connect,
    OverlaySearch,
    OverlayExtract,
    ContractionSearch,
    ContractionExtract,
    FirstPortal,
    NextWaypoint,
    CrowdStep,
}

impl Kernel {
    pub(crate) const ALL: [Self; 10] = [
        Self::AStarSearch,
        Self::AStarExtract,
        Self::Connect,
        Self::OverlaySearch,
        Self::OverlayExtract,
        Self::ContractionSearch,
        Self::ContractionExtract,
        Self::FirstPortal,
        Self::NextWaypoint,
        Self::CrowdStep,
    ];

    pub(crate) fn entry_point(self) -> &'static str {
        match self {
            Self::AStarSearch => "astar_search",
            Self::AStarExtract => "astar_extract",
            Self::Connect => "connect",
            Self::OverlaySearch => "overlay_search",
            Self::OverlayExtract => "overlay_extract",
            Self::ContractionSearch => "contraction_search",
            Self::ContractionExtract => "contraction_extract",
            Self::FirstPortal => "first_portal",
            Self::NextWaypoint => "next_waypoint",
            Self::CrowdStep => "crowd_step",
        }
    }

    pub(crate) fn family(self) -> Family {
        match self {
            Self::AStarSearch | Self::AStarExtract => Family::AStar,
            Self::Connect | Self::OverlaySearch | Self::OverlayExtract => Family::Hierarchy,
            Self::ContractionSearch | Self::ContractionExtract => Family::Contraction,
            Self::FirstPortal | Self::NextWaypoint | Self::CrowdStep => Family::Labels,
        }
    }
}

/// The parameters of a dispatch: the fields of `Params` in `kernels/common.wgsl`, which describes them.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Params {
    pub(crate) agents: u32,
    pub(crate) jobs: u32,
    pub(crate) generation: u32,
    pub(crate) key_range: u32,
    pub(crate) label_slots: u32,
    pub(crate) heap_slots: u32,
    pub(crate) agent_scratch: u32,
    pub(crate) job_scratch: u32,
    pub(crate) job_labels: u32,
    pub(crate) job_heap: u32,
    pub(crate) jobs_start: u32,
    pub(crate) costs_start: u32,
    pub(crate) agents_start: u32,
    pub(crate) level: u32,
    pub(crate) method: u32,
    pub(crate) heuristic: f32,
    pub(crate) polygons: u32,
    pub(crate) samples_count: u32,
    pub(crate) first_link_end: u32,
    pub(crate) exit_offsets: u32,
    pub(crate) exits: u32,
    pub(crate) factors: u32,
    pub(crate) samples: u32,
    pub(crate) link_costs: u32,
    pub(crate) centres: u32,
    pub(crate) depth: u32,
    pub(crate) is_symmetric: u32,
    pub(crate) starts_first: u32,
    pub(crate) goals_first: u32,
    pub(crate) rank_count: u32,
    pub(crate) max_portals: u32,
    pub(crate) step: f32,
    pub(crate) budget: u32,
    pub(crate) three: u32,
    pub(crate) unused: [u32; 2],
}

pub(crate) fn bind_group_layout(
    device: &Device,
    tables: Tables,
    is_counting: bool,
) -> BindGroupLayout {
    let buffer = |ty| BindingType::Buffer {
        ty,
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    let read = BufferBindingType::Storage { read_only: true };
    let write = BufferBindingType::Storage { read_only: false };
    let table = match tables {
        Tables::Buffer => buffer(read),
        Tables::Texture => BindingType::Texture {
            sample_type: TextureSampleType::Uint,
            view_dimension: TextureViewDimension::D2,
            multisampled: false,
        },
    };
    let mut types = vec![
        buffer(BufferBindingType::Uniform),
        buffer(read),
        buffer(read),
        table,
        buffer(write),
        buffer(write),
        buffer(write),
        buffer(write),
    ];
    types.extend(is_counting.then_some(buffer(write)));
    let entries: Vec<BindGroupLayoutEntry> = (0..)
        .zip(types)
        .map(|(binding, ty)| BindGroupLayoutEntry {
            binding,
            visibility: ShaderStages::COMPUTE,
            ty,
            count: None,
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: None,
        entries: &entries,
    })
}

/// Compiles all kernels, in the order of [`Kernel`].
pub(crate) fn pipelines(
    device: &Device,
    layout: &BindGroupLayout,
    tables: Tables,
    is_counting: bool,
) -> Vec<ComputePipeline> {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &[Some(layout)],
        ..wgpu::PipelineLayoutDescriptor::default()
    });
    let families = [
        Family::AStar,
        Family::Hierarchy,
        Family::Contraction,
        Family::Labels,
    ];
    let modules = families.map(|family| {
        device.create_shader_module(ShaderModuleDescriptor {
            label: None,
            source: match is_counting {
                #[cfg(feature = "estimate")]
                true => {
                    ShaderSource::Naga(Cow::Owned(crate::estimate::counting_module(family, tables)))
                }
                _ => ShaderSource::Wgsl(Cow::Owned(source(family, tables))),
            },
        })
    });
    Kernel::ALL
        .iter()
        .map(|kernel| {
            device.create_compute_pipeline(&ComputePipelineDescriptor {
                label: Some(kernel.entry_point()),
                layout: Some(&layout),
                module: &modules[kernel.family() as usize],
                entry_point: Some(kernel.entry_point()),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            })
        })
        .collect()
}
