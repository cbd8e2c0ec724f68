//! `cargo xtask prose`: openings of doc comments, long sentences, words to avoid and broken links.

use std::path::Path;

use crate::repository::{SearchResult, files, shown};
use crate::tokens::{Comment, CommentKind, TokenKind, tokenize};

/// Folders and files that are checked. Committed results have generated texts, and the notebooks are
/// dated logs.
const PLACES: [&str; 19] = [
    "src",
    "crates",
    "tests",
    "examples",
    "lab/src",
    "python",
    "web",
    "xtask/src",
    "scripts",
    ".ci",
    "docs",
    "strategies",
    "experiments",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "Cargo.toml",
    "Containerfile",
];

/// This file names the words that it looks for; licences are not our words.
const SKIPPED: [&str; 3] = ["xtask/src/prose.rs", "python/LICENSE-APACHE", "python/LICENSE-MIT"];

/// Words that must not open a doc comment: the first sentence says what the item is.
const OPENINGS: [&str; 7] = ["What ", "How ", "Whether ", "So many ", "That ", "Of ", "Which "];

/// Words to replace by plain ones.
const WORDS: [&str; 11] = [
    "anew",
    "whom",
    "thereof",
    "so many",
    "gone on with",
    "told apart",
    "begun",
    "is told",
    "beside it",
    "none of another",
    "takes up",
];

/// Most words of a sentence.
const LONGEST: usize = 30;

/// Checks all texts, or those whose path begins with one of `filters`.
pub fn check(filters: &[String]) -> std::io::Result<SearchResult> {
    let mut findings = SearchResult::new("prose", filters.is_empty());
    let extensions =
        ["rs", "md", "py", "pyi", "sh", "js", "css", "R", "sql", "json", "toml", "run", ""];
    for file in files(&PLACES, &extensions) {
        let name = shown(&file);
        let wanted = filters.is_empty() || filters.iter().any(|filter| name.starts_with(filter));
        if !wanted || SKIPPED.contains(&name.as_str()) {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let extension = file.extension().unwrap_or_default().to_string_lossy();
        let mut page = Page { name, findings: &mut findings };
        match extension.as_ref() {
            "rs" => page.rust(&text),
            "md" => page.markdown(&text),
            _ => text.lines().zip(1..).for_each(|(line, number)| page.words(line, number)),
        }
        if extension == "md" {
            page.links(&text, file.parent().unwrap_or(Path::new(".")));
        }
    }
    Ok(findings)
}

struct Page<'a> {
    name: String,
    findings: &'a mut SearchResult,
}

