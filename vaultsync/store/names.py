"""The names by which links find notes."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from vaultsync.domain.names import name_key
from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultsync.domain.notes import NotePath
    from vaultsync.store.connection import Writer

    Names = frozenset[tuple[str, bool]]
    """Each a key, and whether it is an alias."""


def names_of(path: NotePath, aliases: Iterable[str]) -> Names:
    """Return the names of a note: that of its file, and its aliases."""
    return frozenset({(_file_key(path), False), *((name_key(alias), True) for alias in aliases)})


def key_hash(key: str | None) -> int | None:
    """Return what stands for a key where links are many: 48 bits, the most that SQLite keeps in six bytes.

    Two keys with one hash cost a link that is resolved once too often.
    """
    if key is None:
        return None
    return int.from_bytes(blake2b(key.encode(), digest_size=6).digest(), signed=True)


def add(tx: Writer, names: Mapping[int, Names]) -> set[str]:
    """Give nodes (by id) that have none their names; return the keys."""
    came = [(key, node_id, alias) for node_id, given in names.items() for key, alias in given]
    tx.many("INSERT INTO names (key, node_id, is_alias) VALUES (?, ?, ?)", came)
    return {key for key, _, _ in came}


def replace(tx: Writer, names: Mapping[int, Names]) -> set[str]:
    """Give nodes these names and no others; return the keys that came or went."""
    old = _stored(tx, names)
    gone = [(key, node_id, alias) for node_id in names for key, alias in old[node_id] - names[node_id]]
    tx.many("DELETE FROM names WHERE key = ? AND node_id = ? AND is_alias = ?", gone)
    came = add(tx, {node_id: names[node_id] - old[node_id] for node_id in names})
    return came | {key for key, _, _ in gone}


def rename_files(tx: Writer, paths: Mapping[int, NotePath]) -> set[str]:
    """Give nodes the names of files at `paths`, keep their aliases; return the keys that came or went."""
    old = _stored(tx, paths)
    aliases = {node_id: frozenset(name for name in old[node_id] if name[1]) for node_id in paths}
    return replace(
        tx, {node_id: aliases[node_id] | {(_file_key(path), False)} for node_id, path in paths.items()}
    )


def _file_key(path: NotePath) -> str:
    return name_key(path.rpartition("/")[2])


def _stored(tx: Writer, node_ids: Iterable[int]) -> dict[int, Names]:
    found: dict[int, set[tuple[str, bool]]] = {node_id: set() for node_id in node_ids}
    for node_id, key, alias in tx.rows(
        "SELECT node_id, key, is_alias FROM names WHERE node_id IN (SELECT value FROM json_each(?))",
        [to_json(list(found))],
    ):
        found[node_id].add((key, bool(alias)))
    return {node_id: frozenset(names) for node_id, names in found.items()}
