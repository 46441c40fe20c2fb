"""Notes go in as they were read, keep what they are through every change, and leave nothing behind."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from readings import NOW, assert_sound, found, link_all, put, read, row, targets

from vaultsync.domain.notes import Fingerprint, NotePath, Problem, Uid
from vaultsync.domain.uids import note_uid
from vaultsync.store import nodes
from vaultsync.store.connection import Database
from vaultsync.store.nodes import HeldWrite, IgnoredWrite, Touch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vaultsync.domain.survey import IndexedFile

SEEN = Fingerprint(9, 8, 7, 6, 5)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = Database.open(tmp_path / "index.db", write=True)
    yield database
    assert_sound(database)
    database.close()


def bury(db: Database, *rows: IndexedFile) -> None:
    with db.write() as tx:
        nodes.bury(tx, rows, NOW)


def ignore(db: Database, path: str, file: IndexedFile | None) -> None:
    with db.write() as tx:
        nodes.write_ignored(tx, [IgnoredWrite(file, NotePath(path), SEEN, False, "p", "0a")], NOW)


def hold(db: Database, path: str, file: IndexedFile | None) -> None:
    new = read(path)
    problem = Problem("unreadable", "permission denied")
    held = HeldWrite(
        file, new.path, SEEN, "note", None, (file and file.uid) or new.uid, "p", "a title", problem
    )
    with db.write() as tx:
        nodes.write_held(tx, [held], NOW)


def test_a_new_note_is_known_as_it_was_read(db: Database) -> None:
    """All that planning asks of a file comes back."""
    write = read("a/One.md", "text")._replace(racy=True, role="template", withheld="glob", fingerprint=SEEN)
    put(db, write)
    known = row(db, "a/One.md")
    assert known == (
        1, 1, write.uid, "a/One.md", SEEN, True, write.reading.content_hash, "template", "glob", None,
        False, True, "test",
    )  # fmt: skip
    assert nodes.count_living(db.read()) == 1


def test_only_the_files_asked_for(db: Database) -> None:
    """A pass over some paths sees what stands at them and below them, and nothing beside them."""
    put(db, *(read(path) for path in ("a.md", "a/b.md", "a/c/d.md", "a0.md", "b.md")))
    only = [NotePath("a"), NotePath("b.md"), NotePath("nowhere.md")]
    assert {known.path for known in nodes.files(db.read(), only)} == {"a/b.md", "a/c/d.md", "b.md"}


def test_an_edit_keeps_the_node_and_its_first_day(db: Database) -> None:
    """`created_at` is when a note was first seen, `updated_at` when its content last changed."""
    put(db, read("a.md", "one")._replace(fingerprint=Fingerprint(1, 50 * 10**9, 1, 1, 1)))
    later = Fingerprint(1, 90 * 10**9, 1, 1, 1)
    times = "SELECT id, created_at, updated_at FROM nodes"
    put(db, read("a.md", "one", file=row(db, "a.md"))._replace(fingerprint=later))
    assert db.read().row(times) == (1, NOW, 50)
    put(db, read("a.md", "two", file=row(db, "a.md"))._replace(fingerprint=later))
    assert db.read().row(times) == (1, NOW, 90)
    assert (found(db, "one"), found(db, "two")) == ([], ["two"])


def test_two_notes_swap_their_paths(db: Database) -> None:
    """No path between is needed: each node goes where its text went, and no link to it breaks meanwhile."""
    put(db, read("a.md", "apple"), read("b.md", "berry"), read("c.md", links=["a", "b"]))
    link_all(db)
    first, second = row(db, "a.md"), row(db, "b.md")
    put(db, read("b.md", "apple", file=first), read("a.md", "berry", file=second))
    assert (row(db, "b.md").uid, row(db, "a.md").uid) == (first.uid, second.uid)
    assert targets(db, "c.md") == [("a", "b.md"), ("b", "a.md")]
    link_all(db)
    assert targets(db, "c.md") == [("a", "a.md"), ("b", "b.md")]


def test_a_chain_of_renames_over_two_batches(db: Database) -> None:
    """A note whose path was taken before its own turn waits as a tombstone, and then stands where it went."""
    put(db, read("a.md", "apple"), read("b.md", "berry"))
    first, second = row(db, "a.md"), row(db, "b.md")
    put(db, read("b.md", "apple", file=first))
    waiting = nodes.files(db.read())[0]
    assert (waiting.path, waiting.uid, waiting.alive) == ("b.md", second.uid, False)
    assert row(db, "b.md").uid == first.uid
    assert found(db, "berry") == []
    put(db, read("c.md", "berry", file=second))
    assert row(db, "c.md") == second._replace(path=NotePath("c.md"))
    assert found(db, "berry") == ["berry"]


def test_a_tombstone_gives_its_path_to_another_note(db: Database) -> None:
    """It remembers the path, and comes back elsewhere as what it was."""
    put(db, read("a.md", "apple"))
    gone = row(db, "a.md")
    bury(db, gone)
    put(db, read("a.md", "other")._replace(uid=read("x.md").uid))
    tombstone, standing = nodes.files(db.read())
    assert (tombstone.path, tombstone.alive, standing.path, standing.alive) == ("a.md", False, "a.md", True)
    put(db, read("b.md", "apple", file=tombstone))
    assert row(db, "b.md").uid == gone.uid


def test_a_tombstone_counts_for_nothing_and_comes_back_whole(db: Database) -> None:
    """It leaves the text indexes at once, spaced text too, and links to it break; all of it returns."""
    put(db, read("a.md", "apple 短い文", links=["b"]), read("b.md", "berry", links=["a"]))
    link_all(db)
    chunk = db.read().value("SELECT uid FROM chunks WHERE node_id = 1")
    bury(db, row(db, "a.md"))
    link_all(db)
    assert (found(db, "apple"), nodes.count_living(db.read()), targets(db, "b.md")) == ([], 1, [("a", None)])
    assert db.read().value("SELECT last_node_id FROM edges WHERE from_node_id = 2") == 1
    assert_sound(db)
    put(db, read("a.md", "apple 短い文", links=["b"], file=row(db, "a.md")))
    link_all(db)
    assert (targets(db, "a.md"), targets(db, "b.md")) == ([("b", "b.md")], [("a", "a.md")])
    assert found(db, "apple") == ["apple 短い文"]
    assert db.read().value("SELECT uid FROM chunks WHERE node_id = 1") == chunk


def test_burying_twice_keeps_the_day_of_death(db: Database) -> None:
    """A tombstone's thirty days count from when its file vanished."""
    put(db, read("a.md", "apple"))
    known = row(db, "a.md")
    bury(db, known)
    with db.write() as tx:
        nodes.bury(tx, [known], NOW + 99)
    assert db.read().value("SELECT deleted_at FROM nodes") == NOW


