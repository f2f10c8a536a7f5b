"""Souvenirs of a match or an evening, in words: slips of paper, photo finishes, and a picture to share."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion import games, player_names
from companion.access.player_looks import Face
from companion.history.evening import Award, Evening
from companion.history.souvenir import Highlight, Photo
from companion.history.standings import Result, standings
from companion.web.render.podium import best, theirs, worth_telling
from companion.web.render.words import PageWords
from companion.words import figure

Looks = Callable[[Mapping[int, str]], Mapping[int, Face]]
"""(names by seat) → how each of them looks."""
ON_PICTURE = 3
"""How many slips are on a picture."""
MOST = 6
"""How many people are on the picture of an evening."""
REACH = 4
"""A press this many times as far behind the first as the second was still fits on the same ruler."""
DEAD_HEAT_REACH = 8
"""The same in a dead heat, whose presses stand close together."""


class Portrayed(Struct, frozen=True):
    """A player, as they look on a souvenir."""

    name: str
    face: Face
    figure: str = ""


class Slip(Struct, frozen=True):
    """One thing worth telling."""

    title: str
    who: tuple[Portrayed, ...]
    names: str
    where: str
    figure: str
    """"": what is told has none."""
    then: str = ""
    """The address that shows the table as it was then; "" if no entry tells of it."""


class Stroke(Struct, frozen=True):
    """A press on the ruler of a photo finish."""

    who: Portrayed
    at: float
    """Its position, as a share of the ruler."""
    behind: str


class Finish(Struct, frozen=True):
    """A photo finish."""

    title: str
    presses: tuple[Stroke, ...]
    later: tuple[Stroke, ...]
    """Those too far behind for the ruler."""
    whole: str
    """How long the ruler is."""
    window: int
    """Microseconds within which nobody was first; 0: somebody was."""
    then: str


class Picture(Struct, frozen=True):
    """A picture to share."""

    title: str
    date: str
    slug: str
    """The game whose emblem is on it; "" for an evening of several games."""
    headline: str
    winners: tuple[Portrayed, ...]
    others: tuple[Portrayed, ...]
    slips: tuple[Slip, ...]
    label: str
    """SIMULATED, if cards and buzzers of any match on it were virtual."""


class Album:
    """Makes souvenirs in one language."""

    def __init__(self, language: str, looks: Looks, date: Callable[[str], str]):
        """`date` puts an evening's date into words."""
        self._language = language
        self._looks = looks
        self._date = date

    def of_match(self, result: Result) -> tuple[Slip, ...]:
        """Return the slips of a match."""
        return tuple(
            self._slip(result, highlight)
            for highlight in worth_telling(theirs(result.souvenir.highlights, demo=result.demo))
        )

    def photos_of_match(self, result: Result) -> tuple[Finish, ...]:
        """Return the closest finishes of a match."""
        return tuple(self._finish(result, photo) for photo in result.souvenir.photos)

    def of_evening(self, evening: Evening) -> tuple[Slip, ...]:
        """Return the slips of an evening."""
        return (*self._turning(evening), *self.of_awards(evening.awards))

    def of_awards(self, awards: Iterable[Award]) -> tuple[Slip, ...]:
        """Return the slips for the best of several matches."""
        return tuple(self._award(award) for award in awards)

    def photos_of_evening(self, evening: Evening) -> tuple[Finish, ...]:
        """Return the closest finishes of an evening."""
        return tuple(self._finish(result, photo) for result, photo in evening.photos)

    def picture_of_match(self, result: Result) -> Picture:
        """Return the picture of a match that is over."""
        people = self._people(result)
        words = self._words(result)
        seats = [player.seat for player in result.winners]
        return Picture(
            games.known()[result.game].title,
            self._date(result.evening) if result.evening else "",
            result.game,
            words.say("souvenir-won" if len(seats) == 1 else "souvenir-won-shared", {"seats": seats}),
            tuple(replace(people[player.seat], figure=_counted(player.points, words)) for player in result.winners),
            tuple(people[player.seat] for player in result.players if player.seat not in seats),
            self.of_match(result)[:ON_PICTURE],
            words.say("simulated") if result.simulated else "",
        )

    def picture_of_evening(self, evening: Evening, results: Sequence[Result], *, goes_on: bool) -> Picture:
        """Return the picture of an evening: its winners, and others who won matches; until it ends, those only lead."""
        words = PageWords(None, self._language)
        day = results[0].evening
        winners = [standing for standing in standings(results) if standing.won][:MOST]
        looks = self._looks({seat: winner.name for seat, winner in enumerate(winners, 1)})
        people = [
            Portrayed(
                player_names.legible(winner.name, self._language),
                looks[seat],
                words.say("souvenir-matches-won", {"number": winner.won}),
            )
            for seat, winner in enumerate(winners, 1)
        ]
        names = [player_names.legible(name, self._language) for name in evening.winners]
        first = len(evening.winners)
        code = f"souvenir-evening-{'leads' if goes_on else 'won'}{'-shared' if first > 1 else ''}"
        return Picture(
            words.say("souvenir-evening"),
            self._date(day) if day else "",
            "",
            words.say(code, {"names": words.several(names)}),
            tuple(people[:first]),
            tuple(people[first:]),
            self.of_evening(evening)[:ON_PICTURE],
            words.say("simulated") if any(result.simulated for result in results) else "",
        )

    def _turning(self, evening: Evening) -> Iterator[Slip]:
        if evening.turned is None:
            return
        result = evening.turned
        words = self._words(result)
        winner = next(player.seat for player in result.winners if player_names.same(player.name, evening.winners[0]))
        where = f"{games.known()[result.game].title} · {words.say('souvenir-turning-evening-where')}"
        yield self._of(result, (winner,), words.say("souvenir-turning"), where, "", f"/results/{result.match}")

    def _award(self, award: Award) -> Slip:
        result = award.of
        slip = self._slip(result, award.highlight)
        words = self._words(result)
        title = words.say("souvenir-closest") if award.highlight.code == "finish" else slip.title
        where = " · ".join(filter(None, (games.known()[result.game].title, slip.where)))
        return replace(slip, title=title, where=where, then=slip.then or f"/results/{result.match}")

    def _slip(self, result: Result, highlight: Highlight) -> Slip:
        entry = highlight.entry
        moment_page = "" if entry is None else f"/results/{result.match}/then/{entry}"
        moment = best(highlight, self._words(result))
        return self._of(result, moment.seats, moment.title, moment.where, moment.figure, moment_page)

    def _of(
        self, result: Result, seats: Iterable[int], title: str, where: str, figure_of: str, moment_page: str
    ) -> Slip:
        people = self._people(result)
        portraits = tuple(people[seat] for seat in seats)
        return Slip(title, portraits, self._words(result).names_of(seats), where, figure_of, moment_page)

    def _finish(self, result: Result, photo: Photo) -> Finish:
        people = self._people(result)
        words = self._words(result)
        second = max(photo.presses[1][1], 1)
        near = [behind for _, behind in photo.presses if behind <= REACH * second]
        whole = DEAD_HEAT_REACH * second if photo.dead_heat else max(near, default=second)
        presses = [
            Stroke(people[seat], behind / whole, words.span(behind) if behind else "0")
            for seat, behind in photo.presses
        ]
        (first, _), (second_seat, margin) = photo.presses[:2]
        facts = {"seat": first, "other": second_seat, "seats": (first, second_seat), "margin": margin}
        return Finish(
            words.say("souvenir-dead-heat" if photo.dead_heat else "souvenir-first", facts),
            tuple(stroke for stroke in presses if stroke.at <= 1),
            tuple(stroke for stroke in presses if stroke.at > 1),
            words.span(whole),
            photo.window,
            f"/results/{result.match}/then/{photo.entry}",
        )

    def _words(self, result: Result) -> PageWords:
        return PageWords(result.game, self._language, {player.seat: player.name for player in result.players})

    def _people(self, result: Result) -> dict[int, Portrayed]:
        words = self._words(result)
        looks = self._looks({player.seat: player.name for player in result.players})
        return {
            player.seat: Portrayed(
                words.name(player.seat), looks[player.seat], "" if player.points is None else figure(player.points)
            )
            for player in result.players
        }


def _counted(points: int | None, words: PageWords) -> str:
    """Return a winner's points with their unit, so that the other players' need none."""
    if points is None:
        return ""
    return f"{figure(points)}\u00a0{words.unit(points)}"
