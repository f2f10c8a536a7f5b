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
from collections.abc import Callable, Iterator
from pathlib import Path

from companion import games
from companion.devices.buzzer_box import programs
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
