// Kernel 4: the query of the contraction hierarchy, one invocation per agent. It climbs from start and goal to the root of
// the elimination tree and needs no open list. A chain has one vertex per depth.

// The first words of arrays in `index`.
const RANKS = 0u;
const VERTICES = 1u;
const PARENTS = 2u;
const DEPTHS = 3u;
const UP_ROWS = 4u;          // two words per rank: its first arc, and the arc after its last
const UP_ARCS = 5u;          // three words each: depth, cost, part
const DOWN_ROWS = 6u;
const DOWN_ARCS = 7u;
const PARTS = 8u;            // three words each: the two words of the part, and its number of arcs of the graph
const RUNS = 9u;

const RUN = 0x80000000u;

var<private> chain_base: u32;

// The scratch of an agent: cost, predecessor and rank by depth of the start's chain, then of the goal's, then the stack
// of parts that are yet to be unpacked, of which there are at most `heap_slots`.
fn cost_at(chain: u32, depth: u32) -> u32 {
    return chain_base + 3u * (chain * params.depth + depth);
}

fn stack_base() -> u32 {
    return chain_base + 6u * params.depth;
}

// Climbs from all vertices of a polygon. Returns the depth of the lowest plus 1, and 0 if there is none.
fn climb(chain: u32, polygon: u32, point: vec3<f32>) -> u32 {
    let factor = factor_of(polygon);
    if factor > REACHABLE {
        return 0u;
    }
    let first = graph[params.exit_offsets + polygon];
    let end = graph[params.exit_offsets + polygon + 1u];
    var lowest = NONE;
    for (var i = first; i < end; i++) {
        lowest = min(lowest, index[index[RANKS] + (graph[params.exits + 4u * i + 3u] >> 1u)]);
    }
    if lowest == NONE {
        return 0u;
    }
    let deepest = index[index[DEPTHS] + lowest];
    for (var depth = 0u; depth <= deepest; depth++) {
        scratch[cost_at(chain, depth)] = bitcast<u32>(f32(FAR));
        scratch[cost_at(chain, depth) + 1u] = NONE;
    }
    for (var i = first; i < end; i++) {
        let exit = params.exits + 4u * i;
        let position = vec3(number(graph[exit]), number(graph[exit + 1u]), number(graph[exit + 2u]));
        let depth = index[index[DEPTHS] + index[index[RANKS] + (graph[exit + 3u] >> 1u)]];
        scratch[cost_at(chain, depth)] = bitcast<u32>(distance(point, position) * factor);
    }
    var rank = lowest;
    let rows = index[select(UP_ROWS, DOWN_ROWS, chain == 1u)];
    let arcs = index[select(UP_ARCS, DOWN_ARCS, chain == 1u)];
    var depth = deepest;
    loop {
        let at = cost_at(chain, depth);
        scratch[at + 2u] = rank;
        let cost = number(scratch[at]);
        if cost < REACHABLE {
            let last = index[rows + 2u * rank + 1u];
            for (var arc = index[rows + 2u * rank]; arc < last; arc++) {
                let word = arcs + 3u * arc;
                let above = cost_at(chain, index[word]);
                let total = cost + number(index[word + 1u]);
                if total < number(scratch[above]) {
                    scratch[above] = bitcast<u32>(total);
                    scratch[above + 1u] = depth;
                }
            }
        }
        if depth == 0u {
            break;
        }
        depth -= 1u;
        rank = index[index[PARENTS] + rank];
    }
    return deepest + 1u;
}

// Returns the part of the arc from a rank to a depth of its chain.
fn part_of(chain: u32, rank: u32, depth: u32) -> u32 {
    let rows = index[select(UP_ROWS, DOWN_ROWS, chain == 1u)];
    let arcs = index[select(UP_ARCS, DOWN_ARCS, chain == 1u)];
    let last = index[rows + 2u * rank + 1u];
    for (var arc = index[rows + 2u * rank]; arc < last; arc++) {
        if index[arcs + 3u * arc] == depth {
            return index[arcs + 3u * arc + 2u];
        }
    }
    is_full = true;
    return 0u;
}

