"""`vaultsync` and `python -m vaultsync`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and leave with its exit status."""
    from vaultsync.surfaces.cli.program import run  # noqa: PLC0415 - each reading process imports this module anew

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
