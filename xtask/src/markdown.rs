//! Pages of Markdown as HTML.

use std::fs::{read_dir, read_to_string, remove_file, write};
use std::io::Result;
use std::path::Path;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html::push_html};

/// Replaces the pages of Markdown in a folder and its folders by HTML. `up` leads from there to the
/// root of the site.
pub fn replace_all(folder: &Path, up: &str) -> Result<()> {
    for entry in read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            replace_all(&path, &format!("{up}../"))?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            write(path.with_extension("html"), page(&read_to_string(&path)?, up))?;
            remove_file(path)?;
        }
    }
    Ok(())
}

/// Returns a page with links to headings, as GitHub names them, and to the other pages.
fn page(text: &str, up: &str) -> String {
    let mut events: Vec<Event<'_>> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
    let mut title = String::new();
    let (mut heading, mut words) = (0, String::new());
    for place in 0..events.len() {
        match &mut events[place] {
            Event::Start(Tag::Heading { .. }) => (heading, words) = (place, String::new()),
            Event::End(TagEnd::Heading(_)) => {
                if title.is_empty() {
                    title.clone_from(&words);
                }
                if let Event::Start(Tag::Heading { id, .. }) = &mut events[heading] {
                    *id = Some(slug(&words).into());
                }
            }
            Event::Text(text) | Event::Code(text) => words += text,
            Event::Start(Tag::Link { dest_url, .. }) if !dest_url.contains("://") => {
                *dest_url = CowStr::from(dest_url.replace(".md", ".html"));
            }
            _ => {}
        }
    }
    let mut body = String::new();
    push_html(&mut body, events.into_iter());
    // Code and tables that are too wide for a phone scroll sideways.
    let body =
        body.replace("<pre>", "<pre class=\"scroll\">").replace("</table>", "</table></div>");
    let body = body.replace("<table>", "<div class=\"scroll\"><table>");
    let page = include_str!("page.html").replace("{up}", up).replace("{title}", &title);
    page.replace("{body}", &body)
}

/// Returns the name of a heading in links.
fn slug(heading: &str) -> String {
    let letters = heading.to_lowercase().replace(' ', "-");
    letters.chars().filter(|&letter| letter.is_alphanumeric() || "-_".contains(letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_pages_and_headings() {
        let html = page("# A `b` C\n\n[x](y.md#a-b-c) [z](https://a.b/c.md)\n", "../");
        assert!(html.contains("<title>A b C · parlour</title>"), "{html}");
        assert!(html.contains("<h1 id=\"a-b-c\">A <code>b</code> C</h1>"), "{html}");
        assert!(html.contains("href=\"y.html#a-b-c\"") && html.contains("https://a.b/c.md"));
        assert!(html.contains("href=\"../docs/index.html\""), "{html}");
    }
}
