"""How near two paths are: by the names of the files, and by those of the folders around them."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from vaultsync.domain.names import caseless, name_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vaultsync.domain.notes import NotePath

SIMILAR: Final = 0.8
"""difflib's ratio of two names, at least."""

_FEWEST_LETTERS: Final = 4
"""Of a name, without its digits: two shorter ones are similar by chance."""

_NO_LETTERS: Final = re.compile("(?:(?![\u0300-\u036f\u0900-\u109f\u1700-\u1cff\ua800-\uabff])[\\W_])+")
"""What does not count in a name; the vowel signs of Indic and kindred scripts, no letters to `re`, do."""

_DIGITS: Final = re.compile(r"\d+")
_COUNTER: Final = re.compile(r"\d{1,2}$")
"""What Obsidian puts behind `Untitled` when there is one."""

GENERIC: Final = frozenset(
    (
        "untitled", "unbenannt", "ohnetitel", "sanstitre", "sintítulo", "sintitulo", "senzatitolo", "senzanome",
        "semtítulo", "semtitulo", "semnome", "naamloos", "zondertitel", "beznazwy", "beztytułu", "namnlös",
        "utennavn", "udennavn", "nimetön", "névtelen", "безназвания", "безназви", "başlıksız", "adsız",  # noqa: RUF001 -- Turkish
        "未命名", "无标题", "無標題", "無題", "無題のファイル", "제목없음", "무제", "بدونعنوان", "ללאשם",
        "index", "indice", "índice", "indeks", "индекс", "索引", "目次", "目录", "目錄", "색인",
        "readme", "leggimi", "liesmich", "lisezmoi", "leeme", "léeme", "leiame", "прочти", "自述",
        "template", "vorlage", "modèle", "modele", "plantilla", "modello", "modelo", "sjabloon", "szablon",
        "шаблон", "模板", "範本", "テンプレート", "템플릿",
        "note", "notes", "notiz", "notizen", "nota", "notas", "notatka", "notitie", "anteckning", "заметка",
        "заметки", "笔记", "筆記", "ノート", "노트", "메모",
        "todo", "todos", "aufgaben", "àfaire", "tareas", "tarefas", "zadania", "задачи", "待办", "待辦",
        "やること", "할일",
        "home", "startseite", "accueil", "inicio", "início", "startpagina", "главная", "主页", "首页",
        "首頁", "ホーム", "홈",
    )
)  # fmt: skip
"""Names that many vaults hold many times and that say nothing, as `loose_name` spells them."""


def loose_name(path: NotePath | str) -> str:
    """Return a file's name or an alias by its letters and digits alone; by all of it if it has none."""
    name = name_key(path.rpartition("/")[2])
    return _NO_LETTERS.sub("", name) or name


def folders(path: NotePath) -> tuple[str, ...]:
    """Return the folders that a note lies in, the outermost first, without regard to case."""
    return tuple(caseless(path).split("/")[:-1])


def distinct_names(
    gone: Iterable[NotePath], come: Iterable[NotePath], standing: Iterable[NotePath]
) -> frozenset[str]:
    """Return the loose names that one path of each side bears, and no path that stands, unless generic."""
    old, new = Counter(map(loose_name, gone)), Counter(map(loose_name, come))
    once = {name for name, count in old.items() if count == 1 == new[name] and not is_generic(name)}
    return frozenset(once.difference(map(loose_name, standing)) if once else ())


def is_generic(name: str) -> bool:
    """Whether a loose name says nothing of its note, as `Untitled 2`."""
    return name in GENERIC or _COUNTER.sub("", name) in GENERIC


def same_digits(old: str, new: str) -> bool:
    """Whether two loose names differ in letters only: `Lecture 3` is not `Lecture 4`."""
    return "".join(_DIGITS.findall(old)) == "".join(_DIGITS.findall(new))


def similar(old: str, new: str) -> bool:
    """Whether two loose names that are not equal are nearly so; the cheap questions come first."""
    shorter = min(len(old), len(new))
    if old == new or shorter < _FEWEST_LETTERS or 2 * shorter < SIMILAR * (len(old) + len(new)):
        return False
    if not same_digits(old, new) or min(map(_count_letters, (old, new))) < _FEWEST_LETTERS:
        return False
    compared = SequenceMatcher(None, old, new, autojunk=False)
    return compared.quick_ratio() >= SIMILAR and compared.ratio() >= SIMILAR


def folder_share(old: Sequence[str], new: Sequence[str]) -> float:
    """Return how much of the longer of two folder paths is in the other's head or tail; 1 at the root."""
    longer, shorter = max(len(old), len(new)), min(len(old), len(new))
    if not longer:
        return 1.0
    head = _count_equal(old, new)
    tail = _count_equal(old[::-1], new[::-1])
    return min(head + tail, shorter) / longer


def _count_letters(name: str) -> int:
    return len(_DIGITS.sub("", name))


def _count_equal(old: Sequence[str], new: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(old, new, strict=False)))
