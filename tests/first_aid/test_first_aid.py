"""A table that can't start shows a page: what ails it, and what people may choose; nothing is ever deleted."""

import errno
import io
import os
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST
from companion.config import load
from companion.first_aid.examination import examine
from companion.first_aid.session import ALONE_AFTER, TRIES_AGAIN_AFTER, FirstAid
from companion.network.page_address import fixed
from companion.storage import files
from companion.storage.ailments import AilmentCode
from companion.storage.last_copy import copy_of, keep_copy
from companion.storage.log import Log
from companion.web.bell import Bell
from companion.web.first_aid import Ward, create_first_aid
from tests.cli.kept import FIRST, TABLE
from tests.first_aid.bed import Bed, choose, host, spoil
from tests.storage.damaging import DAMAGES, damage
from tests.waiting import until
from tests.web.table import BOS, client_of, post


def test_nothing_ails_a_table_that_can_start(bed: Bed) -> None:
    assert bed.ails == []


AILMENTS = {
    "a damaged log": (lambda bed: spoil(bed.log), "log-damaged"),
    "an emptied log": (lambda bed: bed.log.write_bytes(b""), "log-lost"),
    "a log that is gone": (lambda bed: bed.log.unlink(), "log-lost"),
    "phones that are gone": (lambda bed: bed.phones.unlink(), "phones-damaged"),
    "damaged phones": (lambda bed: spoil(bed.phones), "phones-damaged"),
    "emptied phones": (lambda bed: bed.phones.write_bytes(b""), "phones-damaged"),
    "wrong settings": (lambda bed: bed.settings.write_text("[page]\nprot = 80\n"), "settings-wrong"),
    "settings of NUL bytes": (lambda bed: bed.settings.write_bytes(bytes(99)), "settings-lost"),
    "settings that end in NUL bytes": (
        lambda bed: bed.settings.write_bytes(bed.settings.read_bytes()[:20] + bytes(40)),
        "settings-wrong",
    ),
    "emptied settings": (lambda bed: bed.settings.write_bytes(b""), "settings-lost"),
    "settings with an address that is not this machine's": (
        lambda bed: bed.settings.write_text(f'{TABLE}[page]\nhost = "192.0.2.99"\n'),
        "settings-wrong",
    ),
    "settings with a certificate that is none": (
        lambda bed: bed.settings.write_text(f'{TABLE}[page]\ncertificate = "tags.toml"\nkey = "tags.toml"\n'),
        "settings-wrong",
    ),
    "settings that end too early": (lambda bed: bed.settings.write_text(TABLE[: TABLE.index("tags")]), "settings-cut"),
    "settings that are gone": (lambda bed: bed.settings.unlink(), "settings-lost"),
}


@pytest.mark.parametrize(("harm", "code"), AILMENTS.values(), ids=AILMENTS)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_address_says_what_ails_the_table(bed: Bed, harm, code: str, language: str) -> None:  # type: ignore[no-untyped-def]
    harm(bed)
    app = bed.app()
    for address in ("/", "/results", "/host", "/seat/1", "/first-aid"):
        answer = host(app).get(f"{address}?lang={language}")
        assert answer.status_code == 200
        assert f'id="ails-{code}"' in answer.text


def test_a_log_in_which_no_match_is_found_is_not_said_to_go_on_with_any(spoilt: Bed) -> None:
    page = host(spoilt.app()).get("/").text
    assert "No match in it can be read" in page
    assert "no match could be found in it" in page
    assert "every match" not in page


def test_the_page_is_there_before_the_damaged_log_has_been_looked_through(spoilt: Bed) -> None:
    aid = FirstAid(examine(spoilt.settings), "it did not start", spoilt.clock)
    page = host(create_first_aid(Ward(aid, fixed("http://127.0.0.1/"), Bell()))).get("/").text
    assert "Looking for what can be read" in page
    assert "/first-aid/cure" not in page


def test_settings_from_before_there_were_copies_are_missed_if_a_match_was_played_beside_them(bed: Bed) -> None:
    bed.settings.with_name("table.toml.last").unlink()
    bed.settings.write_bytes(b"")
    assert bed.ails == [AilmentCode.SETTINGS_LOST]


def test_the_host_goes_on_with_what_can_be_read(spoilt: Bed) -> None:
    damaged = spoilt.log.read_bytes()
    assert choose(host(spoilt.app()), "log-damaged", "anew") == 200
    assert spoilt.aid.is_over
    assert spoilt.ails == []
    assert spoilt.log.with_name("log.sqlite.aside-1").read_bytes() == damaged


def test_once_nothing_ails_the_table_its_page_says_that_it_starts_and_names_no_other_cause(spoilt: Bed) -> None:
    app = spoilt.app()
    choose(host(app), "log-damaged", "anew")
    page = host(app).get("/").text
    assert "The table starts now." in page
    assert "can’t start" not in page
    assert "ails-" not in page


