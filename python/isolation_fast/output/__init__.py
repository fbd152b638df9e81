"""What commands write: messages, tables, progress, whole files, lines of JSON. Nothing here knows the game.

`isolation-fast run` imports this package before a script starts. A module that is loaded then hides a file of
its name beside the script. So modules here import `csv`, `json`, `tabulate`, `tqdm` only where they use them.
"""

from isolation_fast.output.commands import (
    INTERRUPTED,
    OLD_COMMAND,
    Bar,
    CommandError,
    Parser,
    add_compile_option,
    add_options,
    ended_politely,
    go_on,
    progress,
    report,
    say,
    visible,
)
from isolation_fast.output.files import (
    LineFile,
    WholeFile,
    is_same_file,
    json_line,
    numbered_lines,
    require_no_player,
    require_writable,
    write_json,
    write_whole,
)
from isolation_fast.output.tables import (
    DATA_FORMATS,
    Cell,
    add_format_options,
    grid_lines,
    known_format,
    print_below,
    print_table,
    print_text,
    require_stdout,
    table_text,
)

__all__ = [
    "DATA_FORMATS",
    "INTERRUPTED",
    "OLD_COMMAND",
    "Bar",
    "Cell",
    "CommandError",
    "LineFile",
    "Parser",
    "WholeFile",
    "add_compile_option",
    "add_format_options",
    "add_options",
    "ended_politely",
    "go_on",
    "grid_lines",
    "is_same_file",
    "json_line",
    "known_format",
    "numbered_lines",
    "print_below",
    "print_table",
    "print_text",
    "progress",
    "report",
    "require_no_player",
    "require_stdout",
    "require_writable",
    "say",
    "table_text",
    "visible",
    "write_json",
    "write_whole",
]
