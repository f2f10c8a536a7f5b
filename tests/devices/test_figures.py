"""How well devices do: what is counted, and what it means."""

from collections.abc import Iterator

import pytest

from companion.devices.buttons.debounce import BOUNCING_NS, BounceMeter
from companion.devices.check.findings import LATELY, LONGEST_BOUNCE, SLOWEST, WEAKEST, findings
from companion.devices.drivers.pn532_uart import Reader
from companion.devices.figures import (
    BACK_S,
    FEWEST,
    Bounce,
    ButtonFigures,
    ButtonsFigures,
    Figures,
    ReaderFigures,
    Tally,
)
from companion.devices.sensing import Failed, Measured, Working
from companion.words import Words
from tests.devices.readers import CARD, OTHER, Table, alone, count
from tests.emulators.pn532 import Chip
from tests.emulators.pn532_uart import EmulatedPorts

MS = 1_000_000
PORT = "/dev/ttyUSB0"


def polled(tally: Tally, *uids: str, at: float, every: float = 0.01) -> float:
    """Poll once for each uid, "" for none; give the time after."""
    for uid in uids:
        tally.polled((uid,) if uid else (), at)
        at += every
    return at


def test_polls_are_counted_over_a_second() -> None:
    tally = Tally()
    at = polled(tally, *[""] * 50, at=10.0, every=0.02)
    assert tally.rate is None
    polled(tally, *[""] * 2, at=at, every=0.02)
    assert tally.rate == pytest.approx(50)


def test_every_miss_of_a_lying_tag_counts() -> None:
    tally = Tally()
    polled(tally, *[CARD, CARD, CARD, ""] * 25, CARD, at=0.0)
    assert tally.read == pytest.approx(76 / 101)


def test_a_few_polls_say_nothing() -> None:
    tally = Tally()
    at = polled(tally, *[CARD] * (FEWEST - 1), at=0.0)
    assert tally.read is None
    polled(tally, CARD, at=at)
    assert tally.read == 1.0


def test_a_lifted_tag_was_not_missed() -> None:
    tally = Tally()
    at = polled(tally, *[CARD] * 30, *[""] * 100, at=0.0)
    assert tally.read == 1.0
    polled(tally, *[CARD] * 30, at=at + BACK_S)
    assert tally.read == 1.0


def test_a_tag_so_weak_that_it_seems_lifted_was_missed() -> None:
    tally = Tally()
    polled(tally, *[CARD, *[""] * 40] * 5, CARD, at=0.0)
    assert tally.read is not None
    assert tally.read < 0.1


def test_the_next_card_is_measured_by_itself() -> None:
    tally = Tally()
    at = polled(tally, *[CARD, ""] * 30, at=0.0)
    polled(tally, *[OTHER] * 30, at=at)
    assert tally.read == 1.0


def test_what_is_long_past_counts_ever_less() -> None:
    tally = Tally()
    at = polled(tally, *[CARD, ""] * 500, at=0.0)
    polled(tally, *[CARD] * 2000, at=at)
    assert tally.read is not None
    assert tally.read > 0.97


def test_a_fault_is_no_miss() -> None:
    tally = Tally()
    at = polled(tally, *[CARD] * 30, "", "", at=0.0)
    tally.faulted()
    assert tally.rate is None
    polled(tally, *[CARD] * 30, at=at)
    assert tally.read == 1.0


def test_bounces_of_one_movement_are_counted_and_the_worst_is_kept() -> None:
    bounces = BounceMeter()
    for at in (0, 1 * MS, 3 * MS, 200 * MS, 500 * MS, 500 * MS + 100):
        bounces.hear(at)
    assert bounces.worst == Bounce(2, 0.003)


def test_a_contact_that_closes_cleanly_does_not_bounce() -> None:
    bounces = BounceMeter()
    assert bounces.worst is None
    bounces.hear(0)
    bounces.hear(BOUNCING_NS)
    assert bounces.worst == Bounce(0, 0.0)


@pytest.fixture
def table() -> Iterator[Table]:
    chip = Chip(radio=0.005)
    with alone(EmulatedPorts({PORT: chip}), chip, Reader("centre", PORT)).set_up() as table:
        yield table


def test_a_reader_counts_its_polls_its_misses_and_its_faults(table: Table) -> None:
    reader, chip = table.sources[0], table.chips["centre"]
    assert isinstance(reader, Measured)
    chip.put(CARD)
    table.until(lambda: reader.figures.polls)
    assert reader.figures.polls is not None
    assert 50 < reader.figures.polls < 200, "5 ms of radio, and the line"
    assert reader.figures.read == 1.0
    chip.miss(3)
    table.rounds(5)
    before = reader.figures
    assert before.read is not None
    assert before.read < 1.0
    assert (before.faults, before.chip) == (0, "PN532 firmware 1.6")
    chip.corrupt(2)
    table.until(lambda: count(table.told, Working) == 2)
    after = reader.figures
    (failed,) = [news for news in table.told if isinstance(news, Failed)]
    assert (after.faults, after.last_fault, after.last_fault_at) == (1, failed.why, failed.at)
    assert CARD not in repr(after)


def test_a_reader_that_fails_polls_nothing(table: Table) -> None:
    reader = table.sources[0]
    table.until(lambda: reader.figures.polls)
    table.bus.unplug(PORT)
    table.until(lambda: reader.figures.faults)
    assert reader.figures.polls is None


# What it means.


def codes(figures: Figures, now: float = 0.0, firmware: str = "1.0") -> list[str]:
    return [finding.code for finding in findings(figures, firmware, now)]


def buttons(lasted: float = 0.0, firmware: str = "") -> ButtonsFigures:
    return ButtonsFigures((ButtonFigures(2, 1, Bounce(3, lasted)),), edges="all", firmware=firmware)


def test_a_reader_that_does_well_is_no_finding() -> None:
    assert codes(ReaderFigures("centre", polls=SLOWEST, read=WEAKEST)) == []
    assert codes(ReaderFigures("centre")) == []


def test_a_slow_reader_and_a_weak_card_are_told() -> None:
    assert codes(ReaderFigures("centre", polls=SLOWEST - 0.1, read=WEAKEST - 0.01)) == ["reader-slow", "reader-weak"]


def test_a_fault_that_is_over_is_told_for_a_while() -> None:
    figures = ReaderFigures("centre", faults=2, last_fault="no answer.", last_fault_at=100.0)
    assert codes(figures, 100 + LATELY - 1) == ["device-faulted"]
    assert codes(figures, 100 + LATELY) == []


def test_a_button_that_bounces_for_long_is_told() -> None:
    assert codes(buttons(LONGEST_BOUNCE)) == []
    assert codes(buttons(LONGEST_BOUNCE + 0.001)) == ["button-bounces"]


def test_a_box_with_another_firmware_is_told() -> None:
    assert codes(buttons(firmware="1.0")) == []
    assert codes(buttons(firmware="0.9")) == ["firmware-other"]
    assert codes(buttons(firmware="0.9"), firmware="") == []


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_finding_has_words(language: str) -> None:
    bad = (
        ReaderFigures("centre", polls=1.0, read=0.5, faults=1, last_fault="no answer", last_fault_at=0.0),
        buttons(0.05, "0.9"),
    )
    found = [finding for figures in bad for finding in findings(figures, "1.0", 1.0)]
    assert len({finding.code for finding in found}) == 5
    for finding in found:
        assert Words(None, language).say(finding.code, finding.facts)
