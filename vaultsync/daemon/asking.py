"""Waits for a model beside the one thread that works; what that comes to, it says when it is done."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from vaultsync import logs
from vaultsync.app.asking.unrefined import STAGE
from vaultsync.app.growing.duty import find_duty
from vaultsync.app.notes.report import Report
from vaultsync.daemon import telling
from vaultsync.domain.errors import Stopped
from vaultsync.store import attempts

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultsync.app.asking.refine import Estimate
    from vaultsync.app.growing.duty import Duty
    from vaultsync.app.memory import Memory

PATIENCE_S = 2.0
"""How long a round may take to end once it is abandoned: it may be in the middle of a transaction, or of a query."""

_FAULT = "asking"
"""The subject of a failure of ours, in `attempts`."""


class Asking:
    """`tell`: called by another thread after each round, with the generator of the texts that came, None for none.

    `announce`: called there too, before the first call ever, with what all of them take. One round at a time; the
    store is shared with the thread that works.
    """

    def __init__(
        self,
        memory: Memory,
        tell: Callable[[str | None], None],
        announce: Callable[[Estimate], None] = lambda _estimate: None,
    ) -> None:
        self._memory = memory
        self._tell = tell
        self._announce = announce
        self._is_abandoned = threading.Event()
        self._thread: threading.Thread | None = None
        self._said: set[str] = set()

    @property
    def is_busy(self) -> bool:
        """Tell whether a round is under way."""
        thread = self._thread
        return thread is not None and thread.is_alive()

    def ask(self) -> None:
        """Begin a round, unless one is under way, or no model is named: texts of summaries, or names if none are left.

        Returns at once.
        """
        if self.is_busy or self._is_abandoned.is_set():
            return
        # A daemon thread: the end of the process must not wait for it.
        self._thread = threading.Thread(target=self._run, name="asking", daemon=True)
        self._thread.start()

    def abandon(self) -> bool:
        """End the round under way without its answers, for good; tell whether it has ended, at most 2 s later.

        From then on it touches the store no more, which may be closed. Requests that are still out are left to
        threads that end with the process and touch nothing.
        """
        self._is_abandoned.set()
        if thread := self._thread:
            thread.join(PATIENCE_S)
        return not self.is_busy

    def _run(self) -> None:
        generator = None
        try:
            generator = self._round()
            self._recover()
        except Stopped:
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, there is nobody else to hear of it
            self._fail(error)
        self._thread = None  # so that who is told may ask again
        self._tell(generator)

    def _round(self) -> str | None:
        from vaultsync.app.asking import refine  # noqa: PLC0415 - slow to load, and most vaults have no model

        memory = self._memory
        refine.forget(memory)
        duty = find_duty(memory)
        if not refine.is_wanted(memory, duty, asked=False):
            self._name(duty)
            return None
        with refine.opened(memory, os.environ) as summariser:
            if summariser is None:
                self._tell_once("model.unusable")  # `status` says why
                return None
            if (takes := refine.estimate(memory)).is_first:
                self._announce(takes)
            refined = refine.refine(memory, duty, summariser, self._step, asked=False)
            telling.tell(Report(refined=refined))
        return summariser.generator if refined.replaced else None

    def _tell_once(self, name: str) -> None:
        if name not in self._said:
            self._said.add(name)
            logs.warning(name, model=self._memory.settings.model)

    def _name(self, duty: Duty) -> None:
        from vaultsync.app.asking import name_entities  # noqa: PLC0415 - as above

        if name_entities.is_wanted(self._memory, duty):
            with name_entities.opened(self._memory, os.environ) as namer:
                if namer is not None:
                    name_entities.name_entities(self._memory, namer, self._step, asked=False)

    def _step(self, _stage: str, _done: int, _total: int) -> None:
        if self._is_abandoned.is_set():
            raise Stopped

    def _recover(self) -> None:
        """Forget a failure, since a round went well."""
        if any(
            (found.stage, found.subject) == (STAGE, _FAULT)
            for found in attempts.pending(self._memory.db.read())
        ):
            with self._memory.db.write() as tx:
                attempts.clear(tx, STAGE, [_FAULT])

    def _fail(self, error: Exception) -> None:
        """Write down a fault of ours, or of the disk, as far as the store can be written."""
        words = logs.words(error)
        logs.warning("asking.failed", error=words)
        logs.trace(error)
        with suppress(Exception), self._memory.db.write() as tx:
            attempts.record(tx, STAGE, [(_FAULT, words)], int(self._memory.clock()))
