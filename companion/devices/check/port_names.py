"""Finds names of serial ports that may later lead to another device, and so to another seat. Pure."""

import re
from collections.abc import Sequence

from companion.devices.check.findings import Finding

_NUMBERED = re.compile(r"tty(USB|ACM)\d+")
"""The kernel numbers devices in the order in which it finds them, so a USB hub that drops out may swap two."""
_BY_ID = re.compile(r"/by-id/usb-(?P<what>.+)-if\d+(-port\d+)?")
_NO_NUMBER = re.compile(r"(^|[_-])(0*1?|[A-Za-z ._-]*(Serial|UART|Bridge)[A-Za-z._-]*)$")
"""The end of a name under by-id whose maker gave every piece the same number, or none: "…_0001", "USB2.0-Serial"."""


def of_port(port: str, ports: Sequence[str]) -> tuple[Finding, ...]:
    """Assess a port's name at a table that uses all of `ports`; "" is none."""
    if _NUMBERED.fullmatch(port.rpartition("/")[2]):
        return (Finding("port-name-changes", {"port": port}),)
    named = _BY_ID.search(port)
    if named and _NO_NUMBER.search(named["what"]) and any(neighbour for neighbour in ports if neighbour != port):
        return (Finding("port-name-shared", {"port": port}),)
    return ()
