"""Sentences that say little by themselves: they lean on the one before, or send their reader elsewhere."""
# ruff: noqa: RUF001 -- words and signs of several scripts

from __future__ import annotations

import re
from typing import Final

from vaultsync.domain.folding import fold

_LEANING: Final = frozenset(
    """
    it its they them their he him his she her hers this that these those such both neither either
    but and or so yet also then thus hence therefore however instead otherwise moreover furthermore
    additionally similarly likewise meanwhile nevertheless nonetheless still finally lastly besides
    consequently accordingly again another others here there yes no ok okay well because which who
    note example fig figure
    er sie es ihm ihn ihr dies diese dieser dieses aber und oder also dann deshalb daher jedoch trotzdem
    dennoch ausserdem dort hier ja nein denn dabei dadurch damit
    il elle ils elles cela ca ce cet cette ces mais et ou donc alors ensuite puis cependant pourtant ainsi
    esto esta este eso pero y o entonces luego ademas aqui asi
    он она оно они его ее их это этот эта эти но и или а поэтому однако также затем потом здесь там
    """.split()  # noqa: SIM905 -- a page of words reads better than a page of quotes
)
"""Words that begin a sentence which says little without the one before; folded."""

_LEANING_UNSPACED: Final = tuple(
    """
    这 這 那 它 他 她 其 此 该 但 而 并 所以 因此 因为 然后 然後 同时 另外 此外 例如 比如 于是 不过 不過 当然
    也 还 就 再 接着 最后 首先 其次 否则 或者 即 从而 反之 对了 好了 那么 甚至 至于 确实 有时 可见 可以看到 接下来
    不然 所有这些 これ それ あれ この その あの しかし でも だから また そして ここ そこ なお ただし
    그 이것 그것 그러나 하지만 그래서 또한 그리고
    """.split()  # noqa: SIM905 -- as above
)

_POINTING: Final = frozenset(
    """
    below above following follows see click here screenshot todo tbd more refer details siehe voir vease см
    """.split()  # noqa: SIM905 -- as above
)
"""One of these, folded, is in every sentence that `_POINTS` finds."""

_POINTS: Final = re.compile(
    r"\b(?:as follows|[Tt]he following|[Ss]ee (?:also|the)|[Cc]lick(?:ing)? (?:on|here)|screenshot|TODO|TBD)\b"
    r"|\b(?:(?:[Ll]earn|[Rr]ead) more|more (?:information|details)|[Rr]efers? to|[Ff]or (?:more )?details)\b"
    r"|(?:^|[:;,(] ?)(?:[Ss]ee|[Ss]iehe|[Vv]oir|[Vv]éase|[Сс]м\.)(?: |$)"
    r"|\bbelow[.,:)]|\babove[.,:)]|^(?:Below|Above|Here)\b|\b(?:[Tt]he|as) above\b"
    r"|\b(?:example|table|list|code|link|image|file|shown|listed|described|as|[a-z]+s) below\b"
)
_POINTS_UNSPACED: Final = re.compile("如下|下图|上图|以下|上面|下面|上述|点击|點擊|见下|截图|参考")

_OPENERS: Final = "\"'“‘«„([（「『《【"


def leans(text: str) -> bool:
    """Whether a sentence leans on the one before it: it begins with a pronoun or with `but`."""
    bare = text.lstrip(_OPENERS)
    if fold(bare[: bare.find(" ")].rstrip(",:;")) in _LEANING:
        return True
    return not text.isascii() and bare.startswith(_LEANING_UNSPACED)


def points(text: str, said: frozenset[str]) -> bool:
    """Whether a sentence sends its reader elsewhere: `see ...`, `the table below`; `said`: its words."""
    if not _POINTING.isdisjoint(said) and _POINTS.search(text):
        return True
    return not text.isascii() and _POINTS_UNSPACED.search(text) is not None
