//! Reads positions and indices from buffers.
//!
//! Every length is checked against the available bytes before memory is allocated.

use glam::Vec3;
use gltf_json::Root;
use gltf_json::accessor::sparse::Sparse;
use gltf_json::accessor::{Accessor, ComponentType, Type};
use gltf_json::validation::Checked;

use super::buffer::GltfBuffers;

/// The accessors of a file, which describe arrays in its buffers.
pub(super) struct Accessors<'a, 'f> {
    pub(super) root: &'a Root,
    pub(super) buffers: GltfBuffers<'a, 'f>,
    /// The maximum number of elements of an accessor without bytes, all of which are zeros. Without a limit a
    /// small file could ask for any amount of memory.
    pub(super) max_zeros: u64,
}

/// The location of an array of elements in a buffer view.
struct Layout {
    view: usize,
    /// The offset of the first element. [Units: bytes]
    offset: u64,
    count: u64,
    /// The size of an element. [Units: bytes]
    size: usize,
}

impl<'a> Accessors<'a, '_> {
    /// Reads the points of an accessor, which may be not finite.
    pub(super) fn positions(&mut self, index: usize) -> Result<Vec<Vec3>, String> {
        let wrong = |what: String| format!("POSITION, accessor {index}: {what}");
        let (accessor, component) = self.accessor(index, Type::Vec3).map_err(wrong)?;
        if component == ComponentType::U32 {
            return Err(wrong("positions cannot be of component type 5125".into()));
        }
        let size = 3 * component.size();
        self.elements(accessor, size, |bytes| {
            point(bytes, component, accessor.normalized)
        })
        .map_err(wrong)
    }

    /// Reads the indices of an accessor, which may be out of range.
    pub(super) fn indices(&mut self, index: usize) -> Result<Vec<u32>, String> {
        let wrong = |what: String| format!("indices, accessor {index}: {what}");
        let (accessor, component) = self.accessor(index, Type::Scalar).map_err(wrong)?;
        check_index_type(component).map_err(wrong)?;
        self.elements(accessor, component.size(), unsigned)
            .map_err(wrong)
    }

    fn accessor(&self, index: usize, shape: Type) -> Result<(&'a Accessor, ComponentType), String> {
        let accessor = self
            .root
            .accessors
            .get(index)
            .ok_or("there is no such accessor")?;
        if accessor.type_ != Checked::Valid(shape) {
            let wanted = if shape == Type::Vec3 {
                "VEC3"
            } else {
                "SCALAR"
            };
            return Err(format!("its type is not {wanted}"));
        }
        match accessor.component_type {
            Checked::Valid(component) => Ok((accessor, component.0)),
            Checked::Invalid => Err("its component type is unknown".into()),
        }
    }

    fn elements<T: Clone + Default>(
        &mut self,
        accessor: &Accessor,
        size: usize,
        decode: impl Fn(&[u8]) -> T,
    ) -> Result<Vec<T>, String> {
        let count = accessor.count.0;
        if count == 0 {
            return Err("it has no elements".into());
        }
        let mut elements = match accessor.buffer_view {
            Some(view) => {
                let layout = Layout {
                    view: view.value(),
                    offset: accessor.byte_offset.unwrap_or_default().0,
                    count,
                    size,
                };
                self.dense(&layout, &decode)?
            }
            None if accessor.sparse.is_none() => return Err("it has no buffer view".into()),
            None if count > self.max_zeros => {
                return Err(format!("it has {count} elements but no bytes for them"));
            }
            None => vec![T::default(); count as usize],
        };
        if let Some(sparse) = &accessor.sparse {
            self.replace(sparse, size, &decode, &mut elements)?;
        }
        Ok(elements)
    }

    /// Replaces the elements at the indices of a sparse accessor by its values.
    fn replace<T>(
        &mut self,
        sparse: &Sparse,
        size: usize,
        decode: impl Fn(&[u8]) -> T,
        elements: &mut [T],
    ) -> Result<(), String> {
        let component = match sparse.indices.component_type {
            Checked::Valid(component) => component.0,
            Checked::Invalid => return Err("the type of its sparse indices is unknown".into()),
        };
        let layout = Layout {
            view: sparse.indices.buffer_view.value(),
            offset: sparse.indices.byte_offset.0,
            count: sparse.count.0,
            size: component.size(),
        };
        let indices = self.dense(&layout, unsigned)?;
        let layout = Layout {
            view: sparse.values.buffer_view.value(),
            offset: sparse.values.byte_offset.0,
            count: sparse.count.0,
            size,
        };
        let values = self.dense(&layout, decode)?;
        let count = elements.len();
        for (i, (index, value)) in indices.into_iter().zip(values).enumerate() {
            *elements.get_mut(index as usize).ok_or_else(|| {
                format!("sparse index {i} is {index}, but there are only {count} elements")
            })? = value;
        }
        Ok(())
    }

    /// Reads consecutive elements. `decode` gets the bytes of each.
    fn dense<T>(&mut self, layout: &Layout, decode: impl Fn(&[u8]) -> T) -> Result<Vec<T>, String> {
        let &Layout {
            view: index,
            offset,
            count,
            size,
        } = layout;
        let view = self
            .root
            .buffer_views
            .get(index)
            .ok_or_else(|| format!("there is no buffer view {index}"))?;
        let stride = view.byte_stride.map_or(0, |stride| stride.0);
        // A stride of 0 is not allowed. Exporters that write it mean no stride.
        let stride = if stride == 0 { size } else { stride };
        if stride < size {
            return Err(format!(
                "buffer view {index}: elements of {size} bytes are {stride} bytes apart"
            ));
        }
        let Some(gaps) = count.checked_sub(1) else {
            return Ok(Vec::new());
        };
        let length = view.byte_length.0;
        let end = (stride as u64)
            .checked_mul(gaps)
            .and_then(|bytes| bytes.checked_add(size as u64)?.checked_add(offset))
            .filter(|&end| end <= length)
            .ok_or_else(|| {
                format!("{count} elements from byte {offset} on exceed the {length} bytes of buffer view {index}")
            })?;
        let buffer = view.buffer.value();
        let bytes = self.buffers.bytes(buffer)?;
        let start = view.byte_offset.unwrap_or_default().0;
        let range = || {
            let view =
                usize::try_from(start).ok()?..usize::try_from(start.checked_add(length)?).ok()?;
            bytes.get(view)?.get(offset as usize..end as usize)
        };
        let bytes = range().ok_or_else(|| {
            let available = bytes.len();
            format!("buffer view {index}: {length} bytes from byte {start} on exceed the {available} bytes of buffer {buffer}")
        })?;
        // Every chunk has a full stride, except the last one, which ends with its element.
        let elements = bytes.chunks(stride).map(|chunk| decode(&chunk[..size]));
        Ok(elements.collect())
    }
}

