"""Generated notes as other machines or a person leave them, and what is taken over from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grown_vaults import about, grow, rows_of
from small_vaults import fill_vault, memory_of

from vaultsync.app.growing.duty import find_duty
from vaultsync.app.growing.extract import extract
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.app.outcomes import Adopted
from vaultsync.app.writing.adopt import adopt
from vaultsync.domain.summary_note import Content, Parts, merge, take_apart
from vaultsync.store import counts, summaries

if TYPE_CHECKING:
    from pathlib import Path

    from vaultsync.store.summaries import SummaryRow

FOLDER = "_summaries"
FIRST = f"{FOLDER}/Garden/Garden (summary 1).md"
SECOND = f"{FOLDER}/Garden/Garden (summary 2).md"
ROOT = f"{FOLDER}/Garden/Garden (summary).md"
MAP = f"{FOLDER}/Vault (summary).md"


def grow_garden(root: Path) -> Path:
    """Fill a vault with a source of seven summaries below one, and another source; write all of it back."""
    plants = (f"Plant {number}" for number in range(14))
    fill_vault(root, {**about(*plants), **about("Ann", "Bob", "Cid", "Dan", folder="People")})
    grow(root)
    assert take(root) == Adopted()
    return root


def take(root: Path) -> Adopted:
    """Read the vault and take over what generated notes say."""
    with memory_of(root, write=True) as memory:
        reconcile(memory)
        extract(memory, lambda *_: None)
        return adopt(memory, find_duty(memory))


def row_at(root: Path, path: str) -> SummaryRow:
    return next(row._replace(said=None) for row in rows_of(root) if row.path == path)


def members(root: Path, row: SummaryRow) -> list[str]:
    with memory_of(root) as memory:
        return [str(uid) for uid in summaries.members(memory.db.read(), row.uid)]


def tree(root: Path) -> list[tuple[SummaryRow, list[str]]]:
    """All that is known of the summaries, and what is below which in which order."""
    return [(row._replace(tree_id=0, said=None), members(root, row)) for row in rows_of(root)]


def texts(root: Path) -> list[tuple[SummaryRow, list[str]]]:
    """The same without the hashes of the files."""
    return [(row._replace(written_hash=None), below) for row, below in tree(root)]


def problems(root: Path) -> dict[str, str]:
    with memory_of(root) as memory:
        return {path: problem.code for path, problem in counts.problems(memory.db.read())}


def edit(place: Path, old: str, new: str) -> None:
    raw = place.read_bytes()
    assert old.encode() in raw
    place.write_bytes(raw.replace(old.encode(), new.encode()))


def apart(place: Path) -> Parts:
    parts = take_apart(place.read_bytes())
    assert isinstance(parts, Parts)
    return parts


def rewrite(root: Path, path: str, **changes: object) -> None:
    """Write a generated note as another machine would that says something else."""
    parts = apart(root / path)
    said: dict[str, object] = {"record": parts.record, "title": parts.title, "text": parts.text} | changes
    (root / path).write_bytes(merge(parts, Content(**said)))  # type: ignore[arg-type]
