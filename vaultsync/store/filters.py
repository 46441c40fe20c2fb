"""A search's filters as conditions on nodes (n) and files (f)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import normalize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vaultsync.domain.filters import Filters
    from vaultsync.store.connection import Reader

_DAY: Final = "coalesce(n.event_date, date(n.updated_at, 'unixepoch'))"


class Condition(NamedTuple):
    """An SQL condition with its named parameters. `narrow`: it leaves out more than a kind of node."""

    sql: str
    params: Mapping[str, object]
    narrow: bool


def condition(db: Reader, filters: Filters) -> Condition:
    """Return the condition that holds for the nodes that pass."""
    parts = list(_conditions(db, filters))
    params = {name: value for _, given in parts for name, value in given.items()}
    narrow = any(sql != _KIND for sql, _ in parts)
    return Condition(" AND ".join(sql for sql, _ in parts) or "TRUE", params, narrow)


_KIND: Final = "n.kind = :kind"


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
            {"tagged": json.dumps(_tagged(db, tag))},
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
    wanted = json.dumps(tag.lstrip("#").strip("/").casefold(), ensure_ascii=False)
    rows = db.rows(
        "SELECT id, tags FROM nodes WHERE tags LIKE ? AND deleted_at IS NULL",
        ["%" + wanted[1:-1] + "%" if wanted.isascii() else "%"],
    )
    return [node for node, tags in rows if wanted in (low := tags.casefold()) or f"{wanted[:-1]}/" in low]
