//! The keys of a GeoTIFF that say which coordinate system it uses (OGC 19-008r4, "OGC GeoTIFF Standard").

use portolan_terrain::Crs;

/// What the keys of a file say.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct GeoKeys {
    /// The system; `None` if it is unknown, which is right for metric systems that are not supported.
    pub(super) crs: Option<Crs>,
    /// Whether a position is that of a sample, not of the corner of its cell.
    pub(super) is_point: bool,
}

const MODEL_TYPE: u16 = 1024;
const RASTER_TYPE: u16 = 1025;
const GEOGRAPHIC_CODE: u16 = 2048;
const ANGULAR_UNIT: u16 = 2054;
const PROJECTED_CODE: u16 = 3072;
const LINEAR_UNIT: u16 = 3076;
const VERTICAL_UNIT: u16 = 4099;

const GEOGRAPHIC_MODEL: u16 = 2;
const GEOCENTRIC_MODEL: u16 = 3;
const USER_DEFINED: u16 = 32767;
const DEGREE: u16 = 9102;
const METRE: u16 = 9001;

/// Reads the directory of keys: a header of four numbers, then four numbers for each key.
pub(super) fn read(directory: &[u16]) -> Result<GeoKeys, String> {
    let keys = directory.get(4..).unwrap_or(&[]).chunks_exact(4);
    // Keys whose value is in another tag are texts and real numbers, which are not needed.
    let value = |wanted: u16| {
        let mut keys = keys.clone();
        let key = keys.find(|key| key[0] == wanted && key[1] == 0 && key[2] == 1);
        key.map(|key| key[3]).filter(|&value| value != 0)
    };
    let is_geographic = match value(MODEL_TYPE) {
        Some(GEOCENTRIC_MODEL) => return Err("its coordinates are geocentric".into()),
        Some(model) => model == GEOGRAPHIC_MODEL,
        None => value(PROJECTED_CODE).is_none() && value(GEOGRAPHIC_CODE).is_some(),
    };
    if let Some(unit) = value(VERTICAL_UNIT).filter(|&unit| unit != METRE) {
        return Err(format!(
            "its heights are in the unit EPSG:{unit}, not in metres"
        ));
    }
    let code = value(if is_geographic {
        GEOGRAPHIC_CODE
    } else {
        PROJECTED_CODE
    });
    let code = code.filter(|&code| code != USER_DEFINED);
    let crs = code.and_then(|code| Crs::from_epsg(u32::from(code)));
    if is_geographic {
        if let Some(unit) = value(ANGULAR_UNIT).filter(|&unit| unit != DEGREE) {
            return Err(format!(
                "its coordinates are in the unit EPSG:{unit}, not in degrees"
            ));
        }
        if crs.is_none() {
            let code = code.map_or("of its own".to_owned(), |code| format!("EPSG:{code}"));
            return Err(format!(
                "its longitudes and latitudes are in the system {code}, which is not supported; convert it to EPSG:4326"
            ));
        }
    } else if let Some(unit) = value(LINEAR_UNIT).filter(|&unit| unit != METRE) {
        return Err(format!(
            "its coordinates are in the unit EPSG:{unit}, not in metres"
        ));
    }
    Ok(GeoKeys {
        crs,
        is_point: value(RASTER_TYPE) == Some(2),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(keys: &[(u16, u16)]) -> Result<GeoKeys, String> {
        let header = [1, 1, 0, keys.len() as u16];
        let keys = keys.iter().flat_map(|&(key, value)| [key, 0, 1, value]);
        read(&header.into_iter().chain(keys).collect::<Vec<_>>())
    }

    #[test]
    fn keys_name_the_system_and_what_a_position_means() {
        let read = keys(&[(1024, 2), (1025, 2), (2048, 4326), (2054, 9102)]).unwrap();
        assert_eq!((read.crs, read.is_point), (Some(Crs::Wgs84), true));
        let read = keys(&[
            (1024, 1),
            (1025, 1),
            (2048, 4326),
            (3072, 32631),
            (3076, 9001),
        ])
        .unwrap();
        assert_eq!((read.crs, read.is_point), (Crs::from_epsg(32631), false));
        // Lambert-93 is metric, but not supported: its coordinates can be used as they are.
        assert_eq!(keys(&[(1024, 1), (3072, 2154)]).unwrap().crs, None);
        assert_eq!(keys(&[]).unwrap(), GeoKeys::default());
        assert_eq!(super::read(&[1, 1, 0]).unwrap(), GeoKeys::default());
    }

    #[test]
    fn what_would_give_wrong_lengths_is_an_error() {
        for (bad, words) in [
            (&[(1024, 1), (3072, 2225), (3076, 9003)][..], "EPSG:9003"),
            (&[(1024, 2), (2048, 4277)], "EPSG:4277"),
            (&[(1024, 2), (2048, 32767)], "of its own"),
            (&[(1024, 2), (2048, 4326), (2054, 9101)], "EPSG:9101"),
            (&[(1024, 3)], "geocentric"),
            (&[(1024, 1), (3072, 32631), (4099, 9002)], "EPSG:9002"),
        ] {
            let error = keys(bad).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }
}
