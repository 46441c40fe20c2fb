"""What a person gets for what they type, on real SQLite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from notebook import write_of

from vaultsync.app.finding.search import MAX_K, Filters, search
from vaultsync.domain.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultsync.store.connection import Database

    Written = Callable[..., Database]

DULL = "Nothing to see here, only filling words about weather and wind."


def paths(database: Database, query: str, filters: Filters | None = None, k: int = 10) -> list[str]:
    return [hit.path or "" for hit in search(database, query, k=k, filters=filters or Filters()).hits]


def test_a_title_wins_over_passing_mentions(written: Written) -> None:
    """The note about a thing comes before those that mention it, however often."""
    mentions = [write_of(f"M{n}.md", f"The lighthouse. {DULL} lighthouse, lighthouse.") for n in range(12)]
    database = written(*mentions, write_of("Places/Lighthouse keeping.md", "How the lamp is lit."))
    assert paths(database, "lighthouse")[0] == "Places/Lighthouse keeping.md"


def test_the_note_that_bears_the_name_comes_first(written: Written) -> None:
    """By title or alias, whatever the case and the accents."""
    others = [write_of(f"Cafe visits {n}.md", "Cafe, cafe and cafe again.") for n in range(5)]
    database = written(
        *others, write_of("C.md", "Coffee.", title="Café"), write_of("D.md", "x", aliases=["CAFÉ"])
    )
    assert set(paths(database, "cafe")[:2]) == {"C.md", "D.md"}


def test_words_may_stand_in_title_and_text(written: Written) -> None:
    """The Alpha note with a section on goals answers `alpha goals` as well as one chunk with both."""
    both = [write_of(f"Both{n}.md", f"{DULL} {DULL} alpha, and goals too.") for n in range(12)]
    apart = write_of("Alpha.md", "Intro.", "Our goals are set.")
    only = write_of("Alphabet alpha.md", DULL)
    found = search(written(*both, apart, only), "alpha goals")
    assert found.hits[0].path == "Alpha.md"
    assert "goals" in found.hits[0].snippet.text
    assert "Alphabet alpha.md" not in [hit.path for hit in found.hits]
    assert not found.relaxed


def test_few_answers_are_filled_up_with_looser_ones(written: Written) -> None:
    """All words first; then those with the rarest, and the result says so."""
    database = written(
        write_of("All.md", "walnut varnish recipe"),
        write_of("Some.md", "walnut tree"),
        write_of("None.md", DULL),
    )
    found = search(database, "walnut varnish recipe")
    assert [hit.path for hit in found.hits] == ["All.md", "Some.md"]
    assert found.relaxed
    assert not search(database, "walnut").relaxed


def test_a_question_is_answered_by_what_it_asks(written: Written) -> None:
    """The words that a question is put with find nothing by themselves."""
    database = written(
        write_of("Bees.md", "The hive was moved to the orchard in May."),
        write_of("How do I.md", "How do I do what I do? What did we do?"),
        *[write_of(f"N{n}.md", DULL) for n in range(20)],
    )
    assert paths(database, "What did we do about moving the hive to the orchard?")[0] == "Bees.md"


@pytest.mark.parametrize(
    ("query", "text"), [("meeting", "Two meetings"), ("meetings", "A meeting"), ("box", "x boxes")]
)
def test_other_forms_of_a_word_are_found(written: Written, query: str, text: str) -> None:
    """Singular and plural find each other (a word of three letters only as it is)."""
    assert paths(written(write_of("A.md", text)), query) == (["A.md"] if len(query) > 3 else [])


def test_the_word_as_typed_comes_before_other_forms(written: Written) -> None:
    """`meeting` before `meetings`."""
    rest = [write_of(f"N{n}.md", DULL) for n in range(9)]
    database = written(
        write_of("A.md", "Some meetings took place."), write_of("B.md", "Some meeting took place."), *rest
    )
    assert paths(database, "meeting") == ["B.md", "A.md"]


def test_signs_count_where_they_stand(written: Written) -> None:
    """`C++` to the letter comes before notes with a bare C, however often they have it."""
    noise = [write_of(f"N{n:02}.md", "C c C c vitamin C") for n in range(30)]
    database = written(*noise, write_of("Z.md", f"{DULL} We wrote it in C++ then. {DULL}"))
    assert paths(database, "C++")[0] == "Z.md"


@pytest.mark.parametrize("query", ["🚀", "->", "✅"])
def test_signs_that_no_index_keeps_are_found(written: Written, query: str) -> None:
    """Emoji and arrows are sought in the text itself."""
    database = written(write_of("A.md", DULL), write_of("B.md", f"Go {query} now"))
    found = search(database, query)
    assert [hit.path for hit in found.hits] == ["B.md"]
    assert found.hits[0].snippet.text[slice(*found.hits[0].snippet.marks[0])] == query


@pytest.mark.parametrize("query", ["会", "会議", "会議室", "東京", "Python会議", "python 東京"])
def test_words_without_blanks_are_found_whatever_their_length(written: Written, query: str) -> None:
    """One character, two, or mixed with Latin: each finds the note."""
    database = written(
        write_of("予定.md", "昨日の会議室は東京で、Python会議でした。"), write_of("B.md", DULL)
    )
    assert paths(database, query) == ["予定.md"]


def test_a_sentence_without_blanks_finds_what_is_near(written: Written) -> None:
    """A question in Chinese has no blanks to split it at; its pieces find the note."""
    database = written(
        write_of("A.md", "讨论了预算和会议的安排"), *[write_of(f"N{n}.md", "天气很好") for n in range(9)]
    )
    found = search(database, "昨天的会议讨论了什么？")
    assert [hit.path for hit in found.hits] == ["A.md"]
    assert found.relaxed


def test_a_phrase_stays_together(written: Written) -> None:
    """Quoted words must be neighbours."""
    database = written(write_of("A.md", "green hot tea"), write_of("B.md", "a green tea"))
    assert paths(database, '"green tea"') == ["B.md"]


def test_one_hit_a_note_its_best_chunk(written: Written) -> None:
    """A long note takes one place; the hit says which chunk and where it stands."""
    database = written(write_of("A.md", "walnut", "walnut walnut varnish", "walnut", headings=["Wood"]))
    (hit,) = search(database, "walnut varnish").hits
    assert (hit.start, hit.end, hit.heading_path) == (7, 28, ("Wood",))
    assert [hit.snippet.text[start:end] for start, end in hit.snippet.marks] == [
        "walnut",
        "walnut",
        "varnish",
    ]


def test_one_long_note_does_not_crowd_out_the_others(written: Written) -> None:
    """However many chunks of it match better."""
    long = write_of("Long.md", *[f"walnut walnut walnut {n}" for n in range(300)])
    others = [write_of(f"N{n}.md", f"walnut {DULL}") for n in range(5)]
    assert len(paths(written(long, *others), "walnut", k=5)) == 5


def test_templates_come_last(written: Written) -> None:
    """They hold the words of every note made from them."""
    database = written(
        write_of("Templates/Meeting.md", "meeting meeting", title="Meeting", role="template"),
        write_of("Notes/A.md", f"{DULL} a meeting"),
    )
    assert paths(database, "meeting") == ["Notes/A.md", "Templates/Meeting.md"]


def test_a_note_without_text_is_found_by_its_name(written: Written) -> None:
    """It has no chunk to show; its description is shown."""
    (hit,) = search(written(write_of("Empty walnut.md", description="About wood")), "walnut").hits
    assert (hit.chunk, hit.start, hit.end, hit.snippet.text) == (None, 0, 0, "About wood")


def test_tags_aliases_and_properties_are_searched(written: Written) -> None:
    """All that a note says of itself."""
    database = written(
        write_of("A.md", DULL, tags=["project/walnut"]),
        write_of("B.md", DULL, aliases=["Walnut"]),
        write_of("C.md", DULL, properties="wood: walnut"),
        write_of("D.md", DULL),
    )
    assert set(paths(database, "walnut")) == {"A.md", "B.md", "C.md"}


def test_private_notes_are_found(written: Written) -> None:
    """Private means: not to a remote model. The search is the person's own."""
    assert paths(written(write_of("A.md", "walnut", private=True)), "walnut") == ["A.md"]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(path="Projects/*"), {"Projects/A.md", "Projects/Deep/B.md"}),
        (Filters(path="Projects"), {"Projects/A.md", "Projects/Deep/B.md", "Projects 2/C.md"}),
        (Filters(path="*/C.md"), {"Projects 2/C.md"}),
        (Filters(path="Café"), {"Cafe\u0301/D.md"}),
        (Filters(source="Projects"), {"Projects/A.md", "Projects/Deep/B.md"}),
        (Filters(tag="project"), {"Projects/A.md", "Projects/Deep/B.md"}),
        (Filters(tag="#PROJECT/active"), {"Projects/A.md"}),
        (Filters(tag="проект"), {"Projects 2/C.md"}),
        (Filters(since="2024-05"), {"Projects/Deep/B.md", "Projects 2/C.md"}),
        (Filters(until="2024-04"), {"Projects/A.md", "Cafe\u0301/D.md"}),
        (Filters(since="2024-05-01", until="2024-05-31"), {"Projects/Deep/B.md"}),
        (Filters(kind="summary"), set()),
        (Filters(kind="all", path="Projects 2"), {"Projects 2/C.md"}),
    ],
)
def test_filters(written: Written, filters: Filters, expected: set[str]) -> None:
    """Path, folder, nested tag in any case, day by event date or else by the last change."""
    database = written(
        write_of("Projects/A.md", "walnut", tags=["Project/Active"], event_date="2024-04-30"),
        write_of("Projects/Deep/B.md", "walnut", tags=["project"], event_date="2024-05-01"),
        write_of("Projects 2/C.md", "walnut", tags=["Проект/Дом", "projector"], changed=1_735_000_000),
        write_of("Cafe\u0301/D.md", "walnut", changed=1_700_000_000),
    )
    assert set(paths(database, "walnut", filters)) == expected


