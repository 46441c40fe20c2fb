from __future__ import annotations

from unicodedata import normalize
from urllib.parse import parse_qs, urlsplit

from vaultsync.domain.uris import obsidian_uri


def test_a_uri_names_vault_and_path() -> None:
    """Slash, blank, ampersand and parentheses are encoded."""
    assert obsidian_uri("My Vault", "A & B/Plan (2).md") == (
        "obsidian://open?vault=My%20Vault&file=A%20%26%20B%2FPlan%20%282%29.md"
    )


def test_a_uri_reads_back_to_what_it_names() -> None:
    """Obsidian decodes the composed form of the path, whatever the disk's."""
    path = "Ünï/日記 #1?.md"
    query = parse_qs(urlsplit(obsidian_uri("v+w", normalize("NFD", path))).query)
    assert query == {"vault": ["v+w"], "file": [path]}


def test_a_name_that_is_no_utf8_has_a_uri() -> None:
    """A stray byte in a file name stops nothing."""
    assert obsidian_uri("v", "a\udcff.md").endswith(".md")
