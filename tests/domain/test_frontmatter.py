"""Frontmatter is found where Obsidian finds it, and what it says is kept, typed and as written."""

from __future__ import annotations

import frontmatter
import pytest

from vaultsync.domain.fences import Fence, split
from vaultsync.domain.frontmatter import NoteHandler, Properties, read
from vaultsync.domain.notes import Link
from vaultsync.domain.yaml_values import read_yaml


def properties(yaml: str) -> Properties:
    text = f"---\n{yaml}\n---\nbody"
    fence = split(text)
    assert fence is not None
    return read(text, fence)


def codes(found: Properties) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in found.problems]


@pytest.mark.parametrize(
    ("text", "fence"),
    [
        ("---\na: 1\n---\nbody", Fence(4, 9, 13)),
        ("---\r\na: 1\r\n---\r\nbody", Fence(5, 11, 16)),
        ("---\ra: 1\r---\rbody", Fence(4, 9, 13)),
        ("---\na: 1\n---", Fence(4, 9, 12)),
        ("--- \t\na: 1\n---  \nbody", Fence(6, 11, 17)),
        ("---\n---", Fence(4, 4, 7)),
        ("---\n---\nbody", Fence(4, 4, 8)),
        ("---\n\n---\nbody", Fence(4, 5, 9)),
        ('---\n{"a": 1}\n---\n', Fence(4, 13, 17)),
        ("---\n# why\n\na: 1\n---\n", Fence(4, 16, 20)),
        ('---\n"a b": 1\n---\n', Fence(4, 13, 17)),
        ("---\na: '---'\n---\n", Fence(4, 13, 17)),
    ],
)
def test_a_closed_block_on_the_first_line_is_frontmatter(text: str, fence: Fence) -> None:
    """Any line end, blanks after the fences, JSON, comments and nothing inside; the offsets are exact."""
    assert split(text) == fence


@pytest.mark.parametrize(
    "text",
    [
        "",
        "body",
        "---",
        "---\n",
        "---\na: 1\n",
        "---\na: 1\n...\n",
        "---\na: 1\n----\n",
        "---\na: 1\n ---\n",
        "\n---\na: 1\n---\n",
        " ---\na: 1\n---\n",
        "----\na: 1\n----\n",
        "---\nA sentence between rulers.\n---\n",
        "---\n- a\n- b\n---\n",
        "---\n# Heading\n---\n",
    ],
)
def test_rulers_and_open_blocks_are_body(text: str) -> None:
    """What is never closed, or holds no `key:` line first, is the note's text."""
    assert split(text) is None


def test_values_are_json_and_keep_their_written_text() -> None:
    """YAML's types become JSON's; where JSON reads otherwise than the note, the note's text is kept."""
    found = properties(
        "day: 2024-01-02\nat: 2024-1-2 03:04:05\nyes: yes\noff: True\nversion: 1.10\nagent: 007\nbig: 1_000\n"
        "clock: 12:30\nnot: .nan\nfar: -.inf\nhex: 0x1F\nno_day: 2024-13-45\nnone: ~\nplain: 3\nname: 'yes'\n"
        "type: null\ntype2:\n2024: year\nlist: [1.0, no]"
    )
    assert found.metadata == {
        "day": "2024-01-02",
        "at": "2024-01-02T03:04:05",
        "yes": True,
        "off": True,
        "version": 1.1,
        "agent": 7,
        "big": 1000,
        "clock": "12:30",
        "not": ".nan",
        "far": "-.inf",
        "hex": 31,
        "no_day": "2024-13-45",
        "none": None,
        "plain": 3,
        "name": "yes",
        "type": None,
        "type2": None,
        "2024": "year",
        "list": [1.0, False],
    }
    assert found.written == {
        "at": "2024-1-2 03:04:05",
        "yes": "yes",
        "off": "True",
        "version": "1.10",
        "agent": "007",
        "big": "1_000",
        "hex": "0x1F",
        "list.1": "no",
    }
    assert not found.problems


