"""The hidden block at the end of a summary note: what a machine needs to take the note back into its store."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args
from urllib.parse import quote, unquote

State = Literal["open", "sealed"]

OPENING: Final = "%% vaultsync:data"
CLOSING: Final = "%%"

_DIGEST: Final = "digest"
_CHILD: Final = "child"


class Child(NamedTuple):
    """What a summary is made of, in order: a note's uid and the hash of its admitted leaves' hashes.

    Above level 1: the id of the summary below and the hash of its text. Neither is empty.
    """

    id: str
    text_hash: str


class Record(NamedTuple):
    """What is known of a summary besides its text. `id` is a UUID in its usual form, the other ids any text.

    A note that is only a map (the vault's, where no root source is) has level 0 and no children.
    """

    id: str
    vault: str
    tree: str
    level: int
    shelf: str
    ordinal: int
    state: State
    generator: str
    input_digest: str
    children: tuple[Child, ...]


class Block(NamedTuple):
    """What the data block says. `digest`: of the text between the markers, as a machine wrote it last.

    `others`: lines that are none of ours, of a newer version or a person; they stay.
    """

    record: Record
    digest: str
    others: tuple[str, ...] = ()


_FIELDS: Final = (*Record._fields[:-1], _DIGEST)


def written(block: Block) -> str:
    """Return the data block in lines that end in LF, the last one's end left out.

    Values are percent-encoded but for ASCII letters, digits and `_.-~/`: so nothing in a folder's name ends
    the comment, and Obsidian, which reads links and tags in comments too, finds none.
    """
    values = [*block.record[:-1], block.digest]
    fields = [f"{key}: {_encode(str(value))}".rstrip() for key, value in zip(_FIELDS, values, strict=True)]
    children = [f"{_CHILD}: {_encode(id_)} {_encode(text_hash)}" for id_, text_hash in block.record.children]
    return "\n".join((OPENING, *fields, *children, *block.others, CLOSING))


def read(lines: str) -> Block | None:
    """Read the lines between the first and the last of a data block, ended by LF.

    None if a field is missing, there twice or not to be read.
    """
    try:
        return _read([(line, *_field(line)) for line in lines.split("\n") if line.strip()])
    except (KeyError, ValueError):
        return None


def _field(line: str) -> tuple[str, str]:
    key, _, value = line.partition(":")
    return key, value.strip()


def _read(lines: list[tuple[str, str, str]]) -> Block:
    if sum(key in _FIELDS for _, key, _ in lines) > len(_FIELDS):
        raise ValueError("a field is there twice")
    texts = {key: _decode(value) for _, key, value in lines if key in _FIELDS}
    record = Record(
        id=texts["id"],
        vault=texts["vault"],
        tree=texts["tree"],
        level=int(texts["level"]),
        shelf=texts["shelf"],
        ordinal=int(texts["ordinal"]),
        state=_state(texts["state"]),
        generator=texts["generator"],
        input_digest=texts["input_digest"],
        children=tuple(_child(value) for _, key, value in lines if key == _CHILD),
    )
    others = tuple(line for line, key, _ in lines if key not in (*_FIELDS, _CHILD))
    return Block(record, texts[_DIGEST], others)


def _child(value: str) -> Child:
    identity, text_hash = value.split()
    return Child(_decode(identity), _decode(text_hash))


def _state(text: str) -> State:
    if text not in get_args(State):
        raise ValueError(text)
    return "open" if text == "open" else "sealed"


def _encode(text: str) -> str:
    return quote(text, errors="surrogatepass")


def _decode(text: str) -> str:
    return unquote(text, errors="surrogatepass")
