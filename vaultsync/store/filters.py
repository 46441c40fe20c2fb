"""A search's filters as conditions on nodes (n) and files (f)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import normalize

from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vaultsync.domain.filters import Filters
    from vaultsync.store.connection import Reader

_DAY: Final = "coalesce(n.event_date, date(n.updated_at, 'unixepoch'))"


_FEW: Final = 2_000
"""Nodes that are few enough to name their chunks before any is matched (3 ms); more are told apart afterwards."""

_KIND: Final = "n.kind = :kind"


class Condition(NamedTuple):
    """What nodes (n) and their files (f) must be like, in SQL with named parameters.

    `narrow`: it leaves out more than a kind of node. `sieve`: the ids of all chunks of the nodes that pass, as a
    subquery, if they are few, else "".
    """

    sql: str
    params: Mapping[str, object]
    narrow: bool
    sieve: str = ""


def condition(db: Reader, filters: Filters) -> Condition:
    """Return the condition that holds for the nodes that pass."""
    parts = list(_conditions(db, filters))
    sql = " AND ".join(part for part, _ in parts) or "TRUE"
    params = {name: value for _, given in parts for name, value in given.items()}
    if all(part == _KIND for part, _ in parts):
        return Condition(sql, params, narrow=False)
    passing = (
        f"SELECT n.id FROM files f JOIN nodes n ON n.id = f.node_id WHERE {sql} AND n.deleted_at IS NULL"
    )
    nodes = [node for (node,) in db.rows(f"{passing} LIMIT {_FEW + 1}", params)]
    if len(nodes) > _FEW:
        return Condition(sql, params, narrow=True)
    named = "SELECT value FROM json_each(:passing)"
    sieve = f"SELECT id FROM chunks WHERE node_id IN ({named})"
    return Condition(f"n.id IN ({named})", {"passing": to_json(nodes)}, narrow=True, sieve=sieve)


def _conditions(db: Reader, filters: Filters) -> Iterator[tuple[str, dict[str, object]]]:
    path, source, tag = (_encodable(text) for text in (filters.path, filters.source, filters.tag))
    if filters.kind != "all":
        yield _KIND, {"kind": filters.kind}
    if path:
        glob = _glob(path)
        yield (
            "(f.path GLOB :nfc OR f.path GLOB :nfd)",
            {"nfc": normalize("NFC", glob), "nfd": normalize("NFD", glob)},
        )
    if source:
        folder = source.strip("/") + "/"
        yield "substr(f.path, 1, length(:folder)) = :folder", {"folder": folder}
    if tag:
        yield (
            "n.id IN (SELECT value FROM json_each(:tagged))",
            {"tagged": to_json(_tagged(db, tag))},
        )
    if filters.since:
        yield f"{_DAY} >= :since", {"since": filters.since}
    if filters.until:  # `~` sorts behind `-`: a year or month takes in its last day
        yield f"{_DAY} <= :until || '~'", {"until": filters.until}


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
