"""Taking a process's rights away, for good, before it runs other people's code.

>>> from isolation_fast.jail import Policy, available, is_locked
>>> available().name in ("full", "partial", "none")
True
>>> is_locked()
False
>>> Policy(readable=("/usr/lib/python3",), memory=1024).memory
1024

A process that is locked computes, reads the files that its policy names, reads and writes the pipes that it
has open already, and sleeps. All else that it asks the system for is refused with a `PermissionError`,
to Python and to libraries in C alike. There is no way back. The engine is locked too: `search`, `evaluate`,
`perft`, `play_game`, tournaments and native heuristics raise `EngineLockedError`, so that a submission cannot
borrow them; boards, and `isolation_fast.reference`, go on working.

    import os
    os.environ["OPENBLAS_NUM_THREADS"] = "1"     # a process with other threads is not locked
    import numpy                        # what is imported in time is there; other libraries cannot be loaded
    from isolation_fast import jail

    level = jail.lock_down(jail.Policy(readable=("/path/of/submission",)))
    if level.missing:
        print("not enforced here:", *level.missing)

What was open before stays open, but a file takes no more of what is written: let stdout be a pipe or a
terminal.

It needs Linux, on x86-64 or AArch64, but neither root nor a container. Elsewhere `available().name` is
`"none"`, and `lock_down` is a `JailError`.

What each word of a `Level` means, which is kept from the process:

| word | what it cannot do |
|---|---|
| `files` | read files but those of the policy and `/dev/null` (that others exist is not hidden) |
| `writing` | make, change, rename or remove files |
| `sockets` | open sockets of any kind |
| `processes` | start processes, threads or programs |
| `signals` | send signals to others |
| `tracing` | trace others, or touch their memory |
| `machine code` | execute code that it wrote, or load a library; callbacks of ctypes go with that |
| `system calls` | call the system but by a list of what computing needs |
| `memory` | take more address space than it was given |
| `user` | be root |
| `sealing` | move or replace the memory of our engine, or change its rights: from Linux 6.10 on |

`JailedProcess` is one submission in such a process, as its referee sees it: loaded, asked for moves, ended.
"""

from isolation_fast.endings import Fault
from isolation_fast.exceptions import NurseryEndedError
from isolation_fast.jail.archives import Archive
from isolation_fast.jail.copies import content_digest, files_seen
from isolation_fast.jail.folders import BESIDE, OnDisk, remove_folder, shown
from isolation_fast.jail.intake import InMemory, InZip, Item, Tree, is_python, plain_name, share, take_in
from isolation_fast.jail.pool import Pool, shared_pool, survives_its_nursery
from isolation_fast.jail.process import (
    Answer,
    Assignment,
    JailedProcess,
    Limits,
    ask_constants,
    outline,
    read_heuristics,
)
from isolation_fast.jail.yardstick import shared_yardstick
from isolation_fast.process import Output
from isolation_fast.worker.calling import leaf_value
from isolation_fast.worker.messages import Call, Called, Loaded
from isolation_fast.worker.policy import NOBODY, Level, LevelName, Policy, available, is_locked, lock_down

__all__ = [
    "BESIDE",
    "NOBODY",
    "Answer",
    "Archive",
    "Assignment",
    "Call",
    "Called",
    "Fault",
    "InMemory",
    "InZip",
    "Item",
    "JailedProcess",
    "Level",
    "LevelName",
    "Limits",
    "Loaded",
    "NurseryEndedError",
    "OnDisk",
    "Output",
    "Policy",
    "Pool",
    "Tree",
    "ask_constants",
    "available",
    "content_digest",
    "files_seen",
    "is_locked",
    "is_python",
    "leaf_value",
    "lock_down",
    "outline",
    "plain_name",
    "read_heuristics",
    "remove_folder",
    "share",
    "shared_pool",
    "shared_yardstick",
    "shown",
    "survives_its_nursery",
    "take_in",
]
