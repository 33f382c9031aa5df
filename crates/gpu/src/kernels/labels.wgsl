// Labels: the best exit of a polygon on the way to a goal, by arrays of costs by depth. No heap, no tree, two contiguous
// records per agent.

// The first words of arrays in `index`.
const PLACES = 0u;           // five words per polygon: lowest rank, first line, groups, blocks, cost per metre
const DEPTH_ROWS = 1u;       // two depths per word
const PORTALS = 2u;          // eight words each: right end, left end, the two polygons

// An answer: status, cost, exit or polygon, and then a point.
const ANSWER_WORDS = 8u;

// Costs that differ by less than this share are left to the CPU. It is twice the share by which the CPU calls it a tie,
// because the sums here may be rounded otherwise.
const TIE = 4e-6;

var<private> chain_first: u32;
var<private> chain_known: u32;

fn place_word(polygon: u32, word: u32) -> u32 {
    return index[index[PLACES] + 5u * polygon + word];
}

fn depth_row(at: u32) -> u32 {
    let pair = index[index[DEPTH_ROWS] + at / 2u];
    return select(pair & 0xffffu, pair >> 16u, (at & 1u) == 1u);
}

// The number of depths, from the root down, that the chains of two polygons share.
fn shared_depths(start: u32, goal: u32) -> u32 {
    if place_word(start, 2u) == 0u || place_word(goal, 2u) == 0u {
        return 0u;
    }
    let a = place_word(start, 0u);
    let b = place_word(goal, 0u);
    let low = min(a, b);
    let high = max(a, b);
    if low == high {
        return depth_row(low) + 1u;
    }
    let row = firstLeadingBit(high - low);
    let first = row * params.rank_count;
    return min(depth_row(first + low), depth_row(first + high - (1u << row)));
}

fn line_word(lines: u32, line: u32, word: u32) -> f32 {
    return number(table_word(lines + 16u * line + word));
}

fn exit_point(lines: u32, line: u32, lane: u32) -> vec3<f32> {
    return vec3(line_word(lines, line, lane), line_word(lines, line, 4u + lane), line_word(lines, line, 8u + lane));
}

// The costs of an exit at the four depths of a block.
fn depth_costs(lines: u32, line: u32, lane: u32) -> vec4<f32> {
    let word = 4u * lane;
    return vec4(
        line_word(lines, line, word),
        line_word(lines, line, word + 1u),
        line_word(lines, line, word + 2u),
        line_word(lines, line, word + 3u),
    );
}

// The costs of the legs between a point and the four exits of a group. An exit that does not exist is far.
fn leg_costs(lines: u32, line: u32, point: vec3<f32>, factor: f32, except: u32) -> vec4<f32> {
    return vec4(
        leg_cost(lines, line, 0u, point, factor, except),
        leg_cost(lines, line, 1u, point, factor, except),
        leg_cost(lines, line, 2u, point, factor, except),
        leg_cost(lines, line, 3u, point, factor, except),
    );
}

fn leg_cost(lines: u32, line: u32, lane: u32, point: vec3<f32>, factor: f32, except: u32) -> f32 {
    let sample = exit_sample(lines, line, lane);
    if sample == NONE || sample == except {
        return FAR;
    }
    return distance(point, exit_point(lines, line, lane)) * factor;
}

fn exit_sample(lines: u32, line: u32, lane: u32) -> u32 {
    return table_word(lines + 16u * line + 12u + lane);
}

