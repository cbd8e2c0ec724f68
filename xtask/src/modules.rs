//! The modules of a crate, read from its sources: items, imports and paths, without test code.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::tokens::{Token, tokenize};

/// A module with what it defines and what it mentions.
#[derive(Debug, Default)]
pub struct Module {
    /// File that holds the module.
    pub file: PathBuf,
    /// Index of the enclosing module.
    pub parent: Option<usize>,
    /// Child modules by name.
    pub children: BTreeMap<String, usize>,
    /// Names of items defined here.
    pub items: BTreeSet<String>,
    /// Types and traits defined here, with their lines.
    pub types: Vec<(String, usize)>,
    /// Names that `use` declarations bind.
    pub imports: Vec<Import>,
    /// Paths in code, such as `super::Plan` or `card::Suit`, with their lines.
    pub paths: Vec<(Vec<String>, usize)>,
    /// Identifiers in code outside `use` declarations.
    pub idents: BTreeSet<String>,
}

/// One name that a `use` declaration binds.
#[derive(Clone, Debug)]
pub struct Import {
    /// Full path; a glob import has the path of the module.
    pub path: Vec<String>,
    /// Bound name, or `*`.
    pub name: String,
    /// `true` for `pub use` of any visibility.
    pub is_public: bool,
    /// Line of the declaration.
    pub line: usize,
}

/// A crate, or a program of a crate.
#[derive(Debug)]
pub struct Crate {
    /// All modules; the root is the first.
    pub modules: Vec<Module>,
    /// Macros exported to the crate root, with the module that defines them.
    pub exported_macros: BTreeMap<String, usize>,
}

const TYPE_WORDS: [&str; 4] = ["struct", "enum", "trait", "type"];
const VALUE_WORDS: [&str; 3] = ["fn", "const", "static"];

impl Crate {
    /// Reads a crate from its root file, `lib.rs` or `main.rs`.
    pub fn read(root: &Path) -> std::io::Result<Crate> {
        let mut krate = Crate { modules: Vec::new(), exported_macros: BTreeMap::new() };
        krate.read_file(root, None, root.parent().unwrap_or(Path::new(".")))?;
        Ok(krate)
    }

    /// Reads a file as a module; `folder` is where the files of its children are.
    fn read_file(
        &mut self,
        file: &Path,
        parent: Option<usize>,
        folder: &Path,
    ) -> std::io::Result<usize> {
        let source = std::fs::read_to_string(file)?;
        let (tokens, _) = tokenize(&source);
        let index = self.modules.len();
        self.modules.push(Module { file: file.to_owned(), parent, ..Module::default() });
        self.read_items(index, &tokens, folder)?;
        Ok(index)
    }

    fn read_items(&mut self, index: usize, tokens: &[Token], folder: &Path) -> std::io::Result<()> {
        let mut at = 0;
        while at < tokens.len() {
            let start = at;
            let attributes = skip_attributes(tokens, at);
            at = attributes.end;
            if attributes.is_test {
                at = item_end(tokens, at);
                continue;
            }
            let exported = attributes.has(tokens, start, "macro_export");
            at = self.read_item(index, tokens, at, folder, exported)?;
        }
        Ok(())
    }

