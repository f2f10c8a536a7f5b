"""How well devices do: what is counted, and what it means."""

from collections.abc import Iterator

import pytest

from companion.devices.buttons.debounce import BOUNCING_NS, BounceMeter
from companion.devices.check.findings import LATELY, LONGEST_BOUNCE, SLOWEST, WEAKEST, findings
from companion.devices.drivers.pn532_uart import Reader
from companion.devices.faults import DeviceFault
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


def polled(tally: Tally, *uids: str, at: float = 0.0, every: float = 0.01) -> float:
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


READ = {
    "every miss of a lying tag counts": ([*[CARD, CARD, CARD, ""] * 25, CARD], 76 / 101),
    "a few polls say nothing": ([CARD] * (FEWEST - 1), None),
    "but as many as are wanted do": ([CARD] * FEWEST, 1.0),
    "a lifted tag was not missed": ([*[CARD] * 30, *[""] * 100], 1.0),
    "also where it comes back": ([*[CARD] * 30, *[""] * round(100 * BACK_S + 1), *[CARD] * 30], 1.0),
    "one so weak that it seems lifted was": ([*[CARD, *[""] * 40] * 5, CARD], 6 / 206),
    "the next card is measured by itself": ([*[CARD, ""] * 30, *[OTHER] * 30], 1.0),
    "what is long past counts ever less": ([*[CARD, ""] * 500, *[CARD] * 2000], pytest.approx(1.0, abs=0.03)),
}


@pytest.mark.parametrize(("uids", "read"), READ.values(), ids=READ.keys())
def test_of_a_lying_tag_it_is_told_how_many_polls_saw_it(uids: list[str], read: float | None) -> None:
    tally = Tally()
    polled(tally, *uids)
    assert tally.read == read


def test_a_fault_is_no_miss() -> None:
    tally = Tally()
    at = polled(tally, *[CARD] * 30, "", "")
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
    reader = table.sources[0]
    chip = table.chips["centre"]
    assert isinstance(reader, Measured)
    chip.put(CARD)
    table.until(lambda: reader.figures.polls)
    assert reader.figures.polls is not None
    assert 50 < reader.figures.polls < 200, "5 ms of radio, and the line"
    assert reader.figures.read == 1.0
    chip.miss(3)
    table.rounds(5)
    figures_before = reader.figures
    assert figures_before.read is not None
    assert figures_before.read < 1.0
    assert (figures_before.faults, figures_before.chip) == (0, "PN532 firmware 1.6")
    chip.corrupt(2)
    table.until(lambda: count(table.told, Working) == 2)
    figures_after = reader.figures
    (failed,) = [news for news in table.told if isinstance(news, Failed)]
    assert (figures_after.faults, figures_after.last_fault, figures_after.last_fault_at) == (1, failed.fault, failed.at)
    assert CARD not in repr(figures_after)


def test_a_reader_that_fails_polls_nothing(table: Table) -> None:
    reader = table.sources[0]
    table.until(lambda: reader.figures.polls)
    table.bus.unplug(PORT)
    table.until(lambda: reader.figures.faults)
    assert reader.figures.polls is None


# What it means.


def buttons(lasted: float = 0.0, firmware: str = "") -> ButtonsFigures:
    return ButtonsFigures((ButtonFigures(2, 1, Bounce(3, lasted)),), edges="all", firmware=firmware)


def test_what_keeps_a_reader_from_beginning_is_no_fault_once_it_has_begun() -> None:
    """A port that was just opened may sit on the first answers for more than a second."""
    chip = Chip()
    ports = EmulatedPorts({PORT: chip})
    ports.deaf = 5.0
    with alone(ports, chip, Reader("centre", PORT)).set_up() as table:
        table.until(lambda: count(table.told, Working))
        reader = table.sources[0]
        assert isinstance(reader, Measured)
        assert count(table.told, Failed) == 1
        assert reader.figures.faults == 0


FAULTED = ReaderFigures("centre", faults=2, last_fault=DeviceFault("no answer."), last_fault_at=100.0)
MEANT: dict[str, tuple[Figures, float, str]] = {
    "a reader that does well": (ReaderFigures("centre", polls=SLOWEST, read=WEAKEST), 0.0, ""),
    "one of which nothing is known": (ReaderFigures("centre"), 0.0, ""),
    "a slow one": (ReaderFigures("centre", polls=SLOWEST - 0.1, read=WEAKEST), 0.0, "reader-slow"),
    "a weak card": (ReaderFigures("centre", polls=SLOWEST, read=WEAKEST - 0.01), 0.0, "reader-weak"),
    "a fault that is over, for a while": (FAULTED, 100 + LATELY - 1, "device-faulted"),
    "and then no more": (FAULTED, 100 + LATELY, ""),
    "a button that bounces for long": (buttons(LONGEST_BOUNCE + 0.001), 0.0, "button-bounces"),
    "but not for less": (buttons(LONGEST_BOUNCE), 0.0, ""),
    "a box with the same firmware": (buttons(firmware="1.0"), 0.0, ""),
    "with another": (buttons(firmware="0.9"), 0.0, "firmware-other"),
}


@pytest.mark.parametrize(("figures", "at", "code"), MEANT.values(), ids=MEANT.keys())
def test_what_figures_mean_is_told(figures: Figures, at: float, code: str) -> None:
    assert [finding.code for finding in findings(figures, "1.0", at)] == [code] * bool(code)


def test_whoever_does_not_know_the_own_firmware_finds_no_other() -> None:
    assert findings(buttons(firmware="0.9"), "", 0.0) == ()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_finding_has_words(language: str) -> None:
    bad = (
        ReaderFigures("centre", polls=1.0, read=0.5, faults=1, last_fault=DeviceFault("no answer"), last_fault_at=0.0),
        buttons(0.05, "0.9"),
    )
    all_findings = [finding for figures in bad for finding in findings(figures, "1.0", 1.0)]
    assert len({finding.code for finding in all_findings}) == 5
    for finding in all_findings:
        assert Words(None, language).say(finding.code, finding.facts)
