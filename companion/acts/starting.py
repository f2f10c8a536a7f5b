"""Plans to start a match: who plays where, and which seats bots take. Leaving people's match needs consent."""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from companion import games, player_names
from companion.access import lobby, people, seat_rights
from companion.access.lobby import SeatTaken
from companion.access.people import Guest
from companion.access.seat_rights import Rights
from companion.acts.match_acts import NOBODY_TICKED, Again, PlayBots, StartMatch
from companion.acts.naming import illegible, unfit
from companion.acts.outcome import Consent, Needs, PlannedAct, Refuse, Starting, not_now, wrong
from companion.acts.sentence import Saying
from companion.acts.table import Actor, Situation
from companion.events import Player, Started
from companion.game import AnyGame

INVENTED = {1: "Ana", 3: "Bo", 5: "Cléo"}
"""Players at a virtual table where nobody has given a name; such a match counts for nobody."""
NEXT_SEATS = (1, 4, 3, 5, 2, 6)
"""The order in which seats are filled, so that people and bots sit all around the table."""

STARTED = Saying("match-started")


def start(act: StartMatch, situation: Situation) -> PlannedAct | Refuse:
    """Start a match by hand, with those who have sat down and those whose names were typed."""
    seated = lobby.ticked_off(situation.rights, act.ticked)
    typed = act.players if act.players is not None else who_play(seated)
    refused = next(filter(None, map(illegible, (act.players or {}).values())), None)
    if refused is not None:
        return refused
    if act.may_invent and not any((act.players or {}).values()) and not seated.people.seated:
        return _by_hand(act, act.game, INVENTED, act.options, situation, invented=True)
    try:
        places = lobby.who_plays(seated, typed)
    except SeatTaken as taken:
        return not_now("seat-taken-by" if taken.name else "seat-held", name=taken.name, number=taken.seat)
    return _by_hand(act, act.game, places, act.options, situation)


