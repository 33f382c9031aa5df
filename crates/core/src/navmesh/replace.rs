//! Makes the mesh that results when polygons are replaced. Polygons and links that stay keep their ids, and new ones are
//! numbered after all others.

use super::height_range::height_ranges;
use super::surface_web::SurfaceWebs;
use super::tree::BoxTree;
use super::{CheckedReplacement, Components, Conditions, Heights, NavMesh, Portal, links, portals};
use crate::array::Array;
use crate::csr::{Csr, Lists};
use crate::geometry::Aabb;
use crate::ids::{LinkId, PolygonId};

impl NavMesh {
    /// Returns the mesh after a replacement that was checked against this one, and per link of it its id, if it has
    /// one. All changes of the ground are left out, except that polygons which are gone are closed.
    pub(crate) fn replaced(
        &self,
        replacement: &CheckedReplacement,
        topology: u64,
    ) -> (Self, Vec<Option<LinkId>>) {
        let CheckedReplacement {
            new,
            raw_index,
            raw,
            ..
        } = replacement;
        let mut gone = self.gone.clone();
        gone.extend(&replacement.gone, &replacement.gone_links);
        gone.topology = topology;
        let is_gone = |polygon: PolygonId| gone.polygons.get(polygon.index());

        // 1. Polygons.
        let vertices: Array<_> = chained(&self.vertices, replacement.vertices.iter().copied());
        let mut polygons = self.polygons.to_csr();
        polygons.append(new.polygons.clone());
        let polygons: Lists<u32> = polygons.into();
        let count = polygons.len();
        let heights = self.heights_after(replacement, is_gone);
        let next_user_id = self
            .user_ids
            .iter()
            .max()
            .map_or(0, |id| id.wrapping_add(1));
        let raw_at = |i: &u32| *i as usize;
        let areas = raw_index.iter().map(|i| raw.areas.get(raw_at(i)).copied());
        let flags = raw_index.iter().map(|i| raw.flags.get(raw_at(i)).copied());
        let user_ids = raw_index.iter().map(|i| {
            let own = raw.ids.get(raw_at(i)).copied();
            own.unwrap_or(next_user_id.wrapping_add(u64::from(*i)))
        });

        // 2. Portals: those between polygons that stay, and the new ones.
        let stays = |portal: &&Portal| !portal.polygons.into_iter().any(is_gone);
        let mut all_portals: Vec<Portal> = self.portals.iter().filter(stays).copied().collect();
        all_portals.extend_from_slice(&replacement.portals);
        portals::sort(&mut all_portals);

        // 3. The tree of everything that is left.
        let present: Vec<u32> = (0..count as u32)
            .filter(|&polygon| !is_gone(PolygonId(polygon)))
            .collect();
        let boxes: Vec<Aabb> = present
            .iter()
            .map(|&polygon| {
                let corners = polygons.get(polygon as usize).iter();
                let points = corners.map(|&vertex| vertices[vertex as usize]);
                Aabb::around(points.chain(heights.points(polygon as usize).iter().copied()))
            })
            .collect();
        let (tree, order) = BoxTree::build(&boxes);
        let ids: Vec<u32> = order.iter().map(|&i| present[i as usize]).collect();

        let mut conditions = Conditions::default();
        conditions.close_gone(&gone, topology);
        let mut mesh = Self {
            areas: chained(&self.areas, areas.map(Option::unwrap_or_default)),
            flags: chained(&self.flags, flags.map(|flags| flags.unwrap_or(1))),
            user_ids: self.user_ids.iter().chain(user_ids).collect(),
            height_ranges: height_ranges(&vertices, &polygons, &heights, &all_portals),
            surface_webs: SurfaceWebs::new(&vertices, &polygons, &heights),
            heights,
            portals_of: portals::portals_of(count, &all_portals),
            portals: all_portals.into(),
            vertices,
            polygons,
            links: self.links.clone(),
            components: Components::default(),
            tree: tree.renumbered(&ids),
            repairs: self.repairs.plus(replacement.repairs),
            conditions,
            cuts: None,
            gone,
        };

        // 4. Links, of which those that are gone keep their ids, too.
        let new_ids = replacement.new_ids();
        let attached: Vec<_> = raw
            .links
            .iter()
            .map(|link| links::attach(&mesh, link, |polygon| new_ids[polygon as usize]))
            .collect();
        let mut next_link = self.links.len();
        let link_ids = attached.iter().map(|link| {
            link.as_ref().map(|_| {
                next_link += 1;
                LinkId::new(next_link - 1)
            })
        });
        let link_ids: Vec<Option<LinkId>> = link_ids.collect();
        mesh.repairs.links_off_mesh += attached.iter().filter(|link| link.is_none()).count() as u32;
        // Obstacles may have moved the ends of links to pieces of polygons.
        let mut all_links = self.links.to_vec();
        for link in &mut all_links {
            link.polygons = link.polygons.map(|end| self.whole(end));
        }
        all_links.extend(attached.into_iter().flatten());
        for (index, link) in all_links.iter_mut().enumerate() {
            if mesh.gone.links.get(index) {
                link.cost = f32::INFINITY;
            }
        }

        // 5. Components.
        let present_links: Vec<_> = (0..all_links.len())
            .filter(|&index| !mesh.gone.links.get(index))
            .map(|index| all_links[index])
            .collect();
        mesh.components = Components::of_present(count, &mesh.portals, &present_links, |polygon| {
            !mesh.is_gone(polygon)
        });
        mesh.links = all_links.into();
        (mesh, link_ids)
    }

