"""Links, embeds and tags: where Obsidian differs from CommonMark, rule by rule."""

from __future__ import annotations

import pytest

from vaultsync.domain.decoding import decode
from vaultsync.domain.markdown import parse
from vaultsync.domain.notes import Link, LinkKind, ParsedNote


def read(text: str) -> ParsedNote:
    return parse(decode(text.encode()))


def links(text: str) -> list[tuple[str, str]]:
    return [(link.kind, link.link) for link in read(text).links]


def tags(text: str) -> list[str]:
    return [tag.name for tag in read(text).tags]


@pytest.mark.parametrize(
    ("text", "target", "link", "shown"),
    [
        ("[[Beta]]", "Beta", "Beta", None),
        ("[[Beta#Plan|the plan]]", "Beta#Plan|the plan", "Beta#Plan", "the plan"),
        (r"[[a\|b]]", "a|b", "a", "b"),
        ("[[a||b]]", "a||b", "a", "|b"),
        ("[[|]]", "|", "|", None),
        ("[[|x]]", "|x", "|x", None),
        ("[[|#x]]", "|#x", "|#x", None),
        ("[[#]]", "#", "#", None),
        ("[[##x]]", "##x", "##x", None),
        ("[[^^x]]", "^^x", "^^x", None),
        ("[[#^id]]", "#^id", "#^id", None),
        ("[[a#b#c]]", "a#b#c", "a#b#c", None),
        ("[t](Test%20Data/x.md#h)", "Test%20Data/x.md#h", "Test Data/x.md#h", "t"),
        ("[t](<a b.md>)", "a b.md", "a b.md", "t"),
        ('[t](x.md "title")', "x.md", "x.md", "t"),
        ("[t](x.md 'title')", "x.md", "x.md", "t"),
        ("[t](x.md (title))", "x.md", "x.md", "t"),
        ("[t]( x.md )", "x.md", "x.md", "t"),
        ("[t](a(b)c.md)", "a(b)c.md", "a(b)c.md", "t"),
        (r"[t](a\(b.md)", r"a\(b.md", "a(b.md", "t"),
        ("[t](a&amp;b.md)", "a&amp;b.md", "a&b.md", "t"),
        ("[](b.md)", "b.md", "b.md", ""),
        ("[t](#h)", "#h", "#h", "t"),
        ("[t](a/b)", "a/b", "a/b", "t"),
        ("[a `]` b](c.md)", "c.md", "c.md", "a `]` b"),
        ("[a [b] c](d.md)", "d.md", "d.md", "a [b] c"),
        ("[a\n  b](c.md)", "c.md", "c.md", "a b"),
        ("![d](i%20j.png)", "i%20j.png", "i j.png", "d"),
        ("![[i.png|100]]", "i.png|100", "i.png", "100"),
    ],
)
def test_the_parts_of_a_link(text: str, target: str, link: str, shown: str | None) -> None:
    """A link has its target as written, where it points, its text, and spans all of itself."""
    kind: LinkKind = "embed" if text.startswith("!") else "wikilink" if text.startswith("[[") else "markdown"
    assert read(text).links == (Link(kind, target, link, shown, 0, len(text)),)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "[[]]",
            "[[ ]]",
            "[[a\nb]]",
            "[[a]b]]",
            "[]()",
            "[a]()",
            "[a](<>)",
            "[a][b]",
            "[^1]",
            "[a]: b.md",
            "- [ ] a",
        ),
        *("[a](https://x.org)", "[a](obsidian:x)", "[a](mailto:x@y)", "![a](https://x.org/i.png)"),
        *(r"\[\[t\]\]", r"\[[a]]", r"!\[[t]]", r"\[a](b.md)"),
        *("[a](b c.md)", "[a](b.md", "[a] (b.md)", "[a](b.md 'x)", "[a](<b.md)", "[a](b(c.md)"),
        *("`[[a]]`", "``[[a]` ``", "    [[a]]", "```\n[[a]]\n```", "~~~\n[[a]]"),
        *("$[[a]]$", "$$\n[[a]]\n$$", "x $$[[a]]$$"),
        *("<!-- [[a]] -->", "a <!-- [[a]] --> b", "<?x [[a]] ?>", "<a href='[[a]]'>", "<div>\n[[a]]\n</div>"),
        "|[[X|y]]|\n|-|-|",
    ],
)
def test_what_is_no_link(text: str) -> None:
    """Nothing counts inside code, math, comments or HTML; what is empty, escaped or outside the vault is no link."""
    assert read(text).links == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[a [[b]] c]]", ["b"]),
        (r"\![[t]]", ["t"]),
        ("$5 and [[b]] $6", ["b"]),
        ("`[[a]]` ``[[b]]` `` [[c]] ", ["c"]),
        ("`` [[a]] `", ["a"]),
        ("[x [y](z.md) w](v.md)", ["z.md"]),
        ("[x [[y]] w](v.md)", ["y"]),
        ("[![i](j.png)](k.md)", ["k.md", "j.png"]),
        ("%%[[a]]%%", ["a"]),
        ("%%\n[[a]]\n%%", ["a"]),
        ("<br>[[#x]]", ["#x"]),
        ("<b>[[a]]</b>", ["a"]),
        ("# I link to [[x]]", ["x"]),
        ("==a [[b]] c==", ["b"]),
        ("key:: [[a]]", ["a"]),
        ("[key:: [[a]]]", ["a"]),
        ("a[^1] [[b]]\n\n[^1]: see [[c]]", ["b", "c"]),
        ("a ^[inline [[b]]]", ["b"]),
        ("- [ ] do [[a]]\n- [x] [[b]]", ["a", "b"]),
        ("> [!note] T [[a]]\n> [[b]]", ["a", "b"]),
        ("| [[a]] | [b](c.md) |\n|-|-|\n| `x | [[d]]` |", ["a", "c.md", "d"]),
        ("a <b [[c]]", ["c"]),
        ("<!-- [[a]]", []),
        ("a <!-- [[b]]", ["b"]),
        ("[[[a]]]", ["a"]),
        ("a\u2028[[b]]", ["b"]),
        ("a\x0b# b\x0c[[c]]", ["c"]),
        ("\u00a0[[a]]\u3000", ["a"]),
    ],
)
def test_where_links_are_found(text: str, expected: list[str]) -> None:
    """Syntax around a link does not hide it, and an inner link wins."""
    assert [link for _, link in links(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#a", ["a"]),
        ("#a/b-c_d", ["a/b-c_d"]),
        ("#y1984 #1984 #3344:", ["y1984"]),
        ("#漢字 #тег #😀x", ["漢字", "тег", "😀x"]),
        ("#a, #b. (#c) x#d", ["a", "b"]),
        ("#a#b", ["a"]),
        ("\uff1a#demo", []),
        (r"\#a \[\[#b\]\]", ["b"]),
        ("**#i** *#j* _#k b_ ~~#l~~ ==#m== %%#n%%", ["i", "j", "k", "l", "m", "n"]),
        ("snake_#a", []),
        ("`x`#k [a](b.md)#l <br>#m", ["k", "l", "m"]),
        ("https://x.org/#a https://x.org/b_(c)#d <https://x.org#e>", []),
        ("[[#a]] [b](c.md#d)", []),
        ("`#a` <!-- #b --> $#c$", []),
        ("# a #b", ["b"]),
        ("- [ ] #task do", ["task"]),
        ("> #a", ["a"]),
        ("a\n#b", ["b"]),
        ("|#a|x #b|\n|-|-|", ["a", "b"]),
        ("key:: #a", ["a"]),
        ("#a\x07b #c", ["c"]),
        ("#", []),
    ],
)
def test_tags(text: str, expected: list[str]) -> None:
    """A tag begins after a blank or a construct, holds what Obsidian lets it, and is not digits alone."""
    note = read(text)
    assert [tag.name for tag in note.tags] == expected
    assert [text.encode()[tag.start : tag.end].decode() for tag in note.tags] == [
        f"#{name}" for name in expected
    ]


def test_a_definition_is_no_link() -> None:
    """`[x]: p` is kept apart from the links."""
    note = read("[x]: <a b.md> 'title'\n[y]: c%20d.md\n[z]: https://x.org")
    assert note.links == ()
    assert [(found.text, found.target, found.link) for found in note.definitions] == [
        ("x", "a b.md", "a b.md"),
        ("y", "c%20d.md", "c d.md"),
    ]


def test_a_link_over_two_quoted_lines() -> None:
    """Spans reach over the `>` of a quote; the text leaves it out."""
    assert read("> [a\n> b](c.md) [[A]]").links == (
        Link("markdown", "c.md", "c.md", "a b", 2, 15),
        Link("wikilink", "A", "A", None, 16, 21),
    )


def test_links_come_in_order() -> None:
    """A link that holds an image stands before it."""
    assert [link.start for link in read("[![i](j.png)](k.md) ![[x]]").links] == [0, 1, 20]
