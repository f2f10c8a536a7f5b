"""What some tests need besides Python's packages: `make setup` installs it; where it is missing they are skipped."""

import pytest


def needs(tool: str, path_or_none: object) -> None:
    """Skip the test where it is not there."""
    if not path_or_none:
        pytest.skip(f"{tool} is missing: `make setup` installs it")
