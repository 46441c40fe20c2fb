"""Moves that leave no vanished path beside a new one: over a path that stands, or by way of a copy."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from vaultsync.domain.identity.exact import SHORT, near, same_bytes, tells
from vaultsync.domain.identity.resemblance import is_generic, loose_name
from vaultsync.domain.identity.terms import Pair

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from vaultsync.domain.identity.terms import Gone, Rewritten, Young
    from vaultsync.domain.notes import NotePath


def vacated(
    rewritten: Sequence[Rewritten],
    was: Sequence[Gone],
    vanished: Collection[NotePath],
    standing: Iterable[NotePath],
    unclaimed: Collection[str] = (),
) -> set[NotePath]:
    """Return the rewritten paths onto which another note was moved, so that their own note has to be found.

    Swaps, chains and cycles are moves onto each other's paths: a path is vacated if its bytes are those that
    one other path had, and that path vanished or is vacated too. A copy over a note vacates nothing.

    `was`: the notes, with traits, that at the last scan held bytes which a rewritten path holds now.
    `standing`: all known paths that are still there. `unclaimed`: hashes of the files that no note claims.
    """
    changed = [file for file in rewritten if file.old_hash != file.new_hash]
    source = _sources(changed, was, {*standing, *vanished}, unclaimed)
    moved = set(source)
    while stayed := {path for path in moved if source[path] not in moved and source[path] not in vanished}:
        moved -= stayed
    return moved


def _sources(
    changed: Sequence[Rewritten],
    was: Sequence[Gone],
    known: Collection[NotePath],
    unclaimed: Collection[str],
) -> dict[NotePath, NotePath]:
    """Return from which path each changed one has its bytes, where there is no doubt."""
    now = Counter(file.new_hash for file in changed)
    had = Counter(note.content_hash for note in was)
    once = {note.content_hash: note for note in was if had[note.content_hash] == 1 and not note.is_blank}
    bearers = Counter(map(loose_name, known)) if once else Counter()
    return {
        file.path: once[file.new_hash].path
        for file in changed
        if now[file.new_hash] == 1
        and file.new_hash in once
        and file.new_hash not in unclaimed
        and _is_told(once[file.new_hash], file.path, bearers)
    }


def _is_told(note: Gone, path: NotePath, bearers: Counter[str]) -> bool:
    """Whether a note is known by its content, or by a name that only its two paths bear."""
    if note.traits and note.traits.size >= SHORT:
        return True
    name = loose_name(path)
    return loose_name(note.path) == name and bearers[name] <= 2 and not is_generic(name)  # noqa: PLR2004 -- its two


def moved_in_two_steps(gone: Sequence[Gone], young: Sequence[Young]) -> list[Pair]:
    """Return which young note is a vanished one: it was seen as a copy while its original still stood.

    Both have the same bytes, not blank, and no rival; a content that tells nothing needs a near name besides,
    which can be known only of a note with traits.
    """
    return [Pair(note.node_id, path, "hash") for note, path in same_bytes(gone, young) if _may_be(note, path)]


def _may_be(note: Gone, copy: NotePath) -> bool:
    return note.traits is None or tells(note.traits) or near(loose_name(note.path), loose_name(copy))
