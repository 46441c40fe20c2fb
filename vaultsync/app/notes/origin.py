"""Whether changes came from git: a checkout or a pull is not a person who edits, deletes or renames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.store import marks
from vaultsync.vault import git, git_folder

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultsync.app.memory import Memory
    from vaultsync.domain.notes import NotePath

REST_S = 86_400
"""How long nothing is written into the vault after a pass that saw git's changes alone (design, section 3)."""

_POSITION = "git position"
_RESTS_SINCE = "rests since"


def has_moved(memory: Memory) -> bool:
    """Tell whether HEAD, the index or the stash moved since the last pass over the whole vault."""
    last = marks.find(memory.db.read(), _POSITION)
    return last is not None and last != (git_folder.position(memory.root) or "")


def of_git(memory: Memory, paths: Collection[NotePath]) -> frozenset[NotePath]:
    """Return those of the changed paths that git changed.

    HEAD, the index or the stash moved since the last pass, and the path is as the index says.
    """
    last = marks.find(memory.db.read(), _POSITION)
    if not paths or last is None or last == (git_folder.position(memory.root) or ""):
        return frozenset()
    return frozenset(paths) - git.unclean(memory.root, paths)


def taken_by_git(memory: Memory, paths: Collection[NotePath]) -> frozenset[NotePath]:
    """Return those of the missing paths that went with a move of HEAD: the commit of the last pass had them."""
    last = marks.find(memory.db.read(), _POSITION)
    if not last or last.split(" ")[0] == (git_folder.position(memory.root) or "").split(" ")[0]:
        return frozenset()
    gone = of_git(memory, paths)
    return gone & git.tracked_at(memory.root, last.split(" ")[0]) if gone else gone


def remember(memory: Memory, changed: Collection[NotePath], *, is_whole: bool) -> None:
    """Let the vault rest if all that a pass saw change was changed by git; after a whole one, note where git is."""
    index = memory.db.read()
    position = git_folder.position(memory.root) or ""
    if not is_whole:
        position = marks.find(index, _POSITION) or position
    rests = marks.find(index, _RESTS_SINCE)
    if changed:
        only_git = len(of_git(memory, changed)) == len(set(changed))
        rests = (rests or _now(memory)) if only_git else None
    said = {_POSITION: position, _RESTS_SINCE: rests}
    if said != {name: marks.find(index, name) for name in said}:
        with memory.db.write() as tx:
            marks.put(tx, said)


def rest_again(memory: Memory) -> None:
    """Begin another day's rest where one is over and what waited is written.

    So a vault whose every change is committed before a pass sees it is written into once a day.
    """
    if marks.find(memory.db.read(), _RESTS_SINCE) is not None and not is_resting(memory):
        with memory.db.write() as tx:
            marks.put(tx, {_RESTS_SINCE: _now(memory)})


def wake(memory: Memory) -> None:
    """Let the vault rest no longer, since a person asks for something."""
    if marks.find(memory.db.read(), _RESTS_SINCE) is not None:
        with memory.db.write() as tx:
            marks.put(tx, {_RESTS_SINCE: None})


def is_resting(memory: Memory) -> bool:
    """Tell if nothing is to be written into the vault: git changed it, and nobody has touched it since."""
    since = marks.find(memory.db.read(), _RESTS_SINCE)
    return since is not None and memory.clock() < int(since) + REST_S


def _now(memory: Memory) -> str:
    return str(int(memory.clock()))