// Computes the costs from the goal's chain to the goal, for at least the first `depths` depths.
fn descend(goal: u32, point: vec3<f32>, depths: u32) {
    let groups = place_word(goal, 2u);
    let first = place_word(goal, 1u);
    let factor = number(place_word(goal, 4u));
    let lines = params.goals_first;
    let end = min((depths + 3u) / 4u, place_word(goal, 3u));
    for (var group = 0u; group < groups; group++) {
        let legs = leg_costs(lines, first + group, point, factor, NONE);
        for (var block = chain_known; block < end; block++) {
            let line = first + groups + block * groups + group;
            var costs = min(
                min(depth_costs(lines, line, 0u) + legs.x, depth_costs(lines, line, 1u) + legs.y),
                min(depth_costs(lines, line, 2u) + legs.z, depth_costs(lines, line, 3u) + legs.w),
            );
            let at = chain_first + 4u * block;
            if group > 0u {
                costs = min(costs, chain_costs(block));
            }
            scratch[at] = bitcast<u32>(costs.x);
            scratch[at + 1u] = bitcast<u32>(costs.y);
            scratch[at + 2u] = bitcast<u32>(costs.z);
            scratch[at + 3u] = bitcast<u32>(costs.w);
        }
    }
    chain_known = max(chain_known, end);
}

fn chain_costs(block: u32) -> vec4<f32> {
    let at = chain_first + 4u * block;
    return vec4(number(scratch[at]), number(scratch[at + 1u]), number(scratch[at + 2u]), number(scratch[at + 3u]));
}

fn least(costs: vec4<f32>) -> f32 {
    return min(min(costs.x, costs.y), min(costs.z, costs.w));
}

var<private> best_cost: f32;
var<private> best_exit: u32;
var<private> second_cost: f32;
var<private> is_tie: bool;

fn consider_exit(total: f32, lines: u32, line: u32, lane: u32) {
    if total < best_cost {
        second_cost = best_cost;
        best_cost = total;
        best_exit = exit_sample(lines, line, lane);
    } else {
        second_cost = min(second_cost, total);
    }
}

// Where the path leads, and the point to which costs are measured.
var<private> goal_polygon: u32;
var<private> goal_point: vec3<f32>;

// Returns the costs over the four exits of a group from a point of a polygon to the goal of the chain, without the sample `except`.
fn group_totals(polygon: u32, group: u32, point: vec3<f32>, depths: u32, except: u32) -> vec4<f32> {
    let groups = place_word(polygon, 2u);
    let first = place_word(polygon, 1u);
    let lines = params.starts_first;
    var to_goal = vec4(f32(FAR));
    for (var block = 0u; 4u * block < depths; block++) {
        // Depths of the last block that are not shared do not count.
        let shared_lanes = vec4<u32>(0u, 1u, 2u, 3u) + vec4(4u * block) < vec4(depths);
        let chain = select(vec4(f32(FAR)), chain_costs(block), shared_lanes);
        let line = first + groups + block * groups + group;
        to_goal = min(to_goal, vec4(
            least(depth_costs(lines, line, 0u) + chain),
            least(depth_costs(lines, line, 1u) + chain),
            least(depth_costs(lines, line, 2u) + chain),
            least(depth_costs(lines, line, 3u) + chain),
        ));
    }
    return to_goal + leg_costs(lines, first + group, point, cost_per_metre(polygon), except);
}

fn cost_per_metre(polygon: u32) -> f32 {
    return number(place_word(polygon, 4u));
}

// Finds the two best exits from a point of a polygon to the goal, other than the sample `except`.
fn scan_exits(polygon: u32, point: vec3<f32>, depths: u32, except: u32) {
    let groups = place_word(polygon, 2u);
    let first = place_word(polygon, 1u);
    best_cost = FAR;
    best_exit = NONE;
    second_cost = FAR;
    for (var group = 0u; group < groups; group++) {
        let totals = group_totals(polygon, group, point, depths, except);
        for (var lane = 0u; lane < 4u; lane++) {
            consider_exit(totals[lane], params.starts_first, first + group, lane);
        }
    }
}

// Returns the cost of the straight line from a point of a polygon to the goal; FAR if the goal is in another polygon.
fn straight_cost(polygon: u32, point: vec3<f32>) -> f32 {
    if polygon != goal_polygon {
        return FAR;
    }
    return distance(point, goal_point) * cost_per_metre(polygon);
}

