"""The files that carry our mark, held against the summaries: which have news for the store, and which are gone."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from vaultsync.app.progress import silent
from vaultsync.app.writing.map_marks import MAP_MISSING, MAP_PATH, MAP_WRITTEN
from vaultsync.domain.notes import NotePath, Problem, Uid
from vaultsync.domain.summary_note import Parts, take_apart
from vaultsync.domain.summary_note.parts import SHORT
from vaultsync.domain.tree import Limits
from vaultsync.domain.uids import map_uid, summary_uid
from vaultsync.store import generated, marks
from vaultsync.store.generated import Standing
from vaultsync.vault import files, git

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from vaultsync.app.memory import Memory
    from vaultsync.app.progress import Progress
    from vaultsync.domain.summary_note import Record
    from vaultsync.store.connection import Reader
    from vaultsync.store.generated import MarkedFile

By = Literal["machine", "merge", "person"]
"""Who wrote what stands between a file's markers; `merge`: git made it of two texts."""

MAP_TREE = 0
"""The tree of the map of sources, which is in none; the trees' ids begin at 1."""

_DUPLICATE = "summary-duplicate"

_ENDED = (
    "no notes are below it any more, and what a person wrote in it stays; delete it, or take away its mark"
)

_UID = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MOST_ORDINALS = 999_999_999
"""What a line of `tree.tsv` may say."""


class Taking(NamedTuple):
    """A file that is to go into the store. `content_hash`: of its bytes as they were read."""

    path: NotePath
    content_hash: str
    parts: Parts
    by: By


@dataclass(slots=True)
class Found:
    """What the files say that the store does not.

    `moved`: files with known bytes at another path than theirs. `maps`: files of the map of sources. `missing`:
    summaries, and the map, without any file. `ended`: those whose file names no children any more. `left`: how many
    files there are.
    """

    takings: list[Taking] = field(default_factory=list)
    moved: list[tuple[Standing, NotePath]] = field(default_factory=list)
    maps: list[tuple[NotePath, str]] = field(default_factory=list)
    missing: list[Standing] = field(default_factory=list)
    ended: list[Standing] = field(default_factory=list)
    problems: dict[NotePath, Problem] = field(default_factory=dict)
    left: int = 0

    @property
    def has_news(self) -> bool:
        """Tell whether a file says what the store does not know."""
        return bool(self.takings or self.moved or self.maps or self.problems)


def look(memory: Memory, again: Collection[str], *, is_due: bool, progress: Progress = silent) -> Found:
    """Look at the marked files in the summaries folder, reading those with news.

    `again`: summaries whose files are read too where there is news, or `is_due`: notes have changed.
    """
    index = memory.db.read()
    known = {row.uid[:SHORT]: row for row in (*generated.standing(index), _map(memory, index))}
    by_id: defaultdict[str, list[MarkedFile]] = defaultdict(list)
    found = Found()
    waiting: list[tuple[NotePath, Standing]] = []
    for file in generated.files_below(index, memory.settings.folder):
        by_id[file.ours].append(file)
        found.left += 1
    for done, (short, copies) in enumerate(by_id.items()):
        progress("adopting", done, len(by_id))
        row = known.get(short)
        chosen = _choose(found, copies, row)
        if row and chosen.content_hash == row.written_hash and row.missing is None:
            if chosen.path != row.path:
                found.moved.append((row, chosen.path))
            elif row.uid in again:
                waiting.append((chosen.path, row))
        elif chosen.problems == "[]" or _is_duplicate(chosen):
            _read(memory, found, chosen.path, row)
    if is_due or found.has_news:
        for done, (path, row) in enumerate(waiting):
            progress("adopting", done, len(waiting))
            _read(memory, found, path, row)
    found.missing = [row for short, row in known.items() if short not in by_id]
    return found


def named_vault(root: Path, folder: str) -> str | None:
    """Return the vault's id as the generated notes at the top of the summaries folder say, if all say the same."""
    found = set()
    for place in (root / folder).glob("*.md"):
        with suppress(files.ReadFailure):
            parts = take_apart(files.read(root, f"{folder}/{place.name}").raw)
            if isinstance(parts, Parts):
                found.add(parts.record.vault)
    return found.pop() if len(found) == 1 else None


def _map(memory: Memory, index: Reader) -> Standing:
    """Return the map of sources as if it were a summary."""
    path, written, missing = (marks.find(index, name) for name in (MAP_PATH, MAP_WRITTEN, MAP_MISSING))
    return Standing(map_uid(memory.vault_id), MAP_TREE, 0, NotePath(path) if path else None, written, missing)


def _choose(found: Found, copies: Sequence[MarkedFile], row: Standing | None) -> MarkedFile:
    """Return the one of the files of a summary that counts: where its note is known to be, else the first."""
    chosen = next((file for file in copies if row and file.path == row.path), copies[0])
    for file in copies:
        if file is not chosen and not _is_duplicate(file):
            words = (
                f"a copy of {chosen.path}, the generated note that counts; delete it, or take away its mark"
            )
            found.problems[file.path] = Problem(_DUPLICATE, words)
    return chosen


def _is_duplicate(file: MarkedFile) -> bool:
    return any(code == _DUPLICATE for code, *_ in json.loads(file.problems))


def _read(memory: Memory, found: Found, path: NotePath, row: Standing | None) -> None:
    """Read a file and sort it by what is to be done with it; one that changed since it was recognised waits."""
    try:
        raw = files.read(memory.root, path).raw
    except files.ReadFailure:
        return
    parts = take_apart(raw)
    if isinstance(parts, Parts) and (problem := _problem(memory, parts)):
        parts = problem
    if isinstance(parts, Problem):
        found.problems[path] = parts
    elif parts and parts.record.level == 0:
        found.maps.append((path, files.content_hash(raw)))
    elif parts and not parts.record.children:
        found.problems[path] = Problem("summary-ended", _ENDED)
        found.ended += [row] if row else []
    elif parts:
        found.takings.append(
            Taking(path, files.content_hash(raw), parts, _who_wrote(memory, path, raw, parts))
        )


def _problem(memory: Memory, parts: Parts) -> Problem | None:
    """Return why a file that could be taken apart is none of this vault's summaries."""
    record = parts.record
    if record.vault != memory.vault_id:
        return Problem("summary-foreign", "a generated note of another vault; it is left alone")
    is_itself = record.id == map_uid(memory.vault_id) if record.level == 0 else _is_possible(record)
    return None if is_itself else Problem("summary-data", "the data block is of a summary that can't be")


def _is_possible(record: Record) -> bool:
    """Tell whether a summary can have this id, level and ordinal."""
    if not (1 <= record.level <= Limits().depth and 1 <= record.ordinal <= _MOST_ORDINALS):
        return False
    return _UID.fullmatch(record.tree) is not None and record.id == summary_uid(
        Uid(record.tree), record.ordinal
    )


def _who_wrote(memory: Memory, path: NotePath, raw: bytes, parts: Parts) -> By:
    if parts.is_unchanged:
        return "machine"
    sides = git.merged_from(memory.root, path, raw)
    return "merge" if sides and _is_mixture(parts, [take_apart(side) for side in sides]) else "person"


def _is_mixture(parts: Parts, sides: Sequence[Parts | Problem | None]) -> bool:
    """Tell whether a text was put together by git of texts that machines wrote; one more line is a person's."""
    lines: set[str] = set()
    for side in sides:
        if not isinstance(side, Parts) or not side.is_unchanged:
            return False
        lines.update(map(str.strip, side.part.splitlines()))
    return lines.issuperset(map(str.strip, parts.part.splitlines()))
