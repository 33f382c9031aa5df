//! Portolan and others, side by side: the same navmesh, the same queries, the same run.

mod detour;
mod peer;
mod recast;

fn main() {
    let _ = (detour::peers, recast::bake);
}
