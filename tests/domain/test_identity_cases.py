"""The rule of identity on whole scans: what a person would call the same note is the same note."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from vanishings import found, returned, words

CASES = Path(__file__).resolve().parents[2].parent / "shared" / "identity-cases.json"
OTHER = {"k.md": words("k", 40)}, {"m.md": words("m", 40)}
"""A note that vanished and another that appeared, so that no pair is a lone one."""


def test_T01_a_move() -> None:
    """The same bytes in another folder are the same note."""
    assert found({"a.md": words("w", 30)}, {"x/a.md": words("w", 30)}) == {"a.md": ("x/a.md", "hash")}


def test_T02_a_rename_with_an_edit() -> None:
    """Under another name, five sixths of the text and a few new lines are enough."""
    old, new = words("w", 60), f"{words('w', 50)} {words('n', 15)}"
    assert found({"a.md": old} | OTHER[0], {"b.md": new} | OTHER[1]) == {"a.md": ("b.md", "similarity")}


def test_T03_blank_notes_are_not_one_for_being_blank() -> None:
    """Two blank notes vanished, two appeared under other names."""
    assert found({"a.md": "", "p.md": ""}, {"b.md": "\n", "c.md": ""}) == {}


def test_T04_a_blank_note_that_keeps_its_name() -> None:
    """The name alone tells which of the blank notes it is."""
    assert found({"a.md": "", "p.md": ""}, {"x/a.md": "", "c.md": ""}) == {"a.md": ("x/a.md", "name")}


def test_T05_a_blank_note_that_was_filled() -> None:
    """The name tells, though there was no text to compare."""
    assert found({"x/a.md": ""} | OTHER[0], {"y/a.md": words("w", 80)} | OTHER[1]) == {
        "x/a.md": ("y/a.md", "name")
    }


def test_T06_an_unfilled_template() -> None:
    """Frontmatter that a template gave to two notes makes them no one note."""
    form = "---\nkind: Lecture\nclass:\nyear: 2024/2025\nrelated:\ndone: false\ncreated: {}\n---\n"
    old, new = form.format("2025-03-19"), form.format("2025-04-16")
    assert found({"L19.md": old} | OTHER[0], {"Logic.md": new} | OTHER[1]) == {}


def test_T07_an_unfilled_daily_note() -> None:
    """Yesterday's note deleted and today's made from one template, the same bytes: two notes."""
    form = "---\ntags: daily\n---\n# To do\n"
    assert found({"2025-02-14.md": form} | OTHER[0], {"2025-02-15.md": form} | OTHER[1]) == {}


def test_T08_a_name_that_went_to_another_text() -> None:
    """Nearly all of the text beats the name: the note is where its text is."""
    new = {"s/Call stack.md": words("call", 78), "Stack.md": words("plate", 60)}
    assert found({"s/Stack.md": words("call", 80)}, new) == {"s/Stack.md": ("s/Call stack.md", "similarity")}


def test_T09_half_of_the_text_split_off() -> None:
    """The name beats half of the text: the note is what people will find under its name."""
    old = {"t/Storage.md": f"{words('a', 50)} {words('b', 60)}"}
    new = {"f/Links.md": words("b", 60), "f/Storage.md": f"{words('c', 40)} {words('a', 8)}"}
    assert found(old, new) == {"t/Storage.md": ("f/Storage.md", "name")}


def test_T10_a_note_split_into_many() -> None:
    """No eighth of a note is that note."""
    parts = {f"{part}.md": words(part, 40) for part in "abcdefgh"}
    assert found({"all.md": " ".join(parts.values())}, parts) == {}


def test_T11_a_note_grown_fourfold() -> None:
    """What was added counts little, so a draft that became a long note is still the same."""
    old = {"5 Types.md": words("t", 60)} | OTHER[0]
    new = {"5 Types and matching.md": f"{words('t', 58)} {words('n', 170)}"} | OTHER[1]
    assert found(old, new) == {"5 Types.md": ("5 Types and matching.md", "similarity")}


def test_T12_every_link_rewritten() -> None:
    """A link whose path changes leaves its words as they were."""
    lines = "* [[{}-{}]] what was said of entry {} in the year {}\n"
    old = "".join(lines.format("page", n, n, n) for n in range(12))
    assert found({"the-log.md": old}, {"the/log.md": old.replace("[[", "[[/")}) == {
        "the-log.md": ("the/log.md", "similarity")
    }


def test_T13_sibling_copies_that_move_together() -> None:
    """Of two nearly equal notes of one name, each goes where its folder and its last words say."""
    text = words("w", 50)
    old = {f"A/{side}/n.md": f"{text} see A {side}" for side in "xy"}
    new = {f"B/{side}/n.md": f"{text} see B {side}" for side in "xy"}
    assert found(old, new) == {f"A/{side}/n.md": (f"B/{side}/n.md", "similarity") for side in "xy"}


def test_T14_a_common_name_is_no_proof() -> None:
    """A name that says nothing, and that stands elsewhere too, joins no two texts."""
    new = {"b/README.md": words("b", 40), "c/x.md": words("c", 30)}
    assert found({"a/README.md": words("a", 40)}, new, ["README.md"]) == {}


def test_T15_a_lone_pair() -> None:
    """Where one note vanished and one appeared, some shared text is enough."""
    new = f"{words('g', 26)} {words('n', 60)}"
    assert found({"fork.md": words("g", 40)}, {"git-prompt.md": new}) == {
        "fork.md": ("git-prompt.md", "lone")
    }


def test_T16_the_same_where_others_came_and_went() -> None:
    """The same share of text is not enough among others."""
    new = f"{words('g', 20)} {words('n', 100)}"
    assert found({"fork.md": words("g", 40)} | OTHER[0], {"git-prompt.md": new} | OTHER[1]) == {}


def test_T17_the_old_name_as_an_alias() -> None:
    """A file that took the vanished note's name as an alias says so itself."""
    new = f"---\naliases:\n  - Companion\n---\n{words('g', 30)} {words('n', 110)}"
    old = {"Companion.md": words("g", 40)} | OTHER[0]
    assert found(old, {"Cyclic.md": new} | OTHER[1]) == {"Companion.md": ("Cyclic.md", "similarity")}
    assert found(old, {"Cyclic.md": new.replace("Companion", "Fellow")} | OTHER[1]) == {}


