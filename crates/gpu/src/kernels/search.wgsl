// A* on the portal graph, over the whole mesh or inside one node of the hierarchy.

// The point to which lower bounds are measured.
var<private> target_point: vec3<f32>;

// Relaxes the arcs from a point of a polygon, reached at `cost`, to all its vertices.
fn expand(polygon: u32, from_point: vec3<f32>, from_cost: f32, before: u32) {
    let factor = factor_of(polygon);
    if factor > REACHABLE {
        return;
    }
    var point = from_point;
    var cost = from_cost;
    if params.centres != NONE {
        point = centre_of(polygon);
        cost += distance(from_point, point) * factor;
    }
    let end = graph[params.exit_offsets + polygon + 1u];
    for (var i = graph[params.exit_offsets + polygon]; i < end; i++) {
        let at = params.exits + 4u * i;
        let position = vec3(number(graph[at]), number(graph[at + 1u]), number(graph[at + 2u]));
        let onward = graph[at + 3u];
        let bound = distance(position, target_point) * params.heuristic;
        relax(onward >> 1u, onward & 1u, cost + distance(point, position) * factor, bound, before);
    }
}

// Relaxes the arc of a link from one of its ends. `is_reversed` searches run against the arcs.
fn cross_link(end: u32, cost: f32, is_reversed: bool) {
    let number_of_end = end - params.first_link_end;
    let entry = number_of_end ^ select(0u, 1u, is_reversed);
    let link_cost = number(graph[params.link_costs + entry]);
    if link_cost < REACHABLE {
        let to = params.first_link_end + (number_of_end ^ 1u);
        let bound = distance(sample_position(to), target_point) * params.heuristic;
        relax(to, 0u, cost + link_cost, bound, end);
    }
}

// The number of vertices that this invocation has expanded.
var<private> expanded: u32;
// Whether the search has come to its end.
var<private> is_done: bool;

// Returns the next vertex to expand and marks it as settled; NONE if there is none below `limit`, or if the search pauses.
fn next_vertex(limit: f32) -> u32 {
    is_done = true;
    if expanded >= params.budget {
        is_done = false;
        return NONE;
    }
    expanded += 1u;
    while heap_size > 0u && !is_full {
        let top = pop();
        if number(top.x) >= limit {
            return NONE;
        }
        let at = label_of(top.y);
        if (scratch[at + 2u] & SETTLED) == 0u {
            scratch[at + 2u] |= SETTLED;
            return top.y;
        }
    }
    return NONE;
}
