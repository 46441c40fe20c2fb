"""The vault's `tree.tsv`: what all its machines must agree on, first of all which of them writes."""

from __future__ import annotations

import re

from vaultsync.domain.merged_lines import merged_lines

WRITER = "writer"
"""First word of the line `writer ID`; others are `off`, `deleted SUMMARY`, `source TREE FOLDER`, `ordinal TREE N`."""

_ID = re.compile("[0-9a-f]{12}")


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
