"""Between two matches anybody's press announces the next one, and another press objects: nobody needs a phone."""

from collections.abc import Callable

from companion.devices.lamp_cues import Cue
from companion.errors import NotKept
from companion.events import Player, Started
from companion.live.announcement import NOTICE, Players, SamePeople
from companion.live.lamps import cues
from tests.live.evening import ANA, BO, Evening


class WithoutRoom(SamePeople):
    """Who plays next can't be stored."""

    times = 0

    def begin(self, last: Started, players: Players, number: int, begin: Callable[[], int]) -> None:
        self.times += 1
        raise NotKept("the disk is full")


def test_a_press_announces_the_same_game_with_the_same_people(ended: Evening) -> None:
    ended.press(BO)
    announced = ended.live.snapshot.announced
    assert announced is not None
    assert announced.next_match is not None
    assert announced.next_match.game == "stop-it"
    assert [player.name for player in announced.next_match.players] == ["Ana", "Bo"]
    assert ended.number == 1


def test_it_begins_once_nobody_has_objected(ended: Evening) -> None:
    first = ended.started
    ended.press(BO)
    ended.wait(NOTICE - 1)
    assert ended.number == 1
    ended.wait(1)
    assert ended.number == 2
    assert ended.live.snapshot.announced is None
    assert (ended.started.options, ended.started.at) == (first.options, ended.clock.now)


def test_while_who_plays_next_can_not_be_stored_it_is_tried_once_a_second(ended: Evening) -> None:
    full = WithoutRoom()
    ended.live.ask_who_plays_next(full)
    ended.press(BO)
    ended.wait(NOTICE)
    tried = full.times
    assert ended.live._worker.rest() > 0
    ended.wait(0.5)
    assert full.times == tried
    ended.wait(0.6)
    assert full.times > tried


def test_another_press_objects(ended: Evening) -> None:
    ended.press(BO)
    ended.press_after(3, ANA)
    assert ended.live.snapshot.announced is None
    ended.wait(NOTICE)
    assert ended.number == 1


def test_presses_made_together_are_one(ended: Evening) -> None:
    ended.press(BO)
    ended.press_after(0.5, ANA)
    assert ended.live.snapshot.announced is not None


def test_a_press_that_a_box_tells_twice_is_one(ended: Evening) -> None:
    ended.press(BO, ended.clock.now, "box-1")
    ended.wait(3)
    ended.press(BO, ended.clock.now - 3, "box-1")
    assert ended.live.snapshot.announced is not None


def test_the_press_of_somebody_who_has_not_seen_the_end_says_nothing(evening: Evening) -> None:
    evening.end()
    evening.press_after(2)
    assert evening.live.snapshot.announced is None


def test_a_press_made_while_the_table_was_off_says_nothing(ended: Evening) -> None:
    at = ended.clock.now
    ended.wait(60)
    ended.again(ended.clock)
    ended.press(ANA, at, "box-1")
    assert ended.live.snapshot.announced is None
    ended.press_after(1)
    assert ended.live.snapshot.announced is not None


def test_while_a_match_is_played_a_press_is_a_press(evening: Evening) -> None:
    evening.press_after(60)
    assert evening.live.snapshot.announced is None
    assert evening.waits_for == "now-collecting"


def test_a_match_that_goes_on_after_all_is_not_left(ended: Evening) -> None:
    ended.press(BO)
    ended.live.go_on()
    ended.wait(NOTICE)
    assert ended.number == 1


def test_a_match_that_a_phone_has_begun_is_not_left_either(ended: Evening) -> None:
    ended.press(BO)
    ended.begin("kartel")
    ended.wait(NOTICE)
    assert (ended.number, ended.started.game) == (2, "kartel")


def test_every_lamp_waits_for_an_objection(ended: Evening) -> None:
    ended.press(BO)
    assert {ANA: Cue.WAITING, BO: Cue.WAITING}.items() <= cues(ended.live.snapshot).items()


def test_it_is_played_by_those_who_sit_there_by_now(ended: Evening) -> None:
    class Newcomer(SamePeople):
        def who_play(self, last: Started) -> Players:
            return (*last.players, Player(3, "Cléo"))

    ended.live.ask_who_plays_next(Newcomer())
    ended.press(BO)
    ended.wait(NOTICE)
    assert [player.name for player in ended.started.players] == ["Ana", "Bo", "Cléo"]


def test_where_they_are_too_many_for_it_nothing_is_announced(ended: Evening) -> None:
    class Crowd(SamePeople):
        def who_play(self, last: Started) -> Players:
            return ()

    ended.live.ask_who_plays_next(Crowd())
    ended.press(BO)
    assert ended.live.snapshot.announced is None


def test_a_demonstration_is_not_played_on_by_a_button(evening: Evening) -> None:
    evening.end()
    evening.live.begin_demo("stop-it", evening.started.players, {})
    evening.end()
    evening.press_after(60)
    assert evening.live.snapshot.announced is None
