"""From bytes to `ParsedNote`: blocks, headings, links, tags and ids, each with the bytes it stands in."""

from __future__ import annotations

from vaultsync.domain.markdown.body import parse

__all__ = ["parse"]
