"""The guide's steps: each can be taken with what the steps before it brought, and where the parts still lie."""

import re
from collections.abc import Iterator

import pytest

from companion import config
from companion.devices.drivers import pn532_spi
from companion.measuring.assumptions import BY_NAME
from tests.devices.readers import Table
from tests.emulators.pn532_spi import EmulatedSpi, SpiPN532
from tests.hardware.wiring import ROOT

GUIDE = (ROOT / "hardware/README.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return GUIDE.partition(f"### {title}\n" if f"### {title}\n" in GUIDE else f"## {title}\n")[2].partition("\n#")[0]


STEPS = dict(re.findall(r"^(\d+)\. (.*?)(?=^\d+\. |\Z)", section("Step by step"), re.M | re.S))


def test_the_archive_that_the_example_comes_from_is_copied_to_the_pi_before() -> None:
    assert "`tables/` in the folder of the hardware's archive" in STEPS["3"]
    assert re.search(r"`scp .*-hardware\.tar\.gz ", STEPS["1"])
    assert "`tar -xf table-companion-…-hardware.tar.gz`" in STEPS["1"]


def test_what_is_soldered_to_the_bus_board_is_soldered_before_it_is_in_its_tray() -> None:
    step = STEPS["5"]
    assert step.index("push button's") < step.index("into their trays")


def test_the_trays_go_up_once_nothing_in_them_is_still_to_be_wired_or_measured() -> None:
    assert "screw all trays" in STEPS["7"]
    up = STEPS["7"].index("screw all trays")
    assert STEPS["7"].index("measure the voltages") < up
    assert STEPS["7"].index("wire the [push button]") < up
    assert not any("push button" in STEPS[str(later)] and "ire the" in STEPS[str(later)] for later in (8, 9, 10))


def test_the_boxs_own_name_is_put_into_the_file_in_the_step_of_the_box() -> None:
    assert re.search(r"put that into `port` under `\[\[buzzers\]\]`", STEPS["7"])


def test_in_the_acceptance_sheet_the_service_is_stopped_whenever_devices_are_checked() -> None:
    points = re.findall(r"^- \[ \] (.*)$", section("Acceptance"), re.M)
    stopped = points.index("`sudo systemctl stop table-companion`")
    (started,) = (at for at, point in enumerate(points) if "systemctl start table-companion" in point)
    checking = [at for at, point in enumerate(points) if "`companion check" in point]
    assert checking
    assert all(stopped < at < started for at in checking)
    assert all("the page" not in point for point in points[stopped:started])


def test_a_readers_reach_is_measured_before_a_mat_lies_on_it() -> None:
    assert "--reader" in STEPS["4"]
    assert "--reader" not in section("Acceptance")


def test_the_figures_to_measure_are_measured_in_the_step_that_they_name() -> None:
    sheet = (ROOT / "hardware/measure.md").read_text(encoding="utf-8")
    (step,) = re.findall(r"RSTPD_N at rest: multimeter, as in step (\d+) of the guide", sheet)
    assert "a multimeter shows some 3.3 V between RSTPD_N" in STEPS[step]


@pytest.fixture
def seven() -> Iterator[Table]:
    readers = [
        sensor
        for sensor in config.load(ROOT / "hardware/tables/six-seats.toml").sensors
        if isinstance(sensor, pn532_spi.Reader)
    ]
    chips = {reader.place: SpiPN532(radio=0.05) for reader in readers}
    selects = {reader.chip_select: chips[reader.place] for reader in readers}
    resets = {reader.reset: chips[reader.place] for reader in readers}
    with Table(EmulatedSpi(selects, resets), {**chips}, readers).set_up() as table:
        yield table


def test_seven_readers_on_the_bus_of_six_seats_are_polled_as_often_as_is_assumed(seven: Table) -> None:
    seven.lay_cards()
    began = seven.time.now
    seven.rounds(50)
    assert int(50 / (seven.time.now - began)) == BY_NAME["polls-bus"].least
