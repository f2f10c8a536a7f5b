"""A family without phones: hands that know only what the big screen and the lamps say, and the cards they hold.

The table is the real program; its readers and its box are emulated, at the other end of serial lines. A phone is used
once, to begin a match: from then on only cards are laid and buttons pressed, until the big screen offers the next one.
"""

import contextlib
import html
import http.client
import random
import re
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from companion import games
from companion.act_cards import ACT_CARDS, PILE_EMPTY, UNDO
from companion.devices.buzzer_box import programs
from companion.game.playing_cards import SUITS
from companion.games.crazy_eights.cards import fits, is_eight
from companion.games.hearts.cards import QUEEN, cards_in_play, in_order, suit
from companion.games.speed_duel.cards import CARDS_OF, pile_for
from tests.cli.test_start_messages import free_port
from tests.emulators.box import EmulatedBox
from tests.emulators.pn532_pty import UartPN532
from tests.waiting import PATIENCE, until

NAMES = {1: "Ana", 2: "Bo", 3: "Cléo"}
SEATS = tuple(NAMES)
RADIO = 0.01
"""Seconds a reader looks for cards."""
READ_POLLS = 6
GONE_POLLS = 4
STAYS = 3.0
"""Seconds after which people who see no change do again what the screen asks for."""
OFFER = "Once more? Press a buzzer."
"""What the big screen says after a match."""
TABLE = """
log = "log.sqlite"
tags = "tags.toml"
[page]
host = "127.0.0.1"
port = {port}
[[buzzers]]
driver = "pico"
port = "{box}"
seats = [1, 2, 3]
"""
READER = """
[[reader]]
driver = "pn532-uart"
place = "{place}"
port = "{port}"
"""
_NOW = re.compile(
    r'<(?:p|div) class="now[^>]*>(.*?)</(?:p|div)>|id="asked-\d"[^>]*>(.*?)</p>|id="announced"[^>]*>(.*?)</p>',
    re.DOTALL,
)
_NOTICE = re.compile(r'<p class="(?:crowded|hint)"[^>]*>(.*?)</p>|id="contested-[^>]*>(.*?)</div>', re.DOTALL)
_TAG = re.compile(r"<[^>]*>")

Answer = Callable[[str], None]
"""(what the big screen asks for) → does it."""


