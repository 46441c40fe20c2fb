"""The settings: their defaults, explanations and sources, and how the files that hold them are read."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields
from hashlib import blake2b
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import platformdirs

from vaultsync.domain.errors import ConfigError
from vaultsync.domain.schedules import is_schedule
from vaultsync.domain.summary_names import is_writable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

VAULT_FOLDER = ".vaultsync"
"""The one folder in a vault that is ours."""

CONFIG_PATH = f"{VAULT_FOLDER}/config.toml"


def _option(
    section: str,
    default: Any,  # noqa: ANN401 - as dataclasses.field
    explain: str,
    *,
    choices: tuple[str, ...] | None = (),  # None: any text
    least: int = 0,
    most: int = 2**31,
) -> Any:  # noqa: ANN401 - as dataclasses.field
    metadata = {"section": section, "explain": explain, "choices": choices, "least": least, "most": most}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting that a user can change; its TOML key is its name, in the table that `_option` names."""

    exclude: tuple[str, ...] = _option(
        "scope", (), "Paths that are no notes, as globs in the manner of .gitignore."
    )
    private: tuple[str, ...] = _option(
        "scope",
        (),
        "Notes to keep on this machine only, as globs: searchable here, withheld everywhere else.",
    )
    gitignored: Literal["private", "skip"] = _option(
        "scope",
        "private",
        'Notes that git ignores: "private" (searchable here, withheld elsewhere) or "skip".',
        choices=("private", "skip"),
    )
    nested_vaults: tuple[str, ...] = _option(
        "scope",
        (),
        "Folders that are vaults of their own and are to be read as part of this one all the same.",
    )
    chunk_target: int = _option(
        "chunks", 350, "How long a chunk of text aims to be, in tokens.", least=16, most=100_000
    )
    chunk_ceiling: int = _option(
        "chunks", 512, "How long a chunk may be at most, in tokens.", least=32, most=100_000
    )
    max_note_bytes: int = _option(
        "reading", 20_000_000, "A note over this size is searchable as plain text only, in bytes.", least=1024
    )
    workers: int = _option(
        "reading", 0, "Processes that read notes when there are many; 0: one a core.", most=64
    )
    tombstone_days: int = _option(
        "identity",
        30,
        "How long a vanished note is remembered, so that it can come back as itself, in days.",
        most=36_500,
    )
    move_minutes: int = _option(
        "identity",
        60,
        "How long after a copy was seen the vanishing of its original still means a move, in minutes.",
        most=525_600,
    )
    write: bool = _option(
        "summaries", True, "Whether summaries are written into the vault, as notes in the folder below."
    )
    folder: str = _option(
        "summaries",
        "_summaries",
        "The folder in the vault that generated notes are written to.",
        choices=None,
    )
    links: Literal["wikilink", "uri"] = _option(
        "summaries",
        "wikilink",
        'How generated notes link: "wikilink", or "uri" (obsidian:// links, which make no edges in the graph).',
        choices=("wikilink", "uri"),
    )
    draft: bool = _option(
        "summaries", True, "Whether new generated notes say `draft: true`, which publishers go by."
    )
    sources: tuple[str, ...] = _option(
        "summaries",
        (),
        "Folders that get a tree of their own, as globs; empty: chosen by size at the first build.",
    )
    seal_tokens: int = _option(
        "summaries", 8000, "How much text a summary takes before it is sealed, in tokens.", least=100
    )
    seal_leaves: int = _option(
        "summaries", 200, "How many chunks a summary takes before it is sealed, whatever their size.", least=4
    )
    seal_children: int = _option(
        "summaries", 10, "How many summaries are summed up by one above them.", least=2, most=1000
    )
    tokens: int = _option(
        "summaries",
        1000,
        "How long a summary may be, in tokens; at most a quarter of what it sums up.",
        least=40,
    )
    flush_hours: int = _option(
        "summaries",
        24,
        "How long new text waits for its bucket to fill before it is summed up all the same, in hours.",
        most=87_600,
    )
    quiet_minutes: int = _option(
        "summaries",
        15,
        "How long nothing is written in a source before the daemon makes its stale summaries again, in minutes.",
        most=10_080,
    )
    reconcile_every: str = _option(
        "schedule",
        "10m",
        "When the daemon looks at the whole vault, whatever it was told of changes.",
        choices=None,
    )
    seal_every: str = _option(
        "schedule", "5m", "When it seals what is full, and makes again what is stale and quiet.", choices=None
    )
    flush_every: str = _option(
        "schedule", "1h", "When it looks for text that has waited long enough for a summary.", choices=None
    )
    models_every: str = _option(
        "schedule", "1h", "When it asks a model for summaries, if one is named.", choices=None
    )
    maintain_every: str = _option(
        "schedule", "1d", "When it sweeps and optimises the database.", choices=None
    )
    watch: Literal["auto", "polling"] = _option(
        "daemon",
        "auto",
        'How the daemon learns of changes: "auto" (the system tells, where it can), or "polling" (it looks itself).',
        choices=("auto", "polling"),
    )
    poll_s: int = _option(
        "daemon", 30, "Where it has to look by itself, how often, in seconds.", least=1, most=86_400
    )
    git_patience_s: int = _option(
        "daemon",
        300,
        "How long it waits for a merge or rebase to end before it reads the notes all the same, in seconds.",
        most=86_400,
    )
    summariser: Literal["extractive", "openai", "ollama"] = _option(
        "models",
        "extractive",
        'Who writes summaries: "extractive" (built in; nothing leaves the machine), "openai" (any server that speaks '
        'its API) or "ollama".',
        choices=("extractive", "openai", "ollama"),
    )
    model: str = _option(
        "models", "", "The model that writes summaries, as its server calls it.", choices=None
    )
    endpoint: str = _option(
        "models",
        "",
        "The address of its server; \"\": OpenAI's, or Ollama's on this machine.",
        choices=None,
    )
    key_variable: str = _option(
        "models",
        "",
        'The environment variable that holds the key; "": OPENAI_API_KEY for OpenAI\'s own server, none for others.',
        choices=None,
    )
    entities: Literal["rules", "model"] = _option(
        "models",
        "rules",
        'Who finds the names in notes: "rules" (built in), or "model": the one that writes summaries finds more.',
        choices=("rules", "model"),
    )
    calls_per_day: int = _option(
        "models", 50, "How many summaries a model is asked for in a day (UTC) at most.", most=1_000_000
    )
    timeout_s: int = _option(
        "models", 120, "How long a model may take for a summary, in seconds.", least=1, most=3600
    )
    concurrency: int = _option(
        "models", 2, "How many summaries a model is asked for at the same time.", least=1, most=32
    )
    context_tokens: int = _option(
        "models",
        32_768,
        "How much a model can read and write at once, in tokens; longer notes are cut to their best sentences.",
        least=2048,
        most=10_000_000,
    )


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings in force and, for each, where it comes from: `default` or the path of a file.

    `held`: what the vault's own file says of models without the user having accepted it, so that it counts for
    nothing; `word`: what the user accepts by accepting all that this file says of models, "" if it says nothing.
    """

    settings: Settings
    sources: Mapping[str, str]
    held: Mapping[str, object] = field(default_factory=dict)
    word: str = ""


def user_config_path() -> Path:
    """Return where a person's own settings for all vaults lie."""
    return platformdirs.user_config_path("vaultsync") / "config.toml"


