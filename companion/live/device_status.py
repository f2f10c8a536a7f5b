"""The state of the table's own devices: what is sensed but is not an event of a match."""

import logging

import msgspec

from companion.devices import sensing
from companion.devices.faults import DeviceFault

_journal = logging.getLogger(__name__)


class Device(msgspec.Struct, frozen=True):
    """How a reader or a set of buzzers is doing."""

    works: bool
    detail: str
    """What it is or, if it does not work, what is wrong, in plain English."""
    fault: DeviceFault | None = None
    """What is wrong, as a value; None: it works."""


class Status:
    """Devices, and what lies on the readers. Use it from one thread at a time."""

    def __init__(self) -> None:
        self.devices: dict[str, Device] = {}
        self.crowded: dict[str, None] = {}
        """Places where more than one card lies."""
        self.hurried: dict[str, int] = {}
        """Places where the last card must be tapped again; the number grows with each such request."""
        self.lying: dict[str, str] = {}
        """Place → the uid that was read there."""
        self._hurries = 0

    def look(self, sensing_told: sensing.Sensing) -> None:
        """Update the state from what a driver tells."""
        match sensing_told:
            case sensing.Failed(source) as failed:
                self._note(source, Device(False, failed.fault.says, failed.fault))
            case sensing.Working(source, detail, _):
                self._note(source, Device(True, detail))
            case sensing.Crowded(place, _):
                self.crowded[place] = None
                self.hurried.pop(place, None)
            case sensing.Uncrowded(place, _):
                self.crowded.pop(place, None)
            case sensing.Hurried(place, _):
                self._hurries += 1
                self.hurried.pop(place, None)  # the newest comes last
                self.hurried[place] = self._hurries
            case sensing.Appeared(place, uid, _):
                self.lying[place] = uid
                self.hurried.pop(place, None)
            case sensing.Gone(place, uid, _) if self.lying.get(place) == uid:
                del self.lying[place]

    def _note(self, source: str, device: Device) -> None:
        """Note the state of a device, and log the beginning and end of a fault."""
        earlier = self.devices.get(source)
        if not device.works and device != earlier:
            _journal.warning("%s failed: %s", source, device.detail)
        elif device.works and earlier and not earlier.works:
            _journal.info("%s works again: %s", source, device.detail)
        self.devices[source] = device
