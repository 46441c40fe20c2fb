"""PURE: values and decisions. Touches only its arguments: no os, time, sqlite, asyncio or logging."""
