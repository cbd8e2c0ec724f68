//! A small tokenizer for Rust: enough to find modules, paths, comments and strings.

/// A token and the line that it starts on, from 1.
#[derive(Clone, Debug)]
pub struct Token {
    /// Line number.
    pub line: usize,
    /// Line that it ends on.
    pub end: usize,
    /// Content.
    pub kind: TokenKind,
}

/// The content of a token.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum TokenKind {
    /// An identifier or keyword, without `r#`.
    Ident(String),
    /// One character of punctuation.
    Punct(char),
    /// A string literal, unescaped.
    Text(String),
    /// A number, character or lifetime.
    Other,
}

/// A comment line or block.
#[derive(Clone, Debug)]
pub struct Comment {
    /// Line number of its first line.
    pub line: usize,
    /// Text without the comment signs.
    pub text: String,
    /// Kind of comment.
    pub kind: CommentKind,
}

/// The kind of a comment.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum CommentKind {
    /// `// …` or `/* … */`.
    Plain,
    /// `/// …`.
    Outer,
    /// `//! …`.
    Inner,
}

/// Splits a source file into tokens and comments.
pub fn tokenize(source: &str) -> (Vec<Token>, Vec<Comment>) {
    let mut lexer = Lexer { chars: source.chars().collect(), at: 0, line: 1 };
    let (mut tokens, mut comments) = (Vec::new(), Vec::new());
    while let Some(c) = lexer.peek(0) {
        let line = lexer.line;
        if c.is_whitespace() {
            lexer.next();
        } else if lexer.starts("//") {
            comments.push(lexer.line_comment(line));
        } else if lexer.starts("/*") {
            comments.push(lexer.block_comment(line));
        } else if let Some(kind) = lexer.literal().or_else(|| lexer.word()) {
            tokens.push(Token { line, end: lexer.line, kind });
        } else {
            lexer.next();
            tokens.push(Token { line, end: line, kind: TokenKind::Punct(c) });
        }
    }
    (tokens, comments)
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    line: usize,
}

impl Lexer {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek(0)?;
        self.at += 1;
        self.line += usize::from(c == '\n');
        Some(c)
    }

    fn starts(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(i, c)| self.peek(i) == Some(c))
    }

    fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.next();
        }
    }

    fn line_comment(&mut self, line: usize) -> Comment {
        let kind = match (self.peek(2), self.peek(3)) {
            (Some('/'), third) if third != Some('/') => CommentKind::Outer,
            (Some('!'), _) => CommentKind::Inner,
            _ => CommentKind::Plain,
        };
        self.skip(if kind == CommentKind::Plain { 2 } else { 3 });
        let mut text = String::new();
        while let Some(c) = self.peek(0).filter(|c| *c != '\n') {
            text.push(c);
            self.next();
        }
        Comment { line, text, kind }
    }

    fn block_comment(&mut self, line: usize) -> Comment {
        let (mut depth, mut text) = (0, String::new());
        loop {
            if self.starts("/*") {
                depth += 1;
                self.skip(2);
            } else if self.starts("*/") {
                depth -= 1;
                self.skip(2);
            } else if let Some(c) = self.next() {
                text.push(c);
            } else {
                depth = 0;
            }
            if depth == 0 {
                return Comment { line, text, kind: CommentKind::Plain };
            }
        }
    }

    /// Reads a string, character, lifetime or number, if one starts here.
    fn literal(&mut self) -> Option<TokenKind> {
        let c = self.peek(0)?;
        if c.is_ascii_digit() {
            while self.peek(0).is_some_and(|c| c.is_alphanumeric() || c == '_') {
                self.next();
            }
            return Some(TokenKind::Other);
        }
        if c == '\'' {
            return Some(self.char_or_lifetime());
        }
        let prefix = ["br", "cr", "b", "c", "r", ""].iter().find(|prefix| {
            let hashes = (prefix.len()..).take_while(|i| self.peek(*i) == Some('#')).count();
            let hashes = if prefix.ends_with('r') { hashes } else { 0 };
            self.starts(prefix) && self.peek(prefix.len() + hashes) == Some('"')
        });
        if let Some(prefix) = prefix {
            self.skip(prefix.len());
            return Some(TokenKind::Text(self.string(prefix.ends_with('r'))));
        }
        if c == 'b' && self.peek(1) == Some('\'') {
            self.next();
            return Some(self.char_or_lifetime());
        }
        None
    }

    fn char_or_lifetime(&mut self) -> TokenKind {
        if self.peek(1) == Some('\\') {
            self.skip(3);
            while self.next().is_some_and(|c| c != '\'') {}
        } else if self.peek(2) == Some('\'') {
            self.skip(3);
        } else {
            self.next();
            while self.peek(0).is_some_and(|c| c.is_alphanumeric() || c == '_') {
                self.next();
            }
        }
        TokenKind::Other
    }

    fn string(&mut self, raw: bool) -> String {
        let mut hashes = 0;
        while self.peek(0) == Some('#') {
            hashes += 1;
            self.next();
        }
        self.next();
        let mut text = String::new();
        while let Some(c) = self.next() {
            if c == '"' && (0..hashes).all(|i| self.peek(i) == Some('#')) {
                self.skip(hashes);
                break;
            }
            if c != '\\' || raw {
                text.push(c);
                continue;
            }
            match self.next() {
                Some('\n') => {
                    while self.peek(0).is_some_and(char::is_whitespace) {
                        self.next();
                    }
                }
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(other) => text.push(other),
                None => {}
            }
        }
        text
    }

    fn word(&mut self) -> Option<TokenKind> {
        if self.starts("r#") && self.peek(2).is_some_and(char::is_alphabetic) {
            self.skip(2);
        }
        let mut word = String::new();
        while let Some(c) = self.peek(0).filter(|c| c.is_alphanumeric() || *c == '_') {
            word.push(c);
            self.next();
        }
        (!word.is_empty()).then_some(TokenKind::Ident(word))
    }
}

impl Token {
    /// The identifier, if the token is one.
    pub fn ident(&self) -> Option<&str> {
        match &self.kind {
            TokenKind::Ident(word) => Some(word),
            _ => None,
        }
    }

    /// Returns `true` if the token is this punctuation.
    pub fn is(&self, c: char) -> bool {
        self.kind == TokenKind::Punct(c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        tokenize(source)
            .0
            .into_iter()
            .filter_map(|t| match t.kind {
                TokenKind::Text(text) => Some(text),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn strings_are_unescaped() {
        assert_eq!(texts(r##"a("x\"y", r#"q"q"#, b"z", 'c', '"')"##), ["x\"y", "q\"q", "z"]);
        assert_eq!(texts("\"one \\\n    two\""), ["one two"]);
    }

    #[test]
    fn comments_have_kinds_and_lines() {
        let (tokens, comments) = tokenize("//! a\n/// b\n// c\nfn r#type<'a>() {} /* d */");
        let kinds: Vec<_> = comments.iter().map(|c| (c.line, c.kind)).collect();
        let expected = [CommentKind::Inner, CommentKind::Outer, CommentKind::Plain];
        assert_eq!(kinds[..3], [(1, expected[0]), (2, expected[1]), (3, expected[2])]);
        assert_eq!(comments[3].text, " d ");
        assert_eq!(tokens[1].ident(), Some("type"));
    }
}
