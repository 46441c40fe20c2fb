"""`vaultsync` and `python -m vaultsync`."""

from __future__ import annotations

import sys

from vaultsync.surfaces.cli.program import run


def main() -> None:
    """Run the command line and leave with its exit status."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
