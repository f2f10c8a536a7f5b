"""A program of this machine that is called, and notes with what."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class CalledProgram(ThreadingHTTPServer):
    """It takes every call."""

    def __init__(self) -> None:
        self.calls: list[bytes] = []
        calls = self.calls

        class Answer(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                calls.append(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Answer)


@contextmanager
def called() -> Iterator[CalledProgram]:
    with CalledProgram() as program:
        serving = threading.Thread(target=program.serve_forever)
        serving.start()
        try:
            yield program
        finally:
            program.shutdown()
            serving.join()