    /// Reads the item at a position and returns the position after it.
    fn read_item(
        &mut self,
        index: usize,
        tokens: &[Token],
        start: usize,
        folder: &Path,
        exported: bool,
    ) -> std::io::Result<usize> {
        let end = item_end(tokens, start);
        let head = &tokens[start..end];
        let is_public = head.first().and_then(Token::ident) == Some("pub");
        let keyword = head.iter().position(|token| {
            token.ident().is_some_and(|word| {
                TYPE_WORDS.contains(&word)
                    || VALUE_WORDS.contains(&word)
                    || ["mod", "use", "impl", "macro_rules", "union"].contains(&word)
            }) || token.is('{')
                || token.is('!')
        });
        let Some(keyword) = keyword else { return Ok(end) };
        let name_at = |offset: usize| {
            let token = head.get(keyword + offset)?;
            Some((token.ident()?.to_owned(), token.line))
        };
        match head[keyword].ident() {
            Some("mod") => {
                if let Some((name, _)) = name_at(1) {
                    self.read_child(index, &name, &head[keyword..], folder)?;
                }
                return Ok(end);
            }
            Some("use") => {
                let line = head[keyword].line;
                let module = &mut self.modules[index];
                read_use(&head[keyword + 1..], &mut Vec::new(), is_public, line, module);
                return Ok(end);
            }
            Some("macro_rules") => {
                if let Some((name, _)) = name_at(2) {
                    if exported {
                        self.exported_macros.insert(name.clone(), index);
                    }
                    self.modules[index].items.insert(name);
                }
            }
            Some(word) if TYPE_WORDS.contains(&word) => {
                if let Some((name, line)) = name_at(1) {
                    self.modules[index].items.insert(name.clone());
                    self.modules[index].types.push((name, line));
                }
            }
            Some(word) if VALUE_WORDS.contains(&word) => {
                let name = (1..4).find_map(|offset| {
                    name_at(offset).filter(|(name, _)| {
                        !["fn", "unsafe", "async", "extern", "mut"].contains(&name.as_str())
                    })
                });
                if let Some((name, _)) = name {
                    self.modules[index].items.insert(name);
                }
            }
            _ => {}
        }
        read_body(head, &mut self.modules[index]);
        Ok(end)
    }

    fn read_child(
        &mut self,
        index: usize,
        name: &str,
        head: &[Token],
        folder: &Path,
    ) -> std::io::Result<()> {
        let inner = folder.join(name);
        let child = if head.get(2).is_some_and(|token| token.is('{')) {
            let child = self.modules.len();
            let file = self.modules[index].file.clone();
            self.modules.push(Module { file, parent: Some(index), ..Module::default() });
            self.read_items(child, &head[3..head.len() - 1], &inner)?;
            child
        } else {
            let flat = folder.join(format!("{name}.rs"));
            let file = if flat.exists() { flat } else { inner.join("mod.rs") };
            self.read_file(&file, Some(index), &inner)?
        };
        self.modules[index].children.insert(name.to_owned(), child);
        Ok(())
    }
}

struct Attributes {
    end: usize,
    is_test: bool,
}

impl Attributes {
    fn has(&self, tokens: &[Token], start: usize, word: &str) -> bool {
        tokens[start..self.end].iter().any(|token| token.ident() == Some(word))
    }
}

/// Skips the attributes at a position and tells if they restrict an item to tests.
fn skip_attributes(tokens: &[Token], start: usize) -> Attributes {
    let (mut end, mut is_test) = (start, false);
    while tokens.get(end).is_some_and(|token| token.is('#')) {
        let open = end + 1 + usize::from(tokens.get(end + 1).is_some_and(|token| token.is('!')));
        if !tokens.get(open).is_some_and(|token| token.is('[')) {
            break;
        }
        let close = group_end(tokens, open);
        let words: Vec<&str> = tokens[open..close].iter().filter_map(Token::ident).collect();
        is_test |= words == ["test"]
            || words.first() == Some(&"cfg") && words.contains(&"test") && !words.contains(&"not");
        end = close;
    }
    Attributes { end, is_test }
}

/// Position after the group that opens at `open`.
fn group_end(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.is('(') || token.is('[') || token.is('{') {
            depth += 1;
        } else if token.is(')') || token.is(']') || token.is('}') {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return at + 1;
            }
        }
    }
    tokens.len()
}

