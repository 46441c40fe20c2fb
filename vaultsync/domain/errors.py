"""The error tree; each error has a stable code that scripts may rely on.

VaultsyncError
├── UsageError          usage             exit 2: the command's words are off
│   ├── UnknownRef      unknown-ref       no note answers to that REF
│   └── AmbiguousRef    ambiguous-ref     more than one note answers to that REF
├── ConfigError         config-invalid    exit 2: a setting can't be read
├── VaultError          vault-unusable    exit 3: no vault there, or it can't be read
├── StateError          state-unusable    exit 3: the state folder or database can't be used
│   ├── StateGone       state-unusable    the state folder was removed, or another took its place
│   ├── StoreCorrupt    store-corrupt     SQLite says the file is damaged
│   ├── IndexDamaged    index-damaged     a full-text index is damaged; it can be built again
│   └── StoreFull       store-full        no room left on the disk
├── ServiceError        service           exit 1: the system can't be told to run the daemon
└── LockedError         locked            exit 4: another process holds the vault
"""

from __future__ import annotations


class VaultsyncError(Exception):
    """A failure a person can act on: what was wrong, where, and what to do next."""

    code = "error"
    exit_status = 1


class UsageError(VaultsyncError):
    """The command's words are off."""

    code = "usage"
    exit_status = 2


class UnknownRef(UsageError):
    """No note answers to that REF."""

    code = "unknown-ref"


class AmbiguousRef(UsageError):
    """More than one note answers to that REF."""

    code = "ambiguous-ref"


class ConfigError(VaultsyncError):
    """A setting can't be read."""

    code = "config-invalid"
    exit_status = 2


class VaultError(VaultsyncError):
    """There is no vault, or it can't be read."""

    code = "vault-unusable"
    exit_status = 3


class StateError(VaultsyncError):
    """The state folder or the database in it can't be used."""

    code = "state-unusable"
    exit_status = 3


class StateGone(StateError):
    """The state folder of this process was removed, or another took its place."""


class StoreCorrupt(StateError):
    """SQLite's integrity check says that the file is damaged."""

    code = "store-corrupt"


class IndexDamaged(StateError):
    """A full-text index is damaged; the text is not, so the index can be built again."""

    code = "index-damaged"


class StoreFull(StateError):
    """There is no room left for the database."""

    code = "store-full"


class ServiceError(VaultsyncError):
    """The system can't be told to run the daemon, or to run it no more."""

    code = "service"


class LockedError(VaultsyncError):
    """Another process holds the vault and does not answer."""

    code = "locked"
    exit_status = 4


class Stopped(BaseException):
    """The process is to end: raised between two batches of work, so that all that was begun is done or undone.

    As KeyboardInterrupt it is no Exception: a stage that lives with one failure must not live on after this.
    """