class Family:
    """Three people at a table, and its devices."""

    def __init__(self, folder: Path, readers: dict[str, UartPN532], box: EmulatedBox) -> None:
        self.box = box
        self.chance = random.Random(7)
        self.playing = SEATS
        """The seats of the match: those of a game for two are the first two."""
        self.hands = [*games.known()["go"].deck]
        """¡Go!: twelve cards for each seat in turn, then the row card, then what is left."""
        self._readers = readers
        self._port = free_port()
        self._file = folder / "table.toml"
        self._errors = folder / "errors.txt"
        parts = [TABLE.format(port=self._port, box=box.path)]
        parts += [READER.format(place=place, port=reader.path) for place, reader in readers.items()]
        self._file.write_text("".join(parts), encoding="utf-8")
        self._uids = {
            (slug, card): f"04{number:012X}"
            for number, (slug, card) in enumerate(
                (slug, card) for slug, pieces in games.with_tags().items() for card in pieces.deck
            )
        }
        lines: list[str] = []
        for slug, pieces in games.with_tags().items():
            lines += [f"[{slug}]", *(f'{card} = "{self._uids[slug, card]}"' for card in pieces.deck)]
        (folder / "tags.toml").write_text("\n".join(lines), encoding="utf-8")

    @contextlib.contextmanager
    def table(self) -> Iterator[None]:
        """Switch the table on."""
        with self._errors.open("ab") as errors:
            command = [sys.executable, "-m", "companion", "run", str(self._file)]
            program = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
        try:
            until(self._answers, self._errors.read_text)
            yield
        finally:
            program.terminate()
            program.wait()
        assert "Traceback" not in self._errors.read_text()

    def begin(self, slug: str, **options: str) -> None:
        """Begin a match on the host's phone; from now on it lies in another room."""
        self.playing = SEATS[: games.known()[slug].most_players]
        form = {"game": slug, **{f"seat-{seat}": NAMES[seat] for seat in self.playing}}
        if options:  # else the form does not show them, and the booklet's hold
            form |= {f"{slug}.": "", **{f"{slug}.{option}": value for option, value in options.items()}}
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        status, answer = self._ask("POST", "/start", urllib.parse.urlencode(form), headers)
        assert status == 200, answer

    # What people see.

    def screen(self) -> str:
        """Return what the big screen asks for."""
        return self._shown(_NOW)

    def notices(self) -> str:
        """Return what the big screen says of what has just gone wrong."""
        return self._shown(_NOTICE)

    def lit(self, *cues: str) -> list[int]:
        """Return the seats whose lamps show one of these."""
        return [seat for seat in SEATS if self._lamp(seat)[0] in cues]

    def counted(self, seat: int) -> int:
        """Return the number that a seat's lamp blinks; 0: none."""
        _, number = self._lamp(seat)
        return int(number or 0)

    def _lamp(self, seat: int) -> tuple[str, str]:
        cue, _, number = self.box.lamps.get(seat, "").partition(" ")
        return cue, number

    # What people do.

    def lay(self, place: str | int, slug: str, card: str) -> None:
        """Lay a card, or a bare sticker by its number, on a pad long enough to be read, and take it away."""
        reader = self._readers[f"seat-{place}" if isinstance(place, int) else place]
        reader.put(self._uids.get((slug, card), card))
        reader.wait_polls(READ_POLLS)
        reader.clear()
        reader.wait_polls(GONE_POLLS)

    def press(self, seat: int) -> None:
        self.box.press(seat)

    def pause(self, seconds: float) -> None:
        """Wait as people do, by the clock on the wall."""
        time.sleep(seconds)

    def play(self, answer: Answer) -> None:
        """Do what the screen asks for until it offers the next match. Raises TimeoutError if nothing changes."""
        asked_screen = ""
        changed_at = answered_at = time.monotonic()
        while OFFER not in (screen := self.screen()):
            at = time.monotonic()
            if screen != asked_screen:
                asked_screen = screen
                changed_at = at
            elif at > changed_at + PATIENCE:
                raise TimeoutError(f"whatever people do, the screen goes on saying: {screen}")
            elif at < answered_at + STAYS:
                self.pause(0.05)
                continue
            answered_at = at
            answer(screen)

    def _shown(self, parts: re.Pattern[str]) -> str:
        _, page = self._ask("GET", "/big?lang=en")
        texts = ("".join(groups) for groups in parts.findall(page))
        return " | ".join(dict.fromkeys(html.unescape(_TAG.sub("", text)).strip() for text in texts))

    def _answers(self) -> bool:
        try:
            return self._ask("GET", "/join")[0] == 200
        except OSError:
            return False

    def _ask(self, how: str, path: str, form: str = "", headers: dict[str, str] | None = None) -> tuple[int, str]:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)) as phone:
            phone.request(how, path, form, headers or {})
            answer = phone.getresponse()
            return answer.status, answer.read().decode()


@contextlib.contextmanager
def family(folder: Path) -> Iterator[Family]:
    """Sit down at a table with a reader at each seat and in the middle, and a box with three buttons."""
    with contextlib.ExitStack() as plugged:
        places = ("centre", *(f"seat-{seat}" for seat in SEATS))
        readers = {place: plugged.enter_context(UartPN532(radio=RADIO)) for place in places}
        box = plugged.enter_context(EmulatedBox(firmware=programs.version(), drift_ppm=40))
        family = Family(folder, readers, box)
        with family.table():
            yield family


def named_in(screen: str) -> list[int]:
    """Return the seats of the people whom the screen names."""
    return [seat for seat, name in NAMES.items() if name in screen]


# The games: what each asks for, and what hands do then.


def stop_it(people: Family) -> Answer:
    """Bo has no stop card at first, then one; then the piles are empty. Cléo has no red card."""
    ended = 0
    hands = {1: ("red-1", "red-2"), 2: ("red-3",), 3: ()}

    def answer(screen: str) -> None:
        nonlocal ended
        if "shortest arms" in screen:
            people.press(1)
        elif "Any stop card left?" in screen:
            people.pause(1)
        elif "no red cards? Press again" in screen:
            people.pause(1.1)
            people.press(named_in(screen)[0])
        elif "See a stop card?" in screen:
            if ended == 2:
                people.lay("centre", ACT_CARDS.slug, PILE_EMPTY)
                return
            people.pause(0.7)
            people.press(2)
        elif "show a stop card" in screen:
            if ended == 0:
                people.pause(1.6)
                people.press(2)
            else:
                people.lay(2, "stop-it", "red-stop-1")
                people.pause(1.1)
        elif "Count your red cards" in screen:
            seat = people.lit("waiting")[0]
            for card in hands[seat]:
                people.lay(seat, "stop-it", card)
            until(lambda: people.counted(seat) >= len(hands[seat]))
            people.press(seat)
        elif "start again" in screen:
            ended += 1
            people.press(named_in(screen)[0])

    return answer


