"""Who plays the next match where no phone begins it: those who sit at the table by now."""

from collections.abc import Callable

from companion import games
from companion.access.rights_file import Phones
from companion.acts import starting
from companion.acts.outcome import Starting
from companion.events import Player, Started

Players = tuple[Player, ...]


class SeatedPeople:
    """The next match at a table with these phones."""

    def __init__(self, phones: Phones) -> None:
        self._phones = phones

    def who_play(self, last: Started) -> Players:
        """Return those who sit there and do not sit out, or who played last if nobody has said who they are; () if the
        game can't be played by them.
        """
        seated = sorted(starting.who_play(self._phones.rights).items())
        players = tuple(Player(seat, name) for seat, name in seated) or last.players
        return () if starting.refusal_to_play(games.known()[last.game], players) else players

    def begin(self, last: Started, players: Players, begin: Callable[[], int]) -> None:
        """Have it begun; phones go with their people. Raises `NotNow`."""
        self._phones.try_to_store()  # or the match would begin without its players' phones
        number = begin()
        names = {player.seat: player.name for player in last.players}
        begun = Starting(last.game, players, before=names)
        self._phones.change(lambda now: starting.seated(begun, now, number))
