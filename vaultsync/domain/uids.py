"""The uids that notes, chunks, trees and summaries get at first sight: equal on all machines, without speaking."""

from __future__ import annotations

from hashlib import sha1
from unicodedata import normalize

from vaultsync.domain.notes import NotePath, Uid

NAMESPACE = "2c077d87-4cf2-5a27-9ca9-9221d6517a60"
"""`uuid5(NAMESPACE_DNS, "vaultsync")`: what keeps our uids apart from those of other programs."""

_VARIANT = {digit: "89ab"[int(digit, 16) & 3] for digit in "0123456789abcdef"}
"""The first digit of a UUID's fourth group: its two highest bits are `10` (RFC 9562, section 4.1)."""


def note_uid(vault_id: str, path: NotePath, counter: int = 0) -> Uid:
    """Return UUIDv5 of (vault id, path in NFC); `counter` counts the notes that had this uid before."""
    return derive_uid(NAMESPACE, f"{vault_id}\0{normalize('NFC', path)}", counter)


def chunk_uid(note_uid: Uid, text_hash: str, nth: int, counter: int = 0) -> Uid:
    """Return UUIDv5 of (note's uid, hash of the text, `nth` chunk of the note with this text, from 0)."""
    return derive_uid(note_uid, f"{text_hash}\0{nth}", counter)


def tree_uid(vault_id: str, folder: str, *, private: bool, counter: int = 0) -> Uid:
    """Return UUIDv5 of (vault id, source's folder at first sight, privacy); no note's name holds a NUL."""
    privacy = "private" if private else "public"
    return derive_uid(NAMESPACE, f"{vault_id}\0tree\0{normalize('NFC', folder)}\0{privacy}", counter)


def summary_uid(tree: Uid, ordinal: int) -> Uid:
    """Return UUIDv5 of (tree's uid, ordinal), which is never given twice."""
    return derive_uid(tree, str(ordinal))


def map_uid(vault_id: str) -> Uid:
    """Return UUIDv5 of (vault id): of the note that links the sources where no summary does."""
    return derive_uid(NAMESPACE, f"{vault_id}\0map")


def derive_uid(namespace: str, name: str, counter: int = 0) -> Uid:
    """Return `uuid.uuid5(UUID(namespace), name)`; a counter above 0 is appended to the name, behind a NUL.

    The parts of a name are joined by NUL, which stands in no path, so that different parts make different
    names. Written out because `uuid` takes three times as long and this runs once a chunk. Lone surrogates,
    as in file names that are no UTF-8, are encoded as they are.
    """
    numbered = f"{name}\0{counter}" if counter else name
    hashed = bytes.fromhex(namespace.replace("-", "")) + numbered.encode("utf-8", "surrogatepass")
    digits = sha1(hashed, usedforsecurity=False).hexdigest()
    variant = _VARIANT[digits[16]]
    return Uid(f"{digits[:8]}-{digits[8:12]}-5{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:32]}")
