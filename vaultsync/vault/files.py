"""The one door to the vault's files: every path is checked here, every read settled, every write guarded."""

from __future__ import annotations

import errno
import os
import re
import stat
from contextlib import contextmanager
from hashlib import blake2b
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from vaultsync.domain.errors import UsageError
from vaultsync.domain.names import is_utf8
from vaultsync.vault.fingerprints import fingerprint, is_dataless

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultsync.domain.notes import Fingerprint

ReadCode = Literal["unreadable", "placeholder", "vanished", "unsettled"]
WriteCode = Literal["exists", "changed", "vanished"]

READS = 3
"""How often a file that changes while it is read is read before it counts as unsettled."""

_IN_THE_CLOUD = frozenset({errno.EAGAIN, errno.EDEADLK})
"""What reading a file that is not downloaded fails with (F44)."""

_NO_HARD_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
"""What `link` fails with on exFAT, on many network drives and in some cloud folders."""

_ASIDE = re.compile(r"\.vaultsync-[0-9a-f]{12}\.tmp")
"""The names of files that are not yet whole."""


class RawNote(NamedTuple):
    """A file's bytes and the fingerprint that it had while they were read."""

    raw: bytes
    fingerprint: Fingerprint


class ReadFailure(Exception):
    """A file can't be read now: a problem of that note, never the end of a sync."""

    def __init__(self, code: ReadCode, message: str) -> None:
        super().__init__(message)
        self.code = code


class WriteRefused(Exception):
    """A guarded write found something else in its place than it was told to expect; nothing was written."""

    def __init__(self, code: WriteCode, message: str) -> None:
        super().__init__(message)
        self.code = code


def resolve(root: Path, path: str) -> Path:
    """Return the place of a path below the root, links below it followed, whether anything is there or not.

    Raises UsageError for a path that is absolute, no text, or holds `..`, an empty part or NUL, and for one
    that a link leads out of the vault (F47, F116).
    """
    parts = path.split("/")
    if "\0" in path or not {"", ".", ".."}.isdisjoint(parts) or not is_utf8(path):
        raise UsageError(f"{path!r} is no path below the vault; write it as `Folder/Note.md`.")
    if not leads_through_link(root, path):
        return root / path
    real_root = root.resolve()
    real = Path(os.path.realpath(real_root / path))
    if real_root not in real.parents:
        raise UsageError(f"{path!r} leads out of the vault.")
    return root / real.relative_to(real_root)


def leads_through_link(root: Path, path: str) -> bool:
    """Tell whether the path or a folder above it is a link; without resolving it, half the time of reading a note."""
    at = os.fspath(root)
    for part in path.split("/"):
        at = f"{at}/{part}"
        if os.path.islink(at):  # noqa: PTH114 - a path object a part would cost more than the look
            return True
    return False


def read(root: Path, path: str) -> RawNote:
    """Read a file whole, in a state that stood for as long as the reading took; else raise ReadFailure."""
    try:
        place = resolve(root, path)
        for _ in range(READS):
            if (note := _read_once(place)) is not None:
                return note
    except UsageError as error:
        raise ReadFailure("unreadable", str(error)) from error
    except OSError as error:
        raise read_failure(path, error) from error
    raise ReadFailure("unsettled", f"{path} changes while it is read; it is read again at the next sync.")


