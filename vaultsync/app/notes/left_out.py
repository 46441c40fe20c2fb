"""Why a file or folder of the vault is no note."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.app.notes.scope import find_scope
from vaultsync.domain.errors import UnknownRef, UsageError
from vaultsync.domain.notes import NotePath
from vaultsync.store import details
from vaultsync.vault import files
from vaultsync.vault.scanner import explain

if TYPE_CHECKING:
    from vaultsync.app.memory import Memory
    from vaultsync.domain.snapshot import Rule
    from vaultsync.store.connection import Reader

REASONS: Final[dict[Rule, str]] = {
    "dot-folder": "its folder begins with a dot, and Obsidian shows no such folder",
    "trash": "it lies in Obsidian's trash",
    "build-folder": "a program made its folder, for itself",
    "state-folder": "it lies in the folder where vaultsync keeps its memory",
    "vault-inside": "its folder is a vault of its own; the setting scope.nested_vaults takes it in",
    "excluded": "the setting scope.exclude names it",
    "gitignored": 'git ignores it, and the setting scope.gitignored is "skip"',
    "dot-file": "its name begins with a dot, and Obsidian shows no such file",
    "temp-file": "by its name it is some program's temporary file",
    "conflict-copy": "it is the copy that a sync tool left when two versions clashed",
    "not-markdown": "only .md files are notes",
    "canvas": "a canvas is no note",
    "base": "a base is no note",
    "symlink-outside": "it is a link that leads out of the vault",
    "symlink-inside": "it is a link, and what it leads to is in the vault already",
    "special-file": "it is no ordinary file",
    "name-not-utf8": "its name is no UTF-8",
}
"""Each rule as the end of a sentence that begins with the path."""

ASKS: Final = "ignored"
"""The rule of a note that says `vaultsync: ignore` itself: its path alone does not tell."""

OURS: Final = "generated"
"""The rule of a note that we wrote ourselves, but for that of a summary, which is shown."""


class LeftOut(NamedTuple):
    """A file or folder that is no note, and by which rule; `reason` ends a sentence that begins with it."""

    path: str
    rule: str
    reason: str


def is_file(memory: Memory, path: str) -> bool:
    """Tell whether there is a file at this path in the vault."""
    try:
        return files.resolve(memory.root, path).is_file()
    except (UsageError, OSError):
        return False


def explain_file(memory: Memory, index: Reader, path: str) -> LeftOut:
    """Return why the file at this path is no note. Raises UnknownRef for one that was not read yet."""
    if details.is_ours(index, NotePath(path)):
        return LeftOut(path, OURS, "vaultsync generated it, and it is no summary's")
    if details.is_ignored(index, NotePath(path)):
        return LeftOut(path, ASKS, "it says so itself (`vaultsync: ignore` in its frontmatter)")
    left_out = find_rule(memory, path)
    if left_out is None:
        raise UnknownRef(f"{path} is there but was not read yet. Run `vaultsync sync`.")
    return left_out


def find_rule(memory: Memory, path: str) -> LeftOut | None:
    """Return the rule that leaves out what stands at this path, if one does."""
    rule = explain(memory.root, find_scope(memory).rules, path)
    return LeftOut(path, rule, REASONS[rule]) if rule else None
