"""A simulated table: its world and the live table go together, over restarts, breaks and a full disk too."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.errors import NotKept, NotNow
from companion.events import Elapsed, Tapped
from companion.game.simulated_world import Move
from companion.games import kartel
from companion.live import kept_simulated_world, simulated_world_file
from companion.live.kept_simulated_world import Done, StoredWorld, WorldFault
from companion.live.pause import Paused, Why
from companion.live.simulated_world_file import WorldFile
from companion.live.simulation import NotPossible, Simulation
from companion.live.table import Live
from companion.storage import files
from companion.storage.ailments import AilmentCode
from tests.live.simulated import PEOPLE, act, simulated, take_back
from tests.live.table import refusing

GAME = "kartel"
FULL = OSError(28, "No space left")


def test_a_move_is_told_as_a_reader_would_tell_it(live: Live, simulation: Simulation) -> None:
    simulation.begin(GAME, PEOPLE, {})
    act(simulation)
    act(simulation)
    assert live.ask(lambda match: (len(match.state.moves), match.misplays)) == (1, [])
    assert isinstance(live.ask(lambda match: match.events[-1]), Tapped)


def test_after_a_restart_the_world_is_the_same(tmp_path: Path) -> None:
    with simulated(tmp_path) as (_, simulation):
        simulation.begin(GAME, PEOPLE, {3: "easy"})
        act(simulation)
        sights_before = simulation.sights
        bots = simulation.bots
    with simulated(tmp_path) as (live, simulation):
        assert (simulation.sights, simulation.bots) == (sights_before, bots)
        act(simulation)
        assert live.ask(lambda match: match.misplays) == []


def test_a_move_that_was_written_but_never_told_was_not_made(tmp_path: Path) -> None:
    with simulated(tmp_path) as (live, simulation):
        simulation.begin(GAME, PEOPLE, {})
        sights_before = simulation.sights
        world_path = files.world_of(live.kept_in)
        playing = simulation.playing
        assert playing
        written = Done(sights_before[1].moves[0], live.ask(lambda match: len(match.events)))
        WorldFile(world_path).keep(replace(playing, done=(*playing.done, written)))
    with simulated(tmp_path) as (_, simulation):
        assert simulation.sights == sights_before


def test_what_anybody_could_do_was_done_by_nobody_once_it_is_taken_back_or_the_match_is_another(
    simulation: Simulation,
) -> None:
    again: tuple[Callable[[], object], ...] = (
        lambda: take_back(simulation, lambda match: len(match.events)),
        lambda: simulation.begin(GAME, PEOPLE, {}),
    )
    for step in again:
        simulation.begin("stop-me-go", PEOPLE, {})
        act(simulation)
        assert simulation.lately.anybodys
        step()
        assert simulation.lately.anybodys is None


def test_only_its_owner_may_read_what_lies_hidden(live: Live, simulation: Simulation) -> None:
    simulation.begin(GAME, PEOPLE, {})
    assert files.world_of(live.kept_in).stat().st_mode & 0o777 == files.PRIVATE


def test_in_a_break_nothing_is_moved(live: Live, simulation: Simulation) -> None:
    simulation.begin(GAME, PEOPLE, {})
    move = simulation.sights[1].moves[0]
    live.pause(Why.BREAK)
    assert simulation.sights[1].moves == ()
    with pytest.raises(Paused):
        simulation.play(move)
    live.go_on()
    simulation.play(move)


def test_what_cannot_be_done_is_refused(simulation: Simulation) -> None:
    simulation.begin(GAME, PEOPLE, {})
    move = simulation.sights[1].moves[0]
    simulation.play(move)
    with pytest.raises(NotPossible):
        simulation.play(move)


def test_a_move_that_cannot_be_kept_is_not_made(live: Live, simulation: Simulation) -> None:
    simulation.begin(GAME, PEOPLE, {})
    state_before = live.ask(lambda match: len(match.events)), simulation.sights
    with refusing(files, "append", error=FULL), pytest.raises(NotKept):
        act(simulation)
    assert (live.ask(lambda match: len(match.events)), simulation.sights) == state_before
    act(simulation)


def test_another_match_leaves_the_world(live: Live, simulation: Simulation) -> None:
    simulation.begin(GAME, PEOPLE, {})
    live.begin(GAME, PEOPLE, {})
    assert simulation.sights == {}
    assert simulation.playing is None


def test_what_was_heard_in_part_can_be_said_to_its_end(live: Live, simulation: Simulation) -> None:
    with refusing(live, "enter", error=NotKept("the disk is full")):
        simulation.begin(GAME, PEOPLE, {})
    assert [move.what for move in simulation.sights[1].moves] == ["ring-done"]
    act(simulation)
    assert [move.what for move in simulation.sights[1].moves] == ["roll"]


def test_what_was_told_in_part_is_told_to_its_end_once_it_can_be(live: Live, simulation: Simulation) -> None:
    with refusing(live, "enter", error=NotKept("the disk is full")):
        simulation.begin(GAME, PEOPLE, {})
        with pytest.raises(NotKept):
            simulation.deal()
    events_told = live.ask(lambda match: len(match.events))
    for _ in range(2):
        simulation.deal()
    assert live.ask(lambda match: len(match.events)) == events_told + 1
    assert [move.what for move in simulation.sights[1].moves] == ["roll"]


def test_what_was_told_in_part_is_told_to_its_end_by_a_restart(tmp_path: Path) -> None:
    with simulated(tmp_path) as (live, simulation), refusing(live, "enter", error=NotKept("the disk is full")):
        simulation.begin(GAME, PEOPLE, {})
    with simulated(tmp_path) as (_, simulation):
        assert [move.what for move in simulation.sights[1].moves] == ["roll"]


@pytest.mark.parametrize("part", ["keep", "tell"])
def test_a_match_that_began_before_its_things_could_be_laid_out_has_them_laid_out_later(
    tmp_path: Path, part: str
) -> None:
    with simulated(tmp_path) as (live, simulation):
        refuses = simulation._file if part == "keep" else live
        with refusing(refuses, part, error=NotKept("the disk is full")):
            simulation.begin(GAME, PEOPLE, {3: "easy"})
            assert simulation.sights == {}
            with pytest.raises(NotKept):
                simulation.deal()
        simulation.deal()
        dealt = simulation.playing, simulation.sights, simulation.stays
    with simulated(tmp_path) as (_, simulation):
        assert (simulation.playing, simulation.sights, simulation.stays) == dealt


def test_in_a_break_nothing_is_laid_out_and_after_it_all_is(live: Live, simulation: Simulation) -> None:
    with refusing(live, "tell", error=NotKept("the disk is full")):
        simulation.begin(GAME, PEOPLE, {})
    live.pause(Why.BREAK)
    simulation.deal()
    assert simulation.sights == {}
    live.go_on()
    simulation.deal()
    assert simulation.sights[1].moves


def test_a_restart_finds_the_world_of_a_match_that_had_only_just_begun(tmp_path: Path) -> None:
    with simulated(tmp_path) as (live, simulation):
        with refusing(simulation._file, "keep", error=NotKept("the power is cut")):
            simulation.begin(GAME, PEOPLE, {3: "easy"})
        world = simulation.playing
        assert world
    with simulated(tmp_path) as (live, simulation):
        assert simulation.playing
        assert (simulation.playing.seed, simulation.bots) == (world.seed, {3: "easy"})
        act(simulation)
        assert live.ask(lambda match: match.misplays) == []


def test_a_match_whose_world_cannot_be_kept_does_not_begin(live: Live, simulation: Simulation) -> None:
    with refusing(files, "replace_private", error=FULL), pytest.raises(NotKept):
        simulation.begin(GAME, PEOPLE, {})
    assert live.snapshot.match is None


def test_the_world_on_the_table_stays_where_another_match_does_not_begin(tmp_path: Path) -> None:
    with simulated(tmp_path) as (live, simulation):
        simulation.begin(GAME, PEOPLE, {3: "easy"})
        act(simulation)
        with refusing(live, "begin_dealt", error=NotKept("the disk is full")), pytest.raises(NotKept):
            simulation.begin("go", PEOPLE, {})
        state_before = simulation.playing, simulation.sights
        act(simulation)
        state_after = simulation.playing, simulation.sights
        assert state_before != state_after
    with simulated(tmp_path) as (_, simulation):
        assert (simulation.playing, simulation.sights) == state_after


@pytest.mark.parametrize("is_first", [True, False])
def test_a_world_whose_match_was_refused_is_forgotten(tmp_path: Path, is_first: bool) -> None:
    with simulated(tmp_path) as (live, simulation):
        if not is_first:
            simulation.begin(GAME, PEOPLE, {})
        world_before = simulation.playing
        with refusing(live, "begin_dealt", error=NotNow("others play")), pytest.raises(NotNow):
            simulation.begin("go", PEOPLE, {})
        path = files.world_of(live.kept_in)
        assert simulated_world_file.read(path, 1) == world_before
        assert simulated_world_file.read(path, 2) is None


def test_a_world_that_was_prepared_for_a_match_which_did_not_begin_is_no_other_matchs(tmp_path: Path) -> None:
    with simulated(tmp_path) as (live, simulation):
        with refusing(live, "begin_dealt", error=NotKept("the disk is full")), pytest.raises(NotKept):
            simulation.begin(GAME, PEOPLE, {})
        live.begin(GAME, PEOPLE, {})
        live.enter(Tapped(0, 0.0, "centre", next(iter(kartel.GAME.deck))))
    with simulated(tmp_path) as (live, simulation):
        assert (simulation.playing, live.snapshot.pause, live.snapshot.ailments) == (None, None, ())


def _with(**other: object) -> Callable[[StoredWorld], StoredWorld]:
    return lambda world: replace(world, **other)


WRONG: dict[str, Callable[[StoredWorld], StoredWorld]] = {
    "no game of ours": _with(game="nope"),
    "another game": _with(game="go"),
    "nobody plays": _with(seats=()),
    "others play": _with(seats=(1, 2)),
    "a bot where nobody sits": _with(bots={9: "easy"}),
    "another deal": _with(seed="another"),
    "a move of nobody": lambda world: replace(world, done=(*world.done, Done(Move(9, "take", "zz"), 2))),
    "a move left out": lambda world: replace(world, done=world.done[1:]),
    "a move of another time": lambda world: replace(
        world, done=(replace(world.done[0], before=10_000), *world.done[1:])
    ),
}


@pytest.mark.parametrize("other", WRONG.values(), ids=WRONG)
def test_a_match_whose_world_is_not_the_logs_is_ended_with_a_word(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, other: Callable[[StoredWorld], StoredWorld]
) -> None:
    with simulated(tmp_path) as (live, simulation):
        simulation.begin(GAME, PEOPLE, {3: "easy"})
        act(simulation)
        world = simulation.playing
        assert world
        WorldFile(files.world_of(live.kept_in)).keep(other(world))
    with simulated(tmp_path) as (live, simulation):
        assert (simulation.playing, live.snapshot.ended) == (None, True)
        assert "is ended, as nobody knows its hands" in caplog.text
        assert [ailment.code for ailment in live.snapshot.ailments] == [AilmentCode.HANDS_LOST]
        simulation.begin(GAME, PEOPLE, {})
        act(simulation)
        assert live.snapshot.ailments == ()


def test_a_world_of_which_any_byte_is_another_is_not_played_on(tmp_path: Path) -> None:
    with simulated(tmp_path) as (live, simulation):
        simulation.begin("stop-it", PEOPLE, {})  # of which the log tells nothing yet
        path = files.world_of(live.kept_in)
    whole = path.read_bytes()
    for at in range(0, len(whole) - 1, 7):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(WorldFault):
            simulated_world_file.read(path, 1)


def test_what_a_power_cut_left_of_the_last_move_was_not_made(tmp_path: Path) -> None:
    with simulated(tmp_path) as (live, simulation):
        simulation.begin(GAME, PEOPLE, {3: "easy"})
        path = files.world_of(live.kept_in)
        bytes_before = path.read_bytes()
        world = simulation.playing
        act(simulation)
        bytes_after = path.read_bytes()
    assert bytes_after.startswith(bytes_before)
    for torn in (
        *(bytes_after[:at] for at in range(len(bytes_before), len(bytes_after))),
        bytes_before + bytes(len(bytes_after) - len(bytes_before)),
    ):
        path.write_bytes(torn)
        assert simulated_world_file.read(path, 1) == world


def test_what_is_written_after_a_write_that_failed_half_way_is_whole(
    live: Live, simulation: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(path: Path, content: bytes) -> None:
        whole(path, content[: len(content) // 2])
        raise OSError(28, "No space left")

    whole = files.append
    simulation.begin(GAME, PEOPLE, {3: "easy"})
    with monkeypatch.context() as full:
        full.setattr(files, "append", half)
        with pytest.raises(NotKept):
            act(simulation)
    act(simulation)
    simulation.take_over(3)
    act(simulation)
    take_back(simulation, lambda match: len(match.events))
    assert simulated_world_file.read(files.world_of(live.kept_in), 1) == simulation.playing


def test_a_log_that_is_some_moves_older_than_its_world_is_played_on(live: Live, simulation: Simulation) -> None:
    """As a backup may be, which is made while people play."""
    simulation.begin(GAME, PEOPLE, {})
    older = live.ask(lambda match: tuple(match.events))
    for seat in (1, 1, 3):
        act(simulation, seat)
    world = simulation.playing
    assert world
    again, _ = kept_simulated_world.made_again(world, GAME, (1, 3), older)
    assert again.done == world.done[:1]


def test_what_time_brings_between_writing_and_telling_is_no_move(live: Live, simulation: Simulation) -> None:
    simulation.begin(GAME, PEOPLE, {})
    world = simulation.playing
    events = live.ask(lambda match: tuple(match.events))
    assert world
    written = Done(simulation.sights[1].moves[0], len(events))
    world = replace(world, done=(*world.done, written))
    later = (*events, Elapsed(len(events) + 1, 9.0, "last-call"))
    assert kept_simulated_world.made_again(world, GAME, (1, 3), later)[0].done == world.done[:-1]


def test_a_move_that_nobody_heard_of_is_forgotten_though_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with simulated(tmp_path) as (live, simulation):
        simulation.begin(GAME, PEOPLE, {})
        world_before = simulation.playing
        append = files.append
        written = iter((append,))

        def once(part: Path, content: bytes) -> None:
            next(written, lambda *_: (_ for _ in ()).throw(OSError(28, "No space left")))(part, content)

        with monkeypatch.context() as full:
            full.setattr(files, "append", once)
            full.setattr(live, "enter", lambda *_: (_ for _ in ()).throw(NotKept("the disk is full")))
            with pytest.raises(NotKept):
                act(simulation)
        assert simulation.playing == world_before
        act(simulation)
        world_after = simulation.playing
        sights = simulation.sights
    with simulated(tmp_path) as (_, simulation):
        assert (simulation.playing, simulation.sights) == (world_after, sights)
