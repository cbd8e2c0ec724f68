//! `cargo xtask layers`: import cycles between the files of a crate, and type names defined twice.
//!
//! An import through a re-export counts for the file that defines the item. A `pub use` whose name
//! the file itself does not mention is a facade and counts for nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::modules::{Crate, Import};
use crate::repository::{SearchResult, crate_roots, shown};

/// Imports between files: importing file → imported file → one example.
type Edges = BTreeMap<PathBuf, BTreeMap<PathBuf, String>>;

/// The target of a path: a module, or an item and the module that defines it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Target {
    Module(usize),
    Item(usize),
}

/// Checks all crates, or those whose root path contains one of `filters`.
pub fn check(filters: &[String]) -> std::io::Result<(SearchResult, SearchResult)> {
    let (mut cycles, mut names) = (
        SearchResult::new("layers", filters.is_empty()),
        SearchResult::new("names", filters.is_empty()),
    );
    let mut types: BTreeMap<PathBuf, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for root in crate_roots() {
        if !filters.is_empty() && !filters.iter().any(|f| shown(&root).contains(f.as_str())) {
            continue;
        }
        let krate = Crate::read(&root)?;
        for circle in circles(&edges(&krate)) {
            report_circle(&circle, &edges(&krate), &mut cycles);
        }
        let folder = root.parent().unwrap_or(Path::new(".")).to_owned();
        let defined = types.entry(folder).or_default();
        for module in &krate.modules {
            for (name, line) in &module.types {
                let place = format!("{}:{line}", shown(&module.file));
                defined.entry(name.clone()).or_default().insert(place);
            }
        }
    }
    for defined in types.values() {
        for (name, places) in defined.iter().filter(|(_, places)| places.len() > 1) {
            let places: Vec<&str> = places.iter().map(String::as_str).collect();
            names
                .add(places.len() - 1, format!("`{name}` is defined twice: {}", places.join(", ")));
        }
    }
    Ok((cycles, names))
}

fn report_circle(circle: &[PathBuf], edges: &Edges, findings: &mut SearchResult) {
    let files: Vec<String> = circle.iter().map(|file| shown(file)).collect();
    let mut text = format!("import cycle of {} files: {}", files.len(), files.join(", "));
    for from in circle {
        for (to, example) in edges.get(from).into_iter().flatten() {
            if circle.contains(to) {
                text += &format!("\n    {} → {}  ({example})", shown(from), shown(to));
            }
        }
    }
    findings.add(files.len(), text);
}

/// Finds which file imports from which.
fn edges(krate: &Crate) -> Edges {
    let mut edges = Edges::new();
    for index in 0..krate.modules.len() {
        for (target, example) in mentions(krate, index) {
            let (from, to) = (&krate.modules[index].file, &krate.modules[target].file);
            if from != to {
                edges.entry(from.clone()).or_default().entry(to.clone()).or_insert(example);
            }
        }
    }
    edges
}

/// Lists the modules whose items a module uses, each with an example.
fn mentions(krate: &Crate, index: usize) -> Vec<(usize, String)> {
    let module = &krate.modules[index];
    let mut found = Vec::new();
    let mut add = |target: Option<Target>, line: usize, path: &[String]| {
        if let Some(Target::Item(target)) = target {
            found.push((target, format!("line {line}: {}", path.join("::"))));
        }
    };
    for import in &module.imports {
        if import.name == "*" {
            let Some(target) = resolve(krate, index, &import.path, 0) else { continue };
            if import.is_public {
                continue;
            }
            if let Target::Item(_) = target {
                add(Some(target), import.line, &import.path);
            }
            if let Target::Module(target) = target {
                for name in &module.idents {
                    let item = lookup(krate, target, name, 0);
                    add(item, import.line, &[import.path.join("::"), name.clone()]);
                }
            }
        } else if !import.is_public || module.idents.contains(&import.name) {
            add(resolve(krate, index, &import.path, 0), import.line, &import.path);
        }
    }
    for (path, line) in &module.paths {
        add(resolve(krate, index, path, 0), *line, path);
    }
    found
}

const DEEPEST: usize = 24;

/// Resolves a path that stands in a module. Returns `None` for paths into other crates.
fn resolve(krate: &Crate, index: usize, path: &[String], depth: usize) -> Option<Target> {
    if depth > DEEPEST {
        return None;
    }
    let (first, mut rest) = path.split_first()?;
    let mut at = match first.as_str() {
        "crate" => Target::Module(0),
        "self" => Target::Module(index),
        "super" => Target::Module(krate.modules[index].parent?),
        name => lookup(krate, index, name, depth + 1)?,
    };
    while let (Target::Module(module), Some((name, more))) = (at, rest.split_first()) {
        at = match name.as_str() {
            "super" => Target::Module(krate.modules[module].parent?),
            name => lookup(krate, module, name, depth + 1)?,
        };
        rest = more;
    }
    Some(at)
}

