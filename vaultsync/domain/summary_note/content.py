"""What stands between the markers of a summary note, and the digest by which a person's change is seen."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, Literal, NamedTuple
from unicodedata import normalize

from vaultsync.domain.names import ATTACHMENT_SUFFIXES, caseless
from vaultsync.domain.summary_note.inert import inert, inert_line, label
from vaultsync.domain.uris import obsidian_uri
from vaultsync.domain.wikilinks import wiki_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vaultsync.domain.notes import NotePath
    from vaultsync.domain.summary_note.record import Record

LinkStyle = Literal["wikilink", "uri"]

_NO_WIKILINK: Final = re.compile(
    "[\\[\\]|#^\\\\`<>$\x00-\x1f\x7f-\x9f\ud800-\udfff]|[^\\S ]|%%|::|\\A[ /]| \\Z|(?:\\A|/)\\.\\.?(?:/|\\Z)"
)
"""In the path of a note that no wikilink reaches, or only with luck."""

_KEEPS_SUFFIX: Final = (".md", *ATTACHMENT_SUFFIXES)

_WIKILINK: Final = re.compile(r"(?<!\\)\[\[([^\[\]\n]++)\]\]")
_LINK: Final = re.compile(
    r"(?<!\\)\[((?:\\.|[^\\\[\]\n])*+)\]\((?:<[^<>\n]*+>|(?:[^()<>\n]|\([^()\n]*+\))*+)\)"
)

_ENTRY: Final = rf"[ \t]*+- (?:{_WIKILINK.pattern}|{_LINK.pattern})[ \t]*+(?:\n|\Z)"
_TITLE: Final = re.compile(r"\A\s*+# ([^\n]*+)(?:\n|\Z)")
_SECTION: Final = re.compile(rf"^(?:## [^\n]*+\n\n?+)?(?:{_ENTRY})++", re.MULTILINE)


class Entry(NamedTuple):
    """A line of a map: a link to the note at `path`; `depth` 0 is a child, 1 a child's child."""

    path: NotePath
    label: str
    depth: int = 0


class Section(NamedTuple):
    """A list of links under a heading; without entries it is not written."""

    heading: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Content:
    """All that a summary note is to say.

    `text`: markdown; of it, `inert(text)` is written. Keep that in the store, and hash that, so that a text
    taken back from the note is the same. `typed`: a person wrote `text`; then that is written as it is, and its
    note says that no machine wrote it. `vault`: its name, for URIs. `draft` and `publish: false` are what
    publishers go by; both are written into a new note only.
    """

    record: Record
    title: str
    text: str
    sections: tuple[Section, ...] = ()
    links: LinkStyle = "wikilink"
    vault: str = ""
    draft: bool = True
    typed: bool = False


def body(content: Content) -> str:
    """Return what stands between the markers, in lines that end in LF."""
    title = inert_line(content.title)
    sections = (_section(section, content) for section in content.sections if section.entries)
    text = content.text if content.typed else inert(content.text)
    pieces = [f"# {title}" if title else "", text, *sections]
    return "".join(f"\n{piece}\n" for piece in pieces if piece) + "\n"


def digest_of(part: str) -> str:
    """Return the hash (16 bytes in hex) of what stands between the markers, whatever its line ends.

    Of links only the text counts: Obsidian writes their targets anew when a note is renamed, may turn
    `[[folder/new|new]]` into `[[new]]`, and the style of links is a setting.
    """
    seen = _LINK.sub(r"[[\1]]", _WIKILINK.sub(_shown, with_lf(part)))
    return blake2b(seen.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def title_of(part: str) -> str:
    """Return the title, in markdown; empty if there is none. `part` has LF only."""
    found = _TITLE.match(part)
    return found[1].strip() if found else ""


def text_of(part: str) -> str:
    """Return the text without title, links and their headings. `part` has LF only."""
    return _SECTION.sub("", _TITLE.sub("", part, count=1)).strip()


def with_lf(text: str) -> str:
    """Return the text with CRLF made LF."""
    return text.replace("\r\n", "\n")


def _section(section: Section, content: Content) -> str:
    lines = "\n".join(_lines(section.entries, content))
    heading = inert_line(section.heading)
    return f"## {heading}\n\n{lines}" if heading else lines


def _lines(entries: Iterable[Entry], content: Content) -> Iterator[str]:
    """Yield a list item each; one that stands two levels deeper than the one before would be code."""
    depth = -1
    for entry in entries:
        depth = min(entry.depth, depth + 1)
        yield f"{'  ' * depth}- {_link(entry, content)}"


def _link(entry: Entry, content: Content) -> str:
    path = normalize("NFC", entry.path)
    stem = path.removesuffix(".md")
    text = label(entry.label) or label(stem.rpartition("/")[2]) or "?"
    if content.links == "wikilink" and not _NO_WIKILINK.search(path):
        return f"[[{path if caseless(stem).endswith(_KEEPS_SUFFIX) else stem}|{text}]]"
    return f"[{text}]({obsidian_uri(content.vault, path)})"


def _shown(link: re.Match[str]) -> str:
    _, target, text = wiki_parts(link[1])
    return f"[[{target.rpartition('/')[2] if text is None else text}]]"
