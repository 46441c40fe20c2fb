"""Asking the full-text indexes: how often terms occur, which chunks and which notes hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.domain.query import Counted
from vaultsync.domain.scripts import spaced

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vaultsync.domain.query import Term
    from vaultsync.store.connection import Reader
    from vaultsync.store.filters import Condition

FEW: Final = 20
MANY: Final = 2_000
"""A term in more chunks than a fifth of all, but at least FEW and at most MANY, is frequent: it says little.
Measured: to count a chunk takes 0.1 us, and bm25 counts each term once more before it weighs."""

_WEIGHED: Final = 5_000
"""Chunks that are weighed at most; each takes 2 us. If more match, the newest are weighed, and fewer, for bm25
then counts terms that stand nearly everywhere."""
_NEWEST: Final = 2_000

_CHUNK_WEIGHTS: Final = "1.0, 3.0"
"""bm25 weights of text and heading path."""

_NODE_WEIGHTS: Final = "10.0, 8.0, 3.0, 0.5, 0.2"
"""bm25 weights of title, aliases, tags, description and property text."""

_ROWS_A_NOTE: Final = 8
"""How many of its chunks at most crowd the best rows, before more rows are asked for."""

_NODES: Final = " CROSS JOIN chunks c ON c.id = t.rowid CROSS JOIN nodes n ON n.id = c.node_id"


class Ask(NamedTuple):
    """A question to the chunks, as FTS5 expressions.

    `weigh`: what chunks are found and weighed by; `also`: what they must match besides, "" for nothing.
    `letters`: what must stand in them to the letter (the case of ASCII aside). `few`: it is known that no more
    than MANY chunks match.
    """

    weigh: str
    also: str = ""
    letters: tuple[str, ...] = ()
    few: bool = False


class Found(NamedTuple):
    """A row of `chunks` or `nodes` that matched, its node, its bm25 weight (higher is better)."""

    row_id: int
    node_id: int
    weight: float
    template: bool


def count(db: Reader, terms: Iterable[Term], *, twin: bool) -> list[Counted]:
    """Return each term with the number of chunks that hold it. `twin`: ask the index of spaced text."""
    limit = max(FEW, min(MANY, chunk_total(db) // 5))
    counts = [(term, _matches(db, _spell(term, twin=twin), limit + 1, twin=twin)) for term in terms]
    return [Counted(term, number, number > limit) for term, number in counts]


def chunk_total(db: Reader) -> int:
    """Return about how many chunks there are: those deleted since the last one was made count too."""
    return db.value("SELECT max(id) FROM chunks") or 0


def all_of(terms: Iterable[Counted], *, twin: bool, forms: bool = False) -> str:
    """Return the FTS5 expression that finds what holds all terms, with `forms` in any of their forms."""
    return " AND ".join(_spell(counted.term, twin=twin, forms=forms) for counted in terms)


def any_of(terms: Iterable[Counted], *, twin: bool, forms: bool = False) -> str:
    """Return the FTS5 expression that finds what holds a term, as `all_of`."""
    return " OR ".join(_spell(counted.term, twin=twin, forms=forms) for counted in terms)


def match_many(db: Reader, match: str, *, twin: bool, many: int = MANY) -> bool:
    """Whether more than `many` chunks match."""
    return _matches(db, match, many + 1, twin=twin) > many


def chunks(db: Reader, ask: Ask, condition: Condition, *, twin: bool, notes: int) -> list[Found]:
    """Return the best chunk of each of at least `notes` nodes (of all, if they are fewer), best first."""
    newest = not ask.few and not condition.sieve and match_many(db, ask.weigh, twin=twin, many=_WEIGHED)
    sql = _chunks_sql(ask, condition, twin=twin, newest=newest)
    letters = {f"letters{nth}": _like(text) for nth, text in enumerate(ask.letters)}
    params = {**condition.params, **letters, "weigh": ask.weigh, "also": ask.also}
    rows = _ROWS_A_NOTE * notes
    while True:
        found = list(db.rows(sql, {**params, "rows": rows}))
        best: dict[int, Found] = {}
        for *columns, passes in found:
            if passes and columns[1] not in best:
                best[columns[1]] = Found._make(columns)
        if len(best) >= notes or len(found) < rows:
            return list(best.values())
        rows *= _ROWS_A_NOTE


def nodes(db: Reader, match: str, condition: Condition, *, twin: bool, limit: int) -> list[Found]:
    """Return the nodes whose title, aliases, tags, description or properties match, best first."""
    table = _table("nodes", twin=twin)
    rows = db.rows(
        f"""
        SELECT t.rowid, t.rowid, -bm25({table}, {_NODE_WEIGHTS}) AS weight, f.role = 'template'
        FROM {table} t CROSS JOIN nodes n ON n.id = t.rowid{condition.joins}
        WHERE {table} MATCH :match AND {condition.sql}
        ORDER BY weight DESC, t.rowid LIMIT :limit
        """,
        {**condition.params, "match": match, "limit": limit},
    )
    return [Found._make(row) for row in rows]


def in_names(match: str) -> str:
    """Return an FTS5 expression that looks at title, aliases and tags alone."""
    return f"{{title aliases tags}} : ({match})"


def signs(db: Reader, text: str, condition: Condition, limit: int) -> list[Found]:
    """Return the newest chunks, one a node, that hold signs which no index keeps; this reads all text."""
    rows = db.rows(
        f"""
        SELECT max(c.id), c.node_id, 1.0, f.role = 'template'
        FROM chunks c CROSS JOIN nodes n ON n.id = c.node_id{condition.joins}
        WHERE (instr(c.text, :text) OR instr(c.heading_path, :text) OR instr(n.title, :text))
            AND c.searchable = 1 AND n.deleted_at IS NULL AND {condition.sql}
        GROUP BY c.node_id ORDER BY 1 DESC LIMIT :limit
        """,
        {**condition.params, "text": text, "limit": limit},
    )
    return [Found._make(row) for row in rows]


def _spell(term: Term, *, twin: bool, forms: bool = False) -> str:
    if forms and term.stem:
        return f"{_quoted(term.stem)} *"
    return _quoted((spaced(term.text) if twin else None) or term.text)


def _matches(db: Reader, match: str, limit: int, *, twin: bool) -> int:
    table = _table("chunks", twin=twin)
    sql = f"SELECT count(*) FROM (SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT ?)"
    return int(db.value(sql, (match, limit)))


def _chunks_sql(ask: Ask, condition: Condition, *, twin: bool, newest: bool) -> str:
    """Return the query for `Found` and whether the node passes, best first, at most `:rows` of them.

    A narrow condition is looked at before that limit; of another one, the few rows that are left are enough.
    """
    table = _table("chunks", twin=twin)
    matched = " AND ".join(_matched(ask, condition, table))
    nodes = _NODES + condition.joins
    joined = f"{table} t{nodes if (condition.narrow and not condition.sieve) or ask.letters else ''}"
    newer = f"SELECT t.rowid AS id FROM {joined} WHERE {matched} ORDER BY t.rowid DESC LIMIT {_NEWEST}"
    weighed = f"""
        SELECT t.rowid AS id, -bm25({table}, {_CHUNK_WEIGHTS}) AS weight
        FROM {joined} WHERE {matched} {f"AND t.rowid >= (SELECT min(id) FROM ({newer}))" if newest else ""}
        ORDER BY weight DESC, t.rowid LIMIT :rows
    """
    return f"""
        SELECT t.rowid, c.node_id, t.weight, f.role = 'template', {condition.sql}
        FROM (SELECT id AS rowid, weight FROM ({weighed})) t{nodes}
        ORDER BY t.weight DESC, t.rowid
    """


def _matched(ask: Ask, condition: Condition, table: str) -> Iterator[str]:
    """Yield what a row of an index must be like; `+` keeps SQLite from looking the rows up one by one."""
    yield f"{table} MATCH :weigh"
    if ask.also:
        yield f"+t.rowid IN (SELECT rowid FROM {table} WHERE {table} MATCH :also)"
    if condition.sieve:
        yield f"+t.rowid IN ({condition.sieve})"
    elif condition.narrow:
        yield condition.sql
    for nth in range(len(ask.letters)):
        yield f"(c.text LIKE :letters{nth} ESCAPE '\\' OR c.heading_path LIKE :letters{nth} ESCAPE '\\')"


def _table(of: str, *, twin: bool) -> str:
    return f"{of}_spaced" if twin else f"{of}_fts"


def _quoted(text: str) -> str:
    return '"' + text.replace('"', " ") + '"'


def _like(text: str) -> str:
    return "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