def again(act: Again, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    """Start the next match as the last one, with the people who sit there now."""
    if situation.dealt is not None:
        game = games.known()[situation.dealt.game]
        bots = min(len(situation.dealt.bots), _room(game, situation.rights, _sitting(situation, situation.rights)))
        started = situation.match.started if situation.match is not None else None
        was_short = started is not None and is_in_ten_minutes(game, started.options)
        plan = play_bots(
            PlayBots(game.slug, bots, situation.dealt.strength, in_ten_minutes=was_short), actor, situation
        )
        return plan if isinstance(plan, Refuse) else replace(plan, act=act)
    if situation.match is None or situation.play is None:
        return not_now("no-match-yet")
    last = situation.match.started
    seated = who_play(situation.rights)
    if not seated and situation.play.nobodys:
        return _by_hand(act, last.game, INVENTED, last.options, situation, invented=True)
    names = {player.seat: player.name for player in last.players}
    called = tuple(Player(seat, name) for seat, name in situation.play.called.items())
    people = tuple(Player(seat, name) for seat, name in (seated or names).items())
    options = played_by(replace(last, players=called or last.players), people).options
    return _by_hand(act, last.game, seated or names, options, situation)


def play_bots(act: PlayBots, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    """Start a match at the simulated table with those who have sat down, this phone's player, and bots elsewhere."""
    game = games.known().get(act.game)
    if game is None or game.physics is None:
        return wrong("bad-game")
    rights = lobby.ticked_off(situation.rights, act.ticked)
    sitting = _sitting(situation, rights)
    out = {seat for seat, guest in rights.people.seated.items() if guest.out}
    own_seats = lobby.seats_of(rights, actor.who.phone) if actor.who.phone else set()
    seat = min(own_seats & sitting.keys(), default=None) or min(own_seats & out, default=None)
    newcomers: dict[int, Guest] = {}
    if seat is None:
        held = lobby.unseated(rights, actor.who)
        seat = next((free for free in (*held, *NEXT_SEATS) if free not in sitting and free not in out), None)
        if seat is None:
            return wrong("too-many", most=game.most_players)
        refused = unfit(act.name)
        if refused is not None:
            return refused
        newcomers = {seat: replace(people.guest(rights.people, act.name), phone=actor.who.phone)}
    sitting = {**sitting, **newcomers}
    # Bots are chosen once for all games: a game takes as many as it has room for, and as many as it needs.
    bots_wanted = min(act.bots, _room(game, rights, sitting))
    free_seats = [free_seat for free_seat in NEXT_SEATS if free_seat not in sitting and free_seat not in out]
    called = player_names.bots_beside([guest.name for guest in (*rights.people.seated.values(), *sitting.values())])
    bots_playing = max(game.fewest_players - len(sitting), bots_wanted, 0)
    bots = dict(zip(sorted(free_seats[:bots_playing]), called, strict=False))
    places = {**{taken_seat: guest.name for taken_seat, guest in sitting.items()}, **bots}
    starting = Starting(
        game.slug,
        tuple(Player(place, places[place]) for place in sorted(places)),
        dict(game.in_ten_minutes) if act.in_ten_minutes else {},
        seat=seat,
        ticked=act.ticked,
        newcomers=newcomers,
        bots=dict.fromkeys(bots, act.strength),
        colours={taken_seat: guest.face.colour for taken_seat, guest in sitting.items() if guest.face},
        simulated=True,
    )
    return _planned(act, starting, leaves_people=situation.people_play)


def seated(starting: Starting, rights: Rights, number: int) -> Rights:
    """Return the rights after the match has begun under this number, with phones seated beside their owners."""
    came = lobby.ticked_off(rights, starting.ticked)
    if not starting.simulated:
        came = lobby.resume(came, starting.before)
    guests = {**came.people.seated, **starting.newcomers}
    came = replace(came, people=replace(came.people, seated=guests))
    begun = lobby.begin(came, {player.seat: player.name for player in starting.players}, number)
    if not starting.simulated:
        return begun
    begun = seat_rights.free(begun, starting.bots)  # a phone that held the seat would see the bot's hand
    known_people = tuple(person for person in begun.people.known if not player_names.is_bots(person.name))
    return replace(begun, people=replace(begun.people, known=known_people))


def _by_hand(
    act: StartMatch | Again,
    slug: str,
    places: Mapping[int, str],
    options: dict[str, Any],
    situation: Situation,
    *,
    invented: bool = False,
) -> PlannedAct | Refuse:
    play = situation.play if situation.play is not None and not situation.play.nobodys else None
    starting = Starting(
        slug,
        tuple(Player(seat, places[seat]) for seat in sorted(places)),
        options,
        invented=invented,
        before=play.names if play is not None else {},
        ticked=act.ticked if isinstance(act, StartMatch) else NOBODY_TICKED,
    )
    return _planned(act, starting, leaves_people=play is not None and play.told > 0 and play.is_on)


def _planned(act: StartMatch | Again | PlayBots, starting: Starting, *, leaves_people: bool) -> PlannedAct | Refuse:
    refused = refusal_to_play(games.known()[starting.game], starting.players)
    if refused is not None:
        return refused
    needs = Needs(Consent.OTHERS, Saying("ask-leave", {"game": starting.game})) if leaves_people else None
    return PlannedAct(act, STARTED, needs, starting=starting, seat=starting.seat)


def refusal_to_play(game: AnyGame, players: Sequence[Player]) -> Refuse | None:
    """Return why they can't play this game: there are too few or too many, or two of them can't be told apart."""
    if len(players) < game.fewest_players:
        return wrong("too-few", fewest=game.fewest_players)
    for first, second in combinations(players, 2):
        if player_names.alike(first.name, second.name):
            return wrong("same-name", name=first.name, number=first.seat, twin=second.name, second=second.seat)
    return wrong("too-many", most=game.most_players) if len(players) > game.most_players else None


def is_in_ten_minutes(game: AnyGame, options: Mapping[str, Any]) -> bool:
    """Return whether a match with these options is a short one."""
    return bool(game.in_ten_minutes) and game.in_ten_minutes.items() <= options.items()


def played_by(last: Started, players: tuple[Player, ...]) -> Started:
    """Return the same match for these players; a head start follows its player to another seat."""
    option = games.known()[last.game].head_starts
    if not last.options.get(option):
        return replace(last, players=players)
    names = {str(player.seat): player.name for player in last.players}
    head_starts = {
        str(player.seat): head_start
        for seat, head_start in last.options[option].items()
        for player in players
        if seat in names and player_names.same(names[seat], player.name)
    }
    return replace(last, players=players, options={**last.options, option: head_starts})


def who_play(rights: Rights) -> dict[int, str]:
    """Return the names, by seat, of those who sit at the table and do not sit out."""
    return {seat: guest.name for seat, guest in rights.people.seated.items() if not guest.out}


def _sitting(situation: Situation, rights: Rights) -> dict[int, Guest]:
    """Return those who play: they wait with a phone, or have played with one; those who sit out do not."""
    return {
        seat: guest
        for seat, guest in rights.people.seated.items()
        if not guest.out and (guest.phone or (seat in rights.holders and seat not in situation.bots))
    }


def _room(game: AnyGame, rights: Rights, sitting: Collection[int]) -> int:
    """Return how many seats are left for bots beside these people."""
    kept_seats = {seat for seat, guest in rights.people.seated.items() if guest.out}.difference(sitting)
    return max(min(game.most_players, len(NEXT_SEATS) - len(kept_seats)) - len(sitting), 0)
