"""Field cases of reading markdown."""

from __future__ import annotations

from vaultsync.domain.decoding import decode
from vaultsync.domain.markdown import parse
from vaultsync.domain.notes import Link


def test_F72_escaped_pipe_in_a_table() -> None:
    """The backslash that keeps a table's cell together is no part of the target."""
    note = parse(decode(rb"| a |" + b"\n|---|\n" + rb"| [[X\|y]] |"))
    assert note.links == (Link("wikilink", "X|y", "X", "y", 14, 22),)
    assert [block.kind for block in note.blocks] == ["table"]
