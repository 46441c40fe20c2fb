"""What this machine has seen of the vault's ledger, and the notes that its lines speak of."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import normalize

from vaultsync.domain.ledger import Line, Note
from vaultsync.domain.notes import NotePath
from vaultsync.store.as_json import to_json
from vaultsync.store.paths import DISPLACED

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultsync.domain.notes import Uid
    from vaultsync.store.connection import Reader, Writer

_NOTES = """
    SELECT n.uid, f.path, n.private OR f.withheld IS NOT NULL, n.deleted_at IS NULL
    FROM nodes n JOIN files f ON f.node_id = n.id
    WHERE n.kind = 'note'
"""
_SWEPT = "SELECT uid, '', 0, 0 FROM swept WHERE TRUE"


def seen(db: Reader) -> frozenset[Line]:
    """Return the lines that are no news."""
    return frozenset(map(Line._make, db.all("SELECT uid, path FROM ledger")))


def seen_of(db: Reader, notes: Collection[Note]) -> frozenset[Line]:
    """Return the lines that are no news and name one of these notes, or its path."""
    rows = db.all(
        """
        SELECT uid, path FROM ledger
        WHERE uid IN (SELECT value FROM json_each(:uids)) OR path IN (SELECT value FROM json_each(:paths))
        """,
        {
            "uids": to_json([note.uid for note in notes]),
            "paths": to_json([normalize("NFC", note.path) for note in notes]),
        },
    )
    return frozenset(map(Line._make, rows))


def remember(tx: Writer, lines: frozenset[Line]) -> None:
    """Let these be the lines that are no news."""
    before = seen(tx)
    tx.many("DELETE FROM ledger WHERE uid = ? AND path = ?", before - lines)
    tx.many("INSERT INTO ledger (uid, path) VALUES (?, ?)", lines - before)


def all_notes(db: Reader) -> list[Note]:
    """Return all notes, those that vanished and those that were swept (without a path) too."""
    return _as_notes(db.all(f"{_NOTES} UNION ALL {_SWEPT}"))


def notes(db: Reader, uids: Collection[Uid], paths: Collection[NotePath]) -> list[Note]:
    """Return the notes with one of these uids or at one of these paths, composed or decomposed, as `all_notes`."""
    spelled = {normalize(form, path) for path in paths for form in ("NFC", "NFD")}
    return _as_notes(
        db.all(
            f"""
            {_NOTES} AND n.uid IN (SELECT value FROM json_each(:uids)) UNION
            {_NOTES} AND f.path IN (SELECT value FROM json_each(:paths)) UNION ALL
            {_SWEPT} AND uid IN (SELECT value FROM json_each(:uids))
            """,
            {"uids": to_json(list(uids)), "paths": to_json(list(spelled))},
        )
    )


def _as_notes(rows: list[tuple[Uid, NotePath, int, int]]) -> list[Note]:
    return [
        Note(uid, NotePath(path.partition(DISPLACED)[0]), bool(private), bool(alive))
        for uid, path, private, alive in rows
    ]
