"""A table at which acts are done without a page: real log, judge, rights and questions, restarted at will."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST, Rights, who
from companion.acts.act import Act
from companion.acts.decide import Reply
from companion.acts.kept_questions import KeptQuestions
from companion.acts.question import Question
from companion.acts.table import Actor
from companion.events import Player, Pressed, Said, Tapped
from companion.live.acting import Acting, Carried
from companion.live.beside_play import ShownBeside
from companion.live.demo import Hand
from companion.live.simulation import Simulation
from companion.live.table import Live
from companion.live.upkeep import Upkeep
from companion.storage import files
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from tests.web.table import Clock

PEOPLE = tuple(Player(seat, name) for seat, name in enumerate(("Ana", "Bo", "Cléo", "Dan", "Eve", "Fay"), 1))
HOLDERS: Mapping[int, str] = {HOST: "phone-1", **{seat: f"phone-{seat}" for seat in range(1, 7)}}


class TableOfActs:
    """Six play, each with a phone of their own; the first is the host. Cards are being counted."""

    hand_of: Callable[[Live], Hand] | None = None
    """Makes the hand of a virtual table; None: there is none."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "log.sqlite"
        self.clock = Clock()
        self.questions_clock = self.clock
        self.open()
        self.phones.change(lambda rights: Rights(rights.codes, HOLDERS))
        self.count()

    def open(self) -> None:
        self.log = Log(self.path, writes=True)
        self.live = Live(self.log, self.clock, Decks(None))
        self.live.start()
        self.phones = Phones(files.phones_of(self.path), self.clock)
        self.questions = KeptQuestions(self.path, lambda: None, self.questions_clock)
        self.acting = Acting(
            self.live,
            self.phones,
            self.questions,
            ShownBeside(lambda: None, self.questions_clock),
            simulation=None if self.hand_of is None else Simulation(self.live),
            demo=None,
            hand=None if self.hand_of is None else self.hand_of(self.live),
            upkeep=Upkeep(),
            by_code=False,
            evening=tuple,
        )

    def close(self) -> None:
        self.live.stop()
        self.log.close()

    def restart(self) -> None:
        self.close()
        self.open()

    def count(self) -> None:
        """Begin a match, and have everybody count."""
        self.live.begin("stop-it", PEOPLE, {})
        for seconds, event in (
            (1, Pressed(0, 0.0, 1)),
            (2, Pressed(0, 0.0, 1)),
            (1, Tapped(0, 0.0, "centre", "red-stop-1")),
        ):
            self.clock.now += seconds
            self.live.enter(event)
        self.clock.now += 2
        self.live.enter(Said(0, 0.0, 2, "count", 4))

    def actor(self, phone: str) -> Actor:
        actor = Actor(who(self.phones.rights, phone))
        self.phones.here(actor.who)
        return actor

    def do(self, phone: str, act: Act) -> Carried:
        alone = self.acting.do_alone(act, self.actor(phone))
        return alone if alone is not None else self.acting.carry_out(act, self.actor(phone))

    def answer(self, phone: str, name: str, answer: Reply = Reply.YES) -> Carried:
        return self.acting.answer(name, answer, self.actor(phone))

    @property
    def question(self) -> Question | None:
        return self.acting.situation().question

    def counts(self) -> dict[int, int]:
        counts: dict[int, int] = self.live.ask(lambda match: dict(match.state.counts))
        return counts

    def entered_under(self, name: str) -> int:
        """Return how many events the log holds under a question's number."""
        return len(self.log._rows("SELECT 1 FROM event WHERE origin = ?", name))


@contextmanager
def table_of_acts(folder: Path) -> Iterator[TableOfActs]:
    table = TableOfActs(folder)
    try:
        yield table
    finally:
        table.close()
