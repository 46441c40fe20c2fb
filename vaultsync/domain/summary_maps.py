"""The links in generated notes: to the notes and summaries below, and from the vault's own note to each source."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from vaultsync.domain.summary_note import Entry, Section
from vaultsync.domain.summary_titles import in_time, root_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from vaultsync.domain.notes import NotePath
    from vaultsync.domain.summary_titles import Titled

NOTES: Final = "Notes"
CONTENTS: Final = "Contents"
SOURCES: Final = "Sources"


def maps(
    summaries: Sequence[Titled], titles: Mapping[int, str], paths: Mapping[int, NotePath]
) -> dict[int, Section]:
    """Return the links of each summary of a tree, by its ordinal: at level 1 a link a note, above a link a summary.

    The root's go a level deeper, as far as summaries go: the map of its tree. `paths`: of the summaries that
    have a note; the others are no link's target.
    """
    root = root_of(summaries)
    children = defaultdict(list)
    for summary in sorted(summaries, key=lambda summary: summary.ordinal):
        children[summary.parent].append(summary)

    def entries(ordinal: int, depth: int, deepest: int) -> Iterator[Entry]:
        for child in (summary.ordinal for summary in in_time(children[ordinal])):
            if child in paths:
                yield Entry(paths[child], titles[child], depth)
                if depth < deepest:
                    yield from entries(child, depth + 1, deepest)

    found = {}
    for summary in summaries:
        if summary.level == 1:
            notes = (Entry(member.path, member.title) for member in summary.members)
            found[summary.ordinal] = Section(NOTES, tuple(notes))
        else:
            below = entries(summary.ordinal, 0, 1 if summary.ordinal == root else 0)
            found[summary.ordinal] = Section(CONTENTS, tuple(below))
    return found


def sources_map(roots: Mapping[str, NotePath]) -> Section:
    """Return the links from the vault's own note. `roots`: by source, the path of its root's note."""
    names = Counter(_last(source) for source in roots)
    labels = {source: _last(source) if names[_last(source)] == 1 else source for source in roots}
    return Section(SOURCES, tuple(Entry(roots[source], labels[source]) for source in sorted(roots)))


def _last(folder: str) -> str:
    return folder.rpartition("/")[2]