def test_T18_a_change_of_case_with_a_rewrite() -> None:
    """A name that differs in case alone is equal, whatever became of the text."""
    old = {"d/Landing.md": words("a", 30)} | OTHER[0]
    assert found(old, {"d/landing.md": words("b", 60)} | OTHER[1]) == {
        "d/Landing.md": ("d/landing.md", "name")
    }


def test_T19_composition_and_line_ends() -> None:
    """NFD became NFC and CR LF became LF, in name and text: the same content."""
    old, new = (
        {"Ba\u0308ck.md": "Ein Ba\u0308cker ist\r\nwer backt\r\n"},
        {"Bäck.md": "Ein Bäcker ist\nwer backt\n"},
    )
    assert found(old | OTHER[0], new | OTHER[1]) == {"Ba\u0308ck.md": ("Bäck.md", "hash")}


def test_T20_an_id_without_anything_else() -> None:
    """An id that a template copied joins no two texts of different names."""
    form = "---\nuid: 20230329145808\n---\n{}"
    old, new = form.format(words("a", 40)), form.format(words("b", 40))
    assert found({"a.md": old}, {"b.md": new, "z.md": words("z", 40)}) == {}


def test_T21_an_id_that_was_kept() -> None:
    """Under the same name an id tells, though nearly all of the text is new."""
    form = "---\nuid: 20230329140147\n---\n{}"
    old, new = form.format(words("a", 40)), form.format(words("b", 400))
    assert found({"s/soft.md": old}, {"soft.md": new, "z.md": words("z", 40)}) == {
        "s/soft.md": ("soft.md", "frontmatter-id")
    }


def test_T22_a_name_far_away_with_another_text() -> None:
    """Two full notes without any text in common need more than a name: the folders too."""
    old, new = {"docs/aims.md": words("a", 60)} | OTHER[0], words("b", 60)
    assert found(old, {"content/P/Aims.md": new} | OTHER[1]) == {}
    assert found(old, {"docs/P/Aims.md": new} | OTHER[1]) == {"docs/aims.md": ("docs/P/Aims.md", "name")}


def test_T23_text_without_blanks() -> None:
    """In a script that sets no blanks each character counts as a word."""
    text = "今日は新しい図書館に行って、{}をたくさん借りてきました。来週また返しに行きます。"
    old, new = text.format("古い地図の本"), text.format("[古い地図の本](https://example.org/94)")
    assert found({"図書館.md": old} | OTHER[0], {"地図.md": new} | OTHER[1]) == {
        "図書館.md": ("地図.md", "similarity")
    }


def test_T24_an_unfilled_daily_note_next_day() -> None:
    """A tombstone does not come back as another day's note with the same bytes."""
    form = "---\ntags: daily\n---\n# To do\n"
    assert returned({"2025-02-14.md": form}, {"2025-02-15.md": form}) == {}


def test_a_tombstone_is_not_sought_by_its_text() -> None:
    """Under another name a tombstone never comes back, be the text the same."""
    assert returned({"a.md": words("w", 80)}, {"b.md": words("w", 80)}) == {}


def test_T26_a_tombstone_back_under_its_name() -> None:
    """In another folder it comes back with its text, or with most of it, but not without."""
    text = words("w", 80)
    assert returned({"a/Name.md": text}, {"b/Name.md": text}) == {"a/Name.md": ("b/Name.md", "hash")}
    assert returned({"a/Name.md": text}, {"b/Name.md": words("w", 60)}) == {
        "a/Name.md": ("b/Name.md", "name")
    }
    assert returned({"a/Name.md": text}, {"b/Name.md": words("v", 80)}) == {}
    assert returned({"a/Name.md": text}, {"b/Name.md": text}, ["c/Name.md"]) == {}


def test_T27_an_untranslated_copy() -> None:
    """Another language's copy of a deleted page is a new note."""
    assert returned({"fr/Start.md": words("w", 80)}, {"da/Begynd.md": words("w", 80)}) == {}


def test_a_tombstone_back_by_its_id() -> None:
    """An id that the author keeps brings a tombstone back under another name."""
    form = "---\nid: board-minutes-7\n---\n{}"
    old, new = form.format(words("a", 40)), form.format(words("a", 30))
    assert returned({"a.md": old}, {"x/b.md": new}) == {"a.md": ("x/b.md", "frontmatter-id")}


def test_the_measured_cases() -> None:
    """All cases that the rule was measured with come out as they were read."""
    if not CASES.exists():
        pytest.skip("no measured cases here")
    cases: list[dict[str, Any]] = json.loads(CASES.read_text("utf-8"))
    wrong = [case["case"] for case in cases if _joined(case) != case["same_note"]]
    assert cases
    assert wrong == []


def _joined(case: dict[str, Any]) -> dict[str, str]:
    pairs = found(case["vanished"], case["appeared"], case["other_names"])
    return {old: new for old, (new, _) in pairs.items()}
