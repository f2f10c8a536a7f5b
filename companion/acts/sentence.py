"""Sentences as code and facts, which every language puts into words."""

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
"""No reply: every page shows the result anyway."""


def quoted(code: str, facts: Facts) -> Saying:
    """Quote a verdict, its facts converted to plain JSON, so that they compare equal after a restart."""
    return Saying(code, msgspec.json.decode(msgspec.json.encode(facts)))
