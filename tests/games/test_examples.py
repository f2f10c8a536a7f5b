"""What writes a game's examples writes no other's, and says what it does not know."""

import zlib

import pytest

from companion import games
from companion.events import Retracted
from companion.judge.match import judge
from companion.kit import golden, new_example, phase_diagram
from companion.kit.random_matches import random_match


def test_only_the_examples_of_the_named_game_are_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another's may be damaged, and are not ours to write."""
    looked_at: list[str] = []
    monkeypatch.setattr(golden, "transcripts_of", lambda game: looked_at.append(game.slug) or [])
    golden.main("go")
    assert looked_at == ["go"]


@pytest.mark.parametrize("words", [(), ("go",), ("chess", "first")])
def test_an_example_of_no_game_is_refused_with_how_to_say_it(words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit, match=r"new_example GAME NAME|'chess'; known: crazy-eights, go, hearts, kartel"):
        new_example.main(*words)


@pytest.mark.parametrize("program", [golden, phase_diagram])
def test_examples_of_a_game_that_is_not_here_are_refused(program: object) -> None:
    with pytest.raises(SystemExit, match="no game under test is called 'chess'"):
        program.main("chess")  # type: ignore[attr-defined]


def test_a_new_example_is_a_short_match_with_a_misplay_and_an_undo() -> None:
    game = games.known()["kartel"]
    events = new_example.draw(game, "evening")
    assert judge(events).misplays
    assert any(isinstance(event, Retracted) for event in events)
    assert len(events) < len(random_match(game, zlib.crc32(b"evening"), noise=0.1, undo=0.02, most=5000))
