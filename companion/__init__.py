"""The table companion: what happened at the table, what it means, what it scores."""

from datetime import UTC, datetime

__version__ = "0.3.0.dev0"
RELEASED = datetime(2026, 11, 28, tzinfo=UTC)
"""When this version was released: a clock that shows an earlier time is wrong."""
