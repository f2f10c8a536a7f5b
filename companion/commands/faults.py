"""Why a command ends without having done its work."""


class NotDone(Exception):
    """It can't be done now: what is wrong, and what to do."""


class WrongInput(Exception):
    """What was given can't be used, now or later: what is wrong with it."""
