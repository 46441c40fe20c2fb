"""A path is one field of a line, and comes back from it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.table_paths import composed, from_field, to_field

_NAMES = st.text(min_size=1).filter(lambda name: name not in {".", ".."} and not {"/", "\0"} & {*name})


@given(st.lists(_NAMES, min_size=1, max_size=3).map("/".join))
def test_what_was_written_is_read(path: str) -> None:
    """Composed, and on one line, whatever the names hold."""
    field = to_field(path)
    assert not {"\t", "\n", "\r"} & {*field}
    assert from_field(field) == composed(path)  # type: ignore[arg-type] # any path


@pytest.mark.parametrize("field", ["", "/a", "a/", "a//b", "../a", "a/./b", "a\0b", "a\\x", "a\\", "\udcff"])
def test_what_is_no_path_below_the_vault_is_none(field: str) -> None:
    """Nor what holds an escape that nobody writes."""
    assert from_field(field) is None
