"""The vault's `tree.tsv`: what all its machines must agree on, first of all which of them writes."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.merged_lines import merged_lines
from vaultsync.domain.notes import Uid
from vaultsync.domain.table_paths import from_field, to_field

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

WRITER = "writer"
"""First word of the line `writer ID`; others are `off`, `deleted SUMMARY`, `source TREE FOLDER`, `ordinal TREE N`."""

_ROOT = "/"
"""How the root source's folder, "", is written: a line that ends in a tab would not live long."""

_ID = re.compile("[0-9a-f]{12}")
_UID = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_ORDINALS = re.compile("[1-9][0-9]{0,8}")


class Lines(NamedTuple):
    """What the file says of the trees; none of it of private ones.

    `sources`: the folder of each public tree ("" is the root source's), no two trees with one folder; they are all
    sources that there are. `ordinals`: the highest ever given, of trees where no summary shows it. `deleted`:
    summaries whose note a person deleted. `off`: no generated notes are wanted.
    """

    sources: Mapping[Uid, str] = MappingProxyType({})
    ordinals: Mapping[Uid, int] = MappingProxyType({})
    deleted: frozenset[Uid] = frozenset()
    off: bool = False


def parse(text: str) -> frozenset[tuple[str, ...]]:
    """Return the lines as their fields, those of newer versions too; of a conflict, the lines of both sides."""
    return frozenset(tuple(line.split("\t")) for line in merged_lines(text))


def render(lines: frozenset[tuple[str, ...]]) -> str:
    """Return the file that says these lines, sorted."""
    return "".join("\t".join(fields) + "\n" for fields in sorted(lines))


def writers(text: str) -> frozenset[str]:
    """Return the ids of the machines that the file names as the writer; of several the smallest is."""
    return frozenset(
        fields[1] for fields in parse(text) if fields[0] == WRITER and _ID.fullmatch("".join(fields[1:2]))
    )


def with_writer(text: str, machine: str) -> str:
    """Return the file with this machine as the only writer."""
    others = frozenset(fields for fields in parse(text) if fields[0] != WRITER)
    return render(others | {(WRITER, machine)})


def read(text: str) -> Lines:
    """Return what the file says of the trees, whoever wrote or merged it.

    After a merge a tree may have two lines, and two trees one folder: the same of them counts on all machines.
    """
    sources: dict[Uid, str] = {}
    ordinals: dict[Uid, int] = {}
    deleted: set[Uid] = set()
    off = False
    for fields in sorted(fields for fields in parse(text) if _is_understood(fields)):
        match fields:
            case ("source", uid, written):
                folder = _folder(written)
                if folder is not None and uid not in sources and folder not in sources.values():
                    sources[Uid(uid)] = folder
            case ("ordinal", uid, highest):
                ordinals[Uid(uid)] = max(int(highest), ordinals.get(Uid(uid), 0))
            case ("deleted", uid):
                deleted.add(Uid(uid))
            case _:
                off = True
    return Lines(sources, ordinals, frozenset(deleted), off)


def with_lines(text: str, lines: Lines) -> str:
    """Return the file with these lines in the place of all of their kinds; the writer's and a newer version's stay."""
    others = frozenset(fields for fields in parse(text) if not _is_understood(fields))
    return render(others.union(_fields(lines)))


def _fields(lines: Lines) -> Iterator[tuple[str, ...]]:
    yield from (("source", uid, to_field(folder) or _ROOT) for uid, folder in lines.sources.items())
    yield from (("ordinal", uid, str(highest)) for uid, highest in lines.ordinals.items())
    yield from (("deleted", uid) for uid in lines.deleted)
    if lines.off:
        yield ("off",)


def _is_understood(fields: tuple[str, ...]) -> bool:
    """Tell whether a line is of one of the kinds that `Lines` holds."""
    match fields:
        case ("off",):
            return True
        case ("deleted", uid):
            return _UID.fullmatch(uid) is not None
        case ("source", uid, folder):
            return _UID.fullmatch(uid) is not None and _folder(folder) is not None
        case ("ordinal", uid, highest):
            return _UID.fullmatch(uid) is not None and _ORDINALS.fullmatch(highest) is not None
        case _:
            return False


def _folder(written: str) -> str | None:
    return "" if written == _ROOT else from_field(written)
