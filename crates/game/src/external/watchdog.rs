//! The supervision of players' processes: each is the head of a process group, and the group is killed
//! with it. A watchdog kills all groups that are left when this program ends, in whatever way.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;

/// Reads `+ GROUP` for a new process group and `- GROUP` for one that is gone. At the end of its input,
/// when this program has ended, it kills the others.
const SCRIPT: &str = r#"trap '' HUP INT QUIT TERM
all=' '
while read -r what group; do
    case $what in
        +) all="$all$group " ;;
        -) all="${all%% $group *} ${all#* $group }" ;;
    esac
done
for group in $all; do kill -s KILL -- "-$group"; done"#;

/// The open files that many players need; the usual limit of 1024 would do for some 250.
const OPEN_FILES: u64 = 1 << 14;

static WATCHDOG: Mutex<Watchdog> = Mutex::new(Watchdog { shell: None, groups: BTreeSet::new() });

/// The shell that runs the script, once there is a group, and the groups that it knows.
struct Watchdog {
    shell: Option<Child>,
    groups: BTreeSet<u32>,
}

/// `true` once all players are being killed.
static ENDING: AtomicBool = AtomicBool::new(false);

/// The threads that wait for processes that were told to exit.
static WAITING: Mutex<Vec<JoinHandle<()>>> = Mutex::new(Vec::new());

fn lock<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Watchdog {
    /// Tells the shell of a process group, and starts it for the first one.
    fn report(&mut self, what: char, group: u32) -> io::Result<()> {
        match what {
            '+' => self.groups.insert(group),
            _ => self.groups.remove(&group),
        };
        let shell = match &mut self.shell {
            Some(shell) => shell,
            none => {
                if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE)
                    && soft < OPEN_FILES
                {
                    // If the system refuses, a lack of open files stops the run later.
                    _ = setrlimit(Resource::RLIMIT_NOFILE, hard.min(OPEN_FILES), hard);
                }
                let mut command = Command::new("sh");
                command.args(["-c", SCRIPT]).stdin(Stdio::piped()).process_group(0);
                none.insert(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?)
            }
        };
        let Some(input) = &mut shell.stdin else { return Ok(()) };
        input.write_all(format!("{what} {group}\n").as_bytes())
    }
}

/// A process and its group. Dropping it kills the group.
pub(super) struct Group {
    pub child: Child,
}

impl Group {
    /// Starts a command in a process group of its own.
    ///
    /// # Errors
    /// If the process or the watchdog cannot be started.
    pub fn start(command: &mut Command) -> io::Result<Group> {
        // With the lock, none starts that `kill_all` does not see.
        let mut watchdog = lock(&WATCHDOG);
        if is_ending() {
            return Err(ErrorKind::Interrupted.into());
        }
        let group = Group { child: command.process_group(0).spawn()? };
        let reported = watchdog.report('+', group.child.id());
        drop(watchdog);
        reported.map(|()| group)
    }

    /// Waits for the process to exit.
    pub fn exit_status(&mut self, until: Instant) -> Option<ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(1)),
                status => return status.ok().flatten(),
            }
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Its children may still be running when the process has exited.
        _ = killpg(Pid::from_raw(self.child.id() as i32), Signal::SIGKILL);
        _ = self.child.wait();
        _ = lock(&WATCHDOG).report('-', self.child.id());
    }
}

/// Waits for processes that were told to exit, while the program goes on.
pub(super) fn wait_in_background(wait: impl FnOnce() + Send + 'static) {
    let mut waiting = lock(&WAITING);
    waiting.retain(|thread| !thread.is_finished());
    // Without a thread, the processes are killed at once.
    waiting.extend(thread::Builder::new().spawn(wait));
}

/// Waits until all players that were told to exit are gone: at most 0.2 seconds. To be called before
/// the program ends.
pub fn wait_for_goodbyes() {
    // Who kills them ends the program with a status of its own.
    while is_ending() {
        thread::sleep(Duration::from_millis(2));
    }
    let waiting = std::mem::take(&mut *lock(&WAITING));
    waiting.into_iter().for_each(|thread| _ = thread.join());
    end_shell();
}

/// Ends the shell and waits for it: not every system soon looks after the dead children of a dead
/// parent, which count for the user's limit on processes.
fn end_shell() {
    if let Some(shell) = &mut lock(&WATCHDOG).shell {
        // This closes its input.
        _ = shell.wait();
    }
}

/// Kills all players, for a program that exits at once. Their hands count as cancelled.
pub fn kill_all() {
    let watchdog = lock(&WATCHDOG);
    ENDING.store(true, Ordering::Relaxed);
    let groups = watchdog.groups.clone();
    drop(watchdog);
    let groups = || groups.iter().map(|group| Pid::from_raw(*group as i32));
    groups().for_each(|group| _ = killpg(group, Signal::SIGKILL));
    groups().for_each(|process| _ = waitpid(process, None));
    end_shell();
}

/// Returns `true` once all players are being killed.
pub(super) fn is_ending() -> bool {
    ENDING.load(Ordering::Relaxed)
}
