"""Fixtures: the real broker, and somebody who hears all that is said there."""

from tests.club.conftest import broker, follower

__all__ = ["broker", "follower"]
