"""A summary note taken apart into what is ours and what is the user's; whatever the bytes, nothing raises."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from vaultsync.domain import fences
from vaultsync.domain.decoding import decode
from vaultsync.domain.notes import Problem
from vaultsync.domain.summary_note.content import digest_of, text_of, title_of, with_lf
from vaultsync.domain.summary_note.record import CLOSING, OPENING, read

if TYPE_CHECKING:
    from vaultsync.domain.summary_note.record import Block, Record

BEGIN: Final = "%% vaultsync:begin %%"
END: Final = "%% vaultsync:end %%"
BOM: Final = "\ufeff"

OUR_KEYS: Final = ("publish: false", "draft: true")

SHORT: Final = 18
"""Characters of an id in the frontmatter: three groups, since of two (`1234567e-8912`) YAML may make a number."""

MARK: Final = re.compile(
    r"^vaultsync[ \t]*+:[ \t]*+([\"']?)(?P<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){2})\1[ \t]*+(?=\r?$)", re.MULTILINE
)
_BEGIN: Final = re.compile(rf"^{BEGIN}[ \t]*+(?:\r?\n|\Z)", re.MULTILINE)
_END: Final = re.compile(rf"^{END}[ \t]*+(?=\r?$)", re.MULTILINE)
_OPENING: Final = re.compile(rf"^{OPENING}[ \t]*+(?:\r?\n|\Z)", re.MULTILINE)
_CLOSING: Final = re.compile(rf"^{CLOSING}[ \t]*+(?=\r?$)", re.MULTILINE)

_OURS: Final = re.compile(r"^<{7} ", re.MULTILINE)
_THEIRS: Final = re.compile(r"^>{7} ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Parts:
    """A summary note in its pieces, in order: together they are the file.

    `head`: all before our part, the begin marker's line too. `part`: what stands between the markers.
    `middle`: from the end marker to the data block. `tail`: all behind the block. Line ends are as in the
    file; bytes that are no UTF-8 are lone surrogates.
    """

    head: str
    part: str
    middle: str
    block: Block
    tail: str

    @property
    def record(self) -> Record:
        """What the note says of its summary."""
        return self.block.record

    @property
    def line_end(self) -> str:
        """What ends our lines."""
        return "\r\n" if self.head.endswith("\r\n") else "\n"

    @property
    def is_unchanged(self) -> bool:
        """Whether the text between the markers is as a machine wrote it, targets of links aside."""
        return digest_of(self.part) == self.block.digest

    @property
    def is_ours_alone(self) -> bool:
        """Whether no word in the file is the user's: only then it may go."""
        outside = f"{self.head}\n{self.middle}\n{self.tail}".removeprefix(BOM)
        ours = {"", "---", mark(self.record.id), *OUR_KEYS, BEGIN, END}
        return (
            self.is_unchanged
            and not self.block.others
            and ours.issuperset(line.strip() for line in outside.split("\n"))
        )

    @property
    def title(self) -> str:
        """The heading at the start of our part, in markdown; empty if there is none."""
        return title_of(with_lf(self.part))

    @property
    def text(self) -> str:
        """The summary without its title and maps, in markdown; what a machine wrote is `inert` of itself."""
        return text_of(with_lf(self.part))


def mark(summary: str) -> str:
    """Return the line of frontmatter that marks the note of the summary with this id."""
    return f"vaultsync: {summary[:SHORT]}"


def recognise(raw: bytes) -> str | None:
    """Return the short id in the frontmatter that marks a note as ours; None if it is not ours.

    `vaultsync: ignore` is no mark, and markers without one are a user's. A marked note may be broken:
    `take_apart` tells.
    """
    found = _marks(decode(raw).text)
    return found[0]["id"] if found else None


def take_apart(raw: bytes) -> Parts | Problem | None:
    """Return a note's parts; None if it is not marked as ours; a problem if it is and must not be written.

    Problems: `not-utf8` (UTF-16), `conflict-markers`, `summary-markers` (a marker or the data block is missing,
    twice there or out of order), `summary-data` (the data block can't be read, or is another summary's).
    """
    if recognise(raw) is None:
        return None
    if decode(raw).encoding.startswith("utf-16"):
        return Problem("not-utf8", "the generated note was saved as UTF-16; save it as UTF-8")
    text = raw.decode("utf-8", "surrogateescape")
    bom = BOM if text.startswith(BOM) else ""
    return _conflict(text) or _cut(text.removeprefix(BOM), bom)


def _marks(text: str) -> list[re.Match[str]]:
    """Return the marks in the frontmatter; a conflict may stand in it, or around it (F108)."""
    fence = fences.split(text)
    if fence:
        return list(MARK.finditer(text, fence.start, fence.end))
    begin = _BEGIN.search(text) if _conflict(text) else None
    return list(MARK.finditer(text, 0, begin.start())) if begin else []


def _conflict(text: str) -> Problem | None:
    ours = _OURS.search(text)
    if ours is None or not _THEIRS.search(text, ours.end()):
        return None
    line = fences.line_at(text, ours.start())
    return Problem("conflict-markers", "a merge left both sides in the generated note", line)


def _cut(text: str, bom: str) -> Parts | Problem:
    begin, end, opening = (_only(pattern, text) for pattern in (_BEGIN, _END, _OPENING))
    if not (begin and end and opening and begin.end() <= end.start() and end.end() < opening.start()):
        return Problem("summary-markers", f"not each of `{BEGIN}`, `{END}` and `{OPENING}` stands once")
    closing = _CLOSING.search(text, opening.end())
    block = read(with_lf(text[opening.end() : closing.start()])) if closing else None
    if not closing or not block or [found["id"] for found in _marks(text)] != [block.record.id[:SHORT]]:
        line = fences.line_at(text, opening.start())
        return Problem("summary-data", "the data block can't be read, or is that of another summary", line)
    head, part = bom + text[: begin.end()], text[begin.end() : end.start()]
    return Parts(head, part, text[end.start() : opening.start()], block, text[closing.end() :])


def _only(marker: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return the one place of a marker; None if there is none or are several."""
    found = list(marker.finditer(text))
    return found[0] if len(found) == 1 else None
