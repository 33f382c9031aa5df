//! Traversal prices as TOML.

use portolan_terrain::{Distances, Price};
use serde::Deserialize;

use crate::ReadError;
use crate::text::read_toml;

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum DistancesName {
    Enlargement,
    Centroid,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct PriceFile {
    distances: DistancesName,
    up: f32,
    down: f32,
    sideways: f32,
    difficulty: f32,
    steepness: f32,
    difficulty_change: f32,
    angle: f32,
    concave: f32,
    convex: f32,
    steepness_change: f32,
    floor: f32,
}

impl Default for PriceFile {
    fn default() -> Self {
        let price = Price::default();
        Self {
            distances: match price.distances {
                Distances::Enlargement => DistancesName::Enlargement,
                Distances::Centroid => DistancesName::Centroid,
            },
            up: price.up,
            down: price.down,
            sideways: price.sideways,
            difficulty: price.difficulty,
            steepness: price.steepness,
            difficulty_change: price.difficulty_change,
            angle: price.angle,
            concave: price.concave,
            convex: price.convex,
            steepness_change: price.steepness_change,
            floor: price.floor,
        }
    }
}

/// Reads a price. Everything may be left out; then it is as in [`Price::default`].
///
/// ```
/// let cart = portolan_formats::read_price(br#"
/// distances = "enlargement"  # or "centroid"
/// up = 20                    # what a metre upwards counts
/// down = 8
/// sideways = 1
/// difficulty = 3             # how much difficult ground is shunned, and so on for
/// steepness = 1              # steep ground,
/// difficulty_change = 1      # changes of difficulty,
/// angle = 1                  # edges
/// concave = 1.05             # that bend down
/// convex = 0.95              # or up,
/// steepness_change = 1       # and changes of steepness
/// floor = 0.1                # the least that a crossing costs, as a share of the target's box
/// "#)?;
/// assert_eq!(cart.up, 20.0);
/// # Ok::<(), portolan_files::ReadError>(())
/// ```
pub fn read_price(bytes: &[u8]) -> Result<Price, ReadError> {
    let file: PriceFile = read_toml("a price", bytes)?;
    let price = Price {
        distances: match file.distances {
            DistancesName::Enlargement => Distances::Enlargement,
            DistancesName::Centroid => Distances::Centroid,
        },
        up: file.up,
        down: file.down,
        sideways: file.sideways,
        difficulty: file.difficulty,
        steepness: file.steepness,
        difficulty_change: file.difficulty_change,
        angle: file.angle,
        concave: file.concave,
        convex: file.convex,
        steepness_change: file.steepness_change,
        floor: file.floor,
    };
    price.check().map_err(|error| ReadError::NotThisFormat {
        format: "a price",
        reason: error.to_string(),
    })?;
    Ok(price)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_the_default() {
        assert_eq!(read_price(b"").unwrap(), Price::default());
    }

    #[test]
    fn every_key_is_read() {
        let text = "distances = \"centroid\"\nup = 2\ndown = 3\nsideways = 4\ndifficulty = 5\n\
                    steepness = 6\ndifficulty_change = 7\nangle = 8\nconcave = 9\nconvex = 10\n\
                    steepness_change = 11\nfloor = 0.5\n";
        let expected = Price {
            distances: Distances::Centroid,
            up: 2.0,
            down: 3.0,
            sideways: 4.0,
            difficulty: 5.0,
            steepness: 6.0,
            difficulty_change: 7.0,
            angle: 8.0,
            concave: 9.0,
            convex: 10.0,
            steepness_change: 11.0,
            floor: 0.5,
        };
        assert_eq!(read_price(text.as_bytes()).unwrap(), expected);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let message = |text: &str| read_price(text.as_bytes()).unwrap_err().to_string();
        let unknown = message("up = 3\nupwards = 4");
        assert!(
            unknown.starts_with("line 2: unknown field `upwards`"),
            "{unknown}"
        );
        assert!(unknown.contains("`steepness_change`"), "{unknown}");
        assert!(message("up = -1").contains("up is -1, but has to be 0 to 1e6"));
        assert!(message("floor = 0").contains("floor is 0"));
        assert!(message("down = nan").contains("down is NaN"));
        assert!(message("up = \"high\"").starts_with("line 1"));
        assert!(message("distances = \"near\"").contains("`enlargement` or `centroid`"));
        assert!(read_price(b"\xff").is_err());
    }
}
