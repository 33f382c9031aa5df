// Kernels 2 and 3: HNA* and PCCP. `connect` finds the costs between start or goal and the inter-edges of their nodes, one
// invocation per agent and inter-edge. `overlay_search` searches over inter-edges, one invocation per agent, and
// `overlay_extract` writes the vertices of the path.

// The connect methods: costs from `connect`, or from the rows of PCCP.
const BY_SEARCH = 0u;
const BY_CENTRES = 1u;

// A level in `index`: eight words from `LEVEL_WORDS * level` on, each the first word of an array.
const LEVEL_WORDS = 16u;
const INTER_EDGES = 0u;      // eight words each: vertex, below, and per side node, index, inner
const OF_NODE_OFFSETS = 1u;
const OF_NODE = 2u;          // inter-edges of a node, each with the side beyond
const MATRICES = 3u;         // per node, its first cost in `table`
const INNER_OFFSETS = 4u;
const INNER = 5u;
const TREES = 6u;            // per node, its first tree entry
const TREE_ENTRIES = 7u;     // predecessors
const NODE_OF = 8u;          // per polygon and then per link, its node
const CENTRE_ROWS = 9u;      // per polygon, its first entry among the rows of centres
const TABLE_ROWS = 10u;      // per node, its first entry among the rows of vertices
const NODE_VERTEX_OFFSETS = 11u;
const NODE_VERTICES = 12u;   // vertices of a node
const TO_EDGES = 13u;        // first word in `table` of: costs of centres, indexes of centres, indexes of vertices
const FROM_EDGES = 14u;      // the same against the direction

fn level_word(level: u32, word: u32) -> u32 {
    return index[LEVEL_WORDS * level + word];
}

fn inter_edge(level: u32, edge: u32) -> u32 {
    return level_word(level, INTER_EDGES) + 8u * edge;
}

fn edge_vertex(level: u32, edge: u32) -> u32 {
    return index[inter_edge(level, edge)];
}

// Returns the first word of a side: its node, index and inner index.
fn edge_side(level: u32, edge: u32, side: u32) -> u32 {
    return inter_edge(level, edge) + 2u + 3u * side;
}

fn side_in(level: u32, edge: u32, node: u32) -> u32 {
    return select(1u, 0u, index[edge_side(level, edge, 0u)] == node);
}

fn node_edges(level: u32, node: u32) -> vec2<u32> {
    let at = level_word(level, OF_NODE_OFFSETS) + node;
    return vec2(index[at], index[at + 1u]);
}

fn edge_of_node(level: u32, at: u32) -> u32 {
    return index[level_word(level, OF_NODE) + at];
}

fn use_job(job: u32) {
    use_scratch(job * params.job_scratch, params.job_labels, params.job_heap);
}

@compute @workgroup_size(64)
fn connect(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let job = invocation(id, groups);
    // A job that has not begun is marked by the cost -3, and a job that has paused by -2.
    if job >= params.jobs || number(results[params.costs_start + job]) > -1.5 {
        return;
    }
    let agent = agents[params.jobs_start + 2u * job] >> 1u;
    let is_goal = (agents[params.jobs_start + 2u * job] & 1u) == 1u;
    let edge_index = agents[params.jobs_start + 2u * job + 1u];
    let own = AGENT_WORDS * agent;
    let side = select(0u, 1u, is_goal);
    let polygon = agents[own + side];
    let point = agent_point(own + 2u + 3u * side);
    let node = agents[own + 8u + side];
    let level = params.level;
    let edge = edge_of_node(level, node_edges(level, node).x + edge_index) >> 1u;
    let goal = edge_vertex(level, edge);
    use_job(job);
    target_point = sample_position(goal);
    let end = (job + 1u) * params.job_scratch;
    if number(results[params.costs_start + job]) < -2.5 {
        expand(polygon, point, 0.0, NONE);
    } else {
        _ = resume_search(end);
    }
    var cost = f32(FAR);
    loop {
        let vertex = next_vertex(FAR);
        if vertex == NONE {
            break;
        }
        let label = label_of(vertex);
        let reached = number(scratch[label + 1u]);
        if vertex == goal {
            cost = reached;
            break;
        }
        let far_side = select(0u, 1u, (scratch[label + 2u] & SIDE) != 0u);
        let beyond = sample_side(vertex, far_side);
        if beyond == NONE {
            let link = (vertex - params.first_link_end) / 2u;
            if index[level_word(level, NODE_OF) + params.polygons + link] == node {
                cross_link(vertex, reached, is_goal);
            }
        } else if index[level_word(level, NODE_OF) + beyond] == node {
            expand(beyond, sample_position(vertex), reached, vertex);
        }
    }
    if !is_done {
        save_search(end, FAR, NONE);
        cost = -2.0;
    }
    // A job whose scratch is too small is marked by the cost -1.
    results[params.costs_start + job] = bitcast<u32>(select(cost, -1.0, is_full || !loops_work()));
}

