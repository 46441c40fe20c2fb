"""Find the vault, its id and its state folder, and open its memory."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from vaultsync import config
from vaultsync.app.machines import own_files, trust
from vaultsync.app.machines.machine import memory_id
from vaultsync.app.machines.writer import found_vault
from vaultsync.app.memory import Memory
from vaultsync.config import VAULT_FOLDER
from vaultsync.domain.errors import ConfigError, StateError, UsageError, VaultError
from vaultsync.domain.notes import NotePath
from vaultsync.domain.surroundings import refusal_words
from vaultsync.store.connection import Database
from vaultsync.vault import access, files, git

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ID_PATH = NotePath(own_files.ID)
DATABASE = "index.db"
RECORD = "vault.json"
"""In each state folder, which vault it remembers: `vault_id`, `root`, where that vault stood last, `within`,
where in its git work tree, and `machine`, the id of this memory, which outlasts a move."""

_NEW_RECORD = "vault.json.new"
_OURS = (DATABASE, RECORD, "lock", "requests", "daemon.json", "reads.")
"""What a state folder may hold without a record."""

_ID = re.compile(r"[0-9A-Za-z-]{8,64}")


@dataclass(frozen=True, slots=True)
class Place:
    """A vault and its state folder. `state`: where the memory is now; `home`: where it belongs.

    The two differ when the vault was moved. `is_new`: nothing says the id yet. `within`: where the vault stands in
    its git work tree.
    """

    root: Path
    vault_id: str
    is_new: bool
    within: str
    state: Path
    home: Path

    @property
    def database(self) -> Path:
        """Return the path of the database, there or not."""
        return self.state / DATABASE


def find_root(argument: Path | None, environ: Mapping[str, str], here: Path) -> Path:
    """Return the vault's real path: the argument, else VAULTSYNC_VAULT, else the nearest upward of `here`.

    Raises VaultError if that is no folder, UsageError if there is none.
    """
    named = argument or (
        Path(environ["VAULTSYNC_VAULT"]) if environ.get("VAULTSYNC_VAULT") else _nearest(here)
    )
    if named is None:
        raise UsageError(
            f"{here} lies in no vault (no .obsidian or .vaultsync folder here or above). "
            "Go into one, or name it with --vault DIR."
        )
    root = Path(os.path.realpath(named))
    if not root.is_dir():
        raise VaultError(f"{named} is no folder. Name the vault with --vault DIR.")
    # Listed, not asked for with os.access: that knows nothing of the grants of macOS (F48).
    if refused := access.refusal(root, ""):
        raise VaultError(refusal_words(str(named), refused, sys.platform)) from refused
    return root


def refuse_part(folder: Path) -> None:
    """Raise UsageError for a folder that is no vault of its own but a part of one: `--only` is meant (F42)."""
    real = Path(os.path.realpath(folder))
    whole = _nearest(real.parent)
    if whole is not None and _nearest(real) == whole:
        raise UsageError(
            f"{folder} is a part of the vault {whole}. Run `vaultsync sync {whole} --only {real.relative_to(whole)}`, "
            f"or make it a vault of its own with `vaultsync init {folder}`."
        )


def find_place(root: Path, state: Path | None, environ: Mapping[str, str]) -> Place:
    """Find out where a vault's memory is kept, making nothing. A new vault gets a random id."""
    if state is None and environ.get("VAULTSYNC_STATE"):
        state = Path(environ["VAULTSYNC_STATE"])
    records = {state: _record(state)} if state else _records(_states())
    recorded = _recorded_id(root, records)
    within = git.place_in_work_tree(root)
    named = _named_id(root, recorded)
    vault_id = named or recorded or _random_id()
    home = Path(os.path.realpath(state)) if state else _states() / _state_name(vault_id, root)
    now = home if state or home.exists() else _left_behind(vault_id, within, records) or home
    return Place(root, vault_id, named is None and recorded is None, within, now, home)


@contextmanager
def open_memory(place: Place, *, write: bool = False) -> Iterator[Memory]:
    """Open the memory to read it, or to write it (after `prepare_state`, under the instance lock).

    Raises StateError when nothing is known yet or the state can't be used, UsageError for a part of a vault,
    ConfigError for bad settings.
    """
    if not write and not place.database.exists():
        refuse_part(place.root)
        raise StateError(f"Nothing is known of {place.root} yet. Run `vaultsync sync {place.root}` first.")
    settings = trust.load(place.root, place.vault_id).settings
    database = Database.open(place.database, write=write)
    try:
        machine = _record(place.state).get("machine", "")
        yield Memory(place.root, place.vault_id, place.state, machine, settings, database)
    finally:
        database.close()


@contextmanager
def rehearse(place: Place) -> Iterator[Memory]:
    """Open the memory for a dry run: a copy of it, or a blank one, that is thrown away. Raises as `open_memory`."""
    from vaultsync.store import scratch  # noqa: PLC0415 - for a dry run only

    settings = trust.load(place.root, place.vault_id).settings
    known = place.database.exists()
    if not known:
        refuse_part(place.root)
    with scratch.folder() as folder:
        copy = folder / DATABASE
        database = Database.open_copy(place.database, copy) if known else Database.open(copy, write=True)
        try:
            machine = _record(place.state).get("machine", "")
            yield Memory(
                place.root, place.vault_id, place.state, machine, settings, database, is_rehearsal=True
            )
        finally:
            database.close()


