"""A summary note says the same bytes everywhere, knows itself again, and leaves the user's bytes alone."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from summary_notes import CONTENT, ID, OTHER_ID, RECORD, Words, apart, edited, with_words

from vaultsync.domain.notes import NotePath
from vaultsync.domain.summary_note import (
    Child,
    Content,
    Entry,
    Section,
    emptied,
    inert,
    merge,
    render,
    unpinned,
)

WHOLE = f"""---
vaultsync: 1234567e-8912-5cde
publish: false
draft: true
---
%% vaultsync:begin %%

# Beds

Beans like company.

Water in the morning.

## Notes

- [[Garden/Beds/Beans|Beans]]
- [[Garden/Beds/Water|Water]]

%% vaultsync:end %%

%% vaultsync:data
id: {ID}
vault: 5c3d5f0e-0000-4000-8000-000000000001
tree: 5c3d5f0e-0000-5000-8000-000000000002
level: 1
shelf: Garden/Beds
ordinal: 3
state: open
generator: extractive/1
input_digest: 0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f
digest: DIGEST
child: uid-1 aa
child: uid-2 bb
%%
"""

NEWER = replace(
    CONTENT,
    record=RECORD._replace(id=OTHER_ID, state="sealed", children=(Child("uid-9", "cc"),)),
    title="Other beds",
    text="Leeks.",
    sections=(),
)

NO_WORDS = "%%|---|<{7}|vaultsync"
"""Lines that begin so may be markers, rulers of the frontmatter and the like."""

LINES = st.lists(st.text(st.characters(exclude_characters="\r\n\x00", exclude_categories=["Cs"]))).map(
    lambda lines: "".join(f"{line}\n" for line in lines if not re.match(NO_WORDS, line)).encode()
)
WORDS = st.builds(Words, LINES, LINES, LINES, LINES)
TEXTS = st.text(st.sampled_from(list("ab \n\\`[]()|#>%<-!=:~^&;$*_{}/.é—")))
CONTENTS = st.builds(
    Content,
    record=st.builds(
        RECORD._replace,
        id=st.uuids().map(str),
        shelf=st.text(),
        state=st.sampled_from(["open", "sealed"]),
        generator=TEXTS,
        children=st.lists(st.builds(Child, st.text(min_size=1), st.text(min_size=1)), max_size=3).map(tuple),
    ),
    title=TEXTS,
    text=TEXTS | st.text(),
    sections=st.lists(
        st.builds(
            Section, TEXTS, st.lists(st.builds(Entry, TEXTS.map(NotePath), TEXTS), max_size=3).map(tuple)
        ),
        max_size=2,
    ).map(tuple),
    links=st.sampled_from(["wikilink", "uri"]),
)


def test_F109_the_same_content_is_the_same_bytes() -> None:
    """Every byte of a note is said here; none depends on the machine or the hour."""
    raw = render(CONTENT).decode()
    assert raw == WHOLE.replace("DIGEST", apart(raw.encode()).block.digest)


def test_draft_is_the_users_choice() -> None:
    """`publish: false` always stands there."""
    assert b"publish: false\n---\n" in render(replace(CONTENT, draft=False))


@given(CONTENTS)
def test_a_note_says_what_it_was_made_of(content: Content) -> None:
    """Record, children, order and text come back; the same content makes the same bytes."""
    parts = apart(render(content))
    assert parts.record == content.record
    assert parts.text == inert(content.text)
    assert parts.is_unchanged
    assert merge(parts, content) == render(content)


@settings(max_examples=40)
@given(CONTENTS, CONTENTS, WORDS, st.sampled_from([b"\n", b"\r\n"]), st.sampled_from([b"", BOM_UTF8]))
def test_the_users_bytes_stay_where_they_are(
    old: Content, new: Content, words: Words, end: bytes, bom: bytes
) -> None:
    """Whatever we write, all else is as it was, in files with CRLF or a byte order mark too."""
    was, wanted = (bom + with_words(render(content), words).replace(b"\n", end) for content in (old, new))
    written = merge(apart(was), new)
    assert written == wanted
    assert merge(apart(written), new) == wanted
    assert merge(apart(written), old) == was


def test_bytes_that_are_no_text_stay() -> None:
    """A user's Latin-1 and line ends of both kinds are kept as they are."""
    words = Words(b"mine: \xe9\r\n", b"\xff\xfe\r\n", b"a\r\n\nb \n", b"\xe9 no line end")
    was = with_words(render(CONTENT), words)
    assert merge(apart(was), NEWER) == with_words(render(NEWER), words)


def test_F30_what_is_written_again_is_equal() -> None:
    """An unchanged summary gives no reason to write, also around a user's words and an edited link."""
    raw = with_words(render(CONTENT), Words(b"mine: 1\n", b"a\n", b"b\n", b"c\n"))
    assert merge(apart(raw), CONTENT) == raw


def test_what_is_written_into_the_data_block_stays() -> None:
    """A newer version's fields, or a person's line."""
    raw = edited("state: open\n", "state: open\nmood: good\nhello\n")
    assert apart(raw).record == RECORD
    written = merge(apart(raw), CONTENT)
    assert b"child: uid-2 bb\nmood: good\nhello\n%%\n" in written
    assert not apart(written).is_ours_alone


def test_unpin_keeps_the_persons_text_below() -> None:
    """All that stood between the markers; then the note is a machine's again."""
    raw = edited("Beans like company.", "I say: beans!")
    written = unpinned(apart(raw), CONTENT)
    parts = apart(written)
    assert parts.is_unchanged
    assert parts.text == CONTENT.text
    assert apart(raw).part.strip() in parts.middle
    assert not parts.is_ours_alone
    assert merge(parts, CONTENT) == written


def test_unpin_copies_nothing_that_a_machine_wrote() -> None:
    """Nor does it in a note whose links alone were changed."""
    assert unpinned(apart(render(CONTENT)), NEWER) == render(NEWER)


def test_emptied_is_our_part_alone() -> None:
    """The summary goes, the user's words stay, and once is enough."""
    words = Words(b"mine: 1\n", b"a\n", b"b\n", b"c\n")
    written = emptied(apart(with_words(render(CONTENT), words)))
    parts = apart(written)
    assert (parts.part, parts.text, parts.record.children) == ("", "", ())
    assert parts.is_unchanged
    assert emptied(parts) == written
    assert merge(parts, CONTENT) == with_words(render(CONTENT), words)


def test_emptied_keeps_what_a_person_changed() -> None:
    """Below the end marker, as `unpinned` does."""
    raw = edited("Beans like company.", "I say: beans!")
    parts = apart(emptied(apart(raw)))
    assert parts.part == ""
    assert "I say: beans!" in parts.middle


@pytest.mark.parametrize(
    "words", [Words(key=b"a: b\n"), Words(before=b"x\n"), Words(behind=b"x\n"), Words(last=b"x")]
)
def test_a_note_with_a_users_word_is_not_ours_alone(words: Words) -> None:
    """Only a note of which every word is ours may be deleted."""
    assert apart(render(CONTENT)).is_ours_alone
    assert not apart(with_words(render(CONTENT), words)).is_ours_alone
    assert not apart(edited("Beans like", "Beans do like")).is_ours_alone
    assert not apart(edited("publish: false", "publish: true")).is_ours_alone
