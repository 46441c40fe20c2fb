"""The one note or summary that a REF means: a path in the vault, a title or alias that it alone has, or a uid."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING
from unicodedata import normalize

from vaultsync.domain.errors import AmbiguousRef, UnknownRef
from vaultsync.domain.names import caseless, name_key, path_key
from vaultsync.store import details

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultsync.store.connection import Reader
    from vaultsync.store.details import Known

LISTED = 8
"""Notes that an ambiguous REF's error lists."""

SUGGESTED = 3

_UID = re.compile(r"[0-9a-f][0-9a-f-]{7,35}")
"""A uid or the beginning of one; under 8 characters, chance would answer (commands.md)."""


def find_ref(index: Reader, ref: str) -> Known:
    """Return what `ref` means; a path goes before a name, a name before a uid, a note before a summary.

    Raises AmbiguousRef, which lists what may be meant, and UnknownRef, which suggests near ones.
    """
    for look in (_at_path, _summary_at_path, _named, _summary_named, _with_uid):
        found = look(index, ref)
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousRef(_ambiguous(ref, found))
    raise UnknownRef(_unknown(index, ref))


def find_path(index: Reader, ref: str) -> Known | None:
    """Return what stands at the path that `ref` spells, with or without `.md`; None if nothing or several do."""
    found = _at_path(index, ref) or _summary_at_path(index, ref)
    return found[0] if len(found) == 1 else None


def _at_path(index: Reader, ref: str) -> list[Known]:
    """Paths that differ only in case or normal form are one, unless both are there: then spelling decides."""
    wanted = ref.removeprefix("./")
    key = path_key(wanted)
    alike = [
        note
        for note in details.named(index, key.rpartition("/")[2], aliases=False)
        if note.path and path_key(note.path) == key
    ]
    composed = normalize("NFC", wanted)
    exact = [note for note in alike if note.path in {wanted, f"{wanted}.md"}]
    spelled = [note for note in alike if normalize("NFC", note.path or "") in {composed, f"{composed}.md"}]
    return exact or spelled or alike


def _summary_at_path(index: Reader, ref: str) -> list[Known]:
    key = path_key(ref.removeprefix("./"))
    return [found for found in details.summaries(index) if found.path and path_key(found.path) == key]


def _named(index: Reader, ref: str) -> list[Known]:
    name = ref.strip()
    found = {note.node_id: note for note in details.named(index, name_key(name), aliases=True)}
    key = caseless(name)
    for node_id, title in details.titles(index):
        if node_id not in found and caseless(title) == key and (note := details.known(index, node_id)):
            found[node_id] = note
    return sorted(found.values(), key=lambda note: note.label)


def _summary_named(index: Reader, ref: str) -> list[Known]:
    key = caseless(ref.strip())
    return [
        found
        for found in details.summaries(index)
        if caseless(found.title) == key or (found.path and name_key(found.path.rpartition("/")[2]) == key)
    ]


def _with_uid(index: Reader, ref: str) -> list[Known]:
    beginning = ref.strip().lower()
    if not _UID.fullmatch(beginning):
        return []
    of_summaries = [found for found in details.summaries(index) if found.uid.startswith(beginning)]
    return details.with_uid(index, beginning) + of_summaries


def _ambiguous(ref: str, found: Sequence[Known]) -> str:
    paths = ", ".join(note.label for note in found[:LISTED])
    more = f" and {len(found) - LISTED} more" if len(found) > LISTED else ""
    what, path = ("notes", "its path") if found[0].kind == "note" else ("summaries", "its path or uid")
    by = "more of the uid" if _UID.fullmatch(ref) else path
    return f'"{ref}" may mean {len(found)} {what}: {paths}{more}. Say which one by {by}.'


def _unknown(index: Reader, ref: str) -> str:
    near = _near(index, ref)
    if near:
        return f'No note is called "{ref}". Did you mean {" or ".join(near)}?'
    return f'No note is called "{ref}". Find it with `vaultsync search`.'


def _near(index: Reader, ref: str) -> list[str]:
    """Return the paths of notes whose name or alias is like that of `ref` or holds it, the likest first.

    Only names with the same first letter are compared: a slip seldom hits that one, and 100,000 take seconds.
    """
    key = name_key(ref.strip()).rpartition("/")[2]
    if not key:
        return []
    paths: dict[str, str] = {}
    for name, path in details.names_like(index, key):
        paths.setdefault(name, path)
    holding = sorted((name for name in paths if key in name), key=len)
    likest = difflib.get_close_matches(key, paths, n=SUGGESTED) + holding
    return list(dict.fromkeys(paths[name] for name in likest))[:SUGGESTED]
