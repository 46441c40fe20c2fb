"""A note's bytes become all that is stored of it."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.notes import NotePath, Reading, ReadOptions
from vaultsync.domain.reading import read_note
from vaultsync.domain.tiling import Stand, find_fault

SAMPLE = Path(__file__).resolve().parents[2] / "sample_vault"


def reading(text: str | bytes, path: str = "Folder/Name.md", **options: object) -> Reading:
    raw = text if isinstance(text, bytes) else text.encode()
    found = read_note(raw, NotePath(path), ReadOptions(**options))  # type: ignore[arg-type]  # each by its name
    leaves = [Stand(leaf.start, leaf.end, leaf.text) for leaf in found.leaves]
    assert find_fault(raw, found.encoding, leaves) is None
    return found


def test_all_of_a_note_is_read() -> None:
    """Title, description, names, tags, values, day, leaves and links, each from its place."""
    found = reading(
        "---\ntitle: A title\naliases: [Other]\ntags: [One]\ncreated: 2024-01-02\nversion: 1.10\n"
        "up: '[[Up|there]]'\n---\n"
        "# Head\n\nIt says **this** of [[B|bee]]. And #one #two.\n"
    )
    assert (found.title, found.aliases, found.tags) == ("A title", ("Other",), ("One", "two"))
    assert found.description == "It says this of bee."
    assert found.event_date == "2024-01-02"
    assert json.loads(found.metadata)["version"] == 1.1
    assert json.loads(found.written) == {"version": "1.10"}
    assert found.property_text == "A title\nOther\nOne\n2024-01-02\n1.10\nthere"
    assert [heading.text for heading in found.headings] == ["Head"]
    assert [leaf.heading_path for leaf in found.leaves] == [("Head",)]
    assert (found.private, found.ignored, found.problems) == (False, False, ())


def test_a_note_without_frontmatter_takes_its_name() -> None:
    """The title is the file name, and what was not said is empty."""
    found = reading("")
    assert (found.title, found.description, found.event_date) == ("Name", "", None)
    assert (found.metadata, found.written, found.property_text, found.leaves) == ("{}", "{}", "", ())


@pytest.mark.parametrize(
    ("body", "description"),
    [
        ("# Head\n\n| a |\n|---|\n| b |\n\nThe text. More.", "The text."),
        ("> [!info] Box\n> inside\n\nProse here", "Prose here"),
        ("> [!info] Box. More.\n> inside", "Box."),
        ("- first item\n- second", "first item"),
        ("![[pic.png]]\n\n#tag #other\n\nWords.", "Words."),
        ("```\ncode\n```\n", ""),
        ("今天很好。明天", "今天很好。"),
        ("word " * 100, "word " * 39 + "word…"),
    ],
)
def test_the_description_is_the_first_sentence(body: str, description: str) -> None:
    """Of the first paragraph that says something, else of a callout or list; plain and cut between words."""
    assert reading(body).description == description


def test_a_description_in_the_frontmatter_comes_first() -> None:
    """As it is, without marks."""
    assert reading("---\nsummary: It is **so**. And so.\n---\nText").description == "It is so. And so."


def test_the_day_in_the_name_comes_first() -> None:
    """Then `date`, `created`, `date created` and `created_at`; a day that is none is passed over."""
    assert reading("---\ndate: 2020-01-01\n---\n", "2024-01-02 x.md").event_date == "2024-01-02"
    assert reading("", "02.01.2024.md", daily_format="DD.MM.YYYY").event_date == "2024-01-02"
    assert reading("---\ncreated: 2020-01-02 10:00:00\ndate: someday\n---\n").event_date == "2020-01-02"
    assert reading("---\nDate created: '2020-01-02'\n---\n").event_date == "2020-01-02"
    assert reading("---\nupdated: 2020-01-02\ndate: 2020-02-30\n---\n").event_date is None


def test_links_of_properties_come_before_those_of_the_body() -> None:
    """All spans are in bytes, and the mark at the file's start counts."""
    found = reading('\ufeff---\na: "[[X]]"\nré:\n  - "[[Y#z]]"\n---\n[[Z]]')
    assert [(link.key, link.target, link.start, link.end) for link in found.links] == [
        ("a", "X", 11, 16),
        ("ré.0", "Y#z", 28, 35),
        (None, "Z", 41, 46),
    ]


@pytest.mark.parametrize("value", ["on", "1", "y", "[true]", "True", "please", "{a: b}"])
def test_private_keeps_a_note_here_unless_it_says_no(value: str) -> None:
    """A word that is not understood must not give a note away."""
    assert reading(f"---\nprivate: {value}\n---\n").private


@pytest.mark.parametrize("value", ["off", "0", "", "null", "no", "false", "[]"])
def test_a_clear_no_is_not_private(value: str) -> None:
    """Nor is a property without a value."""
    assert not reading(f"---\nprivate: {value}\n---\n").private


@pytest.mark.parametrize("number", ["9" * 5000, "0x" + "f" * 5000, "0b" + "1" * 20_000])
def test_F61_a_number_of_thousands_of_digits_is_text(number: str) -> None:
    """Python writes none; the note is read all the same."""
    found = reading(f"---\nc: {number}\n---\nBody.")
    assert found.leaves[0].text == "Body."
    assert not found.problems


