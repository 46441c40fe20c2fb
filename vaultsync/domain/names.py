"""The keys by which names, paths and link targets are compared."""

from __future__ import annotations

from unicodedata import normalize

ATTACHMENT_SUFFIXES = (
    ".avif", ".bmp", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp",
    ".flac", ".m4a", ".mp3", ".ogg", ".wav", ".3gp",
    ".mkv", ".mov", ".mp4", ".ogv", ".webm",
    ".pdf", ".canvas", ".base",
)  # fmt: skip
"""What Obsidian opens besides notes (its help, "Accepted file formats"); `.2` of `v1.2` belongs to a name."""


def caseless(text: str) -> str:
    """Return the one form of all texts that differ from `text` only in case or in Unicode composition.

    NFC of the casefolded NFD: folding the composed form instead leaves texts that a second fold would change.
    """
    if text.isascii():
        return text.lower()
    return normalize("NFC", normalize("NFD", text).casefold())


def name_key(name: str) -> str:
    """Return the key by which a note's file name or alias is compared; one trailing `.md` does not count."""
    return caseless(name).removesuffix(".md")


def path_key(path: str) -> str:
    """Return the key by which a whole path is compared: its last part is the `name_key` of the last part."""
    return name_key(path)


def link_path(link: str) -> str:
    """Return the part of a link that names a note, up to the first `#`; empty for the note that holds it."""
    return link.partition("#")[0].strip()


def target_key(link: str) -> str | None:
    """Return the `name_key` of what `link` may mean; None if that is its own note or an attachment."""
    name = link_path(link).rpartition("/")[2]
    if name in {"", ".", ".."} or caseless(name).endswith(ATTACHMENT_SUFFIXES):
        return None
    return name_key(name)


def is_utf8(name: str) -> bool:
    """Tell whether a name is text; the system spells what isn't with lone surrogates."""
    if name.isascii():
        return True
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