def load(root: Path, user_path: Path | None = None, *, accepted: str | None = None) -> Loaded:
    """Read the user's settings, then the vault's over them. Raises ConfigError naming file and key.

    The vault's own file comes with a clone and is not the user's word, so what it says of models, to which the notes
    would go, counts only if the user has `accepted` just that: `Loaded.word` (F121). That none is asked it may say.
    """
    values: dict[str, Any] = {}
    sources = dict.fromkeys((option.name for option in fields(Settings)), "default")
    of_user, of_vault = user_path or user_config_path(), root / CONFIG_PATH
    said = _read(of_vault)
    word = _word(said)
    held = _of_models(said) if word != accepted else {}
    for path, found in ((of_user, _read(of_user)), (of_vault, said)):
        for name, value in found.items():
            if path == of_user or name not in held:
                values[name] = value
                sources[name] = str(path)
    settings = Settings(**values)
    if settings.chunk_ceiling < settings.chunk_target:
        raise ConfigError(
            f"chunks.chunk_ceiling ({settings.chunk_ceiling}) is under chunks.chunk_target "
            f"({settings.chunk_target}). Raise the ceiling or lower the target."
        )
    if not is_writable(settings.folder):
        raise ConfigError(
            f"{sources['folder']}: summaries.folder must be a folder below the vault's root that Obsidian shows "
            f'and any disk takes, such as "_summaries" or "Notes/Summaries", not {settings.folder!r}.'
        )
    for name in (option.name for option in fields(Settings) if option.metadata["section"] == "schedule"):
        if not is_schedule(getattr(settings, name)):
            raise ConfigError(
                f'{sources[name]}: schedule.{name} must be a time such as "90s", "10m", "6h" or "1d", or a cron '
                f'expression such as "0 4 * * *" or "0 4 * * mon-fri", not {getattr(settings, name)!r}.'
            )
    held = {name: value for name, value in held.items() if value != getattr(settings, name)}
    return Loaded(settings, sources, held, word)


