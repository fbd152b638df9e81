//! seccomp: which system calls are allowed, with which arguments.
//!
//! A list of what is allowed, for a list of what is refused is out of date with the next kernel. The rest ends
//! with `EPERM`, which Python shows as a `PermissionError`, so a submission that tries something by
//! accident fails in the usual way. Calls by the numbers of another architecture (`int 0x80`) end
//! the process.

use std::collections::BTreeMap;
use std::{env::consts, process};

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter_all_threads,
};

use super::privileges::status_of_this_process;
use super::{failed, files};
use crate::JailError;

/// Whether the kernel filters system calls.
pub(super) fn are_filtered() -> bool {
    // It tells how it filters those of this process, where it can.
    !status_of_this_process("Seccomp:").is_empty()
}

pub(super) struct Filter(BpfProgram);

impl Filter {
    /// The filter for this very process. Where Landlock is too old to know of all writing, opening a file
    /// for writing is refused whatever the file.
    pub(super) fn new(landlock: u32) -> Result<Self, JailError> {
        program(landlock < files::WITH_TRUNCATION)
            .map(Self)
            .map_err(|error| failed("make a filter of system calls", &error))
    }

    /// From here on. Says whether the kernel does it.
    pub(super) fn apply(&self) -> bool {
        apply_filter_all_threads(&self.0).is_ok()
    }
}

fn program(only_reading: bool) -> Result<BpfProgram, seccompiler::BackendError> {
    let mut allowed: BTreeMap<c_long, Vec<SeccompRule>> =
        ALWAYS.iter().chain(ALWAYS_HERE).map(|&call| (call, Vec::new())).collect();
    allowed.extend(with_arguments(process::id())?);
    for &(call, flags) in OPENING {
        let rules = if only_reading { vec![without(flags, WRITING)?] } else { Vec::new() };
        allowed.insert(call, rules);
    }
    let architecture = TargetArch::try_from(consts::ARCH)?;
    let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    SeccompFilter::new(allowed, refused, SeccompAction::Allow, architecture)?.try_into()
}

/// Calls that are allowed whatever their arguments.
const ALWAYS: &[c_long] = &[
    // What is open, and the names and properties of files. Landlock does not hide that a file exists.
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_pread64,
    libc::SYS_preadv,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_lseek,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_getdents64,
    libc::SYS_readlinkat,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_getcwd,
    libc::SYS_chdir,
    libc::SYS_fchdir,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    // Memory; mapping and protecting it stand in `with_arguments`. Not `mremap`, which maps our own code a
    // second time, where nothing locks the engine: where it is refused, `realloc` copies.
    libc::SYS_munmap,
    libc::SYS_brk,
    libc::SYS_madvise,
    // The lock of the interpreter.
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_membarrier,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_getcpu,
    // Time, and sleeping.
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_setitimer,
    libc::SYS_getitimer,
    libc::SYS_times,
    libc::SYS_getrusage,
    // Its own signals.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    // Who and where it is.
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_getppid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_getgroups,
    libc::SYS_getpgid,
    libc::SYS_getsid,
    libc::SYS_uname,
    libc::SYS_sysinfo,
    libc::SYS_getrandom,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// The older forms of the same, which only x86-64 has.
#[cfg(target_arch = "x86_64")]
const ALWAYS_HERE: &[c_long] = &[
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_getdents,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_time,
    libc::SYS_alarm,
    libc::SYS_pause,
    libc::SYS_getrlimit,
    libc::SYS_getpgrp,
];
#[cfg(not(target_arch = "x86_64"))]
const ALWAYS_HERE: &[c_long] = &[];

/// Calls that open a file, and which argument says what for.
#[cfg(target_arch = "x86_64")]
const OPENING: &[(c_long, u8)] = &[(libc::SYS_openat, 2), (libc::SYS_open, 1)];
#[cfg(not(target_arch = "x86_64"))]
const OPENING: &[(c_long, u8)] = &[(libc::SYS_openat, 2)];

/// What of it is writing. Of `O_TMPFILE` one bit is that of `O_DIRECTORY`, which is reading.
const WRITING: u64 =
    (libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC | (libc::O_TMPFILE & !libc::O_DIRECTORY))
        as u64;

/// What a process may do with what it has open: duplicate it, and look at and change what is its own. No
/// notice by signals, and no locks, which others would meet.
const OF_DESCRIPTORS: &[i32] = &[
    libc::F_DUPFD,
    libc::F_DUPFD_CLOEXEC,
    libc::F_GETFD,
    libc::F_SETFD,
    libc::F_GETFL,
    libc::F_SETFL,
    libc::F_GETPIPE_SZ,
];

/// The same of devices: is it a terminal, how wide, how much is there to read, may it wait.
#[allow(clippy::unnecessary_cast, reason = "their type is the C library's choice")]
const OF_DEVICES: &[u64] = &[
    libc::TCGETS as u64,
    libc::TIOCGWINSZ as u64,
    libc::FIONREAD as u64,
    libc::FIONBIO as u64,
    libc::FIOCLEX as u64,
    libc::FIONCLEX as u64,
];

/// Calls that are allowed with some arguments.
fn with_arguments(own: u32) -> Result<Vec<(c_long, Vec<SeccompRule>)>, seccompiler::BackendError> {
    let descriptors =
        OF_DESCRIPTORS.iter().map(|&command| is(1, u64::from(command.unsigned_abs())));
    let devices = OF_DEVICES.iter().map(|&request| is(1, request));
    let no_code = u64::from(libc::PROT_EXEC.unsigned_abs());
    let own = u64::from(own);
    Ok(vec![
        // No memory becomes code, so no library can be loaded either.
        (libc::SYS_mmap, vec![without(2, no_code)?]),
        (libc::SYS_mprotect, vec![without(2, no_code)?]),
        (libc::SYS_fcntl, descriptors.collect::<Result<_, _>>()?),
        (libc::SYS_ioctl, devices.collect::<Result<_, _>>()?),
        // The number of its only thread is that of the process. Groups of processes are negative numbers and 0.
        (libc::SYS_kill, vec![is(0, own)?]),
        (libc::SYS_tkill, vec![is(0, own)?]),
        (libc::SYS_tgkill, vec![is(0, own)?]),
        // Limits may be read, its own as those of its user's other processes; none may be set.
        (libc::SYS_prlimit64, vec![rule(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, 0)?]),
    ])
}

/// The argument is this number of 32 bits.
fn is(at: u8, value: u64) -> Result<SeccompRule, seccompiler::BackendError> {
    rule(at, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
}

/// The argument has none of these bits.
fn without(at: u8, bits: u64) -> Result<SeccompRule, seccompiler::BackendError> {
    rule(at, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(bits), 0)
}

fn rule(
    at: u8,
    length: SeccompCmpArgLen,
    compared: SeccompCmpOp,
    value: u64,
) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(vec![SeccompCondition::new(at, length, compared, value)?])
}
