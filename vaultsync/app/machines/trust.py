"""What the user has accepted of that which a vault's own settings say of models (F121)."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

import platformdirs

from vaultsync import config
from vaultsync.domain.errors import ConfigError
from vaultsync.vault import files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from vaultsync.app.memory import Memory
    from vaultsync.config import Loaded

_SECRET = re.compile(r"(?<=://)[^/@?#]*(?=@)|(?<=\?).*")
"""In an address: a name and password before the host, and all that follows a question mark."""

FILE = "trusted"
"""In the user's config folder, beside the user's settings: a line `VAULT WORD` a vault."""


def load(root: Path, vault_id: str) -> Loaded:
    """Read the settings of a vault, as far as the user accepts them. Raises ConfigError."""
    return config.load(root, accepted=_lines(_find()[0]).get(vault_id))


def held(memory: Memory) -> Mapping[str, object]:
    """Return what the vault's own settings say of models and the user has not accepted, by key. Raises ConfigError."""
    return {config.key_of(name): value for name, value in load(memory.root, memory.vault_id).held.items()}


def accept(root: Path, vault_id: str) -> Mapping[str, object]:
    """Accept what the vault's own settings say of models now, and no more; return by key what counted for nothing.

    Raises ConfigError if the user's config folder can't keep it.
    """
    loaded = load(root, vault_id)
    if loaded.held:
        _keep(vault_id, loaded.word)
    return {config.key_of(name): value for name, value in loaded.held.items()}


def words(held: Mapping[str, object]) -> str:
    """Return what to tell of settings that count for nothing."""
    said = ", ".join(f"{key} = {config.to_toml(value)}" for key, value in masked(held).items())
    return f"The vault's own settings name a model, which counts only after `vaultsync config trust`: {said}."


def masked(held: Mapping[str, object]) -> Mapping[str, object]:
    """Return settings as they may be shown: without what in an address may be a secret."""
    return {
        key: _SECRET.sub("***", value) if isinstance(value, str) else value for key, value in held.items()
    }


def _keep(vault_id: str, word: str) -> None:
    text, content_hash = _find()
    lines = {**_lines(text), vault_id: word}
    raw = "".join(f"{vault} {accepted}\n" for vault, accepted in sorted(lines.items())).encode()
    folder = platformdirs.user_config_path("vaultsync")
    try:
        if content_hash:
            files.replace(folder, FILE, raw, content_hash)
        else:
            files.create(folder, FILE, raw)
    except OSError as error:
        raise ConfigError(f"{folder / FILE} can't be written: {error.strerror}.") from error
    except files.WriteRefused as error:
        raise ConfigError(f"{folder / FILE} can't be written: {error} Try again.") from error


def _find() -> tuple[str, str]:
    """Return what the file says and its content hash, both "" if there is none or it can't be read."""
    with suppress(files.ReadFailure):
        raw = files.read(platformdirs.user_config_path("vaultsync"), FILE).raw
        return raw.decode("utf-8", "replace"), files.content_hash(raw)
    return "", ""


def _lines(text: str) -> dict[str, str]:
    return {vault: word for vault, _, word in (line.partition(" ") for line in text.splitlines()) if word}
