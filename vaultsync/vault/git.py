"""Ask git about the vault: plumbing only, and nothing that the repository itself could have run."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING
from unicodedata import normalize

from vaultsync.vault import gitignore
from vaultsync.vault.git_folder import submodules, work_tree

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

TIMEOUT = 30.0
"""Seconds; of 100,000 files `ls-files` takes well under one, the rest is for slow disks."""

_GIT = (
    "git", "--no-replace-objects", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
    "-c", "core.quotePath=false",
)  # fmt: skip

_NOT_AS_IN_THE_INDEX = frozenset({b"C", b"R", b"M"})
"""The letters of `ls-files -t` for changed, removed and unmerged."""

_COMMIT = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")

_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "none",  # a partial clone would fetch what it lacks
    "GIT_NO_LAZY_FETCH": "1",
    "LC_ALL": "C",
}


def ignored(root: Path, only: Collection[str] | None = None) -> frozenset[str]:
    """Return the paths below `root` that git ignores; a folder, with `/` at its end, stands for all below it.

    `only`: paths below `root`; of others nothing need be said, which spares a walk where git does not answer.

    Where git does not answer (no program, no work tree, one that it distrusts) the `.gitignore` files do. So
    for a vault that the repository around it ignores as a whole, as in a home folder kept in git: it knows
    nothing of the vault.
    """
    real = root.resolve()
    top = work_tree(real)
    if top is None:
        return gitignore.ignored(real, real, only)
    listing = _run(real, "ls-files", "-o", "-i", "--exclude-standard", "--directory", "-z")
    if listing is None:
        return gitignore.ignored(real, top, only)
    paths = frozenset(map(os.fsdecode, listing.split(b"\0")))
    if "./" in paths and _ignores_all(top, real):
        return gitignore.ignored(real, real, only)
    return paths - {"", "./"}


def answers(root: Path) -> bool:
    """Tell whether git answers for the vault; where no work tree is, nothing is asked of it."""
    return work_tree(root.resolve()) is None or _run(root, "rev-parse", "--is-inside-work-tree") is not None


def has_commit(root: Path, commit: str) -> bool:
    """Tell whether the vault's repository holds a commit, named in full; costs one process."""
    if _COMMIT.fullmatch(commit) is None or work_tree(root.resolve()) is None:
        return False
    return _run(root, "cat-file", "-e", f"{commit}^{{commit}}") is not None


def place_in_work_tree(root: Path) -> str:
    """Return where in its git work tree the vault stands, "" at the top and without one; starts no process."""
    real = root.resolve()
    top = work_tree(real)
    place = real.relative_to(top).as_posix() if top else "."
    return "" if place == "." else place


def root_commit(root: Path) -> str | None:
    """Return the first commit of HEAD's history, the smallest of several; None if there is none.

    None too for a shallow clone, which does not know it, and for a vault that the repository ignores. Costs
    two processes, three below the work tree's top, and a walk over all commits: ask once and keep it.
    """
    real = root.resolve()
    top = work_tree(real)
    if (
        top is None
        or _run(real, "rev-parse", "--is-shallow-repository") != b"false\n"
        or _ignores_all(top, real)
    ):
        return None
    commits = _run(real, "rev-list", "--max-parents=0", "HEAD", "--")
    return min(commits.decode("ascii").split(), default=None) if commits else None


def unclean(root: Path, paths: Iterable[str]) -> frozenset[str]:
    """Return those of the paths that are not as git's index has them, or a submodule's: changed, deleted, not tracked.

    A path that is neither in the index nor on the disk is clean, as after a checkout that took it away. A file
    with another time stamp and the same bytes is clean too. All are unclean where git does not answer. Costs
    two processes, and two a submodule in which some of them are.
    """
    real, outside, found = root.resolve(), set(paths), set[str]()
    for module in submodules(real):
        inside = {path for path in outside if path.startswith(f"{module}/")}
        if inside:
            below = unclean(real / module, {path.removeprefix(f"{module}/") for path in inside})
            found |= {f"{module}/{path}" for path in below}
            outside -= inside
    return frozenset(found | (_unclean(real, outside) if outside else set()))


def _unclean(real: Path, paths: Collection[str]) -> frozenset[str]:
    listing = _run(real, "ls-files", "-c", "-m", "-d", "-t", "-z", settings=_without_filters(real))
    if listing is None:
        return frozenset(paths)
    entries = [(entry[:1], _nfc(os.fsdecode(entry[2:]))) for entry in listing.split(b"\0")]
    tracked = {path for _, path in entries}
    changed = {path for tag, path in entries if tag in _NOT_AS_IN_THE_INDEX}
    return frozenset(
        path
        for path in paths
        if _nfc(path) in changed or (_nfc(path) not in tracked and os.path.lexists(real / path))
    )


