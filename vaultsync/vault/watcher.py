"""Tells which paths of a vault to look at, from a thread of its own; the one place that watches files."""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import TYPE_CHECKING

from watchfiles import Change
from watchfiles._rust_notify import (
    RustNotify,
    WatchfilesRustInternalError,
)  # its docs' way to wait now shorter, now longer

from vaultsync.vault import watch_limits, watched
from vaultsync.vault.mounts import Hindrance
from vaultsync.vault.settling import Batch, Look, Settling

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vaultsync.domain.notes import NotePath

    Changes = set[tuple[int, str]]

__all__ = ["Batch", "Watcher"]

STEP_MS = 100
"""How often the thread looks for what the system told: 0.08 % of a core at rest; 50 ms would take twice as much."""

IDLE_MS = 1000
"""How often it looks at the vault's root while nothing happens."""

SILENCE_S = 60.0
"""A thread that has not turned for so long hangs, as on a disk that does not answer."""

PAUSE_S = 3.0
"""How often all is looked at at most while files with names that are no UTF-8 change."""

TRIES = 5
"""How often the folders are listed anew when one went between being listed and being watched."""


class Watcher:
    """Watches the vault at a real path, and calls `tell` with what to look at; once at first, to look at all.

    `state`: the state folder, whose files are no news. `in_one`: the system watches all below a folder as one, as
    macOS does; else each folder is watched by itself, so that links, git's and hidden folders are not, and one that
    can't be read does not spoil the rest.
    """

    def __init__(
        self,
        root: Path,
        tell: Callable[[Batch], None],
        *,
        state: Path | None = None,
        in_one: bool = sys.platform == "darwin",
    ) -> None:
        self.trouble: Hindrance | None = None
        self._root = str(root)
        self._tell = tell
        self._state = _below(self._root, os.path.realpath(state)) if state else None
        self._in_one = in_one
        self._folders: frozenset[str] = frozenset()
        self._is_outgrown = False
        self._source: RustNotify
        self._settling = Settling()
        self._stop = threading.Event()
        self._begun = threading.Event()
        self.stood = False
        self._heard_at = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)

    def start(self, patience: float = 0.0) -> None:
        """Begin, and wait at most so many seconds until every folder is watched."""
        self._thread.start()
        self._begun.wait(patience)

    def stop(self) -> None:
        """End, and wait for it a moment: a thread that hangs is left behind."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(2.0)

    @property
    def stands(self) -> bool:
        """Tell whether it watches; `stood`: whether it ever did."""
        return self.stood and self.is_alive

    @property
    def is_alive(self) -> bool:
        """Tell whether it goes on; if not, `trouble` may say why."""
        return self._thread.is_alive() and time.monotonic() - self._heard_at < SILENCE_S

    def _run(self) -> None:
        try:
            self._attend()
        except Exception as error:  # noqa: BLE001 - whatever ends the thread, somebody must hear of it (F22)
            self.trouble = _trouble(error, self._root)
        finally:
            self._begun.set()

    def _attend(self) -> None:
        number = _number(self._root)
        self._source = self._begin()
        self.stood = True
        self._tell(Batch(frozenset(), overflow=True))  # nobody knows what changed until now
        self._begun.set()
        try:
            while not self._stop.is_set():
                self._turn(self._wait(self._source, STEP_MS if self._settling.is_waiting else IDLE_MS))
                if _number(self._root) != number:
                    raise FileNotFoundError
        finally:
            self._source.close()

    def _wait(self, source: RustNotify, most_ms: int) -> Changes:
        """Return what changed, after so many milliseconds at most if nothing does. Raises what ends the watch."""
        try:
            changes = source.watch(STEP_MS, STEP_MS, most_ms, self._stop)
        except WatchfilesRustInternalError as error:
            if "decode path" not in str(error):
                raise
            self._start_over()
            return set()
        return set() if isinstance(changes, str) else changes

    def _start_over(self) -> None:
        """Watch anew after a change of a name that is no UTF-8, of which watchfiles can't tell; it may hide others."""
        self._stop.wait(PAUSE_S)
        self._source.close()
        self._source = self._begin()
        self._settling.hear_all(time.monotonic())

    def _turn(self, changes: Changes) -> None:
        self._take_in(changes, self._folders)
        if self._is_outgrown:
            self._renew()
        if batch := self._settling.take(time.monotonic(), time.time_ns(), self._look):
            self._tell(batch)
        self._heard_at = time.monotonic()

    def _begin(self) -> RustNotify:
        """Watch all folders there are now, and return what tells of them. Raises OSError."""
        for left in reversed(range(TRIES)):
            found = watched.folders(self._root, self._state)
            try:
                source = self._watch(found)
                break  # from here on it is told
            except (FileNotFoundError, PermissionError):
                if not left or not found:
                    raise
        if self.stood:
            for path in found - self._folders:  # something may be there from before it was watched (F36)
                self._settling.hear(watched.meaning(path), time.monotonic(), has_appeared=True)
        self._folders = found
        self._is_outgrown = watched.folders(self._root, self._state) != found
        return source

    def _renew(self) -> None:
        """Watch more folders; the old watch ends when the new one stands, so that nothing falls between."""
        before, known = self._source, self._folders
        self._source = self._begin()
        self._take_in(self._wait(before, STEP_MS), known | self._folders)
        before.close()

    def _watch(self, folders: frozenset[str]) -> RustNotify:
        if not folders:
            os.listdir(self._root)  # noqa: PTH208 - for what it raises
            raise FileNotFoundError
        places = [self._root] if self._in_one else [os.path.join(self._root, path) for path in folders]  # noqa: PTH118
        return RustNotify(
            places,
            debug=False,
            force_polling=False,  # it would look at each file three times a second
            poll_delay_ms=0,
            recursive=self._in_one,
            ignore_permission_denied=False,  # with True all errors are kept from us, and nothing is watched
        )

    def _take_in(self, changes: Changes, known: frozenset[str]) -> None:
        """Let what changed wait until it stands. `known`: the folders that were there."""
        now = time.monotonic()
        for change, place in changes:
            path = _below(self._root, place)
            if path is None:
                self._settling.hear_all(now)
            elif path and (about := watched.telling(self._root, path, known, self._state)):
                self._settling.hear(about, now, has_appeared=change == Change.added)
                is_new = change == Change.added or path not in known
                self._is_outgrown |= is_new and watched.is_folder(place)

    def _look(self, path: NotePath) -> Look | None:
        try:
            found = os.lstat(f"{self._root}/{path}")
        except OSError:
            return None
        return Look(found.st_size, found.st_mtime_ns, found.st_ino)


def _below(root: str, place: str) -> str | None:
    """Return the path below the root, "" for the root itself; None for a place that is not below it."""
    root = root.rstrip("/")
    if place.rstrip("/") == root:
        return ""
    return place[len(root) + 1 :] if place.startswith(f"{root}/") else None


def _number(root: str) -> tuple[int, int] | None:
    """Return what differs when another folder stands at the place."""
    try:
        found = os.stat(root)  # noqa: PTH116 - ten times a second
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _trouble(error: Exception, root: str) -> Hindrance:
    words = str(error)
    if limit := watch_limits.reached(words):
        return watch_limits.explain(limit, watch_limits.current(limit))
    if isinstance(error, PermissionError):
        return Hindrance(f"The vault {root} may not be read.")
    if isinstance(error, FileNotFoundError):
        return Hindrance(f"The vault {root} was moved, removed or replaced.")
    return Hindrance(f"The watcher failed: {words or type(error).__name__}.")
