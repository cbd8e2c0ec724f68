//! What can go wrong, by whose doing.

/// An error with one message for the person at the command line; the kind decides the exit
/// status.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Wrong usage or bad input: the message says where, what, and what would be right. Status 2.
    #[error("{0}")]
    Input(String),
    /// It failed while running. Status 1.
    #[error("{0}")]
    Failed(String),
    /// Stopped by the user; finished work is saved. Status 130.
    #[error("{0}")]
    Stopped(String),
}

impl Error {
    /// Bad input.
    pub fn input(message: impl Into<String>) -> Error {
        Error::Input(message.into())
    }

    /// A failure while running.
    pub fn failed(message: impl Into<String>) -> Error {
        Error::Failed(message.into())
    }

    /// The exit status it stands for.
    pub fn status(&self) -> u8 {
        match self {
            Error::Input(_) => 2,
            Error::Failed(_) => 1,
            Error::Stopped(_) => 130,
        }
    }
}

/// A result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
