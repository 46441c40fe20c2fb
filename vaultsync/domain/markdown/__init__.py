"""From bytes to `ParsedNote`: blocks, headings, links, tags and ids, each with the bytes it stands in."""

from __future__ import annotations

from vaultsync.domain.markdown.body import parse
from vaultsync.domain.markdown.offsets import Source, decode

__all__ = ["Source", "decode", "parse"]