def test_private_and_ignored_are_said_in_the_frontmatter() -> None:
    """In broken YAML, too: `private: true` above all must not be lost."""
    assert reading("---\nprivate: true\n---\n").private
    assert reading("---\nprivate: yes\nt: a: b\n---\n").private
    assert not reading("---\nprivate: false\n---\n").private
    assert reading("---\nvaultsync: ignore\n---\n").ignored
    assert not reading("---\nvaultsync: 3f2a\n---\n").ignored


def test_broken_frontmatter_stays_searchable() -> None:
    """All of the block is text for search; the body is read as ever."""
    found = reading("---\nt: a: b\nodd words\n---\nBody.")
    assert found.property_text == "t: a: b\nodd words\n"
    assert [leaf.text for leaf in found.leaves] == ["Body."]


def test_conflict_markers_are_a_problem() -> None:
    """The line is that of the first marker; a heading underlined with `=======` is none."""
    found = reading("a\r\n<<<<<<< HEAD\r\nb\r\n=======\r\nc\r\n>>>>>>> x\r\n")
    assert [(problem.code, problem.line) for problem in found.problems] == [("conflict-markers", 2)]
    assert reading("Head\n=======\ntext <<<<<<< x\n").problems == ()


def test_a_note_over_the_limit_is_plain_text() -> None:
    """A problem, no links, and leaves that hold it all."""
    found = reading("---\ntags: [a]\n---\n\n# No head [[B]]\n" + "word " * 1000, max_bytes=1000)
    assert [problem.code for problem in found.problems] == ["too-large"]
    assert (found.tags, found.headings, found.links) == (("a",), (), ())
    assert len(found.leaves) > 1
    assert reading(" " * 2000, max_bytes=1000).leaves == ()


@pytest.mark.parametrize("heading", ["%%\n## Drawing", "# Drawing"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_drawing_is_kept_from_search(heading: str, line_end: str) -> None:
    """All from the heading on keeps its place in the leaves, and none of it is searched."""
    text = f"---\nexcalidraw-plugin: parsed\n---\nWords é.\n\n{heading}\n```json\n{{}}\n```\n%%\n".replace(
        "\n", line_end
    )
    found = reading(text)
    shown = "".join(leaf.text for leaf in found.leaves if leaf.searchable)
    hidden = "".join(leaf.text for leaf in found.leaves if not leaf.searchable)
    assert "Words" in shown
    assert "Drawing" not in shown
    assert "Drawing" in hidden
    assert "{}" in hidden


def test_an_empty_heading_before_a_drawing_does_not_show_it() -> None:
    """A heading without text joins the next leaf; when that is the drawing, both are hidden."""
    text = (
        "---\nexcalidraw-plugin: parsed\n---\nWords.\n\n## Text Elements\n%%\n# Drawing\n```json\n{}\n```\n"
    )
    found = reading(text)
    assert all("{}" not in leaf.text for leaf in found.leaves if leaf.searchable)
    assert any("Words" in leaf.text for leaf in found.leaves if leaf.searchable)


def test_a_boards_settings_are_kept_from_search() -> None:
    """The cards are searched, the settings are a leaf of their own."""
    found = reading(
        "---\nkanban-plugin: board\n---\n## To do\n\n- [ ] card\n\n%% kanban:settings\n```\n{}\n```\n%%"
    )
    assert [(leaf.text.split()[0], leaf.searchable) for leaf in found.leaves] == [("##", True), ("%%", False)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_spans_hold_in_every_encoding(encoding: str) -> None:
    """Links of properties and of the body are where their bytes are."""
    raw = '---\r\nk: "[[X]]"\r\n---\r\n# é\r\n\r\n😀 [[Y]] and [[Z]].\r\n'.encode(encoding)
    found = reading(raw)
    spans = [raw[link.start : link.end].decode(found.encoding) for link in found.links]
    assert spans == ["[[X]]", "[[Y]]", "[[Z]]"]


def test_many_links_in_one_block_take_linear_time() -> None:
    """Four times the links take about four times as long, not sixteen."""

    def seconds(count: int) -> float:
        started = time.process_time()
        assert len(reading("- [[A]] ^id\n" * count + "\n" + "[[B]] " * count).links) == 2 * count
        return time.process_time() - started

    assert min(seconds(2000) for _ in range(3)) < 8 * min(seconds(500) for _ in range(3))


@given(st.text(alphabet=st.sampled_from(list("ab# -|[]()^!>%`$.:\n\r\té。"))), st.booleans())
def test_any_text_is_read(text: str, fenced: bool) -> None:
    """Nothing raises, leaves tile the body, and what is stored can be encoded."""
    found = reading(f"---\nk: {text}\n---\n{text}" if fenced else text)
    json.dumps(
        [found.title, found.description, found.property_text, found.metadata], ensure_ascii=False
    ).encode()


@given(st.binary())
def test_any_bytes_are_read(raw: bytes) -> None:
    """Nothing raises, and the leaves hold the bytes."""
    assert reading(raw).content_hash


def test_the_sample_vault_is_read_without_a_fault() -> None:
    """Every note of it, as it stands on the disk; drawings and boards keep their data from search."""
    notes = {path.name: reading(path.read_bytes(), path.name) for path in SAMPLE.rglob("*.md")}
    assert len(notes) > 10
    hidden = {name for name, note in notes.items() if not all(leaf.searchable for leaf in note.leaves)}
    assert hidden == {"Dome Sketch.excalidraw.md", "Spring Work.md"}
