"""Split a note's frontmatter from its body and read it; what is wrong is a problem, never an exception."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from frontmatter.default_handlers import YAMLHandler

from vaultsync.domain.fences import FENCED, fence_at, line_at, split
from vaultsync.domain.notes import Link, Metadata, Problem
from vaultsync.domain.yaml_values import YamlValues, read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vaultsync.domain.fences import Fence

_BLANKS: Final = re.compile(r"\s*+")
_COMMAS: Final = re.compile(r",")
_COMMAS_OR_BLANKS: Final = re.compile(r"[,\s]+")


@dataclass(frozen=True, slots=True)
class Properties:
    """What the frontmatter says.

    `metadata`: JSON values only. `keys`: as they are spelled in it, by their name without regard to case; of
    several the last. `written`: by key path (`related.0`, `o.p`), the text of each date, boolean
    and number whose JSON reads otherwise (`1.10`, `007`, `yes`). `links`: the values that are a link as a
    whole, their spans in characters of the text, without the quotes.
    """

    metadata: Metadata
    keys: dict[str, str]
    written: dict[str, str]
    title: str | None
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    description: str | None
    links: tuple[Link, ...]
    problems: tuple[Problem, ...]


class NoteHandler(YAMLHandler):
    """Frontmatter as Obsidian has it, for python-frontmatter's own functions, which also write it."""

    FM_BOUNDARY = FENCED

    def detect(self, text: str) -> bool:
        """Whether the text starts with frontmatter."""
        return split(text) is not None

    def split(self, text: str) -> tuple[str, str]:
        """Return the YAML and the body; raises ValueError where there is no frontmatter."""
        fence = split(text)
        if fence is None:
            raise ValueError("no frontmatter")
        return text[fence.start : fence.end], text[fence.body :]

    def load(self, fm: str, **_: object) -> Metadata:
        """Return the values that the YAML holds, as far as it can be read."""
        return read_yaml(fm, 0, len(fm), line=1).metadata


def read(text: str, fence: Fence) -> Properties:
    """Read the frontmatter; never raises."""
    found = read_yaml(text, fence.start, fence.end, line=2)
    return _properties(found, (*found.problems, *_second_block(text, fence)))


def recall(metadata: Metadata, written: dict[str, str]) -> Properties:
    """Return what was read once, from `metadata` and `written` as they were kept; links and problems were not."""
    return _properties(YamlValues(metadata, written), ())


def _properties(found: YamlValues, problems: tuple[Problem, ...]) -> Properties:
    keys = {key.casefold(): key for key in found.metadata}
    return Properties(
        metadata=found.metadata,
        keys=keys,
        written=found.written,
        title=_text(found, keys.get("title")),
        aliases=distinct(alias.strip() for alias in _several(found, ("aliases", "alias"), _COMMAS)),
        tags=distinct(tag.strip().lstrip("#") for tag in _several(found, ("tags", "tag"), _COMMAS_OR_BLANKS)),
        description=_text(found, keys.get("description")) or _text(found, keys.get("summary")),
        links=tuple(found.links),
        problems=problems,
    )


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names that are not empty, each once without regard to case, as first spelled."""
    spellings: dict[str, str] = {}
    for name in names:
        if name:
            spellings.setdefault(name.casefold(), name)
    return tuple(spellings.values())


def as_text(found: YamlValues | Properties, path: str, value: Any) -> str | None:  # noqa: ANN401 -- any JSON value
    """Return a scalar as the person wrote it; None for a list, a mapping or nothing."""
    if isinstance(value, str):
        return found.written.get(path, value).strip() or None
    if value is None or isinstance(value, (list, dict)):
        return None
    return found.written.get(path) or json.dumps(value)


def _text(found: YamlValues, key: str | None) -> str | None:
    return None if key is None else as_text(found, key, found.metadata[key])


def _several(found: YamlValues, names: tuple[str, ...], separators: re.Pattern[str]) -> Iterator[str]:
    """Yield the texts of these keys; one string is split, the items of a list are not."""
    for key, value in found.metadata.items():
        if key.casefold() not in names:
            continue
        if isinstance(value, list):
            texts = (as_text(found, f"{key}.{n}", item) for n, item in enumerate(value))
            yield from filter(None, texts)
        elif text := as_text(found, key, value):
            yield from separators.split(text)


def _second_block(text: str, fence: Fence) -> Iterator[Problem]:
    """Yield a problem if another block follows at once (F60: a tool put its own in front)."""
    blanks = _BLANKS.match(text, fence.body)
    start = blanks.end() if blanks else fence.body
    if text.startswith("---", start) and (second := fence_at(text, start)) and second.end > second.start:
        message = "a second frontmatter block follows the first; only the first counts"
        yield Problem("frontmatter-twice", message, line_at(text, start))
