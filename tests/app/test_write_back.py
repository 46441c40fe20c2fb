"""Summaries are written into the vault as notes, around every word that a person wrote there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grown_vaults import about, generated, grow, written

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Vault = Callable[[Mapping[str, str | bytes]], Path]


def test_each_source_gets_a_note_and_the_vault_a_map(vault: Vault) -> None:
    """The links lead from the vault to its sources and from there to the notes."""
    root = vault({**about("Beans", "Peas"), **about("Hoe", folder="Tools")})
    grow(root)
    report = written(root)
    texts = generated(root)
    assert list(texts) == ["Garden/Garden (summary).md", "Tools/Tools (summary).md", "Vault (summary).md"]
    assert report.written == sorted(f"_summaries/{path}" for path in texts)
    assert report.bytes == sum(len(text.encode()) for text in texts.values())
    assert "# Garden\n" in texts["Garden/Garden (summary).md"]
    assert "[[Garden/Beans|Beans]]" in texts["Garden/Garden (summary).md"]
    assert "[[_summaries/Tools/Tools (summary)|Tools]]" in texts["Vault (summary).md"]


def test_a_second_pass_writes_nothing(vault: Vault) -> None:
    """Neither one where nothing is due nor one that looks at all again."""
    root = vault(about("Beans", "Peas"))
    grow(root)
    written(root)
    before = generated(root)
    assert written(root).written == []
    grow(root)
    assert written(root).written == []
    assert generated(root) == before