def prepare_state(place: Place) -> Place:
    """Make the state folder, taking over that of a vault which was moved; it records the vault from now on.

    Raises StateError when the folder can't be made or is another vault's; before anything is written, UsageError for
    a part of a vault, ConfigError for bad settings.
    """
    if not place.database.exists():
        refuse_part(place.root)
    _check_owner(place)
    trust.load(place.root, place.vault_id)
    record = {
        "vault_id": place.vault_id,
        "root": str(place.root),
        "within": place.within,
        "machine": _record(place.state).get("machine") or memory_id(place.root, _machines()),
    }
    try:
        if place.state != place.home:
            place.state.rename(place.home)
        place.home.mkdir(parents=True, exist_ok=True)
        if _record(place.home) != record:
            _write_record(place.home, record)
    except OSError as error:
        raise StateError(
            f"The state folder {place.home} can't be used: {error.strerror}. Name another with --state DIR."
        ) from error
    if place.is_new:
        # Where the id can't be written, the record above remembers it. It is written once: a known vault without
        # it may be the folder where its disk is not mounted (F38).
        with suppress(OSError, UsageError, VaultError):
            found_vault(place.root, place.vault_id, record["machine"])
    return replace(place, is_new=False, state=place.home)


def write_config(root: Path, said: Mapping[str, object]) -> bool:
    """Write the vault's config.toml with every option explained; False if one is there, which stays.

    `said`: the values, by name, that are in force there; the others stand at their defaults, as comments.
    """
    try:
        files.create(root, NotePath(config.CONFIG_PATH), config.template(said).encode())
    except files.WriteRefused:
        return False
    except OSError as error:
        raise VaultError(f"{root / config.CONFIG_PATH} can't be written: {error.strerror}.") from error
    return True


def _nearest(here: Path) -> Path | None:
    for folder in (here, *here.parents):
        # os.path: where a folder may not be entered, Path.is_dir raises.
        if os.path.isdir(folder / VAULT_FOLDER) or os.path.isdir(folder / ".obsidian"):  # noqa: PTH112
            return folder
    return None


def _named_id(root: Path, recorded: str | None) -> str | None:
    """Return the id that the vault, its generated notes or git say; to know git's again costs less than to find it."""
    with suppress(files.ReadFailure, UnicodeDecodeError):
        text = files.read(root, ID_PATH).raw.decode().strip()
        if _ID.fullmatch(text):
            return text
    if recorded is None and (told := _told_id(root)):
        return told
    return recorded if recorded and git.has_commit(root, recorded) else git.root_commit(root)


def _told_id(root: Path) -> str | None:
    """Return the id in the data block of generated notes: without it nothing of them could be taken over."""
    from vaultsync.app.writing.marked_files import named_vault  # noqa: PLC0415 - once in a vault's life on a machine

    with suppress(ConfigError):
        told = named_vault(root, config.load(root).settings.folder)
        if told and _ID.fullmatch(told):
            return told
    return None


def _random_id() -> str:
    import uuid  # noqa: PLC0415 - once in a vault's life

    return str(uuid.uuid4())


def _recorded_id(root: Path, records: Mapping[Path, dict[str, str]]) -> str | None:
    return next((record["vault_id"] for record in records.values() if record.get("root") == str(root)), None)


def _states() -> Path:
    return platformdirs.user_state_path("vaultsync") / "vaults"


def _state_name(vault_id: str, root: Path) -> str:
    """Vault id and real path: two clones or a copied folder never share a database."""
    return f"{vault_id[:12]}-{hashlib.sha256(os.fsencode(root)).hexdigest()[:12]}"


def _records(states: Path) -> dict[Path, dict[str, str]]:
    folders = sorted(states.iterdir()) if states.is_dir() else []
    return {folder: record for folder in folders if (record := _record(folder))}


def _machines() -> set[str]:
    return {record["machine"] for record in _records(_states()).values() if record.get("machine")}


def _record(state: Path) -> dict[str, str]:
    with suppress(OSError, ValueError):
        record = json.loads((state / RECORD).read_text(encoding="utf-8"))
        if isinstance(record, dict) and isinstance(record.get("vault_id"), str):
            return record
    return {}


def _is_foreign(state: Path) -> bool:
    """Tell if a folder without a record of ours holds what others put there; a damaged record is no other's."""
    if not state.is_dir():
        return False
    with suppress(OSError, ValueError):
        if isinstance(json.loads((state / RECORD).read_text(encoding="utf-8")), dict):
            return True
    return not all(path.name.startswith(_OURS) for path in state.iterdir())


def _write_record(state: Path, record: dict[str, str]) -> None:
    """Write the record at once, and so that it outlasts a power cut."""
    with (state / _NEW_RECORD).open("w", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")
        file.flush()
        os.fsync(file.fileno())
    (state / _NEW_RECORD).replace(state / RECORD)


def _left_behind(vault_id: str, within: str, records: Mapping[Path, dict[str, str]]) -> Path | None:
    """Return the state of the same vault whose recorded place is gone: it was moved here.

    Two vaults in one git repository have one id; what tells them apart is where in it they stand.
    """
    for state, record in records.items():
        same = (record["vault_id"], record.get("within", "")) == (vault_id, within)
        if same and not Path(record.get("root", "")).is_dir():
            return state
    return None


def _check_owner(place: Place) -> None:
    record = _record(place.state)
    if not record:
        if _is_foreign(place.state):
            raise StateError(f"The folder {place.state} holds other files. Name another with --state DIR.")
        return
    owner = Path(record.get("root", ""))
    if record["vault_id"] != place.vault_id or (owner != place.root and owner.is_dir()):
        raise StateError(
            f"The state folder {place.state} belongs to the vault at {owner}, not to {place.root}. "
            "Name another with --state DIR."
        )
