"""What a person knows who changed a vault: which note is which, and where nobody could tell.

It follows what was done. Where two things were done between two syncs that together leave no trace of which note is
which, it says so, by a reason of `MAY_LOSE`.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from invented_notes import are_kin, is_moderate

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from invented_notes import Note

MAY_LOSE = {
    "thin": "a blank or short note under a new name: nothing in it tells it from others like it",
    "rewritten": "another path and hardly a word left of the text: no evidence remains",
    "kin": "several notes of one text vanish or appear at once: which became which is anybody's guess",
    "replaced": "renamed, and another note made at the old path: the path counts before the text",
    "handed": "a swap, or a move over a note, and an edit besides: only equal bytes prove it",
    "grave": "moved to where a deleted note was, which may come back there with any text",
    "twins": "one of two equal notes vanishes that were first seen together: neither is the copy",
}
"""Operations, or several between two syncs, that may cost a note its uid, each with its reason.

After them the model believes the index, which must still give each note a uid of its own and keep to it.
"""

COMMON_NAMES = ("Index.md", "Untitled.md")
"""Names that say nothing about a note."""


@dataclass
class Verdict:
    """`who`: path -> token of the note that must stand there; `doubts`: path -> a reason of `MAY_LOSE`."""

    who: dict[str, int] = field(default_factory=dict)
    doubts: dict[str, str] = field(default_factory=dict)


def composed(path: str) -> str:
    return unicodedata.normalize("NFC", path)


def fold(path: str) -> str:
    return composed(path).casefold()


def name_of(path: str) -> str:
    return fold(path.rpartition("/")[2])


def is_common(path: str) -> bool:
    return name_of(path) in map(fold, COMMON_NAMES)


class Truth:
    """A vault between two syncs: path, in one Unicode form -> note at the last one, and now.

    `graves`: path -> the deleted note that stood there last; `unclear`: paths where others may have stood too;
    `born`: token -> number of the sync that first saw it.
    """

    def __init__(
        self,
        before: Mapping[str, Note],
        now: Mapping[str, Note],
        graves: Mapping[str, Note],
        unclear: Collection[str],
        born: Mapping[int, int],
    ) -> None:
        self.before, self.now, self.graves, self.unclear, self.born = before, now, graves, unclear, born
        self.was = {note.token: path for path, note in before.items()}
        self.where = {note.token: path for path, note in now.items()}
        self.handed = {path for path in self._stood() if self._is_other(path) and now[path].token in self.was}
        self.gone = [
            note for path, note in before.items() if path not in now or path in self.handed
        ]  # what has lost its path
        self.come = [path for path in now if path not in before or path in self.handed]
        self.verdict = Verdict()

    def judge(self) -> Verdict:
        """Say which note must stand where, and which may be any."""
        self._judge_standing()
        self._judge_handed()
        for path in self.come:
            if self.now[path].token in self.was:
                self._judge_moved(path)
        for path in self.come:
            if self.now[path].token not in self.was:
                self._judge_new(path)
        for note in self.gone:
            if not self._is_settled(note):
                self._judge_twins(note)
        return self.verdict

    def _stood(self) -> Iterator[str]:
        return (path for path in self.before if path in self.now)

    def _is_other(self, path: str) -> bool:
        return self.before[path].token != self.now[path].token

    def _doubt(self, reason: str, *paths: str | None) -> None:
        for path in paths:
            if path is not None and path in self.now:
                self.verdict.doubts.setdefault(path, reason)

    def _judge_standing(self) -> None:
        for path in self._stood():
            if path in self.handed:
                continue
            note = self.before[path]
            self.verdict.who[path] = note.token  # the same path, whatever was written there
            if self._is_other(path) and note.token in self.where:
                self._doubt("replaced", path, self.where[note.token])
            for other in self.gone:  # its text may say that the other moved over it
                if self.now[path].paragraphs == other.paragraphs != note.paragraphs:
                    self._doubt("handed", path, self.where.get(other.token))

    def _judge_handed(self) -> None:
        """Swaps, chains and cycles are plain while each text is there once, and unchanged."""
        if all(self._is_plain(path) for path in self.handed):
            return
        for path in self.handed:
            self._doubt("handed", path, self.where.get(self.before[path].token), self._source(path))

    def _is_plain(self, path: str) -> bool:
        note, source = self.now[path], self._source(path)
        texts = [other.paragraphs for other in (*self.before.values(), *self.now.values())]
        is_one = texts.count(note.paragraphs) == 2 and self.before[source] == note  # then and now
        return note.is_full and is_one and (source not in self.now or source in self.handed)

    def _source(self, path: str) -> str:
        return self.was[self.now[path].token]

    def _judge_moved(self, path: str) -> None:
        note = self.now[path]
        old = self.before[self.was[note.token]]
        named = self._keeps_distinct_name(path)
        rivals = [gone for gone in self.gone if gone.token != note.token and self._rival(gone, old, note)]
        others = [new for new in self.come if new != path and self._rival(self.now[new], old, note)]
        self.verdict.who[path] = note.token
        if (rivals or others) and not (named and note == old):
            self._doubt("kin", path, *others, *(self.where.get(rival.token) for rival in rivals))
        if path in self.graves or path in self.unclear:
            self._doubt("grave", path)
        if not (old.is_full and note.is_full) and not named:
            self._doubt("thin", path)
        if old.has_text and note.has_text and not is_moderate(old, note):
            self._doubt("rewritten", path)

    def _rival(self, other: Note, old: Note, note: Note) -> bool:
        return are_kin(other, old) or are_kin(other, note)

    def _keeps_distinct_name(self, path: str) -> bool:
        name = name_of(path)
        old = [gone for gone in self.gone if name_of(self.was[gone.token]) == name]
        new = [come for come in self.come if name_of(come) == name]
        return (
            not is_common(path)
            and (old, new) == ([self.before[self._source(path)]], [path])
            and not any(name_of(other) == name for other in self._stood() if other not in self.handed)
        )

    def _judge_new(self, path: str) -> None:
        """A note that was made, or was deleted once and is there again."""
        note = self.now[path]
        self.verdict.who[path] = note.token
        if path in self.unclear:
            self._doubt("grave", path)
        elif path in self.graves:
            self.verdict.who[path] = self.graves[path].token  # the same path, whatever is written there
            return
        for gone in self.gone:
            if are_kin(gone, note) and not self._is_settled(gone):
                self._doubt("kin", path, self.where.get(gone.token))
        namesakes = [
            grave
            for place, grave in self.graves.items()
            if name_of(place) == name_of(path) and are_kin(grave, note)
        ]
        if note.token in self.born or namesakes:
            self._judge_returned(path, namesakes)

    def _judge_returned(self, path: str, namesakes: list[Note]) -> None:
        """A deleted note comes back elsewhere under a name that is its own alone."""
        name = name_of(path)
        bearers = [*{*self.before, *self.now, *self.graves}, *self.unclear]
        alone = [*map(name_of, bearers)].count(name) == 2
        if namesakes != [self.now[path]] or not alone or is_common(path) or not self.now[path].is_full:
            self._doubt("grave", path)

    def _is_settled(self, gone: Note) -> bool:
        place = self.where.get(gone.token)
        return place is not None and place not in self.verdict.doubts

    def _judge_twins(self, gone: Note) -> None:
        """A copy whose original vanishes was a move in two steps; an original whose copy vanishes stays itself."""
        if not gone.paragraphs:
            return
        twins = [
            path
            for path in self._stood()
            if path not in self.handed and self.before[path].paragraphs == gone.paragraphs
        ]
        copies = [path for path in twins if self.born[self.before[path].token] > self.born[gone.token]]
        originals = [path for path in twins if self.born[self.before[path].token] < self.born[gone.token]]
        if originals == twins:
            return
        come = [path for path in self.come if are_kin(self.now[path], gone)]
        alike = [other for other in self.gone if are_kin(other, gone)]
        if (
            gone.token not in self.where
            and self.was[gone.token] not in self.verdict.doubts
            and len(copies) == len(twins) == 1
            and gone.is_full
            and not come
            and alike == [gone]
            and self.now[copies[0]] == self.before[copies[0]]
        ):
            self.verdict.who[copies[0]] = gone.token
        else:
            self._doubt("twins", *twins, *come)
