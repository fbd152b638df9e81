"""What a process may do once it is locked, how far that is enforced here, and locking it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from isolation_fast import _native
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.numbers import integer

LevelName: TypeAlias = Literal["full", "partial", "none"]

NOBODY: Final = 65534
"""The user and group without rights, on every Linux system."""

SEALING: Final = "sealing"
MOST: Final = 2**31 - 1
"""Beyond every limit that means something."""


@dataclass(frozen=True)
class Policy:
    """What a process keeps when it is locked.

    >>> Policy(readable=("/usr/share/dict",), cpu_seconds=60).open_files
    64
    >>> Policy(memory=0)
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.InvalidArgumentError: memory must be an integer from 1 to 2,147,483,647, not 0
    """

    readable: tuple[str, ...] = ()
    """Files, and folders with all that is in them, that it may read. `/dev/null` is allowed besides."""
    listable: tuple[str, ...] = ()
    """Folders, with all below them, whose names it may list. What is in a file there it may not read."""
    memory: int | None = 2048
    """MiB of address space, of all that the process has, what it uses already included. None: no limit."""
    cpu_seconds: int | None = None
    """Seconds of CPU time in the whole life of the process: a backstop, that ends it. None: no limit."""
    open_files: int = 64
    """How many files it may have open at a time."""
    user: int | None = None
    """The number of the user and group that it becomes where it is root: `NOBODY`. None: it stays root.

    What is `readable` stays so, whoever owns it, if root has the capability to read whatever the modes say.
    """
    parent: int | None = None
    """The process that must be its parent, and with which it ends. None: it may outlive it."""
    keeps_engine: bool = False
    """Whether the engine stays open: in a process that runs nobody's Python."""

    def __post_init__(self) -> None:
        for name in ("readable", "listable"):
            paths = getattr(self, name)
            if isinstance(paths, str) or not all(isinstance(path, str) for path in paths):
                raise InvalidArgumentError(f"{name} must be a tuple of paths, not {paths!r}")
            object.__setattr__(self, name, tuple(paths))
        for name, least in (("memory", 1), ("cpu_seconds", 1), ("open_files", 0), ("user", 1), ("parent", 0)):
            value = getattr(self, name)
            if value is not None or name == "open_files":
                object.__setattr__(self, name, integer(name, value, least, MOST))


@dataclass(frozen=True)
class Level:
    """How much of a jail there is.

    >>> level = Level(enforced=("files", "writing"), missing=("sockets",), landlock=3)
    >>> level.name
    'partial'
    >>> Level.from_dict(level.to_dict()) == level
    True
    """

    enforced: tuple[str, ...]
    """What is kept from the process: `isolation_fast.jail` says what each word means."""
    missing: tuple[str, ...]
    """What was asked for and could not be done on this system."""
    landlock: int = 0
    """The version of the kernel's Landlock interface; 0 where there is none."""

    @property
    def name(self) -> LevelName:
        """`full` where nothing is missing, `none` where neither files nor system calls are kept from it.

        Without `sealing`, which Linux knows since 6.10, it is `full` too: the list of system calls stands in.

        >>> Level((), ("files", "system calls", "memory")).name
        'none'
        """
        if not {"files", "system calls"} & set(self.enforced):
            return "none"
        return "partial" if set(self.missing) - {SEALING} else "full"

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it.

        >>> Level(("files",), (), 7).to_dict()
        {'name': 'full', 'enforced': ['files'], 'missing': [], 'landlock': 7}
        """
        return {
            "name": self.name,
            "enforced": list(self.enforced),
            "missing": list(self.missing),
            "landlock": self.landlock,
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Level:
        """The level that `to_dict` wrote; an `InvalidArgumentError` for what is none.

        >>> Level.from_dict({"enforced": ["files"], "missing": [], "landlock": 7}).name
        'full'
        """
        words = [given.get("enforced"), given.get("missing")]
        landlock = given.get("landlock")
        lists = all(isinstance(each, list) and all(isinstance(word, str) for word in each) for each in words)
        if not lists or not isinstance(landlock, int) or isinstance(landlock, bool):
            raise InvalidArgumentError(f"no level of a jail: {given!r}")
        return cls(tuple(words[0] or ()), tuple(words[1] or ()), landlock)


def available() -> Level:
    """What `lock_down` would get here for a policy that asks for all it can. Locks nothing.

    In a process that was locked it is what that got.

    >>> set(available().enforced).isdisjoint(available().missing)
    True
    """
    return _level(_native.jail_available())


def lock_down(policy: Policy) -> Level:
    """Lock this process for good, and tell what is enforced.

    What can be refused is refused by a `JailError` before anything is locked: no jail on this system, other
    threads (each has rights of its own), a path that does not exist, another parent, a process that was
    locked before, less memory than is in use.
    """
    if not isinstance(policy, Policy):
        raise TypeError(f"lock_down takes a Policy, not {policy!r}")
    kept = policy.memory, policy.cpu_seconds, policy.open_files, policy.user, policy.parent
    found = _native.jail_lock_down(
        list(policy.readable), list(policy.listable), *kept, keeps_engine=policy.keeps_engine
    )
    return _level(found)


def is_locked() -> bool:
    """Whether this process was locked.

    >>> is_locked()
    False
    """
    return _native.is_locked()


def _level(found: tuple[list[str], list[str], int]) -> Level:
    enforced, missing, landlock = found
    return Level(tuple(enforced), tuple(missing), landlock)
