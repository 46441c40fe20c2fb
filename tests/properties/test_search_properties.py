"""Whatever is typed, a search answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from notebook import fill, write_of

from vaultsync.app.finding.search import Filters, search

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultsync.store.connection import Database

TEXTS = [
    "The lighthouse keeper wrote C++ and v1.2.3 into NEAR(a b) AND OR NOT title:x y* ^z {a b} - \"q\" 'p' \\ %_",
    "昨日の会議室は東京で、Python会議でした。 🚀 go",
    "Un café, naïve e\u0301te\u0301; Straße; ﬁne; İstanbul",
]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    notes = [write_of(f"Folder {n % 2}/N{n}.md", TEXTS[n % 3], tags=[f"t{n % 4}/x"]) for n in range(30)]
    database = fill(tmp_path_factory.mktemp("state"), notes)
    yield database
    database.close()


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60) | st.text(alphabet='"()*^:-+{}\\ abCN会議AND%_🚀', max_size=40))
@example('"')
@example('""')
@example('"unbalanced')
@example("* OR NEAR(")
@example("x" * 10_000)
@example("会" * 10_000)
@example("word " * 2_000)
@example("\x00")
@example("\ud800")
@example("𠀀")
@example("\U000323af")
@example("½ ² ①")
@example("-" * 10_000)
def test_any_string_is_a_query(database: Database, query: str) -> None:
    """Operators, quotes, emoji, a single character, ten thousand: there is an answer, and no note twice."""
    found = search(database, query, k=5)
    assert len({hit.uid for hit in found.hits}) == len(found.hits) <= 5
    assert [hit.parts["text"] for hit in found.hits] == list(range(1, len(found.hits) + 1))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.none() | st.text(max_size=20),
    tag=st.none() | st.text(max_size=20),
    source=st.none() | st.text(max_size=20),
)
@example(path="[", tag='"', source="%")
@example(path="\ud800", tag="\ud800", source="\ud800")
@example(path="\x00", tag="\x00", source="/")
def test_any_filter_is_one(database: Database, path: str | None, tag: str | None, source: str | None) -> None:
    """What no note has, none passes; odd patterns are no error."""
    hits = search(database, "lighthouse", k=50, filters=Filters(path=path, tag=tag, source=source)).hits
    if path is not None and not any(sign in path for sign in "*?["):
        assert all((hit.path or "").startswith(path.removeprefix("./").lstrip("/")) for hit in hits)


@given(st.sampled_from(TEXTS), st.data())
def test_a_word_of_a_note_finds_it(database: Database, text: str, data: st.DataObject) -> None:
    """Every word that stands in a text, and any run of characters in a script without blanks, finds it."""
    word = data.draw(st.sampled_from([word for word in text.split() if any(char.isalnum() for char in word)]))
    hits = search(database, word, k=30).hits
    assert any(hit.snippet.marks for hit in hits)


@given(st.integers(0, 12), st.integers(1, 6))
def test_any_run_without_blanks_finds_its_note(database: Database, start: int, length: int) -> None:
    """Words of such scripts are found whatever their length."""
    run = "昨日の会議室は東京で"[start : start + length]
    expected = 10 if run else 0
    assert len(search(database, run, k=30).hits) == expected
