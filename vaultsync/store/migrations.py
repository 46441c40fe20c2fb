"""The numbered steps that bring a database to the newest schema, as package data."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from vaultsync.domain.errors import StateError

APPLICATION_ID = 0x76737964
"""`vsyd` in the file's header: what tells our databases from those of other programs."""


SCHEMA = Path(__file__).parent / "schema"
"""Where the steps lie. Found by the file system: importlib.resources loads zipfile at every start."""


class Migration(NamedTuple):
    """A step to `version`; the file `NNNN_what.sql` is version NNNN."""

    version: int
    path: Path

    @property
    def sql(self) -> str:
        """Return the statements."""
        return self.path.read_text(encoding="utf-8")


@cache
def known() -> tuple[Migration, ...]:
    """Return all steps, oldest first."""
    return tuple(sorted(Migration(int(path.name[:4]), path) for path in SCHEMA.glob("*.sql")))


def newest() -> int:
    """Return the version that this program reads and writes."""
    return known()[-1].version


def pending(version: int, application_id: int = APPLICATION_ID) -> tuple[Migration, ...]:
    """Return the steps that a database of `version` (0 = empty) has not seen, oldest first.

    Raises StateError for a database of another program or of a newer version of this one.
    """
    if application_id != APPLICATION_ID and (version or application_id):
        raise StateError("this database belongs to another program: point vaultsync at another state folder")
    if version > newest():
        raise StateError(
            f"this database was written by a newer vaultsync (schema {version}, this one knows {newest()}): "
            "upgrade vaultsync"
        )
    return tuple(step for step in known() if step.version > version)
