"""Summaries among what a search finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from grown_trees import grow, plant

from vaultsync.app.finding.search import Filters, search
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.store import summaries, tree_steps
from vaultsync.store.tree_steps import Text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vaultsync.app.finding.search import Hit
    from vaultsync.app.memory import Memory

    Write = Callable[[str, str], Path]


@pytest.fixture
def garden(memory: Memory) -> Memory:
    """Nine notes under three summaries under one, which quote a sentence of each note."""
    plant(memory)
    return memory


def hits(memory: Memory, query: str, filters: Filters, k: int = 10) -> list[Hit]:
    return list(search(memory.db, query, k=k, filters=filters).hits)


def titles(memory: Memory, query: str, filters: Filters) -> list[str]:
    return [hit.title for hit in hits(memory, query, filters)]


def retell(memory: Memory, text: str) -> None:
    """Let the summary of the first four beds say something else."""
    with memory.db.write() as tx:
        row = summaries.every(tx)[0]
        tree_steps._put_text(
            tx, tx.value("SELECT id FROM chunks WHERE uid = ?", [row.uid]), Text(text, "test")
        )


def test_notes_alone_are_found_unless_summaries_are_asked_for(garden: Memory) -> None:
    """The words of a summary crowd out no note."""
    assert {hit.kind for hit in hits(garden, "dug in spring", Filters(), 4)} == {"note"}
    assert len(hits(garden, "crop number", Filters(), 9)) == 9


def test_summaries_alone_are_found_by_their_own_text(garden: Memory) -> None:
    """Each is one hit, whose bytes are those of its text; without a note in the vault it has no path."""
    found = hits(garden, "crop number 7", Filters(kind="summary"))
    assert found[0].title in {"Garden 1.2", "Garden 2.4"}
    rows = summaries.with_uids(garden.db.read(), [hit.uid for hit in found])
    for hit in found:
        assert (hit.kind, hit.path, hit.chunk) == ("summary", None, hit.uid)
        assert (hit.start, hit.end) == (0, len(rows[hit.uid].text.encode()))


def test_a_summary_has_the_path_of_its_note_once_that_is_there(garden: Memory) -> None:
    """Not while it is only about to be written, nor when it is gone."""
    row = summaries.every(garden.db.read())[0]
    path = garden.root / "_summaries/One.md"

    def found() -> str | None:
        (hit,) = [hit for hit in hits(garden, "crop number 2", Filters(kind="summary")) if hit.uid == row.uid]
        return hit.path

    with garden.db.write() as tx:
        tx.run("UPDATE summaries SET path = ? WHERE ordinal = 1", [path.name])
    assert found() is None
    with garden.db.write() as tx:
        tx.run("UPDATE summaries SET written_hash = '00' WHERE ordinal = 1")
    assert found() == path.name
    with garden.db.write() as tx:
        summaries.miss(tx, row.uid, "deleted")
    assert found() is None


def test_a_summary_folds_under_a_note_that_it_quotes(garden: Memory) -> None:
    """One hit for both, where the better of them stood; it names the summaries."""
    found = hits(garden, "crop number 5", Filters(kind="all"))
    assert found[0].title == "Bed 5"
    above = summaries.with_uids(garden.db.read(), found[0].summaries).values()
    assert {row.title for row in above} == {"Garden 1.2", "Garden 2.4"}
    assert {hit.kind for hit in found} == {"note"}


def test_a_summary_in_words_of_its_own_is_a_hit_of_its_own(garden: Memory) -> None:
    """It quotes nothing; nor does one that quotes another sentence than the one that answers."""
    retell(garden, "Early radishes took most of the ground. Bed 3 holds crop number 3.")
    found = hits(garden, "radishes", Filters(kind="all"))
    assert [(hit.title, hit.kind, hit.summaries) for hit in found] == [("Garden 1.1", "summary", ())]


def test_a_note_takes_the_place_of_the_summary_that_quotes_it(garden: Memory, note: Write) -> None:
    """A long note that answers in passing is found where the summary would have stood."""
    note("Garden/Bed 3.md", f"{'Nothing else is said of the soil. ' * 300}The mole came on Monday.\n")
    reconcile(garden)
    retell(garden, "The mole came on Monday.")
    with garden.db.write() as tx:
        tx.run("UPDATE chunks SET parent_id = (SELECT chunk_id FROM summaries WHERE ordinal = 1)"
               " WHERE kind = 'leaf' AND text LIKE '%mole%'")  # fmt: skip
    (hit,) = hits(garden, "mole Monday", Filters(kind="all"))
    assert (hit.title, len(hit.summaries)) == ("Bed 3", 1)


def test_a_withdrawn_summary_is_not_found(garden: Memory) -> None:
    """Neither by its text nor by its title."""
    with garden.db.write() as tx:
        summaries.withdraw(tx, [tx.value("SELECT id FROM node WHERE title = 'Bed 7'")])
    withdrawn = {row.uid for row in summaries.every(garden.db.read()) if row.withdrawn}
    assert len(withdrawn) == 2
    for kind in ("summary", "all"):
        for query in ("crop number 7", "Garden 1.2", "#"):
            found = hits(garden, query, Filters(kind=kind))
            assert withdrawn.isdisjoint(uid for hit in found for uid in (hit.uid, *hit.summaries))


def test_summaries_are_found_by_source_and_day(garden: Memory) -> None:
    """By their tree, and by the days of the notes below them."""
    grow(garden, "Log")
    assert titles(garden, "rain", Filters(kind="summary", source="Garden")) == []
    assert titles(garden, "rain", Filters(kind="summary", source="Log")) != []
    assert titles(garden, "rain", Filters(kind="summary", source="Log", until="2026-02")) == []
    assert titles(garden, "rain", Filters(kind="summary", until="2026-03-01")) != []
    assert titles(garden, "rain", Filters(kind="all", since="2026-03-04"))[0] == "2026-03-04"


def test_notes_of_a_source_are_those_of_its_tree_too(garden: Memory) -> None:
    """Also while they lie elsewhere, until they are placed anew."""
    with garden.db.write() as tx:
        tx.run("UPDATE trees SET folder = 'Allotment'")
    assert titles(garden, "crop number 7", Filters(source="Allotment"))[0] == "Bed 7"
    assert titles(garden, "crop number 7", Filters(source="Garden"))[0] == "Bed 7"
    assert titles(garden, "crop number 7", Filters(source="Log")) == []