    /// Returns the finer surfaces after a replacement. Polygons that are gone have none.
    fn heights_after(
        &self,
        replacement: &CheckedReplacement,
        is_gone: impl Fn(PolygonId) -> bool,
    ) -> Heights {
        let added = &replacement.heights;
        if self.heights.triangles.is_empty() && added.triangles.is_empty() {
            return Heights::default();
        }
        let (mut points, mut triangles) = (Csr::new(), Csr::new());
        for polygon in self.polygons() {
            let is_finer = !self.heights.triangles.is_empty() && !is_gone(polygon);
            let [of_points, of_triangles] = [is_finer; 2];
            points.push(
                of_points
                    .then(|| self.heights.points(polygon.index()))
                    .into_iter()
                    .flatten()
                    .copied(),
            );
            triangles.push(
                of_triangles
                    .then(|| self.heights.triangles.get(polygon.index()))
                    .into_iter()
                    .flatten()
                    .copied(),
            );
        }
        for i in 0..replacement.new.polygons.len() {
            points.push(added.points(i).iter().copied());
            let own = (!added.triangles.is_empty()).then(|| added.triangles.get(i));
            triangles.push(own.into_iter().flatten().copied());
        }
        Heights {
            vertices: points.into(),
            triangles: triangles.into(),
        }
    }

    /// Returns this mesh with the ground that another one has at present, without its obstacles: the one that it was [made
    /// from](Self::replaced), or a later version of it. `link_cost` returns the cost of a link, which is infinite if the link
    /// is closed. `version` is that of the world to which the replacement leads.
    pub(crate) fn with_ground_of(
        &self,
        before: &Self,
        link_cost: impl Fn(LinkId) -> f32,
        version: u64,
    ) -> Self {
        let polygons = before.polygon_count();
        let mut mesh = self.clone();
        mesh.areas = chained(&before.areas, self.areas[polygons..].iter().copied());
        mesh.flags = chained(&before.flags, self.flags[polygons..].iter().copied());
        let known = before.links.len();
        let links = self.links.iter().enumerate().map(|(index, link)| {
            let mut link = *link;
            if index < known && !self.gone.links.get(index) {
                link.cost = link_cost(LinkId::new(index));
            }
            link
        });
        mesh.links = links.collect();
        mesh.conditions = before.conditions.clone();
        mesh.conditions
            .close_newly_gone(&self.gone, &before.gone, version);
        mesh.conditions
            .note(polygons..self.polygon_count(), version);
        mesh.gone.topology = version;
        mesh
    }
}

/// Returns an array with elements added at its end.
fn chained<T: Copy + Send + Sync>(first: &[T], then: impl Iterator<Item = T>) -> Array<T> {
    first.iter().copied().chain(then).collect()
}
