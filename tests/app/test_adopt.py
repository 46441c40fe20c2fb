"""Generated notes that are not what we last wrote: taken over, pinned, or missed."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from grown_vaults import about, grow, written
from small_vaults import memory_of

from vaultsync.app.adopt import Adopted, adopt
from vaultsync.app.duty import find_duty
from vaultsync.app.extract import extract
from vaultsync.app.reconcile import reconcile
from vaultsync.store import summaries

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vaultsync.store.summaries import SummaryRow

NAMES = ("Beans", "Carrots", "Dill", "Endive")
ROOT = "_summaries/Garden/Garden (summary).md"


def take(root: Path) -> Adopted:
    """Read the vault and take over what generated notes say."""
    with memory_of(root, write=True) as memory:
        reconcile(memory)
        extract(memory, lambda *_: None)
        return adopt(memory, find_duty(memory))


def known(root: Path) -> list[SummaryRow]:
    with memory_of(root) as memory:
        return summaries.every(memory.db.read())


@pytest.fixture
def garden(vault: Callable[..., Path]) -> Path:
    """A vault of one source, summed up and written back."""
    root = vault(about(*NAMES))
    grow(root)
    written(root)
    assert (root / ROOT).is_file()
    return root


def test_what_we_wrote_is_no_news(garden: Path) -> None:
    """A file with the bytes that we last wrote says nothing that the store does not."""
    assert take(garden) == Adopted()
    assert take(garden) == Adopted()


def test_a_person_s_words_between_the_markers_are_kept(garden: Path) -> None:
    """The note is pinned: the store has the person's text, as typed, and the summary takes no more."""
    place = garden / ROOT
    before = known(garden)[0]
    place.write_text(
        place.read_text().replace(before.text, "My **own** words, `code` too."), encoding="utf-8"
    )
    found = take(garden)
    assert (found.adopted, found.pinned) == ((), (before.uid,))
    [row] = known(garden)
    assert row.pinned
    assert row.text == "My **own** words, `code` too."
    assert row.state == "sealed"
    assert take(garden) == Adopted()
