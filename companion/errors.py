"""One family of errors: whoever answers people catches two names.

Every message says what is wrong, where, and what to do now.
"""

import shlex
import sys

PIP = f"{shlex.quote(sys.executable)} -m pip"
"""What installs software where this program runs: another `pip` would put it elsewhere, or refuse to."""


class CompanionError(Exception):
    """The root of everything that the companion raises for people to read."""


class NotNow(CompanionError):
    """It can't be done now, whoever asks: the disk, a device or the state of the match prevents it."""


class WrongInput(CompanionError, ValueError):
    """The input can't be used, now or later."""


class NotKept(NotNow):
    """The event could not be stored, so it counts for nothing; it may be told again."""
