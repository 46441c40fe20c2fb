"""Whatever a person types between two fences, reading it ends, and in JSON."""

from __future__ import annotations

import json

import frontmatter
from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.fences import split
from vaultsync.domain.frontmatter import NoteHandler, read

indicators = st.sampled_from([": ", "- ", "? ", "<<: ", "&x ", "*x", "!!int ", *"[]{}'\"|>#:%,"])
blanks = st.sampled_from(["\n", "\r\n", "\r", "  ", "\t"])
words = st.sampled_from(["a", "é", "tags", "title", "1", "1.10", "yes", "2024-01-02", "[[A]]", '"[[é]]"'])
yaml_like = st.lists(indicators | blanks | words, max_size=25).map("".join)
texts = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]))  # the library strips blanks
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@given(yaml_like | st.text())
def test_any_block_reads_to_json(yaml: str) -> None:
    """Nothing raises; values, written texts and problems are JSON, and tags and aliases are never blank."""
    text = f"---\nk: {yaml}\n---\nbody"
    fence = split(text)
    if fence is None:
        return
    found = read(text, fence)
    json.dumps([found.metadata, found.written], allow_nan=False, ensure_ascii=False).encode()
    assert all(name.strip() for name in found.tags + found.aliases)
    assert all(
        problem.line and 1 < problem.line <= text.count("\n") + text.count("\r") + 1
        for problem in found.problems
    )


@given(yaml_like)
def test_link_spans_read_as_their_links(yaml: str) -> None:
    """Each link's span, in the text, is the link."""
    text = f'---\nk: "[[B]]"\nj: {yaml}\n---\n'
    fence = split(text)
    assert fence is not None
    for link in read(text, fence).links:
        assert text[link.start : link.end] == f"[[{link.target}]]"


@given(st.dictionaries(texts.filter(bool), json_values, min_size=1, max_size=4))
def test_what_is_written_is_read_again(metadata: dict[str, object]) -> None:
    """Values that python-frontmatter writes through our handler come back as they were."""
    text = "---\n" + NoteHandler().export(metadata) + "\n---\nbody"
    assert NoteHandler().load(NoteHandler().export(metadata)) == metadata
    assert frontmatter.loads(text, handler=NoteHandler()).content == "body"


@given(st.text(alphabet=st.sampled_from(list("-a: \n\r\t#'"))))
def test_the_fence_parts_the_text(text: str) -> None:
    """Fence, YAML, fence, body: in order, the YAML ends in a line end, and the body begins a line."""
    fence = split("---\n" + text)
    if fence is None:
        return
    whole = "---\n" + text
    assert 4 <= fence.start <= fence.end < fence.body <= len(whole)
    assert whole[fence.end : fence.body].strip() == "---"
    assert whole[fence.end - 1] in "\r\n"
