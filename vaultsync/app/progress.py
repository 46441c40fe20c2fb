"""How a long stage says how far it is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Told a stage, how much of it is done, and of how much."""
