"""What stands between `[[` and `]]`: where the link points, and what it shows."""

from __future__ import annotations


def wiki_parts(inside: str) -> tuple[str, str, str | None]:
    """`target`, `link` and `text` of what stands between `[[` and `]]`.

    The first character is never a divider: Obsidian reads `[[|x]]` as a link to `|x`.
    """
    target = inside.replace("\\|", "|")
    bar = target.find("|", 1)
    if bar < 0:
        return target, target.strip(), None
    return target, target[:bar].strip(), target[bar + 1 :]
