"""Facts of the ledger: whose note moves, which gives way, and which file waits for its uid."""

from __future__ import annotations

from vaultsync.domain.claims import Claims, Relabel, claim
from vaultsync.domain.notes import Fingerprint, NotePath, Uid
from vaultsync.domain.survey import IndexedFile


def row(path: str, uid: str, number: int, *, alive: bool = True) -> IndexedFile:
    return IndexedFile(
        number, number, Uid(uid), NotePath(path), Fingerprint(1, 1, 1, number, 1), racy=False, content_hash="h",
        role="note", withheld=None, held=None, ignored=False, alive=alive, profile="",
    )  # fmt: skip


def settle(rows: list[IndexedFile], facts: dict[str, str]) -> Claims:
    said = {NotePath(path): Uid(uid) for path, uid in facts.items()}
    return claim(rows, said, {row.uid: row for row in rows if row.uid in said.values() and row.uid})


def places(claims: Claims) -> dict[str, str | None]:
    return {row.path: row.uid for row in claims.rows}


def test_without_facts_nothing_changes() -> None:
    """The rows are as they were."""
    rows = [row("a.md", "A", 1), row("b.md", "B", 2)]
    assert settle(rows, {}) == Claims(rows, {}, (), (), {})


def test_a_note_goes_where_its_uid_is() -> None:
    """As in a rename: its old path is nobody's."""
    claims = settle([row("a.md", "A", 1)], {"b.md": "A"})
    assert places(claims) == {"b.md": "A"}
    assert claims.moved["b.md"].path == "a.md"  # type: ignore[index]


def test_a_tombstone_comes_back_where_its_uid_is() -> None:
    """Another machine saw where it went."""
    claims = settle([row("a.md", "A", 1, alive=False)], {"b.md": "A"})
    assert not claims.rows[0].alive
    assert places(claims) == {"b.md": "A"}


def test_who_stands_in_the_way_is_displaced() -> None:
    """It is missed, and may be found elsewhere; a tombstone in the way is missed by nobody."""
    living = settle([row("a.md", "A", 1), row("b.md", "B", 2)], {"b.md": "A"})
    assert [row.uid for row in living.displaced] == ["B"]
    assert places(living) == {"b.md": "A"}
    buried = settle([row("a.md", "A", 1), row("b.md", "B", 2, alive=False)], {"b.md": "A"})
    assert buried.displaced == ()


def test_two_notes_change_places() -> None:
    """A swap that another machine saw displaces nobody."""
    claims = settle([row("a.md", "A", 1), row("b.md", "B", 2)], {"b.md": "A", "a.md": "B"})
    assert places(claims) == {"b.md": "A", "a.md": "B"}
    assert claims.displaced == ()


def test_a_uid_that_no_note_has_goes_to_the_note_at_the_path() -> None:
    """The note stays, with its rows; only what it is called changes."""
    claims = settle([row("a.md", "A", 1)], {"a.md": "X"})
    assert claims.relabels == (Relabel(1, Uid("X")),)
    assert places(claims) == {"a.md": "X"}


def test_a_uid_that_no_note_has_waits_for_its_file() -> None:
    """The file is read later; so too where the note that stood there leaves."""
    assert settle([], {"a.md": "X"}).given == {"a.md": "X"}
    claims = settle([row("a.md", "A", 1)], {"a.md": "X", "b.md": "A"})
    assert claims.given == {"a.md": "X"}
    assert claims.relabels == ()
    assert places(claims) == {"b.md": "A"}


def test_what_is_so_already_is_left_alone() -> None:
    """A fact that says what the index says changes nothing."""
    rows = [row("a.md", "A", 1)]
    assert settle(rows, {"a.md": "A"}) == Claims(rows, {}, (), (), {})
