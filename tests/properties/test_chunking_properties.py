"""Leaves tile any note, keep to the ceiling, and do not feel edits in other sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.chunking import Limits, chunk
from vaultsync.domain.decoding import Source, decode
from vaultsync.domain.markdown import parse
from vaultsync.domain.tokens import estimate

if TYPE_CHECKING:
    from vaultsync.domain.notes import Leaf

LINES = [
    *("# A", "## B\n", "text of a line", "- item", "  - inner", "> [!tip] t", "> quote", "```", "    code"),
    *("|a|b|\n|-|-|", "|c|d|", "^id", "end ^id2", "%%", "$$", "---", "", "", " ", "[^1]: note"),
    *("Ünï. Cödé! 漢字。次", "😀" * 9, "word " * 30, "x" * 90),
]
lines = st.lists(st.sampled_from(LINES), max_size=40)
ends = st.sampled_from(["\n", "\r\n", "\r"])
encodings = st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])
written = st.builds(lambda lines, end, encoding: end.join(lines).encode(encoding), lines, ends, encodings)
damaged = st.builds(
    lambda raw, at, bad: raw[:at] + bad + raw[at:], written, st.integers(0, 300), st.binary(max_size=5)
)
notes = st.one_of(written, damaged, st.binary(max_size=300), st.text(max_size=200).map(str.encode))
limits = st.sampled_from([Limits(), Limits(20, 30), Limits(3, 3)])
prose = st.lists(
    st.sampled_from(["one two three.", "- item", "Lorem ipsum dolor sit amet."]), min_size=1, max_size=30
)


def cut(raw: bytes, sizes: Limits) -> tuple[Source, list[Leaf]]:
    source = decode(raw)
    return source, chunk(source, parse(source), sizes)


def blank(source: Source, start: int, end: int) -> bool:
    return not source.piece(start, end).removeprefix("\ufeff").strip(" \t\r\n")


@given(raw=notes, sizes=limits)
def test_leaves_tile_the_body(raw: bytes, sizes: Limits) -> None:
    """Each byte that is not blank lies in exactly one leaf, and a leaf's bytes are its text."""
    source, leaves = cut(raw, sizes)
    at = 0
    for leaf in leaves:
        assert at <= leaf.start < leaf.end
        assert blank(source, at, leaf.start)
        assert source.piece(leaf.start, leaf.end) == leaf.text
        assert leaf.text.strip(" \t\r\n")
        at = leaf.end
    assert blank(source, at, len(raw))


@given(raw=notes, sizes=limits)
def test_no_leaf_is_over_the_ceiling(raw: bytes, sizes: Limits) -> None:
    """There is no slack: any text can be cut into characters, and none of these is more than three tokens."""
    _, leaves = cut(raw, sizes)
    for leaf in leaves:
        assert leaf.tokens == estimate(leaf.text) <= sizes.ceiling


@given(raw=notes, sizes=limits)
def test_leaves_are_trimmed(raw: bytes, sizes: Limits) -> None:
    """No leaf begins with a blank line or ends with a blank."""
    _, leaves = cut(raw, sizes)
    for leaf in leaves:
        assert leaf.text == leaf.text.rstrip(" \t\r\n")
        assert leaf.text.lstrip(" \t")[0] not in "\r\n"


@given(sections=st.lists(prose, min_size=2, max_size=5), added=prose, data=st.data())
def test_an_edit_leaves_the_other_sections(
    sections: list[list[str]], added: list[str], data: st.DataObject
) -> None:
    """The hashes of all other sections' leaves stay the same, in the same order."""
    edited = data.draw(st.integers(0, len(sections) - 1))
    changed = [*sections[:edited], [*added, *sections[edited]], *sections[edited + 1 :]]
    assert hashes(sections, edited) == hashes(changed, edited)


def hashes(sections: list[list[str]], but: int) -> list[str]:
    note = "".join(f"# {n}\n\n" + "\n".join(lines) + "\n\n" for n, lines in enumerate(sections))
    _, leaves = cut(note.encode(), Limits(20, 30))
    return [leaf.text_hash for leaf in leaves if leaf.heading_path != (str(but),)]
