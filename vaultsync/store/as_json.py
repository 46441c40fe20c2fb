"""How lists and mappings stand in a column: compact JSON, every script as itself."""

from __future__ import annotations

import json
from functools import lru_cache

to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@lru_cache(maxsize=1024)
def heading_json(path: tuple[str, ...]) -> str:
    """Return a heading path as JSON; the leaves and links of one section ask for the same one."""
    return to_json(path)
