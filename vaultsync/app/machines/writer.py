"""Which of a vault's machines writes what they share: only one may, lest a pull finds its files in the way."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.machines import own_files
from vaultsync.domain import tree_file
from vaultsync.domain.errors import VaultError
from vaultsync.store import marks
from vaultsync.vault import git, git_folder

if TYPE_CHECKING:
    from pathlib import Path

    from vaultsync.app.memory import Memory

_UPSTREAM = "upstream"
"""The mark of what git said last: [stamp, ids]."""

_OUTRANKED = "outranked"
"""The mark of the ids from which this machine took over: they count no more where the upstream names them."""


class Role(NamedTuple):
    """`me`: this machine; `writer`: the one that writes, None while nobody has.

    `overruled`: the upstream branch names another, whatever the vault here says.
    """

    me: str
    writer: str | None
    overruled: bool

    @property
    def is_writer(self) -> bool:
        """Tell whether this machine is the one that writes."""
        return self.writer == self.me

    @property
    def is_unclaimed(self) -> bool:
        """Tell whether the first machine that has something to write becomes the writer."""
        return self.writer is None

    @property
    def may_write(self) -> bool:
        """Tell whether no other machine is the writer."""
        return self.is_writer or self.is_unclaimed


class _Upstream(NamedTuple):
    """The machines that HEAD's upstream branch names. `stamp`: of git's files then; `is_news`: git was asked."""

    stamp: str | None
    writers: frozenset[str]
    is_news: bool


def find_role(memory: Memory) -> Role:
    """Find out who writes, changing nothing. Raises VaultError if the vault's word can't be read."""
    return _role(memory, _find_upstream(memory))


def settle(memory: Memory) -> Role:
    """Find out who writes, for a pass that may write, and make way for a writer that git has heard of.

    Git is asked only after a fetch, a push or a change of branch (one or two processes), else files are looked at
    (under 1 ms; outside git 0.1 ms). Raises as `find_role`, and OSError.
    """
    upstream = _find_upstream(memory)
    role = _role(memory, upstream)
    if upstream.is_news and not (role.overruled and git_folder.is_busy(memory.root)):
        if role.overruled:
            _make_way(memory)
        _keep(memory, upstream)
    return role


def claim(memory: Memory) -> bool:
    """Become the writer of a vault that has none; False if somebody else is at it. Raises as `own_files.put`."""
    found = own_files.find(memory.root, own_files.TREE)
    return own_files.put(memory, own_files.TREE, tree_file.with_writer(found.text, memory.machine), found)


def found_vault(root: Path, vault_id: str, machine: str) -> None:
    """Write the id of a new vault, and this machine as its writer, unless another is. Raises as `files.create`."""
    if tree_file.writers(own_files.find(root, own_files.TREE).text) <= {machine}:
        own_files.create(root, own_files.ID, f"{vault_id}\n")
        own_files.create(root, own_files.TREE, tree_file.with_writer("", machine))


def take(memory: Memory) -> bool:
    """Become the writer whoever it was; False if this machine is. Raises VaultError if it can't be written now."""
    upstream = _find_upstream(memory)
    if _role(memory, upstream).is_writer:
        return False
    if git_folder.is_busy(memory.root):
        raise VaultError(f"git is in the middle of something in {memory.root}. Finish that, then try again.")
    found = own_files.find(memory.root, own_files.TREE)
    if not _try_claim(memory):
        raise VaultError(f"{own_files.TREE} changes while it is written. Try again.")
    others = _outranked(memory) | tree_file.writers(found.text) | upstream.writers
    with memory.db.write() as tx:
        marks.put(tx, {_OUTRANKED: " ".join(sorted(others - {memory.machine}))})
    return True


def _try_claim(memory: Memory) -> bool:
    try:
        return claim(memory)
    except OSError as error:
        raise VaultError(f"{memory.root / own_files.TREE} can't be written: {error.strerror}.") from error


def _role(memory: Memory, upstream: _Upstream) -> Role:
    me = memory.machine
    named = upstream.writers if me in upstream.writers else upstream.writers - _outranked(memory)
    if named and me not in named:
        return Role(me, min(named), overruled=True)
    here = tree_file.writers(own_files.find(memory.root, own_files.TREE).text)
    return Role(me, min(here, default=None), overruled=False)


def _outranked(memory: Memory) -> frozenset[str]:
    return frozenset((marks.find(memory.db.read(), _OUTRANKED) or "").split())


def _find_upstream(memory: Memory) -> _Upstream:
    stamp = git_folder.upstream_stamp(memory.root)
    if stamp is None:
        return _Upstream(None, frozenset(), is_news=False)
    kept_stamp, kept = json.loads(marks.find(memory.db.read(), _UPSTREAM) or "[null, []]")
    if stamp == kept_stamp:
        return _Upstream(stamp, frozenset(kept), is_news=False)
    raw = git.upstream_file(memory.root, own_files.TREE) or b""
    return _Upstream(stamp, tree_file.writers(raw.decode("utf-8", "replace")), is_news=True)


def _keep(memory: Memory, upstream: _Upstream) -> None:
    """Remember what git said; once the upstream has heard of this machine, those before it are history."""
    with memory.db.write() as tx:
        marks.put(tx, {_UPSTREAM: json.dumps([upstream.stamp, sorted(upstream.writers)])})
        if memory.machine in upstream.writers:
            marks.put(tx, {_OUTRANKED: None})


def _make_way(memory: Memory) -> None:
    """Remove what we wrote and git does not track: a pull would not overwrite it."""
    ours = own_files.ours(memory, tree_file.with_writer("", memory.machine))
    for path in sorted(git.untracked(memory.root, ours) if ours else ()):
        own_files.give_up(memory, path, ours[path])
