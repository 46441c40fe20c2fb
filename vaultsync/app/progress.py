"""How a long stage says how far it is, and hears that it is to end."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Told a stage, how much of it is done, and of how much (0: of something that can't be counted).

Called after each batch that was written, and so often that two seconds hardly ever pass without. May raise
`domain.errors.Stopped`: what is written stays, what is not is undone, and the next pass does it.
"""


def silent(_stage: str, _done: int, _total: int) -> None:
    """Tell nobody."""
