"""The ledger tells the same to every machine that reads it, whatever a merge made of it."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain import ledger
from vaultsync.domain.ledger import Facts, Line, Note
from vaultsync.domain.notes import NotePath, Uid
from vaultsync.domain.uids import note_uid

VAULT = "a-vault"
U, V, W = (Uid(f"0000000{n}-0000-5000-8000-000000000000") for n in (1, 2, 3))


def lines(*said: tuple[Uid, str]) -> frozenset[Line]:
    return frozenset(Line(uid, NotePath(path)) for uid, path in said)


def paths(*names: str) -> set[NotePath]:
    return {NotePath(name) for name in names}


def note(uid: Uid, path: str, *, private: bool = False, alive: bool = True) -> Note:
    return Note(uid, NotePath(path), private, alive)


def plain(path: str) -> Uid:
    return note_uid(VAULT, NotePath(path))


NOTHING = lines()


def test_a_line_a_note_sorted() -> None:
    """Uid, tab, path; sorted, so that equal knowledge is equal bytes."""
    written = ledger.render(lines((V, "b.md"), (U, "Folder/a.md")))
    assert written == f"{U}\tFolder/a.md\n{V}\tb.md\n"
    assert ledger.read(written) == (lines((V, "b.md"), (U, "Folder/a.md")), 0)


def test_paths_that_would_break_a_line_are_escaped() -> None:
    """A file name may hold a line end, a tab or a backslash."""
    odd = lines((U, "a\tb\nc\rd\\t.md"))
    assert ledger.render(odd) == f"{U}\ta\\tb\\nc\\rd\\\\t.md\n"
    assert ledger.read(ledger.render(odd)) == (odd, 0)


def test_both_sides_of_a_conflict_count_and_the_base_does_not() -> None:
    """A person may sync before the conflict is resolved."""
    text = (
        f"{U}\ta.md\n<<<<<<< HEAD\n{V}\tours.md\n||||||| 1234567\n{V}\tbase.md\n=======\n"
        f"{V}\ttheirs.md\n>>>>>>> main\n{W}\tz.md\n"
    )
    assert ledger.read(text) == (lines((U, "a.md"), (V, "ours.md"), (V, "theirs.md"), (W, "z.md")), 0)


def test_what_editors_and_systems_do_to_a_file_does_not_count() -> None:
    """BOM, CRLF, blank lines, a missing last line end, decomposed names."""
    assert ledger.read(f"\ufeff{U}\ta.md\r\n\r\n{V}\tE\u0301.md") == (lines((U, "a.md"), (V, "É.md")), 0)


@pytest.mark.parametrize(
    "bad",
    ["a.md", f"{U} a.md", f"{U}\t", f"{U[:-1]}\ta.md", f"{U}\t../a.md", f"{U}\t/a.md", f"{U}\ta//b.md",
     f"{U}\ta\\x.md", f"{U}\ta\\", f"{U}\ta\0.md", f"{U}\t\udc80.md"],
)  # fmt: skip
def test_a_line_that_says_nothing_is_skipped_and_counted(bad: str) -> None:
    """One bad line takes no other with it, and none leads out of the vault."""
    assert ledger.read(f"{bad}\n{V}\tb.md\n") == (lines((V, "b.md")), 1)


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
NAMES = TEXT.filter(lambda name: {"", ".", ".."}.isdisjoint(name.split("/")))
SAID = st.frozensets(
    st.builds(Line, st.uuids().map(str).map(Uid), NAMES.map(lambda name: NotePath(normalize("NFC", name))))
)


@given(SAID)
def test_what_is_written_is_read(said: frozenset[Line]) -> None:
    """Whatever notes are called."""
    assert ledger.read(ledger.render(said)) == (said, 0)


@given(st.text())
def test_reading_never_fails(text: str) -> None:
    """What was read can be written and read again."""
    said = ledger.read(text).lines
    assert ledger.read(ledger.render(said)).lines == said


def test_a_new_line_is_a_fact_and_a_seen_one_a_hint() -> None:
    """Only of files that are there."""
    said = lines((U, "a.md"), (V, "b.md"), (W, "absent.md"))
    assert ledger.facts(said, lines((V, "b.md")), paths("a.md", "b.md", "c.md")) == Facts(
        {NotePath("a.md"): U}, {NotePath("b.md"): V}
    )


def test_one_uid_on_two_paths_the_smaller_keeps_it() -> None:
    """Two machines renamed one note to different names, and git kept both files."""
    told = ledger.facts(lines((U, "b.md"), (U, "c.md")), lines((U, "c.md")), paths("b.md", "c.md"))
    assert told == Facts({NotePath("b.md"): U}, {})


def test_one_path_with_two_uids_takes_the_smaller() -> None:
    """Two machines made or renamed different notes to one name."""
    assert ledger.facts(lines((V, "a.md"), (U, "a.md")), NOTHING, paths("a.md")).new == {NotePath("a.md"): U}


def test_a_path_that_lost_its_uid_takes_another_that_is_free() -> None:
    """Nothing is lost that a line still says."""
    told = ledger.facts(lines((U, "a.md"), (U, "b.md"), (V, "b.md")), NOTHING, paths("a.md", "b.md"))
    assert told == Facts({NotePath("a.md"): U, NotePath("b.md"): V})


def test_paths_are_those_of_the_disk() -> None:
    """A Mac spells É in two characters; where both spellings are there, the line means the composed one."""
    said = lines((U, "É.md"))
    assert ledger.facts(said, NOTHING, paths("E\u0301.md")).new == {NotePath("E\u0301.md"): U}
    assert ledger.facts(said, NOTHING, paths("E\u0301.md", "É.md")).new == {NotePath("É.md"): U}


FEW = st.frozensets(
    st.builds(Line, st.sampled_from([U, V, W]), st.sampled_from(sorted(paths("a", "b", "c", "d"))))
)


@given(FEW, FEW, st.frozensets(st.sampled_from(sorted(paths("a", "b", "c", "d")))))
def test_facts_give_each_note_one_uid(
    said: frozenset[Line], seen: frozenset[Line], disk: frozenset[NotePath]
) -> None:
    """No uid twice, no path that is not there; what was seen before decides only what is news."""
    told = ledger.facts(said, seen, disk)
    given_uids = [*told.new.values(), *told.old.values()]
    assert len(set(given_uids)) == len(given_uids)
    assert told.new.keys() | told.old.keys() <= disk
    fresh = ledger.facts(said, NOTHING, disk)
    assert fresh.new == {**told.new, **told.old}


def test_only_exceptions_are_written() -> None:
    """A note whose path says its uid needs no line; a renamed one does, a private one never gets one."""
    notes = [note(plain("a.md"), "a.md"), note(plain("old.md"), "new.md"), note(U, "secret.md", private=True)]
    written = ledger.rewrite(VAULT, NOTHING, NOTHING, notes, ())
    assert written == lines((plain("old.md"), "new.md"))


def test_a_note_taken_as_new_while_others_vanished_gets_its_line() -> None:
    """A machine that saw the steps between may have taken it for the vanished one."""
    notes = [note(plain("a.md"), "a.md")]
    assert ledger.rewrite(VAULT, NOTHING, NOTHING, notes, {plain("a.md")}) == lines((plain("a.md"), "a.md"))


def test_a_line_follows_its_note_and_stays() -> None:
    """Also when the note is back at the path that says its uid, and when the file was lost."""
    said = lines((plain("a.md"), "b.md"))
    back = [note(plain("a.md"), "a.md")]
    assert ledger.rewrite(VAULT, said, said, back, ()) == lines((plain("a.md"), "a.md"))
    assert ledger.rewrite(VAULT, NOTHING, said, back, ()) == lines((plain("a.md"), "a.md"))


def test_lines_of_notes_that_vanished_here_go_and_others_stay() -> None:
    """A partial checkout knows nothing of the notes that it lacks."""
    said = lines((U, "gone.md"), (V, "elsewhere.md"), (W, "a.md"))
    notes = [note(U, "gone.md", alive=False), note(plain("a.md"), "a.md")]
    assert ledger.rewrite(VAULT, said, lines((U, "gone.md"), (W, "a.md")), notes, ()) == lines(
        (V, "elsewhere.md")
    )


def test_a_line_that_is_news_is_not_ours_to_drop() -> None:
    """Its note vanished here before the line came: another machine knows better where it is."""
    said = lines((U, "moved.md"))
    assert ledger.rewrite(VAULT, said, NOTHING, [note(U, "gone.md", alive=False)], ()) == said


def test_what_a_pass_left_undone_is_told() -> None:
    """A pass may look at some paths only; what was seen before has had its day."""
    said = lines((U, "a.md"), (V, "b.md"), (W, "absent.md"))
    notes = [note(plain("a.md"), "a.md"), note(V, "b.md")]
    assert ledger.undone(said, NOTHING, notes) == lines((U, "a.md"))
    assert ledger.undone(said, said, notes) == NOTHING


def test_a_note_that_became_private_leaves_the_ledger() -> None:
    """Its path is nobody's business."""
    said = lines((U, "secret.md"))
    assert ledger.rewrite(VAULT, said, said, [note(U, "secret.md", private=True)], ()) == NOTHING


