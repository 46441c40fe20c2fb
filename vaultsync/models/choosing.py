"""Which summariser the settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.domain.errors import ConfigError
from vaultsync.models import prompt

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultsync.config import Settings
    from vaultsync.models.summarising import Summariser


def find_summariser(settings: Settings, environ: Mapping[str, str]) -> Summariser | None:
    """Return the model that writes summaries, None where the embedded summariser alone does.

    Keys are taken from the environment. Raises ConfigError for settings with which no model can be asked.
    """
    if settings.summariser == "extractive":
        return None
    if not settings.model.strip():
        raise ConfigError(f'models.summariser is "{settings.summariser}", but models.model names no model.')
    # Both load httpx, which takes longer than a sync that has nothing to do.
    from vaultsync.models import ollama, openai  # noqa: PLC0415
    from vaultsync.models.door import Server  # noqa: PLC0415

    usual = openai.ENDPOINT if settings.summariser == "openai" else ollama.ENDPOINT
    url = settings.endpoint or usual
    variable = settings.key_variable or ("OPENAI_API_KEY" if url == openai.ENDPOINT else "")
    server = Server(url, _key(variable, environ), settings.timeout_s, settings.concurrency)
    if settings.summariser == "openai":
        return openai.make(server, settings.model)
    return ollama.make(server, settings.model, settings.context_tokens)


def find_generator(settings: Settings) -> str | None:
    """Return the generator of the summariser that the settings name, without a look at whether it can be asked."""
    if settings.summariser == "extractive":
        return None
    return prompt.generator(settings.summariser, settings.model)


def _key(variable: str, environ: Mapping[str, str]) -> str:
    """Return the key in a variable, "" if none is named: OpenAI's goes to OpenAI alone, unless the settings say so."""
    key = environ.get(variable, "").strip()
    if variable and not key:
        raise ConfigError(f"The environment variable {variable} holds no key for models.summariser.")
    return key
