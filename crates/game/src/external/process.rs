//! A child process that exchanges lines, each answer by a deadline.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde_json::json;

use super::message::{excerpt, to_line};
use crate::{BotFailure, BotFault};

/// The most bytes of an answer, and of the standard error that is kept.
const MAX_BYTES: usize = 1 << 20;

/// The time that a process has to exit after `bye`.
const EXIT_TIME: Duration = Duration::from_millis(200);

/// A process in its own process group. Dropping it kills the group.
pub(crate) struct Process {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// Output after its last whole line.
    unread: Vec<u8>,
}

impl Process {
    /// Starts a command.
    ///
    /// # Errors
    /// The reason why it cannot be started.
    pub fn start(command: &[String], log: Option<File>) -> Result<Process, String> {
        let Some((program, arguments)) = command.split_first() else {
            return Err("`command` is empty".to_owned());
        };
        let cannot = |error: io::Error| format!("cannot start `{program}`: {error}");
        let stderr = if log.is_some() { Stdio::piped() } else { Stdio::inherit() };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .process_group(0)
            .spawn()
            .map_err(cannot)?;
        if let (Some(mut output), Some(mut log)) = (child.stderr.take(), log) {
            // Reads on when the log is full, so that a process that writes much does not block.
            thread::spawn(move || {
                _ = io::copy(&mut output.by_ref().take(MAX_BYTES as u64), &mut log);
                io::copy(&mut output, &mut io::sink())
            });
        }
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("cannot open the pipes of `{program}`"));
        };
        let process = Process { child, input, output, unread: Vec::new() };
        let set = |flag| FcntlArg::F_SETFL(flag);
        fcntl(&process.input, set(OFlag::O_NONBLOCK))
            .and_then(|_| fcntl(&process.output, set(OFlag::O_NONBLOCK)))
            .map_err(|error| cannot(error.into()))?;
        Ok(process)
    }

    /// Sends a line and reads the answer.
    ///
    /// # Errors
    /// If it wrote before the question, does not answer in time, exits, or writes too much.
    pub fn ask(&mut self, question: &[u8], until: Instant) -> Result<Vec<u8>, BotFailure> {
        let mut chunk = [0; 1 << 10];
        if let Ok(read @ 1..) = self.output.read(&mut chunk) {
            self.unread.extend_from_slice(&chunk[..read]);
        }
        if !self.unread.is_empty() {
            let message = format!("it wrote before it was asked: {}", excerpt(&self.unread));
            return Err(BotFailure { fault: BotFault::Flooded, message });
        }
        self.send(question, until)?;
        self.receive(until)
    }

    /// Sends a line.
    ///
    /// # Errors
    /// If it has exited, or does not read in time.
    pub fn send(&mut self, line: &[u8], until: Instant) -> Result<(), BotFailure> {
        let mut left = line;
        while !left.is_empty() {
            match retry(&mut self.input, PollFlags::POLLOUT, until, |input| input.write(left))? {
                Some(written) => left = &left[written..],
                None => return Err(self.exited()),
            }
        }
        Ok(())
    }

    /// Reads the next line.
    fn receive(&mut self, until: Instant) -> Result<Vec<u8>, BotFailure> {
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
                return Err(BotFailure { fault: BotFault::Flooded, message });
            }
            let output = &mut self.output;
            match retry(output, PollFlags::POLLIN, until, |output| output.read(&mut chunk))? {
                Some(read @ 1..) => self.unread.extend_from_slice(&chunk[..read]),
                _ => return Err(self.exited()),
            }
        }
    }

    /// Describes how it exited. A process that only closed its pipes is killed on drop.
    fn exited(&mut self) -> BotFailure {
        // The pipes are closed a moment before the process is gone.
        let message = match self.exit_status(Instant::now() + Duration::from_millis(40)) {
            Some(status) => format!("it exited ({status})"),
            None => "it closed its standard input or output".to_owned(),
        };
        BotFailure { fault: BotFault::Ended, message }
    }

    /// Asks it to exit, and waits. Returns `true` if it exited in time.
    pub fn shut_down(&mut self, within: Duration) -> bool {
        let until = Instant::now() + within;
        let is_sent = self.send(&to_line(&json!({ "type": "bye" })), until).is_ok();
        self.exit_status(if is_sent { until } else { Instant::now() }).is_some()
    }

    /// Waits for the process to exit.
    fn exit_status(&mut self, until: Instant) -> Option<ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(1)),
                status => return status.ok().flatten(),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.shut_down(EXIT_TIME);
        // The process and its children may still be running.
        _ = killpg(Pid::from_raw(self.child.id() as i32), Signal::SIGKILL);
        _ = self.child.wait();
    }
}

/// Reads from or writes to a pipe as soon as that is possible. `None` if the pipe is broken.
fn retry<P: AsFd>(
    pipe: &mut P,
    what: PollFlags,
    until: Instant,
    mut work: impl FnMut(&mut P) -> io::Result<usize>,
) -> Result<Option<usize>, BotFailure> {
    loop {
        match work(pipe) {
            Ok(count) => return Ok(Some(count)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => wait(pipe, what, until)?,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return Ok(None),
        }
    }
}

/// Waits until a pipe can be read from or written to.
fn wait(pipe: &impl AsFd, what: PollFlags, until: Instant) -> Result<(), BotFailure> {
    let left = until.saturating_duration_since(Instant::now());
    let slow =
        || BotFailure { fault: BotFault::Slow, message: "it did not answer in time".to_owned() };
    if left.is_zero() {
        return Err(slow());
    }
    // Rounded up: within the last millisecond it would not wait at all.
    let milliseconds = i32::try_from(left.as_millis() + 1).unwrap_or(i32::MAX);
    let timeout = PollTimeout::try_from(milliseconds).unwrap_or(PollTimeout::MAX);
    match poll(&mut [PollFd::new(pipe.as_fd(), what)], timeout) {
        Ok(0) => Err(slow()),
        // A signal may have interrupted it; the caller tries again.
        _ => Ok(()),
    }
}
