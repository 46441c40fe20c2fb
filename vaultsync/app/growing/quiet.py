"""Which sources were left alone for long enough that what is stale in them is worth making again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.store import trees

if TYPE_CHECKING:
    from vaultsync.app.memory import Memory
    from vaultsync.store.trees import TreeRow


class Quiet:
    """Keeps for each tree how often it had changed when it was last seen, and since when it is so.

    Of what happened before it was made it knows nothing, and waits.
    """

    def __init__(self) -> None:
        self._seen: dict[int, tuple[int, float]] = {}

    def watch(self, memory: Memory) -> None:
        """See which trees have changed; to be called whenever notes have."""
        for tree in trees.every(memory.db.read()):
            if self._seen.get(tree.id, (None,))[0] != tree.changes:
                self._seen[tree.id] = tree.changes, memory.clock()

    def excuse(self, memory: Memory) -> None:
        """Let what has changed since the last look not count: it was done here, to no note."""
        for tree in trees.every(memory.db.read()):
            if tree.id in self._seen:
                self._seen[tree.id] = tree.changes, self._seen[tree.id][1]

    def holds(self, memory: Memory, tree: TreeRow) -> bool:
        """Tell whether nothing happened in a tree for as long as the settings say."""
        self.watch(memory)
        return memory.clock() - self._seen[tree.id][1] >= memory.settings.quiet_minutes * 60