def read_failure(path: str, error: OSError) -> ReadFailure:
    """Return what the system's error says of the note."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return ReadFailure("vanished", f"{path} is gone.")
    if error.errno in _IN_THE_CLOUD:
        return ReadFailure("placeholder", f"{path} is in the cloud and not downloaded.")
    return ReadFailure("unreadable", f"{path} can't be read: {error.strerror}.")


def create(root: Path, path: str, raw: bytes) -> None:
    """Write a new file, whole or not at all, with the folders above it; never in the place of another.

    Raises WriteRefused ("exists"), UsageError as `resolve` or for a dot folder that is not ours, and OSError.
    """
    place = _writable(root, path)
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        with _written_aside(place, raw) as aside:
            _link_or_create(aside, place, raw)
    except FileExistsError as error:
        raise WriteRefused("exists", f"{path} is there already.") from error
    _sync_folder(place.parent)


def replace(root: Path, path: str, raw: bytes, expected_hash: str) -> None:
    """Put new bytes in the place of those with this hash (`content_hash`), at once or not at all.

    Raises WriteRefused ("changed", "vanished"), UsageError as `create`, and OSError.
    """
    place = _writable(root, path)
    with _written_aside(place, raw) as aside:
        aside.chmod(stat.S_IMODE(_expect(place, path, expected_hash).st_mode))
        aside.replace(place)
    _sync_folder(place.parent)


def remove(root: Path, path: str, expected_hash: str) -> None:
    """Delete the file if its bytes have this hash (`content_hash`). Raises as `replace`."""
    place = _writable(root, path)
    _expect(place, path, expected_hash)
    place.unlink()
    _sync_folder(place.parent)


def remove_empty(root: Path, folder: str, top: str) -> None:
    """Remove a folder below `top`, those above it, and `top` itself, as far as they are empty. Raises as `create`."""
    while folder == top or folder.startswith(f"{top}/"):
        try:
            _writable(root, folder).rmdir()
        except OSError:  # something is in it
            return
        folder = folder.rpartition("/")[0]


def remove_asides(root: Path, folder: str) -> None:
    """Remove, in a folder and those below, what is left of writes that were killed. Raises as `create`.

    Only for who alone writes there.
    """
    for above, _, names in os.walk(_writable(root, folder)):
        for name in filter(_ASIDE.fullmatch, names):
            Path(above, name).unlink(missing_ok=True)


def content_hash(raw: bytes) -> str:
    """Return BLAKE2b of a file's bytes, 128 bits, in hex: what `replace` and `remove` expect."""
    return blake2b(raw, digest_size=16).hexdigest()


def _read_once(place: Path) -> RawNote | None:
    """Read the file, or return None if it changed meanwhile."""
    with FileIO(place, opener=_open_for_reading) as file:
        before = os.fstat(file.fileno())
        if not stat.S_ISREG(before.st_mode):
            raise OSError(errno.EINVAL, "it is no ordinary file")
        if is_dataless(before):
            raise OSError(errno.EDEADLK, "it is not downloaded")
        raw = file.readall()
        after = os.fstat(file.fileno())
    return RawNote(raw, fingerprint(after)) if fingerprint(before) == fingerprint(after) else None


def _open_for_reading(place: str, flags: int) -> int:
    """Open what `resolve` found: no link put there since, and without waiting where a pipe lies."""
    return os.open(place, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _writable(root: Path, path: str) -> Path:
    """Return the place to write to: behind no link, and of the folders that Obsidian hides only in `.vaultsync`."""
    place = resolve(root, path)
    if leads_through_link(root, path):
        raise UsageError(f"{path!r} leads through a link; nothing is written there.")
    parts = place.relative_to(root).parts
    if parts[0] != ".vaultsync" and any(part.startswith(".") for part in parts):
        raise UsageError(f"{path!r} is hidden; nothing is written there.")
    return place


def _expect(place: Path, path: str, expected_hash: str) -> os.stat_result:
    try:
        raw = place.read_bytes()
        status = place.stat()
    except FileNotFoundError as error:
        raise WriteRefused("vanished", f"{path} is gone.") from error
    if content_hash(raw) != expected_hash:
        raise WriteRefused("changed", f"{path} was changed by someone else.")
    return status


@contextmanager
def _written_aside(place: Path, raw: bytes) -> Iterator[Path]:
    """Write a hidden file in the same folder, on the disk when it is yielded, and gone afterwards."""
    aside = place.with_name(f".vaultsync-{os.urandom(6).hex()}.tmp")
    try:
        _write_new(aside, raw)
        yield aside
    finally:
        aside.unlink(missing_ok=True)


def _link_or_create(aside: Path, place: Path, raw: bytes) -> None:
    """Give the finished file its name; both ways fail if the name is taken."""
    try:
        place.hardlink_to(aside)
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        _write_new(place, raw)


def _write_new(place: Path, raw: bytes) -> None:
    with place.open("xb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
