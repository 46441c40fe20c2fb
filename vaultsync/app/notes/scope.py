"""What counts as a note at this moment, and how notes are read: settings, Obsidian's settings, git's word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultsync.domain.notes import ReadOptions
from vaultsync.vault import git, obsidian
from vaultsync.vault.ignore import Rules

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from vaultsync.app.memory import Memory
    from vaultsync.domain.notes import NotePath

READER_VERSION = 1
"""Raised whenever the same bytes would be read otherwise than before; then every note is read again."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The rules by which paths are notes, and the options by which notes are read."""

    rules: Rules
    options: ReadOptions

    @property
    def profile(self) -> str:
        """Return the signature under which notes are read now."""
        return f"reader {READER_VERSION} {self.options}"


def find_scope(memory: Memory, only: Collection[NotePath] | None = None) -> Scope:
    """Ask the vault, Obsidian's settings and git what counts now, at least for the paths in `only`."""
    settings = memory.settings
    seen = obsidian.read_settings(memory.root)
    rules = Rules(
        obsidian=seen,
        exclude=settings.exclude,
        private=settings.private,
        gitignored=settings.gitignored,
        git_ignored=git.ignored(memory.root, only),
        nested_vaults=settings.nested_vaults,
        state_folder=_inside(memory.root, memory.state),
        summaries=settings.folder,
    )
    options = ReadOptions(
        chunk_target=settings.chunk_target,
        chunk_ceiling=settings.chunk_ceiling,
        max_bytes=settings.max_note_bytes,
        daily_format=seen.daily_format,
        daily_folder=seen.daily_folder,
    )
    return Scope(rules, options)


def _inside(root: Path, state: Path) -> str | None:
    return state.relative_to(root).as_posix() if state.is_relative_to(root) else None
