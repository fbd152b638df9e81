"""A script's own objects in another process: as bytes, with the script's `__main__` made again there."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final, cast

from isolation_fast.exceptions import InvalidArgumentError, WorkerError

PROTOCOL: Final = 5
"""One for all Pythons that the package runs on, so that the bytes do not depend on that."""


def pickled(thing: Any, name: str) -> bytes:
    """The object as bytes, or an error that says what to do.

    What a notebook or an interactive session defines is in no file that another process could read. There
    cloudpickle, if it is installed, sends the code itself.

    >>> import operator
    >>> pickle.loads(pickled(operator.add, "add"))(1, 2)
    3
    """
    cause: Exception | None = None
    try:
        content = pickle.dumps(thing, protocol=PROTOCOL)
    except Exception as error:  # noqa: BLE001 - a stranger's object may raise anything when it is pickled
        problem, cause = str(error) or type(error).__name__, error
    else:
        # Without a name or a file it cannot be made again: so in a session, or in `python - < FILE`.
        if b"__main__" not in content or any(each.startswith("init_main") for each in main_again()):
            return content
        problem = "it is defined in an interactive session, which other processes do not see"
    try:
        by_value = cast("Callable[[Any, int], bytes]", import_module("cloudpickle").dumps)
        return by_value(thing, PROTOCOL)
    except ImportError:
        also = "; with the package cloudpickle installed it may work as it is"
    except Exception as error:  # noqa: BLE001 - as above
        problem, cause, also = f"{error}", error, ""
    raise InvalidArgumentError(
        f"{name} cannot be sent to the process that plays it: {problem}; "
        f"put its class or function at the top of a module, or name it as 'FILE.py:member'{also}"
    ) from cause


def main_again() -> Mapping[str, Any]:
    """What `multiprocessing` needs to make our `__main__` again in another process, as far as that goes.

    >>> sorted(set(main_again()) & {"dir", "sys_argv", "sys_path"})
    ['dir', 'sys_argv']
    """
    from multiprocessing import spawn

    data = spawn.get_preparation_data("player")
    wanted = ["sys_argv", "orig_dir", "dir", "init_main_from_name"]
    # What Python reads from stdin calls its file "<stdin>".
    if Path(data.get("init_main_from_path", "")).is_file():
        wanted.append("init_main_from_path")
    return {name: data[name] for name in wanted if name in data}


def make_main(data: Any) -> None:
    """Make the parent's `__main__` again, as processes of `multiprocessing` do."""
    from multiprocessing import process, spawn

    current: Any = process.current_process()
    # As long as this is set it refuses to start others: so a script that lacks its guard says so, and does
    # not start itself again and again.
    current._inheriting = True
    try:
        spawn.prepare(data)
    finally:
        del current._inheriting


def refuse_in_a_script_run_again() -> None:
    """An error in a process that only makes a script's `__main__` again, to find the players in it."""
    process: Any = sys.modules.get("multiprocessing.process")
    if process is not None and getattr(process.current_process(), "_inheriting", False):
        raise WorkerError(
            "the script plays its tournament again where only its players are looked for: put what is to run "
            'when it is started after `if __name__ == "__main__":`'
        )
