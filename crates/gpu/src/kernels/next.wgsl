// The first waypoint of an agent: its path is followed from polygon to polygon, each time over the best exit to the same
// goal, until the first bend is certain. The wedge of visible directions is that of the CPU (`wedge.rs`), and signs are exact, so
// both find the same bend.

// The wedge: the apex in plan, the ends that bound it on both sides, and the portals of these ends. A side that nothing bounds
// yet has the apex as its end.
var<private> apex: vec2<f32>;
var<private> right_end: vec2<f32>;
var<private> left_end: vec2<f32>;
var<private> right_portal: u32;
var<private> left_portal: u32;
// The next portal to look at, and the number of portals.
var<private> at_portal: u32;
var<private> portal_count: u32;
// The first corner, unless the path turns out to be straight there.
var<private> corner: vec3<f32>;
var<private> corner_portal: u32;
var<private> has_corner: bool;
// The start of the path in plan.
var<private> origin: vec2<f32>;

const CONTINUE = 0u;
const DECIDED = 1u;
const UNKNOWN = 2u;

fn portal_at(i: u32) -> u32 {
    return scratch[chain_first + 4u * params.depth + i];
}

// Returns the right (0) or the left (1) end of a portal on the path.
fn portal_end(i: u32, side: u32) -> vec3<f32> {
    let portal = portal_at(i);
    let at = index[PORTALS] + 8u * (portal >> 1u) + 3u * (side ^ (portal & 1u));
    return vec3(number(index[at]), number(index[at + 1u]), number(index[at + 2u]));
}

// Returns the polygon that the path enters by a portal.
fn polygon_beyond(i: u32) -> u32 {
    let portal = portal_at(i);
    return index[index[PORTALS] + 8u * (portal >> 1u) + 6u + 1u - (portal & 1u)];
}

// Returns 1 if `to` is at or beyond `over`, -1 if it is at or behind `from`, and 0 between them. The three points are on one
// line, and `from` and `over` differ.
fn order_on_line(start: vec2<f32>, over: vec2<f32>, to: vec2<f32>) -> i32 {
    let leg = abs(over - start);
    let is_upright = leg.y > leg.x;
    var numbers = vec3(start.x, over.x, to.x);
    if is_upright {
        numbers = vec3(start.y, over.y, to.y);
    }
    if numbers.x > numbers.y {
        numbers = -numbers;
    }
    return select(select(0, -1, numbers.z <= numbers.x), 1, numbers.z >= numbers.y);
}

// Returns whether the path to a point on the line from the apex through one side of the wedge leads over the end of that side.
fn must_pass(side: vec2<f32>, other_side: vec2<f32>, to: vec2<f32>) -> bool {
    if all(side == apex) {
        return false;
    }
    let order = order_on_line(apex, side, to);
    return order > 0 || (order < 0 && any(other_side != apex));
}

// Returns whether the path does not bend at a point.
fn is_straight(before: vec2<f32>, point: vec2<f32>, after: vec2<f32>) -> bool {
    return side_of(before, point, after) == 0 && dot(point - before, after - point) >= 0.0;
}

fn turn_from(point: vec2<f32>, first: u32) {
    apex = point;
    right_end = point;
    left_end = point;
    at_portal = first;
}

// The line turns around the end of a portal. Returns whether the first bend is decided.
fn turn_at(portal: u32, side: u32) -> u32 {
    let point = portal_end(portal, side);
    if has_corner && !is_straight(origin, corner.xz, point.xz) {
        return DECIDED;
    }
    has_corner = true;
    corner = point;
    corner_portal = portal;
    turn_from(point.xz, portal + 1u);
    return CONTINUE;
}

// Narrows the wedge by a portal, or turns around one of its sides.
fn narrow_or_turn(right: vec2<f32>, left: vec2<f32>) -> u32 {
    if side_of(apex, right_end, right) >= 0 {
        let over = side_of(apex, left_end, right);
        if over > 0 || (over == 0 && must_pass(left_end, right_end, right)) {
            return turn_at(left_portal, 1u);
        }
        right_end = right;
        right_portal = at_portal;
    }
    if side_of(apex, left_end, left) <= 0 {
        let over = side_of(apex, right_end, left);
        if over < 0 || (over == 0 && must_pass(right_end, left_end, left)) {
            return turn_at(right_portal, 0u);
        }
        left_end = left;
        left_portal = at_portal;
    }
    at_portal += 1u;
    // If rounding decides here, a later portal may decide without it.
    let direction = corner.xz - origin;
    if has_corner && (is_clearly_left(direction, right_end - apex) || is_clearly_left(left_end - apex, direction)) {
        return DECIDED;
    }
    return CONTINUE;
}

