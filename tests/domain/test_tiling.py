"""Leaves that do not stand where they say, or leave a part of the body out, are found."""

from __future__ import annotations

import pytest

from vaultsync.domain.tiling import Stand, find_fault

RAW = "---\na: 1\n---\nEins.\n\nZwölf.\n".encode()
EINS, ZWOELF = Stand(13, 18, "Eins."), Stand(20, 27, "Zwölf.")


def test_leaves_that_tile_the_body_have_no_fault() -> None:
    """Frontmatter and blanks need no leaf, in any encoding."""
    assert find_fault(RAW, "utf-8", [EINS, ZWOELF]) is None
    assert find_fault(b"\xef\xbb\xbf---\na: 1\n---\n \n", "utf-8", []) is None
    assert find_fault(b"", "utf-8", []) is None
    assert find_fault("\ufeffEins.".encode("utf-16-le"), "utf-16-le", [Stand(2, 12, "Eins.")]) is None
    assert find_fault(b"Zw\xf6lf", "cp1252", [Stand(0, 5, "Zwölf")]) is None


@pytest.mark.parametrize(
    ("leaves", "fault"),
    [
        ([], "no chunk holds bytes 0 to 28"),
        ([EINS], "no chunk holds bytes 18 to 28"),
        ([ZWOELF], "no chunk holds bytes 0 to 20"),
        ([EINS, EINS, ZWOELF], "two chunks hold bytes 13 to 18"),
        ([EINS, Stand(20, 26, "Zwölf.")], "bytes 20 to 26 are not their chunk's text"),
        ([Stand(14, 18, "Eins."), ZWOELF], "no chunk holds bytes 0 to 14"),
    ],
)
def test_a_fault_is_named(leaves: list[Stand], fault: str) -> None:
    """A gap, an overlap and another text are told with their bytes."""
    assert find_fault(RAW, "utf-8", leaves) == fault
