"""The UUIDs that KiCad wants of everything: made from names, so that the same model writes the same files."""

from uuid import UUID, uuid5

from hardware.pcb.sexpr import Node, quoted

_TABLE_COMPANION = UUID("7c5a3f0e-6a52-4a6c-9d0a-3c1f5b0e7a54")


def identity(*names: object) -> str:
    """Return the UUID of the thing with these names.

    >>> identity("bus", "J1") == identity("bus", "J1")
    True
    """
    return str(uuid5(_TABLE_COMPANION, "/".join(map(str, names))))


def identified(*names: object) -> Node:
    """Return that UUID as KiCad's files have it."""
    return ["uuid", quoted(identity(*names))]