def go(people: Family) -> Answer:
    """Whoever starts calls at once; the best series counts."""
    deck = people.hands

    def answer(screen: str) -> None:
        if "Hit your buzzer for ¡Go!" in screen:
            people.chance.shuffle(deck)
            people.press(named_in(screen)[0])
        elif "tap the open row card" in screen:
            people.lay("centre", "go", deck[36])
        elif "press for the best series" in screen:
            people.press(named_in(screen)[0])
        elif "Tap your twelve cards" in screen or "to show" in screen:
            for seat in people.lit("waiting", "first"):
                for card in deck[12 * seat - 12 : 12 * seat]:
                    people.lay(seat, "go", card)

    return answer


def stop_me_go(people: Family) -> Answer:
    """Ana stops the first gangster of each round."""
    colours = dict(zip(SEATS, ("red", "orange", "yellow"), strict=True))
    gangsters = [f"gangster-{number}" for number in range(1, 11)]
    tokens = [card for card in games.known()["stop-me-go"].deck if card.startswith("token")]
    lays = 0

    def answer(screen: str) -> None:
        nonlocal lays
        if "urn over a gangster" in screen or "next gangster" in screen or "Turn one over" in screen:
            gangster = gangsters.pop(0)
            gangsters.append(gangster)
            people.lay("centre", "stop-me-go", gangster)
        elif "Lay a card on" in screen:
            lays += 1
            turn = (lays - 1) % 4 + 1
            for seat in people.lit("waiting"):
                card = "stop" if (seat, turn) == (1, 1) else f"go-{turn}"
                people.lay(seat, "stop-me-go", f"{colours[seat]}-{card}")
        elif "Hit a buzzer to reveal" in screen:
            people.pause(0.6)
            people.press(2)
        elif "take a token" in screen:
            people.lay(named_in(screen)[0], "stop-me-go", tokens.pop())

    return answer


def kartel(people: Family) -> Answer:
    """Everybody takes what they like; the first token is put back, and taken again."""
    tokens = [*games.known()["kartel"].deck]
    bosses = [card for card in tokens if card.endswith("boss")]
    order = ["red-1", *bosses]
    tokens_taken: list[str] = []

    def answer(screen: str) -> None:
        if "roll and tap your token" not in screen:
            return
        seat = named_in(screen)[0]
        if tokens_taken == ["red-1"]:
            tokens_taken.append("")
            people.lay(1, ACT_CARDS.slug, UNDO)
            return
        card = order.pop(0)
        if not tokens_taken:
            order.insert(0, card)
        tokens_taken.append(card)
        people.lay(seat, "kartel", card)

    return answer


def hearts(people: Family) -> Answer:
    """Everybody passes and presses, then plays what they hold, of the suit that was led if they can."""
    deck = cards_in_play(3)
    hands: dict[int, list[str]] = {1: [], 2: [], 3: []}
    trick: list[str] = []

    def play(seat: int, card: str) -> None:
        hands[seat].remove(card)
        trick.append(card)
        if len(trick) == len(hands):
            trick.clear()
        people.lay(seat, "playing-cards", card)

    def answer(screen: str) -> None:
        if "then press" in screen:
            for seat in people.lit("waiting")[:1]:
                people.press(seat)
        elif "Whoever holds the" in screen:
            for number, hand in enumerate(hands.values()):
                hand[:] = in_order(deck[number::3])
            play(next(seat for seat, hand in hands.items() if "clubs-2" in hand), "clubs-2")
        elif "leads the next trick" in screen or "follows the" in screen:
            seat = named_in(screen)[0]
            following = [card for card in hands[seat] if trick and suit(card) == suit(trick[0])]
            harmless = [card for card in hands[seat] if suit(card) != "hearts" and card != QUEEN]
            play(seat, (following or harmless or hands[seat])[-1])

    return answer


def crazy_eights(people: Family) -> Answer:
    """Everybody lays the first card that fits, presses once after an eight, or draws and presses."""
    hands: dict[int, list[str]] = {1: [], 2: [], 3: []}
    pile: list[str] = []
    top = asked_for = ""

    def answer(screen: str) -> None:
        nonlocal top, asked_for
        seat = named_in(screen)[0]
        if "turn one up" in screen:
            pile[:] = people.chance.sample([*games.known()["crazy-eights"].deck], 52)
            for hand in hands.values():
                hand[:] = [pile.pop() for _ in range(5)]
            top = next(card for card in pile if not is_eight(card))
            pile.remove(top)
            asked_for = suit(top)
            people.lay("centre", "playing-cards", top)
        elif "tap all cards left" in screen:
            for card in hands[seat]:
                people.lay("centre", "playing-cards", card)
        elif "draw and press" in screen or "lay what fits" in screen:
            fitting = [card for card in hands[seat] if fits(card, top, asked_for)]
            if not fitting:
                if pile and "draw and press" in screen:
                    hands[seat].append(pile.pop())
                people.press(seat)
                return
            top = fitting[0]
            asked_for = suit(top)
            hands[seat].remove(top)
            people.lay("centre", "playing-cards", top)
            if is_eight(top) and hands[seat]:
                people.press(seat)
                asked_for = (*SUITS, SUITS[0])[SUITS.index(asked_for) + 1]

    return answer