def test_sweeping_takes_all_but_the_uid(db: Database) -> None:
    """A swept uid is never given again; links to the note stay, unresolved."""
    put(db, read("a.md", "apple", aliases=["x"]), read("b.md", "berry", links=["a"]))
    link_all(db)
    gone = row(db, "a.md")
    bury(db, gone)
    with db.write() as tx:
        assert nodes.sweep(tx, NOW) == 0
        assert nodes.sweep(tx, NOW + 1) == 1
    assert [known.path for known in nodes.files(db.read())] == ["b.md"]
    assert gone.uid
    assert nodes.uids_given(db.read(), [gone.uid, read("z.md").uid]) == {gone.uid}
    counts = (
        "SELECT (SELECT count(*) FROM chunks), (SELECT count(*) FROM raw_refs), (SELECT count(*) FROM names)"
    )
    assert db.read().row(counts) == (1, 1, 1)
    assert targets(db, "b.md") == [("a", None)]


def test_ids_are_not_used_again(db: Database) -> None:
    """A new row would inherit what other tables still hold for the old one."""
    put(db, read("a.md", "apple", "pear"))
    bury(db, row(db, "a.md"))
    with db.write() as tx:
        nodes.sweep(tx, NOW + 1)
    put(db, read("b.md", "berry"))
    ids = "SELECT f.id, f.node_id, c.id FROM files f JOIN chunks c ON c.node_id = f.node_id"
    assert db.read().row(ids) == (2, 2, 3)


def test_an_ignored_file_is_remembered_without_a_note(db: Database) -> None:
    """It is not read again, is no note, and is forgotten when it vanishes."""
    ignore(db, "a.md", None)
    known = row(db, "a.md")
    assert (known.node_id, known.ignored, known.alive, known.fingerprint, known.content_hash) == (
        None, True, False, SEEN, "0a",
    )  # fmt: skip
    assert nodes.count_living(db.read()) == 0
    bury(db, known)
    assert nodes.files(db.read()) == []


