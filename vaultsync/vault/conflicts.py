"""Recognise by their names the copies that sync tools and git leave beside a note when two versions clash."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

OBSIDIAN_GIT_LIST = "conflict-files-obsidian-git.md"
"""The list of clashes that the Obsidian Git plugin writes at the root of a vault (F115)."""

_COPY = re.compile(
    r"""(?P<stem>.+?)(?:
        \.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?          # Syncthing; a copy of a copy repeats it
      | [ ]\((?:.*[ ])?conflicted[ ]copy[ ].*\d{4}-?\d\d-?\d\d.*\)  # Dropbox, Nextcloud, Obsidian Sync
      | _conflict-\d{8}-\d{6}                                  # ownCloud
      | [ ]\(SFConflict[ ].+\)                                 # Seafile
    )(?:\..*)?(?P<ext>\.md)""",
    re.VERBOSE | re.IGNORECASE,
)
_ORIG = re.compile(r"(?P<stem>.+)(?P<ext>\.md)\.orig", re.IGNORECASE)
_MERGETOOL = re.compile(r"(?P<stem>.+)_(?:BACKUP|BASE|LOCAL|REMOTE)_\d+(?P<ext>\.md)")


def original(name: str, beside: Container[str]) -> str | None:
    """Return the name of the note of which `name` is a conflict copy, or None if it is no such copy.

    `beside`: the names in the same folder. `X_BASE_2024.md` may be anybody's note, so git mergetool's copies
    need the original beside them, where git always has it. iCloud's `X 2.md` and Google Drive's `X (1).md`
    stay notes: nothing tells them from a second chapter, and a note left out is worse than one indexed twice.
    """
    if not may_be_copy(name):
        return None
    if copy := _COPY.fullmatch(name) or _ORIG.fullmatch(name):
        return copy["stem"] + copy["ext"]
    merged = _MERGETOOL.fullmatch(name)
    standing = merged["stem"] + merged["ext"] if merged else None
    return standing if standing in beside else None


def may_be_copy(name: str) -> bool:
    """Tell, in a tenth of the time that the patterns need, that a name may be a conflict copy's."""
    return (
        "onflict" in name or name.endswith(".orig") or "_B" in name or "_LOCAL_" in name or "_REMOTE_" in name
    )
