"""A sentence as its code and facts: every language has words for it."""

from collections.abc import Mapping
from typing import Any

import msgspec

Facts = Mapping[str, Any]
NO_FACTS: Facts = {}


class Saying(msgspec.Struct, frozen=True):
    """A sentence of the catalogue."""

    code: str
    facts: Facts = NO_FACTS


NOTHING = Saying("")
"""Nothing is said: every page shows it."""


def quoted(code: str, facts: Facts) -> Saying:
    """Quote what was told, in facts that can be kept: they come back from a file as they were."""
    return Saying(code, msgspec.json.decode(msgspec.json.encode(facts)))