// Looks through all portals that are known.
fn follow_portals() -> u32 {
    while at_portal < portal_count {
        let right = portal_end(at_portal, 0u).xz;
        let left = portal_end(at_portal, 1u).xz;
        if all(right_end == apex) && all(left_end == apex) {
            // The path passes portals that end at the apex without leaving it.
            if all(right == apex) || all(left == apex) {
                at_portal += 1u;
                continue;
            }
            if !has_corner {
                // The CPU treats a start on a portal or behind it in a way of its own.
                let side = side_of(apex, right, left);
                if side < 0 || (side == 0 && order_on_line(right, left, apex) == 0) {
                    return UNKNOWN;
                }
            }
        }
        let turned = narrow_or_turn(right, left);
        if is_uncertain {
            return UNKNOWN;
        }
        if turned != CONTINUE {
            return turned;
        }
    }
    return CONTINUE;
}

fn ends_at(i: u32, point: vec2<f32>) -> bool {
    return all(portal_end(i, 0u).xz == point) || all(portal_end(i, 1u).xz == point);
}

// Returns whether a point is on a portal up to rounding, by the bound of the CPU or a little more. The CPU does without such a
// portal at the start or at the end of a path.
fn touches(point: vec2<f32>, i: u32) -> bool {
    let right = portal_end(i, 0u).xz;
    let left = portal_end(i, 1u).xz;
    let leg = left - right;
    let along = clamp(dot(point - right, leg) / max(dot(leg, leg), 1e-30), 0.0, 1.0);
    return distance(point, right + leg * along) <= 4e-6 * max(max(abs(point.x), abs(point.y)), 1.0);
}

// Looks at the end of the path after all its portals. Returns DECIDED if the first corner is the next waypoint, and CONTINUE if
// it is the end.
fn follow_to_end(end: vec2<f32>) -> u32 {
    // The path passes portals that end where it starts or ends.
    var first = 0u;
    while first < portal_count && ends_at(first, origin) {
        first += 1u;
    }
    var last = portal_count;
    while last > first && ends_at(last - 1u, end) {
        last -= 1u;
    }
    if first < last {
        let is_behind = side_of(end, portal_end(last - 1u, 0u).xz, portal_end(last - 1u, 1u).xz) > 0;
        if is_behind || touches(origin, first) || touches(end, last - 1u) {
            return UNKNOWN;
        }
    }
    loop {
        var turned = CONTINUE;
        if side_of(apex, left_end, end) > 0 {
            turned = turn_at(left_portal, 1u);
        } else {
            let over = side_of(apex, right_end, end);
            if over > 0 || (over == 0 && !must_pass(right_end, left_end, end)) {
                break;
            }
            turned = turn_at(right_portal, 0u);
        }
        if turned == CONTINUE && !is_uncertain {
            turned = follow_portals();
        }
        if is_uncertain {
            return UNKNOWN;
        }
        if turned != CONTINUE {
            return turned;
        }
    }
    let has_bend = has_corner && !is_straight(origin, corner.xz, end);
    if is_uncertain {
        return UNKNOWN;
    }
    return select(CONTINUE, DECIDED, has_bend);
}

// The next waypoint of an agent, the polygon that the path enters there, and the cost of the whole path.
var<private> next_point: vec3<f32>;
var<private> next_polygon: u32;
var<private> next_cost: f32;
// The end of the link that is entered there; NONE if there is none.
var<private> next_link: u32;

fn answer_corner() -> u32 {
    next_point = corner;
    next_polygon = polygon_beyond(corner_portal);
    return FOUND;
}

