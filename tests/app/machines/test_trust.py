"""A model that a vault's own settings name counts only once the user has accepted just that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from small_vaults import ask, memory_of, sync

from vaultsync.app.machines import trust
from vaultsync.domain.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NAMED = '[models]\nsummariser = "openai"\nmodel = "small"\nendpoint = "https://models.example.org/v1"\n'


@pytest.fixture
def configured(vault: Callable[..., Path]) -> Callable[[str], Path]:
    """Return what makes a vault with these settings in it, or gives it other ones."""
    return lambda text: vault(
        {"A.md": "Bees.\n", ".vaultsync/config.toml": text, ".vaultsync/id": "a-vault-of-bees\n"}
    )


def in_force(root: Path) -> tuple[str, str]:
    sync(root)
    with memory_of(root) as memory:
        return memory.settings.summariser, memory.settings.endpoint


def test_what_a_vault_says_of_models_counts_for_nothing(configured: Callable[[str], Path]) -> None:
    """It came with a clone; everything else that its settings say counts."""
    root = configured(NAMED + "[chunks]\nchunk_target = 200\n")
    assert in_force(root) == ("extractive", "")
    with memory_of(root) as memory:
        assert memory.settings.chunk_target == 200
        held = trust.held(memory)
    assert held == {
        "models.summariser": "openai",
        "models.model": "small",
        "models.endpoint": "https://models.example.org/v1",
    }
    assert "`vaultsync config trust`" in trust.words(held)
    assert "https://models.example.org/v1" in trust.words(held)


def test_what_was_accepted_counts(configured: Callable[[str], Path]) -> None:
    """From then on, also when comments and order of the file change."""
    root = configured(NAMED)
    accepted = ask("config", "trust", "--vault", root, "--json").json["accepted"]
    assert accepted["models.endpoint"] == "https://models.example.org/v1"
    assert in_force(root) == ("openai", "https://models.example.org/v1")
    first, *rest = NAMED.splitlines()
    configured("\n".join([first, "# ours", *reversed(rest)]) + "\n[chunks]\nchunk_target = 200\n")
    assert in_force(root) == ("openai", "https://models.example.org/v1")
    with memory_of(root) as memory:
        assert trust.held(memory) == {}
    assert ask("config", "trust", "--vault", root, "--json").json["accepted"] == {}


@pytest.mark.parametrize(
    "change",
    [
        ("models.example", "evil.example"),
        ('"small"', '"large"'),
        ("[models]", '[models]\nkey_variable = "AWS_SECRET"'),
    ],
)
def test_what_changed_is_to_be_accepted_again(
    configured: Callable[[str], Path], change: tuple[str, str]
) -> None:
    """Any other word of models: another server, another model, another key."""
    root = configured(NAMED)
    ask("config", "trust", "--vault", root)
    configured(NAMED.replace(*change))
    assert in_force(root) == ("extractive", "")
    configured(NAMED)
    assert in_force(root)[0] == "openai"


def test_what_one_vault_was_granted_another_was_not(
    configured: Callable[[str], Path], vault: Callable[..., Path]
) -> None:
    """Acceptance is for a vault."""
    root = configured(NAMED)
    ask("config", "trust", "--vault", root)
    vault({".vaultsync/id": "another-vault\n"})
    assert in_force(root)[0] == "extractive"


def test_the_user_needs_no_own_leave(home: Path, vault: Callable[..., Path]) -> None:
    """A model in the user's own settings counts; a vault may say that it wants none."""
    own = home / "config/vaultsync/config.toml"
    own.parent.mkdir(parents=True)
    own.write_text(NAMED, encoding="utf-8")
    root = vault({"A.md": "Bees.\n"})
    assert in_force(root) == ("openai", "https://models.example.org/v1")
    vault({".vaultsync/config.toml": '[models]\nendpoint = "https://evil.example"\n'})
    assert in_force(root) == ("openai", "https://models.example.org/v1")
    vault({".vaultsync/config.toml": '[models]\nmodel = "extractive"\n'})
    assert in_force(root) == ("openai", "https://models.example.org/v1")
    with memory_of(root) as memory:
        assert trust.held(memory) == {"models.model": "extractive"}
    vault({".vaultsync/config.toml": '[models]\nsummariser = "extractive"\n'})
    assert in_force(root)[0] == "extractive"


def test_config_shows_what_is_held(configured: Callable[[str], Path]) -> None:
    """In words, and as JSON."""
    root = configured(NAMED)
    shown = ask("config", "--vault", root)
    assert 'models.endpoint = "https://models.example.org/v1"' in shown.text
    assert "config trust" in shown.text
    document = ask("config", "--vault", root, "--json").json
    assert document["not_trusted"]["models.model"] == "small"
    assert document["settings"]["models.model"] == {"value": "", "source": "default"}
    assert "From now on this counts" in ask("config", "trust", "--vault", root).text
    assert "Nothing that" in ask("config", "trust", "--vault", root).text
    assert ask("config", "--vault", root, "--json").json["not_trusted"] == {}


def test_a_place_that_keeps_nothing_is_named(home: Path, configured: Callable[[str], Path]) -> None:
    """What can't be remembered is not accepted."""
    root = configured(NAMED)
    (home / "config/vaultsync/trusted").mkdir(parents=True)
    with pytest.raises(ConfigError, match="can't be written"):
        trust.accept(root, "a-vault-of-bees")


def test_damage_accepts_nothing(home: Path, configured: Callable[[str], Path]) -> None:
    """A file that says nothing readable of a vault has accepted nothing of it."""
    root = configured(NAMED)
    trust.accept(root, "a-vault-of-bees")
    kept = home / "config/vaultsync/trusted"
    kept.write_bytes(b"\xff\xfe\n\na-vault-of-bees\na-vault-of-bees \n")
    assert in_force(root)[0] == "extractive"
    trust.accept(root, "a-vault-of-bees")
    assert in_force(root)[0] == "openai"


def test_sync_and_status_tell_what_does_not_count(vault: Callable[..., Path]) -> None:
    """A model that only the vault's own settings name is used by nobody, and both say so until it is trusted."""
    settings = '[models]\nsummariser = "ollama"\nmodel = "m"\n'
    root = vault({"a.md": "Nine bees fly.\n", ".vaultsync/config.toml": settings})
    answer = ask("--vault", root, "sync")
    assert answer.status == 0
    assert "vaultsync config trust" in answer.err
    assert "vaultsync config trust" in ask("--vault", root, "status").text
    assert ask("--vault", root, "status", "--json").json["untrusted"] == {
        "models.summariser": "ollama",
        "models.model": "m",
    }
    assert ask("--vault", root, "config", "trust").status == 0
    assert ask("--vault", root, "status", "--json").json["untrusted"] == {}
