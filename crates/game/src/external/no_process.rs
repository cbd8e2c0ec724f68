//! Processes of players where the platform has none, as in a browser tab: no player starts.

use std::collections::HashSet;
use std::convert::Infallible;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use parlour_base::time::Instant;

use crate::BotError;

/// The time that is left for an answer.
#[expect(dead_code, reason = "nobody answers")]
pub(super) struct TimeLimit<'a> {
    pub left: Duration,
    pub stop: Option<&'a AtomicBool>,
}

/// A process, which cannot exist.
pub(super) struct Process {
    pub deals: HashSet<u64>,
    never: Infallible,
}

/// The group of a process, which cannot exist.
pub(super) struct Group(Infallible);

impl Process {
    pub fn start(_: &[String], _: Option<File>) -> io::Result<Process> {
        Err(io::Error::new(ErrorKind::Unsupported, "no programs run in a browser tab"))
    }

    pub fn ask(&mut self, _: &[u8], _: &mut TimeLimit<'_>) -> Result<Vec<u8>, BotError> {
        match self.never {}
    }

    pub fn send(&mut self, _: &[u8], _: &mut TimeLimit<'_>) -> Result<(), BotError> {
        match self.never {}
    }

    pub fn say_goodbye(self) -> (Group, ()) {
        match self.never {}
    }
}

impl Group {
    pub fn exit_status(&mut self, _: Instant) -> Option<()> {
        match self.0 {}
    }
}

pub(super) fn wait_in_background(wait: impl FnOnce()) {
    wait();
}

pub(super) fn is_ending() -> bool {
    false
}
