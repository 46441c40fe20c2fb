"""A note of ours is known by its mark, a person's change by the digest; a broken one is a problem."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from summary_notes import CONTENT, ID, OTHER_ID, RECORD, Words, apart, edited, with_words

from vaultsync.domain import fences, frontmatter
from vaultsync.domain.notes import Problem
from vaultsync.domain.summary_note import Parts, digest_of, merge, recognise, relisted, render, take_apart


@given(st.uuids(version=5).map(str))
def test_no_reader_of_yaml_takes_the_mark_for_a_number(summary: str) -> None:
    """Obsidian writes numbers anew when a property is edited by hand."""
    text = render(replace(CONTENT, record=RECORD._replace(id=summary))).decode()
    fence = fences.split(text)
    assert fence is not None
    mark = frontmatter.read(text, fence).metadata["vaultsync"]
    assert mark == recognise(text.encode())
    assert summary.startswith(mark)
    assert not re.fullmatch(r"[0-9.]+(?:e[-+]?[0-9]+)?", mark)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Beans like", "Beans  like"),
        ("# Beds", "# My beds"),
        ("|Beans]]", "|My beans]]"),
        ("## Notes", "## My notes"),
        ("- [[Garden/Beds/Water|Water]]\n", ""),
        ("morning.\n", "morning.\n\nMine.\n"),
    ],
)
def test_F104_a_persons_change_is_seen(old: str, new: str) -> None:
    """Whatever is changed between the markers but where links lead."""
    assert not apart(edited(old, new)).is_unchanged


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[[Garden/Beds/Beans|Beans]]", "[[Garden/Old/Beans|Beans]]"),
        ("[[Garden/Beds/Beans|Beans]]", "[[Beans]]"),
        ("[[Garden/Beds/Beans|Beans]]", "[Beans](Garden/Old%20(1)/Beans.md)"),
        ("[[Garden/Beds/Beans|Beans]]", "[Beans](<Garden/Old beds/Beans.md>)"),
        ("\n", "\r\n"),
    ],
)
def test_what_obsidian_and_git_rewrite_is_no_change(old: str, new: str) -> None:
    """A note is renamed, links become markdown, line ends become Windows': the text is as it was made."""
    assert apart(edited(old, new)).is_unchanged


def test_the_style_of_links_is_no_change() -> None:
    """So a vault that switches to URIs is not taken for one that a person edited."""
    wikilinks, uris = (
        apart(render(replace(CONTENT, links=style, vault="v"))) for style in ("wikilink", "uri")
    )
    assert wikilinks.block.digest == uris.block.digest
    assert "- [Beans](obsidian://open?vault=v&file=Garden%2FBeds%2FBeans.md)\n" in uris.part


def test_what_is_escaped_is_no_link() -> None:
    """Only true links are blanked for the digest; what a person writes into brackets counts."""
    assert digest_of(r"\[\[a\]\] \[b\](c)") != digest_of(r"\[\[x\]\] \[b\](c)")
    assert digest_of(r"\[\[a\]\] \[b\](c)") != digest_of(r"\[\[a\]\] \[b\](x)")
    assert digest_of(r"\[[a|c]] \[b](c)") != digest_of(r"\[[x|c]] \[b](c)")
    assert digest_of("[[a|b]] [b](c)") == digest_of("[[x|b]] [b](<y z>)")


