"""Summaries among the hits of a search that only repeat what a note found says: they are told of under that note."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

from vaultsync.domain.folding import bare
from vaultsync.domain.prose import plain
from vaultsync.domain.sentences import boundaries
from vaultsync.store.climbing import pairs_above
from vaultsync.store.text_details import chunks_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from vaultsync.domain.ranking import Candidate
    from vaultsync.domain.snippets import Matcher
    from vaultsync.store.connection import Reader

_WORD = re.compile(r"[^\W_]+")


def fold(
    db: Reader, ordered: Sequence[Candidate], kinds: Mapping[int, str], matcher: Matcher
) -> tuple[list[Candidate], Mapping[int, Sequence[int]]]:
    """Return the candidates, best first, without summaries that quote one of the notes, and these by note.

    A summary quotes a note below it if a sentence of it that answers the query stands in the note. The best such
    note takes the summary's place if that is the better one. `kinds`: of nodes, by id.
    """
    quoting: defaultdict[int, list[int]] = defaultdict(list)
    summaries = [found.node_id for found in ordered if kinds[found.node_id] == "summary"]
    if not summaries:
        return list(ordered), quoting
    quoted = _quoted(db, ordered, summaries, matcher)
    for summary in summaries:
        for note in quoted.get(summary, ()):
            quoting[note].append(summary)
    by_node = {found.node_id: found for found in ordered}
    places = (quoted.get(found.node_id, [found.node_id])[0] for found in ordered)
    return [by_node[node_id] for node_id in dict.fromkeys(places)], quoting


def _quoted(
    db: Reader, ordered: Sequence[Candidate], summaries: Collection[int], matcher: Matcher
) -> dict[int, list[int]]:
    """Return by summary the notes found that it quotes, the best first."""
    notes = [found.node_id for found in ordered if found.node_id not in {*summaries}]
    below = {pair for pair in pairs_above(db, notes) if pair[1] in {*summaries}}
    said = {
        node_id: [*_answers(text, matcher)]
        for node_id, text in _texts(db, {summary for _, summary in below}).items()
    }
    written = {
        node_id: f" {_words(plain(text))} "
        for node_id, text in _texts(db, {note for note, _ in below}).items()
    }
    quoted: defaultdict[int, list[int]] = defaultdict(list)
    for note in notes:
        for summary in summaries:
            if (note, summary) in below and any(f" {words} " in written[note] for words in said[summary]):
                quoted[summary].append(note)
    return dict(quoted)


def _texts(db: Reader, node_ids: Collection[int]) -> dict[int, str]:
    texts = dict.fromkeys(node_ids, "")
    for chunk in chunks_of(db, node_ids):
        texts[chunk.node_id] += f"\n\n{chunk.text}"
    return texts


def _answers(text: str, matcher: Matcher) -> Iterator[str]:
    """Yield the words of each sentence that holds a term of the query."""
    for start, end in pairwise([0, *boundaries(text), len(text)]):
        sentence = text[start:end]
        if matcher.held(sentence) and (words := _words(plain(sentence))):
            yield words


def _words(text: str) -> str:
    return " ".join(_WORD.findall(bare(text)))
