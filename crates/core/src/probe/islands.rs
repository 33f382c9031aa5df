//! What is reachable from where, for one profile.
//!
//! Open polygons that portals connect are an island. Links lead from island to island, perhaps in one direction
//! only. Islands that links connect in both directions, perhaps by way of others, are a group: a strongly
//! connected component. So every polygon of a group is reachable from every other. Between groups, links lead
//! in one direction only. For each group there is a set of the groups that are reachable from it.

use super::Probe;
use crate::csr::Csr;
use crate::ids::PolygonId;
use crate::navmesh::NavMesh;
use crate::profile::Prices;
use crate::union_find::UnionFind;

/// The group of a closed polygon.
const CLOSED: u32 = u32::MAX;

/// The largest number of groups with links to others for which sets are stored. They take 2 MiB at most.
const MAX_SETS: usize = 4096;

/// The size of the ground that is reachable from a location, for one profile.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reachable {
    /// The number of polygons.
    pub polygons: u32,
    /// Their size in (x, z). [Units: m²]
    pub area: f64,
}

/// The groups of one profile.
#[derive(Debug)]
pub(crate) struct Islands {
    /// Per polygon, its group. `None` if the groups are the components of the mesh.
    groups: Option<Vec<u32>>,
    /// Per group, its own size.
    sizes: Vec<Reachable>,
    /// How groups reach others. The groups that have links to others come first.
    links: GroupLinks,
}

/// How groups reach one another.
#[derive(Debug)]
enum GroupLinks {
    /// Per group with links, one bit for each of these groups that it reaches, itself included.
    Sets { words: usize, bits: Vec<u64> },
    /// Per group with links, the groups that its links lead to, all of which have a lower number.
    Lists(Csr<u32>),
}

impl Islands {
    /// Computes the groups, in time that is in proportion to the mesh.
    pub(crate) fn new(mesh: &NavMesh, prices: &Prices) -> Self {
        let mut arcs = Vec::new();
        let mut is_symmetric = true;
        for link in mesh.links() {
            match prices.link_cost(mesh, link) {
                Some(_) => {
                    let [from, to] = link.polygons.map(|polygon| polygon.0);
                    arcs.push([from, to]);
                    if link.both_ways {
                        arcs.push([to, from]);
                    }
                    is_symmetric &= link.both_ways;
                }
                None => is_symmetric = false,
            }
        }
        let is_plain = prices.uniform().is_some() && !prices.has_closed() && !mesh.has_obstacles();
        let (groups, links) = if is_symmetric && is_plain {
            // The components of the mesh ignore directions and profiles, which do not matter here.
            (None, GroupLinks::none())
        } else {
            let (groups, links) = find_groups(mesh, prices, arcs);
            (Some(groups), links)
        };
        let labels = groups.as_deref().unwrap_or(mesh.components().labels());
        let open = || labels.iter().filter(|&&group| group != CLOSED);
        let count = open().max().map_or(0, |&last| last as usize + 1);
        let mut sizes = vec![Reachable::default(); count];
        for polygon in mesh.walkable() {
            let group = labels[polygon.index()];
            if let Some(size) = sizes.get_mut(group as usize) {
                size.polygons += 1;
                size.area += mesh.polygon_area(polygon);
            }
        }
        Self {
            groups,
            sizes,
            links,
        }
    }

    /// Returns the group of a polygon; `None` if it is closed.
    #[inline]
    pub(super) fn group(&self, mesh: &NavMesh, polygon: PolygonId) -> Option<u32> {
        let group = match &self.groups {
            Some(groups) => groups[polygon.index()],
            None => mesh.components().of(polygon),
        };
        (group != CLOSED).then_some(group)
    }

    /// Returns the number of groups.
    pub(super) fn group_count(&self) -> usize {
        self.sizes.len()
    }

    /// Returns whether a group is reachable from another.
    #[inline]
    pub(super) fn reaches(&self, from: u32, to: u32) -> bool {
        from == to
            || match &self.links {
                GroupLinks::Sets { words, bits } => {
                    let row = from as usize * words;
                    // Groups without links have no bits.
                    let has_bits = row + words <= bits.len() && (to as usize) < 64 * words;
                    has_bits && bits[row + to as usize / 64] >> (to % 64) & 1 == 1
                }
                GroupLinks::Lists(lists) => {
                    let mut is_found = false;
                    search(lists, from, |group| is_found |= group == to);
                    is_found
                }
            }
    }