// Returns the cost between the start or the goal of an agent and an inter-edge of its node.
fn connect_cost(agent: u32, is_goal: bool, i: u32) -> f32 {
    let own = AGENT_WORDS * agent;
    let side = select(0u, 1u, is_goal);
    if params.method == BY_SEARCH {
        return number(results[params.costs_start + agents[own + 10u + side] + i]);
    }
    let row = index[level_word(params.level, CENTRE_ROWS) + agents[own + side]];
    let words = level_word(params.level, select(TO_EDGES, FROM_EDGES, is_goal));
    return number(table_word(index[words] + row + i));
}

fn use_agent(agent: u32) {
    use_scratch(params.agents_start + agent * params.agent_scratch, params.label_slots, params.heap_slots);
}

fn edge_bound(edge: u32) -> f32 {
    return distance(sample_position(edge_vertex(params.level, edge)), target_point) * params.heuristic;
}

@compute @workgroup_size(64)
fn overlay_search(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let agent = invocation(id, groups);
    if agent >= params.agents || results[RESULT_WORDS * agent] < RUNNING {
        return;
    }
    let own = AGENT_WORDS * agent;
    let level = params.level;
    let end = params.agents_start + (agent + 1u) * params.agent_scratch;
    let goal_node = agents[own + 9u];
    target_point = agent_point(own + 5u);
    use_agent(agent);
    var best = f32(FAR);
    var last = NONE;
    var failed = false;
    let start_edges = node_edges(level, agents[own + 8u]);
    let is_resumed = results[RESULT_WORDS * agent] == RUNNING;
    if is_resumed {
        let state = resume_search(end);
        best = number(state.x);
        last = state.y;
    }
    for (var i = start_edges.x; i < start_edges.y && !is_resumed; i++) {
        let to = edge_of_node(level, i);
        let cost = connect_cost(agent, false, i - start_edges.x);
        failed = failed || cost < 0.0;
        if cost < REACHABLE {
            relax(to >> 1u, to & 1u, cost, edge_bound(to >> 1u), NONE);
        }
    }
    loop {
        let edge = next_vertex(best);
        if edge == NONE {
            break;
        }
        let label = label_of(edge);
        let cost = number(scratch[label + 1u]);
        let side = edge_side(level, edge, select(0u, 1u, (scratch[label + 2u] & SIDE) != 0u));
        let node = index[side];
        if node == goal_node {
            let to_goal = connect_cost(agent, true, index[side + 1u]);
            failed = failed || to_goal < 0.0;
            if cost + to_goal < best && to_goal < REACHABLE {
                best = cost + to_goal;
                last = edge;
            }
        }
        let edges = node_edges(level, node);
        let row = index[level_word(level, MATRICES) + node] + index[side + 1u] * (edges.y - edges.x);
        for (var i = edges.x; i < edges.y; i++) {
            let arc = number(table_word(row + i - edges.x));
            if arc < REACHABLE {
                let to = edge_of_node(level, i);
                relax(to >> 1u, to & 1u, cost + arc, edge_bound(to >> 1u), edge);
            }
        }
    }
    is_full = is_full || failed;
    if !is_done {
        save_search(end, best, last);
        set_result(agent, RUNNING, best, 0u, last);
        return;
    }
    set_result(agent, select(NO_PATH, FOUND, best < REACHABLE), best, 0u, last);
    if best < REACHABLE && !is_full {
        walk(agent, last, false);
        set_result(agent, FOUND, best, path_length, last);
    }
}

