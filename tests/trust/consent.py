"""Eight phones want things of each other while the table is switched off and its disk is full: no yes is lost, none is
done twice, and nothing is done after a no.
"""

import random
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from unittest.mock import patch

from companion.acts.act import Act
from companion.acts.decide import Reply, may_agree
from companion.acts.kept_questions import KeptQuestions
from companion.acts.match_acts import End, EnterWord, GoOnWithMatch, TakeBack, TakeBreak
from companion.acts.outcome import ActRefused
from companion.acts.question import Question
from companion.acts.seat_acts import FreeSeat, HandOn, Rename, SitOut
from companion.acts.told import EntryTold
from companion.errors import CompanionError, NotKept
from companion.storage import files
from companion.storage.opening import LogFault
from tests.acts.at_table import TableOfActs, table_of_acts
from tests.trust.findings import Finding, Tally

SEQUENCES, QUICKLY = 10_000, 40
STEPS = 14
PHONES = (*(f"phone-{seat}" for seat in range(1, 7)), "looker", "newcomer")
FULL = OSError(28, "No space left on device")
_MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None


class PowerCut(Exception):
    """The table is switched off at this point."""


class _Promises:
    """What was promised at one table, and whether it was kept."""

    def __init__(self, table: TableOfActs, chance: random.Random, tally: Tally, sequence: int) -> None:
        self._table = table
        self._chance = chance
        self._tally = tally
        self._sequence = sequence
        self._declined: set[str] = set()
        self._agreed: set[str] = set()
        self._entered: dict[str, bool] = {}
        """Whether a question's act becomes an event, by its number."""

    def step(self) -> None:
        """Let a phone want something or answer, with the disk as it may be; or switch the table off and on."""
        table, chance = self._table, self._chance
        table.clock.now += chance.choice((0.5, 1, 5, 30))
        if chance.random() < 0.2:
            before = table.question
            table.restart()
            after = table.question
            if before is not None:
                is_found = after is not None and after.id == before.id
                self._note("a restart finds what was asked", is_found, (before, after))
            return
        question = table.question
        with ExitStack() as faults:
            self._spoil(faults)
            try:
                if question is not None and chance.random() < 0.7:
                    self._answer(question.id)
                else:
                    with suppress(CompanionError):
                        table.do(chance.choice(PHONES), self._wish())
            except PowerCut:
                cut = True
            else:
                cut = False
        if cut:
            table.restart()
        if table.question is not None:
            self._entered[table.question.id] = isinstance(table.question.act, EnterWord | TakeBack)

    def settle(self) -> None:
        """See that all was kept."""
        for name in self._declined:
            count = self._table.entered_under(name)
            self._note("nothing is done after a no", count == 0, name)
        for name, is_entered in self._entered.items():
            count = self._table.entered_under(name)
            self._note("no yes is done twice", count <= 1, (name, count))
            if name in self._agreed and is_entered:
                self._note("no yes is lost", count == 1, name)

    def _spoil(self, faults: ExitStack) -> None:
        table, chance = self._table, self._chance
        kind = chance.randrange(6)
        if kind in (0, 2):
            faults.enter_context(patch.object(table.log, "append", side_effect=LogFault("the disk is full")))
        if kind in (1, 2):
            faults.enter_context(patch.object(files, "replace_private", side_effect=FULL))
        if kind == 3:
            faults.enter_context(patch.object(KeptQuestions, "close", side_effect=PowerCut))

    def _answer(self, name: str) -> None:
        table, chance = self._table, self._chance
        answer = chance.choice((Reply.YES, Reply.YES, Reply.NO))
        question = table.question
        try:
            said = table.answer(self._whoever_answers(question), name, answer).said.code
        except NotKept:
            still = table.question
            self._note("a yes that can't be stored stays asked", still is not None and still.id == name, question)
            return
        except ActRefused:
            return
        if answer is Reply.NO and said == "ask-declined":
            self._declined.add(name)
        if answer is Reply.YES:
            self._agreed.add(name)

    def _whoever_answers(self, question: Question | None) -> str:
        """Return a phone that may agree, or now and then any."""
        table, chance = self._table, self._chance
        seats = table.acting.situation().seats
        asked = [phone for phone in PHONES if question and may_agree(question, table.actor(phone).who, seats)]
        return chance.choice(asked if asked and chance.random() < 0.8 else PHONES)

    def _wish(self) -> Act:
        chance = self._chance
        seat = chance.randint(1, 6)
        if chance.random() < 0.1:
            return chance.choice((SitOut(seat, True), HandOn(seat), TakeBreak(), GoOnWithMatch()))
        codes = self._table.live.ask(lambda match: [verdict.code for verdict in match.public])
        entry = chance.randrange(len(codes))
        return chance.choice(
            (
                TakeBack(EntryTold(entry, codes[entry])),
                EnterWord(seat, "count", chance.randint(0, 9)),
                EnterWord(seat, "count", chance.randint(0, 9)),
                FreeSeat(seat),
                Rename(seat, chance.choice(("Gus", "Hal", "Ida"))),
                End(),
            )
        )

    def _note(self, what: str, holds: bool, example: object) -> None:
        self._tally.note(what, holds=holds, example=f"sequence {self._sequence}: {example}")


def trial(quick: bool) -> Iterator[Finding]:
    """Play out sequences of acts by lot."""
    seed = 1 if quick else random.SystemRandom().randrange(10**6)
    tally = Tally(seed)
    for sequence in range(QUICKLY if quick else SEQUENCES):
        with tempfile.TemporaryDirectory(dir=_MEMORY) as folder, table_of_acts(Path(folder)) as table:
            promises = _Promises(table, random.Random(f"{seed} {sequence}"), tally, sequence)
            for _ in range(STEPS):
                promises.step()
            promises.settle()
    yield from tally.findings("consent: {}")
