"""What a leaf names is found, in one form however it is written, and never in what is no text."""

from __future__ import annotations

import time
from unicodedata import normalize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vaultsync.domain.entities import Mention, find
from vaultsync.domain.entities.canonical import url
from vaultsync.domain.entities.hiding import without_hidden


def mentions(text: str) -> list[Mention]:
    """Return the mentions of a note that is one leaf."""
    return next(find([text]))


def found(text: str, kind: str) -> list[tuple[str, str]]:
    """Return the mentions of a kind: as written, and their one form."""
    return [
        (mention.surface, mention.entity.canonical)
        for mention in mentions(text)
        if mention.entity.kind == kind
    ]


def forms(text: str, kind: str) -> list[str]:
    return [form for _, form in found(text, kind)]


def named(text: str) -> list[str]:
    return [surface for surface, _ in found(text, "name")]


@pytest.mark.parametrize(
    ("text", "kind", "pairs"),
    [
        ("write to Wren@Example.ORG.", "email", [("Wren@Example.ORG", "wren@example.org")]),
        ("ask @Wren_P, or @wren@mast.example", "handle", [("@Wren_P", "@wren_p"), ("@wren@mast.example",) * 2]),
        ("a #Seed/Pea and **#Bean**", "tag", [("#Seed/Pea", "seed/pea"), ("#Bean", "bean")]),
        ("[[People/Wren Pelloquin#Then|she]]", "link", [("[[People/Wren Pelloquin#Then|she]]", "wren pelloquin")]),
        ("![[Chart]] ![[chart.png]] [[#Here]]", "link", [("![[Chart]]", "chart")]),
        ("[it](../a/Tide%20Table.md) [off](x.pdf)", "link", [("[it](../a/Tide%20Table.md)", "tide table")]),
        ("(see https://a.example/b_(c))", "url", [("https://a.example/b_(c)",) * 2]),
        ("[x](https://a.example/b), <https://c.example>", "url", [
            ("https://a.example/b",) * 2, ("https://c.example",) * 2,
        ]),
        ("go to www.a.example/b/.", "url", [("www.a.example/b/", "https://www.a.example/b")]),
        ("on 2026-03-05 and 5 March 2026", "date", [("2026-03-05",) * 2, ("5 March 2026", "2026-03-05")]),
    ],
)  # fmt: skip
def test_each_kind_has_one_form(text: str, kind: str, pairs: list[tuple[str, str]]) -> None:
    """A sign gives an entity away; case, folder, display text and the marks around it make no other one."""
    assert found(text, kind) == pairs


@pytest.mark.parametrize(
    "text", ["@scope/package", "retina@2x", "https://a.example/@wren", "#1", "a#b", "C# 7", "1@2", "@1"]
)
def test_what_only_looks_like_a_sign_is_none(text: str) -> None:
    """Packages, sizes, paths and numbers are neither handles, tags nor addresses of mail."""
    assert not [kind for (kind, _), *_ in mentions(text) if kind in {"handle", "tag", "email"}]


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("HTTPS://WWW.Example.org/A/?utm_source=x&b=1&fbclid=2#part", "https://www.example.org/A?b=1"),
        ("http://example.org:80/", "http://example.org"),
        ("https://example.org:8443/x", "https://example.org:8443/x"),
        ("https://example.org/watch?v=aB&t=4", "https://example.org/watch?v=aB&t=4"),
        ("https://[::1/", "https://[::1/"),
    ],
)
def test_an_address_loses_what_leads_to_no_other_page(written: str, form: str) -> None:
    """Tracking, fragment, default port and trailing slash go; case of the path and other parameters stay."""
    assert url(written) == form
    assert url(form) == form


@pytest.mark.parametrize(
    "text",
    [
        "2026/3/5", "5.3.2026", "5. 3. 2026", "5. März 2026", "March 5th, 2026", "Mar. 5, 2026", "5th of March 2026",
        "5 mars 2026", "5 de marzo de 2026", "2026年3月5日", "2026-03-05T10:00", "[[2026-03-05]]",
    ],
)  # fmt: skip
def test_a_day_is_one_however_it_is_written(text: str) -> None:
    """In English, German, French, Spanish, Chinese or digits it is the same ISO date; so is a daily note's link."""
    assert forms(f"it was {text}, I think", "date") == ["2026-03-05"]


@pytest.mark.parametrize(
    "text", ["2026-02-30", "3/4/2026", "12026-03-05", "note 12 2026", "0 March 2026", "2026"]
)
def test_what_is_no_day_or_more_than_one_is_none(text: str) -> None:
    """No day that the calendar lacks, nor one of which the month can't be told."""
    assert forms(text, "date") == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("then we met Wren Pelloquin there", ["Wren Pelloquin"]),
        ("a letter from Vincent van Gogh, seen by Charles de Gaulle", ["Vincent van Gogh", "Charles de Gaulle"]),
        ("he read J. R. R. Tolkien and O'Farrowe aloud", ["J. R. R. Tolkien", "O'Farrowe"]),
        ("went with Dr. Nell Ayre", ["Nell Ayre"]),
        ("Nell came over", []),
        ("Nell came over; then we saw Nell leave", ["Nell", "Nell"]),
        ("Today Nell Ayre came over", ["Nell Ayre"]),
        ("the dog of Nell's sister slept at Ayre’s house", ["Nell", "Ayre"]),
        ("we wrote it in TypeScript at home. GitHub keeps it", ["TypeScript", "GitHub"]),
        ("Вчера мы говорили с Иваном Петровым", ["Иваном Петровым"]),
        ("昨日は東京でJohn Smithと会いました", ["John Smith"]),
    ],
)  # fmt: skip
def test_names_are_what_has_capitals_within_a_sentence(text: str, names: list[str]) -> None:
    """Particles and initials belong to them, possession and titles don't; a sentence's start alone says nothing."""
    assert named(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "## Getting Started With Our Plugins",
        "The house is old. It leaks. However, we like it.",
        "we pay on Monday, in March, as I said; zahlbar im März",
        "the API and the HTML of NASA are broken",
        "Today SK-051 came by mail",
        "look at [[#Nell Ayre here]] and ![of Nell Ayre](pictures/Nell.png) there",
        "call foo.Bar() or My_Class, in Some/Path, from @Decorator",
        "Die Katze ist nicht auf dem Dach, und das Haus hat mit der Straße zu tun.",
        "东京的天气很好。",
        "ความรักของแม่",
    ],
)
def test_other_capitals_make_no_name(text: str) -> None:
    """Headings in title case, starts of sentences, days, abbreviations, code and the nouns of German have no name."""
    assert named(text) == []


