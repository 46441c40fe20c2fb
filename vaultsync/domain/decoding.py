"""A note's bytes as text, and the way back from characters to bytes."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from vaultsync.domain.notes import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
LINE_END = re.compile(rb"\r\n?|\n")
MULTIBYTE = re.compile("[^\x00-\x7f\udc80-\udcff]")
"""A character that took more than one byte, in text decoded as UTF-8 with `surrogateescape`."""


class Source:
    """A note's bytes, and the same as text.

    `text`: without the byte order mark, line ends as written. In damaged UTF-8 each bad byte is a lone
    surrogate in it, so that it can be found again: `clean` a string cut from it before it is handed out.
    `encoding`: a codec for which `raw[start:end].decode(encoding, "replace")` is the text of a span.
    """

    __slots__ = ("_base", "_width", "damaged", "encoding", "problems", "raw", "text")

    def __init__(
        self, raw: bytes, text: str, encoding: str, *, base: int = 0, problems: tuple[Problem, ...] = ()
    ) -> None:
        self.raw = raw
        self.text = text
        self.encoding = encoding
        self.problems = problems
        self.damaged = encoding == "utf-8" and bool(problems)
        self._base = base
        self._width = uniform_width(len(raw) - base, len(text), encoding)

    @property
    def plain(self) -> bool:
        """Whether character offsets are byte offsets."""
        return self._width == 1 and not self._base

    def to_bytes(self, offsets: Sequence[int]) -> list[int]:
        """Find the byte offsets in `raw` of ascending character offsets in `text`."""
        if self._width:
            return [self._base + self._width * offset for offset in offsets]
        found = []
        at, position, text, encoding = 0, self._base, self.text, self.encoding
        errors = "surrogateescape" if encoding == "utf-8" else "replace"
        for offset in offsets:
            position += len(text[at:offset].encode(encoding, errors))
            at = offset
            # The last character of UTF-16 with an odd byte at its end stands for one byte or for three.
            found.append(position if offset < len(text) else len(self.raw))
        return found

    def piece(self, start: int, end: int) -> str:
        """Give the text of a byte span of `raw`."""
        return self.raw[start:end].decode(self.encoding, "replace")

    def clean(self, string: str) -> str:
        """Give a string cut from `text` as `piece` gives it: with U+FFFD for what is no text."""
        if not self.damaged or string.isascii():
            return string
        return string.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def decode(raw: bytes) -> Source:
    """Read `raw` as UTF-8 or, by its mark, UTF-16; never raises.

    What is not quite UTF-8 and has no mark is UTF-8 with damage if any character in it takes more than one
    byte, else Windows-1252, which any bytes can be. Both are told as the problem `not-utf8`.
    """
    encoding, base = marked(raw)
    if encoding != "utf-8":
        return Source(raw, raw[base:].decode(encoding, "replace"), encoding, base=base)
    try:
        return Source(raw, raw[base:].decode(), encoding, base=base)
    except UnicodeDecodeError as error:
        return fallback(raw, base, error.start + base)


def marked(raw: bytes) -> tuple[str, int]:
    """Find the encoding that the byte order mark tells, UTF-8 without one, and the mark's length in bytes."""
    for mark, encoding in MARKS:
        if raw.startswith(mark):
            return encoding, len(mark)
    return "utf-8", 0


def fallback(raw: bytes, base: int, bad: int) -> Source:
    """Read bytes that are not UTF-8 at `bad`, each of them kept."""
    line = len(LINE_END.findall(raw, 0, bad)) + 1
    text = raw[base:].decode("utf-8", "surrogateescape")
    if base or MULTIBYTE.search(text):
        problem = Problem(
            "not-utf8", f"damaged UTF-8: a bad byte on line {line} is read as \N{REPLACEMENT CHARACTER}", line
        )
        return Source(raw, text, "utf-8", base=base, problems=(problem,))
    problem = Problem("not-utf8", f"not UTF-8 from line {line} on: read as Windows-1252", line)
    return Source(raw, raw.decode("cp1252", "replace"), "cp1252", problems=(problem,))


def uniform_width(size: int, length: int, encoding: str) -> int:
    """Count the bytes that each of `length` characters in `size` bytes takes, 0 when they may differ."""
    width = 2 if encoding.startswith("utf-16") else 1
    return width if size == width * length else 0
