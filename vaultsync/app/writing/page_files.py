"""Generated notes as files: each is written around what a person wrote in it, and nothing else is ever written over."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.machines import own_files, writer
from vaultsync.app.writing.contents import said_by
from vaultsync.app.writing.pages import stand
from vaultsync.domain.errors import UsageError, VaultError
from vaultsync.domain.notes import Problem, Uid
from vaultsync.domain.summary_note import Parts, merge, relisted, render, take_apart, unpinned
from vaultsync.store import attempts
from vaultsync.vault import files, git_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from vaultsync.app.machines.writer import Role
    from vaultsync.app.memory import Memory
    from vaultsync.app.writing.pages import Page
    from vaultsync.domain.notes import NotePath
    from vaultsync.domain.summary_note import Content, Record

STAGE = "write"
"""The name of this work in `attempts`, whose subjects are paths."""


class Found(NamedTuple):
    """A file where a generated note is or is to be. `parts`: None if it does not carry our mark.

    `place`: inode and device, by which a file is known under another name.
    """

    raw: bytes
    content_hash: str
    parts: Parts | Problem | None
    place: tuple[int, int]


class Busy(Exception):
    """Nothing may be written now: git, or another machine, is at work."""


class Left(Exception):
    """A page that can't be written as things are; `is_news`: since something changed just now, so look again."""

    def __init__(self, words: str, *, is_news: bool = False) -> None:
        super().__init__(words)
        self.is_news = is_news


def look(root: Path, path: NotePath) -> Found | None:
    """Return what is at a path, None for nothing. Raises ReadFailure."""
    try:
        note = files.read(root, path)
    except files.ReadFailure as failure:
        if failure.code == "vanished":
            return None
        raise
    place = note.fingerprint.inode, note.fingerprint.device
    return Found(note.raw, files.content_hash(note.raw), take_apart(note.raw), place)


def around(page: Page, parts: Parts, content: Content) -> bytes:
    """Return a page's bytes around what a person wrote in its file.

    A pinned one stays as it is, but that it tells which notes are under it. In the map of sources nobody's text
    is taken into the store, so that what a person changed between the markers is moved below them.
    """
    if page.row.pinned:
        is_told = _gist(parts.record) == _gist(content.record)
        return relisted(parts, parts.record if is_told else content.record)
    return unpinned(parts, content) if page.is_map else merge(parts, content)


def is_superseded(found: Found, parts: Parts, standing: Found | None) -> bool:
    """Tell whether a file may go since every word of a person in it stands in the summary's own file too."""
    if parts.is_ours_alone:
        return True
    there = standing.parts if standing else None
    if standing is None or not isinstance(there, Parts) or standing.place == found.place:
        return False
    is_kept = parts.is_unchanged or parts.part == there.part
    return is_kept and _outside(parts) == _outside(there)


