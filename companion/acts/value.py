"""The base of all acts: a frozen value with one text form, in which its tag names its class."""

import msgspec


class ActValue(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="act"):
    """An act."""
