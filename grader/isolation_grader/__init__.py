"""Grading submissions for Knight's Isolation: they run without rights, and a referee decides.

| module | what it is for |
|---|---|
| `probing` | how a submission behaves: whether it loads, how its games end, what it uses and prints |
| `findings` | what that comes to |
| `exit_status` | with what status the commands of `isolation-grade` end |

It uses public names of `isolation_fast` alone, and has the same version.
"""

__all__ = ["__version__"]

# Not that of isolation_fast: this module is imported before an import that fails has its exit status.
__version__ = "0.1.0"
