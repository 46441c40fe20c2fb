"""What goes into a summary and what comes out of it."""

from __future__ import annotations

from typing import NamedTuple


class Source(NamedTuple):
    """A note of a bucket, or the summary of a bucket below.

    `texts`: the note's leaves in order, as markdown, each with the heading it begins with; of a summary, its text.
    `headings`: the note's headings in order, as written; they stand for a note in which no sentence is found.
    """

    title: str
    headings: tuple[str, ...]
    texts: tuple[str, ...]


class Line(NamedTuple):
    """A paragraph of a summary: markdown on one line, and the number of the source that it came from."""

    text: str
    source: int


class Summary(NamedTuple):
    """A summary's lines in the order of their sources, and its text: the lines with a blank one between.

    `tokens` is the sum of its sentences' estimates. No source, or nothing to say: no lines, "" and 0.
    """

    text: str
    tokens: int
    lines: tuple[Line, ...]