def test_filters_apply_before_the_limit(written: Written) -> None:
    """A note that passes is found behind any number of better ones that do not."""
    better = [write_of(f"Other/{n}.md", "walnut walnut walnut") for n in range(300)]
    database = written(*better, write_of("Mine/A.md", f"{DULL} walnut {DULL}"))
    assert paths(database, "walnut", Filters(source="Mine"), k=1) == ["Mine/A.md"]


@pytest.mark.parametrize(
    "filters",
    [Filters(since="yesterday"), Filters(until="2024-13"), Filters(since="2024-02-30"), Filters(since="")],
)
def test_a_date_that_is_none_is_refused(written: Written, filters: Filters) -> None:
    """In words that say how to write one."""
    with pytest.raises(UsageError, match="2026-03-02"):
        search(written(), "walnut", filters=filters)


@pytest.mark.parametrize("query", ["", "   "])
def test_an_empty_query_finds_nothing_and_says_so(written: Written, query: str) -> None:
    """It is no error."""
    found = search(written(write_of("A.md", DULL)), query)
    assert (found.hits, found.notices) == ((), ("the query is empty",))


def test_a_buried_note_is_not_found(written: Written) -> None:
    """Nor its names."""
    database = written(write_of("Walnut.md", "walnut 会議"))
    with database.write() as tx:
        tx.run("UPDATE nodes SET deleted_at = 1")
    assert paths(database, "walnut") == []
    assert paths(database, "会議") == []


def test_k_is_kept_within_reason(written: Written) -> None:
    """As the field case F89 asks, with a word about it."""
    database = written(*[write_of(f"N{n}.md", "walnut") for n in range(5)])
    assert len(search(database, "walnut", k=3).hits) == 3
    assert search(database, "walnut", k=0).notices == ("k = 0 was taken as 1",)
    assert search(database, "walnut", k=MAX_K).notices == ()
