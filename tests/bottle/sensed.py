"""What is sensed is recorded once, whatever happens meanwhile."""

from collections.abc import Callable

from companion.devices.sensing import Appeared, Buzzed, Gone, Sensing
from companion.events import Pressed, Tapped
from tests.bottle.broken import see
from tests.bottle.disk import WORKING, Trouble
from tests.bottle.table import Table

A_MICROSECOND = 0.000001


class Sensed:
    """What was sensed at one table by now."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.presses: dict[str, bool] = {}
        """By origin, whether a press that was acknowledged must be an event."""
        self._lying: dict[str, str] = {}
        """Place → uid of the cards that the match has seen laid, and not lifted since."""
        self._lying_in: int | None = None
        self._claims: tuple[object, ...] = ()
        self._changed_at = 0.0
        """When something else last began, or ended, to claim what is sensed."""

    def tell(self, do: Callable[[], bool]) -> None:
        """Have the sources tell what they have."""
        table = self._table
        waiting = table.sources()
        counts = self._counts()
        length_before = length(table)
        pressed = [sensing.origin for _, sensings in waiting for sensing in sensings if isinstance(sensing, Buzzed)]
        was_told = {origin for origin in pressed if self.presses.get(origin)}
        already_stored = was_told | {origin for origin in pressed if can_look(table) and table.stored_under(origin)}
        heard = do()
        if table.disk.is_off:
            return
        if table.disk.trouble in WORKING:
            see("what is sensed is heard while the disk works", heard, waiting)
        acknowledged = dict(waiting).keys() - dict(table.sources()).keys()
        sensed = [sensing for source, sensings in waiting if source in acknowledged for sensing in sensings]
        if not acknowledged:
            see("what is not kept is not judged", length(table) == length_before, waiting)
            see(
                "what is not kept is said on every page",
                not waiting or table.live.snapshot.trouble is not None,
                waiting,
            )
            return
        for sensing in sensed:
            if isinstance(sensing, Buzzed):
                self.presses[sensing.origin] = self.presses.get(sensing.origin, False) or (
                    counts and self._is_of_match(sensing)
                )
        if counts and all(self._is_of_match(sensing) for sensing in sensed if isinstance(sensing, Buzzed)):
            # A press may have been stored as the power was cut, before the box could hear of it.
            new = [
                sensing for sensing in sensed if not (isinstance(sensing, Buzzed) and sensing.origin in already_stored)
            ]
            self._see_that_each_counts(new, length(table) - length_before)
            self._note_what_lies(sensed)
        else:
            self._lying = {}

    def _note_what_lies(self, sensed: list[Sensing]) -> None:
        """Note which cards this match has seen laid; what lies there from the match before is not its own."""
        number = self._table.live.snapshot.match
        if number != self._lying_in:
            self._lying_in = number
            self._lying = {}
        for sensing in sensed:
            if isinstance(sensing, Appeared) and not sensing.already:
                self._lying[sensing.place] = sensing.uid
            elif isinstance(sensing, Gone):
                self._lying.pop(sensing.place, None)

    def _counts(self) -> bool:
        """Whether whatever is sensed now becomes an event of the match."""
        table = self._table
        snapshot = table.live.snapshot
        return (
            snapshot.in_play is not None
            and snapshot.pause is None
            and snapshot.announced is None
            and not snapshot.hearing
            and not table.checkup.walking
            and table.raises == 0
        )

    def _is_of_match(self, press: Buzzed) -> bool:
        """Whether it was made since the match began or went on; what is told late of before is nobody's."""
        played = self._table.live._judging.played
        return played is not None and press.at > max(played.match.started.at, self._changed_at) + A_MICROSECOND

    def _see_that_each_counts(self, sensed: list[Sensing], more: int) -> None:
        played = self._table.live._judging.played
        assert played is not None
        new = played.match.events[len(played.match.events) - more :] if more else []
        pressed = sum(isinstance(event, Pressed) for event in new)
        tapped = sum(isinstance(event, Tapped) and not self._table.may_be_owners(event.tag) for event in new)
        presses = [sensing for sensing in sensed if isinstance(sensing, Buzzed)]
        laid = [
            sensing
            for sensing in sensed
            if isinstance(sensing, Appeared) and not self._table.may_be_owners(sensing.uid)
        ]
        cards = [sensing for sensing in laid if not sensing.already]
        see("every press is recorded once", pressed == len(presses), (sensed, new))
        again = [sensing for sensing in laid if sensing.already]
        is_known = self._lying_in == self._table.live.snapshot.match
        if all(is_known and self._lying.get(sensing.place) == sensing.uid for sensing in again):
            see("every card is recorded once, also one that lies there at a start", tapped == len(cards), (sensed, new))

    def note(self) -> None:
        """Note what claims that what is sensed is its own."""
        snapshot = self._table.live.snapshot
        walking = self._table.checkup.walking
        claims = snapshot.pause, tuple(snapshot.hearing), walking, snapshot.announced, snapshot.in_play
        if claims != self._claims:
            self._claims = claims
            self._changed_at = self._table.live.clock()


def can_look(table: Table) -> bool:
    """Return whether the files can be read: if not, SQLite remembers some of them, and not others."""
    return table.disk.trouble is not Trouble.READS_FAIL


def length(table: Table) -> int:
    """Return how many events the match on the table has."""
    played = table.live._judging.played
    return 0 if played is None else len(played.match.events)
