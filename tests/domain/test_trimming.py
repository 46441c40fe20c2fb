"""Notes that are longer than a model can read are cut to their best sentences."""

from __future__ import annotations

from vaultsync.domain.extractive import Source
from vaultsync.domain.tokens import estimate
from vaultsync.domain.trimming import trim

SUBJECTS = "gannets bees shutters hives lichens otters seeds tides mosses curlews relays domes".split()  # noqa: SIM905 - words


def text_of(subject: str) -> str:
    return " ".join(
        f"The {subject} were counted by {other} keepers near the {other} pond in week {number}."
        for number, other in enumerate(SUBJECTS)
    )


def test_what_fits_stays_as_it_is() -> None:
    """Not a byte of it is touched."""
    sources = (Source("A", (), ("one | two", "```\ncode\n```")),)
    assert trim(sources, 1000) is sources


def test_what_does_not_fit_keeps_some_of_every_note_and_part() -> None:
    """In order, whole sentences of each text, within the room there is."""
    sources = [Source(subject, (), (text_of(subject), text_of(f"late {subject}"))) for subject in SUBJECTS]
    whole = sum(estimate(text) for source in sources for text in source.texts)
    trimmed = trim(sources, whole // 3)
    assert sum(estimate(text) for source in trimmed for text in source.texts) <= whole // 3
    assert [source.title for source in trimmed] == SUBJECTS
    for source, before in zip(trimmed, sources, strict=True):
        assert source.texts
        sentences = " ".join(before.texts)
        assert all(part in sentences for text in source.texts for part in text.split(". "))
    assert trim(sources, whole // 3) == trimmed
