"""A whole match of each game with the room it is played in: four phones, a host's, one that looks on, a big screen."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from companion.devices.sensing import Appeared, Buzzed, Gone
from companion.judge.match import judge
from companion.live.table import Live
from tests.chromium import Opened
from tests.games.go.table import cards
from tests.waiting import until
from tests.web.table import Clock, app_with, living, phones_of, serving
from web.render.words import PageWords

PHONE = {"width": 360, "height": 740}
PEOPLE = {1: "Ana", 3: "Bo", 4: "Cléo", 6: "Dédé"}
LANGUAGES = {1: "en", 3: "en", 4: "fr", 6: "fr"}
# Told by every page as soon as it shows what nobody may see in a match that goes well.
WATCH = """
addEventListener("DOMContentLoaded", () => {
  const look = () => {
    const wrong = document.querySelector("#toast.wrong, .answer.wrong, .now.refused, .hint, .trouble");
    if (wrong?.textContent) wentWrong(`${location.pathname}: ${wrong.textContent}`);
  };
  look();
  new MutationObserver(look).observe(document.body, {subtree: true, childList: true, attributes: true});
});
"""


class Room:
    """The table, and every browser around it."""

    def __init__(self, live: Live, clock: Clock, address: str, opened: Opened):
        self.live, self.clock, self.address = live, clock, address
        self.wrong: list[str] = []
        self._opened = opened
        self.host = self._browser("en", **PHONE)
        self.phones = {seat: self._browser(language, **PHONE) for seat, language in LANGUAGES.items()}
        self.looker = self._browser("fr", **PHONE)
        self.big = self._browser("en", width=1920, height=1080)

    def _browser(self, language: str, **size: int) -> Page:
        page = self._opened(f"{self.address}/join", token=None, viewport=size, locale=language)
        page.expose_function("wentWrong", lambda told: self.wrong.append(told))
        page.add_init_script(WATCH)
        return page

    def begin(self, slug: str, options: Mapping[str, str]) -> None:
        """The host starts the match; everybody claims his seat by its code."""
        host = self.host
        host.goto(f"{self.address}/host")
        host.check(f"[name=game][value={slug}]")
        for seat, name in PEOPLE.items():
            host.locator(f"[name=seat-{seat}]").fill(name)
        if options:
            host.locator(f"div:has(> label [value={slug}]) summary").click()
        for option, value in options.items():
            host.locator(f"[name='{slug}.{option}']").fill(value)
        host.get_by_role("button", name="Start the match", exact=True).click()
        host.wait_for_url("**/host/codes")
        for seat, phone in self.phones.items():
            code = host.locator(f"#code-{seat} strong").inner_text().replace(" ", "")
            phone.goto(f"{self.address}/join/{code}")
            phone.wait_for_url(f"**/seat/{seat}")
        host.goto(f"{self.address}/host")
        self.looker.goto(f"{self.address}/")
        self.big.goto(f"{self.address}/big")

    def touch(self, button: Locator) -> None:
        """Press a button on a page, and wait until the table has judged it."""
        before = self._events
        self.clock.now += 2
        button.click()
        until(lambda: self._events > before)

    def lay(self, place: str, *ids: str) -> None:
        """Cards are laid on a reader, one after the other."""
        slug = self.live.ask(lambda match: match.game.slug)
        for card in ids:
            self.clock.now += 1
            uid = f"virtual:{slug}/{card}"
            self.live.tell(Appeared(place, uid, self.clock()))
            self.live.tell(Gone(place, uid, self.clock() + 0.5))

    def press(self, seat: int, after: float = 2.0) -> None:
        """A buzzer is hit, so many seconds after whatever came before."""
        self.clock.now += after
        self.live.tell(Buzzed(seat, self.clock(), 0.00005, ""))

    @property
    def _events(self) -> int:
        return self.live.ask(lambda match: len(match.events))

    def agree(self) -> None:
        """Every page says what the judge makes of the recorded events."""
        until(lambda: self.live.ask(lambda match: match.over))
        match = judge(self.live.ask(lambda match: list(match.events)))
        assert match.misplays == []
        winners = match.outcome.winners
        own = zip(self.phones.values(), LANGUAGES.values(), match.seats, strict=True)
        for page, language, seat in (*own, (self.looker, "fr", None), (self.big, "en", None)):
            words = PageWords(match.game.slug, language, match.names)
            said = words.say("news-end-me" if seat in winners else "news-end", {"seats": winners})
            expect(page.locator(".won .headline")).to_have_text(said)
        scores = {PEOPLE[seat]: points for seat, points in match.outcome.scores.items()}
        for (seat, name), points in zip(PEOPLE.items(), scores.values(), strict=True):
            shown = "" if points is None else str(points).replace("-", "−")
            expect(self.big.locator(f"#s{seat} strong")).to_have_text(shown)
            expect(self.big.locator(f"#s{seat} b")).to_have_text(name)
        if None not in scores.values():
            expect(self.looker.locator(".scores > span")).to_have_text(
                [f"{name}{points}".replace("-", "−") for name, points in scores.items()]
            )
        assert self.wrong == []


@contextmanager
def room(folder: Path, opened: Opened, slug: str, **options: str) -> Iterator[Room]:
    clock = Clock()
    with living(folder, clock) as live, serving(app_with(live, phones_of(live, {}), virtual=False)) as port:
        here = Room(live, clock, f"http://127.0.0.1:{port}", opened)
        here.begin(slug, options)
        yield here
        here.agree()


def test_stop_it(tmp_path: Path, opened: Opened) -> None:
    with room(tmp_path, opened, "stop-it") as here:
        ana, bo, cleo, dede = here.phones.values()
        here.touch(ana.locator(".buzzer.go"))
        here.press(3)
        here.press(6, 0.0018)
        here.lay("centre", "red-stop-1")
        expect(here.big.locator(".news")).to_contain_text("First, 1.80 ms before Dédé")
        expect(here.looker.locator(".news")).to_contain_text("1,80 ms avant Dédé")
        for phone, count in ((ana, 4), (cleo, 1), (dede, 3), (bo, 2)):
            here.touch(phone.locator(f".pad18 [value='{count}']"))
        expect(here.looker.locator("#r1")).to_contain_text("1,80 ms avant Dédé")
        here.touch(bo.locator(".buzzer.go"))
        here.touch(cleo.locator(".buzzer"))
        here.touch(cleo.locator(".stops .c-blue"))
        for phone, count in ((ana, 5), (dede, 0), (cleo, 2), (bo, 2)):
            here.touch(phone.locator(f".pad18 [value='{count}']"))
        here.press(4)
        expect(here.looker.locator(".now")).to_contain_text("Une carte stop ?")
        here.touch(dede.get_by_role("button", name="Les talons sont vides"))
        here.clock.now += 60


def test_stop_me_go(tmp_path: Path, opened: Opened) -> None:
    colours = dict(zip(PEOPLE, ("red", "orange", "green", "blue"), strict=True))
    with room(tmp_path, opened, "stop-me-go") as here:
        ana, bo, cleo, dede = here.phones.values()
        here.touch(cleo.locator(".smg-ten [value=gangster-8]"))
        for first in (True, False, False):
            if not first:
                here.lay("centre", "gangster-8")
            # On the first gangster two lay by phone: Ana STOP, Cléo GO.
            for seat, phone, face in ((1, ana, "stop"), (4, cleo, "go")):
                if first:
                    phone.locator(f"#pick-{colours[seat]} input").check()
                here.touch(phone.locator(f".smg-pair [value={colours[seat]}-{face}]:visible"))
            here.lay("seat-3", "orange-go-1")
            here.lay("seat-6", "blue-go-1")
            for turn, gangster in enumerate((2, 5, 3), 2):
                here.lay("centre", f"gangster-{gangster}")
                for seat, colour in colours.items():
                    here.lay(f"seat-{seat}", f"{colour}-go-{turn}")
            expect(here.big.locator(".now")).to_contain_text("reveal gangster 8")
            here.touch(bo.locator(".smg-buzzer"))
            here.press(6)
            here.press(6)
            here.touch(dede.locator(".smg-buzzer"))
            expect(here.looker.locator(".now")).to_contain_text("Ana prend un jeton")
            here.touch(ana.locator(".big-act"))


def test_go(tmp_path: Path, opened: Opened) -> None:
    with room(tmp_path, opened, "go", target="1") as here:
        ana, bo, cleo, _ = here.phones.values()
        here.touch(ana.locator(".buzzer"))
        here.lay("row", "grey-11")
        for phone, hand in (
            (bo, "B1 B2 B3 G4 G5 G6 B7 B8 G9 O10 K4 V11"),
            (cleo, "T1 T2 T5 V6 V7 V8 N9 N10 Y3 P3 R4 K7"),
        ):
            for card in cards(hand):
                phone.locator(f".ticks [value={card}]").check()
            here.touch(phone.locator(".send button"))
        here.lay("seat-6", *cards("V1 V2 V3 V4 V5 N1 N2 N3 N4 N5 B11 G11"))
        expect(here.looker.locator(".now")).to_contain_text("On attend Ana")
        here.lay("seat-1", *cards("O1 O2 P4 O5 P6 P11 O8 P9 K10 K3 R2 Y7"))
        expect(here.big.locator(".now")).to_contain_text("Ana, choose your series")
        here.touch(ana.get_by_role("button", name="Take this series: penalty 9"))


def test_kartel(tmp_path: Path, opened: Opened) -> None:
    with room(tmp_path, opened, "kartel") as here:
        ana, bo, cleo, dede = here.phones.values()
        here.touch(ana.locator(".ka-gangs [value=red-3]"))
        here.lay("seat-3", "red-2a")
        here.touch(cleo.locator(".ka-gangs [value=red-boss]"))
        expect(here.big.locator(".news")).to_contain_text("Ana 1 and Bo 1")
        here.lay("centre", "blue-1")
        here.touch(ana.locator(".ka-gangs [value=blue-boss]"))
        expect(here.looker.locator(".now")).to_contain_text("Bo lance le dé")
        here.lay("seat-3", "green-boss")
        here.touch(cleo.locator(".ka-gangs [value=violet-money]"))
        here.touch(dede.locator(".ka-gangs [value=violet-boss]"))
        here.touch(ana.locator(".ka-gangs [value=orange-2a]"))
        here.touch(bo.locator(".ka-gangs [value=yellow-boss]"))