// The walk over a path that was found. It visits the leg to the goal, then the intra-edges from the last to the first, then
// the leg from the start. The first pass counts, the second writes.

var<private> path_length: u32;
var<private> path_first: u32;
var<private> is_writing: bool;

fn emit(position: u32, vertex: u32) {
    if is_writing {
        paths[path_first + position] = vertex;
    }
}

// The number of steps after which a walk is taken to run in circles.
fn max_steps() -> u32 {
    return 2u * params.samples_count + 16u;
}

fn walk(agent: u32, last: u32, writes: bool) {
    let own = AGENT_WORDS * agent;
    let level = params.level;
    let total = path_length;
    is_writing = writes;
    var steps = 0u;
    // The edges of the path, from the last to the first, and the number of vertices below them.
    var behind = leg_length(agent, true, last);
    if writes {
        write_leg(agent, true, last, total - behind, behind);
    }
    var at = last;
    use_agent(agent);
    var before = (scratch[label_of(at) + 2u] & PREDECESSOR) - 1u;
    while before != NONE && steps < max_steps() {
        steps += 1u;
        let side = 1u - select(0u, 1u, (scratch[label_of(at) + 2u] & SIDE) != 0u);
        let node = index[edge_side(level, at, side)];
        behind = unpack(level, node, before, at, total, behind);
        at = before;
        before = (scratch[label_of(at) + 2u] & PREDECESSOR) - 1u;
    }
    let first = leg_length(agent, false, at);
    if writes {
        write_leg(agent, false, at, 0u, first);
    }
    if steps >= max_steps() || behind + first > max_steps() {
        is_full = true;
    }
    path_length = behind + first;
}

// Visits the vertices of an intra-edge from its end back to its start, without the start. `behind` vertices of the path have
// been visited already. Returns how many have been afterwards.
//
// A frame per level has: the node's first inner edge, the row of the tree, the index of the first edge, the index of the
// current edge, and the node below through which the current edge is reached.
var<private> frames: array<array<u32, 5>, 8>;

fn enter(level: u32, node: u32, start: u32, end: u32) {
    let start_side = edge_side(level, start, side_in(level, start, node));
    let end_side_number = side_in(level, end, node);
    let end_side = edge_side(level, end, end_side_number);
    let inner = level_word(level, INNER_OFFSETS) + node;
    let first_inner = index[inner];
    let count = index[inner + 1u] - first_inner;
    frames[level][0] = level_word(level, INNER) + first_inner;
    frames[level][1] = level_word(level, TREE_ENTRIES) + index[level_word(level, TREES) + node] + index[start_side + 1u] * count;
    frames[level][2] = index[start_side + 2u];
    frames[level][3] = index[end_side + 2u];
    if level > 1u {
        frames[level][4] = index[edge_side(level - 1u, index[inter_edge(level, end) + 1u], end_side_number)];
    }
}

