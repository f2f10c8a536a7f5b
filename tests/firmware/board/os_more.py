"""What MicroPython's `os` on a Pico has, or does otherwise, than the one in here."""

import builtins
import os

import host


def urandom(count):
    return bytes([host.random() for _ in range(count)])


class Machine:
    machine = host.board


def uname():
    host.readable()  # the first thing the firmware asks for; USB is there already
    return Machine


def numbered(call):
    """Return a call whose errors have the Pico's numbers: in here "no such file" is 44."""

    def called(path, *more):
        try:
            return call(path or "/", *more)
        except OSError as error:
            raise OSError(2 if error.errno == 44 else error.errno) from error

    return called


os.urandom, os.uname, os.stat, builtins.open = urandom, uname, numbered(os.stat), numbered(open)
