"""A model adds the names that it finds; only what stands in a public note counts."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from model_server import Reply, serving
from small_vaults import memory_of

from vaultsync.app.asking.name_entities import STAGE, Named, is_wanted, name_entities, opened
from vaultsync.app.growing.duty import find_duty
from vaultsync.app.growing.extract import extract
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.models.choosing import find_chat
from vaultsync.models.naming import Namer
from vaultsync.store import attempts, entities

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from model_server import ModelServer

    from vaultsync.app.memory import Memory

NOON = 1_800_000_000.0

NOTES = {
    "Pond.md": "nell met tobias at the Pond House; the otter stayed away and the reeds were high this year.\n",
    "Dome.md": "The relay came from GENERAL RELAYS by post, as the dome needs one before the spring work.\n",
    "Mine.md": "---\nprivate: true\n---\nSecret talk with the Baron about the Pond House and the old well there.\n",
}


@contextmanager
def read(root: Path, home: Path, server: ModelServer, more: str = "") -> Iterator[Memory]:
    """Open the memory of a vault whose leaves are extracted, with the server as the user's model."""
    path = home / "config/vaultsync/config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f'[models]\nsummariser = "openai"\nmodel = "small"\nendpoint = "{server.url}"\nentities = "model"\n{more}',
        encoding="utf-8",
    )
    with memory_of(root, write=True) as memory:
        look(memory)
        yield memory


def look(memory: Memory) -> None:
    reconcile(memory)
    extract(memory, lambda *_: None)


def ask(memory: Memory, **how: Any) -> Named:  # noqa: ANN401 - as `name_entities` takes them
    chat = find_chat(memory.settings, {})
    assert chat is not None
    namer = Namer(chat)
    try:
        return name_entities(replace(memory, clock=lambda: NOON), namer, **how)
    finally:
        namer.close()


def test_it_is_off_unless_wanted(home: Path, vault: Callable[..., Path]) -> None:
    """Only with the setting and a model, only on the writer, and only while there is text to ask about."""
    with serving(said("none")) as server:
        root = vault(NOTES)
        with read(root, home, server) as memory:
            assert is_wanted(memory, find_duty(memory))
            with opened(memory, {}) as namer:
                assert namer is not None
                name_entities(memory, namer)
            assert not is_wanted(memory, find_duty(memory))
        vault(
            {"Pond.md": "Another text of the pond, with reeds and otters in it, and a heron by the gate.\n"}
        )
        with read(root, home, server, 'key_variable = "NOBODY_HAS_THIS"\n') as memory:
            assert is_wanted(memory, find_duty(memory))
            with opened(memory, {}) as namer:
                assert namer is None
            assert not is_wanted(memory, find_duty(memory)._replace(is_busy=True))
        with read(root, home, server, "calls_per_day = 0\n") as memory:
            assert not is_wanted(memory, find_duty(memory))
        (home / "config/vaultsync/config.toml").write_text("", encoding="utf-8")
        with memory_of(root, write=True) as memory:
            assert not is_wanted(memory, find_duty(memory))


def by_model(memory: Memory) -> set[tuple[str, str]]:
    """Return what a model found where: the note's path, and the name in its one form."""
    return set(
        memory.db.read().all(
            """
            SELECT n.path, e.canonical FROM mentions m JOIN entities e ON e.id = m.entity_id
            JOIN chunks c ON c.id = m.chunk_id JOIN node n ON n.id = c.node_id WHERE m.by_model = 1
            """
        )
    )


def said(*names: str) -> Reply:
    return Reply("\n".join(names))


def test_only_what_stands_in_a_text_counts(home: Path, vault: Callable[..., Path]) -> None:
    """As a word, letter for letter, and with a capital; whatever else the model says."""
    answer = said(
        "- GENERAL RELAYS", "2. Pond House", "Zorblax Quimby", "tobias", "Pond Hous", "the", "none", "x" * 99
    )
    with serving(answer) as server, read(vault(NOTES), home, server) as memory:
        named = ask(memory)
        assert by_model(memory) <= {("Dome.md", "general relays"), ("Pond.md", "pond house")}
        assert ("Dome.md", "general relays") in by_model(memory)
        assert (named.calls, named.left, named.failure) == (1, 0, None)