fn unpack(top: u32, top_node: u32, start: u32, end: u32, total: u32, visited: u32) -> u32 {
    var behind = visited;
    var level = top;
    enter(level, top_node, start, end);
    for (var steps = 0u; steps < max_steps(); steps++) {
        let current = frames[level][3];
        if current == frames[level][2] {
            if level == top {
                return behind;
            }
            level += 1u;
            continue;
        }
        let before = index[frames[level][1] + current];
        let edge = index[frames[level][0] + current];
        frames[level][3] = before;
        if level == 1u {
            emit(total - 1u - behind, edge);
            behind += 1u;
            continue;
        }
        let edge_before = index[frames[level][0] + before];
        let node = frames[level][4];
        let side = side_in(level - 1u, edge_before, node);
        frames[level][4] = index[edge_side(level - 1u, edge_before, 1u - side)];
        level -= 1u;
        enter(level, node, edge_before, edge);
    }
    is_full = true;
    return behind;
}

// The index of an inter-edge in the node of the start or the goal.
fn index_at_end(agent: u32, is_goal: bool, edge: u32) -> u32 {
    let node = agents[AGENT_WORDS * agent + select(8u, 9u, is_goal)];
    return index[edge_side(params.level, edge, side_in(params.level, edge, node)) + 1u];
}

// The number of vertices of the leg between the start and an inter-edge, with the inter-edge, or between an inter-edge and
// the goal, without it.
fn leg_length(agent: u32, is_goal: bool, edge: u32) -> u32 {
    let was_writing = is_writing;
    is_writing = false;
    let length = visit_leg(agent, is_goal, edge, 0u, 0u);
    is_writing = was_writing;
    return length;
}

fn write_leg(agent: u32, is_goal: bool, edge: u32, first: u32, length: u32) {
    _ = visit_leg(agent, is_goal, edge, first, length);
}

fn visit_leg(agent: u32, is_goal: bool, edge: u32, first: u32, length: u32) -> u32 {
    let i = index_at_end(agent, is_goal, edge);
    let vertex = edge_vertex(params.level, edge);
    var count = 0u;
    if params.method == BY_SEARCH {
        // The tree of the job leads from the inter-edge to the start or the goal.
        use_job(agents[AGENT_WORDS * agent + select(10u, 11u, is_goal)] + i);
        var at = vertex;
        if is_goal {
            at = (scratch[label_of(at) + 2u] & PREDECESSOR) - 1u;
        }
        while at != NONE && count < max_steps() {
            emit(first + select(length - 1u - count, count, is_goal), at);
            count += 1u;
            at = (scratch[label_of(at) + 2u] & PREDECESSOR) - 1u;
        }
        use_agent(agent);
        return count;
    }
    // The rows lead from the polygon to the inter-edge.
    let own = AGENT_WORDS * agent;
    let level = params.level;
    let node = agents[own + select(8u, 9u, is_goal)];
    let polygon = agents[own + select(0u, 1u, is_goal)];
    let words = level_word(level, select(TO_EDGES, FROM_EDGES, is_goal));
    let edges = node_edges(level, node);
    let edge_count = edges.y - edges.x;
    let row = index[level_word(level, CENTRE_ROWS) + polygon];
    let rows = index[level_word(level, TABLE_ROWS) + node];
    let vertices = level_word(level, NODE_VERTICES) + index[level_word(level, NODE_VERTEX_OFFSETS) + node];
    var vertex_index = table_word(index[words + 1u] + row + i);
    loop {
        let at = index[vertices + vertex_index];
        if at == vertex && is_goal {
            break;
        }
        emit(first + select(count, length - 1u - count, is_goal), at);
        count += 1u;
        if at == vertex || count >= max_steps() {
            break;
        }
        vertex_index = table_word(index[words + 2u] + rows + vertex_index * edge_count + i);
    }
    return count;
}

@compute @workgroup_size(64)
fn overlay_extract(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let agent = invocation(id, groups);
    if agent >= params.agents || paths[agent] == NONE {
        return;
    }
    path_first = paths[agent];
    path_length = results[RESULT_WORDS * agent + 2u];
    walk(agent, results[RESULT_WORDS * agent + 3u], true);
    if !loops_work() {
        paths[agent] = NONE;
    }
}
