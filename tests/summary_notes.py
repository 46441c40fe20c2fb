"""Contents of summary notes for tests, and what a user writes around them."""

from __future__ import annotations

from typing import NamedTuple

from vaultsync.domain.notes import NotePath
from vaultsync.domain.summary_note import Child, Content, Entry, Parts, Record, Section, render, take_apart

ID = "1234567e-8912-5cde-8123-0123456789ab"
OTHER_ID = "fedcba98-7654-5432-9210-fedcba987654"

RECORD = Record(
    id=ID,
    vault="5c3d5f0e-0000-4000-8000-000000000001",
    tree="5c3d5f0e-0000-5000-8000-000000000002",
    level=1,
    shelf="Garden/Beds",
    ordinal=3,
    state="open",
    generator="extractive/1",
    input_digest="0f" * 16,
    children=(Child("uid-1", "aa"), Child("uid-2", "bb")),
)

CONTENT = Content(
    record=RECORD,
    title="Beds",
    text="Beans like company.\n\nWater in the morning.",
    sections=(
        Section(
            "Notes",
            (
                Entry(NotePath("Garden/Beds/Beans.md"), "Beans"),
                Entry(NotePath("Garden/Beds/Water.md"), "Water"),
            ),
        ),
    ),
)


class Words(NamedTuple):
    """What a user adds: a line of frontmatter, text before our part, behind it, and at the end."""

    key: bytes = b""
    before: bytes = b""
    behind: bytes = b""
    last: bytes = b""


def with_words(raw: bytes, words: Words) -> bytes:
    """Put the words into a note of ours."""
    for old, new in (
        (b"\n---\n%% vaultsync:begin", b"\n%b---\n%b%%%% vaultsync:begin" % (words.key, words.before)),
        (b"%% vaultsync:end %%\n", b"%%%% vaultsync:end %%%%\n%b" % words.behind),
    ):
        raw = raw.replace(old, new, 1)
    return raw + words.last


def apart(raw: bytes) -> Parts:
    """Take a note apart that is one of ours."""
    parts = take_apart(raw)
    assert isinstance(parts, Parts), parts
    return parts


def edited(old: str, new: str, content: Content = CONTENT) -> bytes:
    """Return the rendered note after one edit."""
    raw = render(content)
    assert old.encode() in raw
    return raw.replace(old.encode(), new.encode())
