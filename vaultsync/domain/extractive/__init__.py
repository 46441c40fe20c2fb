"""The embedded summariser: whole sentences of the notes, chosen by integer arithmetic alone."""

from vaultsync.domain.extractive.selection import summarise
from vaultsync.domain.extractive.values import Line, Source, Summary

__all__ = ["Line", "Source", "Summary", "summarise"]