    /// Calls `visit` with each group that is reachable from a group, and its own size.
    pub(super) fn for_each_reached(&self, from: u32, mut visit: impl FnMut(u32, Reachable)) {
        match &self.links {
            GroupLinks::Sets { words, bits } if from as usize * words < bits.len() => {
                let row = &bits[from as usize * words..][..*words];
                for (word, &set) in row.iter().enumerate() {
                    let mut set = set;
                    while set != 0 {
                        let group = (64 * word) as u32 + set.trailing_zeros();
                        visit(group, self.sizes[group as usize]);
                        set &= set - 1;
                    }
                }
            }
            GroupLinks::Lists(lists) if (from as usize) < lists.len() => {
                search(lists, from, |group| {
                    visit(group, self.sizes[group as usize])
                });
            }
            _ => visit(from, self.sizes[from as usize]),
        }
    }
}

impl GroupLinks {
    fn none() -> Self {
        Self::Sets {
            words: 0,
            bits: Vec::new(),
        }
    }
}

/// Calls `visit` with each group that a search over links reaches.
fn search(lists: &Csr<u32>, from: u32, mut visit: impl FnMut(u32)) {
    if from as usize >= lists.len() {
        return;
    }
    let mut is_reached = vec![false; from as usize + 1];
    let mut open = vec![from];
    is_reached[from as usize] = true;
    while let Some(group) = open.pop() {
        visit(group);
        for &next in lists.get(group as usize) {
            if !is_reached[next as usize] {
                is_reached[next as usize] = true;
                open.push(next);
            }
        }
    }
}

/// Returns the group of each polygon, and how groups reach one another. `arcs` are pairs of polygons that links
/// lead from and to.
fn find_groups(mesh: &NavMesh, prices: &Prices, arcs: Vec<[u32; 2]>) -> (Vec<u32>, GroupLinks) {
    let count = mesh.polygon_slots();
    let mut islands = UnionFind::new(count);
    for portal in mesh.walkable_portals() {
        if portal.polygons.iter().all(|&p| prices.allows(mesh, p)) {
            let [a, b] = portal.polygons;
            islands.join(a.0, b.0);
        }
    }
    // Islands with links to others are numbered first, and only these take part in what follows.
    const NEW: u32 = u32::MAX;
    let mut numbers = vec![NEW; count];
    let mut linked = 0;
    let mut island_arcs = Vec::new();
    for polygons in arcs {
        let roots = polygons.map(|polygon| islands.root(polygon));
        if roots[0] == roots[1] {
            continue;
        }
        let [from, to] = roots.map(|root| {
            let number = &mut numbers[root as usize];
            if *number == NEW {
                *number = linked;
                linked += 1;
            }
            *number
        });
        island_arcs.push((from, to));
    }
    island_arcs.sort_unstable();
    island_arcs.dedup();
    let successors = Csr::group(linked as usize, &island_arcs);
    let (group_of, group_count) = strongly_connected(&successors);
    let mut group_arcs: Vec<(u32, u32)> = island_arcs
        .iter()
        .map(|&(from, to)| (group_of[from as usize], group_of[to as usize]))
        .filter(|(from, to)| from != to)
        .collect();
    group_arcs.sort_unstable();
    group_arcs.dedup();
    let lists = Csr::group(group_count as usize, &group_arcs);

    let mut next = group_count;
    let mut groups = vec![CLOSED; count];
    for polygon in mesh.walkable().filter(|&p| prices.allows(mesh, p)) {
        let number = &mut numbers[islands.root(polygon.0) as usize];
        // The number of an island without links is its group. It is at least the number of linked islands, so
        // it cannot be taken for the number of one of these.
        if *number == NEW {
            *number = linked + (next - group_count);
            next += 1;
        }
        groups[polygon.index()] = match group_of.get(*number as usize) {
            Some(&group) => group,
            None => *number - linked + group_count,
        };
    }
    (groups, closure(lists))
}

