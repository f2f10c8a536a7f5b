"""Brings a match to the table and seats its players' phones: begun by phone, by a press, or taken up again."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion import games
from companion.access import lobby, people
from companion.access.rights_file import Phones
from companion.access.seat_rights import Rights
from companion.acts import starting
from companion.acts.outcome import Starting
from companion.acts.table import Play
from companion.events import Player, Started
from companion.live.demo import Demo
from companion.live.simulation import Simulation
from companion.live.snapshot import Snapshot
from companion.live.table import Live

Players = tuple[Player, ...]


class SeatedPeople:
    """The players of a next match that no phone begins: those who then sit at the table."""

    def __init__(
        self, phones: Phones, on_table: Callable[[], Snapshot] = Snapshot, *, phones_in_play: bool = True
    ) -> None:
        """`on_table` returns what is shown until it begins; `phones_in_play`: whether people have phones at hand."""
        self._phones = phones
        self._on_table = on_table
        self._phones_in_play = phones_in_play

    def options_of(self, game: str, last: Started | None) -> Mapping[str, Any]:
        """Return the options of the last match, if it was of that game, or else this table's defaults."""
        if last is not None and last.game == game:
            return last.options
        return {} if self._phones_in_play else games.known()[game].without_phones

    def who_play(self, last: Started) -> Players:
        """Return those who are seated and do not sit out, or the last players if nobody has said who sits there; () if
        they can't play the game.
        """
        seated = sorted(starting.who_play(self._phones.rights).items())
        players = tuple(Player(seat, name) for seat, name in seated) or last.players
        return () if starting.refusal_to_play(games.known()[last.game], players) else players

    def begin(self, last: Started, players: Players, number: int, begin: Callable[[], int]) -> None:
        """Call `begin`, and seat the players' phones; see `NextMatch.begin`. Raises `NotNow`."""
        names = {player.seat: player.name for player in last.players}
        begun = Starting(last.game, players, before=names)
        _with_phones(
            self._phones, number, begin, lambda rights, number: starting.seated(begun, rights, number), self._on_table
        )


class Starts:
    """Every method may be called from any thread but the judge's."""

    def __init__(self, live: Live, phones: Phones, *, simulation: Simulation | None, demo: Demo | None) -> None:
        self._live = live
        self._phones = phones
        self._simulation = simulation
        self._demo = demo

    def begin(self, new_match: Starting, upon: Snapshot) -> None:
        """Start a match that was decided upon the snapshot `upon`. Invented people have no phones to seat."""

        def begun() -> int:
            self._end_demo()
            options = dict(new_match.options)
            if new_match.invented:
                return self._live.begin_try(new_match.game, new_match.players, options, upon)
            if new_match.simulated and self._simulation is not None:
                return self._simulation.begin(
                    new_match.game, new_match.players, new_match.bots, new_match.colours, upon, options
                )
            return self._live.begin(new_match.game, new_match.players, options, upon)

        def seated(rights: Rights, number: int) -> Rights:
            return rights if new_match.invented else starting.seated(new_match, rights, number)

        _with_phones(self._phones, self._live.next_number(), begun, seated, lambda: self._live.snapshot)

    def take_up(self, number: int, names: Sequence[str], called: Mapping[int, str], former_play: Play | None) -> None:
        """Go on with a past match, as the people `names` have decided; its players were `called` so, and `former_play`
        is the match on the table now.
        """

        def taken_up() -> int:
            self._end_demo()
            self._live.take_up(number, names)
            if self._simulation is not None:
                self._simulation.resume()
            return number

        def seated(rights: Rights, number: int) -> Rights:
            former_names = former_play.names if former_play is not None and not former_play.nobodys else {}
            return lobby.begin(lobby.resume(rights, former_names), called, number)

        _with_phones(self._phones, number, taken_up, seated, lambda: self._live.snapshot)

    def _end_demo(self) -> None:
        if self._demo is not None and self._demo.running:
            self._demo.stop()


def _with_phones(
    phones: Phones,
    number: int,
    begin: Callable[[], int],
    seated: Callable[[Rights, int], Rights],
    on_table: Callable[[], Snapshot],
) -> None:
    """Bring a match to the table by `begin`, which returns its number, and seat its players' phones by `seated`.

    The log and the phones' file can't be written in one transaction, so the seating is prepared first, for `number`,
    which the match should get: after a power cut the next start finds both, or neither. Players of the match before
    keep the hints that they have met. Raises `NotKept`, before anything begins, if that can't be stored.
    """
    snapshot_before = on_table()

    def as_seated(rights: Rights, match: int) -> Rights:
        return seated(_with_hints_met(rights, snapshot_before), match)

    phones.prepare(number, lambda rights: as_seated(rights, number))
    try:
        begun = begin()
    except Exception:
        if on_table().match == number:  # it has begun, but not all of it could be stored
            phones.arrive(lambda rights: as_seated(rights, number))
        else:
            phones.give_up()
        raise
    phones.arrive(lambda rights: as_seated(rights, begun))


def _with_hints_met(rights: Rights, former_snapshot: Snapshot) -> Rights:
    """Return the rights in which the players of the match before keep the hints that they have met."""
    view = former_snapshot.views.get(None)
    if view is None or former_snapshot.demo:
        return rights
    typed = {player["seat"]: player["name"] for player in view["players"]}
    names = {**typed, **rights.people.corrected.get(former_snapshot.match or 0, {})}
    met = {names[seat]: codes for seat, codes in former_snapshot.hints_met.items()}
    return replace(rights, people=people.meet(rights.people, view["game"], met))
