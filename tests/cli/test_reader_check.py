"""`companion check --reader`: whether one board on the desk reads far enough, before anything is soldered to it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli.check import reader_reach
from companion.cli.check.checking import Checking
from companion.cli.check.reader_reach import SPACERS, SpacerTrial, reaches, verdict
from companion.config import load
from companion.devices.figures import FEWEST
from companion.devices.sensing import Sensing
from tests.cli.program import companion, refused
from tests.emulators.pn532_pty import UartPN532
from tests.emulators.quirks import Quirks
from tests.waiting import until

CARD = "04A1B2C3D4E5F6"


@pytest.fixture
def file(tmp_path: Path, reader: UartPN532) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(
        f'[[reader]]\ndriver = "pn532-uart"\nplace = "centre"\nport = "{reader.path}"\n'
        '[[reader]]\ndriver = "pn532-uart"\nplace = "seat-1"\nport = "/dev/nothing-there"\n',
        encoding="utf-8",
    )
    return path


@pytest.fixture(autouse=True)
def _polled(monkeypatch: pytest.MonkeyPatch, reader: UartPN532) -> None:
    """Listen for so many polls, however long they take here, instead of so many seconds."""

    def sensed(checking: Checking, seconds: float) -> Iterator[Sensing]:
        begun = reader.polls
        until(lambda: reader.polls > begun + 4 * FEWEST)
        return iter(())

    monkeypatch.setattr(Checking, "sensed", sensed)
    monkeypatch.setattr("companion.devices.check.findings.SLOWEST", 0.0)


def test_a_board_is_tried_alone_with_each_spacer_in_its_turn(file: Path, reader: UartPN532) -> None:
    sentences = []

    def lay(sentence: str) -> None:
        sentences.append(sentence)
        reader.put(CARD)

    tried = list(reaches(load(file), "centre", lay))
    assert [reach.spacer for reach in tried] == list(SPACERS)
    assert all(f"{spacer} mm" in sentence for spacer, sentence in zip(SPACERS, sentences, strict=True))
    assert all(reach.is_enough for reach in tried)


def test_a_board_that_reads_near_only_fails(file: Path, reader: UartPN532) -> None:
    def lay(sentence: str) -> None:
        reader.be(Quirks(unread=0.5 if "20 mm" in sentence else 0.0))
        reader.put(CARD)

    near, far_reach = reaches(load(file), "centre", lay)
    assert (near.is_enough, far_reach.is_enough) == (True, False)


@pytest.mark.parametrize(
    ("near", "far_mm", "passes", "word"),
    [
        (1.0, 0.95, True, "under the wood"),
        (1.0, 0.5, False, "not under wood"),
        (1.0, None, False, "not under wood"),
        (0.5, None, False, "send it back"),
        (None, None, False, "send it back"),
    ],
)
def test_the_verdict_says_what_the_board_is_good_for(
    near: float | None, far_mm: float | None, passes: bool, word: str
) -> None:
    sentence = verdict([SpacerTrial(10, near), SpacerTrial(20, far_mm)])
    assert sentence.startswith("pass" if passes else "fail")
    assert word in sentence


def test_the_command_says_each_reach_and_ends_with_the_verdict(file: Path, reader: UartPN532) -> None:
    reader.put(CARD)
    done = companion("check", file, "--reader", "centre", stdin=b"\n\n")
    assert done.exit_code == 0, done.output
    assert "10 mm: sees the sticker in 100 of 100 polls" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("pass")


def test_a_board_without_a_sticker_fails_with_status_1(file: Path) -> None:
    done = companion("check", file, "--reader", "centre", stdin=b"\n\n")
    assert done.exit_code == 1
    assert "20 mm: does not see the sticker" in done.stdout


def test_a_reader_that_does_not_answer_is_told_with_its_cure(file: Path) -> None:
    check = companion("check", file, "--reader", "seat-1", stdin=b"\n\n")
    assert check.exit_code == 1
    assert "/dev/nothing-there" in check.stderr
    assert "spacer" not in check.stdout, "nobody fetches a spacer for a reader that is not there"


def test_a_place_without_a_reader_is_refused_with_those_that_have_one(file: Path) -> None:
    assert "centre, seat-1" in refused(2, "check", file, "--reader", "seat-4")


def test_it_needs_a_table_and_is_done_alone(file: Path) -> None:
    assert "TABLE.toml" in refused(2, "check", "--reader", "centre")
    assert "--reader" in refused(2, "check", file, "--reader", "centre", "--walk")


def test_it_listens_long_enough_for_a_share() -> None:
    """At the slowest that the guide assumes, ten polls a second."""
    assert reader_reach.LISTENED_S * 10 >= 2 * FEWEST
