"""Who plays the next match where no phone begins it: those who sit at the table by now."""

from collections.abc import Callable

from companion import games
from companion.access import lobby
from companion.access.rights_file import Phones
from companion.events import Player, Started

FEWEST = 2
Players = tuple[Player, ...]


class SeatedPeople:
    """The next match at a table with these phones."""

    def __init__(self, phones: Phones) -> None:
        self._phones = phones

    def who_play(self, last: Started) -> Players:
        """Return those who sit there and do not sit out, or who played last if nobody has said who they are; () if the
        game can't be played by so many.
        """
        seated = self._phones.rights.people.seated.items()
        players = tuple(Player(seat, guest.name) for seat, guest in sorted(seated) if not guest.out) or last.players
        return players if FEWEST <= len(players) <= games.known()[last.game].most_players else ()

    def begin(self, players: Players, before: Players, begin: Callable[[], int]) -> None:
        """Have it begun; phones go with their people. Raises `NotNow`."""
        self._phones.try_to_store()  # or the match would begin without its players' phones
        number = begin()
        names = {player.seat: player.name for player in before}
        places = {player.seat: player.name for player in players}
        self._phones.change(lambda now: lobby.begin(lobby.resume(now, names), places, number))
