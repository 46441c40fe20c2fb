"""Sentences that say little by themselves: they lean on the one before, or send their reader elsewhere."""
# ruff: noqa: RUF001 -- words and signs of several scripts

from __future__ import annotations

import re
from typing import Final

from vaultsync.domain.folding import fold

_LEANING: Final = frozenset(
    """
    it its they them their he him his she her hers this that these those such both neither either
    but and or nor not so yet also then thus hence therefore however instead otherwise moreover furthermore
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
    不然 所有这些 到这里 至此 字样 之后 完成后 完成之后 执行完 同样 有了这 有了那 如果都 是
    これ それ あれ この その あの しかし でも だから また そして ここ そこ なお ただし
    그 이것 그것 그러나 하지만 그래서 또한 그리고
    """.split()  # noqa: SIM905 -- as above
)

_BACKWARD_UNSPACED: Final = re.compile("[^。？！]{0,7}[这這此该]")
"""A beginning with a pronoun near; those of Japanese stand first."""

_HANGING: Final = frozenset(
    """
    has is was are were had does did can will would could should must
    reads says told tells sown born came comes made makes found kept keeps cut done went goes got left seen heard
    given gives taken takes laid lent bought sold held sent brought put set built lost shown
    supports allows provides shows contains includes uses returns turns adds creates lets needs requires works
    sorry wanted thanks identical similar
    """.split()  # noqa: SIM905 -- as above
)
"""Words that begin a sentence which leaves out whom it is about; folded."""

_BACKWARD: Final = re.compile(
    r"(?:[a-z]+|because of|(?:all|some|most|none|one|two|both|each|many|few|half|several|any|either|neither) of)"
    r" (?:its?|this|these|those|them|they|their|such|here|there|then|he|him|his|she|her)\b"
    r"|(?:in|on|at|of|by|for|to|from|with|after|before|since|until|under|behind|like|as) (?:that|which|the same|now)\b"
    r"|the (?:others?|latter|former|same|rest|remaining|second|third|result|reason for this)\b"
    r"|like ['\"‘“]|for (?:example|instance)\b|(?:so|thus) far\b|(?:once|if|when) (?:done|found|not|so|any are)\b"
    r"|in step \d"
    r"|[a-z]+(?<!s)s (?:the|an?|all|any|whether|off)\b"
    r"|[a-z]+(?<!e)ed (?:to|by|in|on|at|from|with|for|the|a|an|as|that|all|out|up|and|of|only|every|once|twice)\b"
)
"""Beginnings, in small letters, that point back by more than their first word, or leave out whom they are about."""

_UNDATED: Final = re.compile("[0-9 :.-]+: [a-z]")
"""The line of a log, without its date: `2025-11-14: said at noon that ...`."""

_ENGLISH: Final = frozenset(["the", "and", "of", "with", "in", "on", "at", "for", "from", "to", "by"])
_VERBS: Final = frozenset(
    """
    is are am was were be been isn aren wasn weren has have had hasn haven hadn do does did don doesn didn can cannot
    could couldn will would won wouldn shall should may might must let lets
    came comes come went goes go made makes make took takes take gave gives give said says say told tells knew knows
    know thought thinks saw sees see found finds got gets kept keeps keep held holds left leaves lay lies stood stands
    stand sat sits ran runs run read reads wrote writes write grew grows grow brought bought built began begins became
    becomes become fell falls rose felt feels meant means met needs need lives live works work uses use shows show
    wants want helps help allows allow supports support stops stop turns turn opens puts looks look seems seem
    """.split()  # noqa: SIM905 -- as above
)
"""Verbs of most English sentences that have one which is no form in `-ed`."""

_PAST: Final = re.compile(r"[a-z]{2}ed\b")

_POINTING: Final = frozenset(
    """
    below above following follows see click here screenshot todo tbd more refer details siehe voir vease см
    table figure image diagram chart snippet video
    """.split()  # noqa: SIM905 -- as above
)
"""One of these, folded, is in every sentence that `_POINTS` finds."""

_POINTS: Final = re.compile(
    r"\b(?:as follows|[Tt]he following|[Ss]ee (?:also|the)|[Cc]lick(?:ing)? (?:on|here)|screenshot|TODO|TBD)\b"
    r"|\b(?:(?:[Ll]earn|[Rr]ead) more|more (?:information|details)|[Rr]efers? to|[Ff]or (?:more )?details)\b"
    r"|(?:^|[:;,(] ?|^For [\w ]{1,30})(?:[Ss]ee|[Ss]iehe|[Vv]oir|[Vv]éase|[Сс]м\.)(?: |$)"
    r"|\b[Tt]his (?:table|figure|image|diagram|chart|snippet|video)\b"
    r"|\bbelow[.,:)]|\babove[.,:)]|^(?:Below|Above|Here)\b|\b(?:[Tt]he|as) above\b"
    r"|\b(?:example|table|list|code|link|image|file|shown|listed|described|as|[a-z]+s) below\b"
)
_POINTS_UNSPACED: Final = re.compile("如下|下图|上图|以下|上面|下面|上述|点击|點擊|见下|截图|参考")

_SHORTENED: Final = re.compile("['’]")
"""In `it's` and `she'd`."""

_BEGINNING: Final = 40
"""Characters that `_BACKWARD` may need."""

_OPENERS: Final = "\"'“‘«„([（「『《【"


def leans(text: str) -> bool:
    """Whether a sentence leans on the one before it: it begins with a pronoun, with `but`, or without a subject."""
    bare = text.lstrip(_OPENERS)
    first = fold(_SHORTENED.split(bare[: bare.find(" ")], maxsplit=1)[0].rstrip(",:;"))
    if first in _LEANING or first in _HANGING or _UNDATED.match(text):
        return True
    if _BACKWARD.match(bare[:_BEGINNING].lower()):
        return True
    if text.isascii():
        return False
    return bare.startswith(_LEANING_UNSPACED) or _BACKWARD_UNSPACED.match(bare) is not None


def breaks_off(text: str, said: frozenset[str]) -> bool:
    """Whether an English sentence seems to have no verb, as in a list or a log; `said`: its words."""
    return not _ENGLISH.isdisjoint(said) and _VERBS.isdisjoint(said) and not _PAST.search(text)


def points(text: str, said: frozenset[str]) -> bool:
    """Whether a sentence sends its reader elsewhere: `see ...`, `the table below`; `said`: its words."""
    if not _POINTING.isdisjoint(said) and _POINTS.search(text):
        return True
    return not text.isascii() and _POINTS_UNSPACED.search(text) is not None
