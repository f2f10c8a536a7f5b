"""What is wrong with a device: told to a family in their language, and to whoever builds with its wires."""

import re
from pathlib import Path

import pytest

from companion.devices.faults import DeviceFault, FaultCode
from companion.devices.sensing import Failed, Working
from companion.languages import LANGUAGES
from companion.live.table import Live
from companion.setup.table_plan import Silent, Stage, TablePlan
from companion.web.render.fault_words import said_to_builders, said_to_players
from companion.web.render.words import PageWords
from tests.web.languages import ENGLISH, FRENCH, foreign, words_of_page
from tests.web.setting_up import staged
from tests.web.table import app_of

FACTS = {
    FaultCode.CLOSED: {"group": "dialout"},
    FaultCode.UNUSABLE: {"setting": "port", "choices": None},
    FaultCode.SOFTWARE: {"run": "pip install x"},
    FaultCode.VERSION: {"older": "box"},
    FaultCode.BUTTONS: {"number": 2, "named": 4},
    FaultCode.FULL: {"number": 3},
}
"""What a fault of each code is about, beside where it is and what leads there."""
CODES = [code for code in FaultCode if code is not FaultCode.OTHER]
ENGINEERS = re.compile(r"\b(TX|RX|HSU|UART|SPI|I2C|baud|GPIO|/dev|port|table\.toml|firmware|multiplex\w*)\b")
PAGES = ("/", "/seat/1", "/seat/3", "/host", "/host/table", "/big", "/story")


def fault(code: FaultCode, bus: str = "uart") -> DeviceFault:
    facts = {"where": "/dev/ttyUSB2", "bus": bus, "programs": "", **FACTS.get(code, {})}
    return DeviceFault("In English: the port, TX and RX.", code, facts)


def words(language: str) -> PageWords:
    return PageWords(None, language, {1: "Léa", 2: "Anna"})


OTHERS = {"en": FRENCH, "fr": ENGLISH}
"""By language, the words that only another has."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("bus", ["uart", "spi", "i2c", "box", "gpio"])
@pytest.mark.parametrize("code", CODES)
def test_every_fault_has_words_for_players_and_for_builders(code: FaultCode, bus: str, language: str) -> None:
    name = {"box": "buzzers /dev/ttyACM0", "gpio": "buzzers GPIO 17"}.get(bus, "reader seat-1")
    to_players = said_to_players(name, fault(code, bus), words(language))
    assert to_players
    assert not ENGINEERS.search(to_players)
    for has_worked in (False, True):
        exactly = said_to_builders(name, fault(code, bus), has_worked, words(language))
        assert exactly
        assert foreign(exactly, OTHERS.get(language, set())) == []


def test_a_family_is_told_whose_reader_it_is_and_what_to_do_now() -> None:
    gone = fault(FaultCode.GONE)
    assert said_to_players("reader seat-1", gone, words("en")) == "Léa’s reader: is its cable in?"
    assert said_to_players("reader seat-1", gone, words("fr")).translate({0x202F: " ", 0xA0: " "}) == (
        "Le lecteur de Léa : son câble est-il branché ?"
    )
    assert said_to_players("reader seat-2", gone, words("fr")).startswith("Le lecteur d’Anna")


def test_a_reader_where_nobody_sits_is_told_by_its_place() -> None:
    gone = fault(FaultCode.GONE)
    assert said_to_players("reader seat-4", gone, words("en")) == "The reader of seat 4: is its cable in?"
    assert said_to_players("reader centre", gone, words("en")) == "The reader (centre): is its cable in?"


def test_wires_and_switches_are_out_of_the_question_once_a_reader_has_worked() -> None:
    silent = fault(FaultCode.SILENT)
    assert "HSU" in said_to_builders("reader seat-1", silent, has_worked=False, words=words("fr"))
    assert "HSU" not in said_to_builders("reader seat-1", silent, has_worked=True, words=words("fr"))


def test_a_program_that_may_take_the_port_is_named_to_whoever_builds() -> None:
    port_taken = DeviceFault(
        "", FaultCode.SILENT, {"where": "x", "bus": "uart", "programs": "brltty (sudo apt-get remove)"}
    )
    assert "brltty (sudo" in said_to_builders("reader seat-1", port_taken, has_worked=False, words=words("fr"))


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("path", PAGES)
def test_no_page_of_a_running_match_shows_a_drivers_english_in_french(live: Live, path: str, code: FaultCode) -> None:
    live.tell(Working("reader seat-1", "PN532 firmware 1.6", 0.0), Failed("reader seat-1", fault(code), 1.0))
    page = app_of(live).test_client().get(path, query_string={"lang": "fr"}).text
    assert "In English" not in page
    assert foreign(words_of_page(page), ENGLISH) == []
    if path != "/story":
        assert "lecteur d’Ana" in page


def test_what_a_packages_driver_tells_in_words_is_shown_as_it_is(live: Live) -> None:
    live.tell(Failed("reader seat-1", "the drum is wet: dry it", 1.0))
    page = app_of(live).test_client().get("/host", query_string={"lang": "fr"}).text
    assert '<span lang="en">the drum is wet: dry it</span>' in page


def test_a_packages_driver_that_leaves_out_what_a_fault_is_about_is_shown_as_it_tells_it(live: Live) -> None:
    live.tell(Failed("buzzers drum", DeviceFault("full: 3 presses are lost", FaultCode.FULL), 1.0))
    assert "full: 3 presses are lost" in app_of(live).test_client().get("/host").text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_setup_says_in_each_language_what_to_check_where_nothing_answers(tmp_path: Path, language: str) -> None:
    silent = Silent("/dev/ttyUSB7", fault(FaultCode.SILENT))
    with staged(tmp_path) as stages:
        stages.setup.plan = TablePlan(stage=Stage.FOUND, silent=(silent,))
        text = stages.mine.get("/setup", query_string={"lang": language}).text
    assert "HSU" in text
    assert "In English" not in text
