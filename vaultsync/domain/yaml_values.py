"""YAML to JSON values in one pass over its nodes, with the text as written and the links in it."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

import yaml

from vaultsync.domain.markdown.destinations import decoded, is_internal, read_resource
from vaultsync.domain.notes import Link, Metadata, Problem
from vaultsync.domain.wikilinks import wiki_parts

_FAST_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

LARGEST: Final = 1_000_000
"""Characters of YAML that are read; libyaml needs half a second for so many."""

_LARGEST_WITH_ALIASES: Final = 10_000
"""The same for the loader in Python, whose scanner is quadratic in open brackets: a second for so many."""

_DEEPEST: Final = 50
"""Values nested deeper than this are kept as written; JSON readers stop at about a thousand."""

_TAG: Final = "tag:yaml.org,2002:"
_UNREADABLE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
"""What YAML allows in no text, and the lone surrogates that no encoder takes."""

_WIKILINK: Final = re.compile(r"\[\[([^\[\]\r\n]*[^\[\]\s][^\[\]\r\n]*)\]\]")
_LABEL: Final = re.compile(r"\[([^\[\]]*)\]\(")
_LINE_ENDS: Final = re.compile(r"\r\n?|\n")
_TOP_KEY: Final = re.compile(r"(?<![^\r\n])(?=[^\s#\-{}\[\]&*!|>'\"%@`<][^\r\n:]*:(?:\s|\Z))")


@dataclass(frozen=True, slots=True)
class YamlValues:
    """What a block of YAML says; offsets are characters of the whole text, `written` is by key path."""

    metadata: Metadata = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


class _AliasKeeper(yaml.SafeLoader):
    """Reads `*name` as the text `*name`: 271 bytes of aliases can stand for 254 MB of values."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self.alias_line: int | None = None

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if not self.check_event(yaml.AliasEvent):
            return super().compose_node(parent, index)
        event = self.get_event()  # type: ignore[no-untyped-call]
        if self.alias_line is None:
            self.alias_line = event.start_mark.line
        return yaml.ScalarNode(_TAG + "str", f"*{event.anchor}", event.start_mark, event.end_mark)


def read_yaml(text: str, start: int, end: int, line: int) -> YamlValues:
    """Read the YAML in `text[start:end]`, whose first line is the file's line `line`; never raises.

    What YAML refuses is a problem, and then each top-level key is read by itself, so that one bad value hides
    no other (`private: true` above all).
    """
    found = YamlValues()
    block = _UNREADABLE.sub("\ufffd", text[start:end])
    if len(block) > LARGEST:
        found.problems.append(Problem("frontmatter-invalid", f"longer than {LARGEST:,} characters", line))
    elif problem := _read_into(found, block, start, line):
        found.problems.append(problem)
        _rescue(found, block, start, line)
    return found


def _read_into(found: YamlValues, block: str, start: int, line: int) -> Problem | None:
    """Add what the block says to `found`, all of it or, with the problem returned, nothing."""
    try:
        root, alias_line = _compose(block)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return Problem("frontmatter-invalid", _sentence(error), line + (mark.line if mark else 0))
    except (yaml.YAMLError, RecursionError):
        return Problem("frontmatter-invalid", "cannot be read as YAML", line)
    if alias_line is not None:
        message = "a YAML alias is kept as written, not replaced by what it stands for"
        found.problems.append(Problem("yaml-alias", message, line + alias_line))
    if root is not None and not isinstance(root, yaml.MappingNode):
        return Problem("frontmatter-invalid", "holds no `key: value` lines", line)
    if root is not None:
        found.metadata.update(_Walk(found, block, start, line).mapping(root, "", 0))
    return None


def _compose(block: str) -> tuple[yaml.Node | None, int | None]:
    """Return the root node and the line of the first alias."""
    if "&" not in block or "*" not in block:
        return yaml.compose(block, Loader=_FAST_LOADER), None
    if len(block) > _LARGEST_WITH_ALIASES:
        raise yaml.YAMLError
    loader = _AliasKeeper(block)
    return loader.get_single_node(), loader.alias_line


def _sentence(error: yaml.MarkedYAMLError) -> str:
    return ", ".join(part for part in (error.context, error.problem) if part)


def _rescue(found: YamlValues, block: str, start: int, line: int) -> None:
    """Read each top-level key by itself, else its first line, else as text (`title: a: b`)."""
    heads = [match.start() for match in _TOP_KEY.finditer(block)]
    line += len(_LINE_ENDS.findall(block, 0, heads[0] if heads else 0))
    for head, end in pairwise([*heads, len(block)]):
        piece = block[head:end]
        first_line = piece.splitlines()[0]
        if _read_into(found, piece, start + head, line) and _read_into(found, first_line, start + head, line):
            key, _, value = first_line.partition(":")
            found.metadata[key.strip()] = value.strip()
        line += len(_LINE_ENDS.findall(piece))


