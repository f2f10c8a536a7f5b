"""Idempotent forms: a page's script repeats an act whose answer was lost under the same number, and it counts once.

The latest answers are remembered, because retries come soon. When there are too many, the busiest address loses its
oldest, so a flood evicts nobody else's.
"""

from collections import Counter

from flask import Flask, Response, abort, g, request
from gevent import Timeout
from gevent.event import AsyncResult

from companion.access.address_holder import holder_of
from companion.web.http.phone import COOKIE

LONGEST = 60
"""Characters of a number."""
MOST = 1000
"""Answers remembered."""
PATIENCE = 15.0
"""Seconds to wait for the same act while it is still being carried out."""


Act = tuple[str, str, str]
"""Path, phone and number."""


class Once:
    """The latest acts, and their answers."""

    def __init__(self) -> None:
        self._answers: dict[Act, AsyncResult] = {}
        """Oldest first; unset while an act is being carried out."""
        self._from: dict[Act, str] = {}
        """The address that each act came from."""

    def put_on(self, app: Flask) -> None:
        """Wrap every route, outermost, so that an answer is remembered with its cookies."""
        app.before_request(self._earlier_answer)
        app.after_request(self._remember)
        app.teardown_request(self._forget)

    def _earlier_answer(self) -> Response | None:
        number = request.form.get("once", "") if request.method == "POST" else ""
        if not 0 < len(number) <= LONGEST:
            return None
        act = (request.path, request.cookies.get(COOKIE, ""), number)
        # Of two who waited for an act that was refused, the second waits for the first one's attempt.
        while (earlier := self._answers.get(act)) is not None:
            try:
                answer: Response | None = earlier.get(timeout=PATIENCE)
            except Timeout:
                abort(503)
            if answer is not None:  # None: it was refused or failed, and may be tried again
                return _copy(answer)
        g.act = act
        g.answer = AsyncResult()
        self._answers[act] = g.answer
        self._from[act] = holder_of(request.remote_addr or "")
        if len(self._answers) > MOST:
            ((busiest, _),) = Counter(self._from.values()).most_common(1)
            self._drop(next(act for act, address in self._from.items() if address == busiest))
        return None

    def _drop(self, act: Act) -> None:
        del self._answers[act]
        del self._from[act]

    def _remember(self, response: Response) -> Response:
        if "answer" in g and response.status_code < 400:
            g.answer.set(_copy(response))
        return response

    def _forget(self, _: BaseException | None) -> None:
        """Forget an act that was refused or failed: it changed nothing."""
        if "answer" in g and not g.answer.ready():
            if self._answers.get(g.act) is g.answer:
                self._drop(g.act)
            g.answer.set(None)


def _copy(response: Response) -> Response:
    return Response(response.get_data(), response.status_code, list(response.headers))
