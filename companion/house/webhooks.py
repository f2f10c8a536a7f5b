"""Webhooks: calls programs when something happens, each from a thread of its own, so that none waits for another.

A call is signed as defined by Standard Webhooks (www.standardwebhooks.com).
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
"""Seconds for a program to answer."""
AGAIN_S = (1.0, 4.0, 16.0)
"""Seconds before each retry; after the last one the call is given up."""
MOST = 100
"""Most calls in the queue; the oldest are dropped first."""
SECRET = "whsec_"
"""The prefix of a secret; the rest is base64."""

_journal = logging.getLogger(__name__)


class WrongSecret(WrongInput):
    """A webhook's secret can't be used; the message says which, why, and what to do."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, which would send the call to another program."""

    def redirect_request(self, *_: Any) -> None:
        """Treat the redirect as the answer."""


_caller = urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler({}))


def secret_in(file: str) -> bytes:
    """Read a secret from its file. Raises `WrongSecret`."""
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
    """Return the signature of a call; `number` is its id, `at` its time in seconds since 1970."""
    signed = b".".join((number.encode(), str(at).encode(), body))
    return "v1," + base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()


class Webhook:
    """A program to be called. `tell`, `show` and `trouble` may be used from any thread."""

    def __init__(self, settings: WebhookSettings) -> None:
        """Prepare to call a program."""
        self.name = urlsplit(settings.url).hostname or ""  # the host only: the rest of the URL may be a secret
        self.trouble = ""
        """Why the last call failed; "" if it did not."""
        self._settings = settings
        self._calls: Backlog[bytes] = Backlog("webhook", MOST, self._deliver)

    def start(self) -> None:
        """Start the thread."""
        self._calls.start()

    def stop(self) -> None:
        """Stop; waits only briefly for an answer."""
        self._calls.stop(1.0)

    def tell(self, happening: Happening) -> None:
        """Queue a call, if the program wants this kind of event."""
        if not self._settings.events or happening.event_type in self._settings.events:
            self._calls.add(msgspec.json.encode(happening))

    def show(self, snapshot: Snapshot) -> None:
        """Do nothing: programs are called for happenings only."""

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
        """Call once; return why it failed ("": it did not), and whether to try again."""
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
