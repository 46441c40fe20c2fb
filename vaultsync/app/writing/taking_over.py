"""Generated files go into the store: their trees, summaries, texts, and what is below which."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.claiming import Claim, Holder, Place, divide
from vaultsync.domain.generators import is_embedded
from vaultsync.domain.notes import Problem, Uid
from vaultsync.domain.tree import Summary
from vaultsync.store import generated, summaries, summary_cache, tree_rows, tree_steps, trees
from vaultsync.store.summary_cache import Cached
from vaultsync.store.tree_steps import Text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from vaultsync.app.progress import Progress
    from vaultsync.app.writing.marked_files import Taking
    from vaultsync.domain.notes import NotePath
    from vaultsync.domain.summary_note import Record
    from vaultsync.domain.tree_file import Lines
    from vaultsync.store.connection import Writer
    from vaultsync.store.generated import NoteRow
    from vaultsync.store.summaries import SummaryRow
    from vaultsync.store.trees import TreeRow


@dataclass(slots=True)
class Taken:
    """What was taken over. `unmet`: summaries that did not get all that their notes name."""

    adopted: list[Uid] = field(default_factory=list)
    pinned: list[Uid] = field(default_factory=list)
    unmet: list[Uid] = field(default_factory=list)
    problems: dict[NotePath, Problem] = field(default_factory=dict)


class _Wanted(NamedTuple):
    """A file that is taken over, and the tree of its summary."""

    taking: Taking
    tree: TreeRow

    @property
    def record(self) -> Record:
        return self.taking.parts.record

    @property
    def uid(self) -> Uid:
        return Uid(self.record.id)

    @property
    def holder(self) -> Holder:
        return Holder(self.tree.uid, self.record.ordinal)


def take_over(
    tx: Writer,
    takings: Iterable[Taking],
    folder: str,
    lines: Lines,
    now: float,
    *,
    progress: Progress,
) -> Taken:
    """Let the store say what these files do. `folder`: that of the summaries; `lines`: what `tree.tsv` says."""
    taken = Taken()
    wanted = _with_trees(tx, takings, folder, lines, taken)
    uids = [want.uid for want in wanted]
    known = summaries.with_uids(tx, uids)
    before = {
        Holder(tree.uid, row.ordinal): row
        for tree in {want.tree for want in wanted}
        for row in tree_rows.summaries(tx, tree.id)
    }
    for done, want in enumerate(wanted):
        progress("adopting", done, len(wanted))
        _put(tx, want, before.get(want.holder), known.get(want.uid), now)
        (taken.pinned if want.taking.by == "person" else taken.adopted).append(want.uid)
    generated.unseat(tx, uids)
    progress("adopting", len(wanted), len(wanted))
    taken.unmet = [*_seat_notes(tx, wanted, int(now)), *_seat_summaries(tx, wanted)]
    trees.stir(tx, {want.tree.id for want in wanted})
    return taken


def _with_trees(
    tx: Writer, takings: Iterable[Taking], folder: str, lines: Lines, taken: Taken
) -> list[_Wanted]:
    """Return the files with their trees, those that are not known here made, in the order of their ordinals."""
    known = {row.uid: row for row in trees.every(tx)}
    wanted = []
    for taking in sorted(takings, key=lambda taking: taking.parts.record.ordinal):
        uid = Uid(taking.parts.record.tree)
        if uid not in known and (made := _make_tree(tx, uid, _source(taking, folder, lines))):
            known[uid] = made
        if uid in known and not known[uid].private:
            wanted.append(_Wanted(taking, known[uid]))
        else:
            words = "a generated note of another tree than this source has; it is left alone"
            taken.problems[taking.path] = Problem("summary-foreign", words)
    for uid in {want.tree.uid for want in wanted}.intersection(lines.ordinals):
        trees.raise_ordinal(tx, known[uid].id, lines.ordinals[uid] + 1)
    return wanted


def _source(taking: Taking, folder: str, lines: Lines) -> str:
    """Return the folder of a summary's source: as `tree.tsv` says, else as the note's place does."""
    place = taking.path.removeprefix(f"{folder}/").rpartition("/")[0]
    return lines.sources.get(Uid(taking.parts.record.tree), place)


def _make_tree(tx: Writer, uid: Uid, source: str) -> TreeRow | None:
    """Make a tree; one without summaries that the source has takes the uid, one with summaries stays: None."""
    standing = next((row for row in trees.every(tx) if row.folder == source and not row.private), None)
    if standing is None:
        return trees.add(tx, uid, source, private=False)
    if summaries.of_tree(tx, standing.id):
        return None
    generated.relabel(tx, standing.id, uid)
    return standing._replace(uid=uid)


def _put(tx: Writer, want: _Wanted, before: Summary | None, known: SummaryRow | None, now: float) -> None:
    """Write a summary as its note says, still below what it was below."""
    taking, record = want.taking, want.record
    by_person = taking.by == "person"
    summary = Summary(
        ordinal=record.ordinal,
        level=record.level,
        shelf=record.shelf,
        state="sealed" if by_person else record.state,
        parent=before.parent if before else None,
        digest="",
        inputs="" if taking.by == "merge" else record.input_digest,
        pinned=by_person,
        arrived_at=before.arrived_at if before else int(now),
    )
    text = Text(taking.parts.text, record.generator)
    is_new = known is None or (taking.by != "merge" and (known.text, known.generator) != text[:2])
    tree_steps.put(tx, want.tree, summary, text if is_new else None, now)
    summaries.stand(tx, want.uid, taking.path, taking.content_hash)
    if taking.by == "machine" and not is_embedded(record.generator):
        summary_cache.keep(tx, record.input_digest, Cached(text.text, text.generator), int(now))


def _seat_notes(tx: Writer, wanted: Sequence[_Wanted], now: int) -> list[Uid]:
    """Let each summary of level 1 have the notes that its own names; return those that did not get all."""
    claims = [Claim(want.holder, want.record.children) for want in wanted if want.record.level == 1]
    rows = generated.notes(tx, [child.id for claim in claims for child in claim.children])
    by_hash = _strangers(tx, claims, {row.uid for row in rows})
    rows += generated.notes(tx, [uid for alike in by_hash.values() for uid in alike])
    shares = divide(claims, _that_stand(tx, _places(rows)), by_hash)
    for want in wanted:
        if share := shares.get(want.holder):
            generated.seat(tx, want.tree.id, want.uid, share, now)
    withheld = {row.uid for row in rows if row.is_withheld}
    generated.withhold(tx, [want.uid for want in wanted if _names(want, withheld)])
    return _without_all(wanted, shares)


def _strangers(tx: Writer, claims: Iterable[Claim], known: Collection[str]) -> Mapping[str, Sequence[Uid]]:
    """Return the notes by the hash of their text, of texts that are named with an id that nobody here has."""
    hashes = {child.text_hash for claim in claims for child in claim.children if child.id not in known}
    if not hashes:
        return {}
    return {text: uids for text, uids in generated.notes_by_digest(tx).items() if text in hashes}


def _places(rows: Iterable[NoteRow]) -> dict[str, Place]:
    return {row.uid: Place(row.tree, row.parent) for row in rows if row.is_open}


def _that_stand(tx: Writer, places: Mapping[str, Place]) -> dict[str, Place]:
    """Return the places without those below summaries whose notes went with git: what git brought goes first."""
    absent = {Holder(tree, ordinal) for tree, ordinal in generated.absent(tx)}
    return {
        uid: place._replace(parent=None) if place.holder in absent else place for uid, place in places.items()
    }


def _names(want: _Wanted, uids: Collection[str]) -> bool:
    return any(child.id in uids for child in want.record.children)


def _seat_summaries(tx: Writer, wanted: Sequence[_Wanted]) -> list[Uid]:
    """Let each summary above level 1 have the summaries that its own names, of its tree and one level below."""
    above = [want for want in wanted if want.record.level > 1]
    rows = summaries.with_uids(tx, [child.id for want in above for child in want.record.children])
    claims = [
        Claim(
            want.holder,
            tuple(child for child in want.record.children if _fits(want, rows.get(Uid(child.id)))),
        )
        for want in above
    ]
    places: dict[str, Place] = {uid: Place(row.tree_uid, row.parent) for uid, row in rows.items()}
    shares = divide(claims, _that_stand(tx, places), {})
    for want in above:
        members = [rows[Uid(uid)].ordinal for uid in shares[want.holder]]
        tree_steps.place(tx, want.tree, members, want.record.ordinal)
    return _without_all(above, shares)


def _fits(want: _Wanted, row: SummaryRow | None) -> bool:
    return row is not None and row.tree_id == want.tree.id and row.level == want.record.level - 1


def _without_all(wanted: Iterable[_Wanted], shares: Mapping[Holder, Sequence[str]]) -> list[Uid]:
    """Return the summaries that have fewer members than their notes name."""
    return [
        want.uid
        for want in wanted
        if want.holder in shares and len(shares[want.holder]) < len(want.record.children)
    ]