@pytest.mark.parametrize(
    ("yaml", "tags"),
    [
        ("tags: [a, b/c, A]", ("a", "b/c")),
        ("tags: a, b  #c", ("a", "b")),
        ("tags: 'a, #b c'", ("a", "b", "c")),
        (
            "Tags:\n- '#a'\n-\n- ''\n- 2024\n- 1.10\n- 2024-01-02\n- yes",
            ("a", "2024", "1.10", "2024-01-02", "yes"),
        ),
        ("tag: a\ntags: [b]", ("a", "b")),
        ("tags:", ()),
        ("tags: {a: 1}", ()),
        ("tags: 2024", ("2024",)),
    ],
)
def test_tags_are_a_string_or_a_list(yaml: str, tags: tuple[str, ...]) -> None:
    """`tags` and `tag` in any case, one string or a list, `#` or none, each tag once, numbers as written."""
    assert properties(yaml).tags == tags


def test_aliases_are_a_string_or_a_list() -> None:
    """One string falls apart at commas only, an item of a list does not; case makes no second alias."""
    assert properties("aliases: New York, NY").aliases == ("New York", "NY")
    assert properties("alias: ['New York, NY', 1984, ny, NY]").aliases == ("New York, NY", "1984", "ny")


def test_title_and_description_are_texts() -> None:
    """A number is a title as it is written, a blank or a list is none; `summary` may be the description."""
    assert properties("title: 1984").title == "1984"
    assert properties("title: '  '").title is None
    assert properties("title: [a]").title is None
    assert properties("summary: S").description == "S"
    assert properties("summary: S\ndescription: D").description == "D"


def test_property_links_are_whole_values() -> None:
    """A quoted `[[..]]` or `[..](..)` with nothing beside it, at any depth, by key path; no other value."""
    text = (
        '---\nrelated:\n  - "[[A|b]]"\n  - \'[[C#d]]\'\no:\n  p: "[[q]]"\nmd: "[t](x%20y.md)"\n'
        'web: "[t](https://x.y)"\nnear: "see [[A]]"\nbare: [[x]]\n---\n'
    )
    fence = split(text)
    assert fence is not None
    links = read(text, fence).links
    assert [(link.key, link.target, link.link, link.text, text[link.start : link.end]) for link in links] == [
        ("related.0", "A|b", "A", "b", "[[A|b]]"),
        ("related.1", "C#d", "C#d", None, "[[C#d]]"),
        ("o.p", "q", "q", None, "[[q]]"),
        ("md", "x%20y.md", "x y.md", "t", "[t](x%20y.md)"),
    ]


