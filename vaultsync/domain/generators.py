"""Who wrote a summary's text, as its note says it."""

from __future__ import annotations

_EMBEDDED = "extractive/"

EXTRACTIVE = f"{_EMBEDDED}1"
"""The embedded summariser; the number is raised when the same input would give other bytes."""


def is_embedded(generator: str) -> bool:
    """Tell whether any machine can make the text again by itself, of whatever version; a model's it can't."""
    return generator.startswith(_EMBEDDED)
