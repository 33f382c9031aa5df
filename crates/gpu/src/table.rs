//! Tables on the device: words in a storage buffer or in a texture.

use wgpu::{
    Buffer, Extent3d, Origin3d, TexelCopyBufferLayout, TextureDescriptor, TextureDimension,
    TextureFormat, TextureUsages, TextureView, TextureViewDescriptor,
};

use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernels::Tables;

/// A table on the device.
#[derive(Debug)]
pub(crate) enum Table {
    Buffer(Buffer),
    Texture(TextureView),
}

/// The width of a table in a texture, as in `kernels/table_texture.wgsl`.
const TEXTURE_WIDTH: usize = 4096;

impl Gpu {
    /// Copies words to a new table on the device.
    pub(crate) fn upload_table(
        &self,
        part: &'static str,
        words: &[u32],
    ) -> Result<Table, GpuError> {
        match self.tables() {
            Tables::Buffer => self.upload_array(part, words).map(Table::Buffer),
            Tables::Texture => self.upload_texture(part, words).map(Table::Texture),
        }
    }

    fn upload_texture(&self, part: &'static str, words: &[u32]) -> Result<TextureView, GpuError> {
        let rows = words.len().div_ceil(TEXTURE_WIDTH).max(1);
        let limit = self.device.limits().max_texture_dimension_2d as usize;
        if rows > limit || TEXTURE_WIDTH > limit {
            return Err(GpuError::TooLarge {
                part,
                bytes: 4 * words.len() as u64,
                limit: 4 * (limit * TEXTURE_WIDTH.min(limit)) as u64,
            });
        }
        let texture = self.device.create_texture(&TextureDescriptor {
            label: None,
            size: extent(TEXTURE_WIDTH, rows),
            mip_level_count: 1,
            sample_count: 1,
            dimension: TextureDimension::D2,
            format: TextureFormat::R32Uint,
            usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let view = texture.create_view(&TextureViewDescriptor::default());
        self.write_texels(&view, 0, words);
        Ok(view)
    }

    /// Copies words to a table, from word `first` on. They must be in the table.
    pub(crate) fn write_table(&self, table: &Table, first: usize, words: &[u32]) {
        match table {
            Table::Buffer(buffer) => self.write(buffer, first, words),
            Table::Texture(view) => self.write_texels(view, first, words),
        }
    }

    /// Copies words to the rows of a texture: the rest of the first row, all whole rows at once, and the rest.
    fn write_texels(&self, view: &TextureView, mut first: usize, mut words: &[u32]) {
        while !words.is_empty() {
            let [x, y] = [first % TEXTURE_WIDTH, first / TEXTURE_WIDTH];
            let rows = words.len() / TEXTURE_WIDTH;
            let [width, height] = match x == 0 && rows > 0 {
                true => [TEXTURE_WIDTH, rows],
                false => [words.len().min(TEXTURE_WIDTH - x), 1],
            };
            let (texels, rest) = words.split_at(width * height);
            let mut target = view.texture().as_image_copy();
            target.origin = Origin3d {
                x: x as u32,
                y: y as u32,
                z: 0,
            };
            let layout = TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(4 * width as u32),
                rows_per_image: None,
            };
            let bytes = bytemuck::cast_slice(texels);
            self.queue
                .write_texture(target, bytes, layout, extent(width, height));
            (first, words) = (first + texels.len(), rest);
        }
    }
}

fn extent(width: usize, height: usize) -> Extent3d {
    Extent3d {
        width: width as u32,
        height: height as u32,
        depth_or_array_layers: 1,
    }
}
