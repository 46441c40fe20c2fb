"""Which paths are notes, which rule leaves the others out, and what a note's place says of it."""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

from vaultsync.domain.errors import ConfigError
from vaultsync.domain.snapshot import LeftOut
from vaultsync.vault import conflicts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from pathspec import GitIgnoreSpec

    from vaultsync.domain.notes import Role
    from vaultsync.domain.snapshot import Rule, Withheld
    from vaultsync.vault.obsidian import ObsidianSettings

BUILD_FOLDERS = frozenset({"node_modules", "bower_components", "__pycache__"})
"""Names that only programs give. `build`, `dist`, `target` or `vendor` may hold somebody's notes (F129)."""

BUILD_MARKS = frozenset({"pyvenv.cfg", "CACHEDIR.TAG"})
"""By these a program says that it made the folder: PEP 405, and bford.info/cachedir (so cargo's `target`)."""

VAULT_MARKS = frozenset({".obsidian", ".vaultsync"})

_OTHER_KINDS: dict[str, Rule] = {".canvas": "canvas", ".base": "base"}

# Office and what follows it; WPS, LibreOffice; Emacs' lock; macOS on a foreign disk; Syncthing.
_TEMP_STARTS = ("~$", ".~", ".#", "._", "~syncthing~", ".syncthing.")
# Vim's and Emacs' backup, Vim's and Kate's swap files; half-written files of scripts and browsers (F20).
_TEMP_ENDS = ("~", ".tmp", ".temp", ".swp", ".swo", ".swx", ".kate-swp", ".part", ".crdownload")
# Atomic writes that add a number: `n.md.tmp.4711`; macOS: `n.md.sb-1a2b-xyz`; JetBrains.
_TEMP_MIDDLE = re.compile(r"\.md\.(?:tmp|sb)[.-]|___jb_(?:tmp|old|bak)___")


class Rules:
    """The rules of one vault, for paths below its root in any normal form.

    `exclude`, `private`, `gitignored`, `nested_vaults`: the settings of these names; globs are those of
    `.gitignore` and know no case. `state_folder`: the state's path if it lies in the vault. `git_ignored`:
    what `git.ignored` gives, folders with `/` at their end. `summaries`: the folder of generated notes, from which no
    setting leaves out anything, as what they hold tells which are ours; other notes there that one would leave out
    are private. Raises ConfigError for a glob that can't be read.
    """

    def __init__(
        self,
        obsidian: ObsidianSettings,
        *,
        exclude: Sequence[str] = (),
        private: Sequence[str] = (),
        gitignored: Literal["private", "skip"] = "private",
        nested_vaults: Sequence[str] = (),
        state_folder: str | None = None,
        git_ignored: Collection[str] = (),
        summaries: str | None = None,
    ) -> None:
        self._exclude = _globs("exclude", exclude)
        self._private = _globs("private", private)
        self._skips_ignored = gitignored == "skip"
        self._ignored = frozenset(composed(path) for path in git_ignored if _may_hold_notes(path))
        can_hide = exclude or self._skips_ignored
        self._summaries = f"{composed(summaries)}/" if summaries and can_hide else None
        self._nested_vaults = frozenset(composed(path).strip("/") for path in nested_vaults)
        self._state_folder = state_folder and composed(state_folder).strip("/")
        self._templates = _patterns(f"^{re.escape(composed(path))}/" for path in obsidian.template_folders)
        self._asides = _patterns(_aside(composed(text)) for text in obsidian.ignore_filters)

    def left_out(self, path: str, *, is_dir: bool, beside: Collection[str] = ()) -> LeftOut | None:
        """Return the rule by which the path, with all below it, is no note; None if it may be one.

        `beside`: the names in the folder that holds it. What a look into a folder adds: `left_out_inside`.
        """
        name = path[path.rfind("/") + 1 :]
        if not is_dir and (original := conflicts.original(name, beside)):
            return LeftOut(path, "conflict-copy", path[: -len(name)] + original)
        rule = self._folder_rule(path, name) if is_dir else _file_rule(name)
        rule = rule or self.left_out_by_setting(path + "/" if is_dir else path)
        return LeftOut(path, rule) if rule else None

    def left_out_inside(self, path: str, names: Collection[str]) -> LeftOut | None:
        """Return the rule by which a folder that holds these names is left out."""
        if not BUILD_MARKS.isdisjoint(names):
            return LeftOut(path, "build-folder")
        if not VAULT_MARKS.isdisjoint(names) and composed(path) not in self._nested_vaults:
            return LeftOut(path, "vault-inside")
        return None

    def left_out_by_setting(self, path: str) -> Rule | None:
        """Return the setting that leaves out this path; a folder's path ends with `/`."""
        if self._summaries and _on_one_way(composed(path), self._summaries):
            return None
        if self._exclude and _matches(self._exclude, path):
            return "excluded"
        return "gitignored" if self._skips_ignored and self._git_ignores(composed(path)) else None

    def ignore_inside(self, repository: str, git_ignored: Iterable[str]) -> None:
        """Take in what git ignores in a repository inside the vault's (`git.ignored` of its folder, below that)."""
        inside = (f"{repository}/{path}" for path in git_ignored)
        self._ignored |= {composed(path) for path in inside if _may_hold_notes(path)}

    def role(self, path: str) -> Role:
        """Return what Obsidian's settings make of the note at this path."""
        if self._templates and _any_found(self._templates, composed(path)):
            return "template"
        return "aside" if self._asides and _any_found(self._asides, composed(path)) else "note"

    def withheld(self, path: str) -> Withheld | None:
        """Return why the note at this path is private, as far as its path tells."""
        if self._private and _matches(self._private, path):
            return "glob"
        if self._exclude and _matches(self._exclude, path):
            return "glob"  # in the summaries folder: elsewhere the note would have been left out
        return "gitignored" if self._ignored and self._git_ignores(composed(path)) else None

    def _folder_rule(self, path: str, name: str) -> Rule | None:
        if name.startswith("."):
            return "trash" if name == ".trash" else "dot-folder"
        if name in BUILD_FOLDERS:
            return "build-folder"
        return "state-folder" if self._state_folder and composed(path) == self._state_folder else None

    def _git_ignores(self, path: str) -> bool:
        if path in self._ignored:
            return True
        end = path.rfind("/")
        while end > 0 and path[: end + 1] not in self._ignored:
            end = path.rfind("/", 0, end)
        return end > 0


