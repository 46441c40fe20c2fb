"""Let a model write what it may today: the texts of summaries, those below before those above, then names."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from vaultsync.app.asking import name_entities, refine
from vaultsync.app.outcomes import Refined

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultsync.app.asking.refine import Estimate
    from vaultsync.app.growing.duty import Duty
    from vaultsync.app.memory import Memory
    from vaultsync.app.progress import Progress


def ask_models(
    memory: Memory,
    duty: Duty,
    grow: Callable[[str], None],
    announce: Callable[[Estimate], None],
    progress: Progress,
) -> Refined:
    """Ask as far as the day's share goes. `announce`: told before the first call ever what all of them take.

    `grow`: called after each round with the generator of its texts, to bring what is above them up to date.
    """
    refine.forget(memory)
    refined = Refined()
    while refine.is_wanted(memory, duty):
        with refine.opened(memory, os.environ) as summariser:
            if summariser is None:
                break
            if (takes := refine.estimate(memory)).is_first:
                announce(takes)
            done = refine.refine(memory, duty, summariser, progress)
        refined.add(done)
        if not done.replaced:
            break
        grow(summariser.generator)
    if name_entities.is_wanted(memory, duty):
        with name_entities.opened(memory, os.environ) as namer:
            if namer is not None:
                refined.calls += name_entities.name_entities(memory, namer, progress).calls
    return refined
