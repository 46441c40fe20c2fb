"""Whatever happens to notes, and to the notes made of them, the trees and their files keep what they promise."""

from __future__ import annotations

import pytest
from generated_moves import GeneratedMoves
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import rule, run_state_machine_as_test
from machine_moves import MachineMoves
from note_moves import NoteMoves

from vaultsync.app.sync import Wish, sync


class Growing(NoteMoves, GeneratedMoves, MachineMoves):
    """A vault, its person, other machines, and passes between."""

    @rule()
    def seal(self) -> None:
        self.run("none")

    @rule()
    def flush(self) -> None:
        self.run("all")

    @rule()
    def wait_a_day(self) -> None:
        """What waits for its bucket to fill has waited long enough."""
        with self.memory() as memory, memory.db.write() as tx:
            tx.run("UPDATE chunks SET arrived_at = arrived_at - 90000")
        self.run("due")

    @rule(write=st.booleans())
    def pass_in_part(self, write: bool) -> None:
        """Stop when the text is searchable, or write no notes."""
        with self.memory() as memory:
            sync(memory, Wish(to_text=write, write=write))


TestGrowing = Growing.TestCase
TestGrowing.settings = settings(
    max_examples=4,
    stateful_step_count=8,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.slow
def test_for_longer() -> None:
    """The same with more and longer lives."""
    long = settings(
        max_examples=12, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
    )
    run_state_machine_as_test(Growing, settings=long)
