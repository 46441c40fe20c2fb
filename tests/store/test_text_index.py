"""The full-text indexes hold exactly the text that may be found, and answer in the order of weight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from notebook import write_of

from vaultsync.domain.filters import Filters
from vaultsync.domain.query import parse
from vaultsync.store import text_index
from vaultsync.store.filters import condition
from vaultsync.store.text_search import MANY, Ask, all_of, any_of, chunks, count, nodes

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultsync.store.connection import Database

    Written = Callable[..., Database]


def found(database: Database, query: str, *, forms: bool = False, notes: int = 10) -> list[int]:
    """Return the nodes of which a chunk holds all terms of `query`, best first."""
    reader = database.read()
    asked = parse(query)
    counted = count(reader, asked.terms, twin=asked.unspaced)
    ask = Ask(all_of(counted, twin=asked.unspaced, forms=forms))
    rows = chunks(reader, ask, condition(reader, Filters()), twin=asked.unspaced, notes=notes)
    return [row.node_id for row in rows]


def test_a_twin_holds_the_whole_row(written: Written) -> None:
    """Latin headings over Japanese text, or the other way round, are found together."""
    database = written(
        write_of("A.md", "会議 plan", headings=["Wood"]), write_of("B.md", "plain", headings=["木材"])
    )
    assert found(database, "wood 会議") == [1]
    assert found(database, "木材 plain") == [2]


def test_text_with_blanks_has_no_twin(written: Written) -> None:
    """The second index costs nothing where it is not needed."""
    database = written(write_of("A.md", "plain text"), write_of("B.md", "会議"))
    assert [row_id for (row_id,) in database.read().rows("SELECT rowid FROM chunks_spaced")] == [2]
    assert database.read().value("SELECT count(*) FROM nodes_spaced") == 0


def test_a_changed_chunk_is_mended(written: Written) -> None:
    """Triggers keep the plain index; the spaced one follows through `mend_chunks`."""
    database = written(write_of("A.md", "会議"))
    with database.write() as tx:
        tx.run("UPDATE chunks SET text = '予定'")
        text_index.mend_chunks(tx, [1])
    assert found(database, "会議") == []
    assert found(database, "予定") == [1]


def test_rebuilding_changes_no_answer(written: Written) -> None:
    """What `doctor` builds again is what was there."""
    database = written(write_of("A.md", "walnut 会議"), write_of("B.md", "walnut"))
    queries = ["walnut", "会議", "walnut 会議"]
    before = [found(database, query) for query in queries]
    with database.write() as tx:
        text_index.rebuild(tx)
        text_index.rebuild_spaced(tx)
    assert [found(database, query) for query in queries] == before == [[2, 1], [1], [1]]


def test_a_heading_weighs_more_than_text(written: Written) -> None:
    """A section named after the word is about it."""
    rest = [write_of(f"N{n}.md", "other words entirely") for n in range(5)]
    database = written(
        write_of("A.md", "walnut among other words"),
        write_of("B.md", "some words", headings=["Walnut"]),
        *rest,
    )
    assert found(database, "walnut") == [2, 1]


def test_counts_stop_where_a_term_is_frequent(written: Written) -> None:
    """A fifth of the chunks, or MANY, is enough to know."""
    database = written(*[write_of(f"N{n}.md", f"common {'rare' if n < 3 else ''}") for n in range(150)])
    common, rare, absent = count(database.read(), parse("common rare absent").terms, twin=False)
    assert (common.frequent, common.chunks) == (True, 31)
    assert (rare.frequent, rare.chunks) == (False, 3)
    assert (absent.frequent, absent.chunks) == (False, 0)


@pytest.mark.slow
def test_of_very_many_chunks_the_newest_are_weighed(written: Written) -> None:
    """A word that stands everywhere still finds notes, and no more work is done than for a rare one."""
    database = written(*[write_of(f"N{n}.md", "common") for n in range(3 * MANY)])
    rows = found(database, "common")
    assert len(rows) >= 10
    assert min(rows) > MANY


def test_a_title_weighs_more_than_a_property(written: Written) -> None:
    """Title, alias, tag, description, property: in this order."""
    rest = [write_of(f"N{n}.md", "x") for n in range(20)]
    database = written(
        write_of("A.md", properties="walnut"),
        write_of("B.md", description="walnut"),
        write_of("C.md", tags=["walnut"]),
        write_of("D.md", aliases=["walnut"]),
        write_of("E.md", title="walnut"),
        *rest,
    )
    reader = database.read()
    match = any_of(count(reader, parse("walnut").terms, twin=False), twin=False, forms=True)
    rows = nodes(reader, match, condition(reader, Filters()), twin=False, limit=10)
    assert [row.node_id for row in rows] == [5, 4, 3, 2, 1]
