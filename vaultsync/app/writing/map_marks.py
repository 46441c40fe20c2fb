"""The marks that say of the map of sources what `summaries` says of a summary: it has no row there."""

from __future__ import annotations

MAP_PATH = "map path"
MAP_WRITTEN = "map written"
MAP_MISSING = "map missing"