def test_private_notes_are_never_sent(home: Path, vault: Callable[..., Path]) -> None:
    """Nor named by what was found elsewhere."""
    with serving(said("Pond House", "Baron")) as server, read(vault(NOTES), home, server) as memory:
        ask(memory)
        assert "Baron" not in server.messages()[0]
        assert not [path for path, _ in by_model(memory) if path == "Mine.md"]


def test_each_text_is_asked_about_once(home: Path, vault: Callable[..., Path]) -> None:
    """An edit asks about that leaf alone; and what was found stays when nothing changed."""
    with serving(said("GENERAL RELAYS")) as server, read(vault(NOTES), home, server) as memory:
        ask(memory)
        found = by_model(memory)
        assert found
        assert ask(memory) == Named()
        look(memory)
        assert by_model(memory) == found
        server.replies.append(said("THE CURLEWS"))
        vault(
            {
                "Pond.md": NOTES["Pond.md"]
                + "Later THE CURLEWS played in the barn, and everybody sang along until late.\n"
            }
        )
        look(memory)
        assert ask(memory).calls == 1
        assert "GENERAL RELAYS" not in server.messages()[1]
        assert by_model(memory) == found | {("Pond.md", "the curlews")}
        vault({"Pond.md": NOTES["Pond.md"]})
        look(memory)
        assert by_model(memory) == found


def test_a_long_note_is_asked_about_in_parts(home: Path, vault: Callable[..., Path]) -> None:
    """No request is longer than a model reads well."""
    long = "".join(
        f"# Part {number}\n\n{'The tide came in over the flats again, and we went home. ' * 20}\n\n"
        for number in range(40)
    )
    with (
        serving(speak=lambda _document: said("none")) as server,
        read(vault({"Long.md": long}), home, server) as memory,
    ):
        named = ask(memory)
        assert named.calls == len(server.asked) > 2
        assert named.left == 0


def test_no_more_than_the_days_share(home: Path, vault: Callable[..., Path]) -> None:
    """It is shared with summaries."""
    with serving() as server, read(vault(NOTES), home, server, "calls_per_day = 0\n") as memory:
        assert ask(memory) == Named(left=2)
        assert server.asked == []


@pytest.mark.parametrize("reply", [Reply(None, 401), Reply(None, 200, b"?"), Reply("Nell", end="length")])
def test_a_failure_ends_the_pass_and_is_told(reply: Reply, home: Path, vault: Callable[..., Path]) -> None:
    """Nothing is lost by it; a person may ask again at once, nobody else does."""
    with serving(reply, said("GENERAL RELAYS")) as server, read(vault(NOTES), home, server) as memory:
        failed = ask(memory)
        assert failed.failure
        [attempt] = attempts.pending(memory.db.read())
        assert (attempt.stage, attempt.last_error) == (STAGE, failed.failure)
        assert ask(memory, asked=False).calls == 0
        assert ask(memory).calls == 1
        assert by_model(memory)
        assert attempts.pending(memory.db.read()) == []


def test_what_a_server_will_not_read_names_nobody(home: Path, vault: Callable[..., Path]) -> None:
    """One request that it refuses holds nothing up."""
    with serving(Reply(None, 422)) as server, read(vault(NOTES), home, server) as memory:
        assert ask(memory) == Named(calls=1)
        assert ask(memory) == Named()
        assert by_model(memory) == set()


def test_a_mention_says_where(home: Path, vault: Callable[..., Path]) -> None:
    """Each place of a name in a leaf, not those in code."""
    text = "GENERAL RELAYS wrote; `GENERAL RELAYS` is code, and then GENERAL RELAYS wrote again about the relay.\n"
    with serving(said("GENERAL RELAYS")) as server, read(vault({"A.md": text}), home, server) as memory:
        ask(memory)
        [leaf] = memory.db.read().all("SELECT id, text FROM chunks WHERE kind = 'leaf'")
        spots = [
            spot
            for spot in entities.of_leaves(memory.db.read(), [leaf[0]])
            if spot.canonical == "general relays"
        ]
        assert [spot.start for spot in spots] == [0, text.rindex("GENERAL")]
        assert all(leaf[1][spot.start : spot.end] == "GENERAL RELAYS" for spot in spots)
