"""What the attacks share: an attempt is told on stdout with how it ended, and runs once a process.

Copied beside each `game_agent.py`, with `targets.py`, where the test writes what they may aim at.
"""

import errno
import os
import platform

SYSTEM_CALLS = {
    "x86_64": dict(
        ptrace=101, setuid=105, personality=135, setpriority=141, mount=165, unshare=272, setns=308,
        io_uring_setup=425, keyctl=250, add_key=248, bpf=321, perf_event_open=298, userfaultfd=323,
        process_vm_readv=310, process_vm_writev=311, memfd_create=319, memfd_secret=447, execveat=322,
        clone3=435, shmget=29, msgget=68, semget=64, mq_open=240, prctl=157, fanotify_init=300,
        inotify_init1=294, pidfd_open=434, pidfd_getfd=438, kcmp=312, reboot=169, swapon=167, chroot=161,
        pivot_root=155, init_module=175, finit_module=313, kexec_load=246, acct=163, syslog=103,
        clock_settime=227, sethostname=170, quotactl=179, open_by_handle_at=304, name_to_handle_at=303,
        timer_create=222, setxattr=188, seccomp=317, landlock_create_ruleset=444, rt_sigqueueinfo=129,
        pkey_alloc=330, vmsplice=278, splice=275, tee=276, sendfile=40, copy_file_range=326, arch_prctl=158,
        modify_ldt=154, iopl=172, ioperm=173, mbind=237, move_pages=279, set_mempolicy=238, setrlimit=160,
        sched_setaffinity=203, sched_setscheduler=144, ioprio_set=251, openat2=437, mseal=462, mremap=25,
    ),
    "aarch64": dict(
        ptrace=117, setuid=146, personality=92, setpriority=140, mount=40, unshare=97, setns=268,
        io_uring_setup=425, keyctl=219, add_key=217, bpf=280, perf_event_open=241, userfaultfd=282,
        process_vm_readv=270, process_vm_writev=271, memfd_create=279, memfd_secret=447, execveat=281,
        clone3=435, shmget=194, msgget=186, semget=190, mq_open=180, prctl=167, fanotify_init=262,
        inotify_init1=26, pidfd_open=434, pidfd_getfd=438, kcmp=272, reboot=142, swapon=224, chroot=51,
        pivot_root=41, init_module=105, finit_module=273, kexec_load=104, acct=89, syslog=116,
        clock_settime=112, sethostname=161, quotactl=60, open_by_handle_at=265, name_to_handle_at=264,
        timer_create=107, setxattr=5, seccomp=277, landlock_create_ruleset=444, rt_sigqueueinfo=138,
        pkey_alloc=289, vmsplice=75, splice=76, tee=77, sendfile=71, copy_file_range=285,
        mbind=235, move_pages=239, set_mempolicy=237, sched_setaffinity=122, sched_setscheduler=119,
        ioprio_set=30, openat2=437, mseal=462, mremap=216,
    ),
}[platform.machine()]

_write, _done = os.write, set()


def say(text):
    """Print past whatever was done to `print` and `sys.stdout`."""
    _write(1, (text + "\n").encode("utf-8", "replace"))


def attempt(what, call):
    """Try it, tell how it ended, and give what came of it, or None."""
    try:
        result = call()
    except BaseException as error:
        number = getattr(error, "errno", None)
        say(f"tried {what}: {type(error).__name__} {errno.errorcode.get(number, '-')}")
        return None
    say(f"tried {what}: GOT {str(result)[:200]!r}")
    return result


def once(attack):
    """Run an attack at its first call in this process."""
    if attack not in _done:
        _done.add(attack)
        attack()


def system_call(name, *arguments):
    """Ask the kernel without anybody between; an OSError if it refuses."""
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    number = SYSTEM_CALLS[name] if isinstance(name, str) else name
    wide = [each if isinstance(each, bytes) or each is None else ctypes.c_long(each) for each in arguments]
    ctypes.set_errno(0)
    result = library.syscall(ctypes.c_long(number), *wide)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def descriptors():
    """All that are open here."""
    found = []
    for number in range(256):
        try:
            os.fstat(number)
        except OSError:
            continue
        found.append(number)
    return found
