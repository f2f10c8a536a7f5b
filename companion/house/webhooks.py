"""Programs that want to be called when something happens: one thread each, so that none waits for another.

A call is signed as Standard Webhooks (www.standardwebhooks.com) has it: whoever has the secret knows who calls, and
when.
"""

import base64
import binascii
import hashlib
import hmac
import http.client
import logging
import secrets
import time
import urllib.error
import urllib.request
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from companion import __version__
from companion.errors import WrongInput
from companion.house.happenings import Happening
from companion.house_settings import WebhookSettings
from companion.live.snapshot import Snapshot
from companion.storage.files import contents
from companion.threads import Backlog, Rounds

ANSWER_S = 5.0
"""Seconds that a program has to answer."""
AGAIN_S = (1.0, 4.0, 16.0)
"""Seconds until a call is tried again; after the last time it is given up."""
MOST = 100
"""The most calls that wait; what is older is given up first."""
SECRET = "whsec_"
"""A secret begins with it; what follows is in base64."""

_journal = logging.getLogger(__name__)


class WrongSecret(WrongInput):
    """A webhook's secret can't be used: which, why, and what to do."""


class _AsItIs(urllib.request.HTTPRedirectHandler):
    """A program that has moved is not followed: who follows would tell somebody else."""

    def redirect_request(self, *_: Any) -> None:
        """Take the answer as it is."""


_caller = urllib.request.build_opener(_AsItIs, urllib.request.ProxyHandler({}))


def secret_in(file: str) -> bytes:
    """Read a secret. Raises `WrongSecret`."""
    path = Path(file)
    try:
        if path.stat().st_mode & 0o077:
            raise WrongSecret(f"the webhook's secret in {path} may be read by others: chmod 600 {path}")
        written = contents(path).decode("utf-8").strip()
        return base64.b64decode(written.removeprefix(SECRET), validate=True)
    except OSError as wrong:
        raise WrongSecret(f"can't read the webhook's secret in {path}: {wrong.strerror}") from wrong
    except (UnicodeDecodeError, binascii.Error):
        raise WrongSecret(f"the webhook's secret in {path} is not in base64, as `openssl rand -base64 32` is") from None


def signature(secret: bytes, number: str, at: int, body: bytes) -> str:
    """Return what proves a call: `at` is in seconds since 1970."""
    signed = b".".join((number.encode(), str(at).encode(), body))
    return "v1," + base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()


class Webhook:
    """`tell`, `show` and `trouble` may be used from any thread."""

    def __init__(self, settings: WebhookSettings) -> None:
        """Prepare to call."""
        self.name = urlsplit(settings.url).hostname or ""  # the rest of the address may be all that proves who calls
        self.trouble = ""
        """Why the last call was given up; "" if it was taken."""
        self._settings = settings
        self._calls: Backlog[bytes] = Backlog("webhook", MOST, self._deliver)

    def start(self) -> None:
        """Begin to call."""
        self._calls.start()

    def stop(self) -> None:
        """Stop; a program that does not answer is not waited for."""
        self._calls.stop(1.0)

    def tell(self, happening: Happening) -> None:
        """Call for it, if the program wants to be called for such."""
        if not self._settings.events or happening.event_type in self._settings.events:
            self._calls.add(msgspec.json.encode(happening))

    def show(self, snapshot: Snapshot) -> None:
        """Do nothing: programs are called for what happens."""

    def _deliver(self, body: bytes, rounds: Rounds) -> None:
        number = f"msg_{secrets.token_hex(8)}"
        for breath in (*AGAIN_S, None):
            trouble, retry_after = self._call(body, number)
            if not trouble or not retry_after or breath is None:
                break
            if rounds.wait(breath):
                return
        if trouble and trouble != self.trouble:
            _journal.warning("%s was called in vain: %s", self.name, trouble)
        self.trouble = trouble

    def _call(self, body: bytes, number: str) -> tuple[str, bool]:
        """Call once; return why it was not taken ("": it was), and whether to try again."""
        at = int(time.time())
        headers = {
            "Content-Type": "application/json",
            "User-Agent": f"table-companion/{__version__}",
            "webhook-id": number,
            "webhook-timestamp": str(at),
        }
        try:
            if self._settings.secret_file:
                headers["webhook-signature"] = signature(secret_in(self._settings.secret_file), number, at, body)
            call = urllib.request.Request(self._settings.url, body, headers, method="POST")
            with _caller.open(call, timeout=ANSWER_S):
                return "", False
        except urllib.error.HTTPError as answer:
            answer.close()
            return (
                f"it answers {answer.code}",
                answer.code == HTTPStatus.TOO_MANY_REQUESTS or answer.code >= HTTPStatus.INTERNAL_SERVER_ERROR,
            )
        except WrongSecret as wrong:
            return str(wrong), False
        except (OSError, http.client.HTTPException, ValueError) as wrong:
            reason = getattr(wrong, "reason", wrong)
            return str(getattr(reason, "strerror", None) or reason), True
