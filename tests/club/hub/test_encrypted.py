"""A club that encrypts and vouches for its broker itself: tables are handed its certificate, and told how to use it."""

import shutil
import ssl
import subprocess
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.club.credentials import why_unreachable
from companion.club.hub import club_toml
from companion.club.hub.hub import Hub, opened
from companion.network.page_address import fixed
from companion.web.hub import create_hub
from tests.club.broker import MOSQUITTO, running
from tests.needs import needs
from tests.waiting import until

OPEN = "allow_anonymous true"


def certify(folder: Path) -> None:
    """Write an authority that is its own broker's certificate, and its key."""
    needs("openssl", shutil.which("openssl"))
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    files = ["-keyout", "broker.key", "-out", "broker.crt"]
    subprocess.run(
        [*command, "-subj", "/CN=club", "-addext", "subjectAltName=DNS:localhost", *files],
        cwd=folder,
        check=True,
        capture_output=True,
    )


def tls(folder: Path) -> tuple[str, ...]:
    return OPEN, f"certfile {folder}/broker.crt", f"keyfile {folder}/broker.key"


def club_file(folder: Path, broker: str, ca: str) -> Path:
    file = folder / "CLUB.toml"
    file.write_text(f'[club]\nbroker = "{broker}"\nclub = "wednesday"\nca = "{ca}"\n')
    return file


def hub_of(file: Path) -> Hub:
    return opened(club_toml.load(file), fixed("http://127.0.0.1:8000/"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    certify(tmp_path)
    return tmp_path


def test_a_table_is_handed_the_authority_but_never_a_key_that_lies_beside_it(folder: Path) -> None:
    certificate = (folder / "broker.crt").read_text()
    (folder / "both.pem").write_text((folder / "broker.key").read_text() + certificate)
    with hub_of(club_file(folder, "mqtts://localhost:1", "both.pem")) as hub:
        page: FlaskClient = create_hub(hub).test_client()
        joining = page.get("/join").text
        assert "--ca club-ca.crt" in joining
        assert 'href="/club-ca.crt"' in joining
        handed = page.get("/club-ca.crt")
        assert (handed.status_code, handed.text) == (200, certificate)


def test_a_club_that_trusts_whom_its_system_trusts_has_none_to_hand_out(tmp_path: Path) -> None:
    file = tmp_path / "CLUB.toml"
    file.write_text('[club]\nbroker = "mqtts://localhost:1"\nclub = "wednesday"\n')
    with hub_of(file) as hub:
        page = create_hub(hub).test_client()
        assert "--ca" not in page.get("/join").text
        assert page.get("/club-ca.crt").status_code == 404


def test_an_authority_that_was_taken_away_costs_no_other_page(folder: Path) -> None:
    with hub_of(club_file(folder, "mqtts://localhost:1", "broker.crt")) as hub:
        (folder / "broker.crt").unlink()
        page = create_hub(hub).test_client()
        assert page.get("/club-ca.crt").status_code == 503
        assert page.get("/join").status_code == 200


@pytest.mark.parametrize(
    ("host", "ca", "cure"),
    [("localhost", "other.crt", "`ca`"), ("127.0.0.1", "broker.crt", "as its certificate does")],
    ids=["another authority", "another name"],
)
def test_the_keeper_is_told_what_is_wrong_with_a_certificate_and_what_to_do(
    folder: Path, host: str, ca: str, cure: str
) -> None:
    needs("mosquitto", MOSQUITTO)
    shutil.copy(folder / "broker.crt", folder / "other.crt")
    certify(folder)
    with (
        running(folder, *tls(folder)) as broker,
        hub_of(club_file(folder, f"mqtts://{host}:{broker.port}", ca)) as hub,
    ):
        until(lambda: hub.follower.trouble)
        assert "answers, but not safely: certificate verify failed" in hub.follower.trouble
        assert cure in hub.follower.trouble


@pytest.mark.parametrize(("code", "cure"), [(9, "set the clock"), (10, "Renew it at the broker")])
def test_a_certificate_that_is_not_valid_now_may_be_the_clocks_fault(code: int, cure: str) -> None:
    wrong = ssl.SSLCertVerificationError()
    wrong.verify_code = code
    wrong.verify_message = "as OpenSSL says it"
    assert cure in why_unreachable(wrong)


def test_a_broker_that_does_not_answer_is_told_apart_from_one_that_is_not_trusted(folder: Path) -> None:
    with hub_of(club_file(folder, "mqtts://localhost:1", "broker.crt")) as hub:
        until(lambda: hub.follower.trouble)
        assert "no broker answers" in hub.follower.trouble
