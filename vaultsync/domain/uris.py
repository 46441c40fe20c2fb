"""Links that open a note in Obsidian."""

from __future__ import annotations

from unicodedata import normalize
from urllib.parse import quote


def obsidian_uri(vault: str, path: str) -> str:
    """Return the URI that opens the note at `path` (from the root, with `.md`) of the vault named `vault`.

    Everything but letters, digits and `_.-~` is percent-encoded: `/`, as Obsidian asks for, and `()` too, so
    that the URI can stand in a markdown link. The `.md` stays: without it, the name of a note on `scan.png`
    would be the picture's.
    """
    return f"obsidian://open?vault={_encode(vault)}&file={_encode(path)}"


def _encode(text: str) -> str:
    return quote(normalize("NFC", text), safe="", errors="surrogatepass")
