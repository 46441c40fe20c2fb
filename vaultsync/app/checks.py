"""What the doctor checks: each promise that can be broken, what it means where it is, and how that is mended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.app import patient as at
from vaultsync.store import checks, mending, text_index, tree_checks, tree_mending

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from vaultsync.app.patient import Patient
    from vaultsync.store.connection import Reader, Writer
    from vaultsync.store.tree_checks import Astray


class Check(NamedTuple):
    """A promise that can be broken. `fine`: it holds; `advice`: what it means where not, what to do."""

    code: str
    fine: str
    advice: str
    find: Callable[[Patient], Iterable[str]]
    mend: Callable[[Patient], None] | None = None


def _inside(find: Callable[[Reader], Iterable[str]]) -> Callable[[Patient], Iterable[str]]:
    return lambda patient: find(patient.memory.db.read())


def _by(mend: Callable[[Writer], None]) -> Callable[[Patient], None]:
    def run(patient: Patient) -> None:
        with patient.memory.db.write() as tx:
            mend(tx)

    return run


def _words(find: Callable[[Reader], Iterable[Astray]]) -> Callable[[Patient], Iterable[str]]:
    return lambda patient: (astray.words for astray in find(patient.memory.db.read()))


def _what(
    find: Callable[[Reader], Iterable[Astray]], mend: Callable[[Writer, list[Astray]], None]
) -> Callable[[Patient], None]:
    def run(patient: Patient) -> None:
        with patient.memory.db.write() as tx:
            mend(tx, list(find(tx)))

    return run


def _rename(patient: Patient) -> None:
    misnamed = {node_id: names for node_id, _, names in checks.misnamed(patient.memory.db.read())}
    with patient.memory.db.write() as tx:
        mending.rename(tx, misnamed)


def _resolve_again(patient: Patient) -> None:
    wrong = [fault.row_id for fault in patient.misresolved]
    with patient.memory.db.write() as tx:
        mending.resolve_again(tx, wrong)


def _reread(patient: Patient) -> None:
    wrong = [fault.row_id for fault in (*patient.proof.unseen, *patient.proof.misplaced)]
    with patient.memory.db.write() as tx:
        mending.reread(tx, wrong)


def _read_changes(patient: Patient) -> None:
    """Do nothing: the pass that follows every repair reads what changed and resolves what is due."""


DAMAGE: Final = "database"

CHECKS: Final = (
    Check(
        DAMAGE,
        "SQLite finds no damage in the database",
        "move the state folder aside and run `vaultsync sync`, which builds it again from the notes",
        lambda patient: checks.damage(patient.memory.db),
    ),
    Check(
        "text-index",
        "the text indexes hold exactly what may be found",
        "searches miss text or find what is gone; --repair builds the indexes again",
        lambda patient: checks.text_faults(patient.memory.db),
        _by(text_index.rebuild),
    ),
    Check(
        "spaced-index",
        "text in scripts without blanks between words is indexed",
        "searches in Chinese, Japanese, Thai and their like miss text; --repair builds their index again",
        lambda patient: checks.spaced_faults(patient.memory.db),
        _by(text_index.rebuild_spaced),
    ),
    Check(
        "foreign-keys",
        "every row refers to rows that are there",
        "something else wrote into the database; --repair drops such rows",
        _inside(checks.dangling),
        _by(mending.drop_dangling),
    ),
    Check(
        "strays",
        "every note has a file, every file a note",
        "--repair forgets them and reads what is there",
        _inside(checks.strays),
        _by(mending.drop_strays),
    ),
    Check(
        "lost-chunks",
        "every chunk stands in its note's file",
        "--repair reads these notes again",
        _inside(checks.lost_chunks),
        _by(mending.reread_lost_chunks),
    ),
    Check(
        "spans",
        "every chunk is the bytes it says, and chunks hold every note's body",
        "--repair reads these notes again",
        lambda patient: [fault.words for fault in patient.proof.misplaced],
        _reread,
    ),
    Check(
        "unseen-changes",
        "no file changed without a trace in its timestamps",
        "a program changed these notes and put their old times back; --repair reads them",
        lambda patient: [fault.words for fault in patient.proof.unseen],
        _reread,
    ),
    Check(
        "disk",
        "the index knows the notes that are on the disk",
        "run `vaultsync sync`",
        at.differences,
        _read_changes,
    ),
    Check(
        "names",
        "links find every note by its file name and aliases",
        "--repair writes the names of these notes again",
        lambda patient: [path for _, path, _ in checks.misnamed(patient.memory.db.read())],
        _rename,
    ),
    Check(
        "links-due",
        "every link was resolved",
        "run `vaultsync sync`",
        _inside(checks.due_links),
        _read_changes,
    ),
    Check(
        "links",
        "every link leads where it would lead if it were resolved now",
        "--repair resolves these links again",
        lambda patient: [fault.words for fault in patient.misresolved],
        _resolve_again,
    ),
    Check(
        "summaries",
        "every summary has its row",
        "--repair forgets those without; what was under them finds its place at the next sync",
        _words(tree_checks.hollow_summaries),
        _what(tree_checks.hollow_summaries, tree_mending.drop),
    ),
    Check(
        "tree-levels",
        "what is under a summary is of its tree, one level down",
        "--repair takes the rest from under it; the next sync finds its place",
        _words(tree_checks.wrong_parents),
        _what(tree_checks.wrong_parents, tree_mending.detach),
    ),
    Check(
        "tree-places",
        "every note is in one place in the tree",
        "--repair takes these notes out of it; the next sync finds their place",
        _words(tree_checks.split_notes),
        _what(tree_checks.split_notes, tree_mending.take_out),
    ),
    Check(
        "tree-numbers",
        "no number of a summary will be given twice",
        "--repair goes on behind the highest",
        _words(tree_checks.low_ordinals),
        _what(tree_checks.low_ordinals, tree_mending.raise_ordinals),
    ),
    Check(
        "summary-texts",
        "every summary has the text that its parent was made from",
        "--repair lets the next sync read these from their notes, or make them again",
        _words(tree_checks.altered_texts),
        _what(tree_checks.altered_texts, tree_mending.make_again),
    ),
    Check(
        "generated-notes",
        "every generated note that was written is in the vault",
        "run `vaultsync sync`, which finds out who took them away",
        at.lost_notes,
    ),
    Check(
        "mentions",
        "what a chunk mentions stands in it",
        "--repair lets the next sync find it anew",
        _words(tree_checks.stray_mentions),
        _what(tree_checks.stray_mentions, tree_mending.look_again),
    ),
    Check(
        "broken-links",
        "no link has lost its target",
        "the notes that these links led to have another name now or are gone: change the links, or bring them back",
        _inside(checks.broken_links),
    ),
    Check(
        "failures",
        "no failed work waits",
        "--repair lets it be tried at once",
        _inside(checks.waiting),
        _by(mending.rearm),
    ),
    Check(
        "access",
        "every folder and note of the vault can be read",
        "what is known of them stays until they can be read",
        at.refusals,
    ),
    Check(
        "state-folder",
        "no sync program copies the state folder",
        "a copied database gets damaged: name another folder with --state DIR or VAULTSYNC_STATE",
        at.copiers,
    ),
    Check(
        "ledger",
        "every line of .vaultsync/identities.tsv can be read",
        "nothing else is lost by it: take these lines out, or run `vaultsync sync` where the writer is",
        at.odd_lines,
    ),
    Check(
        "git",
        "git answers, or is not needed",
        "ignored notes are known from .gitignore alone: install git, or let `git status` work in the vault",
        at.silences,
    ),
)