@dataclass(frozen=True, slots=True)
class _Walk:
    """One pass over a block's nodes; `start` and `line` say where the block stands in the file."""

    found: YamlValues
    block: str
    start: int
    line: int

    def value(self, node: yaml.Node, path: str, depth: int) -> Any:  # noqa: ANN401 -- any JSON value
        if isinstance(node, yaml.ScalarNode):
            return self.scalar(node, path)
        if depth > _DEEPEST:
            return self.as_written(node)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, f"{path}.{n}", depth + 1) for n, item in enumerate(node.value)]
        if any(not isinstance(key, yaml.ScalarNode) for key, _ in node.value):
            return self.template(node)
        return self.mapping(node, f"{path}.", depth + 1)

    def mapping(self, node: yaml.Node, prefix: str, depth: int) -> Metadata:
        values: Metadata = {}
        for key, item in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else self.template(key)
            if name in values:
                self.problem("frontmatter-duplicate", f"`{name}` stands twice; the last one counts", key)
            values[name] = self.value(item, prefix + name, depth)
        return values

    def scalar(self, node: yaml.ScalarNode, path: str) -> Any:  # noqa: ANN401 -- any JSON value
        text: str = node.value
        convert = _TYPED.get(node.tag)
        if convert is None:
            if node.style in ("'", '"') and text.startswith("["):
                self.link(node, path)
            return text
        value = convert(text)
        if value is not None and text != (value if isinstance(value, str) else json.dumps(value)):
            self.found.written[path] = text
        return value

    def link(self, node: yaml.ScalarNode, path: str) -> None:
        """Add the link, if the whole value is one; its span leaves the quotes out."""
        end = node.end_mark.index - 1
        begin = end - len(node.value)
        if self.block[begin:end] != node.value:  # escapes inside
            begin = self.block.index(node.style, node.start_mark.index) + 1
        link = property_link(node.value, self.start + begin, self.start + end, path)
        if link:
            self.found.links.append(link)

    def template(self, node: yaml.Node) -> str:
        """Keep `{{date}}` as it stands: YAML reads it as a mapping whose key is a mapping."""
        self.problem("frontmatter-invalid", "a key is no plain text; kept as written", node)
        return self.as_written(node)

    def as_written(self, node: yaml.Node) -> str:
        return self.block[node.start_mark.index : node.end_mark.index].strip()

    def problem(self, code: str, message: str, node: yaml.Node) -> None:
        self.found.problems.append(Problem(code, message, self.line + node.start_mark.line))


def property_link(value: str, start: int, end: int, key: str) -> Link | None:
    """Return the link that the whole of a property's value is, if it is one."""
    if wiki := _WIKILINK.fullmatch(value):
        return Link("property", *wiki_parts(wiki[1]), start, end, key)
    label = _LABEL.match(value)
    resource = label and read_resource(value, label.end() - 1, len(value))
    if not label or not resource or resource.end < len(value) or not is_internal(resource.written):
        return None
    return Link("property", resource.written, decoded(resource.written), label[1], start, end, key)


_LONGEST_NUMBER = 1000
"""Digits; Python refuses to write numbers of over 4,300, and no one means such a thing as a number."""


def _integer(text: str) -> int | str:
    """Return the number; leading zeros are decimal (`007` is no octal), and `12:30` stays text."""
    digits = text.replace("_", "").lstrip("+-")
    base = {"0x": 16, "0b": 2}.get(digits[:2].lower(), 10)
    if len(digits) > _LONGEST_NUMBER:
        return text
    try:
        number = int(digits, base)
    except ValueError:  # `12:30`
        return text
    return -number if text.startswith("-") else number


def _float(text: str) -> float | str:
    """Return the number; what JSON has no number for (`.inf`, `.nan`) and `1:30.5` stay text."""
    try:
        number = float(text.replace("_", ""))
    except ValueError:
        return text
    return number if math.isfinite(number) else text


def _moment(text: str) -> str:
    """Return the date, or date and time, in ISO form; the text itself if there is no such day."""
    node = yaml.ScalarNode(_TAG + "timestamp", text)
    try:
        return str(_CONSTRUCTOR.construct_yaml_timestamp(node).isoformat())
    except (ValueError, AttributeError):  # AttributeError: `!!timestamp` before a text that is none
        return text


_CONSTRUCTOR: Final = yaml.constructor.SafeConstructor()
_TYPED: Final = {
    _TAG + "null": lambda _: None,
    _TAG + "bool": lambda text: text.lower() in {"true", "yes", "on"},
    _TAG + "int": _integer,
    _TAG + "float": _float,
    _TAG + "timestamp": _moment,
}
