//! Tests of the Markdown pages: every link has a target, the lists of pages are complete, and the README is short.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::root;

/// Returns the text of each page, by path.
fn pages() -> BTreeMap<PathBuf, String> {
    let root = root();
    let mut paths: Vec<PathBuf> = [
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "ARCHITECTURE.md",
    ]
    .map(|name| root.join(name))
    .into();
    let docs = fs::read_dir(root.join("docs")).expect("the folder `docs` is readable");
    paths.extend(
        docs.map(|entry| entry.expect("an entry of `docs` is readable").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "md")),
    );
    let text = |path: &PathBuf| fs::read_to_string(path).expect("the page is readable");
    paths
        .into_iter()
        .map(|path| (path.clone(), text(&path)))
        .collect()
}

/// Returns the text of a page without code blocks and code spans, in which brackets are not links.
fn prose(page: &str) -> String {
    let mut is_code = false;
    let mut text = String::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            text.extend(line.split('`').step_by(2));
            text.push('\n');
        }
    }
    text
}

/// Returns the targets of all links and pictures of a page.
fn links(page: &str) -> Vec<String> {
    let text = prose(page);
    let targets = text.split("](").skip(1);
    targets
        .filter_map(|target| target.split(')').next().map(str::to_owned))
        .collect()
}

/// Returns the anchors of a page's headings, as mdBook and GitHub derive them from the titles.
fn anchors(page: &str) -> Vec<String> {
    let mut is_code = false;
    let mut found = Vec::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code && line.starts_with('#') {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title
                .chars()
                .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            found.push(kept.collect::<String>().replace(' ', "-"));
        }
    }
    found
}

/// Returns what is wrong with a link on the page `from`, if anything. Links to other sites are not checked.
fn problem(pages: &BTreeMap<PathBuf, String>, from: &Path, link: &str) -> Option<String> {
    if link.starts_with("https://") || link.starts_with("http://") {
        return None;
    }
    let (path, anchor) = link
        .split_once('#')
        .map_or((link, None), |(path, anchor)| (path, Some(anchor)));
    let folder = from.parent().expect("the path of a page has a folder");
    let target = if path.is_empty() {
        from.to_owned()
    } else {
        folder.join(path)
    };
    if !target.exists() {
        return Some(format!(
            "{}: the link {link} names a file that does not exist",
            from.display()
        ));
    }
    let anchor = anchor?;
    let target = target.canonicalize().expect("the target exists");
    let page = pages
        .iter()
        .find(|(path, _)| path.canonicalize().is_ok_and(|path| path == target));
    let has_heading =
        page.is_some_and(|(_, text)| anchors(text).iter().any(|heading| heading == anchor));
    (!has_heading).then(|| {
        format!(
            "{}: the link {link} names a heading that does not exist",
            from.display()
        )
    })
}

#[test]
fn the_file_and_the_heading_of_every_link_exist() {
    let pages = pages();
    let all_links = pages
        .iter()
        .flat_map(|(path, text)| links(text).into_iter().map(move |link| (path, link)));
    let problems: Vec<String> = all_links
        .filter_map(|(path, link)| problem(&pages, path, &link))
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn broken_links_are_detected() {
    let pages = pages();
    let readme = root().join("README.md");
    assert!(problem(&pages, &readme, "docs/no-such-page.md").is_some());
    assert!(problem(&pages, &readme, "docs/faq.md#no-such-heading").is_some());
    assert!(problem(&pages, &readme, "docs/faq.md").is_none());
    assert_eq!(
        links("[a](b.md) `[no](link)` ![c](d.svg)\n```\n[no](link)\n```\n"),
        ["b.md", "d.svg"]
    );
    assert_eq!(
        anchors("# The papers' evaluation\n## Which engine when"),
        ["the-papers-evaluation", "which-engine-when"]
    );
}

#[test]
fn the_index_and_the_table_of_contents_list_every_page() {
    let pages = pages();
    let docs = root().join("docs");
    for list in ["README.md", "SUMMARY.md"] {
        let listed = links(&pages[&docs.join(list)]);
        for path in pages.keys().filter(|path| path.parent() == Some(&docs)) {
            let name = path
                .file_name()
                .expect("the path of a page has a name")
                .to_string_lossy();
            let is_list = name == "SUMMARY.md" || name == "README.md";
            assert!(
                is_list || listed.iter().any(|link| *link == name),
                "docs/{list} has no link to {name}"
            );
        }
    }
}

#[test]
fn the_readme_has_at_most_1000_words() {
    let words = pages()[&root().join("README.md")]
        .split_whitespace()
        .count();
    assert!(words <= 1000, "README.md has {words} words");
}