def test_a_line_is_news_until_its_file_is_there_and_it_is_done() -> None:
    """A ledger may arrive before the files, and a pass may look at some paths only."""
    said = lines((U, "absent.md"), (V, "b.md"), (W, "c.md"))
    notes = [note(V, "b.md"), note(plain("c.md"), "c.md")]
    assert ledger.seen_after(said, NOTHING, notes) == lines((V, "b.md"))
    assert ledger.seen_after(said, lines((W, "c.md"), (U, "x.md")), notes) == lines((V, "b.md"), (W, "c.md"))


def test_a_line_that_a_merge_brought_back_is_no_news() -> None:
    """The note was renamed from a.md to b.md; a new note at a.md must not take its uid."""
    said = lines((U, "a.md"), (U, "b.md"))
    assert ledger.seen_after(said, NOTHING, [note(U, "b.md")]) == said
    assert ledger.rewrite(VAULT, said, said, [note(U, "b.md")], ()) == lines((U, "b.md"))


def test_a_line_that_lost_is_over() -> None:
    """The path has taken its own uid."""
    said = lines((U, "b.md"), (U, "c.md"))
    notes = [note(U, "b.md"), note(plain("c.md"), "c.md")]
    assert ledger.seen_after(said, NOTHING, notes) == said


@given(FEW, st.dictionaries(st.sampled_from(["a", "b", "c", "d"]), st.sampled_from([U, V, W]), max_size=3))
def test_what_the_facts_say_is_done_and_written_once(said: frozenset[Line], found: dict[str, Uid]) -> None:
    """Once notes have the uids that the facts give, nothing is undone, and writing again changes nothing."""
    told = ledger.facts(said, NOTHING, paths(*found)).new
    notes = [note(told.get(NotePath(path), plain(path)), path) for path in found]
    assert ledger.undone(said, NOTHING, notes) == NOTHING
    seen = ledger.seen_after(said, NOTHING, notes)
    written = ledger.rewrite(VAULT, said, seen, notes, ())
    assert ledger.facts(written, seen, paths(*found)).new == {}
    assert ledger.rewrite(VAULT, written, ledger.seen_after(written, seen, notes), notes, ()) == written
