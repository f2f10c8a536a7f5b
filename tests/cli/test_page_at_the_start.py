"""Where a table's page is found once it has started, and on which port."""

import socket
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.cli import setting_up
from companion.cli.address import NEAR, Door, PageEnd
from companion.cli.run import virtual_table
from companion.config import PageSettings
from companion.network.own_wifi import OwnWifi
from companion.network.page_address import fixed
from companion.network.wifi import Wifi
from tests.bench.rig import free_port


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")
@pytest.mark.parametrize("everywhere", ["0.0.0.0", "::"])
def test_a_page_everywhere_is_open_by_either_protocol(everywhere: str) -> None:
    with closing(Door("--port")) as door:
        door.open(PageSettings(everywhere, port := free_port()))
        socket.create_connection(("127.0.0.1", port)).close()
        socket.create_connection(("::1", port)).close()


def test_a_table_that_moves_while_its_address_is_taken_has_its_setup_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wifi = Wifi(OwnWifi("Table", "secret-enough"))
    monkeypatch.setattr(setting_up, "address_of", lambda page: wifi._watcher() or fixed("http://192.168.4.1/"))
    monkeypatch.setattr(setting_up, "serve", lambda *_: None)
    table = replace(virtual_table(tmp_path / "log.sqlite", "127.0.0.1", free_port()), readers=(), buzzers=())
    with closing(Door("--port")) as door:
        assert setting_up.set_up(tmp_path / "table.toml", table, door, wifi) is PageEnd.SET_UP


def test_a_page_whose_port_is_taken_has_the_next_free_one_and_says_so() -> None:
    with closing(Door("--port")) as door, socket.create_server(("127.0.0.1", 0)) as port_taken:
        port = port_taken.getsockname()[1]
        page = door.open(PageSettings("127.0.0.1", port, address="http://table.lan:80"))
        assert port < page.port <= port + NEAR
        assert page.address == ""
        assert "another program has that port" in door.trouble
        assert door.open(PageSettings("127.0.0.1", port)).port == page.port
        socket.create_connection(("127.0.0.1", page.port)).close()


def test_a_page_that_is_to_be_elsewhere_moves() -> None:
    with closing(Door("--port")) as door:
        for port in (free_port(), free_port()):
            assert door.open(PageSettings("127.0.0.1", port)).port == port
            assert door.trouble == ""
            socket.create_connection(("127.0.0.1", port)).close()