def test_a_note_that_asks_to_be_left_out_is_buried_and_may_come_back(db: Database) -> None:
    """Its file stays known, even when the tombstone is swept."""
    put(db, read("a.md", "apple"))
    uid = row(db, "a.md").uid
    ignore(db, "a.md", row(db, "a.md"))
    assert (row(db, "a.md").ignored, row(db, "a.md").alive, found(db, "apple")) == (True, False, [])
    put(db, read("a.md", "apple", file=row(db, "a.md")))
    assert (row(db, "a.md").uid, row(db, "a.md").ignored, found(db, "apple")) == (uid, False, ["apple"])
    ignore(db, "a.md", row(db, "a.md"))
    with db.write() as tx:
        nodes.sweep(tx, NOW + 1)
    assert (row(db, "a.md").node_id, row(db, "a.md").ignored) == (None, True)
    put(db, read("a.md", "apple", file=row(db, "a.md")))
    assert row(db, "a.md").alive


def test_a_note_that_can_not_be_read_keeps_what_is_known(db: Database) -> None:
    """It is held: marked, searchable as it was, and released by the next reading or the same bytes."""
    put(db, read("a.md", "apple"))
    before = row(db, "a.md")
    hold(db, "a.md", before)
    assert row(db, "a.md") == before._replace(held="unreadable")
    assert found(db, "apple") == ["apple"]
    with db.write() as tx:
        nodes.touch(tx, [Touch(before.file_id, SEEN, False, "aside", "gitignored")])
    touched = before._replace(fingerprint=SEEN, role="aside", withheld="gitignored")
    assert row(db, "a.md") == touched
    hold(db, "a.md", before)
    put(db, read("a.md", "pear", file=row(db, "a.md")))
    assert (row(db, "a.md").held, found(db, "pear")) == (None, ["pear"])


def test_a_file_that_was_never_read_has_a_bare_note(db: Database) -> None:
    """Links find it by its name before its text is known."""
    put(db, read("b.md", "berry", links=["locked"]))
    hold(db, "Locked.md", None)
    link_all(db)
    assert (row(db, "Locked.md").held, row(db, "Locked.md").alive) == ("unreadable", True)
    assert targets(db, "b.md") == [("locked", "Locked.md")]
    put(db, read("Locked.md", "open", file=row(db, "Locked.md")))
    assert (row(db, "Locked.md").held, found(db, "open")) == (None, ["open"])


def test_a_buried_note_is_held_no_more(db: Database) -> None:
    """What is gone waits for nothing."""
    hold(db, "a.md", None)
    bury(db, row(db, "a.md"))
    assert row(db, "a.md").held is None


def test_an_unreadable_tombstone_returns_as_it_was(db: Database) -> None:
    """The file is there again, so the note is; its last known text is better than none."""
    put(db, read("a.md", "apple 短い文"))
    bury(db, row(db, "a.md"))
    hold(db, "a.md", row(db, "a.md"))
    assert (row(db, "a.md").alive, found(db, "apple")) == (True, ["apple 短い文"])


def test_a_respelled_path_changes_no_text(db: Database) -> None:
    """F50: the row, the chunks and the links stay; links are looked at again."""
    decomposed, composed = "U\u0308.md", "\u00dc.md"
    put(db, read(decomposed, "apple"), read("b.md", "berry", links=["\u00dc"]))
    link_all(db)
    known = row(db, decomposed)
    put(db, read(composed, "apple", file=known))
    link_all(db)
    assert row(db, composed) == known._replace(path=NotePath(composed))
    assert targets(db, "b.md") == [("\u00dc", composed)]


def test_places_and_holds_are_written_by_file(db: Database) -> None:
    """What a path says of a note changes without reading it."""
    put(db, read("a.md", "apple"))
    known = row(db, "a.md")
    with db.write() as tx:
        nodes.restand(tx, [(known.file_id, "template", "glob")])
        nodes.hold(tx, [(known.file_id, "placeholder")])
    assert row(db, "a.md") == known._replace(role="template", withheld="glob", held="placeholder")


