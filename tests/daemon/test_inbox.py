"""What other threads tell is taken up by the one that works, none of it lost."""

from __future__ import annotations

import threading

from vaultsync.daemon.inbox import Inbox
from vaultsync.domain.notes import NotePath
from vaultsync.vault.watcher import Batch


def left(inbox: Inbox) -> tuple[int, bool]:
    """Return how many paths are to be looked at, and whether there are more."""
    return len(inbox.paths), inbox.overflowed


def test_what_many_threads_tell_is_gathered() -> None:
    """Each path once, whoever told it, and that there was more than can be told."""
    inbox = Inbox()

    def tell(number: int) -> None:
        for n in range(100):
            inbox.look_at(Batch(frozenset({NotePath(f"{n}.md"), NotePath(f"{number}/{n}.md")})))

    threads = [threading.Thread(target=tell, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert inbox.wait(0)
    assert left(inbox) == (500, False)
    inbox.look_at(Batch(frozenset(), overflow=True))
    assert inbox.wait(0)
    assert left(inbox) == (500, True)
    inbox.forget()
    assert left(inbox) == (0, False)


def test_who_waits_is_woken() -> None:
    """At once by news; without any it waits no longer than it was told."""
    inbox = Inbox()
    assert not inbox.wait(0.01)
    heard: list[int] = []
    teller = threading.Timer(0.05, lambda: inbox.tell(lambda: heard.append(1)))
    teller.start()
    assert inbox.wait(30)
    assert heard == [1]
    teller.join()