/// Computes the sets of reachable groups, unless they would take too much memory.
fn closure(lists: Csr<u32>) -> GroupLinks {
    let count = lists.len();
    if count > MAX_SETS {
        return GroupLinks::Lists(lists);
    }
    let words = count.div_ceil(64);
    let mut bits = vec![0u64; count * words];
    // Links lead to groups with lower numbers, whose sets are complete.
    for group in 0..count {
        let (before, row) = bits.split_at_mut(group * words);
        row[group / 64] |= 1 << (group % 64);
        for &next in lists.get(group) {
            let other = &before[next as usize * words..][..words];
            row.iter_mut()
                .zip(other)
                .for_each(|(row, other)| *row |= other);
        }
    }
    GroupLinks::Sets { words, bits }
}

/// Returns the strongly connected component of each vertex of a graph, and their number. An arc leads to the same
/// component or to one with a lower number. This is the algorithm of Tarjan, "Depth-first search and linear graph
/// algorithms", 1972, without recursion.
fn strongly_connected(successors: &Csr<u32>) -> (Vec<u32>, u32) {
    const NEW: u32 = u32::MAX;
    let count = successors.len();
    let (mut component, mut components) = (vec![NEW; count], 0);
    let (mut order, mut next_order) = (vec![NEW; count], 0);
    // The earliest vertex, by order, that is known to be reachable and whose component is open.
    let mut low = vec![0; count];
    let mut open = Vec::new();
    // The vertices that are being searched, with the number of successors that have been looked at.
    let mut path: Vec<(u32, usize)> = Vec::new();
    for start in 0..count as u32 {
        if order[start as usize] == NEW {
            path.push((start, 0));
        }
        while let Some((vertex, looked_at)) = path.last_mut() {
            let v = *vertex as usize;
            if *looked_at == 0 {
                (order[v], low[v]) = (next_order, next_order);
                next_order += 1;
                open.push(*vertex);
            }
            if let Some(&next) = successors.get(v).get(*looked_at) {
                *looked_at += 1;
                let n = next as usize;
                if order[n] == NEW {
                    path.push((next, 0));
                } else if component[n] == NEW {
                    low[v] = low[v].min(order[n]);
                }
                continue;
            }
            if low[v] == order[v] {
                while let Some(member) = open.pop() {
                    component[member as usize] = components;
                    if member as usize == v {
                        break;
                    }
                }
                components += 1;
            }
            path.pop();
            if let Some(&(before, _)) = path.last() {
                let before = before as usize;
                low[before] = low[before].min(low[v]);
            }
        }
    }
    (component, components)
}

impl Probe<'_> {
    /// Returns whether the agent can get from one location to another, over portals and links. It is `false` if the
    /// polygon of either is closed.
    ///
    /// This takes constant time. What it needs is computed once per [`Costs`](crate::Costs), in time that is in
    /// proportion to the mesh, when something reachable is first asked for. Only if one-way links divide the
    /// mesh into more than 4096 parts, it searches the graph of these parts, and allocates memory for that.
    pub fn is_reachable(&self, from: crate::Location, to: crate::Location) -> bool {
        self.can_reach(from.polygon, to.polygon)
    }

    /// Returns the size of the ground that is reachable from a location, over portals and links. It is 0 if the
    /// polygon of the location is closed.
    pub fn reachable(&self, from: crate::Location) -> Reachable {
        let mut all = Reachable::default();
        let islands = self.islands();
        if let Some(group) = islands.group(self.mesh, from.polygon) {
            islands.for_each_reached(group, |_, size| {
                all.polygons += size.polygons;
                all.area += size.area;
            });
        }
        all
    }

    /// Finds the point nearest to a position, as [`nearest_within`](Self::nearest_within) does, among those that are
    /// reachable from a location.
    pub fn nearest_reachable(
        &self,
        from: crate::Location,
        position: glam::Vec3,
        radius: f32,
    ) -> Option<crate::Location> {
        let islands = self.islands();
        let group = islands.group(self.mesh, from.polygon)?;
        self.nearest_within(position, radius, |polygon| {
            let other = islands.group(self.mesh, polygon);
            other.is_some_and(|other| islands.reaches(group, other))
        })
    }

    fn can_reach(&self, from: PolygonId, to: PolygonId) -> bool {
        let islands = self.islands();
        let groups = [from, to].map(|polygon| islands.group(self.mesh, polygon));
        matches!(groups, [Some(from), Some(to)] if islands.reaches(from, to))
    }

    pub(super) fn islands(&self) -> &Islands {
        self.costs.cache().islands(self.mesh, self.prices())
    }
}
