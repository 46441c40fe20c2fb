"""What of a model's words may stand as a summary, and what in them is in no note."""

from __future__ import annotations

import pytest

from vaultsync.domain.flags import flag, flagged, unflagged
from vaultsync.domain.verdict import cleaned, find_fault, invented
from vaultsync.models.prompt import INSTRUCTIONS

NOTES = (
    "Gannet Hill",
    "Nell O'Farrowe counted nine bumblebees on Gannet Hill on 5 March 2026. The rain gauge was full again.",
    "Anna wrote to Tobias Skerrow about the dome; the shutter motor needs a new relay before April.",
)
GOOD = "Nell O'Farrowe counted nine bumblebees on Gannet Hill, and the rain gauge was full. The shutter needs a relay."


def fault(text: str, budget: int = 60) -> str | None:
    return find_fault(cleaned(text), NOTES, budget, INSTRUCTIONS)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "- nine bumblebees on Gannet Hill\n- a full rain gauge",
        "Tobias can't help with the relay.",
    ],
)
def test_a_summary_stands(text: str) -> None:
    """Prose and lists made of what the notes say."""
    assert fault(text) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "wrote nothing"),
        (" \n\t*** \n", "wrote nothing"),
        ("<think>Nine bumblebees.</think>", "wrote nothing"),
        ("Gannet Hill", "next to nothing"),
        (GOOD * 5, "tokens, asked for 60"),
        ("I'm sorry, but I can't help with that.", "refused"),
        ("I cannot summarize these bumblebees on Gannet Hill.", "refused"),
        ("As an AI language model, I have no rain gauge.", "refused"),
        ("Please provide the notes about Gannet Hill.", "refused"),
        (
            "The rain gauge. It uses nothing but the notes: no name, date, number or conclusion that does not",
            "instructions",
        ),
        ("Colorless green ideas sleep furiously; quantum turbines hum.", "something else"),
        ("lorem ipsum dolor sit amet", "something else"),
        ("rain gauge " * 20, "repeated itself"),
        ("The rain gauge:\n```dataviewjs\ndv.list()\n```", "code"),
        ("The rain gauge <script>alert(1)</script>", "code"),
        ("The rain gauge <% tp.file.title %>", "code"),
    ],
)
def test_what_is_no_summary_is_said_to_be_none(text: str, words: str) -> None:
    """Blank, too long, refused, an echo, of something else, babble, code."""
    assert words in (fault(text) or "")


def test_twice_the_budget_is_too_much() -> None:
    """Half as much again may be the difference between two tokenizers; twice is not."""
    text = "The rain gauge was full on Gannet Hill and nine bumblebees flew again before April came. " * 6
    assert find_fault(text, NOTES, 115, INSTRUCTIONS) is None
    assert "asked for 58" in (find_fault(text, NOTES, 58, INSTRUCTIONS) or "")


def test_a_refusal_that_a_note_quotes_is_none() -> None:
    """A diary may be sorry."""
    notes = ("I'm sorry, but I can't help with the dome, wrote Tobias.",)
    assert find_fault("Tobias: I'm sorry, but I can't help with the dome.", notes, 60, INSTRUCTIONS) is None


def test_a_note_may_hold_the_instructions() -> None:
    """Who keeps a prompt among the notes gets a summary of it."""
    assert find_fault(INSTRUCTIONS[:400], (INSTRUCTIONS,), 200, INSTRUCTIONS) is None


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("<think>Hm.\n\nWhat now?</think>\n\nNine bees.", "Nine bees."),
        ("```markdown\nNine bees.\n```", "Nine bees."),
        ("Here is the summary of the notes:\n\nNine bees.", "Nine bees."),
        ("Summary:\nNine bees.", "Nine bees."),
        ("# Bees\r\n\r\nNine of them.", "Bees\n\nNine of them."),
        ("Here are nine bees: all of them.", "Here are nine bees: all of them."),
        ("#bees", "#bees"),
        (
            "The [[Bees|bees]] of [[Gannet Hill]], ![x](y.png), [all](https://z.org/a).",
            "The bees of Gannet Hill, x, all.",
        ),
        ("Run `make` or ``make``; [open", "Run make or ``make``; [open"),
    ],
)
def test_what_stands_around_a_text_is_taken_off(answer: str, text: str) -> None:
    """Thoughts, a fence around all of it, a line that says what follows, marks of headings and links."""
    assert cleaned(answer) == text


@pytest.mark.parametrize(
    "text",
    [
        "On 2026-03-05 Nell O'Farrowe was on Gannet Hill.",
        "We saw that O'Farrowe and Skerrow wrote about Gannet.",
        "What belongs to Tobias's dome, and then Anna Skerrow.",
    ],
)
def test_names_of_the_notes_are_not_invented(text: str) -> None:
    """However they are written, and a day in any spelling."""
    assert invented(text, NOTES) == ()


def test_names_of_nobody_are_invented() -> None:
    """Names, addresses and days that are in no note, each once, as written."""
    text = (
        "Nell O'Farrowe met Zorblax Quimby and then Zorblax Quimby called zork@example.org on 6 March 2026, "
        "see https://zork.example/x and @zorblax."
    )
    assert set(invented(text, NOTES)) == {
        "Zorblax Quimby",
        "zork@example.org",
        "6 March 2026",
        "https://zork.example/x",
        "@zorblax",
    }


def test_a_part_of_a_word_is_no_name() -> None:
    """Letters within a word know nobody; marks within one hide nobody."""
    notes = ("We planned the **P**lease-take-a-look meeting.",)
    assert invented("We then met Ann by the pond.", notes) == ("Ann",)
    assert invented("We said that Please was meant.", notes) == ()


def test_another_ending_is_no_other_name() -> None:
    """Many languages bend names; a name with another stem is another one."""
    notes = ("Spotkanie: Kowalski i Wendelmoor w Gdańsku.",)
    assert invented("Potem rozmowa z Kowalskiego bratem oraz z Wendelmoorem.", notes) == ()
    assert invented("Potem rozmowa z Kowalczyk oraz bratem.", notes) == ("Kowalczyk",)


def test_a_flag_says_what_is_invented() -> None:
    """A line at the end of the text, which can be read back and taken off."""
    text = flag("Nine bees.", ["Zorblax Quimby", "a, *b*"])
    assert text == "Nine bees.\n\n*Not in the notes: Zorblax Quimby, a b.*"
    assert flagged(text) == ("Zorblax Quimby", "a b")
    assert unflagged(text) == "Nine bees."
    assert flag("Nine bees.", []) == unflagged("Nine bees.") == "Nine bees."
    assert flagged("Nine bees.") == ()
