"""The kit's pytest plugin. In a package's `conftest.py`: `pytest_plugins = ["companion.kit.pytest_plugin"]`."""

import pytest
from hypothesis import HealthCheck, settings

pytest.register_assert_rewrite(
    "companion.kit.laws", "companion.kit.misplay_laws", "companion.kit.page_laws", "companion.kit.table_for_tests"
)

PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no fault of a game
settings.register_profile("brief", PATIENT, max_examples=8)
settings.register_profile("quick", PATIENT, max_examples=25)
settings.register_profile("long", PATIENT, max_examples=400)
settings.register_profile("trust", PATIENT, max_examples=400, database=None)
settings.load_profile("quick")  # another by `--hypothesis-profile=long`
