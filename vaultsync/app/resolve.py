"""Resolve links that are due: new ones, and those whose possible targets came, went or moved."""

from __future__ import annotations