def _on_one_way(path: str, folder: str) -> bool:
    """Tell if a path lies in a folder, or is one that leads to it; folders end with `/`."""
    return path.startswith(folder) or (path.endswith("/") and folder.startswith(path))


def composed(path: str) -> str:
    """Return the path in NFC, the form in which paths of different origin are compared (F50, F51)."""
    return path if path.isascii() else unicodedata.normalize("NFC", path)


def is_markdown(name: str) -> bool:
    """Tell whether a file of this name holds markdown."""
    return name[-3:].lower() == ".md"


def is_plain_note(name: str) -> bool:
    """Tell quickly that no rule about names leaves this file out; few names need a closer look."""
    return name.endswith(".md") and name[0] not in ".~#" and not conflicts.may_be_copy(name)


def _file_rule(name: str) -> Rule | None:
    if name == conflicts.OBSIDIAN_GIT_LIST:
        return "conflict-copy"
    if name[0] not in ".~#" and is_markdown(name):
        return None
    if _is_temporary(name):
        return "temp-file"
    if name[0] == ".":
        return "dot-file"
    return None if is_markdown(name) else _OTHER_KINDS.get(name[name.rfind(".") :].lower(), "not-markdown")


def _is_temporary(name: str) -> bool:
    return (
        name.startswith(_TEMP_STARTS)
        or name.endswith(_TEMP_ENDS)
        or (name[0] == name[-1] == "#" and len(name) > 1)
        or _TEMP_MIDDLE.search(name) is not None
    )


def _may_hold_notes(ignored: str) -> bool:
    """Most of what git ignores is no concern of ours: `.obsidian/`, `node_modules/`, images."""
    name = ignored.rstrip("/").rpartition("/")[2]
    return is_markdown(ignored) or (ignored.endswith("/") and name not in BUILD_FOLDERS and name[:1] != ".")


def _globs(setting: str, globs: Sequence[str]) -> GitIgnoreSpec | None:
    if not globs:
        return None
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - 30 ms, and few vaults have globs

    for glob in globs:
        if not _is_understood(GitIgnoreSpec, glob):
            raise ConfigError(f"{setting}: {glob!r} is no glob that can be read; write it as in .gitignore.")
    return GitIgnoreSpec.from_lines([composed(glob).lower() for glob in globs])


def _is_understood(spec: type[GitIgnoreSpec], glob: str) -> bool:
    """Tell if a glob means something: one that git passes over in silence would give private notes away."""
    if not glob.strip() or glob.startswith("#"):
        return True
    try:
        return all(pattern.include is not None for pattern in spec.from_lines([glob.lower()]).patterns)
    except (ValueError, re.error):
        return False


def _matches(globs: GitIgnoreSpec, path: str) -> bool:
    return globs.match_file(composed(path).lower())


def _patterns(texts: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    """Compile those that Python can read; JavaScript knows a few that it can't."""
    compiled = []
    for text in texts:
        with suppress(re.error, OverflowError, RecursionError):
            compiled.append(re.compile(text, re.IGNORECASE))
    return tuple(compiled)


def _aside(ignore_filter: str) -> str:
    """Return one of Obsidian's "Excluded files" as a pattern: an expression in slashes, else a prefix."""
    slashed = ignore_filter.startswith("/") and ignore_filter.endswith("/")
    return ignore_filter[1:-1] if slashed and ignore_filter.strip("/") else "^" + re.escape(ignore_filter)


def _any_found(patterns: tuple[re.Pattern[str], ...], path: str) -> bool:
    return any(pattern.search(path) for pattern in patterns)