def listing(loaded: Loaded) -> Iterator[tuple[str, object, str]]:
    """Yield each setting in force: its key, such as `scope.exclude`, its value, and its source."""
    for option in fields(Settings):
        key = f"{option.metadata['section']}.{option.name}"
        yield key, getattr(loaded.settings, option.name), loaded.sources[option.name]


def key_of(name: str) -> str:
    """Return the key of a setting: `scope.exclude` of `exclude`."""
    return next(f"{option.metadata['section']}.{name}" for option in fields(Settings) if option.name == name)


def template(said: Mapping[str, object] = MappingProxyType({})) -> str:
    """Return a config.toml that explains every option; all but those `said` are comments, at their defaults."""
    lines = ["# vaultsync: every setting, at its default. Take away a # to change one.", ""]
    section = None
    for option in fields(Settings):
        if option.metadata["section"] != section:
            section = option.metadata["section"]
            lines += [f"[{section}]", ""]
        mark, value = ("", said[option.name]) if option.name in said else ("# ", option.default)
        lines += [f"# {option.metadata['explain']}", f"{mark}{option.name} = {to_toml(value)}", ""]
    return "\n".join(lines)


def _of_models(said: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a file says of models, but for that none is to be asked."""
    names = {option.name for option in fields(Settings) if option.metadata["section"] == "models"}
    none = ("summariser", "extractive")
    return {name: value for name, value in said.items() if name in names and (name, value) != none}


def _word(said: Mapping[str, Any]) -> str:
    """Return the hash of what a file says of models, whatever the order and the comments it says it with."""
    of_models = sorted(_of_models(said).items())
    return blake2b(repr(of_models).encode(), digest_size=16).hexdigest() if of_models else ""


def _read(path: Path) -> dict[str, Any]:
    if os.path.exists(path) and not os.path.isfile(path):  # noqa: PTH110, PTH113 - Path's raise where we may not look
        raise ConfigError(f"{path} is no file. Remove it, or write a file in its place.")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} can't be read: {error}. Mend or remove it.") from error
    import tomllib  # noqa: PLC0415 - most vaults have no such file

    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}.") from error
    return _checked(path, tables)


def _checked(path: Path, tables: dict[str, Any]) -> dict[str, Any]:
    options = {(option.metadata["section"], option.name): option for option in fields(Settings)}
    values = {}
    sections = {section for section, _ in options}
    for section, table in tables.items():
        if isinstance(table, dict) and section not in sections:
            raise ConfigError(
                f"{path}: there is no table [{section}]; there are {', '.join(sorted(sections))}."
            )
        if not isinstance(table, dict):
            raise ConfigError(f"{path}: {section!r} stands outside a table. {_did_you_mean(section)}")
        for name, value in table.items():
            option = options.get((section, name))
            if option is None:
                raise ConfigError(f"{path}: there is no setting {section}.{name}. {_did_you_mean(name)}")
            values[name] = _converted(f"{path}: {section}.{name}", value, option.default, option.metadata)
    return values


def _converted(where: str, value: object, default: object, metadata: Mapping[str, Any]) -> object:
    if isinstance(default, tuple):
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise ConfigError(f'{where} must be a list of strings, such as ["Drafts/**"].')
        return tuple(value)
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise ConfigError(f"{where} must be true or false, not {value!r}.")
        return value
    if isinstance(default, int):
        least, most = metadata["least"], metadata["most"]
        if type(value) is not int or not least <= value <= most:
            raise ConfigError(f"{where} must be a whole number from {least:,} to {most:,}, not {value!r}.")
        return value
    if metadata["choices"] is None:
        if not isinstance(value, str):
            raise ConfigError(f"{where} must be a text in quotes, not {value!r}.")
        return value
    if value not in metadata["choices"]:
        raise ConfigError(f"{where} must be one of {', '.join(metadata['choices'])}, not {value!r}.")
    return value


def _did_you_mean(name: str) -> str:
    known = [f"{option.metadata['section']}.{option.name}" for option in fields(Settings)]
    import difflib  # noqa: PLC0415 - for mistakes only

    near = difflib.get_close_matches(name, [key.split(".")[1] for key in known], n=1)
    if near:
        return f"Did you mean {next(key for key in known if key.endswith('.' + near[0]))}?"
    return "`vaultsync config` lists the settings."


def to_toml(value: object) -> str:
    """Return a setting's value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(f'"{item}"' for item in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
