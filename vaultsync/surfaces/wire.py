"""What the JSON shapes of answers (commands.md) have in common, for the command line and whatever else asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vaultsync.domain.uris import obsidian_uri

if TYPE_CHECKING:
    from pathlib import Path

    from vaultsync.app.finding.climbing import Position
    from vaultsync.domain.notes import NotePath, Problem

Document = dict[str, Any]
"""A JSON object; its keys are stable."""


def place(position: Position | None) -> Document | None:
    """Return the shape of a place in the tree."""
    if position is None:
        return None
    return {
        "tree": position.tree,
        "source": position.source,
        "private": position.private,
        "parents": list(position.parents),
    }


def uri(root: Path, path: NotePath) -> str:
    """Return the URI that opens a note in Obsidian, which names the vault at `root` by its folder."""
    return obsidian_uri(root.name, path)


def note_problem(path: NotePath, problem: Problem) -> Document:
    """Return the shape of a problem in a list over several notes."""
    return {"path": path, **problem._asdict()}