def test_a_german_name_has_two_capitals() -> None:
    """Where any noun has one, two in a row make a name, and then each of them alone is one."""
    text = "Gestern war die Katze mit Anna Schmidt auf dem Dach, und das Haus ist nicht alt. Dort blieb Anna."
    assert named(text) == ["Anna Schmidt", "Anna"]


@pytest.mark.parametrize(
    "hidden",
    [
        "```py\n{}\n```", "~~~\n{}\n~~~", "> ```\n> {}\n> ```", "- ```\n  {}\n  ```", "```\n{}",
        "text\n\n    {}\n", "text\n\n\t{}\n", "`{}`", "`` ` {} ``", "%%{}%%", "%%\n{}\n", "<!-- {} -->",
        "<a title='{}'>",         "$$\n{}\n$$", "\\begin $x {}$",
    ],
)  # fmt: skip
def test_nothing_is_found_in_what_is_no_text(hidden: str) -> None:
    """Code of any kind, also cut off by a leaf's edge, comments, HTML and math name nothing."""
    signs = "we met Wren Pelloquin at #tag [[Note]] @wren a@b.example https://c.example 2026-03-05"
    assert mentions(hidden.format(signs)) == []
    assert mentions(hidden.format(signs).replace("\n", "\r\n")) == []
    assert len(mentions(signs)) == 7


@pytest.mark.parametrize(
    "text", ["- item\n\n    we met Nell Ayre", "\\`we met Nell Ayre\\`", "$5 for Nell Ayre and $6 more"]
)
def test_text_that_looks_like_code_is_read(text: str) -> None:
    """The text of a list item, escaped marks and prices hide nothing."""
    assert named(text) == ["Nell Ayre"]


def test_code_goes_on_in_the_next_leaf() -> None:
    """A fence that was cut, since it is longer than a leaf, hides all its parts, and no more."""
    met = "we met Nell Ayre"
    leaves = [f"{met}\n```\n{met}", met, f"~~~\n{met}\n```\n{met}", met]
    assert [[mention.start for mention in mentions] for mentions in find(leaves)] == [[7], [], [32], [7]]


PIECES = [
    "Nell Ayre", "met", "the", ". ", "\n", "\n\n", "    ", "- ", "## ", "> ", "`", "```", "%%", "<!--", "-->", "$",
    "$$", "\\", "[[Note|x]]", "![[a.png]]", "#tag", "@wren", "a@b.example", "https://c.example/?utm_x=1",
    "2026-03-05", "5 March 2026", "Иван", "東京", "Today ", "SK-051", "é", "e\u0301", "\r\n", "[a](b.md)", "[[", "]]",
    "(", ")", "'s", "\u2028",
]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=25).map("".join)


@given(texts)
@example("[see `code` here](b.md)")
@example("[[2026-03-05]] and [![[A]]](b.md)")
def test_mentions_stand_where_they_say(text: str) -> None:
    """The span is that of the surface; mentions are in order, and only links hold one another or a day."""
    at = 0
    for mention in mentions(text):
        assert text[mention.start : mention.end] == mention.surface != ""
        assert mention.entity.canonical
        assert 0 < mention.score <= 1
        assert mention.start >= at or mention.entity.kind in {"date", "link"}
        at = mention.end


@given(texts)
def test_one_form_is_its_own_form(text: str) -> None:
    """Every form is composed (NFC), and what ignores case has none."""
    for kind, form in (mention.entity for mention in mentions(text)):
        assert normalize("NFC", form) == form
        if kind not in {"url", "date"}:
            assert form.casefold() == form


@given(texts)
def test_hiding_keeps_offsets(text: str) -> None:
    """What is hidden is blanks, as many as before; lines and all other characters are where they were."""
    seen, _ = without_hidden(text)
    assert len(seen) == len(text)
    assert all(after in {before, " "} for before, after in zip(text, seen, strict=True))
    assert seen.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "unit",
    [
        "A", "A ", "A.", "A van ", "a@", "@a", "a.", "#", "[[", "[[a]]", "`", "```\n", "%%", "<!--", "<a ", "$", "$$",
        "\\", "https://", "www.", "2026", "1 ", "5. ", "- a\n\n    b\n", "\n\n    a", "A'", "A-", "a%", "(", "https://a)",
    ],
)  # fmt: skip
def test_time_grows_with_the_text(unit: str) -> None:
    """Ten thousand characters of any one sign, several times the longest leaf, take less than a second."""
    started = time.process_time()
    mentions(unit * (10_000 // len(unit)))
    assert time.process_time() - started < 1
