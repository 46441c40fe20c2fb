"""Which model the settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.domain.errors import ConfigError
from vaultsync.models import prompt
from vaultsync.models.summarising import ModelSummariser

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultsync.config import Settings
    from vaultsync.models.chat import Chat
    from vaultsync.models.summarising import Summariser


def find_generator(settings: Settings) -> str | None:
    """Return the generator of the summariser that the settings name, None where the embedded one alone is wanted.

    Nobody looks whether it can be asked.
    """
    if settings.summariser == "extractive":
        return None
    return prompt.generator(find_name(settings))


def find_name(settings: Settings) -> str:
    """Return the name of the model that the settings name, as `Chat` has it."""
    return f"{settings.summariser}:{settings.model}"


def find_summariser(settings: Settings, environ: Mapping[str, str]) -> Summariser | None:
    """Return the model that writes summaries, None where the embedded summariser alone does. Raises as `find_chat`."""
    chat = find_chat(settings, environ)
    return None if chat is None else ModelSummariser(chat)


def find_chat(settings: Settings, environ: Mapping[str, str]) -> Chat | None:
    """Return the model that the settings name, if they do; keys are taken from the environment.

    Raises ConfigError for settings with which no model can be asked.
    """
    if settings.summariser == "extractive":
        return None
    if not settings.model.strip():
        raise ConfigError(f'models.summariser is "{settings.summariser}", but models.model names no model.')
    # These load httpx, which takes longer than a sync that has nothing to do.
    from vaultsync.models import ollama, openai  # noqa: PLC0415
    from vaultsync.models.door import Door, Server  # noqa: PLC0415

    is_openai = settings.summariser == "openai"
    url = settings.endpoint or (openai.ENDPOINT if is_openai else ollama.ENDPOINT)
    variable = settings.key_variable or ("OPENAI_API_KEY" if url == openai.ENDPOINT else "")
    door = Door(Server(url, _key(variable, environ), settings.timeout_s, settings.concurrency))
    if is_openai:
        return openai.OpenAI(door, settings.model)
    return ollama.Ollama(door, settings.model, settings.context_tokens)


def _key(variable: str, environ: Mapping[str, str]) -> str:
    """Return the key in a variable, "" if none is named: OpenAI's goes to OpenAI alone, unless the settings say so."""
    key = environ.get(variable, "").strip()
    if variable and not key:
        raise ConfigError(f"The environment variable {variable} holds no key for models.summariser.")
    return key
