"""A report as a page: one file with all that it needs, for a browser, a projector or a printer.

`page` puts it together from the templates; `views` says what stands in it, `charts` where the bars end, and
`replays` which lost games can be stepped through.
"""

from isolation_grader.showing.html.page import text

__all__ = ["text"]
