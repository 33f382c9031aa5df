// Counters, which `estimate.rs` adds to every kernel of a counting device.

@group(0) @binding(8) var<storage, read_write> counts: array<atomic<u32>>;

var<private> counted_invocation: u32;
var<private> index_words: u32;      // read from the arrays that all agents share
var<private> own_words: u32;        // read from the arrays of agents
var<private> written_words: u32;
var<private> operations: u32;

// As in `estimate.rs`.
const COUNTED_INVOCATIONS = 16384u;

fn add_counts(kernel: u32) {
    let at = 4u * (kernel * COUNTED_INVOCATIONS + counted_invocation % COUNTED_INVOCATIONS);
    atomicAdd(&counts[at], index_words);
    atomicAdd(&counts[at + 1u], own_words);
    atomicAdd(&counts[at + 2u], written_words);
    atomicAdd(&counts[at + 3u], operations);
}
