"""What tests of several rooms share; its being here also lets them import `notebook`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from notebook import fill

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vaultsync.store.connection import Database
    from vaultsync.store.nodes import NoteWrite


@pytest.fixture
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Database]]:
    """Return what makes a database of notes (`write_of`); all are closed afterwards."""
    made: list[Database] = []

    def write(*notes: NoteWrite) -> Database:
        made.append(fill(tmp_path_factory.mktemp("state"), notes))
        return made[-1]

    yield write
    for database in made:
        database.close()
