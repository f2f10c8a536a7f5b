"""What was measured outlasts the program, and nothing of it is lost."""

from pathlib import Path

import msgspec
import pytest

from companion.errors import NotKept
from companion.measuring.figures_file import MOST_FIGURES, Figure, FiguresFile, described, figures_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return figures_of(tmp_path / "log.sqlite")


def test_a_figure_outlasts_the_program(path: Path) -> None:
    FiguresFile(path).tell(Figure("polls", 12.5, "board 3"))
    assert FiguresFile(path).figures == (Figure("polls", 12.5, "board 3"),)


def test_figures_of_two_boards_stand_side_by_side_and_a_newer_one_of_a_board_takes_its_place(path: Path) -> None:
    file = FiguresFile(path)
    for measured, part in ((12, "a"), (8, "b"), (13, "a")):
        file.tell(Figure("polls", measured, part))
    file.tell(Figure("reach", 25, "a"))
    assert set(file.figures) == {Figure("polls", 8, "b"), Figure("polls", 13, "a"), Figure("reach", 25, "a")}


def test_a_figure_is_taken_back_for_its_board_alone(path: Path) -> None:
    file = FiguresFile(path)
    file.tell(Figure("polls", 12, "a"))
    file.tell(Figure("polls", 8, "b"))
    file.forget("polls", "a")
    assert FiguresFile(path).figures == (Figure("polls", 8, "b"),)


def test_a_file_that_cannot_be_read_is_put_aside_whole(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path.write_text("[{'polls'")
    file = FiguresFile(path)
    file.tell(Figure("polls", 12))
    assert path.with_name(f"{path.name}.unreadable").read_text() == "[{'polls'"
    assert "can't be read" in caplog.text


def test_a_figure_that_is_not_on_disk_counts_for_nothing(tmp_path: Path) -> None:
    file = FiguresFile(tmp_path / "missing/figures.json")
    with pytest.raises(NotKept, match="can't write"):
        file.tell(Figure("polls", 12))
    assert file.figures == ()


def test_typing_on_and_on_fills_no_disk(path: Path) -> None:
    path.write_bytes(msgspec.json.encode([Figure("polls", 1, f"{part}") for part in range(MOST_FIGURES)]))
    file = FiguresFile(path)
    file.tell(Figure("reach", 20))
    assert len(file.figures) == MOST_FIGURES
    assert file.figures[-1] == Figure("reach", 20)


def test_whoever_helps_reads_which_assumptions_hold() -> None:
    lines = described((Figure("reach", 12, "board 3"), Figure("polls", 25))).splitlines()
    assert lines == [
        "holds   polls 25 1/s; assumed ≥ 10 1/s, calculated",
        "wrong   reach 12 mm; assumed ≥ 20 mm, guessed  (board 3)",
    ]
    assert described(()) == "nothing measured yet\n"
