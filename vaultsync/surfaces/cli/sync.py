"""`vaultsync sync`: one pass of every stage."""

from __future__ import annotations
