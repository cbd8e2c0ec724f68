//! A child process that exchanges lines, each answer by a deadline.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use serde_json::json;

use super::message::{excerpt, to_line};
use super::watchdog::Group;
pub(super) use super::watchdog::{is_ending, wait_in_background};
use crate::{BotError, BotFailure, BotFault};

/// The most bytes of an answer, and of the standard error that is kept.
const MAX_BYTES: usize = 1 << 20;

/// The longest wait between two looks at the clock and at the flag that stops a run.
const SLICE: Duration = Duration::from_millis(50);

/// The time that is left for an answer. A stop of this program or of the machine counts as at most
/// 0.1 seconds.
pub(super) struct TimeLimit<'a> {
    pub left: Duration,
    /// Cancels the question if set.
    pub stop: Option<&'a AtomicBool>,
}

impl TimeLimit<'_> {
    /// Waits until a pipe can be read from or written to, or for a slice of the time.
    fn wait(&mut self, pipe: &impl AsFd, what: PollFlags) -> Result<(), BotError> {
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(BotError::Cancelled);
        }
        if self.left.is_zero() {
            return Err(BotFailure { fault: BotFault::Slow, message: SLOW.to_owned() }.into());
        }
        let (start, slice) = (Instant::now(), self.left.min(SLICE));
        // Rounded up: within the last millisecond it would not wait at all.
        let timeout = PollTimeout::try_from(slice.as_millis() as i32 + 1);
        // A signal may interrupt it; the caller tries again.
        _ = poll(&mut [PollFd::new(pipe.as_fd(), what)], timeout.unwrap_or(PollTimeout::ZERO));
        self.left = self.left.saturating_sub(start.elapsed().min(2 * SLICE));
        Ok(())
    }
}

const SLOW: &str = "it did not answer in time; if it did, its output is buffered: flush it after each \
                    line, in Python with `print(…, flush=True)`";

/// A process in its own process group. Dropping it kills the group.
pub(super) struct Process {
    group: Group,
    input: ChildStdin,
    output: ChildStdout,
    /// Output after its last whole line.
    unread: Vec<u8>,
    /// The deals that it has played.
    pub deals: HashSet<u64>,
}

impl Process {
    /// Starts a command.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(command: &[String], log: Option<File>) -> io::Result<Process> {
        let Some((program, arguments)) = command.split_first() else {
            return Err(io::Error::new(ErrorKind::NotFound, "`command` is empty"));
        };
        let stderr = if log.is_some() { Stdio::piped() } else { Stdio::inherit() };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        let mut group = Group::start(&mut command)?;
        if let (Some(mut output), Some(mut log)) = (group.child.stderr.take(), log) {
            // Reads on when the log is full, so that a process that writes much does not block.
            thread::Builder::new().spawn(move || {
                _ = io::copy(&mut output.by_ref().take(MAX_BYTES as u64), &mut log);
                io::copy(&mut output, &mut io::sink())
            })?;
        }
        let (Some(input), Some(output)) = (group.child.stdin.take(), group.child.stdout.take())
        else {
            return Err(ErrorKind::BrokenPipe.into());
        };
        let set = |flag| FcntlArg::F_SETFL(flag);
        fcntl(&input, set(OFlag::O_NONBLOCK))?;
        fcntl(&output, set(OFlag::O_NONBLOCK))?;
        Ok(Process { group, input, output, unread: Vec::new(), deals: HashSet::new() })
    }

    /// Sends a line and reads the answer.
    ///
    /// # Errors
    /// If it wrote before the question, does not answer in time, exits, or writes too much.
    pub fn ask(&mut self, question: &[u8], limit: &mut TimeLimit<'_>) -> Result<Vec<u8>, BotError> {
        let mut chunk = [0; 1 << 10];
        if let Ok(read @ 1..) = self.output.read(&mut chunk) {
            self.unread.extend_from_slice(&chunk[..read]);
        }
        if !self.unread.is_empty() {
            let message = format!("it wrote before it was asked: {}", excerpt(&self.unread));
            return Err(BotFailure { fault: BotFault::Flooded, message }.into());
        }
        self.send(question, limit)?;
        self.receive(limit)
    }

    /// Sends a line.
    ///
    /// # Errors
    /// If it has exited, or does not read in time.
    pub fn send(&mut self, line: &[u8], limit: &mut TimeLimit<'_>) -> Result<(), BotError> {
        let mut left = line;
        while !left.is_empty() {
            match retry(&mut self.input, PollFlags::POLLOUT, limit, |input| input.write(left))? {
                Some(written) => left = &left[written..],
                None => return Err(self.exited()),
            }
        }
        Ok(())
    }

    /// Reads the next line.
    fn receive(&mut self, limit: &mut TimeLimit<'_>) -> Result<Vec<u8>, BotError> {
        let mut chunk = [0; 1 << 14];
        let mut seen = 0;
        loop {
            if let Some(end) = self.unread[seen..].iter().position(|byte| *byte == b'\n') {
                let rest = self.unread.split_off(seen + end + 1);
                return Ok(std::mem::replace(&mut self.unread, rest));
            }
            seen = self.unread.len();
            if seen > MAX_BYTES {
                let message = format!("it wrote {seen} bytes without a line break");
                return Err(BotFailure { fault: BotFault::Flooded, message }.into());
            }
            let output = &mut self.output;
            match retry(output, PollFlags::POLLIN, limit, |output| output.read(&mut chunk))? {
                Some(read @ 1..) => self.unread.extend_from_slice(&chunk[..read]),
                _ => return Err(self.exited()),
            }
        }
    }

    /// Describes how it exited. A process that only closed its pipes is killed on drop.
    fn exited(&mut self) -> BotError {
        // The pipes are closed a moment before the process is gone.
        let message = match self.group.exit_status(Instant::now() + Duration::from_millis(40)) {
            Some(status) => format!("it exited ({status})"),
            None => "it closed its standard input or output".to_owned(),
        };
        BotFailure { fault: BotFault::Ended, message }.into()
    }

    /// Asks it to exit, without waiting for it. Its output stays open, so that a last line does not end it.
    pub fn say_goodbye(mut self) -> (Group, ChildStdout) {
        // If it does not read, the end of its input tells the same.
        _ = self.input.write(&to_line(&json!({ "type": "bye" })));
        (self.group, self.output)
    }
}

/// Reads from or writes to a pipe as soon as that is possible. `None` if the pipe is broken.
fn retry<P: AsFd>(
    pipe: &mut P,
    what: PollFlags,
    limit: &mut TimeLimit<'_>,
    mut work: impl FnMut(&mut P) -> io::Result<usize>,
) -> Result<Option<usize>, BotError> {
    loop {
        match work(pipe) {
            Ok(count) => return Ok(Some(count)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => limit.wait(pipe, what)?,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return Ok(None),
        }
    }
}
