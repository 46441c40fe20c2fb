"""The vault's ledger in a pass: what it tells before, and what is to be told after."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from unicodedata import normalize

from vaultsync.app.machines import own_files, writer
from vaultsync.domain import ledger
from vaultsync.domain.errors import UsageError, VaultError
from vaultsync.domain.ledger import Facts
from vaultsync.domain.notes import NotePath
from vaultsync.store import attempts, marks
from vaultsync.store import ledger as seen_lines
from vaultsync.vault import git, git_folder

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultsync.app.machines.own_files import OwnFile
    from vaultsync.app.machines.writer import Role
    from vaultsync.app.memory import Memory
    from vaultsync.domain.ledger import Line, Note
    from vaultsync.domain.notes import Uid
    from vaultsync.store.connection import Writer

STAGE = "ledger"
TOLD = "telling"
"""The names of this work in `attempts`: writing the ledger, and finding out what is to be written by whom."""

_STATE = "ledger"
"""The mark of how the last pass left the file: its hash, and `writer`, `reader`, or `due` if more is to be said."""

_OWED = "ledger owed"
"""The mark of the first pass whose decisions the ledger may not know."""

_FEW = 200
"""Notes that are looked for one by one in a ledger's text; more cost as much as to read it."""

_DOUBTFUL = "ledger doubtful"
"""The mark of uids whose lines could not be written in their pass."""


def owe(tx: Writer, now: float) -> None:
    """Leave word, with what a pass writes, that the ledger does not know it yet. `now`: when the pass began."""
    marks.keep(tx, _OWED, str(now))


def recall(memory: Memory, now: float) -> None:
    """Let all notes be judged if an earlier pass than the one that began at `now` ended before it told of them."""
    if marks.find(memory.db.read(), _OWED) not in {None, str(now)}:
        with memory.db.write() as tx:
            marks.put(tx, {_STATE: None})


def settle(memory: Memory, now: float, error: str | None) -> None:
    """Leave word that the ledger knows what it is to know, or why it could not be told."""
    if error is None and marks.find(memory.db.read(), _OWED) is None:
        return
    with memory.db.write() as tx:
        if error is None:
            marks.put(tx, {_OWED: None})
            attempts.clear(tx, TOLD, [own_files.LEDGER])
        else:
            owe(tx, now)
            attempts.record(tx, TOLD, [(own_files.LEDGER, error)], int(now))


def load(memory: Memory, on_disk: Collection[NotePath], *, appeared: bool = True) -> Facts:
    """Return what the ledger says of the files that are there; nothing if it can't be read now.

    `on_disk`: all paths of the vault, a set or the keys of a mapping. `appeared`: there are paths that were not
    there before; without, a ledger that has not changed is not read again (0.05 ms; 2 ms a thousand lines).
    """
    try:
        found = own_files.find(memory.root, own_files.LEDGER)
    except VaultError:
        return Facts()
    if not found.text or not (appeared or _is_news(memory, found)):
        return Facts()
    return ledger.facts(ledger.read(found.text).lines, seen_lines.seen(memory.db.read()), on_disk)


def save(
    memory: Memory,
    role: Role,
    *,
    touched: Collection[Uid],
    doubtful: Collection[Uid] = (),
    may_write: bool = True,
) -> None:
    """Write the ledger after a pass, if this machine is the writer, and remember what was seen of it.

    `touched`: uids of all notes that the pass added, moved, removed, brought back, gave another uid, made private
    or public. `doubtful`: of those that another machine, which saw other steps, may take for one another. Without
    `may_write` nothing is written into the vault: the next pass has it to do. Raises VaultError if the ledger is
    there and can't be read.
    """
    found = own_files.find(memory.root, own_files.LEDGER)
    kept = marks.find(memory.db.read(), _STATE)
    settled = _state(found.content_hash, "writer" if role.may_write else "reader")
    waits = not may_write and kept == _state(found.content_hash, "due")
    if kept == settled and not _needs_more(memory, role, found, touched, doubtful):
        return
    if waits and not touched:
        return
    lines = ledger.read(found.text).lines
    before = seen_lines.seen(memory.db.read())
    notes = _notes(memory, lines, touched, all_may_be_due=role.may_write and kept != settled)
    seen = ledger.seen_after(lines, before, notes)
    if not role.may_write:
        _remember(memory, seen, settled)
        return
    due = {*doubtful, *json.loads(marks.find(memory.db.read(), _DOUBTFUL) or "[]")}
    judged = _without_left_out(memory, lines, notes)
    wanted = ledger.rewrite(memory.vault_id, lines, seen | before, judged, due)
    is_ready = may_write and not ledger.undone(lines, before, notes)
    if is_ready and _publish(memory, role, found, wanted):
        now = own_files.find(memory.root, own_files.LEDGER)
        _remember(memory, wanted - (lines - seen), _state(now.content_hash, "writer"))
    else:
        _remember(memory, seen, _state(found.content_hash, "due"), due)


