//! The figures and tables of the page, and the format of their numbers.

/// A figure, a table or a row of pictures, with its caption and the sentence that compares it with the
/// paper.
#[derive(Debug)]
pub(crate) struct PageItem {
    /// The anchor on the page and the stem of the file.
    pub(crate) id: String,
    pub(crate) title: String,
    /// The paper and the number of the figure or table that it repeats, or "this run".
    pub(crate) source: String,
    pub(crate) body: ItemBody,
    /// A description of the measurement, and how to read the item.
    pub(crate) caption: String,
    /// The comparison with the paper: agreements, differences and their causes. It is generated from the run's
    /// numbers.
    pub(crate) verdict: String,
}

/// The content of an item.
#[derive(Debug)]
pub(crate) enum ItemBody {
    Svg(String),
    Table(PageTable),
    Pictures(Vec<PagePicture>),
}

/// A picture in the folder `pictures`, with its label.
#[derive(Debug)]
pub(crate) struct PagePicture {
    pub(crate) file: String,
    pub(crate) label: String,
}

/// A table of formatted cells.
#[derive(Debug, Default)]
pub(crate) struct PageTable {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
    /// The indices of highlighted rows.
    pub(crate) best: Vec<usize>,
}

impl PageTable {
    pub(crate) fn new(columns: &[&str]) -> Self {
        Self {
            columns: columns.iter().map(|&column| column.to_owned()).collect(),
            ..Self::default()
        }
    }
}

/// Formats a time with two to three significant digits.
pub(crate) fn us(value: f64) -> String {
    if value >= 100.0 {
        format!("{value:.0}")
    } else if value >= 10.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    }
}

/// Formats a ratio: `2.7x`.
pub(crate) fn times(ratio: f64) -> String {
    if ratio >= 100.0 {
        format!("{ratio:.0}x")
    } else if ratio >= 0.95 {
        format!("{ratio:.1}x")
    } else {
        format!("{ratio:.2}x")
    }
}

/// Formats a percentage.
pub(crate) fn percent(value: f64) -> String {
    if value.abs() >= 10.0 {
        format!("{value:.1}%")
    } else {
        format!("{value:.2}%")
    }
}

/// Formats a number of bytes with decimal units, as the papers do.
pub(crate) fn bytes(count: usize) -> String {
    let count = count as f64;
    if count >= 1e6 {
        format!("{:.1} MB", count / 1e6)
    } else if count >= 1e3 {
        format!("{:.1} kB", count / 1e3)
    } else {
        format!("{count} B")
    }
}