def speed_snap(people: Family) -> Answer:
    """Everybody turns the next card, and seat 2 presses for each two that are alike."""
    cards = [*games.known()["speed-snap"].deck]
    ranks: list[str] = []

    def answer(screen: str) -> None:
        if len(ranks) > 1 and ranks[-1] == ranks[-2]:
            people.press(2)
            ranks.clear()
        if "turn a card" in screen or "Turn the first" in screen:
            if not cards:
                return
            card = cards.pop(people.chance.randrange(len(cards)))
            ranks.append(card.partition("-")[2])
            people.lay("centre", "playing-cards", card)

    return answer


SHORT_SPEED = 8
"""Cards each."""


def speed_duel(people: Family) -> Answer:
    """Both turn up a card, then lay whatever fits, and press once nothing does."""
    stocks = {seat: people.chance.sample(cards, len(cards)) for seat, cards in zip((1, 2), CARDS_OF, strict=True)}
    hands = {seat: [stock.pop() for _ in range(5)] for seat, stock in stocks.items()}
    tops = ["", ""]
    number_laid = {1: 0, 2: 0}

    def lay(seat: int, card: str, pile: int) -> None:
        tops[pile] = card
        number_laid[seat] += 1
        people.lay("centre", "playing-cards", card)

    def race() -> None:
        laying = True
        while laying:
            laying = False
            for seat, hand in hands.items():
                fitting = [(card, pile) for card in hand if (pile := pile_for(card, tops)) is not None]
                if fitting and SHORT_SPEED not in number_laid.values():
                    card, pile = fitting[0]
                    hand[hand.index(card)] = stocks[seat].pop()
                    lay(seat, card, pile)
                    laying = True

    def answer(screen: str) -> None:
        if "turn up" in screen:
            for seat in people.lit("waiting"):
                lay(seat, stocks[seat].pop(), seat - 1)
        elif "One higher or lower" in screen:
            race()
            people.press(1)
            people.press(2)

    return answer


class Slip(NamedTuple):
    """Something that goes wrong while the screen asks for something, the first time that it does."""

    asked: str
    act: Callable[[Family], None]
    said: str
    """What the screen says then; "": nothing, because it may not."""


def clumsy(people: Family, answer: Answer, slips: Sequence[Slip]) -> tuple[Answer, list[Slip]]:
    """Return hands that slip in all these ways, and the slips that are still to come."""
    to_come = [*slips]

    def slips_or_answers(screen: str) -> None:
        slip = next((slip for slip in to_come if slip.asked in screen), None)
        if slip is None:
            answer(screen)
            return
        to_come.remove(slip)
        slip.act(people)
        until(lambda: slip.said in f"{people.notices()} | {people.screen()}", people.notices)

    return slips_or_answers, to_come


BARE = "04FFFFFFFFFFFE"
"""A sticker that is on no card."""


def _lays(place: str | int, slug: str, card: str) -> Callable[[Family], None]:
    return lambda people: people.lay(place, slug, card)


def _presses(seat: int) -> Callable[[Family], None]:
    return lambda people: people.press(seat)


def _done_with_nothing_laid(people: Family) -> None:
    people.pause(1.1)
    people.press(1)
    until(lambda: "Ana: no red cards? Press again" in people.screen())
    people.lay(1, "stop-it", "red-1")


def _done_too_early(people: Family) -> None:
    people.lay(1, "stop-it", "red-1")
    people.pause(1.1)
    people.press(1)
    until(lambda: people.lit("waiting") == [2, 3])
    people.lay(1, "stop-it", "red-2")
    until(lambda: "Lay UNDO, then count again" in people.notices())
    people.lay(1, ACT_CARDS.slug, UNDO)
    until(lambda: people.lit("waiting") == [1, 2, 3])