// The number of vertices from the meeting, which does not count, to the end of a chain.
fn half_length(chain: u32, meeting: u32) -> u32 {
    var length = 0u;
    var at = meeting;
    loop {
        let before = scratch[cost_at(chain, at) + 1u];
        if before == NONE {
            break;
        }
        let part = part_of(chain, scratch[cost_at(chain, before) + 2u], at);
        length += index[index[PARTS] + 3u * (part >> 1u) + 2u];
        at = before;
    }
    return length;
}

@compute @workgroup_size(64)
fn contraction_search(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let agent = invocation(id, groups);
    if agent >= params.agents {
        return;
    }
    let own = AGENT_WORDS * agent;
    let start = agent_point(own + 2u);
    let goal = agent_point(own + 5u);
    chain_base = params.agents_start + agent * params.agent_scratch;
    is_full = false;
    let above_start = climb(0u, agents[own], start);
    let above_goal = climb(1u, agents[own + 1u], goal);
    var best = f32(FAR);
    var meeting = NONE;
    var depth = min(above_start, above_goal);
    while depth > 0u {
        depth -= 1u;
        let a = cost_at(0u, depth);
        let b = cost_at(1u, depth);
        // Where chains are in different trees or have not met yet, the ranks differ.
        if scratch[a + 2u] == scratch[b + 2u] {
            let sum = number(scratch[a]) + number(scratch[b]);
            if sum < best {
                best = sum;
                meeting = depth;
            }
        }
    }
    if agents[own] == agents[own + 1u] {
        let straight = distance(start, goal) * factor_of(agents[own]);
        if straight <= best && straight < REACHABLE {
            set_result(agent, FOUND, straight, 0u, NONE);
            return;
        }
    }
    if best > REACHABLE {
        set_result(agent, NO_PATH, FAR, 0u, NONE);
        return;
    }
    let length = 1u + half_length(0u, meeting) + half_length(1u, meeting);
    set_result(agent, FOUND, best, length, meeting);
}

// Writes the vertices that a part leads to, without its first one, to positions that change by `step`.
fn unpack_part(reference: u32, first: u32, step: u32) -> u32 {
    var position = first;
    var size = 1u;
    scratch[stack_base()] = reference;
    while size > 0u {
        size -= 1u;
        let current = scratch[stack_base() + size];
        let backwards = current & 1u;
        let part = index[PARTS] + 3u * (current >> 1u);
        let head = index[part];
        let tail = index[part + 1u];
        if (tail & RUN) == 0u {
            if size + 2u > params.heap_slots {
                is_full = true;
                return position;
            }
            // The half that is on top is unpacked first.
            scratch[stack_base() + size] = select(tail, head ^ 1u, backwards == 1u);
            scratch[stack_base() + size + 1u] = select(head, tail ^ 1u, backwards == 1u);
            size += 2u;
            continue;
        }
        let count = (tail & ~RUN) >> 1u;
        let run = index[RUNS] + head;
        let is_reversed = (backwards ^ (tail & 1u)) == 1u;
        for (var i = 1u; i < count; i++) {
            paths[position] = index[run + select(i, count - 1u - i, is_reversed)];
            position += step;
        }
    }
    return position;
}

@compute @workgroup_size(64)
fn contraction_extract(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let agent = invocation(id, groups);
    if agent >= params.agents || paths[agent] == NONE {
        return;
    }
    chain_base = params.agents_start + agent * params.agent_scratch;
    is_full = false;
    let meeting = results[RESULT_WORDS * agent + 3u];
    if results[RESULT_WORDS * agent + 2u] == 0u {
        return;
    }
    let middle = paths[agent] + half_length(0u, meeting);
    paths[middle] = index[index[VERTICES] + scratch[cost_at(0u, meeting) + 2u]];
    for (var chain = 0u; chain < 2u; chain++) {
        var position = select(middle - 1u, middle + 1u, chain == 1u);
        var at = meeting;
        loop {
            let before = scratch[cost_at(chain, at) + 1u];
            if before == NONE {
                break;
            }
            // The start's arcs are read backwards, and so are the goal's if they are stored upwards.
            let is_reversed = chain == 0u || params.is_symmetric == 1u;
            let part = part_of(chain, scratch[cost_at(chain, before) + 2u], at) ^ select(0u, 1u, is_reversed);
            position = unpack_part(part, position, select(NONE, 1u, chain == 1u));
            at = before;
        }
    }
    if is_full || !loops_work() {
        paths[agent] = NONE;
    }
}
