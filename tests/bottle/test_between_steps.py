"""Between any two steps of any act: cut, full or failing, it is done once or not at all. At length: `make trust`."""

import pytest

from companion.acts.act import ACTS
from tests.bottle.between_steps import tried
from tests.bottle.wishes import STORES_NOTHING, WISHES


def test_only_acts_that_there_are_store_nothing() -> None:
    assert STORES_NOTHING.keys() <= {*ACTS}


@pytest.mark.parametrize("name", WISHES)
def test_an_act_that_a_fault_comes_upon_is_done_once_or_not_at_all(name: str) -> None:
    assert [*filter(None, tried(name, each=1))] == []


@pytest.mark.parametrize("name", ["rename Bo", "take back Bo's count"])
def test_an_act_on_either_of_the_files_is_at_any_operation(name: str) -> None:
    """What people hold is in one file, what was played in another."""
    assert [*filter(None, tried(name))] == []