def test_a_batch_that_fails_leaves_nothing(db: Database) -> None:
    """A batch is one transaction."""
    put(db, read("a.md", "apple"))
    twice = read("b.md", "berry")._replace(uid=read("a.md").uid)
    with pytest.raises(Exception, match="UNIQUE"):
        put(db, read("c.md", "cherry"), twice)
    assert [known.path for known in nodes.files(db.read())] == ["a.md"]
    assert found(db, "cherry") == []


TEXTS = st.lists(st.sampled_from(["apple", "berry", "短い文", "apple pie", "a\r\nb"]), max_size=4)
NAMES = st.sampled_from(["a.md", "b.md", "x/a.md", "x/b.md"])
LINKS = st.lists(st.sampled_from(["a", "b", "x/a", "other", "#top"]), max_size=3)
Vault = dict[str, tuple[list[str], list[str], tuple[str, ...]]]
"""By path: texts, links, aliases."""

COUNTER = itertools.count()
VAULTS = st.dictionaries(
    NAMES, st.tuples(TEXTS, LINKS, st.sampled_from([(), ("other",), ("b",)])), max_size=4
)


def follow(db: Database, vault: Vault, ways: st.DataObject) -> None:
    """Bring the database to `vault`: each note is a new one or any known one, in two batches cut anywhere."""
    known = nodes.files(db.read())
    free = [known[at] for at in ways.draw(st.permutations(range(len(known))), label="known")]
    taken = {path: free.pop() if ways.draw(st.booleans()) and free else None for path in vault}
    bury(db, *free)
    batch = [
        read(path, *texts, links=links, aliases=aliases, file=taken[path])._replace(
            uid=uid_of(path, taken[path])
        )
        for path, (texts, links, aliases) in vault.items()
    ]
    cut = ways.draw(st.integers(0, len(batch)), label="first batch")
    put(db, *batch[:cut])
    put(db, *batch[cut:])
    link_all(db)


def uid_of(path: str, file: IndexedFile | None) -> Uid:
    return file.uid if file and file.uid else note_uid("test", NotePath(path), counter=next(COUNTER))


def state(db: Database) -> list[object]:
    """Return all that a reader sees, apart from ids, uids and times."""
    queries = (
        "SELECT n.path, n.title, n.aliases, n.content_hash FROM node n ORDER BY 1",
        """
        SELECT n.path, c.chunk_idx, c.text, c.text_hash, c.embedding_hash, r.start, r."end"
        FROM node n JOIN chunks c ON c.node_id = n.id JOIN raw_refs r ON r.chunk_id = c.id ORDER BY 1, 2
        """,
        """
        SELECT n.path, e.start, e.target, e.context, e.match, t.path
        FROM node n JOIN edges e ON e.from_node_id = n.id LEFT JOIN node t ON t.id = e.to_node_id
        ORDER BY 1, 2
        """,
        "SELECT n.path, s.key, s.is_alias FROM node n JOIN names s ON s.node_id = n.id ORDER BY 1, 2, 3",
    )
    return [list(db.read().rows(query)) for query in queries]


def live_through(folder: Path, vaults: list[Vault], ways: st.DataObject) -> None:
    lived, fresh = (
        Database.open(folder / "lived.db", write=True),
        Database.open(folder / "fresh.db", write=True),
    )
    for vault in vaults:
        follow(lived, vault, ways)
        assert_sound(lived)
    follow(fresh, vaults[-1], ways)
    assert state(lived) == state(fresh)
    lived.close()
    fresh.close()


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(vaults=st.lists(VAULTS, min_size=1, max_size=4), ways=st.data())
def test_any_history_ends_like_a_first_reading(
    tmp_path_factory: pytest.TempPathFactory, vaults: list[Vault], ways: st.DataObject
) -> None:
    """The index equals the vault: whatever came before, it says what one built from nothing says."""
    live_through(tmp_path_factory.mktemp("history"), vaults, ways)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(vaults=st.lists(VAULTS, min_size=1, max_size=6), ways=st.data())
def test_many_long_histories_end_like_a_first_reading(
    tmp_path_factory: pytest.TempPathFactory, vaults: list[Vault], ways: st.DataObject
) -> None:
    """As above, for longer."""
    live_through(tmp_path_factory.mktemp("history"), vaults, ways)
