"""What every act is: a frozen value with one text form, told from the others by its tag."""

import msgspec


class ActValue(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="act"):
    """An act."""
