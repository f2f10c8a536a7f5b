"""What some tests need besides Python's packages: `make setup` installs it; where it is missing they are skipped."""

import pytest


def needs(what: str, there: object) -> None:
    """Skip the test where it is not there."""
    if not there:
        pytest.skip(f"{what} is missing: `make setup` installs it")