def test_a_persons_text_is_taken_without_our_maps() -> None:
    """The store takes what a person wrote; the lists of links are no summary."""
    parts = apart(edited("morning.\n", "morning.\n\n## Mine\n\n- a [[link]]\n\nEnd.\n"))
    assert parts.title == "Beds"
    assert parts.text == "Beans like company.\n\nWater in the morning.\n\n## Mine\n\n- a [[link]]\n\nEnd."


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"# MEMORY\n",
        b"---\nvaultsync: ignore\n---\n%% vaultsync:begin %%\n%% vaultsync:end %%\n",
        b"---\nvaultsync: 1234\n---\n",
        b"---\na:\n  vaultsync: 1234567e-8912-5cde\n---\n",
        b"---\na: b\n---\nvaultsync: 1234567e-8912-5cde\n",
        render(CONTENT).partition(b"---\n%%")[2],
    ],
)
def test_F106_what_does_not_bear_our_mark_is_not_ours(raw: bytes) -> None:
    """Markers alone, as in a page that tells of them, are no mark; nor is a note that asks to be left out."""
    assert recognise(raw) is None
    assert take_apart(raw) is None


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("%% vaultsync:begin %%\n", "", "summary-markers"),
        ("%% vaultsync:end %%\n", "", "summary-markers"),
        ("%% vaultsync:end %%\n", "%% vaultsync:end %% mine\n", "summary-markers"),
        ("%% vaultsync:end %%\n", "%% vaultsync:end %%\n\n%% vaultsync:end %%\n", "summary-markers"),
        ("# Beds\n", "# Beds\n%% vaultsync:begin %%\n", "summary-markers"),
        ("%% vaultsync:data\n", "", "summary-markers"),
        ("# Beds\n", "# Beds\n%% vaultsync:data\n%%\n", "summary-markers"),
        ("# Beds\n\nBeans", "%% vaultsync:end %%\n\nBeans", "summary-markers"),
        ("uid-2 bb\n%%\n", "uid-2 bb\n", "summary-data"),
        ("level: 1\n", "", "summary-data"),
        ("level: 1\n", "level: one\n", "summary-data"),
        ("state: open\n", "state: ajar\n", "summary-data"),
        ("state: open\n", "state: open\nstate: sealed\n", "summary-data"),
        ("shelf: Garden/Beds\n", "shelf: %FF\n", "summary-data"),
        ("child: uid-2 bb\n", "child: uid-2\n", "summary-data"),
        (f"id: {ID}\n", f"id: {OTHER_ID}\n", "summary-data"),
        ("publish:", "vaultsync: 1234567e-8912-5cde\npublish:", "summary-data"),
        ("Water in", "<<<<<<< HEAD\nWater\n=======\nTea\n>>>>>>> x\nin", "conflict-markers"),
    ],
)
def test_a_broken_note_is_a_problem_and_never_written(old: str, new: str, code: str) -> None:
    """It is still known as ours, so that it becomes no leaf."""
    raw = edited(old, new)
    found = take_apart(raw)
    assert isinstance(found, Problem)
    assert found.code == code
    assert recognise(raw) == ID[:18]


def test_markers_out_of_order_are_a_problem() -> None:
    """What stands between them is then not ours."""
    raw = render(CONTENT)
    begin, end = b"%% vaultsync:begin %%\n", b"%% vaultsync:end %%\n"
    for turned in (
        raw.replace(begin, b"@").replace(end, begin).replace(b"@", end),
        raw.replace(end, b"") + end,
        raw.replace(begin, b"") + begin,
    ):
        assert turned.count(begin) == turned.count(end) == 1
        found = take_apart(turned)
        assert isinstance(found, Problem)
        assert found.code == "summary-markers"


@pytest.mark.parametrize(
    "around", ["vaultsync: 1234567e-8912-5cde\n", "---\nvaultsync: 1234567e-8912-5cde\n"]
)
def test_F108_a_conflict_in_the_frontmatter_hides_nothing(around: str) -> None:
    """Both machines made the note: even where the frontmatter is none any more, it is ours and left alone."""
    both = f"<<<<<<< HEAD\n{around}=======\n{around.replace('5cde', '5fff')}>>>>>>> theirs\n"
    raw = edited(around, both)
    assert recognise(raw) == ID[:18]
    found = take_apart(raw)
    assert isinstance(found, Problem)
    assert found.code == "conflict-markers"


def test_a_note_saved_as_utf_16_is_not_written() -> None:
    """Its bytes could not be put together again."""
    found = take_apart(render(CONTENT).decode().encode("utf-16"))
    assert isinstance(found, Problem)
    assert found.code == "not-utf8"


@given(st.binary() | st.text().map(str.encode))
def test_any_bytes_are_taken_apart(raw: bytes) -> None:
    """Nothing raises, and what is no note of ours is none."""
    assert take_apart(raw) is None
    assert take_apart(b"---\nvaultsync: 1234567e-8912-5cde\n---\n" + raw) is not None


@given(st.data())
def test_torn_notes_are_problems_or_whole(data: st.DataObject) -> None:
    """A slice cut out or doubled anywhere: either it is not written, or every byte around our part stays."""
    whole = with_words(render(CONTENT), Words(b"mine: 1\n", b"a\n", b"b\n", b"c\n"))
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(whole))] * 2)))
    torn = whole[:start] + whole[start:end] * data.draw(st.sampled_from([0, 2])) + whole[end:]
    parts = take_apart(torn)
    if isinstance(parts, Parts):
        written = merge(parts, CONTENT).decode()
        assert written.startswith(parts.head)
        assert written.endswith(parts.tail)
        assert parts.middle in written
        assert parts.head + parts.part + parts.middle in torn.decode()


def test_relisted_a_note_keeps_a_persons_text_as_theirs() -> None:
    """Only the data block says something else; what it keeps of the digest tells that the text is a person's."""
    raw = edited("Beans like company.", "Beans like MAIZE.")
    record = RECORD._replace(state="sealed", children=RECORD.children[1:])
    new = relisted(apart(raw), record)
    assert not apart(new).is_unchanged
    assert apart(new).record == record
    assert new.partition(b"%% vaultsync:data")[0] == raw.partition(b"%% vaultsync:data")[0]
    assert relisted(apart(new), RECORD) == raw