// Finds the next waypoint. `start` and `goal` are where the agent and its goal are.
fn find_next(agent: u32, start_polygon: u32, to_polygon: u32, start: vec3<f32>, goal: vec3<f32>) -> u32 {
    find_first_exit(agent, start_polygon, cost_point(start_polygon, start), to_polygon, cost_point(to_polygon, goal));
    next_cost = best_cost;
    next_link = NONE;
    if best_cost > REACHABLE {
        return NO_PATH;
    }
    origin = start.xz;
    has_corner = false;
    is_uncertain = false;
    portal_count = 0u;
    turn_from(start.xz, 0u);
    var here = start_polygon;
    for (var steps = 0u; steps < params.max_portals; steps++) {
        if is_tie {
            return UNDECIDED;
        }
        var end = goal;
        var is_end = best_exit == NONE;
        if !is_end && best_exit >= params.first_link_end {
            is_end = true;
            end = link_end(best_exit);
        }
        if is_end {
            let followed = follow_to_end(end.xz);
            if followed == UNKNOWN {
                return UNDECIDED;
            }
            if followed == DECIDED {
                return answer_corner();
            }
            next_point = end;
            next_polygon = here;
            next_link = best_exit;
            return FOUND;
        }
        let portal = graph[params.samples + 6u * best_exit + 5u];
        // The side of the portal that the path comes from.
        let from_second = select(0u, 1u, index[index[PORTALS] + 8u * portal + 6u] != here);
        let directed = portal << 1u | from_second;
        if portal_count > 0u && portal_at(portal_count - 1u) == (directed ^ 1u) {
            return UNDECIDED;
        }
        scratch[chain_first + 4u * params.depth + portal_count] = directed;
        portal_count += 1u;
        here = polygon_beyond(portal_count - 1u);
        let followed = follow_portals();
        if followed == UNKNOWN {
            return UNDECIDED;
        }
        if followed == DECIDED {
            return answer_corner();
        }
        let before = best_cost;
        let sample = best_exit;
        var point = sample_position(sample);
        if params.centres != NONE {
            point = centre_of(here);
        }
        find_best_exit(here, point, sample);
        if best_cost > before + before * TIE {
            return UNDECIDED;
        }
    }
    return UNDECIDED;
}

// Where a link is entered, with its height.
fn link_end(sample: u32) -> vec3<f32> {
    let at = params.link_costs + params.samples_count - params.first_link_end + 3u * (sample - params.first_link_end);
    return vec3(number(graph[at]), number(graph[at + 1u]), number(graph[at + 2u]));
}

// The point from which costs are measured.
fn cost_point(polygon: u32, point: vec3<f32>) -> vec3<f32> {
    if params.centres != NONE {
        return centre_of(polygon);
    }
    return vec3(point.x, select(point.y, 0.0, params.method == 1u), point.z);
}

@compute @workgroup_size(64)
fn next_waypoint(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let agent = invocation(id, groups);
    if agent >= params.agents {
        return;
    }
    answer_next(agent);
}

fn answer_next(agent: u32) -> u32 {
    let own = AGENT_WORDS * agent;
    var status = find_next(agent, agents[own], agents[own + 1u], agent_point(own + 2u), agent_point(own + 5u));
    if !loops_work() {
        status = UNDECIDED;
    }
    let at = ANSWER_WORDS * agent;
    results[at] = status;
    results[at + 1u] = bitcast<u32>(next_cost);
    results[at + 2u] = next_polygon;
    results[at + 3u] = bitcast<u32>(next_point.x);
    results[at + 4u] = bitcast<u32>(next_point.y);
    results[at + 5u] = bitcast<u32>(next_point.z);
    return status;
}

// A step of a crowd: each agent finds its next waypoint and walks towards it. Positions stay in `agents`.
@compute @workgroup_size(64)
fn crowd_step(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let agent = invocation(id, groups);
    if agent >= params.agents || answer_next(agent) != FOUND {
        return;
    }
    let own = AGENT_WORDS * agent;
    let start = agent_point(own + 2u);
    let leg = next_point - start;
    let rest = length(leg);
    var position = next_point;
    if rest > params.step {
        position = start + leg * (params.step / rest);
    }
    // The line to the next waypoint leads through all portals before it, so the agent is beyond those whose line it has
    // crossed.
    let last = select(portal_count, min(corner_portal + 1u, portal_count), has_corner);
    let walked = dot(position.xz - start.xz, leg.xz);
    var polygon = agents[own];
    for (var i = 0u; i < last; i++) {
        let right = portal_end(i, 0u).xz;
        let left = portal_end(i, 1u).xz;
        // Portals around the corner where the agent starts are passed there, also if they turn by more than half a circle.
        if all(right == start.xz) || all(left == start.xz) {
            polygon = polygon_beyond(i);
            continue;
        }
        // An agent that walks along the line of a portal has yet to reach the portal.
        let has_reached = walked >= min(dot(right - start.xz, leg.xz), dot(left - start.xz, leg.xz));
        let along = left - right;
        let to_agent = position.xz - right;
        if !has_reached || along.x * to_agent.y - along.y * to_agent.x > 0.0 {
            break;
        }
        polygon = polygon_beyond(i);
    }
    if rest <= params.step {
        polygon = next_polygon;
        if next_link != NONE {
            // The two ends of a link have consecutive numbers, the first of which is even.
            let beyond = params.first_link_end + ((next_link - params.first_link_end) ^ 1u);
            position = link_end(beyond);
            polygon = sample_side(beyond, 0u);
        }
    }
    agents[own] = polygon;
    agents[own + 2u] = bitcast<u32>(position.x);
    agents[own + 3u] = bitcast<u32>(position.y);
    agents[own + 4u] = bitcast<u32>(position.z);
}
