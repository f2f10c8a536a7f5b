"""One family of errors: whoever answers people catches two names.

Every message says what is wrong, where, and what to do now.
"""


class CompanionError(Exception):
    """The root of all that the companion itself raises for people to read."""


class NotNow(CompanionError):
    """It can't be done now, whoever asks: a disk, a device or the match stands in the way."""


class WrongInput(CompanionError, ValueError):
    """What was given can't be used, now or later."""


class NotKept(NotNow):
    """What happened could not be stored, so it counts for nothing; it may be told again."""
