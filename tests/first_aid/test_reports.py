"""A table that can't start hands out a report of itself, which tells no secret."""

import io
import zipfile

import pytest
from werkzeug.test import TestResponse

from companion.access.rights_file import Phones
from companion.report.messages import messages_of
from tests.cli.kept import TABLE
from tests.cli.program import companion
from tests.first_aid.bed import Bed, host, spoil
from tests.web.table import BOS, client_of


def reported(answer: TestResponse) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(answer.data)) as packed:
        return {name: packed.read(name).decode() for name in packed.namelist()}


SECRET = f'{TABLE}[club]\nbroker = "mqtt://carlo:pa55word@127.0.0.1"\nclub = "c"\nname = "W"\n"password" = "0pen"\n'
"""Settings as no club may be written, which is why the table does not start."""


@pytest.mark.parametrize("name", ["table.toml", "log.sqlite", "log.sqlite.phones"])
def test_a_report_says_what_ails_the_table_and_tells_no_secret(bed: Bed, name: str) -> None:
    codes = Phones(bed.phones).rights.codes.values()
    line = f"Ana held red-1 on 04A1B2C3D4E5F6; {' '.join(codes)}"
    messages_of(bed.log).write_text(f"the table can't start: {line}\n")
    if name == "table.toml":
        bed.settings.write_text(SECRET)
    else:
        spoil(bed.settings.with_name(name))
    texts = reported(host(bed.app()).get("/first-aid/report.zip"))
    left_out = name == "log.sqlite"
    assert texts["journal.txt"].startswith("Left out" if left_out else "the table can't start: [name] held [card] on")
    assert bed.aid.ailments[0].code in texts["check.txt"]
    assert texts["table.toml"].startswith('log = "log.sqlite"')
    for secret in ("Ana", "red-1", "04A1B2C3D4E5F6", "pa55word", "0pen", *codes):
        assert not [text for text in texts.values() if secret in text], secret


def test_only_the_hosts_phone_takes_a_report_while_it_is_known_which_that_is(spoilt: Bed) -> None:
    app = spoilt.app()
    assert "/first-aid/report.zip" in host(app).get("/").text
    assert "/first-aid/report.zip" not in client_of(app, BOS).get("/").text
    assert client_of(app, BOS).get("/first-aid/report.zip").status_code == 403


def test_if_nobody_knows_whose_the_table_is_anybody_takes_a_report_without_what_may_name_people(bed: Bed) -> None:
    messages_of(bed.log).write_text("Ana could not sit down\n")
    spoil(bed.phones)
    spoil(bed.phones.with_name(f"{bed.phones.name}.last"))
    texts = reported(client_of(bed.app(), None).get("/first-aid/report.zip"))
    assert "phones-damaged" in texts["check.txt"]
    assert texts["journal.txt"].startswith("Left out")


def test_the_terminals_report_is_written_of_a_table_with_wrong_settings_and_a_damaged_log(bed: Bed) -> None:
    spoil(bed.log)
    bed.settings.write_text(SECRET)
    done = companion("report", bed.settings, bed.settings.with_name("report.zip"))
    assert done.exit_code == 0, done.output
    with zipfile.ZipFile(bed.settings.with_name("report.zip")) as packed:
        assert b"pa55word" not in packed.read("table.toml")
        assert b"unknown setting 'password'" in packed.read("check.txt")
