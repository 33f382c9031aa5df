// The first waypoint of an agent: its path is followed from polygon to polygon, each time over the best exit to the same
// goal, until the first bend is certain. The wedge of visible directions is that of the CPU, in 32 bits. Where rounding
// could change a decision, the CPU answers.

// The wedge, as vectors from the apex in plan to the ends that bound it, and the portals of these ends.
var<private> apex: vec2<f32>;
var<private> right_side: vec2<f32>;
var<private> left_side: vec2<f32>;
var<private> right_portal: u32;
var<private> left_portal: u32;
var<private> is_bounded: bool;
// The next portal to look at, and the number of portals.
var<private> at_portal: u32;
var<private> portal_count: u32;
// The first corner, unless the path turns out to be straight there.
var<private> corner: vec3<f32>;
var<private> corner_portal: u32;
var<private> has_corner: bool;
var<private> is_uncertain: bool;
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

// Returns the sign of the cross product of two vectors, whose components are differences of exact numbers. Three roundings
// change it by less than 2e-7 of its terms.
fn turn_sign(a: vec2<f32>, b: vec2<f32>) -> i32 {
    let first = a.x * b.y;
    let second = a.y * b.x;
    let error = 4e-7 * (abs(first) + abs(second));
    let product = first - second;
    if product > error {
        return 1;
    }
    if product < -error {
        return -1;
    }
    if error > 0.0 {
        is_uncertain = true;
    }
    return 0;
}

fn turn_from(point: vec2<f32>, first: u32) {
    apex = point;
    at_portal = first;
    is_bounded = false;
}

// The line turns around a point. Returns whether the first bend is decided.
fn turn_at(point: vec3<f32>, portal: u32) -> u32 {
    if has_corner {
        let incoming = corner.xz - origin;
        let outgoing = point.xz - corner.xz;
        let bend = turn_sign(incoming, outgoing);
        if is_uncertain {
            return UNKNOWN;
        }
        if bend != 0 || dot(incoming, outgoing) < 0.0 {
            return DECIDED;
        }
    }
    has_corner = true;
    corner = point;
    corner_portal = portal;
    turn_from(point.xz, portal + 1u);
    return CONTINUE;
}

// Looks through all portals that are known.
fn follow_portals() -> u32 {
    while at_portal < portal_count {
        let to_right = portal_end(at_portal, 0u).xz - apex;
        let to_left = portal_end(at_portal, 1u).xz - apex;
        if !is_bounded {
            if all(to_right == vec2(0.0)) || all(to_left == vec2(0.0)) {
                if !has_corner {
                    return UNKNOWN;
                }
                at_portal += 1u;
                continue;
            }
            if turn_sign(to_right, to_left) <= 0 {
                return UNKNOWN;
            }
            is_bounded = true;
            right_side = to_right;
            left_side = to_left;
            right_portal = at_portal;
            left_portal = at_portal;
        } else {
            let narrows_right = all(to_right == right_side) || turn_sign(right_side, to_right) >= 0;
            let narrows_left = all(to_left == left_side) || turn_sign(left_side, to_left) <= 0;
            if is_uncertain {
                return UNKNOWN;
            }
            if narrows_right {
                let over = turn_sign(left_side, to_right);
                if over == 0 {
                    return UNKNOWN;
                }
                if over > 0 {
                    let turned = turn_at(portal_end(left_portal, 1u), left_portal);
                    if turned != CONTINUE {
                        return turned;
                    }
                    continue;
                }
                right_side = to_right;
                right_portal = at_portal;
            }
            if narrows_left {
                let over = turn_sign(right_side, to_left);
                if over == 0 {
                    return UNKNOWN;
                }
                if over < 0 {
                    let turned = turn_at(portal_end(right_portal, 0u), right_portal);
                    if turned != CONTINUE {
                        return turned;
                    }
                    continue;
                }
                left_side = to_left;
                left_portal = at_portal;
            }
        }
        at_portal += 1u;
        if has_corner {
            let direction = corner.xz - origin;
            let is_excluded = turn_sign(right_side, direction) < 0 || turn_sign(left_side, direction) > 0;
            // If rounding decides here, a later portal may decide without it.
            is_uncertain = false;
            if is_excluded {
                return DECIDED;
            }
        }
    }
    return CONTINUE;
}

// Looks at the end of the path after all its portals. Returns DECIDED if the first corner is the next waypoint, and CONTINUE if
// it is the end.
fn follow_to_end(end: vec2<f32>) -> u32 {
    loop {
        if is_bounded {
            let to_end = end - apex;
            let beyond_left = turn_sign(left_side, to_end);
            let beyond_right = turn_sign(right_side, to_end);
            if is_uncertain || beyond_left == 0 || beyond_right == 0 {
                return UNKNOWN;
            }
            var turned = CONTINUE;
            if beyond_left > 0 {
                turned = turn_at(portal_end(left_portal, 1u), left_portal);
            } else if beyond_right < 0 {
                turned = turn_at(portal_end(right_portal, 0u), right_portal);
            } else {
                break;
            }
            if turned != CONTINUE {
                return turned;
            }
            let followed = follow_portals();
            if followed != CONTINUE {
                return followed;
            }
        } else {
            break;
        }
    }
    if !has_corner {
        return CONTINUE;
    }
    let bend = turn_sign(corner.xz - origin, end - corner.xz);
    return select(DECIDED, UNKNOWN, is_uncertain || bend == 0);
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

// Finds the next waypoint. `start` and `goal` are where the agent and its goal are; costs are measured from and to
// `cost_start` and `cost_goal`.
fn find_next(agent: u32, start_polygon: u32, goal_polygon: u32, start: vec3<f32>, goal: vec3<f32>, cost_start: vec3<f32>, cost_goal: vec3<f32>) -> u32 {
    use_chain(agent);
    find_first_exit(start_polygon, goal_polygon, cost_start, cost_goal);
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
        let depths = shared_depths(here, goal_polygon);
        descend(goal_polygon, cost_goal, depths);
        find_best_exit(here, point, depths, sample);
        if here == goal_polygon {
            stay_if_cheaper(distance(point, cost_goal) * number(place_word(here, 4u)));
        }
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
    let start_polygon = agents[own];
    let goal_polygon = agents[own + 1u];
    let start = agent_point(own + 2u);
    let goal = agent_point(own + 5u);
    var status = find_next(agent, start_polygon, goal_polygon, start, goal, cost_point(start_polygon, start), cost_point(goal_polygon, goal));
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
    var polygon = agents[own];
    for (var i = 0u; i < last; i++) {
        let right = portal_end(i, 0u).xz;
        let left = portal_end(i, 1u).xz;
        let along = left - right;
        let to_agent = position.xz - right;
        if along.x * to_agent.y - along.y * to_agent.x > 0.0 {
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
