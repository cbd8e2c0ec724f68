//! A process that is spoken to line by line, each answer by a deadline.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use super::message::ToPlayer;
use super::talk::line;
use crate::{BotFault, Forfeit};

/// No answer is longer, and so much of a process's standard error is kept.
const LONGEST: usize = 1 << 20;

/// How long a process that was told to end is waited for.
const FAREWELL: Duration = Duration::from_millis(200);

/// A process in a group of its own. When it is dropped, the whole group ends.
pub struct Process {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// What it said after its last whole line.
    heard: Vec<u8>,
}

impl Process {
    /// Starts a command.
    ///
    /// # Errors
    /// Why it cannot be started.
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
        if let (Some(mut said), Some(mut log)) = (child.stderr.take(), log) {
            // It reads on when the log is full: a process that writes much does not stand still.
            thread::spawn(move || {
                _ = io::copy(&mut said.by_ref().take(LONGEST as u64), &mut log);
                io::copy(&mut said, &mut io::sink())
            });
        }
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("cannot speak to `{program}`"));
        };
        let process = Process { child, input, output, heard: Vec::new() };
        let at_once = FcntlArg::F_SETFL(OFlag::O_NONBLOCK);
        fcntl(&process.input, at_once)
            .and_then(|_| fcntl(&process.output, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)))
            .map_err(|error| cannot(error.into()))?;
        Ok(process)
    }

    /// Says a line and reads the one that answers it.
    ///
    /// # Errors
    /// When it has said something before it was asked, does not answer in time, ends, or says too
    /// much.
    pub fn ask(&mut self, question: &[u8], until: Instant) -> Result<Vec<u8>, Forfeit> {
        let mut chunk = [0; 1 << 10];
        if let Ok(read @ 1..) = self.output.read(&mut chunk) {
            self.heard.extend_from_slice(&chunk[..read]);
        }
        if !self.heard.is_empty() {
            let said = format!("it spoke before it was asked: {}", shown(&self.heard));
            return Err(Forfeit { fault: BotFault::Flooded, said });
        }
        self.say(question, until)?;
        self.hear(until)
    }

    /// Says a line.
    ///
    /// # Errors
    /// When it has ended, or does not read in time.
    pub fn say(&mut self, line: &[u8], until: Instant) -> Result<(), Forfeit> {
        let mut left = line;
        while !left.is_empty() {
            match self.input.write(left) {
                Ok(written) => left = &left[written..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    wait(&self.input, PollFlags::POLLOUT, until)?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(self.ended()),
            }
        }
        Ok(())
    }

    /// The next line.
    fn hear(&mut self, until: Instant) -> Result<Vec<u8>, Forfeit> {
        let mut chunk = [0; 1 << 14];
        let mut seen = 0;
        loop {
            if let Some(end) = self.heard[seen..].iter().position(|byte| *byte == b'\n') {
                let rest = self.heard.split_off(seen + end + 1);
                return Ok(std::mem::replace(&mut self.heard, rest));
            }
            seen = self.heard.len();
            if seen > LONGEST {
                let said = format!("it said {seen} bytes without the end of a line");
                return Err(Forfeit { fault: BotFault::Flooded, said });
            }
            match self.output.read(&mut chunk) {
                Ok(0) => return Err(self.ended()),
                Ok(read) => self.heard.extend_from_slice(&chunk[..read]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    wait(&self.output, PollFlags::POLLIN, until)?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(self.ended()),
            }
        }
    }

    /// How it ended; one that closed its pipes and lives on is ended with its group later.
    fn ended(&mut self) -> Forfeit {
        // The pipes are closed a moment before the process is gone.
        let mut status = None;
        for _ in 0..20 {
            status = self.child.try_wait().ok().flatten();
            if status.is_some() {
                break;
            }
            thread::sleep(Duration::from_millis(2));
        }
        let said = match status {
            Some(status) => format!("it ended ({status})"),
            None => "it closed its standard input or output".to_owned(),
        };
        Forfeit { fault: BotFault::Ended, said }
    }
}

impl Process {
    /// Tells it to end, and waits for it so long. Whether it ended.
    pub fn farewell(&mut self, within: Duration) -> bool {
        let until = Instant::now() + within;
        let bye: ToPlayer<'_> = ToPlayer::Bye {};
        let told = self.say(&line(&bye), until).is_ok();
        loop {
            match self.child.try_wait() {
                Ok(None) if told && Instant::now() < until => {
                    thread::sleep(Duration::from_millis(1));
                }
                status => return matches!(status, Ok(Some(_))),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.farewell(FAREWELL);
        // What it started may live on; and so may it.
        _ = killpg(Pid::from_raw(self.child.id() as i32), Signal::SIGKILL);
        _ = self.child.wait();
    }
}

/// Waits until a pipe can be read from or written to.
fn wait(pipe: &impl AsFd, what: PollFlags, until: Instant) -> Result<(), Forfeit> {
    let left = until.saturating_duration_since(Instant::now());
    let slow = || Forfeit { fault: BotFault::Slow, said: "it did not answer in time".to_owned() };
    if left.is_zero() {
        return Err(slow());
    }
    // Rounded up, for within the last millisecond it would not wait at all.
    let milliseconds = i32::try_from(left.as_millis() + 1).unwrap_or(i32::MAX);
    let timeout = PollTimeout::try_from(milliseconds).unwrap_or(PollTimeout::MAX);
    match poll(&mut [PollFd::new(pipe.as_fd(), what)], timeout) {
        Ok(0) => Err(slow()),
        // A signal may have come in between; the caller tries again.
        _ => Ok(()),
    }
}

/// The beginning of what was said, for a message.
pub(super) fn shown(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    let start: String = text.trim_end().chars().take(60).collect();
    format!("{start:?}{}", if start.len() < text.trim_end().len() { " …" } else { "" })
}
