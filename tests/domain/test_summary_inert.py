"""Whatever stands in a text or a title, nothing of it runs, loads, links, tags or hides in Obsidian."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from summary_notes import CONTENT, apart

from vaultsync.domain.decoding import decode
from vaultsync.domain.markdown import parse
from vaultsync.domain.notes import NotePath
from vaultsync.domain.prose import plain
from vaultsync.domain.summary_note import Entry, Section, digest_of, inert, render
from vaultsync.domain.summary_note.inert import label

HOSTILE = [
    "```dataviewjs\ndv.pages()\n```",
    "~~~dataview\nLIST\n~~~",
    "`$= dv.current()` and `= this.file.name`",
    "``` `` ` ```",
    "<%* await tp.user.run() %>",
    "<%+ tp.date.now() %> \\<% tp %> <\\% x %\\>",
    "<script>alert(1)</script>",
    "<img src='https://evil.example/x.png'>",
    "<!-- hidden -->",
    "<iframe src=//evil.example></iframe>",
    "![x](https://evil.example/x.png)",
    "![[Secret]] ![[pic.png|300]]",
    "\\![[Secret]] \\\\[[Secret]]",
    "[click](obsidian://open?vault=x)",
    "[a][b]\n\n[b]: https://evil.example",
    "see https://evil.example/a?b=c, www.evil.example and <https://evil.example>",
    "https:\\//evil.example ftp://x file:///etc/passwd http:www.//evil.example",
    "[[Foreign]] and [[Other#Heading|text]]",
    "#tag #nested/tag [x]#tag **b**#tag",
    "# Heading\n\n## Another",
    "Heading\n===\n\nOther\n---",
    "A line with an id ^block-id",
    "^alone",
    "[^1] and ^[inline]\n\n[^1]: note",
    "key:: value [inline:: value] (other:: value) :::",
    "%% comment %%\n%%\nblock\n%%",
    "%% vaultsync:end %%\n%% vaultsync:begin %%\n%% vaultsync:data\nid: x\n%%",
    "50\\%% off %\\%",
    "- [ ] task\n- [x] done 📅 2024-01-01",
    "> [!danger] callout\n> text",
    "| a | b |\n|---|---|\n| [[c|d]] | e |",
    "$\\href{https://evil.example}{x}$ $$y$$",
    "    indented code [[x]]",
    "<<<<<<< HEAD\nours\n||||||| base\n=======\ntheirs\n>>>>>>> theirs",
    "---\nkey: value\n---",
    "&lt;script&gt; &#91;&#91;x&#93;&#93;",
    "{{date}} {{title}}",
    "ends with \\",
    "a\x00b\x1b[31m \u202egnp.exe\u2066 \ud800 \u2028# x",
]

MARKS = st.lists(
    st.sampled_from(
        [*"ab1 \n\\`[]()|#>%<-!=:~^&;$*_{}/.x\r\t", "www.", "http:", "//", "[[", "%%", "<%", "\n\n"]
    )
).map("".join)

NEVER = re.compile(r"<%|%%|\[\[|::|://|^[<>=|]{7}|~~~|(?:\s|^)#|\s\^\w", re.MULTILINE)
"""What some plugin, git or we ourselves find in the raw text: there no backslash may stand before it either."""

ONLY_ESCAPED = re.compile(r"[`\[\]|$]|<[A-Za-z/!?]|(?<![A-Za-z0-9])[#^]")


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_is_only_text(text: str) -> None:
    """As the text, as the title and as a heading."""
    content = replace(CONTENT, title=text, text=text, sections=(Section(text, CONTENT.sections[0].entries),))
    raw = render(content)
    assert_inert(raw, CONTENT.sections[0].entries)
    assert apart(raw).text == inert(text)
    assert not NEVER.search(inert(text))


@given(MARKS, MARKS)
def test_no_text_is_anything_but_text(title: str, text: str) -> None:
    """Whatever order the marks come in."""
    raw = render(replace(CONTENT, title=title, text=text))
    assert_inert(raw, CONTENT.sections[0].entries)
    assert not NEVER.search(inert(text))
    assert not ONLY_ESCAPED.search(re.sub(r"\\.", "·", inert(text)))


@given(MARKS | st.text())
def test_F74_what_is_escaped_is_escaped_once(text: str) -> None:
    """However often a text goes through the store and the note."""
    once = inert(text)
    assert inert(once) == once
    assert once == once.strip()


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Plain words: a < b, 50 % of C# (x^2), AT&T, a:b.", None),
        ("**bold**, _soft_ and ==marked==\n\n- one\n- two\n\n1. first\n> quoted", None),
        ("| a | [[b|c]] |", r"\| a \| \[\[b\|c\]\] \|"),
        (r"\| a \| \[\[b\|c\]\] \|", None),
        ("C:\\dir std::vector", r"C:\\dir std\:\:vector"),
        ("a  b\t c \r\n\r\n\n\n d", "a b c\n\nd"),
        ("https://www.a.example/b or zotero://c", "a.example/b or zotero:c"),
        ("<% tp %> <b>", r"\<\% tp \%> \<b>"),
        ("&lt;b&gt; &#35;x", r"\&lt;b\&gt; \&\#35;x"),
        ("a\x00b\u202ec\ud800", "abc\ufffd"),
        ("是#1。 ไทย", r"是\#1。 ไทย"),
    ],
)
def test_a_reader_sees_what_was_meant(text: str, written: str | None) -> None:
    """Emphasis, lists and quotes are the text's own; the rest reads as it stands."""
    assert inert(text) == (text if written is None else written)


