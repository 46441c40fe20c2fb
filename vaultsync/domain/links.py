"""How a link finds its note, in the order in which Obsidian's `getFirstLinkpathDest` looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from vaultsync.domain.names import link_path, path_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultsync.domain.notes import LinkKind, LinkMatch, NotePath

_BESIDE, _WHOLE, _TAIL, _ALIAS = range(4)
"""What a link spells, best first: a note's path from the link's folder, its path, the end of it, an alias."""


class Candidate(NamedTuple):
    """A note whose name, or if `is_alias` an alias, has the key sought; `generated`: it is one of ours."""

    node_id: int
    path: NotePath
    is_alias: bool
    generated: bool = False


class Resolution(NamedTuple):
    """The note that a link means, and how it was found.

    `relative`: the link, read from the folder of the note it stands in, is the note's path.
    `path`: it names a folder or begins with `/`, and is the note's path or the end of it; or it points into
    its own note. `name`: it is a bare name, and the note's. `alias`: it is only an alias of the note.
    """

    node_id: int
    match: LinkMatch


class _Sought(NamedTuple):
    """A link's path made ready: `beside` and `whole` are keys; `spelled` is the whole path with its case."""

    beside: str | None
    whole: str
    spelled: str
    folder: str
    bare: bool
    rooted: bool


class _Rank(NamedTuple):
    """How well a candidate answers; the least answers best."""

    generated: bool
    spelling: int
    afar: bool
    length: int
    miscased: bool
    path: NotePath


def resolve(
    link: str, kind: LinkKind, source_path: NotePath, source_id: int, candidates: Sequence[Candidate]
) -> Resolution | None:
    """Return what `link` (decoded, without display text) means in the note at `source_path`; None if nothing.

    `candidates`: every note with a name or alias whose key is the link's `target_key`.

    A markdown link is read from its note's folder first; `./` and `../` always are, and stop at the root.
    Then come the whole path from the root, the end of a path (a bare name is one) and, for a bare name, the
    aliases. Of several notes, those in or below the link's folder come first, then the shortest path, then
    one in the link's own case, then path order. Generated notes answer only where no other note does.

    Obsidian compares beginnings and ends of paths letter by letter, so that `[[ary/n]]` finds `diary/n.md`;
    here folder names are compared whole. Obsidian knows no alias here: hence a match of its own kind.
    """
    path = link_path(link)
    if not path:
        return Resolution(source_id, "path")
    # Most links are a bare name that one note has; ranking it would cost three times as much.
    if len(candidates) == 1 and kind != "markdown" and "/" not in path:
        return Resolution(candidates[0].node_id, "alias" if candidates[0].is_alias else "name")
    sought = _seek(path, kind, source_path)
    ranked = [(rank, found) for found in candidates if (rank := _rank(found, sought))]
    if not ranked:
        return None
    rank, best = min(ranked)
    return Resolution(best.node_id, _match(rank.spelling, bare=sought.bare))


def _seek(path: str, kind: LinkKind, source_path: NotePath) -> _Sought:
    folder = source_path.rpartition("/")[0]
    rooted = path.startswith("/")
    dotted = path.startswith(("./", "../"))
    beside = _join(folder, path) if dotted or (kind == "markdown" and not rooted) else None
    whole = beside if dotted and beside else _join("", path)
    return _Sought(
        beside=beside and path_key(beside),
        whole=path_key(whole),
        spelled=_spell(whole),
        folder=folder and f"{path_key(folder)}/",
        bare="/" not in path,
        rooted=rooted,
    )


def _join(folder: str, path: str) -> str:
    if not folder and "/" not in path:
        return path
    parts = folder.split("/") if folder else []
    for part in path.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)


def _rank(candidate: Candidate, sought: _Sought) -> _Rank | None:
    key = path_key(candidate.path)
    spelling = _spelling(candidate, key, sought)
    if spelling is None:
        return None
    return _Rank(
        candidate.generated,
        spelling,
        not key.startswith(sought.folder),
        len(key),
        not _spell(candidate.path).endswith(sought.spelled),
        candidate.path,
    )


def _spelling(candidate: Candidate, key: str, sought: _Sought) -> int | None:
    if candidate.is_alias:
        return _ALIAS if sought.bare else None
    if key == sought.beside:
        return _BESIDE
    if key == sought.whole:
        return _WHOLE
    return _TAIL if not sought.rooted and key.endswith(f"/{sought.whole}") else None


def _spell(path: str) -> str:
    return normalize("NFC", path).removesuffix(".md")


def _match(spelling: int, *, bare: bool) -> LinkMatch:
    if spelling == _BESIDE:
        return "relative"
    if spelling == _ALIAS:
        return "alias"
    return "name" if bare else "path"