/// Position after the item, field or statement at `start`.
fn item_end(tokens: &[Token], start: usize) -> usize {
    let mut at = start;
    let word = |at: usize| tokens.get(at).and_then(Token::ident);
    // Constants and aliases end with a semicolon, also after braces.
    let needs_semicolon = (start..start + 6).find_map(|at| match word(at) {
        Some("const") => {
            Some(!["fn", "unsafe", "async", "extern"].map(Some).contains(&word(at + 1)))
        }
        Some("static" | "type" | "use") => Some(true),
        Some("fn" | "struct" | "enum" | "trait" | "impl" | "mod" | "macro_rules") => Some(false),
        _ => None,
    });
    while at < tokens.len() {
        let token = &tokens[at];
        if token.is('{') {
            at = group_end(tokens, at);
            if needs_semicolon != Some(true) {
                return at;
            }
        } else if token.is('(') || token.is('[') {
            at = group_end(tokens, at);
        } else if token.is(';') || token.is(',') && needs_semicolon.is_none() {
            return at + 1;
        } else if token.is(')') || token.is(']') || token.is('}') {
            return at.max(start + 1);
        } else {
            at += 1;
        }
    }
    at
}

/// Reads the tree after `use`.
fn read_use(
    tokens: &[Token],
    prefix: &mut Vec<String>,
    is_public: bool,
    line: usize,
    module: &mut Module,
) -> usize {
    let depth = prefix.len();
    let mut at = 0;
    let bind = |path: &[String], name: Option<&str>, module: &mut Module| {
        let mut path = path.to_vec();
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name = name.or(path.last().map(String::as_str)).unwrap_or_default().to_owned();
        module.imports.push(Import { path, name, is_public, line });
    };
    let mut complete = false;
    while at < tokens.len() {
        let token = &tokens[at];
        if token.is('{') {
            let end = group_end(tokens, at);
            let mut inner = at + 1;
            while inner < end - 1 {
                inner += read_use(&tokens[inner..end - 1], prefix, is_public, line, module);
            }
            complete = true;
            at = end;
        } else if token.is('*') {
            bind(prefix, Some("*"), module);
            complete = true;
            at += 1;
        } else if token.is(',') || token.is(';') {
            at += 1;
            break;
        } else if token.ident() == Some("as") {
            let name = tokens.get(at + 1).and_then(Token::ident).unwrap_or("_");
            bind(prefix, Some(name), module);
            complete = true;
            at += 2;
        } else {
            prefix.extend(token.ident().map(str::to_owned));
            at += 1;
        }
    }
    if !complete && prefix.len() > depth {
        bind(prefix, None, module);
    }
    prefix.truncate(depth);
    at
}

/// Collects the paths, identifiers and local imports of an item.
fn read_body(tokens: &[Token], module: &mut Module) {
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].is('#') {
            let attributes = skip_attributes(tokens, at);
            if attributes.is_test {
                at = item_end(tokens, attributes.end);
                continue;
            }
        }
        let Some(first) = tokens[at].ident() else {
            at += 1;
            continue;
        };
        if first == "use" {
            let end = item_end(tokens, at);
            read_use(&tokens[at + 1..end], &mut Vec::new(), false, tokens[at].line, module);
            at = end;
            continue;
        }
        let follows = |at: usize, c: char| tokens.get(at).is_some_and(|token| token.is(c));
        let is_field = at > 0 && tokens[at - 1].is('.') && !(at > 1 && tokens[at - 2].is('.'));
        let is_macro_crate = at > 0 && tokens[at - 1].is('$');
        let (line, mut path) = (tokens[at].line, vec![first.to_owned()]);
        at += 1;
        while follows(at, ':') && follows(at + 1, ':') {
            let Some(next) = tokens.get(at + 2).and_then(Token::ident) else { break };
            path.push(next.to_owned());
            at += 3;
        }
        if is_field || is_macro_crate {
            continue;
        }
        module.idents.insert(path[0].clone());
        if path.len() > 1 {
            module.paths.push((path, line));
        }
    }
}

/// Counts the lines of a source file that hold production code.
pub fn code_lines(source: &str) -> usize {
    let (tokens, _) = tokenize(source);
    let mut is_code = vec![false; source.lines().count() + 2];
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].is('#') {
            let attributes = skip_attributes(&tokens, at);
            if attributes.is_test {
                at = item_end(&tokens, attributes.end);
                continue;
            }
        }
        is_code[tokens[at].line..=tokens[at].end].fill(true);
        at += 1;
    }
    is_code.iter().filter(|is_code| **is_code).count()
}
