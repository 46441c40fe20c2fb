"""A search's filters as conditions on nodes (n), their files (f), and what a summary is besides (s; its tree: g)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import normalize

from vaultsync.store import climbing
from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from vaultsync.domain.filters import Filters
    from vaultsync.store.connection import Reader

DAY: Final = "coalesce(n.event_date, date(n.updated_at, 'unixepoch'))"
"""The day that a note is of."""

_FEW: Final = 2_000
"""Nodes that are few enough to name their chunks before any is matched (3 ms); more are told apart afterwards."""

_KIND: Final = "n.kind = :kind"
_SEEN: Final = "s.withdrawn IS NOT 1"

_IN_SOURCE: Final = """
    substr(f.path, 1, length(:folder)) = :folder
    OR n.id IN (SELECT node_id FROM chunks
                WHERE tree_id IN (SELECT id FROM trees WHERE folder = :source) AND kind = 'leaf')
"""
"""Below the source's folder, or placed in its tree."""


_FILES: Final = " LEFT JOIN files f ON f.node_id = n.id"
_SUMMARIES: Final = """
    LEFT JOIN chunks m ON m.uid = n.uid AND m.kind = 'summary' LEFT JOIN summaries s ON s.chunk_id = m.id
    LEFT JOIN trees g ON g.id = s.tree_id
"""


class Condition(NamedTuple):
    """What nodes (n) and their files (f) must be like, in SQL with named parameters.

    `narrow`: it leaves out more than a kind of node. `sieve`: the ids of all chunks of the nodes that pass, as a
    subquery, if they are few, else "". `joins`: what it must be joined to `nodes n` for.
    """

    sql: str
    params: Mapping[str, object]
    narrow: bool
    sieve: str = ""
    joins: str = _FILES


def condition(db: Reader, filters: Filters) -> Condition:
    """Return the condition that holds for the nodes that pass; a summary that is withdrawn never does."""
    parts = list(_conditions(db, filters))
    sql = " AND ".join(part for part, _ in parts) or "TRUE"
    params = {name: value for _, given in parts for name, value in given.items()}
    of_notes = filters.kind == "note"
    joins = _FILES if of_notes else _FILES + _SUMMARIES
    if filters.kind != "summary" and all(part in {_KIND, _SEEN} for part, _ in parts):
        return Condition(sql, params, narrow=False, joins=joins)
    known = "files f JOIN nodes n ON n.id = f.node_id" if of_notes else f"nodes n{joins}"
    passing = f"SELECT n.id FROM {known} WHERE {sql} AND n.deleted_at IS NULL LIMIT {_FEW + 1}"
    nodes = [node for (node,) in db.rows(passing, params)]
    if len(nodes) > _FEW:
        return Condition(sql, params, narrow=True, joins=joins)
    return only(nodes)


def only(nodes: Collection[int]) -> Condition:
    """Return the condition that holds for these nodes."""
    named = "SELECT value FROM json_each(:passing)"
    sieve = f"SELECT id FROM chunks WHERE node_id IN ({named})"
    return Condition(f"n.id IN ({named})", {"passing": to_json(list(nodes))}, narrow=True, sieve=sieve)


def _conditions(db: Reader, filters: Filters) -> Iterator[tuple[str, dict[str, object]]]:
    of_notes = filters.kind == "note"
    path, source, tag = (_encodable(text) for text in (filters.path, filters.source, filters.tag))
    if filters.kind != "all":
        yield _KIND, {"kind": filters.kind}
    if not of_notes:
        yield _SEEN, {}
    if path:
        glob = _glob(path)
        column = "f.path" if of_notes else "coalesce(f.path, s.path)"
        yield (
            f"({column} GLOB :nfc OR {column} GLOB :nfd)",
            {"nfc": normalize("NFC", glob), "nfd": normalize("NFD", glob)},
        )
    if source:
        of_tree = "" if of_notes else "g.folder = :source OR "
        folder = source.strip("/")
        yield f"({of_tree}{_IN_SOURCE})", {"source": folder, "folder": f"{folder}/"}
    if tag:
        yield (
            "n.id IN (SELECT value FROM json_each(:tagged))",
            {"tagged": to_json(_tagged(db, tag))},
        )
    if filters.since or filters.until:
        yield _dated(db, filters)


def _dated(db: Reader, filters: Filters) -> tuple[str, dict[str, object]]:
    """Return what holds for notes of these days and, unless notes alone are asked for, the summaries above them."""
    days, params = days_between(filters.since, filters.until)
    if filters.kind == "note":
        return days, params
    above = to_json(climbing.over_notes(db, days, params))
    return f"(n.kind = 'note' AND {days} OR n.id IN (SELECT value FROM json_each(:above)))", {
        **params,
        "above": above,
    }


def days_between(since: str | None, until: str | None) -> tuple[str, dict[str, object]]:
    """Return what holds for the notes (n) of these days, months or years, both included; None is no bound."""
    parts: list[str] = []
    params: dict[str, object] = {}
    if since:
        parts.append(f"{DAY} >= :since")
        params["since"] = since
    if until:  # `~` sorts behind `-`: a year or month takes in its last day
        parts.append(f"{DAY} <= :until || '~'")
        params["until"] = until
    return " AND ".join(parts) or "TRUE", params


def _encodable(text: str | None) -> str:
    """Return the text, halves of surrogate pairs as U+FFFD: no name in the database holds either."""
    return (text or "").encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def _glob(path: str) -> str:
    below = path.removeprefix("./").lstrip("/")
    return below if any(sign in below for sign in "*?[") else below + "*"


def _tagged(db: Reader, tag: str) -> list[int]:
    """Return the nodes that have the tag or one below it; SQL itself folds the case of ASCII alone."""
    wanted = to_json(tag.lstrip("#").strip("/").casefold())
    rows = db.rows(
        "SELECT id, tags FROM nodes WHERE tags LIKE ? AND deleted_at IS NULL",
        ["%" + wanted[1:-1] + "%" if wanted.isascii() else "%"],
    )
    return [node for node, tags in rows if wanted in (low := tags.casefold()) or f"{wanted[:-1]}/" in low]