impl Page<'_> {
    fn add(&mut self, line: usize, text: String) {
        self.findings.add(1, format!("{}:{line}: {text}", self.name));
    }

    /// Looks for the words of the list.
    fn words(&mut self, text: &str, line: usize) {
        let lower = text.to_lowercase();
        for word in WORDS {
            let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
            let stands = lower.match_indices(word).any(|(at, _)| {
                !letter(lower[..at].chars().next_back())
                    && !letter(lower[at + word.len()..].chars().next())
            });
            if stands {
                self.add(line, format!("replace \"{word}\""));
            }
        }
    }

    fn sentences(&mut self, paragraph: &str, line: usize) {
        for sentence in split_sentences(paragraph) {
            let count = sentence.split_whitespace().filter(|w| is_word(w)).count();
            if count > LONGEST {
                let start: Vec<&str> = sentence.split_whitespace().take(6).collect();
                self.add(line, format!("{count} words in a sentence: \"{} …\"", start.join(" ")));
            }
        }
    }

    fn rust(&mut self, source: &str) {
        let (tokens, comments) = tokenize(source);
        for comment in &comments {
            self.words(&comment.text, comment.line);
        }
        for block in doc_blocks(&comments) {
            let first = block[0].text.trim_start();
            if let Some(opening) = OPENINGS.iter().find(|word| first.starts_with(**word)) {
                let opening = opening.trim();
                self.add(block[0].line, format!("doc comment opens with \"{opening}\""));
            }
            let lines: Vec<&str> = block.iter().map(|c| c.text.as_str()).collect();
            self.paragraphs(&lines, block[0].line);
        }
        for token in tokens {
            if let TokenKind::Text(text) = token.kind
                && text.contains(' ')
            {
                self.words(&text, token.line);
                let prose = !text.contains('<') && !text.contains("\": ") && !text.contains(';');
                if prose {
                    text.lines().for_each(|line| self.sentences(line, token.line));
                }
            }
        }
    }

    fn markdown(&mut self, text: &str) {
        for (line, number) in text.lines().zip(1..) {
            self.words(line, number);
        }
        self.paragraphs(&text.lines().collect::<Vec<_>>(), 1);
    }

    /// Looks for links to files that do not exist.
    fn links(&mut self, text: &str, folder: &Path) {
        for (line, number) in text.lines().zip(1..) {
            for rest in line.split("](").skip(1) {
                let link = rest.split([')', '#']).next().unwrap_or("");
                if !link.is_empty() && !link.contains(':') && !folder.join(link).exists() {
                    self.add(number, format!("broken link to {link}"));
                }
            }
        }
    }

    /// Checks the sentences of each paragraph and list item; code and tables are passed over.
    fn paragraphs(&mut self, lines: &[&str], first: usize) {
        let (mut paragraph, mut start, mut code) = (String::new(), first, false);
        for (line, number) in lines.iter().zip(first..) {
            let line = line.trim();
            let fence = line.starts_with("```");
            let item = line.starts_with("* ")
                || line.starts_with("- ")
                || line.split_once(". ").is_some_and(|(n, _)| n.parse::<u32>().is_ok());
            let skipped = code || fence || line.starts_with(['|', '#', '<']);
            if skipped || item || line.is_empty() {
                self.sentences(&paragraph, start);
                paragraph.clear();
            }
            code ^= fence;
            if skipped || line.is_empty() {
                continue;
            }
            if paragraph.is_empty() {
                start = number;
            }
            paragraph += line;
            paragraph.push(' ');
        }
        self.sentences(&paragraph, start);
    }
}

fn is_word(text: &str) -> bool {
    text.chars().any(char::is_alphabetic)
}

/// Splits a paragraph after `.`, `!`, `?` and `;` that stand before a space.
fn split_sentences(text: &str) -> Vec<&str> {
    let (mut found, mut start) = (Vec::new(), 0);
    let signs: Vec<(usize, char)> = text.char_indices().collect();
    for (i, (at, c)) in signs.iter().enumerate() {
        let next = signs.get(i + 1).map(|(_, c)| *c);
        if ".!?;".contains(*c) && next.is_none_or(|c| c.is_whitespace() || "*)\"”_".contains(c)) {
            found.push(&text[start..=*at]);
            start = at + c.len_utf8();
        }
    }
    found.push(&text[start..]);
    found
}

/// Groups doc comments of one kind on adjacent lines.
fn doc_blocks(comments: &[Comment]) -> Vec<Vec<&Comment>> {
    let mut blocks: Vec<Vec<&Comment>> = Vec::new();
    for comment in comments.iter().filter(|c| c.kind != CommentKind::Plain) {
        match blocks.last_mut() {
            Some(block)
                if block.last().is_some_and(|last| {
                    last.line + 1 == comment.line && last.kind == comment.kind
                }) =>
            {
                block.push(comment);
            }
            _ => blocks.push(vec![comment]),
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(name: &str, text: &str) -> usize {
        let mut findings = SearchResult::new("prose", true);
        let mut page = Page { name: name.to_owned(), findings: &mut findings };
        if name.ends_with(".rs") {
            page.rust(text)
        } else {
            page.markdown(text)
        }
        findings.count()
    }

    #[test]
    fn openings_words_and_long_sentences_are_found() {
        assert_eq!(findings("a.rs", "/// Whether it is.\n/// What\nfn f() {}"), 1);
        assert_eq!(findings("a.rs", "/// Returns `true`.\nfn f() { g(\"played anew\") }"), 1);
        assert_eq!(findings("a.md", &"word ".repeat(31)), 1);
        assert_eq!(findings("a.md", &format!("{}. {}", "word ".repeat(20), "word ".repeat(20))), 0);
        assert_eq!(findings("a.md", &format!("```\n{}\n```", "word ".repeat(40))), 0);
        assert_eq!(findings("a.md", "the begunner"), 0);
    }
}
