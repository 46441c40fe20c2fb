"""What broke other tools in the field: frontmatter."""

from __future__ import annotations

from vaultsync.domain.fences import Fence, split
from vaultsync.domain.frontmatter import Properties, read


def properties(text: str) -> Properties:
    fence = split(text)
    assert fence is not None
    return read(text, fence)


def test_F60_a_second_block_in_front_of_a_broken_one() -> None:
    """Both are seen: the first counts, and the note has a problem on the line of the second."""
    found = properties("---\nuid: 1\n---\n---\ntitle: a: b\n---\nbody")
    assert found.metadata == {"uid": 1}
    assert [(problem.code, problem.line) for problem in found.problems] == [("frontmatter-twice", 4)]


def test_F61_one_yaml_error_is_the_notes_own() -> None:
    """`title: a: b` is a problem of one note, with its line; the value stays readable."""
    found = properties("---\ntags: [x]\ntitle: a: b\n---\nbody")
    assert [(problem.code, problem.line) for problem in found.problems] == [("frontmatter-invalid", 3)]
    assert (found.title, found.tags) == ("a: b", ("x",))


def test_F61_a_property_without_a_value() -> None:
    """`type:` and `type: null` are null, and no problem."""
    found = properties("---\ntype:\ntitle: null\ntags: null\naliases:\n---\n")
    assert found.metadata == {"type": None, "title": None, "tags": None, "aliases": None}
    assert (found.title, found.tags, found.aliases, found.problems) == (None, (), (), ())


def test_F63_a_ruler_on_the_first_line() -> None:
    """Text between two rulers is body, whatever YAML would make of it."""
    for text in ("Prose.", "*Italic*", "C:\\", "[[A]]", "- item", "# Heading", "> quote: x"):
        assert split(f"---\n{text}\n---\nmore") is None


def test_F63_a_wikilink_in_yaml() -> None:
    """`k: [[x]]y` is no YAML: a problem, and the value as written."""
    found = properties("---\nk: [[x]]y\n---\n")
    assert found.metadata == {"k": "[[x]]y"}
    assert [problem.code for problem in found.problems] == ["frontmatter-invalid"]


def test_F65_carriage_returns_and_a_fence_that_ends_the_file() -> None:
    """The closing fence needs no line end."""
    text = "---\r\na: 1\r\n---"
    assert split(text) == Fence(5, 11, 14)
    assert properties(text).metadata == {"a": 1}


def test_F67_a_note_saved_on_windows() -> None:
    """CRLF leaves values clean and offsets right."""
    text = '---\r\ntitle: T\r\nup: "[[X]]"\r\n---\r\nbody'
    found = properties(text)
    assert found.metadata == {"title": "T", "up": "[[X]]"}
    assert [text[link.start : link.end] for link in found.links] == ["[[X]]"]
    fence = split(text)
    assert fence is not None
    assert text[fence.body :] == "body"


def test_F69_odd_yaml_loses_no_field() -> None:
    """Fields beside a broken one are all there, as typed values or as written."""
    found = properties(
        '---\nid: 007\nsays: "a" b\npath: C:\\x\nowner: @me\nlist:\n  - 1\n   - 2\nlast: yes\n---\n'
    )
    assert found.metadata == {
        "id": 7,
        "says": '"a" b',
        "path": "C:\\x",
        "owner": "@me",
        "list": ["1 - 2"],
        "last": True,
    }


def test_F70_a_hash_in_a_list_of_tags() -> None:
    """`- '#tag'` is the tag `tag`."""
    assert properties("---\ntags:\n  - '#tag'\n  - \"#nested/tag\"\n---\n").tags == ("tag", "nested/tag")
