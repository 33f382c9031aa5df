//! Profiles of agents as TOML: the cost of each area, and which polygons and links an agent may use.

use std::collections::BTreeMap;

use portolan_core::Profile;
use serde::Deserialize;

use crate::ReadError;
use crate::text::read_toml;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ProfileFile {
    factors: BTreeMap<String, f32>,
    forbidden: Vec<u8>,
    include_flags: u16,
    exclude_flags: u16,
    links: bool,
}

impl Default for ProfileFile {
    fn default() -> Self {
        let Profile {
            include_flags,
            exclude_flags,
            links,
            ..
        } = Profile::default();
        Self {
            factors: BTreeMap::new(),
            forbidden: Vec::new(),
            include_flags,
            exclude_flags,
            links,
        }
    }
}

/// Reads a profile from TOML. Every entry is optional; the default is [`Profile::default`].
///
/// ```
/// let amphibian = portolan_formats::read_profile(br#"
/// forbidden = [7]        # areas that the agent may not enter
/// exclude_flags = 0x10   # polygons and links with any of these bits are closed
/// links = false          # the agent does not use off-mesh links
/// [factors]              # cost per metre, by area
/// 3 = 0.5
/// "#)?;
/// assert_eq!(amphibian.factor(3), Some(0.5));
/// assert_eq!(amphibian.factor(7), None);
/// # Ok::<(), portolan_files::ReadError>(())
/// ```
pub fn read_profile(bytes: &[u8]) -> Result<Profile, ReadError> {
    let not_profile = |reason: String| ReadError::NotThisFormat {
        format: "a profile",
        reason,
    };
    let file: ProfileFile = read_toml("a profile", bytes)?;
    let mut profile = Profile::default();
    profile.include_flags = file.include_flags;
    profile.exclude_flags = file.exclude_flags;
    profile.links = file.links;
    for (area, factor) in file.factors {
        let number = area
            .parse()
            .map_err(|_| not_profile(format!("'{area}' is not an area; areas are 0 to 255")))?;
        profile
            .set_factor(number, factor)
            .map_err(|error| not_profile(error.to_string()))?;
    }
    file.forbidden
        .into_iter()
        .for_each(|area| profile.forbid(area));
    Ok(profile)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_file_is_the_default_profile() {
        assert_eq!(read_profile(b"").unwrap(), Profile::default());
    }

    #[test]
    fn errors_name_the_problem() {
        let message = |text: &str| read_profile(text.as_bytes()).unwrap_err().to_string();
        assert!(message("links = true\nfactor = 3").starts_with("line 2: unknown field `factor`"));
        assert!(message("[factors]\n300 = 1.0").contains("'300' is not an area"));
        assert!(message("[factors]\n3 = -1.0").contains("area 3 must be between 0"));
        assert!(message("[factors]\n3 = nan").contains("area 3 must be between 0"));
        assert!(message("forbidden = [256]").starts_with("line 1"));
        assert!(read_profile(b"\xff").is_err());
    }
}
