"""The daemon: looks at what changed, does what is due, answers commands; one thing at a time, in one thread."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from vaultsync import logs
from vaultsync.app.machines import own_files
from vaultsync.app.notes import origin
from vaultsync.daemon.asking import Asking
from vaultsync.daemon.clock_watch import ClockWatch
from vaultsync.daemon.git_patience import GitPatience
from vaultsync.daemon.inbox import Inbox
from vaultsync.daemon.pulse import Pulse
from vaultsync.daemon.requests import Desk
from vaultsync.daemon.state_watch import StateWatch
from vaultsync.daemon.watching import Watching
from vaultsync.daemon.work import FIRST_WAIT_S, Work
from vaultsync.domain.errors import ConfigError, StateError, StateGone, Stopped, StoreCorrupt
from vaultsync.store import files, places

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultsync.app.asking.refine import Estimate
    from vaultsync.app.memory import Memory
    from vaultsync.app.progress import Progress
    from vaultsync.daemon.notify import Notifier
    from vaultsync.daemon.requests import Reply, Request

GLANCE_S = 0.5
"""How often the loop at rest glances at whether somebody asks for something."""

TURN_S = 2.0
"""How often it looks around at rest: that costs a processor that sleeps up to 1 ms, and 0.2 % of it are allowed."""


class Supervisor:
    """`answer`: runs a command that was handed over; `reload`: reads the settings again, raises ConfigError.

    `monotonic`: seconds that only go on, and stand still while the machine sleeps.
    """

    def __init__(
        self,
        memory: Memory,
        notifier: Notifier,
        *,
        answer: Callable[[Memory, Progress, Request], Reply],
        reload: Callable[[Memory], Memory],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.inbox = Inbox()
        self._notifier = notifier
        self._answer = answer
        self._reload = reload
        self._clock = ClockWatch(memory.clock, monotonic)
        self._desk = Desk(memory.state)
        self._pulse = Pulse(memory.state, memory.clock)
        self._state = StateWatch(memory.state)
        self._git = GitPatience(memory.root, memory.clock)
        self._looked_at = 0.0
        self._equal_at: float | None = None
        self._fault = ""
        self._is_ready = self._is_stopping = self._is_reloading = False
        self._equip(memory)

    def _equip(self, memory: Memory) -> None:
        """Make what goes by the settings. Raises ConfigError."""
        asking = Asking(memory, self._hear, _announce)
        self._work = Work(memory, self._step, asking.ask)
        self._memory, self._asking = memory, asking
        self._watching = Watching(memory.root, memory.settings, self.inbox.look_at, state=memory.state)
        self.inbox.overflowed = True

    def stop(self) -> None:
        """Let the loop end when the batch at hand is done; from a signal or another thread."""
        self._is_stopping = True
        self.inbox.tell(lambda: None)

    def reload(self) -> None:
        """Let the settings be read again; from a signal or another thread."""
        self._is_reloading = True
        self.inbox.tell(lambda: None)

    def run(self) -> bool:
        """Work until `stop`, and tell whether all has ended: a model may still be waited for, and the store be in use.

        Raises StateGone, StoreCorrupt where the state is damaged.
        """
        logs.event("daemon.started", vault=self._memory.root)
        self._watching.start()  # before the first look, so that no change falls between the two
        try:
            while True:
                self._live()
        except Stopped:
            logs.event("daemon.stopped", vault=self._memory.root)
        finally:
            self._notifier.stopping()
            has_ended = self._asking.abandon()
            self._watching.stop()
            self._pulse.end()
        return has_ended

    def _live(self) -> None:
        """Take a turn, and a pause after one in which the store could not be used, as on a disk that is full."""
        try:
            self.turn()
        except (StateGone, StoreCorrupt):
            raise
        except StateError as error:
            logs.warning("store.failed", error=str(error), again_s=FIRST_WAIT_S)
            self.inbox.overflowed = True
            for _ in range(int(FIRST_WAIT_S / GLANCE_S)):
                self._step("", 0, 0)
                self.inbox.wait(GLANCE_S)

    def turn(self) -> None:
        """Look at what changed, then do one thing that is due, or wait a moment. Raises Stopped between two things."""
        self._step("", 0, 0)
        self.inbox.wait(0)
        self._check()
        if looks := self._is_to_look():
            self._look()
        if request := self._desk.next():
            self._serve(request)
        elif job := self._work.due:
            self._work.do(job)
        elif not looks:
            self._rest()

    def _step(self, stage: str, done: int, total: int) -> None:
        """Live on between two batches, or raise Stopped if that was the last; the progress of all that is done here."""
        self._notifier.alive()
        self._desk.acknowledge()
        if self._pulse.is_due:
            self._beat(stage, done, total)
        if self._is_stopping:
            raise Stopped

    def _beat(self, stage: str, done: int, total: int) -> None:
        """Let others see that we live, and what of."""
        is_left = stage or self._has_news() or self._work.has_failed("reconcile") or not self._is_ready
        if is_equal := self._watching.mode == "events" and not is_left:
            self._equal_at = self._memory.clock()
        self._pulse.beat(
            self._watching.state,
            pending=len(self.inbox.paths),
            doing=(stage, done, total) if total else None,
            next_runs=self._work.next,
            equal_at=self._equal_at,
        )
        rest = "the index equals the vault" if is_equal else "looks at the whole vault every now and then"
        self._notifier.status(stage or ("looking" if is_left else rest))

    def _check(self) -> None:
        """See to what nobody tells of: a watcher that died, a clock that was set, a machine that slept.

        Raises StateGone.
        """
        self._state.check()
        self._watching.check()
        self._poll()
        self._git.check()
        if step := self._clock.stepped():
            logs.event("clock.stepped", seconds=round(step))
            self.inbox.overflowed = True
            if step < 0:
                self._work.begin(afresh=True)
        if self._is_reloading and self._is_ready:
            self._is_reloading = False
            self._notifier.reloading()
            self._read_settings()
            self._notifier.ready()

    @property
    def next_at(self) -> float:
        """Return when something is to be done if nothing happens before, in seconds since 1970; it may be past."""
        return 0.0 if self._has_news() else min(self._work.next.values())

    def _rest(self) -> None:
        """Wait for news, a request or the next job; what is due already waits for git."""
        coming = self.next_at - self._memory.clock()
        rest = coming if coming > 0 else TURN_S
        for _ in range(int(TURN_S / GLANCE_S)):
            if self.inbox.wait(min(GLANCE_S, rest)) or self._desk.has_news() or rest <= GLANCE_S:
                return
            rest -= GLANCE_S

    def _has_news(self) -> bool:
        return bool(self.inbox.paths) or self.inbox.overflowed or self._work.is_due("reconcile")

    def _poll(self) -> None:
        """Let all be looked at where nobody tells what changed."""
        waited = self._memory.clock() - self._looked_at
        waits = self._work.has_failed("reconcile") and not self._work.is_due("reconcile")
        if self._watching.mode == "polling" and waited >= self._memory.settings.poll_s and not waits:
            self.inbox.overflowed = True

    def _is_to_look(self) -> bool:
        return self._has_news() and not self._git.is_waiting(self._memory.settings.git_patience_s)

    def _look(self) -> None:
        """Bring the index to what the disk says: of the paths that changed, or of the whole vault."""
        is_shared = not self._is_ready or self._may_be_anothers()
        paths = None if is_shared or self._is_whole() else frozenset(self.inbox.paths)
        self.inbox.forget()
        if paths is None and self._read_settings():
            self.inbox.forget()  # for a new beginning all is to be looked at, and is now
        report = self._work.do("reconcile", paths)
        if paths is None:
            self._looked_at = self._memory.clock()
        if report is None:
            return
        if paths is None:
            self._equal_at = self._looked_at
        is_hidden = places.is_hidden_quoted(self._memory.db.read(), None if paths is None else report.changed)
        if is_shared or report.generated or is_hidden:
            self._work.hasten(
                "seal"
            )  # generated notes say what is not known, or what is not to be seen any more
        if not self._is_ready:
            self._is_ready = True
            self._notifier.ready()
            self._pulse.ready()
            logs.event("daemon.ready", vault=self._memory.root)

    def _is_whole(self) -> bool:
        """Tell whether the whole vault is to be looked at: it is time, or what changed may mean any other path."""
        return (
            self.inbox.overflowed
            or self._work.is_due("reconcile")
            or any(path.startswith(".obsidian/") or path.endswith(".gitignore") for path in self.inbox.paths)
            or files.is_removal_refused(self._memory.db.read())  # what appears may be what is gone
        )

    def _may_be_anothers(self) -> bool:
        """Tell whether another machine, or git, may have changed what the machines of a vault share."""
        shared = (own_files.is_anothers(self._memory, path) for path in self.inbox.paths)
        return any(shared) or origin.has_moved(self._memory)

    def _hear(self, generator: str | None) -> None:
        """Take up what a model wrote; called by the thread that asked it."""
        self.inbox.tell(lambda: self._take_up(generator))

    def _take_up(self, generator: str | None) -> None:
        """Bring what is above new texts up to date, and ask for the next; None: there are none."""
        if generator is not None:
            self._work.quiet.excuse(self._memory)
            self._work.hasten("seal", "write_back", "models")

    def _serve(self, request: Request) -> None:
        """Run a command of another process, and give it what it prints."""
        self._read_settings()
        reply = self._answer(self._memory, self._step, request)
        self._desk.answer(request, reply)
        self._work.quiet.watch(self._memory)
        self._read_settings()  # what may be trusted may be more than before

    def _read_settings(self) -> bool:
        """Begin anew if the settings are others than before; where they can't be read, those of before stay."""
        try:
            memory = self._reload(self._memory)
            is_new = memory.settings != self._memory.settings
            before = self._watching, self._asking
            if is_new:
                self._equip(memory)
        except ConfigError as error:
            if str(error) != self._fault:
                self._fault = str(error)
                logs.warning("settings.failed", error=self._fault)
            return False
        if self._fault:
            self._fault = ""
            logs.event("settings.mended")
        if not is_new:
            return False
        before[0].stop()
        before[1].abandon()
        self._watching.start()
        logs.event("settings.changed")
        return True


def _announce(takes: Estimate) -> None:
    """Tell what a model will be asked, before it is asked for the first time."""
    logs.event("model.estimate", calls=takes.calls, tokens=takes.tokens, days=takes.days)
