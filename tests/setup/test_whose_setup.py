"""Who sets a table up: whoever comes first, until they have gone; nobody takes it from a table that has its devices."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST, NoSuchCode, who
from companion.config import Table, begun
from companion.devices.drivers import virtual
from companion.setup import whose_setup
from companion.setup.whose_setup import AWAY_S, StillThere
from tests.web.table import Clock

ANA = "ana"
BO = "bo"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def phones(tmp_path: Path, clock: Clock) -> Phones:
    return Phones(tmp_path / "phones.json", clock)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A table without devices yet."""
    return begun(tmp_path / "table.toml")


def test_whoever_comes_first_sets_it_up(phones: Phones) -> None:
    assert whose_setup.is_free(phones.rights)
    whose_setup.begin(phones, ANA, None)
    assert whose_setup.sets_up(phones.rights, ANA)
    assert not whose_setup.may_set_up(phones.rights, BO)
    assert who(phones.rights, ANA).host


def test_of_two_at_once_the_first_does(phones: Phones) -> None:
    whose_setup.begin(phones, ANA, None)
    whose_setup.begin(phones, BO, None)
    assert whose_setup.sets_up(phones.rights, ANA)


def test_nobody_goes_on_while_whoever_began_is_there(phones: Phones, table: Table) -> None:
    whose_setup.begin(phones, ANA, None)
    with pytest.raises(StillThere):
        whose_setup.take_over(phones, table, BO, None)
    assert whose_setup.sets_up(phones.rights, ANA)


def test_another_goes_on_once_they_have_gone(phones: Phones, table: Table, clock: Clock) -> None:
    whose_setup.begin(phones, ANA, None)
    clock.now += AWAY_S + 1
    whose_setup.take_over(phones, table, BO, None)
    assert whose_setup.sets_up(phones.rights, BO)
    assert not whose_setup.may_set_up(phones.rights, ANA)


def test_a_table_with_devices_is_taken_over_by_the_hosts_code_alone(phones: Phones, table: Table, clock: Clock) -> None:
    whose_setup.begin(phones, ANA, None)
    clock.now += AWAY_S + 1
    with pytest.raises(StillThere):
        whose_setup.take_over(phones, replace(table, readers=(virtual.Reader("centre"),)), BO, None)
    with pytest.raises(NoSuchCode):
        whose_setup.claim(phones, BO, "-", None)
    whose_setup.claim(phones, BO, phones.rights.codes[HOST], None)
    assert whose_setup.sets_up(phones.rights, BO)
