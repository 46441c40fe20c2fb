"""What comes first when several things speak for a note."""

from __future__ import annotations

from vaultsync.domain.ranking import Candidate, order


def test_a_title_wins_over_a_passing_mention() -> None:
    """The same word weighs more in a name than in a text."""
    mention = Candidate(1, 10, chunk=2.2)
    title = Candidate(2, 20, chunk=0.0, note=2.2)
    assert order([mention, title]) == [title, mention]


def test_the_name_then_the_letters_then_the_weight() -> None:
    """What bears the name sought comes first, then what holds the signs; weight decides the rest."""
    heavy = Candidate(1, 10, chunk=9.0)
    light = Candidate(2, 20, chunk=1.0)
    literal = Candidate(3, 30, chunk=1.0, literal=True)
    named = Candidate(4, None, chunk=0.0, named=True)
    assert order([light, heavy, literal, named]) == [named, literal, heavy, light]


def test_templates_come_last() -> None:
    """Even one that bears the name sought."""
    template = Candidate(1, 10, chunk=9.0, named=True, template=True)
    note = Candidate(2, 20, chunk=0.1)
    assert order([template, note]) == [note, template]


def test_equals_stand_by_path() -> None:
    """So that two machines give one answer."""
    assert [
        found.path for found in order([Candidate(1, 1, 1.0, path="b"), Candidate(2, 2, 1.0, path="a")])
    ] == ["a", "b"]
