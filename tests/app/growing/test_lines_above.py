"""A summary of summaries in which no sentence is found says what they are of, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from small_vaults import ask

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

SOURCES = '[summaries]\nsources = ["*"]\n'


def table(word: str, rows: int) -> str:
    """Return a note of a table: about 16 tokens a row, and no sentence."""
    return f"# {word} by year\n\n| year | {word} |\n|---|---|\n" + "".join(
        f"| {1000 + row} | {word}{row} sheaves and {row * 7} sacks |\n" for row in range(rows)
    )


def text_of(root: Path) -> str:
    """Return the text of the root of the source `Tables`, without its heading and its links."""
    note = (root / "_summaries/Tables/Tables (summary).md").read_text("utf-8")
    return note.partition("# Tables\n\n")[2].partition("\n\n## Contents")[0]


def test_a_note_that_fills_a_summary_is_called_as_its_line_there(
    vault: Callable[[Mapping[str, str]], Path],
) -> None:
    """Its shelf is a uid, which nobody reads."""
    names = ("Oats", "Rye")
    root = vault(
        {
            ".vaultsync/config.toml": SOURCES,
            **{f"Tables/{name}.md": table(name.lower(), 900) for name in names},
        }
    )
    assert ask("sync", root).status == 0
    assert sorted(text_of(root).split("\n\n")) == ["Oats: oats by year", "Rye: rye by year"]


def test_parts_of_one_folder_are_named_once(vault: Callable[[Mapping[str, str]], Path]) -> None:
    """Two summaries of one folder say its name but once."""
    notes = {
        f"Tables/Grain/{name}.md": table(name, 330) for name in ("barley", "millet", "oats", "rye", "spelt")
    }
    root = vault({".vaultsync/config.toml": SOURCES, **notes})
    assert ask("sync", root).status == 0
    assert len([*(root / "_summaries/Tables").iterdir()]) > 2
    assert text_of(root) == "Grain"
