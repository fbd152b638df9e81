"""Puts the page together: templates, style and script in one file that may load nothing."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from isolation_fast.output import visible
from isolation_grader.report import Report
from isolation_grader.showing.html.replays import replays
from isolation_grader.showing.html.views import page_view

__all__ = ["text"]

PACKAGE: Final = "isolation_grader.showing.html"
# What would end the element that holds the data, or begin another; and ends of lines to JavaScript of old.
ESCAPES: Final = {ord(each): f"\\u{ord(each):04x}" for each in "<>&\u2028\u2029"}


def text(report: Report) -> str:
    """The page, whole.

    Whatever a submission printed or named is text in it: it is escaped, and shown with its control characters
    written out. No script runs but the page's own, whose hash the page carries.
    """
    style, script = _source("style.css"), _source("replay.js")
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            page=page_view(report),
            policy=_policy(style, script),
            style=Markup(style),
            script=Markup(script),
            replays=_json(replays(report)),
        )
    )


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader(PACKAGE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )


def _shown(value: object) -> object:
    """What stands in a template's braces, before it is escaped."""
    return visible(value) if isinstance(value, str | bytes) and not isinstance(value, Markup) else value


def _source(name: str) -> str:
    environment = _environment()
    assert environment.loader is not None
    source, _, _ = environment.loader.get_source(environment, name)
    # A browser hashes what it has read, in which a line ends with one character whatever the file has.
    return "\n".join(source.splitlines())


def _policy(style: str, script: str) -> str:
    """Nothing is loaded, sent or framed, and of style and script only these run."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash(script)}",
            f"style-src {_hash(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _hash(source: str) -> str:
    digest = hashlib.sha256(source.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _json(content: Any) -> Markup:
    """As it may stand within a `script` element."""
    # Only escapes that JSON itself undoes, so that no text can end the element.
    written = json.dumps(content, separators=(",", ":"), allow_nan=False).translate(ESCAPES)
    return Markup(written)
