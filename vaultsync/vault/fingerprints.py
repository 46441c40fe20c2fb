"""What `stat` says of a file, without opening it."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from vaultsync.domain.notes import Fingerprint

if TYPE_CHECKING:
    import os

SF_DATALESS = 0x40000000
"""The flag in `st_flags` of a file whose bytes are in the cloud only; macOS, sys/stat.h (F44)."""

_MOST = 2**63 - 1
"""SQLite's largest integer; overlay file systems number inodes beyond it, and so are the nanoseconds of 2263."""

_facts = attrgetter("st_size", "st_mtime_ns", "st_ctime_ns", "st_ino", "st_dev")


def fingerprint(status: os.stat_result) -> Fingerprint:
    """Return the fingerprint of a file from its `stat`."""
    facts = _facts(status)
    if max(facts) > _MOST or min(facts) < -_MOST:
        facts = tuple(fact & _MOST for fact in facts)
    return tuple.__new__(Fingerprint, facts)  # a third of the time of Fingerprint(...)


def is_dataless(status: Any) -> bool:  # noqa: ANN401 - only macOS' stat_result has st_flags
    """Tell whether a file's bytes are in the cloud only; to open it might wait for a download."""
    return bool(getattr(status, "st_flags", 0) & SF_DATALESS)
