//! A door that closes and a disc that is put on the ground, by every library's own way.
//!
//! All libraries start from the same navmesh. A change is *in effect* when the next query of the library answers with it. Every
//! change is checked by a path: before the change it leads through the place, with the change it does not, and afterwards it is as
//! long as before. What each library does is in [`contenders`].

mod contenders;
mod places;

use std::fmt::Write;
use std::time::Duration;

use glam::Vec3;
use portolan_core::{DEFAULT_SNAP, NavMesh, World, no_progress};
use portolan_index::{IndexOptions, build};
use portolan_measure::{Stopwatch, mean, median, micros};
use serde::Serialize;

use crate::peer::{PeerAnswer, PeerStatus};
pub(crate) use contenders::contenders;
pub(crate) use places::{ChangeKind, ChangedPlace, Obstruction, RADIUS};

/// The number of places per kind of change.
const PLACES: usize = 12;
/// The number of places to draw per place that is measured.
const CANDIDATES: usize = 8;
/// How often every change is made. The time of a place is the median.
const ROUNDS: usize = 5;
/// The relative difference by which a path may be longer than before, once a change is undone. Tiles that are built again can
/// list polygons in another order, which decides between paths that cost the same, and Portolan's shortcuts cost sums until the
/// world is settled.
const SAME: f64 = 0.05;

/// A library that changes its ground.
pub(crate) trait Contender {
    /// The library, and its way to change the ground.
    fn name(&self) -> &str;

    /// Returns whether the library supports this kind of change. If not, there is no row.
    fn supports(&self, kind: ChangeKind) -> bool;

    /// Forgets what earlier changes have left behind, outside of the time.
    fn reset(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// Puts an obstruction on the ground. Returns the time until it is in effect.
    fn place(&mut self, place: &ChangedPlace) -> Result<Duration, String>;

    /// Removes the last obstruction. Returns the time until the ground is as before.
    fn remove(&mut self) -> Result<Duration, String>;

    fn query(&mut self, ends: [Vec3; 2], answer: &mut PeerAnswer);

    /// Returns the number of tiles that the last change built again, if there are any.
    fn rebuilt(&self) -> Option<usize> {
        None
    }
}

/// The times of one library for one kind of change. [Units: µs]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ChangeRow {
    pub(crate) kind: &'static str,
    pub(crate) library: String,
    pub(crate) place_us: f64,
    pub(crate) place_max_us: f64,
    pub(crate) remove_us: f64,
    /// The first query with the change in effect.
    pub(crate) query_us: f64,
    /// The mean number of tiles that were built again, if the library has tiles.
    pub(crate) tiles: Option<f64>,
    /// The number of places where the path ended with the change in effect.
    pub(crate) no_path: usize,
}

/// The results on one map.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ChangeFigures {
    pub(crate) map: String,
    pub(crate) polygons: usize,
    /// The number of places per kind of change, in the order of [`ChangeKind::ALL`].
    pub(crate) places: [usize; 2],
    pub(crate) rows: Vec<ChangeRow>,
    pub(crate) notes: Vec<String>,
    pub(crate) faults: Vec<String>,
}

/// Measures all libraries on a navmesh.
pub(crate) fn measure(map: &str, mesh: &NavMesh, seed: u64) -> Result<ChangeFigures, String> {
    let world = build(mesh.clone(), &IndexOptions::default(), &no_progress);
    let world = world.map_err(|error| error.to_string())?;
    let mut figures = ChangeFigures {
        map: map.to_owned(),
        polygons: mesh.polygon_count(),
        places: [0; 2],
        rows: Vec::new(),
        notes: Vec::new(),
        faults: Vec::new(),
    };
    let mut all = contenders(&world, DEFAULT_SNAP, &mut figures.notes);
    for (kind, places) in ChangeKind::ALL.into_iter().zip(0..) {
        let mut selected: Vec<&mut Box<dyn Contender>> =
            all.iter_mut().filter(|one| one.supports(kind)).collect();
        let (mut agreed, mut others) = (Vec::new(), 0);
        for place in places::draw(&world, kind, CANDIDATES * PLACES, seed) {
            match is_crossed_by_all(&place, &world, &mut selected) {
                true => agreed.push(place),
                false => others += 1,
            }
            if agreed.len() == PLACES {
                break;
            }
        }
        figures.places[places] = agreed.len();
        if others > 0 {
            figures.notes.push(format!(
                "{others} other places of kind {} are left out, because a library leads around them before the change",
                kind.name()
            ));
        }
        if agreed.is_empty() {
            figures
                .notes
                .push(format!("no place of kind {}", kind.name()));
            continue;
        }
        let mut samples: Vec<Samples> = selected.iter().map(|_| Samples::default()).collect();
        for _ in 0..ROUNDS {
            for (i, place) in agreed.iter().enumerate() {
                // Libraries alternate, so that a disturbance does not hit only one of them.
                for (one, samples) in selected.iter_mut().zip(&mut samples) {
                    if let Err(fault) = samples.add(i, place, world.mesh(), one.as_mut()) {
                        let fault = format!("{}, {} {i}: {fault}", one.name(), kind.name());
                        if !figures.faults.contains(&fault) {
                            figures.faults.push(fault);
                        }
                    }
                }
            }
        }
        let rows = selected.iter().zip(&samples);
        let rows = rows.filter_map(|(one, samples)| samples.row(kind, one.name()));
        figures.rows.extend(rows);
    }
    Ok(figures)
}

