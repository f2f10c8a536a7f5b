"""What a table promises, looked at after every step. Each is one sentence; what breaks it is an example."""

import unicodedata
from contextlib import suppress
from typing import Any

from companion.access import seat_rights
from companion.access.seat_rights import Rights
from companion.acts.act import Act
from companion.acts.decide import Reply
from companion.acts.outcome import ActRefused, Do, Refuse
from companion.acts.question import Question
from companion.club.hub.result_intake import MOST_KEPT
from companion.errors import CompanionError, NotKept
from companion.events import Event, Pressed, Retracted, Started
from companion.history.archive import Archive, NotInLog, NotReadNow
from companion.judge import views
from companion.judge.match import judge
from companion.live.lamps import cues
from companion.live.pause import Why
from tests.bottle.broken import Broken, apart, see
from tests.bottle.consent import breach, breach_alone
from tests.bottle.disk import WORKING, Trouble
from tests.bottle.sensed import Sensed, can_look, length
from tests.bottle.table import Table, faults_of_the_program

AT_LENGTH = 24
"""Steps between two looks at all that the log holds."""
ROOM = 6_000_000
"""Bytes that the files may have besides what they hold of each event: SQLite folds its write-ahead log in at 4 MB."""
AN_EVENT = 1_500
AWAKE = 5.0
"""Seconds for which a phone that gave a sign is certainly waited for."""
WELL_AGAIN = 5.0
"""Seconds after which a table says no longer that its disk fails, once it works."""


