"""Fixtures for what games show."""

from tests.reading import paper  # noqa: F401
