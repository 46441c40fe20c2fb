"""Small vaults in temporary folders, read by the use cases themselves or by the whole program."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultsync.app.doctor import examine
from vaultsync.app.dump import dump
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.bootstrap import find_place, open_memory, prepare_state, rehearse
from vaultsync.surfaces.cli.program import run

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from vaultsync.app.memory import Memory
    from vaultsync.app.notes.report import Report


def fill_vault(root: Path, notes: Mapping[str, str | bytes]) -> Path:
    """Write files (path below `root` -> text) into a vault, and return it."""
    (root / ".obsidian").mkdir(parents=True, exist_ok=True)
    for path, text in notes.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


@contextmanager
def memory_of(root: Path, state: Path | None = None, *, write: bool = False) -> Iterator[Memory]:
    """Open the memory of a vault; `state`: another place for it than the user's state folder."""
    place = find_place(root, state, {})
    with open_memory(prepare_state(place) if write else place, write=write) as memory:
        yield memory


def sync(root: Path, state: Path | None = None, **how: Any) -> Report:  # noqa: ANN401 - as `reconcile` takes them
    """Run one pass over a vault in this process."""
    with memory_of(root, state, write=True) as memory:
        return reconcile(memory, **how)


def rehearse_sync(root: Path, state: Path | None = None) -> Report:
    """Run one pass as `sync --dry-run` does."""
    with rehearse(find_place(root, state, {})) as memory:
        return reconcile(memory)


def dump_of(root: Path, state: Path | None = None, *, uids: bool = False) -> list[str]:
    """Return the lines of `dump`."""
    with memory_of(root, state) as memory:
        return list(dump(memory.db, uids=uids))


def fresh_dump(root: Path, state: Path) -> list[str]:
    """Return what `dump` says of an index of this vault that is built from nothing in the folder `state`."""
    with memory_of(root, state, write=True) as memory:
        reconcile(memory)
        return list(dump(memory.db))


def uids_of(root: Path, state: Path | None = None) -> dict[str, str]:
    """Return each note's uid by its path."""
    entries = (json.loads(line) for line in dump_of(root, state, uids=True))
    return {entry["note"]: entry["uid"] for entry in entries if "note" in entry}


def complaints(root: Path, state: Path | None = None) -> dict[str, tuple[str, ...]]:
    """Return what each failing check of `doctor` found, by its code."""
    with memory_of(root, state) as memory:
        return {verdict.code: verdict.found for verdict in examine(memory) if not verdict.ok}


class Answer(NamedTuple):
    """How a command ended: its exit status, and what it said on stdout and stderr."""

    status: int
    out: bytes
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401 - any JSON document
        """Return stdout as the one JSON document that it must be."""
        return json.loads(self.out)

    @property
    def text(self) -> str:
        """Return stdout as text."""
        return self.out.decode()


def ask(*arguments: str | Path) -> Answer:
    """Run a command in this process, which spares the start of an interpreter."""
    out, err = io.BytesIO(), io.StringIO()
    with io.TextIOWrapper(out, "utf-8", newline="\n", write_through=True) as stdout:
        with redirect_stdout(stdout), redirect_stderr(err):
            status = run([str(argument) for argument in arguments])
        return Answer(status, out.getvalue(), err.getvalue())


def run_vaultsync(*arguments: str | Path, here: Path | None = None) -> Answer:
    """Run a command as a person does: a process of its own, started in the folder `here`."""
    ended = subprocess.run(command(*arguments), cwd=here, capture_output=True, check=False)
    return Answer(ended.returncode, ended.stdout, ended.stderr.decode(errors="replace"))


def command(*arguments: str | Path) -> list[str]:
    """Return the words that start the program."""
    return [sys.executable, "-m", "vaultsync", *(str(argument) for argument in arguments)]
