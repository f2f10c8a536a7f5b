"""Turns what happens at a simulated table into sensings, as readers and buzzers would tell, and words by phone."""

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from companion.devices.sensing import VIRTUAL, Appeared, Buzzed, Gone, Sensing
from companion.events import Event, Pressed, Said, Tapped
from companion.live.table import Live


class SimulatedSensors:
    """The readers and buzzers of a simulated table. Use it from one thread at a time."""

    def __init__(self, live: Live) -> None:
        """Tell them to this table."""
        self._live = live
        self._lying: dict[str, str] = {}
        """By place, the tag that its reader sees."""

    def clear(self) -> None:
        """Forget all cards that lie on readers, without telling."""
        self._lying = {}

    def tell(self, slug: str, events: Sequence[Event], bots: Collection[int]) -> None:
        """Tell sensings as drivers do, and words as phones do; `bots` are the seats that bots play.

        Raises `NotKept`, and what `Live.enter` raises.
        """
        sensings: list[Sensing] = []
        for event in events:
            by_phone = _by_phone(event, bots)
            if by_phone is None:
                sensings += self._sense(slug, event)
            else:
                self._live.tell(*sensings)  # what was sensed before must not come after it
                sensings = []
                self._live.enter(by_phone)
        self._live.tell(*sensings)

    def _sense(self, slug: str, event: Event) -> list[Sensing]:
        at = self._live.clock()
        match event:
            case Pressed(seat=seat):
                return [Buzzed(seat, at, 0.0, "")]
            case Tapped(place=place, card=card):
                lifted = self._lying.get(place)
                gone = [] if lifted is None else [Gone(place, lifted, at)]
                self._lying[place] = f"{VIRTUAL}{slug}/{card}"
                return [*gone, Appeared(place, self._lying[place], at)]
        return []


def _by_phone(event: Event, bots: Collection[int]) -> Event | None:
    """Return the event as a phone enters it; None if a sensor tells it."""
    match event:
        case Said():
            return event
        case Pressed(seat=seat) if seat not in bots:
            return replace(event, by="phone")  # only a buzzer knows exactly when it was hit
    return None
