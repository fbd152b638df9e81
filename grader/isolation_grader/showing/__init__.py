"""The forms of a report: one module each, all of them from the one model in `isolation_grader.report`.

| form | what it is for |
|---|---|
| `terminal` | people at a terminal: the classic table, the verdicts, what to try next, failures last |
| `json`, `csv` | programs; `csv` also as `tsv` |
| `markdown` | a comment below a submission |
| `gradescope` | Gradescope's results.json |
| `html` | one file to read in a browser, with the lost games to replay |

Whatever a submission printed, raised or named does nothing in any of them.
"""

from typing import Final

__all__ = ["FORMS"]

FORMS: Final = ("json", "csv", "markdown", "gradescope", "html")
"""What `--format` and `--write` know beside the formats of the tabulate package, which are of `terminal`."""
