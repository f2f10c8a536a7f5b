"""The web server: gevent's, in the calling thread, without patching anything: judge and drivers are native threads."""

import signal
import threading

import gevent
from flask import Flask
from gevent.pool import Pool
from gevent.pywsgi import WSGIServer

WAITING = 1024
"""Phones that may knock at once."""


def server(app: Flask, host: str, port: int) -> WSGIServer:
    """Give a server that listens once started; it belongs to this thread. Raises OSError where the port is taken."""
    made = WSGIServer((host, port), app, backlog=WAITING, spawn=Pool(), log=None)
    made.stop_timeout = 0.1  # streams never end by themselves: then they are cut
    made.init_socket()
    return made


def serve(app: Flask, host: str, port: int) -> None:
    """Serve until told to stop (SIGINT, SIGTERM)."""
    running = server(app, host, port)
    if threading.current_thread() is threading.main_thread():
        for told in (signal.SIGINT, signal.SIGTERM):
            gevent.signal_handler(told, running.stop)
    running.serve_forever()
