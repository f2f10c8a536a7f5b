"""The host chooses on a page what is heard from the table itself; the big screen then leaves it to the table."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.access.seat_rights import HOST
from companion.access.table_voice import Loudness, TableVoice, VoiceKind
from companion.web.site import site
from tests.web.table import ANAS, SCRIPT, app_of, app_with, client_of, living, phones_of, post


class Told:
    """Stands for the loudspeaker, which the page only asks what ails it."""

    name = "loudspeaker default"
    trouble = ""


@pytest.fixture
def loudspeaker() -> Told:
    return Told()


@pytest.fixture
def host(tmp_path: Path, loudspeaker: Told) -> Iterator[FlaskClient]:
    with living(tmp_path) as live:
        yield client_of(app_with(live, phones_of(live, {HOST: ANAS}), loudspeaker=loudspeaker), ANAS)


def voice_of(host: FlaskClient) -> TableVoice:
    with host.application.app_context():
        return site().phones.rights.voice


def test_a_table_is_silent_until_its_host_chooses(host: FlaskClient) -> None:
    assert "The table is silent." in host.get("/loudspeaker?lang=en").text
    assert post(host, "/loudspeaker", kind="speech", loudness="loud")[0] == 200
    assert "The table makes sounds and speaks." in host.get("/loudspeaker?lang=en").text
    assert voice_of(host) == TableVoice(VoiceKind.SPEECH, Loudness.LOUD, chosen=1)


def test_the_same_choice_again_is_a_sample_again(host: FlaskClient) -> None:
    for chosen in (1, 2):
        post(host, "/loudspeaker", kind="sounds", loudness="quiet")
        assert voice_of(host).chosen == chosen


@pytest.mark.parametrize("choice", [{}, {"kind": "song", "loudness": "loud"}, {"kind": "sounds", "loudness": "11"}])
def test_what_nobody_can_choose_is_refused(host: FlaskClient, choice: dict[str, str]) -> None:
    assert post(host, "/loudspeaker", **choice)[0] == 400


def test_only_the_host_chooses(host: FlaskClient) -> None:
    other = client_of(host.application, None)
    assert other.get("/loudspeaker").status_code == 403
    assert other.post("/loudspeaker", data={"kind": "sounds", "loudness": "loud"}, headers=SCRIPT).status_code == 403


def test_why_nothing_is_heard_is_told(host: FlaskClient, loudspeaker: Told) -> None:
    loudspeaker.trouble = "default can't be played on: no such device"
    assert "no such device" in host.get("/loudspeaker").text


def test_the_way_there_is_on_the_hosts_page(host: FlaskClient) -> None:
    assert 'href="/loudspeaker"' in host.get("/host/table").text


def test_a_machine_that_plays_no_sound_has_no_such_page(tmp_path: Path) -> None:
    with living(tmp_path) as live:
        client = app_of(live).test_client()
        assert client.get("/loudspeaker").status_code == 404
        assert 'href="/loudspeaker"' not in client.get("/host/table").text


def test_the_big_screen_leaves_it_to_a_table_that_is_heard(host: FlaskClient) -> None:
    assert "data-heard" not in host.get("/big").text
    post(host, "/loudspeaker", kind="sounds", loudness="middle")
    assert "data-heard" in host.get("/big").text
    assert "data-heard" not in host.get("/").text  # a phone is nobody else's ear
