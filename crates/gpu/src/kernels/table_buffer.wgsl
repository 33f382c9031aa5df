// Tables in a storage buffer.
@group(0) @binding(3) var<storage, read> table: array<u32>;

fn table_word(at: u32) -> u32 {
    return table[at];
}