@given(st.text(st.sampled_from(list("ab1 \\`[]|#%<>!:^&;$.é"))))
def test_escapes_are_not_seen(text: str) -> None:
    """Without a backslash in it, a text reads after as before."""
    words = " ".join(text.replace("\\", "").split())
    assert re.sub(r"\\(.)", r"\1", inert(words)) == words


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Plan [draft] | two", "Plan (draft) two"),
        ("<img src=x> `a` %%b%% $5", "img src=x> a b 5"),
        ("C# and a_b", "C# and a_b"),
        ("#", ""),
    ],
)
def test_a_links_text_needs_no_escape(title: str, shown: str) -> None:
    """Obsidian would show a backslash there."""
    assert label(title) == shown


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("A/B.md", "[[A/B|x]]"),
        ("v1.2.md", "[[v1.2|x]]"),
        ("scan.png.md", "[[scan.png.md|x]]"),
        ("a.md.md", "[[a.md.md|x]]"),
        ("Cafe\u0301.md", "[[Caf\u00e9|x]]"),
        ("a#b.md", "[x](obsidian://open?vault=V&file=a%23b.md)"),
        ("a|b.md", "[x](obsidian://open?vault=V&file=a%7Cb.md)"),
        ("a]]b.md", "[x](obsidian://open?vault=V&file=a%5D%5Db.md)"),
        ("%%a.md", "[x](obsidian://open?vault=V&file=%25%25a.md)"),
        (" a.md", "[x](obsidian://open?vault=V&file=%20a.md)"),
        ("a\nb.md", "[x](obsidian://open?vault=V&file=a%0Ab.md)"),
        ("<b>.md", "[x](obsidian://open?vault=V&file=%3Cb%3E.md)"),
    ],
)
def test_every_note_can_be_linked(path: str, written: str) -> None:
    """A name that no wikilink can spell gets a URI."""
    section = Section("Notes", (Entry(NotePath(path), "x"),))
    part = apart(render(replace(CONTENT, sections=(section,), vault="V"))).part
    assert f"\n- {written}\n" in part


def test_a_map_is_a_list_in_a_list() -> None:
    """No item stands so deep that it would be code."""
    entries = [Entry(NotePath(f"{name}.md"), name, depth) for name, depth in (("a", 3), ("b", 9), ("c", 0))]
    part = apart(render(replace(CONTENT, sections=(Section("Map", tuple(entries)),)))).part
    assert part.endswith("## Map\n\n- [[a|a]]\n  - [[b|b]]\n- [[c|c]]\n\n")


@pytest.mark.parametrize(
    "unit", ["[", "[[a", "](", "[a](", "%%", "<", "\\", "#", "a:", ":/", "www.", "a", " ", "- ", "\n"]
)
def test_time_grows_with_the_text(unit: str) -> None:
    """A hundred thousand characters of any mark, as we write them and as a person does."""
    text = unit * (100_000 // len(unit))
    started = time.process_time()
    ours = apart(render(replace(CONTENT, title=text, text=text)))
    assert ours.text == inert(text)
    theirs = replace(ours, part=f"{text}\n{ours.part}")
    assert theirs.is_unchanged == (digest_of(theirs.part) == digest_of(ours.part))
    assert "Notes" not in theirs.text
    assert time.process_time() - started < 3


def assert_inert(raw: bytes, entries: tuple[Entry, ...]) -> None:
    """Assert that nothing in a note is active but our headings and links."""
    source = decode(raw)
    part = apart(raw).part
    note = parse(decode(part.encode()))
    assert not source.problems
    assert [link.link for link in note.links] == [entry.path.removesuffix(".md") for entry in entries]
    assert not note.tags
    assert not note.block_ids
    assert not note.definitions
    assert [heading.level for heading in note.headings] in ([1, 2], [2], [1], [])
    assert {block.kind for block in note.blocks} <= {"heading", "paragraph", "list", "blockquote"}
    assert plain(part) is not None