SLIPS: Mapping[str, Sequence[Slip]] = {
    "stop-it": (
        Slip("Count your red cards", _lays(1, "stop-it", BARE), "that card is not known here. On a phone: enter it."),
        Slip("Count your red cards", _lays(1, "kartel", "red-1"), "belongs to another game"),
        Slip("Count your red cards", _lays(1, "stop-it", "blue-1"), "another colour"),
        Slip("Count your red cards", _lays(2, "stop-it", "red-1"), ""),
        Slip("Count your red cards", _done_with_nothing_laid, ""),
        Slip("Count your red cards", _done_too_early, ""),
        Slip("Count your red cards", _lays(1, ACT_CARDS.slug, "void"), "VOID says nothing now"),
        Slip("start again", _presses(3), "Cléo: only the caller starts again"),
    ),
    "go": (
        Slip("Hit your buzzer for ¡Go!", _lays(2, "go", "red-1"), "Bo: nobody has called, so no card counts"),
        Slip("tap the open row card", _lays("centre", "kartel", "red-1"), "card of another game"),
        Slip("Tap your twelve cards", lambda people: people.lay(3, "go", people.hands[12]), ""),
        Slip("Tap your twelve cards", _lays(1, "go", BARE), "that card is not known here"),
        Slip(
            "press for the best series",
            lambda people: people.lay(1, "go", people.hands[40]),
            "Lay UNDO, then tap all twelve again",
        ),
    ),
    "stop-me-go": (
        Slip("Lay a card on gangster\u00a01", _lays(1, "stop-me-go", BARE), "that card is not known here"),
        Slip("Lay a card on gangster\u00a01", _lays(1, "go", "red-1"), "belongs to another game"),
        Slip("Lay a card on gangster\u00a02", _lays(2, "stop-me-go", "red-go-2"), "has not your colour"),
        Slip("Lay a card on gangster\u00a02", _lays("centre", "stop-me-go", "gangster-9"), "Not yet"),
        Slip("Lay a card on gangster\u00a03", _presses(1), "Ana: that press does not count"),
        Slip("take a token", _lays(2, "stop-me-go", "token-0-1"), "Bo: only the winner of the round"),
    ),
    "kartel": (
        Slip("Ana, roll and tap", _lays(2, "kartel", "red-1"), "It is Ana’s turn. Put the red 1 back"),
        Slip("Ana, roll and tap", _lays(1, "kartel", BARE), "that card is not known here"),
        Slip("Ana, roll and tap", _lays(1, "stop-it", "red-1"), "belongs to another game"),
        Slip("Cléo, roll and tap", _lays(3, "kartel", "red-boss"), "is in prison already"),
    ),
    "hearts": (
        Slip("Whoever holds the", _lays(1, "playing-cards", "clubs-9"), "leads the round"),
        Slip("Whoever holds the", _lays(1, "playing-cards", BARE), "that card is not known here"),
        Slip("Whoever holds the", _lays(1, "kartel", "red-1"), "belongs to another game"),
    ),
    "crazy-eights": (
        Slip("turn one up", _lays("centre", "playing-cards", "clubs-8"), "An eight can’t be first"),
        Slip("draw and press", _lays(1, "playing-cards", "clubs-9"), "Tap the 9 of clubs on the centre pad"),
        Slip("draw and press", _lays("centre", "playing-cards", BARE), "hat card is not known here"),
        Slip("draw and press", _lays("centre", "kartel", "red-1"), "card of another game"),
    ),
    "speed-snap": (
        Slip("turn a card", _lays(1, "playing-cards", "clubs-9"), "tap it on the centre pad"),
        Slip("turn a card", _lays("centre", "playing-cards", BARE), "hat card is not known here"),
        Slip("turn a card", _lays("centre", "kartel", "red-1"), "card of another game"),
    ),
    "speed-duel": (
        Slip("turn up", _lays(1, "playing-cards", "clubs-9"), "tap it on the centre pad"),
        Slip("turn up", _lays("centre", "playing-cards", BARE), "hat card is not known here"),
        Slip("One higher or lower", _lays("centre", "kartel", "red-1"), "card of another game"),
    ),
}
"""In each game, one of each kind that it can have."""

GAMES: Sequence[tuple[str, Callable[[Family], Answer], dict[str, str]]] = (
    ("stop-it", stop_it, {}),
    ("go", go, {"target": "1"}),
    ("stop-me-go", stop_me_go, {"target": "2"}),
    ("kartel", kartel, {}),
    ("hearts", hearts, {"limit": "20"}),
    ("crazy-eights", crazy_eights, {"limit": "20"}),
    ("speed-snap", speed_snap, {"deals": "1"}),
    ("speed-duel", speed_duel, {"cards": str(SHORT_SPEED)}),
)
"""Each game, what hands do in it, and the options that make it short."""
