"""Paths and words as systemd writes them, held against systemd's own programs where they are."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from vaultsync.service.escaping import escape_path, is_quotable, quote

NAMES = st.binary(min_size=1, max_size=12).filter(
    lambda name: not set(name) & {0, ord("/")} and name not in {b".", b".."}
)


@pytest.mark.parametrize(
    ("path", "escaped"),
    [
        ("/", "-"),
        ("/home/anna/Notes", "home-anna-Notes"),
        ("/home/anna/My Notes", r"home-anna-My\x20Notes"),
        ("/.hidden/.x", r"\x2ehidden-.x"),
        ("/a-b_c:d.e", r"a\x2db_c:d.e"),
        ("/Zettel/é", r"Zettel-\xc3\xa9"),
        ("/a\\b\udcff", r"a\x5cb\xff"),
    ],
)
def test_a_path_in_a_units_name(path: str, escaped: str) -> None:
    """Slashes become dashes; whatever could be taken for something else is told by its bytes."""
    assert escape_path(path) == escaped


@pytest.mark.skipif(shutil.which("systemd-escape") is None, reason="systemd is not installed")
@settings(max_examples=30)
@given(paths=st.lists(st.lists(NAMES, min_size=1, max_size=3), min_size=5, max_size=20))
def test_escaping_is_systemds_own(paths: list[list[bytes]]) -> None:
    """Any path gets the name that `systemd-escape --path` gives it."""
    texts = [b"/" + b"/".join(parts) for parts in paths]
    told = subprocess.run(["systemd-escape", "--path", "--", *texts], capture_output=True, check=True).stdout
    assert told.decode().rstrip("\n").split(" ") == [escape_path(os.fsdecode(text)) for text in texts]


def test_a_quoted_word() -> None:
    """Specifiers, quotes and backslashes are doubled or escaped; a dollar is left alone."""
    assert quote('a "b" %h $x c\\') == r'"a \"b\" %%h $x c\\"'


@pytest.mark.parametrize("word", ["a\nb", "a\tb", "\x7f", "\x85", "\udcff"])
def test_some_words_can_not_be_quoted(word: str) -> None:
    """A line break would be a line of its own."""
    assert not is_quotable(word)
    assert is_quotable("é 日本 \U0001f600 '\"\\%$")


@given(st.text(max_size=20))
def test_a_quoted_word_is_one_line_and_the_same_word(word: str) -> None:
    """Read back as systemd reads it, it is what it was."""
    assume(is_quotable(word))
    quoted = quote(word)
    assert not set(quoted) & {"\n", "\r", "\0"}
    assert re.sub(r"%(%)|\\(.)", r"\1\2", quoted[1:-1]) == word
