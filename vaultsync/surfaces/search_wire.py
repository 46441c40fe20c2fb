"""The JSON shape of what a search finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.surfaces.wire import uri

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vaultsync.app.finding.search import Hit, SearchResult
    from vaultsync.surfaces.wire import Document


def search_result(
    root: Path, query: str, mode: str, result: SearchResult, lines: Sequence[tuple[int, int]]
) -> Document:
    """Return the shape of `search`. `root`: the vault; `lines`: of each hit, its first and last line."""
    return {
        "query": query,
        "mode": mode,
        "legs": list(result.legs),
        "relaxed": result.relaxed,
        "notices": list(result.notices),
        "hits": [_hit(root, hit, *span) for hit, span in zip(result.hits, lines, strict=True)],
    }


def match(hit: Hit) -> Document:
    """Return the shape of what a query found in a hit."""
    return {
        "snippet": hit.snippet.text,
        "marks": [list(mark) for mark in hit.snippet.marks],
        "score": hit.score,
        "parts": hit.parts,
    }


def _hit(root: Path, hit: Hit, line: int, end_line: int) -> Document:
    return {
        "uid": hit.uid,
        "chunk": hit.chunk,
        "path": hit.path,
        "title": hit.title,
        "kind": hit.kind,
        "heading_path": list(hit.heading_path),
        "start": hit.start,
        "end": hit.end,
        "line": line,
        "end_line": end_line,
        "event_date": hit.event_date,
        **match(hit),
        "link": uri(root, hit.path) if hit.path else None,
        "summaries": list(hit.summaries),
    }