@pytest.mark.parametrize("before", ["", "é: 😀\n", "a: &x 1\nb: *x\n", "t: a: b\n"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_link_spans_hold_whatever_stands_before(before: str, line_end: str) -> None:
    """Wide characters, aliases, broken lines and every line end leave the span on the link."""
    text = f'---\n{before}k: "[[X]]"\n---\nbody'.replace("\n", line_end)
    fence = split(text)
    assert fence is not None
    at = text.index("[[")
    assert read(text, fence).links == (Link("property", "X", "X", None, at, at + 5, "k"),)


def test_an_anchored_link_keeps_its_span() -> None:
    """An anchor or a tag before the quotes is no part of the link."""
    text = '---\na: &x "[[B]]"\nb: !!str "[[C]]"\n---\n'
    fence = split(text)
    assert fence is not None
    assert [text[link.start : link.end] for link in read(text, fence).links] == ["[[B]]", "[[C]]"]


def test_one_bad_line_hides_no_other() -> None:
    """YAML's refusal is a problem with its line in the file; every other key is still read."""
    found = properties("private: true\ntitle: a: b\ntags:\n  - x\nk: [[x]]y\nlast: 1")
    assert codes(found) == [("frontmatter-invalid", 3)]
    assert "mapping values are not allowed" in found.problems[0].message
    assert found.metadata == {"private": True, "title": "a: b", "tags": ["x"], "k": "[[x]]y", "last": 1}
    assert (found.title, found.tags) == ("a: b", ("x",))


def test_links_and_lines_hold_in_what_is_rescued() -> None:
    """What is read by itself has its place in the file all the same."""
    found = properties("# why\nt: a: b\r\nk: 1\nk: 2\nlink: '[[X]]'")
    assert codes(found) == [("frontmatter-invalid", 3)]
    assert [(link.start, link.key) for link in found.links] == [(36, "link")]


def test_aliases_of_yaml_are_never_expanded() -> None:
    """Nine levels of nine aliases stay some hundred characters."""
    levels = ["a0: &a0 lol"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    found = properties("\n".join(levels))
    assert codes(found) == [("yaml-alias", 3)]
    assert found.metadata["a9"] == ["*a8"] * 9
    assert properties("a: &a [*a]").metadata == {"a": ["*a"]}


def test_a_key_that_stands_twice_is_a_problem() -> None:
    """The last one counts."""
    found = properties("a: 1\na: 2")
    assert found.metadata == {"a": 2}
    assert codes(found) == [("frontmatter-duplicate", 3)]


@pytest.mark.parametrize(
    ("yaml", "metadata"),
    [
        ("date: {{date}}\nok: 1", {"date": "{{date}}", "ok": 1}),
        ("<% tp.file.title %>\nok: 1", {"ok": 1}),
        ("title: <% tp.file.title %>\n<%* more %>\nok: 1", {"title": "<% tp.file.title %>", "ok": 1}),
        ("a: {b: {{c}}}", {"a": {"b": "{{c}}"}}),
    ],
)
def test_templates_keep_their_commands_as_written(yaml: str, metadata: dict[str, object]) -> None:
    """What a template engine will replace is text, and a problem of the note."""
    found = properties(yaml)
    assert found.metadata == metadata
    assert {problem.code for problem in found.problems} == {"frontmatter-invalid"}


@pytest.mark.parametrize(
    "yaml",
    [
        "a: " + "[" * 100_000,
        "a: " + "[" * 900 + "]" * 900,
        "a: &x *y\n" + "b: " + "[" * 20_000,
        "x: " + "y" * 1_100_000,
        "a: \x00",
        "a: \udcff",
        'a: "\\ud800"',
        "a: !!python/object:os.system x",
        "a: !!timestamp x\nb: !!int x\nc: !!float x\nd: !!bool x",
        "a: " + "9" * 10_000,
        "a: 1.0e+999",
        "%YAML 9.9\na: 1",
        "a: 1\n--- x\nb: 2",
        "? [a]\n: 1",
        "<<: {a: 1}",
        "a: '",
        "a:\n\t- b",
        "\xa0: 1",
    ],
)
def test_no_yaml_raises(yaml: str) -> None:
    """Depth, size, odd tags, numbers beyond JSON and control characters end in values or problems."""
    found = read_yaml(yaml, 0, len(yaml), line=1)
    assert found.metadata or found.problems
    assert properties("ok: 1\n" + yaml).metadata or len(yaml) > 1_000_000


def test_a_block_that_follows_at_once_is_a_problem() -> None:
    """Two blocks in front of a note: the first counts, the line of the second is named."""
    text = "---\na: 1\n---\n\n---\ntitle: x\n---\nbody"
    fence = split(text)
    assert fence is not None
    found = read(text, fence)
    assert (found.metadata, codes(found)) == ({"a": 1}, [("frontmatter-twice", 5)])


def test_python_frontmatter_reads_and_writes_through_the_handler() -> None:
    """The library's own functions see what we see, and what they write reads the same again."""
    post = frontmatter.loads("---\na: 007\ntags: [x]\n---\nbody", handler=NoteHandler())
    assert (post.metadata, post.content) == ({"a": 7, "tags": ["x"]}, "body")
    assert frontmatter.loads(frontmatter.dumps(post), handler=NoteHandler()).metadata == post.metadata
    assert frontmatter.loads("---\nruler\n---\nbody", handler=NoteHandler()).metadata == {}
