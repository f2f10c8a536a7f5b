"""The table companion: what happened at the table, what it means, what it scores."""

__version__ = "0.1.0"
