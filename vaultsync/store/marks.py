"""Small facts that one pass leaves to the next, such as where git was or the bytes that we wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultsync.store.connection import Reader, Writer


def find(db: Reader, name: str) -> str | None:
    """Return what was left under this name."""
    row = db.row("SELECT value FROM marks WHERE name = ?", [name])
    return None if row is None else str(row[0])


def keep(tx: Writer, name: str, value: str) -> None:
    """Leave a fact, unless one of this name was left before."""
    tx.run("INSERT OR IGNORE INTO marks (name, value) VALUES (?, ?)", [name, value])


def put(tx: Writer, said: Mapping[str, str | None]) -> None:
    """Leave facts (name -> value) in the place of those before; None leaves nothing."""
    tx.many("DELETE FROM marks WHERE name = ?", [(name,) for name in said])
    tx.many(
        "INSERT INTO marks (name, value) VALUES (?, ?)",
        [(name, value) for name, value in said.items() if value is not None],
    )
