"""The owner of a real table types what they measure: the page says which assumptions hold, a report carries them."""

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.cli.run import virtual_table
from companion.devices.check.checkup import Checkup
from companion.devices.supply import SupplyWatch
from companion.measuring.assumptions import ASSUMPTIONS, Basis, Section
from companion.measuring.figures_file import Figure, FiguresFile
from companion.report.running import RunningReport
from companion.web.render.words import page_entries
from tests.web.table import app_of, living, post


@pytest.fixture
def figures(tmp_path: Path) -> FiguresFile:
    return FiguresFile(tmp_path / "figures.json")


@pytest.fixture
def phone(tmp_path: Path, figures: FiguresFile) -> Iterator[FlaskClient]:
    with living(tmp_path) as live:
        yield app_of(live, figures=figures).test_client()


def page(phone: FlaskClient, language: str = "en") -> str:
    return phone.get("/measure", headers={"Accept-Language": language}).text.replace("\xa0", " ")


def row(phone: FlaskClient, name: str) -> str:
    item = re.search(rf'<li id="{name}".*?</li>', page(phone), re.S)
    assert item
    return item[0]


def test_every_assumption_has_its_words_its_number_and_a_field() -> None:
    names = {f"measure-{assumption.name}" for assumption in ASSUMPTIONS}
    sections = {f"measure-{about}-{section}" for about in ("in", "before") for section in Section}
    assert names | sections | {f"measure-by-{basis}" for basis in Basis} <= page_entries().keys()


def test_a_figure_says_whether_the_assumption_holds(phone: FlaskClient, figures: FiguresFile) -> None:
    assert "Nothing measured yet" in page(phone)
    assert post(phone, "/measure", assumption="volts-reader", figure="4,9", part="board 2")[0] == 200
    assert post(phone, "/measure", assumption="reach", figure="12", part="")[0] == 200
    assert figures.figures == (Figure("volts-reader", 4.9, "board 2"), Figure("reach", 12))
    assert "4.9 V: the assumption holds (board 2)" in row(phone, "volts-reader")
    assert "12 mm: the assumption does not hold" in row(phone, "reach")
    assert f"2 of {len(ASSUMPTIONS)} measured. Holding: 1. Not holding: 1." in page(phone)


def test_an_empty_figure_takes_back_what_was_typed(phone: FlaskClient, figures: FiguresFile) -> None:
    post(phone, "/measure", assumption="reach", figure="12", part="")
    assert post(phone, "/measure", assumption="reach", figure=" ", part="")[0] == 200
    assert figures.figures == ()


@pytest.mark.parametrize(
    "typed",
    [
        {"assumption": "reach", "figure": "about 12", "part": ""},
        {"assumption": "weather", "figure": "12", "part": ""},
        {"assumption": "reach", "figure": "12", "part": "x" * 61},
        {},
    ],
)
def test_what_is_no_figure_changes_nothing_and_is_said(
    phone: FlaskClient, figures: FiguresFile, typed: dict[str, str]
) -> None:
    status, message = post(phone, "/measure", **typed)
    assert status == 400
    assert "othing was changed" in message
    assert figures.figures == ()


def test_a_french_phone_reads_a_comma(phone: FlaskClient, figures: FiguresFile) -> None:
    figures.tell(Figure("volts-reader", 4.9))
    assert "4,9 V" in page(phone, "fr")
    assert "4,75–5,25 V" in page(phone, "fr")


def test_a_virtual_table_has_nothing_to_measure(tmp_path: Path) -> None:
    with living(tmp_path) as live:
        phone = app_of(live).test_client()
        assert phone.get("/measure").status_code == 404
        assert 'href="/measure"' not in phone.get("/host/table").text


def test_the_hosts_page_of_a_real_table_leads_there(phone: FlaskClient) -> None:
    assert 'href="/measure"' in phone.get("/host/table").text


def test_a_report_carries_the_figures_and_their_verdicts(tmp_path: Path, figures: FiguresFile) -> None:
    figures.tell(Figure("reach", 12, "board 3"))
    with living(tmp_path) as live:
        table = virtual_table(live.kept_in, "127.0.0.1", 8000)
        checkup = Checkup((), (), live.clock, "", live.tell, lambda: live.snapshot.under_way)
        report = RunningReport(None, table, live, checkup, SupplyWatch(), None, figures=figures)
        with zipfile.ZipFile(io.BytesIO(report.pack())) as packed:
            assert packed.read("measured.txt").decode() == "wrong   reach 12 mm; assumed ≥ 20 mm, guessed  (board 3)\n"