fn check_index_type(component: ComponentType) -> Result<(), String> {
    match component {
        ComponentType::U8 | ComponentType::U16 | ComponentType::U32 => Ok(()),
        _ => Err(format!(
            "indices cannot be of component type {}",
            component.as_gl_enum()
        )),
    }
}

/// Decodes a little-endian number of up to four bytes.
fn unsigned(bytes: &[u8]) -> u32 {
    let digits = bytes.iter().rev();
    digits.fold(0, |number, &byte| number << 8 | u32::from(byte))
}

/// Decodes a point of three components, which are floats or, with `KHR_mesh_quantization`, integers.
fn point(bytes: &[u8], component: ComponentType, normalized: bool) -> Vec3 {
    let coordinate = |axis: usize| {
        let size = component.size();
        let bits = unsigned(&bytes[axis * size..][..size]);
        let (value, largest) = match component {
            ComponentType::I8 => (f32::from(bits as i8), f32::from(i8::MAX)),
            ComponentType::U8 => (f32::from(bits as u8), f32::from(u8::MAX)),
            ComponentType::I16 => (f32::from(bits as i16), f32::from(i16::MAX)),
            ComponentType::U16 => (f32::from(bits as u16), f32::from(u16::MAX)),
            ComponentType::U32 => (bits as f32, u32::MAX as f32),
            ComponentType::F32 => return f32::from_bits(bits),
        };
        match normalized {
            // The smallest signed number would be a little below -1.
            true => (value / largest).max(-1.0),
            false => value,
        }
    };
    Vec3::from_array([0, 1, 2].map(coordinate))
}
