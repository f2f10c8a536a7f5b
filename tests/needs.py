"""What some tests need besides Python's packages: `make setup` installs it; where it is missing they are skipped."""

import pytest


def needs(what: str, there: object) -> None:
    """Skip the test where it is not there. Always from here, so that pytest tells of all such tests in one line."""
    if not there:
        pytest.skip(f"{what} is missing: `make setup` installs it")
