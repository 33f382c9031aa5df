// Tables in a texture.
@group(0) @binding(3) var table: texture_2d<u32>;

fn table_word(at: u32) -> u32 {
    return textureLoad(table, vec2(at & 4095u, at >> 12u), 0).x;
}
