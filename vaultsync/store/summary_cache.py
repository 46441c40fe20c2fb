"""Texts that a model wrote, by what they were made from: the same input asks nobody twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultsync.store.connection import Reader, Writer


class Cached(NamedTuple):
    """A text and who wrote it."""

    text: str
    generator: str


def find(db: Reader, input_digest: str, preferred: str) -> Cached | None:
    """Return a text made from this input: the preferred generator's, else the one kept last."""
    row = db.row(
        """
        SELECT text, generator FROM summary_cache WHERE input_digest = ?
        ORDER BY generator = ? DESC, made_at DESC, generator LIMIT 1
        """,
        [input_digest, preferred],
    )
    return Cached._make(row) if row else None


def keep(tx: Writer, input_digest: str, made: Cached, now: int) -> None:
    """Keep a text; `now` in seconds since 1970."""
    tx.run(
        "INSERT OR REPLACE INTO summary_cache (input_digest, generator, text, made_at) VALUES (?, ?, ?, ?)",
        [input_digest, made.generator, made.text, now],
    )


def forget(tx: Writer, input_digests: Iterable[str]) -> None:
    """Forget all texts made from these inputs."""
    tx.many("DELETE FROM summary_cache WHERE input_digest = ?", [(digest,) for digest in input_digests])
