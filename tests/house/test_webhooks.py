"""A program is called when something happens: with what everybody sees, signed, and never in the table's way."""

import base64
import hashlib
import hmac
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

from companion.house import webhooks
from companion.house.happenings import Happening
from companion.house.webhooks import SECRET, Webhook, WrongSecret, secret_in, signature
from companion.house_settings import WebhookSettings
from tests.waiting import PATIENCE, until

BEGINS = Happening("match-begins", 7, "go")
WON = Happening("winner", 7, "go", "Bo wins.", seat=2, name="Bo")


class Program(BaseHTTPRequestHandler):
    """Notes every call, and answers as it is told to."""

    calls: ClassVar[list[tuple[dict[str, str], bytes]]]
    answers: ClassVar[list[int]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.calls.append(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(self.answers.pop(0) if self.answers else 204)
        self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        self.calls.append(({"method": "GET"}, b""))

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Iterator[ThreadingHTTPServer]:
    monkeypatch.setattr(webhooks, "AGAIN_S", (0.01, 0.01, 0.01))
    Program.calls = []
    Program.answers = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Program) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield server
        server.shutdown()
        serving.join()


@pytest.fixture
def called(program: ThreadingHTTPServer) -> Iterator[Any]:
    started: list[Webhook] = []

    def call(*happenings: Happening, **settings: Any) -> Webhook:
        webhook = Webhook(WebhookSettings(f"http://127.0.0.1:{program.server_port}/hook", **settings))
        started.append(webhook)
        webhook.start()
        for happening in happenings:
            webhook.tell(happening)
        return webhook

    yield call
    for webhook in started:
        webhook.stop()
        webhook._calls.stop(PATIENCE)


def test_a_program_is_called_for_each_happening_in_order(called: Any) -> None:
    called(BEGINS, WON)
    until(lambda: len(Program.calls) == 2)
    bodies = [msgspec.json.decode(body, type=Happening) for _, body in Program.calls]
    assert bodies == [BEGINS, WON]
    assert Program.calls[0][0]["content-type"] == "application/json"


def test_a_program_that_names_events_is_called_for_no_others(called: Any) -> None:
    called(BEGINS, WON, events=("winner",))
    until(lambda: Program.calls)
    assert [msgspec.json.decode(body)["event_type"] for _, body in Program.calls] == ["winner"]


def test_a_call_is_signed_as_standard_webhooks_has_it(called: Any, tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text(SECRET + base64.b64encode(b"a" * 32).decode() + "\n")
    file.chmod(0o600)
    called(WON, secret_file=str(file))
    until(lambda: Program.calls)
    headers, body = Program.calls[0]
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.digest(b"a" * 32, signed, hashlib.sha256)).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"


def test_the_example_of_standard_webhooks_has_the_signature_that_its_document_tells() -> None:
    secret = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    body = b'{"test": 2432232314}'
    signed = signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_program_that_is_overloaded_is_called_again_and_knows_that_it_is_the_same_call(called: Any) -> None:
    Program.answers = [503, 429, 204]
    webhook = called(WON)
    until(lambda: len(Program.calls) == 3)
    until(lambda: not webhook.trouble)
    assert len({headers["webhook-id"] for headers, _ in Program.calls}) == 1


def test_a_program_that_never_takes_a_call_gets_it_four_times_and_then_the_next(called: Any) -> None:
    Program.answers = [500] * 4
    webhook = called(BEGINS, WON)
    until(lambda: len(Program.calls) == 5)
    assert msgspec.json.decode(Program.calls[-1][1])["event_type"] == "winner"
    until(lambda: not webhook.trouble)


@pytest.mark.parametrize("answer", [302, 400, 404, 410])
def test_a_program_that_says_no_or_has_moved_is_not_called_again(answer: int, called: Any) -> None:
    Program.answers = [answer]
    webhook = called(WON)
    until(lambda: webhook.trouble)
    assert webhook.trouble == f"it answers {answer}"
    assert len(Program.calls) == 1


def test_a_program_that_is_not_there_is_told_without_its_address(program: ThreadingHTTPServer) -> None:
    webhook = Webhook(WebhookSettings("http://127.0.0.1:1/a-path-that-only-they-know"))
    webhook.start()
    webhook.tell(WON)
    until(lambda: webhook.trouble)
    assert (webhook.name, webhook.trouble) == ("127.0.0.1", "Connection refused")
    webhook.stop()


def test_a_secret_that_others_may_read_or_that_is_none_is_refused_with_its_cure(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("not base64!")
    with pytest.raises(WrongSecret, match="chmod 600"):
        secret_in(str(file))
    file.chmod(0o600)
    with pytest.raises(WrongSecret, match="openssl rand -base64 32"):
        secret_in(str(file))
    with pytest.raises(WrongSecret, match="No such file"):
        secret_in(str(tmp_path / "none"))
