//! The front door: from a level file to a path, as the README shows it.

mod examples;
mod front_door;
