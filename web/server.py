"""The web server: gevent's, in the calling thread, without patching anything: judge and drivers are native threads."""

import resource
import signal
import socket
import threading

import gevent
from flask import Flask
from gevent.event import Event
from gevent.pool import Pool
from gevent.pywsgi import WSGIServer

WAITING = 1024
"""Phones that may knock at once."""
OPEN_FILES = 8192
"""Every phone holds one; the usual soft limit would lock the last ones out."""


def server(app: Flask, host: str, port: int) -> WSGIServer:
    """Give a server that listens once started; it belongs to this thread. Raises OSError where the port is taken."""
    made = WSGIServer((host, port), app, backlog=WAITING, spawn=Pool(), log=None)
    made.stop_timeout = 0.1  # streams never end by themselves: then they are cut
    made.init_socket()
    # A phone's connections inherit it; without it an answer waits 40 ms for the phone to acknowledge the one before.
    made.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


def serve(app: Flask, host: str, port: int) -> None:
    """Serve until told to stop (SIGINT, SIGTERM)."""
    asked = Event()
    if threading.current_thread() is threading.main_thread():
        for told in (signal.SIGINT, signal.SIGTERM):
            gevent.signal_handler(told, asked.set)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(OPEN_FILES, hard) if hard > 0 else OPEN_FILES, hard))
    running = server(app, host, port)  # only now phones come in: a stop from here on is an orderly one
    running.start()
    compiling = gevent.spawn(_compile_templates, app)
    asked.wait()
    compiling.kill()
    running.stop()


def _compile_templates(app: Flask) -> None:
    """Compile them one by one while nobody waits, so that no first press of a kind waits for it."""
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)
        gevent.sleep(0.02)