/// Finds a name in a module: a child, an item, an import or a name from a glob import.
fn lookup(krate: &Crate, index: usize, name: &str, depth: usize) -> Option<Target> {
    let module = &krate.modules[index];
    if let Some(child) = module.children.get(name) {
        return Some(Target::Module(*child));
    }
    if module.items.contains(name) {
        return Some(Target::Item(index));
    }
    if depth > DEEPEST {
        return None;
    }
    let follow = |import: &Import| {
        // `use name::…` in the module itself must not resolve through its own binding.
        (import.path.first().is_none_or(|first| first != name))
            .then(|| resolve(krate, index, &import.path, depth + 1))
            .flatten()
    };
    let named = module.imports.iter().filter(|import| import.name == name);
    if let Some(target) = named.clone().find_map(follow) {
        return Some(target);
    }
    if named.count() > 0 {
        return None;
    }
    let globs = module.imports.iter().filter(|import| import.name == "*");
    let through_globs = globs.filter_map(follow).find_map(|target| match target {
        Target::Module(inner) if inner != index => lookup(krate, inner, name, depth + 4),
        _ => None,
    });
    let exported = || {
        (index == 0).then(|| krate.exported_macros.get(name).map(|at| Target::Item(*at))).flatten()
    };
    through_globs.or_else(exported)
}

/// Finds the sets of files that import each other, by Tarjan's algorithm.
fn circles(edges: &Edges) -> Vec<Vec<PathBuf>> {
    struct Search<'a> {
        edges: &'a Edges,
        number: BTreeMap<&'a Path, usize>,
        low: BTreeMap<&'a Path, usize>,
        stack: Vec<&'a Path>,
        found: Vec<Vec<PathBuf>>,
    }
    impl<'a> Search<'a> {
        fn visit(&mut self, file: &'a Path) {
            let number = self.number.len();
            self.number.insert(file, number);
            self.low.insert(file, number);
            self.stack.push(file);
            for next in self.edges.get(file).into_iter().flat_map(BTreeMap::keys) {
                if !self.number.contains_key(next.as_path()) {
                    self.visit(next);
                } else if !self.stack.contains(&next.as_path()) {
                    continue;
                }
                self.low.insert(file, self.low[file].min(self.low[next.as_path()]));
            }
            if self.low[file] == number {
                let start = self.stack.iter().position(|other| *other == file).unwrap_or(0);
                let circle = self.stack.split_off(start);
                if circle.len() > 1 {
                    self.found.push(circle.into_iter().map(Path::to_owned).collect());
                }
            }
        }
    }
    let mut search = Search {
        edges,
        number: BTreeMap::new(),
        low: BTreeMap::new(),
        stack: Vec::new(),
        found: Vec::new(),
    };
    for file in edges.keys() {
        if !search.number.contains_key(file.as_path()) {
            search.visit(file);
        }
    }
    search.found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle_sizes(name: &str, files: &[(&str, &str)]) -> Vec<usize> {
        let folder = std::env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
        for (file, text) in files {
            let path = folder.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let krate = Crate::read(&folder.join("lib.rs")).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        circles(&edges(&krate)).iter().map(Vec::len).collect()
    }

    #[test]
    fn imports_through_a_facade_count_for_the_defining_file() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a/mod.rs", "mod x; mod y; pub use x::X; pub use y::Y;"),
            ("a/x.rs", "use super::Y; pub struct X(Y);"),
            ("a/y.rs", "pub struct Y;"),
            ("b.rs", "use crate::a::{X, Y as Z}; fn f(_: X, _: Z) {}"),
        ];
        assert!(circle_sizes("facade", &files).is_empty());
        let mut circular = files;
        circular[3].1 = "pub struct Y(Option<Box<super::x::X>>);";
        assert_eq!(circle_sizes("circular", &circular), [2]);
    }

    #[test]
    fn test_code_does_not_count() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b::B; pub struct A(B);"),
            ("b.rs", "pub struct B; #[cfg(test)] mod tests { use crate::a::A; fn f(_: A) {} }"),
        ];
        assert!(circle_sizes("tests", &files).is_empty());
    }

    #[test]
    fn code_of_a_module_file_counts() {
        let files = [
            ("lib.rs", "mod a;"),
            ("a/mod.rs", "mod x; pub const N: u8 = 1; pub fn f() { x::g() }"),
            ("a/x.rs", "pub fn g() { super::N; }"),
        ];
        assert_eq!(circle_sizes("module", &files), [2]);
    }
}
