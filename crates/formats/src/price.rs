//! The parameters of traversal prices as TOML.

use std::fmt;

use portolan_terrain::{Distances, Price, PriceParameter};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

use crate::ReadError;
use crate::text::read_toml;

/// The one key that is not a [`PriceParameter`].
const DISTANCES: &str = "distances";

/// All keys of the file.
const KEYS: [&str; Price::PARAMETERS.len() + 1] = {
    let mut keys = [DISTANCES; Price::PARAMETERS.len() + 1];
    let mut index = 0;
    while index < Price::PARAMETERS.len() {
        keys[index + 1] = Price::PARAMETERS[index].name;
        index += 1;
    }
    keys
};

/// The names of [`Distances`].
const DISTANCE_NAMES: [&str; Distances::ALL.len()] = {
    let mut names = [""; Distances::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = Distances::ALL[index].name();
        index += 1;
    }
    names
};

/// A price as a TOML table with any of [`KEYS`].
struct PriceFile(Price);

/// A key of the table.
enum PriceKey {
    Distances,
    Number(PriceParameter),
}

struct DistancesName(Distances);

impl<'de> Deserialize<'de> for PriceFile {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        struct PriceVisitor;
        impl<'de> Visitor<'de> for PriceVisitor {
            type Value = PriceFile;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the parameters of a price")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<PriceFile, A::Error> {
                let mut price = Price::default();
                while let Some(key) = table.next_key()? {
                    match key {
                        PriceKey::Distances => {
                            let DistancesName(distances) = table.next_value()?;
                            price.distances = distances;
                        }
                        PriceKey::Number(parameter) => {
                            parameter.set(&mut price, table.next_value()?)
                        }
                    }
                }
                Ok(PriceFile(price))
            }
        }
        source.deserialize_map(PriceVisitor)
    }
}

impl<'de> Deserialize<'de> for PriceKey {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        let key = String::deserialize(source)?;
        if key == DISTANCES {
            return Ok(Self::Distances);
        }
        let mut parameters = Price::PARAMETERS.into_iter();
        let parameter = parameters.find(|parameter| parameter.name == key);
        let parameter = parameter.ok_or_else(|| D::Error::unknown_field(&key, &KEYS))?;
        Ok(Self::Number(parameter))
    }
}

impl<'de> Deserialize<'de> for DistancesName {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        let name = String::deserialize(source)?;
        let distances = Distances::ALL.into_iter().find(|d| d.name() == name);
        let distances = distances.ok_or_else(|| D::Error::unknown_variant(&name, &DISTANCE_NAMES));
        distances.map(Self)
    }
}

/// Reads the parameters of a traversal price from TOML. Every key is optional; the default is
/// [`Price::default`].
///
/// ```
/// let cart = portolan_formats::read_price(br#"
/// distances = "enlargement"  # "centroid", "simple-enlargement", "tobler", "naismith" or "minetti"
/// up = 20                    # weight of a metre upwards
/// down = 8                   # weight of a metre downwards
/// sideways = 1               # weight of a horizontal metre
/// difficulty = 3             # weight of difficult ground
/// steepness = 1              # weight of steep ground
/// difficulty_change = 1      # weight of a change of difficulty
/// angle = 1                  # weight of the angle between two triangles
/// concave = 1.05             # factor of the angle where the path bends down
/// convex = 0.95              # factor of the angle where the path bends up
/// steepness_change = 1       # weight of a change of steepness
/// floor = 0.1                # minimum base price of a crossing: fraction of the target's diagonal
/// y_factor = 1               # factor of distances along y
/// max_up = 0.4               # slope limit upwards: rise divided by run
/// max_down = 0.5             # slope limit downwards
/// "#)?;
/// assert_eq!(cart.up, 20.0);
/// # Ok::<(), portolan_files::ReadError>(())
/// ```
pub fn read_price(bytes: &[u8]) -> Result<Price, ReadError> {
    let PriceFile(price) = read_toml("a price", bytes)?;
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
    fn an_empty_file_is_the_default_price() {
        assert_eq!(read_price(b"").unwrap(), Price::default());
    }

    #[test]
    fn every_key_is_read() {
        let text = "distances = \"centroid\"\nup = 2\ndown = 3\nsideways = 4\ndifficulty = 5\n\
                    steepness = 6\ndifficulty_change = 7\nangle = 8\nconcave = 9\nconvex = 10\n\
                    steepness_change = 11\nfloor = 0.5\ny_factor = 12\nmax_up = 13\nmax_down = 14\n";
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
            y_factor: 12.0,
            max_up: 13.0,
            max_down: 14.0,
        };
        assert_eq!(read_price(text.as_bytes()).unwrap(), expected);
    }

    #[test]
    fn errors_name_the_problem() {
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
        assert!(message("distances = \"near\"").contains("`enlargement`, `centroid`, "));
        assert!(read_price(b"\xff").is_err());
    }
}