class PageFiles:
    """The files of a pass's pages, as they are while it writes them.

    Begun by the first write: that claims the writer's role where the vault has no writer. A rehearsal writes nothing
    and counts all.
    """

    def __init__(self, memory: Memory, role: Role, found: Iterable[Page]) -> None:
        self.paths: dict[Uid, NotePath] = {}
        self.written: dict[NotePath, int] = {}
        self.removed: list[NotePath] = []
        self.moved: list[tuple[NotePath, NotePath]] = []
        self._memory = memory
        self._has_role = role.is_writer
        self._known: dict[str, Page] = {}
        for page in found:
            self._known[page.row.uid] = page
            if page.row.path is not None and page.stands:
                self.paths[page.row.uid] = page.row.path

    def is_free(self, page: Page, path: NotePath, planned: Mapping[Uid, NotePath]) -> bool:
        """Tell whether a page may be written at a path (`page_paths.IsFree`)."""
        try:
            found = look(self._memory.root, path)
        except files.ReadFailure:
            return False
        if found is None:
            return True
        parts = found.parts
        if not isinstance(parts, Parts) or parts.record.vault != self._memory.vault_id:
            return False
        uid = Uid(parts.record.id)
        if uid in self._known and uid != page.row.uid:
            return planned.get(uid, path) != path
        return is_superseded(found, parts, self.standing(page.row.uid)) or not self._has_words(page)

    def write(self, page: Page, content: Content, path: NotePath) -> None:
        """Let a page's file be at a path and say this; every word of a person that is in it now stays.

        Raises Left, Busy, ReadFailure, WriteRefused, UsageError, VaultError and OSError.
        """
        if self.paths.get(page.row.uid) == path:
            self._update(page, content, path)
        else:
            self._settle(page, content, path)

    def knows(self, uid: str) -> bool:
        """Tell whether a summary may have a note, whether it has one or not."""
        return uid in self._known

    def remove(self, path: NotePath, found: Found) -> None:
        """Delete a file as it was found, and the folders of ours that are empty then."""
        self.begin()
        if not self._memory.is_rehearsal:
            files.remove(self._memory.root, path, found.content_hash)
            files.remove_empty(self._memory.root, path.rpartition("/")[0], self._memory.settings.folder)
        self.removed.append(path)

    def replace(self, path: NotePath, raw: bytes, found: Found) -> None:
        """Write other bytes in the place of those that were found."""
        if raw != found.raw:
            self.begin()
            if not self._memory.is_rehearsal:
                files.replace(self._memory.root, path, raw, found.content_hash)
            self.written[path] = len(raw)

    def _update(self, page: Page, content: Content, path: NotePath) -> None:
        """Write a page where it is, if it is to say something else than it does."""
        if page.row.said == said_by(content):
            return
        found = look(self._memory.root, path)
        if found is None:
            raise Left("its file is gone", is_news=True)
        parts = self._own(page, found)
        if parts is None:
            raise Left("it does not carry our mark any more", is_news=True)
        raw = around(page, parts, content)
        self.replace(path, raw, found)
        self._stand(page, content, path, raw)

    def _settle(self, page: Page, content: Content, path: NotePath) -> None:
        """Write a page where it was not before, with what a person wrote in the file that it has."""
        old = self.paths.get(page.row.uid)
        found = look(self._memory.root, old) if old else None
        parts = self._own(page, found) if found else None
        raw = around(page, parts, content) if parts else render(content)
        self.begin()
        try:
            if not self._memory.is_rehearsal:
                files.create(self._memory.root, path, raw)
            self.written[path] = len(raw)
        except files.WriteRefused as refusal:
            there = look(self._memory.root, path)
            if there is None:
                raise Left(str(refusal), is_news=True) from refusal
            raw = self._around_another(page, content, there, raw, found)
            self.replace(path, raw, there)
        self._stand(page, content, path, raw)
        if old and parts:
            self.moved.append((old, path))

    def _around_another(
        self, page: Page, content: Content, there: Found, raw: bytes, found: Found | None
    ) -> bytes:
        """Return a page's bytes for a path where another file of ours is, whose words stand elsewhere or are kept."""
        parts = there.parts
        if not isinstance(parts, Parts) or parts.record.vault != self._memory.vault_id:
            raise Left("a file that is not ours has its name", is_news=True)
        other = Uid(parts.record.id)
        is_own = other == page.row.uid
        if is_superseded(there, parts, found if is_own else self.standing(other)):
            return raw
        if not self._has_words(page) and (is_own or other not in self._known):
            return unpinned(parts, content)
        raise Left("another generated note has its name")

    def _own(self, page: Page, found: Found) -> Parts | None:
        """Return the parts of a page's own file; None if it is the user's now."""
        if isinstance(found.parts, Problem):
            raise Left(found.parts.message)
        if found.parts is None:
            return None
        if found.content_hash != page.row.written_hash:
            raise Left("it was changed just now", is_news=True)
        return found.parts

    def _has_words(self, page: Page) -> bool:
        """Tell whether a page's own file holds a word of a person."""
        found = self.standing(page.row.uid)
        return found is not None and not (isinstance(found.parts, Parts) and found.parts.is_ours_alone)

    def standing(self, uid: Uid) -> Found | None:
        """Return the file that a summary has now. Raises ReadFailure."""
        path = self.paths.get(uid)
        return look(self._memory.root, path) if path else None

    def _stand(self, page: Page, content: Content, path: NotePath, raw: bytes) -> None:
        with self._memory.db.write() as tx:
            stand(tx, page, path, files.content_hash(raw), said_by(content))
            attempts.clear(tx, STAGE, {path, page.row.path or path})
        self.paths[page.row.uid] = path

    def begin(self) -> None:
        """Make sure, right before something is written, that it may be. Raises Busy and VaultError."""
        if self._memory.is_rehearsal:
            return
        if git_folder.is_busy(self._memory.root):
            raise Busy("git is in the middle of something")
        if not self._has_role:
            self._claim()

    def _claim(self) -> None:
        try:
            self._has_role = writer.claim(self._memory)
        except (OSError, UsageError) as error:
            raise VaultError(f"{own_files.TREE} can't be written: {own_files.words(error)}") from error
        if not self._has_role:
            raise Busy(f"{own_files.TREE} changes while it is written")


def _gist(record: Record) -> Record:
    """Return what a pinned note's record says that is not of its text."""
    ids = tuple(child._replace(text_hash="") for child in record.children)
    return record._replace(children=ids, generator="", input_digest="")


def _outside(parts: Parts) -> tuple[object, ...]:
    return parts.head, parts.middle, parts.tail, parts.block.others
