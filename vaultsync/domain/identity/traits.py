"""What identity sees of a note's content: its words in threes, the ids its author gave it, its aliases."""

from __future__ import annotations

from array import array
from hashlib import blake2b
from json import JSONDecoder
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from unicodedata import normalize
from zlib import crc32

from vaultsync.domain.scripts import unspaced

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_JSON: Final = JSONDecoder(parse_int=str, parse_float=str)
"""Numbers are words here; made once, as a decoder costs more than most frontmatter."""

_ID_KEYS: Final = frozenset(("id", "uid", "uuid"))

_SHORTEST_ID: Final = 6
"""Characters: a shorter id is a number in a list rather than a name in the vault."""

_ASCII: Final = bytes(code if chr(code).isalnum() else 32 for code in range(128)) + bytes(128)
"""What each ASCII character becomes in a text of words alone."""


class Traits(NamedTuple):
    """A note's content as it is compared with another's.

    `content`: 16 bytes that are equal for equal notes, whatever their BOM, line ends, Unicode composition and
    blanks; empty for a blank note.
    `front`, `body`: hashes of each three consecutive words, sorted, each once and in one of them: `body` those
    that lie in the body alone, `front` the others, with a word of the frontmatter in them.
    `ids`: the values of `id`, `uid` and `uuid`.
    """

    content: bytes
    front: array[int]
    body: array[int]
    ids: tuple[str, ...]
    aliases: tuple[str, ...]

    @property
    def size(self) -> int:
        """Count the shingles of the whole note."""
        return len(self.front) + len(self.body)


def traits_of(metadata: str, property_text: str, aliases: Sequence[str], texts: Iterable[str]) -> Traits:
    """Return the traits of a note, whether it was read just now or comes from the store.

    `metadata`: its frontmatter as JSON text; `property_text` stands for it where that is `{}`, as it is of a
    block that is no YAML. `texts`: its leaves in order; where they are cut doesn't matter.
    """
    properties = _JSON.decode(metadata) if metadata != "{}" else {}
    front = "\n".join(_texts(properties)) if properties else property_text
    body = "\n".join(texts)
    head, words = _words(front), _words(body)
    inner = _shingles(words)
    outer = _shingles([*head, *words[:2]]) - inner if head else set()
    return Traits(
        content=_digest(metadata if properties else property_text, body),
        front=array("I", sorted(outer)),
        body=array("I", sorted(inner)),
        ids=tuple(dict.fromkeys(_ids(properties))),
        aliases=tuple(aliases),
    )


def _texts(value: Any) -> Iterator[str]:  # noqa: ANN401 -- any JSON value
    """Yield keys and values; an empty one is no word."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif value is not None:
        yield str(value)


def _words(text: str) -> list[bytes]:
    """Return the words in lower case; a character of a script without blanks is a word of its own."""
    if text.isascii():
        return text.encode().translate(_ASCII).lower().split()
    return normalize("NFC", text).translate(_UNICODE).encode().split()


class _InWords(dict[int, str]):
    """What each character becomes in a text of words alone, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        word = char.lower() if char.isalnum() or unspaced(char) else " "
        self[code] = word = f" {word} " if unspaced(char) else word
        return word


_UNICODE: Final = _InWords()


def _shingles(words: Sequence[bytes]) -> set[int]:
    """Return the hashes of each three words in a row; of fewer words in all, one hash."""
    if len(words) < 3:  # noqa: PLR2004 -- three words make a shingle
        return {crc32(b" ".join(words))} if words else set()
    return set(map(crc32, map(b" ".join, zip(words, words[1:], words[2:], strict=False))))


def _digest(front: str, body: str) -> bytes:
    plain = "\0".join("".join(normalize("NFC", text).lstrip("\ufeff").split()) for text in (front, body))
    if plain == "\0":
        return b""
    return blake2b(plain.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _ids(properties: Mapping[str, Any]) -> Iterator[str]:
    for key, value in properties.items():
        if isinstance(value, str) and key.casefold() in _ID_KEYS and len(value.strip()) >= _SHORTEST_ID:
            yield value.strip()