/// Returns whether the paths of all libraries lead through a place before it changes.
fn is_crossed_by_all(
    place: &ChangedPlace,
    world: &World,
    contenders: &mut [&mut Box<dyn Contender>],
) -> bool {
    let mut answer = PeerAnswer::default();
    contenders.iter_mut().all(|one| {
        one.query(place.ends, &mut answer);
        answer.status == PeerStatus::Found && place.is_crossed(world.mesh(), &answer.waypoints)
    })
}

/// The times of one library, per place and round.
#[derive(Debug, Default)]
struct Samples {
    place: Vec<Vec<f64>>,
    remove: Vec<Vec<f64>>,
    query: Vec<Vec<f64>>,
    tiles: Vec<f64>,
    /// Per place, whether the path ended with the change in effect.
    has_no_path: Vec<bool>,
}

impl Samples {
    /// Makes one change and undoes it. Returns what is wrong, if anything.
    fn add(
        &mut self,
        index: usize,
        place: &ChangedPlace,
        mesh: &NavMesh,
        contender: &mut dyn Contender,
    ) -> Result<(), String> {
        if self.place.len() <= index {
            for list in [&mut self.place, &mut self.remove, &mut self.query] {
                list.resize(index + 1, Vec::new());
            }
            self.has_no_path.resize(index + 1, false);
        }
        let mut answer = PeerAnswer::default();
        contender.reset()?;
        contender.query(place.ends, &mut answer);
        let before = answer.length_xz();
        if answer.status != PeerStatus::Found || !place.is_crossed(mesh, &answer.waypoints) {
            return Err("the path before the change does not lead through the place".to_owned());
        }

        let placed = contender.place(place)?;
        self.tiles
            .extend(contender.rebuilt().map(|tiles| tiles as f64));
        let mut watch = Stopwatch::start();
        contender.query(place.ends, &mut answer);
        let own = answer
            .own_clocks
            .map(|clocks| Duration::from_nanos(clocks.wall));
        let asked = own.unwrap_or(watch.lap());
        let found = answer.status == PeerStatus::Found;
        let is_avoided = !found || place.is_avoided(mesh, &answer.waypoints);
        let removed = contender.remove()?;
        if !is_avoided {
            return Err(format!(
                "the path of {:.2} m leads through the change that is in effect",
                answer.length_xz()
            ));
        }
        contender.query(place.ends, &mut answer);
        let after = answer.length_xz();
        if answer.status != PeerStatus::Found || (after / before - 1.0).abs() > SAME {
            return Err(format!(
                "the path was {before:.2} m long before the change, and {after:.2} m after it was undone ({:?})",
                answer.status
            ));
        }
        self.place[index].push(micros(placed));
        self.remove[index].push(micros(removed));
        self.query[index].push(micros(asked));
        self.has_no_path[index] = !found;
        Ok(())
    }

    fn row(&self, kind: ChangeKind, library: &str) -> Option<ChangeRow> {
        let medians = |rounds: &[Vec<f64>]| -> Vec<f64> {
            let measured = rounds.iter().filter(|rounds| !rounds.is_empty());
            measured
                .map(|rounds| median(rounds.iter().copied()))
                .collect()
        };
        let place = medians(&self.place);
        if place.is_empty() {
            return None;
        }
        Some(ChangeRow {
            kind: kind.name(),
            library: library.to_owned(),
            place_us: mean(place.iter().copied()),
            place_max_us: place.into_iter().fold(0.0, f64::max),
            remove_us: mean(medians(&self.remove)),
            query_us: mean(medians(&self.query)),
            tiles: (!self.tiles.is_empty()).then(|| mean(self.tiles.iter().copied())),
            no_path: self
                .has_no_path
                .iter()
                .filter(|&&has_none| has_none)
                .count(),
        })
    }
}

impl ChangeFigures {
    /// Returns the table of a map, followed by notes and faults.
    pub(crate) fn table(&self) -> String {
        let [doors, discs] = self.places;
        let mut text = format!(
            "\n{}: {} polygons, {doors} doors and {discs} discs of {RADIUS} m, median of {ROUNDS} rounds, µs\n\
             {:<5} {:<38} {:>10} {:>8} {:>10} {:>10} {:>8} {:>6} {:>8}\n",
            self.map,
            self.polygons,
            "kind",
            "library and its way",
            "in effect",
            "x first",
            "at most",
            "removed",
            "query",
            "tiles",
            "no path",
        );
        for row in &self.rows {
            let first = self.rows.iter().find(|first| first.kind == row.kind);
            let ratio = first.map_or(1.0, |first| row.place_us / first.place_us);
            let tiles = row
                .tiles
                .map_or("-".to_owned(), |tiles| format!("{tiles:.1}"));
            let _ = writeln!(
                text,
                "{:<5} {:<38} {:>10.2} {ratio:>8.3} {:>10.1} {:>10.2} {:>8.1} {tiles:>6} {:>8}",
                row.kind,
                row.library,
                row.place_us,
                row.place_max_us,
                row.remove_us,
                row.query_us,
                row.no_path
            );
        }
        for note in &self.notes {
            let _ = writeln!(text, "note: {note}");
        }
        for fault in &self.faults {
            let _ = writeln!(text, "FAULT: {fault}");
        }
        text
    }
}

#[cfg(test)]
#[path = "changes_test.rs"]
mod tests;
