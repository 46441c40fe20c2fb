"""Where a leaf names what a model says that it names: only what stands in the text counts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from vaultsync.domain.entities.hiding import without_hidden
from vaultsync.domain.entities.values import Entity, Mention
from vaultsync.domain.fillers import FILLERS
from vaultsync.domain.folding import bare
from vaultsync.domain.names import caseless
from vaultsync.domain.scripts import unspaced

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SCORE: Final = 0.7
"""As of a single capitalised word within a sentence: a model is right more often than not."""


def given(texts: Iterable[str], surfaces: Iterable[str]) -> Iterator[list[Mention]]:
    """Yield for each leaf of a note, all given in order as for `find`, where it has one of the surfaces as a word.

    Letter for letter; the longer of two in one place. What has no capital, in a script that has some, is no name.
    """
    wanted = sorted(
        {surface for surface in surfaces if _is_name(surface)}, key=lambda surface: (-len(surface), surface)
    )
    pattern = re.compile("|".join(map(_as_word, wanted)) or r"(?!)")
    fence = ""
    for text in texts:
        seen, fence = without_hidden(text, fence)
        yield [
            Mention(Entity("name", caseless(found[0])), found[0], found.start(), found.end(), _SCORE)
            for found in pattern.finditer(seen)
        ]


def _is_name(surface: str) -> bool:
    has_capital = any(char.isupper() for char in surface)
    return (has_capital or unspaced(surface)) and bare(surface) not in FILLERS


def _as_word(surface: str) -> str:
    """Return what finds a surface that no letter goes on from; characters of unspaced scripts have none beside them."""
    before = "" if unspaced(surface[0]) else r"(?<!\w)"
    after = "" if unspaced(surface[-1]) else r"(?!\w)"
    return f"{before}{re.escape(surface)}{after}"
