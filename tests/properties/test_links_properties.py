from __future__ import annotations

from unicodedata import normalize

from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.links import Candidate, Resolution, resolve
from vaultsync.domain.names import caseless, link_path, name_key, path_key, target_key
from vaultsync.domain.notes import LinkKind, NotePath

letters = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/#\0"), max_size=8)
names = st.sampled_from(["n", "N", "ń", normalize("NFD", "Ń"), "m.1", "ß", "ss"])
folders = st.lists(st.sampled_from(["a", "A", "ab", "b"]), max_size=3)
paths = st.builds(lambda folder, name: NotePath("/".join([*folder, f"{name}.md"])), folders, names)
kinds: st.SearchStrategy[LinkKind] = st.sampled_from(["wikilink", "embed", "markdown", "property"])
vaults = st.lists(paths, min_size=1, max_size=8, unique=True)


def answer(link: str, kind: LinkKind, source: NotePath, vault: list[NotePath]) -> Resolution | None:
    key = target_key(link)
    candidates = [
        Candidate(n, path, is_alias=False)
        for n, path in enumerate(vault)
        if name_key(path.rpartition("/")[2]) == key
    ]
    return resolve(link, kind, source, -1, candidates)


@given(letters)
def test_a_key_is_its_own_key(text: str) -> None:
    """Folding is idempotent, and does not see how the text was composed."""
    assert caseless(caseless(text)) == caseless(text)
    assert caseless(normalize("NFD", text)) == caseless(normalize("NFC", text)) == caseless(text)


@given(folder=letters, name=letters)
def test_a_path_s_key_is_made_of_its_parts(folder: str, name: str) -> None:
    """A name's key is the end of its path's key: folder and name do not flow into each other."""
    assert path_key(f"{folder}/{name}.md") == f"{caseless(folder)}/{name_key(f'{name}.md')}"


@given(source=paths, vault=vaults, kind=kinds, data=st.data())
def test_a_whole_path_from_the_root_finds_that_very_note(
    source: NotePath, vault: list[NotePath], kind: LinkKind, data: st.DataObject
) -> None:
    """`/` and the path of a note, with or without `.md`, find that note and none that differs in case."""
    path = data.draw(st.sampled_from(vault))
    found = answer(f"/{path.removesuffix('.md')}", kind, source, vault)
    assert found is not None
    assert normalize("NFC", vault[found.node_id]) == normalize("NFC", path)


@given(source=paths, vault=vaults, kind=kinds, link=paths)
def test_what_is_found_ends_with_what_was_written(
    source: NotePath, vault: list[NotePath], kind: LinkKind, link: NotePath
) -> None:
    """No link finds a note whose path does not end with it, part by part."""
    found = answer(link, kind, source, vault)
    if found is not None:
        assert f"/{path_key(vault[found.node_id])}".endswith(f"/{path_key(link)}")


@given(source=paths, vault=vaults, kind=kinds, link=paths)
def test_a_note_with_the_name_written_is_found(
    source: NotePath, vault: list[NotePath], kind: LinkKind, link: NotePath
) -> None:
    """A bare name finds a note exactly when one has that name."""
    name = link.rpartition("/")[2]
    known = any(name_key(path.rpartition("/")[2]) == name_key(name) for path in vault)
    assert (answer(name, kind, source, vault) is not None) == known


@given(source=paths, vault=vaults, kind=kinds, link=paths)
def test_the_order_of_the_candidates_does_not_count(
    source: NotePath, vault: list[NotePath], kind: LinkKind, link: NotePath
) -> None:
    """Two indexes that list the same notes in other orders resolve a link alike."""
    forth, back = answer(link, kind, source, vault), answer(link, kind, source, vault[::-1])
    assert (forth and (vault[forth.node_id], forth.match)) == (
        back and (vault[::-1][back.node_id], back.match)
    )


@given(source=paths, kind=kinds, link=st.text(max_size=12))
def test_any_text_is_a_link_that_resolves_or_not(source: NotePath, kind: LinkKind, link: str) -> None:
    """Nothing that stands between brackets raises; only a link without a path means its own note."""
    candidate = Candidate(1, NotePath("a/n.md"), is_alias=False)
    found = resolve(link, kind, source, -1, [candidate])
    assert (found == Resolution(-1, "path")) == (link_path(link) == "")