def test_a_newer_log_is_gone_on_from_with_as_many_matches_as_the_page_offers(bed: Bed) -> None:
    with closing(sqlite3.connect(bed.log)) as db:
        db.execute("PRAGMA user_version = 99")
    app = bed.app()
    page = host(app).get("/").text
    assert "Go on with that match" in page
    assert "empty log" not in page
    choose(host(app), "log-newer", "anew")
    assert bed.kept.events() == 2


def test_a_new_table_on_a_full_disk_says_that_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write_private(path: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    (tmp_path / "table.toml").write_text("[page]\nport = 8000\n")
    assert examine(tmp_path / "table.toml").ailments == ()
    monkeypatch.setattr(files, "write_private", write_private)
    assert [ailment.code for ailment in examine(tmp_path / "table.toml").ailments] == [AilmentCode.DISK_FULL]


def test_a_log_that_is_gone_is_replaced_only_when_the_host_says_so(bed: Bed) -> None:
    bed.log.unlink()
    app = bed.app()
    assert not bed.log.exists()
    assert choose(host(app), "log-lost", "anew") == 200
    assert bed.ails == []


def test_settings_and_phones_are_brought_back_from_their_copies(bed: Bed) -> None:
    bytes_before = bed.settings.read_bytes(), bed.phones.read_bytes()
    bed.settings.write_bytes(b"")
    bed.phones.write_bytes(b"")
    phone = host(bed.app())
    for code in ("settings-lost", "phones-damaged"):
        assert not bed.aid.is_over
        assert choose(phone, code, "last-copy") == 200
    assert bed.aid.is_over
    assert (bed.settings.read_bytes(), bed.phones.read_bytes()) == bytes_before


def test_a_stranger_decides_nothing_while_the_host_is_there(spoilt: Bed) -> None:
    stranger = client_of(spoilt.app(), BOS)
    assert choose(stranger, "log-damaged", "anew") == 403
    spoilt.clock.now += ALONE_AFTER - 1
    host(create_first_aid(Ward(spoilt.aid, fixed("http://127.0.0.1/"), Bell()))).get("/")
    spoilt.clock.now += 2
    assert choose(stranger, "log-damaged", "anew") == 403


def test_if_the_hosts_phone_stays_away_anybody_may_do_what_gives_nothing_away(bed: Bed) -> None:
    spoil(bed.log)
    spoil(bed.phones)
    bed.settings.write_bytes(b"")
    anybody = client_of(bed.app(), None)
    bed.clock.now += ALONE_AFTER
    assert choose(anybody, "settings-lost", "anew") == 403
    assert choose(anybody, "phones-damaged", "anew") == 403
    assert choose(anybody, "settings-lost", "last-copy") == 200
    assert choose(anybody, "phones-damaged", "last-copy") == 200
    assert choose(anybody, "log-damaged", "anew") == 200


def test_the_host_is_known_by_the_copy_of_the_phones_if_the_file_itself_is_damaged(bed: Bed) -> None:
    spoil(bed.phones)
    app = bed.app()
    assert choose(client_of(app, BOS), "phones-damaged", "anew") == 403
    assert choose(host(app), "phones-damaged", "anew") == 200
    assert HOST not in Phones(bed.phones).rights.holders


def test_the_code_makes_another_phone_the_hosts(spoilt: Bed) -> None:
    app = spoilt.app()
    phone = client_of(app, None)
    assert phone.get("/first-aid/everything.zip").status_code == 403
    assert post(phone, "/first-aid/code", code="WRONGCODE2")[0] == 403
    assert post(phone, "/first-aid/code", code=Phones(spoilt.phones).rights.codes[HOST].lower())[0] == 200
    assert phone.get("/first-aid/everything.zip").status_code == 200


def test_without_any_rights_only_the_terminals_code_takes_anything_out(bed: Bed) -> None:
    spoil(bed.phones)
    bed.phones.with_name(f"{bed.phones.name}.last").unlink()
    phone = client_of(bed.app(), None)
    assert phone.get("/first-aid/everything.zip").status_code == 403
    assert post(phone, "/first-aid/code", code=bed.aid.code)[0] == 200
    assert phone.get("/first-aid/everything.zip").status_code == 200


def test_everything_is_handed_out_as_it_is(spoilt: Bed) -> None:
    answer = host(spoilt.app()).get("/first-aid/everything.zip")
    with zipfile.ZipFile(io.BytesIO(answer.data)) as packed:
        assert packed.testzip() is None
        assert packed.read("log.sqlite") == spoilt.log.read_bytes()
        assert {"table.toml", "tags.toml", "log.sqlite.phones"} <= {*packed.namelist()}


def test_a_setup_begun_again_is_where_the_table_was(bed: Bed) -> None:
    bed.settings.write_text('language = "fr"\n[page]\nport = 8123\n[network]\nwifi = true\n')
    keep_copy(bed.settings)
    bed.settings.write_bytes(b"")
    assert choose(host(bed.app()), "settings-lost", "anew") == 200
    table = examine(bed.settings).table
    assert (table.page.port, table.network.wifi, table.language, table.sensors) == (8123, True, "fr", ())


@pytest.mark.parametrize("wrong", ['certificate = "no such file"\nkey = "k"', "prot = 80"])
def test_the_page_is_where_wrong_settings_say(bed: Bed, wrong: str) -> None:
    bed.settings.with_name("table.toml.last").unlink()
    bed.settings.write_text(f'{TABLE}[page]\nhost = "127.0.0.1"\nport = 8123\n{wrong}\n')
    page = examine(bed.settings).table.page
    assert (page.host, page.port, page.tls) == ("127.0.0.1", 8123, None)


def test_a_certificate_that_cannot_be_used_opens_the_page_to_nobody_else(bed: Bed) -> None:
    wrong = 'host = "127.0.0.1"\nport = 8123\ncertificate = "tags.toml"\nkey = "tags.toml"'
    bed.settings.write_text(f"{TABLE}[page]\n{wrong}\n")
    page = examine(bed.settings).table.page
    assert (page.host, page.port, page.tls) == ("127.0.0.1", 8123, None)


def test_what_nobody_finds_is_tried_again_after_a_while(bed: Bed) -> None:
    aid = FirstAid(examine(bed.settings), "a fault of the program", bed.clock, bed.mounts)
    bed.clock.now += TRIES_AGAIN_AFTER
    aid.start()
    try:
        until(lambda: aid.is_over)
    finally:
        aid.end()


def test_settings_that_somebody_mends_are_enough(bed: Bed) -> None:
    right = bed.settings.read_text()
    bed.settings.write_text("[[reader]\n")
    aid = bed.admit()
    bed.settings.write_text(right)
    aid.look()
    assert aid.is_over


def test_another_program_is_told_to_wait(spoilt: Bed) -> None:
    answer = client_of(spoilt.app(), None).get("/api/1/public")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")


FILES = ("log.sqlite", "log.sqlite.phones", "table.toml")


@pytest.mark.parametrize("seed", range(len(DAMAGES) * 4))
def test_whatever_the_damage_the_page_comes_and_the_first_remedies_lead_to_a_table(bed: Bed, seed: int) -> None:
    with closing(Log(bed.log, writes=True)) as log:
        log.open_match("now", False, FIRST)
    how = [
        damage(bed.settings.with_name(name), seed * 7 + number)
        for number, name in enumerate(FILES)
        if seed >> number & 1
    ]
    app = bed.app()
    phone = host(app)
    assert phone.get("/").status_code == 200, how
    for _ in range(4):
        ailments = examine(bed.settings).ailments
        if not ailments:
            break
        phone.get("/?lang=fr")
        assert choose(phone, ailments[0].code, ailments[0].remedies[0]) == 200, (how, ailments)
    assert examine(bed.settings).ailments == (), how
    load(bed.settings)


def test_settings_that_end_too_early_are_brought_back(bed: Bed) -> None:
    whole = bed.settings.read_text()
    bed.settings.write_text(whole[: whole.index("[[buzzers]]")])
    assert choose(host(bed.app()), "settings-cut", "last-copy") == 200
    assert bed.settings.read_text() == whole
    assert bed.ails == []


def test_settings_that_are_meant_to_end_there_are_gone_on_with(bed: Bed) -> None:
    meant = TABLE[: TABLE.index("seats")] + "seats = [1, 2]\n"
    bed.settings.write_text(f'{meant}[[reader]]\ndriver = "virtual"\nplace = "centre"\n')
    keep_copy(bed.settings)
    bed.settings.write_text(meant)
    assert choose(host(bed.app()), "settings-cut", "as-it-is") == 200
    assert bed.settings.read_text() == meant
    assert bed.ails == []


def test_settings_whose_copy_somebody_moves_away_start_by_themselves(bed: Bed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.first_aid.session.LOOKS_EVERY", 0.01)
    bed.settings.write_text(TABLE[: TABLE.index("tags")])
    aid = bed.admit()
    look = aid.look
    looks: list[None] = []
    monkeypatch.setattr(aid, "look", lambda: looks.append(look()))
    aid.start()
    try:
        until(lambda: bool(looks))
        copy_of(bed.settings).unlink()
        until(lambda: aid.is_over)
    finally:
        aid.end()