// Makes the goal's chain known as far as a polygon needs it. Returns the number of depths that both share.
fn descend_for(polygon: u32) -> u32 {
    let depths = shared_depths(polygon, goal_polygon);
    descend(goal_polygon, goal_point, depths);
    return depths;
}

// Finds the best exit from a point of a polygon to the goal, other than the sample `except`. It is NONE if the path stays in the
// polygon.
fn find_best_exit(polygon: u32, point: vec3<f32>, except: u32) {
    let depths = descend_for(polygon);
    scan_exits(polygon, point, depths, except);
    let straight = straight_cost(polygon, point);
    is_tie = false;
    if straight <= best_cost {
        best_cost = straight;
        best_exit = NONE;
        return;
    }
    let limit = best_cost + best_cost * TIE;
    if best_cost < REACHABLE && min(second_cost, straight) <= limit {
        settle_tie(polygon, point, depths, except, straight, limit);
    }
}

// Settles a tie up to rounding. Usually the path only touches all but one of the exits, along a border or in a flat corner: the cheapest path over such
// an exit comes back into the polygon. So the exit is the only one from which a path that goes on beyond is cheap enough. If there
// are several, the tie remains.
fn settle_tie(polygon: u32, point: vec3<f32>, depths: u32, except: u32, straight: f32, limit: f32) {
    is_tie = true;
    // Costs to and from centres do not tell paths over an exit apart.
    if params.centres != NONE {
        return;
    }
    let least_cost = best_cost;
    let groups = place_word(polygon, 2u);
    let first = place_word(polygon, 1u);
    var candidates = select(0u, 1u, straight <= limit);
    var cost = straight;
    var crossed = NONE;
    for (var group = 0u; group < groups; group++) {
        let totals = group_totals(polygon, group, point, depths, except);
        for (var lane = 0u; lane < 4u; lane++) {
            if totals[lane] > limit {
                continue;
            }
            let sample = exit_sample(params.starts_first, first + group, lane);
            let leg = leg_cost(params.starts_first, first + group, lane, point, cost_per_metre(polygon), except);
            if leg + cost_beyond(polygon, sample) <= limit {
                candidates += 1u;
                cost = totals[lane];
                crossed = sample;
            }
        }
    }
    best_cost = least_cost;
    if candidates == 1u {
        is_tie = false;
        best_cost = cost;
        best_exit = crossed;
    }
}

// Returns the least cost to the goal from a sample of a polygon for paths that leave the polygon there.
fn cost_beyond(polygon: u32, sample: u32) -> f32 {
    let beyond = sample_side(sample, select(0u, 1u, sample_side(sample, 0u) == polygon));
    if beyond == NONE {
        // A link, which is always taken to be worth its cost.
        return 0.0;
    }
    let position = sample_position(sample);
    scan_exits(beyond, position, descend_for(beyond), sample);
    return min(best_cost, straight_cost(beyond, position));
}

fn use_chain(agent: u32) {
    chain_first = params.agents_start + agent * params.agent_scratch;
    chain_known = 0u;
}

// Finds the first exit of an agent.
fn find_first_exit(agent: u32, start_polygon: u32, start: vec3<f32>, to_polygon: u32, to: vec3<f32>) {
    use_chain(agent);
    goal_polygon = to_polygon;
    goal_point = to;
    find_best_exit(start_polygon, start, NONE);
}

@compute @workgroup_size(64)
fn first_portal(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let agent = invocation(id, groups);
    if agent >= params.agents {
        return;
    }
    let own = AGENT_WORDS * agent;
    find_first_exit(agent, agents[own], agent_point(own + 2u), agents[own + 1u], agent_point(own + 5u));
    let at = ANSWER_WORDS * agent;
    results[at] = select(NO_PATH, select(FOUND, UNDECIDED, is_tie), best_cost < REACHABLE);
    if !loops_work() {
        results[at] = UNDECIDED;
    }
    results[at + 1u] = bitcast<u32>(best_cost);
    results[at + 2u] = best_exit;
}
