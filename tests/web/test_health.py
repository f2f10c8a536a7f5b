"""Programs that watch a table or a hub are told in one request how it does."""

from flask.testing import FlaskClient

from companion import threads
from companion.live.table import Live
from companion.storage.ailments import AilmentCode
from companion.storage.opening import LogFault
from companion.versions.commit import full_version
from tests.live.table import refusing
from tests.web.table import app_of


def test_a_table_that_does_well_says_so(client: FlaskClient) -> None:
    answer = client.get("/health")
    checks = {"log": "pass", "devices": "pass", "program": "pass"}
    assert (answer.status_code, answer.json) == (
        200,
        {"status": "pass", "version": full_version(), "checks": checks},
    )
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_table_that_can_store_nothing_fails(live: Live) -> None:
    with refusing(live._judging.recorder._log, "append", "try_to_write", error=LogFault("full", AilmentCode.DISK_FULL)):
        client = app_of(live).test_client()
        client.post("/enter", data={"kind": "pressed", "seat": "1"})
        answer = client.get("/health")
    assert answer.status_code == 503
    assert answer.json is not None
    assert (answer.json["status"], answer.json["checks"]["log"]) == ("fail", "fail")


def test_what_a_thread_raised_is_a_warning(client: FlaskClient) -> None:
    try:
        threads.keep("season", ValueError("the words of whoever raised it"))
        answer = client.get("/health")
    finally:
        threads.forget_faults()
    assert answer.json is not None
    assert (answer.status_code, answer.json["status"]) == (200, "warn")
    assert "words" not in answer.text
