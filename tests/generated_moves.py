"""What a person does to generated notes, one move each."""

from __future__ import annotations

from growing_vault import GrowingVault, numbers
from hypothesis import strategies as st
from hypothesis.stateful import rule

from vaultsync.app import orders
from vaultsync.app.unpin import unpin
from vaultsync.store import summaries


class GeneratedMoves(GrowingVault):
    """Generated notes are written in, deleted, and asked for again."""

    @rule(number=numbers, place=st.sampled_from(["frontmatter", "before", "inside", "behind", "last"]))
    def write_into_generated(self, number: int, place: str) -> None:
        for path in self.some(self.generated(), number):
            self.versions += 1
            words = f"mine{self.versions}"
            old, new = {
                "frontmatter": ("\n---\n", f"\nkey: {words}\n---\n"),
                "before": ("%% vaultsync:begin %%\n", f"{words}\n%% vaultsync:begin %%\n"),
                "inside": ("%% vaultsync:begin %%\n", f"%% vaultsync:begin %%\n{words}\n"),
                "behind": ("%% vaultsync:end %%\n", f"%% vaultsync:end %%\n{words}\n"),
                "last": ("", ""),
            }[place]
            text = path.read_text()
            path.write_text(text.replace(old, new, 1) if old else f"{text}{words}\n")
            self.changed()

    @rule(number=numbers, count=st.sampled_from([1, 1, 2, 7]))
    def delete_generated(self, number: int, count: int) -> None:
        for at in range(count):
            for path in self.some(self.generated(), number + at):
                path.unlink()
        self.changed()

    @rule(number=numbers)
    def unpin_one(self, number: int) -> None:
        with self.memory() as memory:
            pinned = [row for row in summaries.every(memory.db.read()) if row.pinned and not row.private]
            known = pinned and summaries.with_uids(memory.db.read(), [pinned[number % len(pinned)].uid])
        if known:
            self.run("due")
            with self.memory() as memory:
                for row in summaries.with_uids(memory.db.read(), list(known)).values():
                    if row.pinned:
                        unpin(memory, row)
            self.run("due")

    @rule(number=numbers, everything=st.booleans())
    def rebuild(self, number: int, everything: bool) -> None:
        self.run("due")
        with self.memory() as memory:
            rows = summaries.every(memory.db.read())
            if rows:
                orders.rebuild(memory, None if everything else rows[number % len(rows)].uid)
        self.run("all" if everything else "due")

    @rule()
    def switch_on(self) -> None:
        with self.memory() as memory:
            orders.switch(memory, on=True)
        self.run("due")
