"""Decoding: every encoding keeps its way back from characters to bytes."""

from __future__ import annotations

from itertools import pairwise

import pytest

from vaultsync.domain.decoding import decode
from vaultsync.domain.markdown import parse


@pytest.mark.parametrize(
    ("raw", "encoding", "text"),
    [
        (b"", "utf-8", ""),
        ("a é 😀".encode(), "utf-8", "a é 😀"),
        (b"\xef\xbb\xbfa", "utf-8", "a"),
        (b"\xff\xfea\0\xe9\0", "utf-16-le", "aé"),
        (b"\xfe\xff\0a\0\xe9", "utf-16-be", "aé"),
        (b"caf\xe9 \x93x\x94", "cp1252", "café “x”"),
        (b"a\x81b", "cp1252", "a\ufffdb"),
        (b"a\r\nb\rc", "utf-8", "a\r\nb\rc"),
    ],
)
def test_each_encoding_is_told_and_read(raw: bytes, encoding: str, text: str) -> None:
    """UTF-8 and UTF-16 by their marks, Windows-1252 when nothing in it is UTF-8; line ends stay."""
    source = decode(raw)
    assert (source.encoding, source.text) == (encoding, text)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"])
def test_offsets_count_bytes_of_the_file(encoding: str) -> None:
    """Each character's byte offset is where its bytes stand, the byte order mark counted."""
    text = "aé漢😀\r\nz"
    mark = "\ufeff" if encoding.startswith("utf-16") else ""
    raw = (mark + text).encode(encoding)
    source = decode(raw)
    offsets = source.to_bytes(range(len(text) + 1))
    assert [source.piece(start, end) for start, end in pairwise(offsets)] == list(text)
    assert offsets[-1] == len(raw)


@pytest.mark.parametrize("raw", [b"\xff\xfea\0b", b"\xfe\xff\0a\xd8", b"\xff\xfe\x00\xd8a", b"\xff\xfe\0"])
def test_an_odd_byte_ends_utf_16(raw: bytes) -> None:
    """A byte too many or half a pair does not raise, and the last offset is the file's end."""
    source = decode(raw)
    assert source.to_bytes([len(source.text)]) == [len(raw)]
    assert source.piece(0, len(raw)).endswith("\ufffd")


def test_damaged_utf8_keeps_every_byte() -> None:
    """A bad byte among good UTF-8 is one character, told with its line, and handed out as U+FFFD."""
    raw = "é\r\nb [[a".encode() + b"\xff" + b"]] \xe2\x82 #t"
    source = decode(raw)
    note = parse(source)
    [problem] = source.problems
    assert (problem.code, problem.line) == ("not-utf8", 2)
    assert source.encoding == "utf-8"
    [link] = note.links
    assert link.target == "a\ufffd"
    assert source.piece(link.start, link.end) == "[[a\ufffd]]"
    assert source.piece(note.tags[0].start, note.tags[0].end) == "#t"


def test_damage_that_is_cut_in_two_reads_as_its_piece_does() -> None:
    """What a string of a damaged note is cleaned to, its span decodes to."""
    raw = "é ".encode() + b"# \xe2\x82x\n"
    source = decode(raw)
    [heading] = parse(source, 2).headings
    assert f"# {heading.text}" == source.piece(heading.start, heading.end)


def test_windows_1252_is_a_problem_with_its_line() -> None:
    """The fallback is told, with the line of the first bad byte, whatever ends the lines."""
    [problem] = decode(b"a\rb\r\nc\n\xe9").problems
    assert (problem.code, problem.line) == ("not-utf8", 4)
    assert "Windows-1252" in problem.message


def test_good_utf8_has_no_problem() -> None:
    """A note in UTF-8 has nothing to report."""
    assert decode("é".encode()).problems == ()