def tracked_at(root: Path, commit: str) -> frozenset[str]:
    """Return the paths below the root that a commit, named in full, holds; none if git does not know it."""
    if _COMMIT.fullmatch(commit) is None:
        return frozenset()
    listing = _run(root, "ls-tree", "-r", "--name-only", "-z", commit)
    return frozenset(map(os.fsdecode, listing.split(b"\0"))) - {""} if listing else frozenset()


def merged_from(root: Path, path: str, raw: bytes) -> tuple[bytes, ...]:
    """Return what the parents of a merge had at a path, if HEAD has a file's bytes from a merge that made them.

    Nothing if none of this is so: another commit was the last to change the path against all its parents, or the
    bytes are not what HEAD has. How lines end does not count. Costs two processes in a work tree, and one a parent.
    """
    if work_tree(root.resolve()) is None:
        return ()
    held = _run(root, "cat-file", "blob", f"HEAD:./{path}")
    if held is None or _with_lf(held) != _with_lf(raw):
        return ()
    # The commit's line, and a line of its parents.
    last = _run(root, "--literal-pathspecs", "rev-list", "-n", "1", "--format=%P", "HEAD", "--", path)
    parents = last.partition(b"\n")[2].split() if last else []
    if len(parents) < 2:  # noqa: PLR2004 - a merge has two parents or more
        return ()
    found = (_run(root, "cat-file", "blob", f"{parent.decode()}:./{path}") for parent in parents)
    return tuple(blob for blob in found if blob is not None)


def had_any(root: Path, paths: Collection[str]) -> bool:
    """Tell whether a commit of any branch ever held one of the paths. Costs one process, and a walk over commits."""
    if not paths:
        return False
    return bool(_run(root, "--literal-pathspecs", "rev-list", "-n", "1", "--all", "--", *paths))


def untracked(root: Path, paths: Iterable[str]) -> frozenset[str]:
    """Return those of the paths that git does not track; none where it does not answer. Costs one process."""
    listing = _run(root, "--literal-pathspecs", "ls-files", "-z", "--", *paths)
    return frozenset() if listing is None else frozenset(paths) - set(map(os.fsdecode, listing.split(b"\0")))


def left_out(root: Path, paths: Iterable[str]) -> frozenset[str]:
    """Return those of the paths that git tracks but keeps off this disk, as a partial checkout does.

    All of them where it does not answer. Costs one process.
    """
    listing = _run(root, "ls-files", "-t", "-z")
    if listing is None:
        return frozenset(paths)
    entries = map(os.fsdecode, listing.split(b"\0"))
    return frozenset(paths) & {entry[2:] for entry in entries if entry.startswith("S ")}


def upstream_file(root: Path, path: str) -> bytes | None:
    """Return a file as the upstream branch of HEAD has it, as far as it was fetched; None if it has none.

    `path`: below the vault. Costs one process in a work tree.
    """
    if work_tree(root.resolve()) is None:
        return None
    return _run(root, "cat-file", "blob", f"@{{upstream}}:./{path}")


def _ignores_all(top: Path, root: Path) -> bool:
    """Tell whether the work tree at `top` ignores the folder `root` itself; git can't say it of the top."""
    return top != root and _run(root.parent, "check-ignore", "-q", "--", root.name) is not None


def _without_filters(root: Path) -> dict[str, str]:
    """Return settings under which git compares bytes without the programs that its config names for that."""
    names = _run(root, "config", "-z", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process)$")
    filters = {name.rpartition(".")[0] for name in os.fsdecode(names or b"").split("\0") if name}
    return {
        f"{name}.{key}": value
        for name in filters
        for key, value in (("clean", ""), ("process", ""), ("required", "false"))
    }


def _with_lf(raw: bytes) -> bytes:
    return raw.replace(b"\r\n", b"\n")


def _nfc(path: str) -> str:
    return path if path.isascii() else normalize("NFC", path)


def _run(folder: Path, *words: str, settings: Mapping[str, str] | None = None) -> bytes | None:
    """Return what git prints, or None if it fails or is not there. `settings`: go before all configs."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(  # noqa: S603 - fixed words, no shell
            (*_GIT, *words),
            cwd=folder,
            env=inherited | _ENVIRONMENT | dict(_as_environment(settings or {})),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _as_environment(settings: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the variables that hand settings to git; on its command line, `=` in a name would end it."""
    yield "GIT_CONFIG_COUNT", str(len(settings))
    for number, (name, value) in enumerate(settings.items()):
        yield f"GIT_CONFIG_KEY_{number}", name
        yield f"GIT_CONFIG_VALUE_{number}", value