class Promises:
    """What was promised at one table by now."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.sensed = Sensed(table)
        self._steps = 0
        self._events: tuple[int | None, tuple[Event, ...]] = None, ()
        """The match on the table, and its events that people have been told of."""
        self._rights: Rights | None = None
        self._stored_rights: list[Rights] = []
        """What the phones' file may hold: what people were told, and what was on its way since."""
        self._closed: set[str] = set()
        """The questions that are answered, and must never be open again."""
        self._declined: set[str] = set()
        self._unsure: set[str] = set()
        """The questions declined on a disk that failed at the last step: a restart may find them, or not."""
        self._have_asked: set[str] = set()
        """The seats and phones that have ever asked others."""
        self._agreed: dict[str, bool] = {}
        """By a question's number, whether what was agreed to is an event."""
        self._open: Question | None = None
        self._views: Any = None
        self._pause: Why | None = None
        self._told_apart: Started | None = None
        """The beginning of a match whose players can be told apart."""
        self._retracted_in: int | None = None
        """The match in which something was taken back."""
        self._judged_again: tuple[object, ...] = ()
        """The match and its unit when the record was last judged again."""
        self._past_changes = 0
        """How often matches that are over had been changed when their results were last looked at."""
        self._ailing_since: float | None = None
        """Since when the table says that its disk fails, though it works."""
        self._times_mended = 0

    # What phones want.

    def wants(self, phone: str, act: Act) -> None:
        """Have a phone want something; what it is told comes after the end of a question that nobody was sure of."""
        table = self._table
        table.live._worker.work()  # what fell due while the table was off is no trace of this act
        with suppress(NotKept):
            table.acting._make_certain()
        before = self._all()
        holders = table.phones.rights.holders
        parts = seat_rights.who(table.phones.rights, phone).parts
        awake = {other for other, at in table.signs.items() if table.machine.now - at < AWAKE}
        played = table.live._judging.played
        match = None if played is None or table.raises else played.match
        broken_rule = breach(phone, act, table.phones.rights, awake, match)
        events = () if played is None else tuple(played.match.events)
        try:
            carried = table.do(phone, act)
        except ActRefused as wrong:
            if not table.disk.is_off:
                see("what is refused leaves no trace", self._all() == before, (phone, act, wrong.refuse))
            if wrong.refuse.code == "ask-later":
                is_asker = not self._have_asked.isdisjoint({phone, *map(str, parts)})
                see("who has asked for nothing is not told to wait", is_asker, (phone, act))
            return
        except NotKept as wrong:
            self._not_kept(before, (phone, act, wrong))
            return
        except CompanionError as wrong:
            if not table.disk.is_off:
                see("what is refused leaves no trace", self._all()[1:] == before[1:], (phone, act, repr(wrong)))
            return
        if broken_rule is not None:
            raise Broken(broken_rule, (phone, act, carried))
        if not carried.asked and carried.earlier is None and carried.plan is not None:
            targets = [event.target for event in carried.plan.events if isinstance(event, Retracted)]
            broken_rule = breach_alone(phone, act, [events[target - 1] for target in targets], holders, awake)
            if broken_rule is not None:
                raise Broken(broken_rule, (phone, act, carried))
        if carried.asked:
            self._have_asked |= {phone, *map(str, parts)}
        if carried.asked and not table.disk.is_off:
            see("who asks has done nothing yet", self._all()[0][1] == before[0][1], (phone, act))
            question = table.acting.situation().question
            see("what others are said to be asked is asked", question is not None, (phone, act))

    def answers(self, phone: str, question: Question, reply: Reply) -> None:
        """Have a phone answer a question."""
        table = self._table
        name = question.id
        table.live._worker.work()
        before = self._all()
        try:
            carried = table.answer(phone, name, reply)
        except ActRefused as wrong:
            if table.acting.situation().question is None or table.acting.situation().question.id != name:
                self._close(name)  # it can't be done any more
            if not table.disk.is_off:
                see("what is refused leaves no trace", self._all()[:3] == before[:3], (phone, question, wrong.refuse))
            return
        except NotKept as wrong:
            self._not_kept(before, (phone, question, wrong))
            still = table.acting.situation().question
            if reply is Reply.YES and not table.disk.is_off:
                see("a yes that can't be stored stays asked", still is not None and still.id == name, question)
            if reply is not Reply.YES:
                self._unsure.add(name)
            return
        except CompanionError:
            return
        see("nobody agrees to what they ask", reply is not Reply.YES or phone != question.phone, (phone, question))
        if table.disk.is_off:
            return
        if reply is Reply.YES:
            self._close(name)
            # Seats without a tap are asked about in the same words: then nothing is taken back.
            self._agreed[name] = carried.plan is not None and bool(carried.plan.events)
        elif carried.said.code == "ask-declined":
            self._closed.add(name)  # a no that a restart would not know of is not taken
            self._declined.add(name)
        else:
            self._close(name)

    def _close(self, name: str) -> None:
        """Note that a question is closed. A disk that fails keeps its file; one that is full lets it be deleted."""
        if self._table.disk.trouble in (*WORKING, Trouble.FULL):
            self._closed.add(name)

    def _not_kept(self, before: tuple[Any, ...], example: object) -> None:
        table = self._table
        if table.disk.is_off:
            return
        see("what can't be stored is refused only while the disk fails", table.disk.trouble not in WORKING, example)
        see("what could not be stored leaves no trace", self._all()[:3] == before[:3], example)

    def _all(self) -> tuple[Any, ...]:
        table = self._table
        rows: tuple[int, ...] = ()
        if can_look(self._table):
            with suppress(CompanionError):
                rows = table.all_stored()
        number = table.live.snapshot.match
        return (
            (rows, number, length(self._table)),
            table.phones.rights,
            table.live.snapshot.pause,
            table.questions.value.latest,
        )

    # After every step.

    def hold(self) -> None:
        """See that what must always be so is so."""
        table = self._table
        live = table.live
        self._steps += 1
        faults = faults_of_the_program()
        see("the program raises nothing", not faults, faults)
        hurried = max(live.snapshot.hurried.values(), default=0)
        see("people are told once of cards that came too quickly", hurried <= table.hurries, hurried)
        self._see_that_players_can_be_toldapart()
        cards = table.phones.rights.people.cards
        see("only a tag that is told from all others is somebody's", cards.keys() <= table.club_cards, cards)
        see("nobody waits for the judge", live._worker.waiting == 0)
        see("nobody is taken to be entering something for ever", not live._judging.watermark._entered)
        see("no transaction stays open", not table.log._db.in_transaction)
        if live._judging._held_back.show_at is None and live.snapshot is not table.snapshot_shown:
            see("the lamps show what the pages show", table.lamps == dict(cues(live.snapshot)))
        if table.disk.trouble in WORKING:
            self._see_what_is_stored()
        self._see_that_trouble_passes()
        if table.club is not None:
            self._see_club(table.club.see())
            if self._steps % AT_LENGTH == 0 and can_look(self._table):
                self._see_club(table.club.see_what_is_sent())
                self._see_club(table.club.see_what_is_kept())
        self._note()

    def _see_that_trouble_passes(self) -> None:
        table = self._table
        trouble = table.live.snapshot.trouble
        if trouble is None or table.disk.trouble is not Trouble.NONE:
            self._ailing_since = None
            return
        if self._ailing_since is None or self._times_mended != table.disk.times_mended:
            self._ailing_since = table.machine.now
            self._times_mended = table.disk.times_mended
        is_new = table.machine.now < self._ailing_since + WELL_AGAIN
        see("a table is well again once its disk is", is_new, trouble)

    def _see_that_players_can_be_toldapart(self) -> None:
        played = self._table.live._judging.played
        if played is None or played.match.started is self._told_apart:
            return
        self._told_apart = played.match.started
        names = [player.name for player in played.match.started.players]
        looks = {"".join(filter(str.isalnum, unicodedata.normalize("NFKC", name).casefold())) for name in names}
        see("two who can't be told apart play no match", len(looks) == len(names), names)

    def _see_club(self, broken: tuple[str, object] | None) -> None:
        if broken is not None:
            raise Broken(*broken)

    def _see_what_is_stored(self) -> None:
        table = self._table
        played = table.live._judging.played
        if played is None:
            return
        stored = table.events_stored(played.number)
        see("what was judged is on disk", stored == len(played.match.events), (stored, len(played.match.events)))
        number, noted = self._events
        new = played.match.events[len(noted) :] if number == played.number else played.match.events
        early = [event for event in new if isinstance(event, Pressed) and event.at < played.match.started.at]
        see("no press counts that was made before the match began", not early, early)
        is_taken_back = any(isinstance(event, Retracted) for event in new)
        self._retracted_in = played.number if is_taken_back else self._retracted_in
        unit = played.number, played.match.unit
        if self._retracted_in == played.number and (is_taken_back or unit != self._judged_again):
            self._judged_again = unit
            self._see_that_it_replays()
        is_corrected = self._past_changes != table.live.snapshot.past_changes
        self._past_changes = table.live.snapshot.past_changes
        if is_corrected:
            self._see_that_corrections_count()
        if self._steps % AT_LENGTH == 0:
            self._have_results_known()
            self._see_that_it_replays()
            self._see_that_each_was_kept()
            size = table.disk.size("log.sqlite")
            room = ROOM + AN_EVENT * sum(table.all_stored())
            see("the files stay small", size < room, (size, room))
            size = table.disk.size("hub.sqlite")
            # Every start of a hub lets a table send seasons of results anew.
            room = ROOM + MOST_KEPT * (0 if table.club is None else table.club.starts_of_hub)
            see("no table fills the hub's disk", size < room, (size, room))

    def _see_that_it_replays(self) -> None:
        """A record replays to what pages showed."""
        table = self._table
        played = table.live._judging.played
        snapshot = table.live.snapshot
        if played is None or table.raises or played.match.faults or table.live._judging._held_back.show_at is not None:
            return
        events = table.log.events(played.number)
        see("the log holds what was judged", list(events) == list(played.match.events))
        again = judge(events, table.log.away(played.number))
        for who in (None, *again.seats):
            seen = snapshot.views[who]
            replayed = views.view(again, who)
            see("a record replays to what pages showed", seen == replayed, (who, apart(seen, replayed)))

    def _see_that_corrections_count(self) -> None:
        table = self._table
        if table.raises:
            return
        with suppress(NotInLog, NotReadNow):
            remembered = table.archive.results()
            judged_again = Archive(table.log.path).results()
            see("a corrected match has a corrected result", remembered == judged_again, (remembered, judged_again))

    def _have_results_known(self) -> None:
        """Have the archive judge what it does not know, so that it knows the results when they are corrected."""
        table = self._table
        if not table.raises:
            with suppress(NotInLog, NotReadNow):
                table.archive.results()

    def _see_that_each_was_kept(self) -> None:
        table = self._table
        for origin, must in self.sensed.presses.items():
            times = table.stored_under(origin)
            see("no press is recorded twice", times <= 1, origin)
            see("no press that was acknowledged is lost", times == 1 or not must, origin)
        for name, is_event in self._agreed.items():
            times = table.stored_under(name)
            see("no yes is done twice", times <= 1, name)
            see("no yes is lost", times == 1 or not is_event, name)
        for name in self._declined:
            see("nothing is done after a no", table.stored_under(name) == 0, name)

    def _note(self) -> None:
        """Note what people have been told by now."""
        table = self._table
        self.sensed.note()
        played = table.live._judging.played
        self._events = (None, ()) if played is None else (played.number, tuple(played.match.events))
        self._rights = table.phones.rights
        self._stored_rights = [self._rights]
        self._open = table.acting.situation().question
        latest = table.questions.value.latest
        if latest is not None:
            self._have_asked |= {latest.phone, str(latest.asker)}
        self._pause = table.live.snapshot.pause

    # Restarts.

    def power_is_cut(self) -> None:
        """Note what was on its way when the power was cut."""
        table = self._table
        if table.is_open:
            self._stored_rights = [table.phones.rights, *table.rights_on_their_way]
            played = table.live._judging.played
            self._events = self._events if played is None else (played.number, tuple(played.match.events))
        self._open = None  # it may have been answered in this step
        self._views = None
        self._pause = None

    def stops(self) -> None:
        """Note how all is when the companion is stopped in good order."""
        if not self._table.is_open:
            return
        self._note()
        live = self._table.live
        healthy = live._judging._held_back.show_at is None and not self._table.raises and live.snapshot.trouble is None
        played = live._judging.played
        healthy = healthy and (played is None or not played.match.faults)
        self._views = live.snapshot.views if healthy else None

    def started(self) -> None:
        """See that all that people were told is there again."""
        table = self._table
        live = table.live
        self._ailing_since = None
        number, events = self._events
        if events:
            latest = max(event.at for event in events)
            see("the table's clock runs on after a restart", live.clock() >= latest, (latest, live.clock()))
        if table.raises:
            return
        if number is not None and live.snapshot.trouble is None:
            stored = table.log.events(number)
            see(
                "what was told outlasts a restart",
                list(stored[: len(events)]) == list(events),
                (number, len(events), len(stored)),
            )
        if number is not None and live.snapshot.trouble is None and self._views is not None:
            see("the same match is on the table after a restart", live.snapshot.match == number, number)
        if self._stored_rights:
            rights = table.phones.rights
            see("rights outlast a restart", rights in self._stored_rights)
        question = table.acting.situation().question
        see("what is answered is never asked again", question is None or question.id not in self._closed, question)
        if self._open is not None:
            is_found = question is not None and question.id == self._open.id
            outlook = table.acting._outlook(self._open)
            is_moot = isinstance(outlook, Refuse) or (isinstance(outlook, Do) and outlook.plan.is_so)
            may_be_gone = is_moot or self._open.id in self._unsure
            see("a restart finds what was asked and can be done", is_found or may_be_gone, (self._open, question))
        if self._views is not None:
            see(
                "a restart shows what was shown",
                live.snapshot.views == self._views,
                apart(self._views, live.snapshot.views),
            )
        if self._views is not None and self._pause is not None:
            played = live._judging.played
            is_over = played is not None and played.match.over
            is_same = live.snapshot.pause == self._pause or (is_over and live.snapshot.pause is None)
            see("a break outlasts a restart", is_same)
        self._views = None

    def are_well(self) -> None:
        """See that all is well some seconds after the last fault."""
        table = self._table
        see("a table is well again once its disk is", table.live.snapshot.trouble is None, table.live.snapshot.trouble)
        see("all that was sensed is told in the end", not table.sources(), table.sources())
        self._see_that_each_was_kept()
        self._see_that_it_replays()
        self._see_that_corrections_count()

    def are_well_in_the_club(self) -> None:
        """See that the hub has every result, some time after the last fault."""
        table = self._table
        assert table.club is not None
        self._see_club(table.club.see_what_is_sent())
        self._see_club(table.club.see_what_is_kept())
        if not table.raises:
            self._see_club(table.club.is_well(table))