def _needs_more(
    memory: Memory, role: Role, found: OwnFile, touched: Collection[Uid], doubtful: Collection[Uid]
) -> bool:
    """Tell if a ledger that was settled is so no more; of thousands of lines only those of touched notes are read."""
    if not touched or not role.may_write or len(touched) > _FEW:
        return bool(touched)
    index = memory.db.read()
    notes = seen_lines.notes(index, touched, ())
    lines = seen_lines.seen_of(index, notes)
    if any(_has_news(found.text, note, lines) for note in notes):
        return True
    return ledger.rewrite(memory.vault_id, lines, lines, notes, doubtful) != lines


def _has_news(text: str, note: Note, lines: frozenset[Line]) -> bool:
    """Tell if the file has a line with the uid or path of a note that is not among those that were seen."""
    path = NotePath(normalize("NFC", note.path))
    by_uid = sum(line.uid == note.uid for line in lines)
    by_path = sum(line.path == path for line in lines)
    written = ledger.render([ledger.Line(note.uid, path)]).partition("\t")[2]
    return text.count(note.uid) != by_uid or text.count(f"\t{written}") != by_path


def _is_news(memory: Memory, found: OwnFile) -> bool:
    """Tell whether the file is another than the last pass left, or left something to do."""
    settled = [_state(found.content_hash, how) for how in ("writer", "reader")]
    return marks.find(memory.db.read(), _STATE) not in settled


def _state(content_hash: str, how: str) -> str:
    return f"{content_hash} {how}"


def _notes(
    memory: Memory, lines: frozenset[Line], touched: Collection[Uid], *, all_may_be_due: bool
) -> list[Note]:
    """Return the notes that may need a line: where the ledger was complete, those that changed since."""
    if all_may_be_due:
        return seen_lines.all_notes(memory.db.read())
    uids = {line.uid for line in lines}
    return seen_lines.notes(memory.db.read(), uids.union(touched), {line.path for line in lines})


def _without_left_out(memory: Memory, lines: frozenset[Line], notes: list[Note]) -> list[Note]:
    """Leave out vanished notes that a partial checkout only took off this disk: their lines are not ours to drop."""
    told = {line.uid for line in lines}
    vanished = {note.path for note in notes if not note.alive and note.path and note.uid in told}
    absent = git.left_out(memory.root, vanished) if vanished and git_folder.work_tree(memory.root) else ()
    return [note for note in notes if note.alive or note.path not in absent]


def _publish(memory: Memory, role: Role, found: OwnFile, wanted: frozenset[Line]) -> bool:
    """Let the file say what is wanted; False if that must wait for another pass."""
    text = ledger.render(wanted)
    if text == found.text:
        return True
    if git_folder.is_busy(memory.root):
        return False
    try:
        written = (role.is_writer or writer.claim(memory)) and own_files.put(
            memory, own_files.LEDGER, text, found
        )
    except (OSError, UsageError, VaultError) as error:
        with memory.db.write() as tx:
            attempts.record(tx, STAGE, [(own_files.LEDGER, own_files.words(error))], int(memory.clock()))
        return False
    return written


def _remember(
    memory: Memory, seen: frozenset[Line], state: str, doubtful: Collection[Uid] = frozenset()
) -> None:
    with memory.db.write() as tx:
        seen_lines.remember(tx, seen)
        marks.put(tx, {_STATE: state, _DOUBTFUL: json.dumps(sorted(doubtful)) if doubtful else None})
        attempts.clear(tx, STAGE, [] if state.endswith("due") else [own_files.LEDGER])
