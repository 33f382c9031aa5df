// Shared by all kernels: bindings, numbers, the graph, labels and the open list.

struct Params {
    agents: u32,          // agents of this slice
    jobs: u32,            // connect jobs of this slice
    generation: u32,      // labels of other generations do not count; at least 1
    key_range: u32,       // labels are keyed below this number
    label_slots: u32,     // slots of the table of labels, a power of two
    heap_slots: u32,      // entries of the open list
    agent_scratch: u32,   // words of scratch per agent
    job_scratch: u32,     // words of scratch per connect job
    job_labels: u32,      // slots of the table of labels of a job, a power of two
    job_heap: u32,        // entries of the open list of a job
    jobs_start: u32,      // first word of the jobs in `agents`
    costs_start: u32,     // first word of the connect costs in `results`
    agents_start: u32,    // first word of the agents' scratch, behind that of the jobs
    level: u32,           // level of the hierarchy
    method: u32,          // how start and goal are connected: see hierarchy.wgsl
    heuristic: f32,       // lowest cost per metre
    polygons: u32,
    samples_count: u32,
    first_link_end: u32,
    exit_offsets: u32,    // the following are first words in `graph`
    exits: u32,
    factors: u32,
    samples: u32,
    link_costs: u32,
    centres: u32,         // NONE without centres
    depth: u32,           // longest chain of the contraction
    is_symmetric: u32,
    starts_first: u32,    // first word of the lines of starts in `table`
    goals_first: u32,
    rank_count: u32,
    max_portals: u32,     // portals that a walk remembers
    step: f32,            // metres that an agent walks in a step of the crowd
    budget: u32,          // vertices that a search expands before it pauses
    three: u32,           // 3, which a compiler cannot know
    unused_1: u32,
    unused_2: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> graph: array<u32>;
@group(0) @binding(2) var<storage, read> index: array<u32>;
@group(0) @binding(4) var<storage, read_write> agents: array<u32>;
@group(0) @binding(5) var<storage, read_write> results: array<u32>;
@group(0) @binding(6) var<storage, read_write> scratch: array<u32>;
@group(0) @binding(7) var<storage, read_write> paths: array<u32>;

const NONE = 0xffffffffu;
// Stands for infinity, which WGSL does not promise to support. Three of them can be added up.
const FAR = 1e38;
const REACHABLE = 5e37;

const AGENT_WORDS = 12u;
const RESULT_WORDS = 4u;

// The status of a result.
const NO_PATH = 0u;
const FOUND = 1u;
// The CPU has to answer: the memory of this agent was too small, or rounding decides.
const UNDECIDED = 2u;
// The search has paused, or has not begun.
const RUNNING = 3u;
const NEW = 4u;

fn number(bits: u32) -> f32 {
    return bitcast<f32>(bits);
}

fn invocation(id: vec3<u32>, groups: vec3<u32>) -> u32 {
    return id.x + id.y * groups.x * 64u;
}

fn agent_point(first: u32) -> vec3<f32> {
    return vec3(number(agents[first]), number(agents[first + 1u]), number(agents[first + 2u]));
}

// The graph.

fn factor_of(polygon: u32) -> f32 {
    return number(graph[params.factors + polygon]);
}

fn sample_position(sample: u32) -> vec3<f32> {
    let at = params.samples + 6u * sample;
    return vec3(number(graph[at]), number(graph[at + 1u]), number(graph[at + 2u]));
}

// The polygon on a side; NONE for a link.
fn sample_side(sample: u32, side: u32) -> u32 {
    return graph[params.samples + 6u * sample + 3u + side];
}

fn centre_of(polygon: u32) -> vec3<f32> {
    let at = params.centres + 3u * polygon;
    return vec3(number(graph[at]), number(graph[at + 1u]), number(graph[at + 2u]));
}

// The labels of the current search: a hash table in the scratch. A slot has a key, a cost, and a word with the
// predecessor plus 1, the side by which the vertex is left, and whether it is settled.

const SETTLED = 0x80000000u;
const SIDE = 0x40000000u;
const PREDECESSOR = 0x3fffffffu;

var<private> label_base: u32;
var<private> label_mask: u32;
var<private> label_count: u32;
var<private> heap_base: u32;
var<private> heap_limit: u32;
var<private> heap_size: u32;
// Whether the scratch is too small.
var<private> is_full: bool;

fn use_scratch(base: u32, slots: u32, heap: u32) {
    label_base = base;
    label_mask = slots - 1u;
    label_count = 0u;
    heap_base = base + 3u * slots;
    heap_limit = heap;
    heap_size = 0u;
    is_full = false;
}

// Returns the first word of the slot of a vertex, which is made if it does not exist yet.
fn label_of(vertex: u32) -> u32 {
    let current = params.generation * params.key_range;
    let key = current + vertex;
    var slot = vertex;
    if label_mask + 1u < params.key_range {
        slot = (vertex * 2654435769u) >> 7u;
    }
    for (var tries = 0u; tries <= label_mask; tries++) {
        slot = slot & label_mask;
        let at = label_base + 3u * slot;
        let known = scratch[at];
        if known == key {
            return at;
        }
        if known < current {
            label_count += 1u;
            if label_mask + 1u < params.key_range && label_count > label_mask - label_mask / 8u {
                is_full = true;
            }
            scratch[at] = key;
            scratch[at + 1u] = bitcast<u32>(f32(FAR));
            scratch[at + 2u] = 0u;
            return at;
        }
        slot += 1u;
    }
    is_full = true;
    return label_base;
}

fn is_before(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

fn heap_entry(i: u32) -> vec2<u32> {
    return vec2(scratch[heap_base + 2u * i], scratch[heap_base + 2u * i + 1u]);
}

fn set_heap_entry(i: u32, entry: vec2<u32>) {
    scratch[heap_base + 2u * i] = entry.x;
    scratch[heap_base + 2u * i + 1u] = entry.y;
}

// Keys are not negative, so their bits are in the same order.
fn push(key: f32, vertex: u32) {
    if heap_size >= heap_limit {
        is_full = true;
        return;
    }
    let entry = vec2(bitcast<u32>(key), vertex);
    var at = heap_size;
    heap_size += 1u;
    while at > 0u {
        let parent = (at - 1u) / 4u;
        let above = heap_entry(parent);
        if !is_before(entry, above) {
            break;
        }
        set_heap_entry(at, above);
        at = parent;
    }
    set_heap_entry(at, entry);
}

// Removes the least entry. The heap must not be empty.
fn pop() -> vec2<u32> {
    let top = heap_entry(0u);
    heap_size -= 1u;
    let entry = heap_entry(heap_size);
    var at = 0u;
    loop {
        let first = 4u * at + 1u;
        if first >= heap_size {
            break;
        }
        var least = first;
        var least_entry = heap_entry(first);
        let end = min(first + 4u, heap_size);
        for (var child = first + 1u; child < end; child++) {
            let other = heap_entry(child);
            if is_before(other, least_entry) {
                least = child;
                least_entry = other;
            }
        }
        if !is_before(least_entry, entry) {
            break;
        }
        set_heap_entry(at, least_entry);
        at = least;
    }
    set_heap_entry(at, entry);
    return top;
}

// Stores a cheaper path to a vertex, unless it is settled.
fn relax(vertex: u32, side: u32, cost: f32, bound: f32, before: u32) {
    let at = label_of(vertex);
    if cost >= number(scratch[at + 1u]) || (scratch[at + 2u] & SETTLED) != 0u {
        return;
    }
    scratch[at + 1u] = bitcast<u32>(cost);
    scratch[at + 2u] = (before + 1u) & PREDECESSOR | select(0u, SIDE, side == 1u);
    push(cost + bound, vertex);
}

// Returns whether loops still loop. Mesa's llvmpipe ends every loop of an invocation after 65 535 iterations in total, without
// an error. Searches pause early enough, and every kernel asks this question last, so that no answer is wrong.
fn loops_work() -> bool {
    var count = 0u;
    while count < params.three {
        count += 1u;
    }
    return count == 3u;
}

// A search that pauses keeps its state in the last words of its scratch: the sizes of the open list and of the table of
// labels, the cost of the best path and its last vertex.
const STATE_WORDS = 4u;

fn save_search(scratch_end: u32, best: f32, last: u32) {
    let at = scratch_end - STATE_WORDS;
    scratch[at] = heap_size;
    scratch[at + 1u] = label_count;
    scratch[at + 2u] = bitcast<u32>(best);
    scratch[at + 3u] = last;
}

// Restores what `save_search` saved, and returns the cost of the best path and its last vertex.
fn resume_search(scratch_end: u32) -> vec2<u32> {
    let at = scratch_end - STATE_WORDS;
    heap_size = scratch[at];
    label_count = scratch[at + 1u];
    return vec2(scratch[at + 2u], scratch[at + 3u]);
}

fn set_result(agent: u32, status: u32, cost: f32, length: u32, last: u32) {
    let at = RESULT_WORDS * agent;
    results[at] = select(status, UNDECIDED, is_full || !loops_work());
    results[at + 1u] = bitcast<u32>(cost);
    results[at + 2u] = length;
    results[at + 3u] = last;
}
