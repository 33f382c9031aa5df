// Kernel 1: A* over the whole mesh, one invocation per agent.

@compute @workgroup_size(64)
fn astar_search(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let agent = invocation(id, groups);
    if agent >= params.agents || results[RESULT_WORDS * agent] < RUNNING {
        return;
    }
    let own = AGENT_WORDS * agent;
    let start_polygon = agents[own];
    let goal_polygon = agents[own + 1u];
    let start = agent_point(own + 2u);
    let goal = agent_point(own + 5u);
    let base = params.agents_start + agent * params.agent_scratch;
    let end = base + params.agent_scratch;
    use_scratch(base, params.label_slots, params.heap_slots);
    target_point = goal;
    let goal_factor = factor_of(goal_polygon);
    var best = f32(FAR);
    var last = NONE;
    if results[RESULT_WORDS * agent] == RUNNING {
        let state = resume_search(end);
        best = number(state.x);
        last = state.y;
    } else if goal_factor < REACHABLE {
        if start_polygon == goal_polygon {
            best = distance(start, goal) * goal_factor;
        }
        expand(start_polygon, start, 0.0, NONE);
    }
    loop {
        let vertex = next_vertex(best);
        if vertex == NONE {
            break;
        }
        let label = label_of(vertex);
        let cost = number(scratch[label + 1u]);
        let side = select(0u, 1u, (scratch[label + 2u] & SIDE) != 0u);
        let polygon = sample_side(vertex, side);
        if polygon == NONE {
            cross_link(vertex, cost, false);
            continue;
        }
        let position = sample_position(vertex);
        if polygon == goal_polygon {
            let total = cost + distance(position, goal) * goal_factor;
            if total < best {
                best = total;
                last = vertex;
            }
        }
        expand(polygon, position, cost, vertex);
    }
    if !is_done {
        save_search(end, best, last);
        set_result(agent, RUNNING, best, 0u, last);
        return;
    }
    var length = 0u;
    var at = last;
    while at != NONE && length <= params.samples_count {
        length += 1u;
        at = (scratch[label_of(at) + 2u] & PREDECESSOR) - 1u;
    }
    set_result(agent, select(NO_PATH, FOUND, best < REACHABLE), best, length, last);
}

@compute @workgroup_size(64)
fn astar_extract(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let agent = invocation(id, groups);
    if agent >= params.agents || paths[agent] == NONE {
        return;
    }
    use_scratch(params.agents_start + agent * params.agent_scratch, params.label_slots, params.heap_slots);
    let length = results[RESULT_WORDS * agent + 2u];
    var at = results[RESULT_WORDS * agent + 3u];
    for (var i = length; i > 0u; i--) {
        paths[paths[agent] + i - 1u] = at;
        at = (scratch[label_of(at) + 2u] & PREDECESSOR) - 1u;
    }
    if !loops_work() {
        paths[agent] = NONE;
    }
}
