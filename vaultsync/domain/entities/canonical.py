"""The one form of all spellings of an address, and of a day."""

from __future__ import annotations

import re
from datetime import date
from typing import Final
from urllib.parse import urlsplit, urlunsplit

from vaultsync.domain.names import caseless

_TRACKING: Final = re.compile(
    r"(?:utm_\w+|mtm_\w+|pk_\w+|at_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|igshid|igsh|twclid|ttclid"
    r"|mc_[ce]id|_hs(?:enc|mi)|_ga|_gl|ref_src|ref_url|s_cid|vero_id|wt_mc|oly_\w+_id)(?:=|\Z)",
    re.IGNORECASE,
)
"""Names of parameters that say where a reader came from, as the makers of analytics and advertisements name them."""

_PORTS: Final = {"http": ":80", "https": ":443"}

_MONTH_NAMES: Final = (
    "january jan januar jänner janvier enero ene",
    "february feb februar février févr febrero",
    "march mar märz maerz mär mars marzo",
    "april apr avril avr abril abr",
    "may mai mayo",
    "june jun juni juin junio",
    "july jul juli juillet juil julio",
    "august aug août agosto ago",
    "september sep sept septembre septiembre",
    "october oct oktober okt octobre octubre",
    "november nov novembre noviembre",
    "december dec dezember dez décembre déc diciembre dic",
)
MONTHS: Final = {name: number for number, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}
"""Months by their names in English, German, French and Spanish, and what these are shortened to."""


def url(written: str) -> str:
    """Return an address without fragment, tracking parameters, default port and trailing slash.

    Scheme and host are in lower case; the rest keeps its own, since `/watch?v=aB` and `/watch?v=Ab` are two pages.
    What can't be read as an address is returned as written, in lower case.
    """
    try:
        parts = urlsplit(written if "://" in written else f"https://{written}")
    except ValueError:
        return caseless(written)
    scheme = parts.scheme.lower()
    host = caseless(parts.netloc).removesuffix(_PORTS.get(scheme, ":"))
    query = "&".join(pair for pair in parts.query.split("&") if not _TRACKING.match(pair))
    return urlunsplit((scheme, host, parts.path.rstrip("/"), query, ""))


def day(year: str, month: str, number: str) -> str | None:
    """Return the ISO date of a year, a month (number or name) and a day; None if the calendar has no such day."""
    name = caseless(month).rstrip(".")
    try:
        return date(
            int(year), int(month) if month.isdigit() else MONTHS.get(name, 0), int(number)
        ).isoformat()
    except ValueError:
        return None
