"""What went wrong in searches elsewhere, by the number of the field case."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from notebook import write_of

from vaultsync.app.finding.search import MAX_K, search

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultsync.store.connection import Database

    Written = Callable[..., Database]


def test_F89_an_absurd_k_is_clamped_and_said(written: Written) -> None:
    """Ten thousand hits are asked for: there are as many as there may be, and a notice."""
    database = written(*[write_of(f"N{n}.md", "walnut") for n in range(MAX_K + 20)])
    found = search(database, "walnut", k=10_000)
    assert len(found.hits) == MAX_K
    assert found.notices == (f"k = 10000 was taken as {MAX_K}",)


def test_F95_a_word_far_down_in_a_long_note_is_found(written: Written) -> None:
    """All of a note is searchable, not its first few thousand characters."""
    chunks = [f"{n} lorem ipsum dolor sit amet " * 50 for n in range(40)]
    database = written(write_of("Long.md", *chunks, "at last the zyzzyva"))
    (hit,) = search(database, "zyzzyva").hits
    assert hit.start > 20_000
    assert hit.snippet.text == "at last the zyzzyva"


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("会議", "昨日の会議は長かった"),
        ("議", "昨日の会議は長かった"),
        ("ひらがな", "これはひらがなです"),
        ("ｶﾀｶﾅ", "これはカタカナです"),
        ("회의", "어제 회의를 했다"),
        ("ประชุม", "เมื่อวานมีการประชุมนาน"),
        ("ប្រជុំ", "ម្សិលមិញមានការប្រជុំយូរ"),
        ("совещание", "Вчера было СОВЕЩАНИЕ"),
        ("συνάντηση", "Χθες είχαμε ΣΥΝΆΝΤΗΣΗ"),
        ("बैठक", "कल बैठक लंबी थी"),
        ("اجتماع", "كان لدينا اجتماع طويل"),
        ("פגישה", "אתמול היתה פגישה"),
        ("cuộc họp", "Hôm qua có cuộc hop dài"),
        ("がくせい", "か\u3099くせい です"),
    ],
)
def test_F96_words_of_any_script_are_found(written: Written, query: str, text: str) -> None:
    """Japanese, Korean, Thai, Khmer ...: in the text and in the title, with the word marked."""
    rest = [write_of(f"N{n}.md", "nothing of the sort") for n in range(3)]
    in_text = search(written(write_of("A.md", text), *rest), query)
    in_title = search(written(write_of("A.md", "nothing", title=text), *rest), query)
    assert [hit.path for hit in in_text.hits] == ["A.md"]
    assert [hit.path for hit in in_title.hits] == ["A.md"]
    assert in_text.hits[0].snippet.marks
