"""From bytes to `ParsedNote`: decodes a note and finds its blocks, links, tags and ids, each with its bytes."""

from __future__ import annotations

from vaultsync.domain.markdown.body import parse
from vaultsync.domain.markdown.offsets import Source, decode

__all__ = ["Source", "decode", "parse"]
