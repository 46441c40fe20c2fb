"""`dump --tree` tells the summaries as what the vault alone decides."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

from grown_vaults import about
from small_vaults import ask

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Vault = Callable[[Mapping[str, str | bytes]], Path]


def told(root: Path, *options: str) -> list[dict[str, Any]]:
    lines = ask("--vault", root, "dump", *options).text.splitlines()
    return [entry for entry in map(json.loads, lines) if "summary" in entry]


def test_every_summary_is_a_line_with_what_is_below_it(vault: Vault) -> None:
    """Notes by path, summaries by number; they stand behind links, and only where they are asked for."""
    root = vault(about(*"abcdef"))
    ask("--vault", root, "sync")
    first, *_, top = told(root, "--tree")
    assert first.pop("hash") != top.pop("hash")
    assert first == {
        "summary": ["Garden", 1],
        "private": False,
        "level": 1,
        "shelf": "/",
        "state": "sealed",
        "pinned": False,
        "children": ["Garden/a.md", "Garden/b.md"],
    }
    assert (top["level"], top["children"]) == (2, [1, 2, 3])
    assert told(root) == []
    assert len({entry["uid"] for entry in told(root, "--tree", "--uids")}) == 4


def test_an_index_built_anew_says_the_same(vault: Vault, home: Path) -> None:
    """Nothing in it depends on when or where it was made."""
    root = vault({**about(*"abcdef"), "Shed/x.md": "---\nprivate: true\n---\nNobody knows of Northhouse.\n"})
    ask("--vault", root, "sync")
    before = told(root, "--tree", "--uids")
    shutil.rmtree(home / "state")
    ask("--vault", root, "sync")
    assert told(root, "--tree", "--uids") == before
    assert [entry["private"] for entry in before].count(True) == 1
