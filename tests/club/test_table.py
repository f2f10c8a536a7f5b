"""A table as people start it: it comes, is killed, comes again and leaves on purpose; then the broker is a club's."""

import signal
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

from tests.bench.rig import free_port
from tests.cli.program import Running
from tests.club.broker import Broker, Follower
from tests.test_config import GOOD
from tests.waiting import PATIENCE, until


def test_a_table_is_there_lost_there_again_and_gone(broker: Broker, follower: Follower, tmp_path: Path) -> None:
    club = (
        f'[club]\nbroker = "mqtt://127.0.0.1:{broker.port}"\nclub = "wednesday"\nname = "Ours"\nhome_assistant = true\n'
    )
    file = tmp_path / "table.toml"
    port = free_port()
    file.write_text(GOOD.replace('"tags.toml"', '"none.toml"').replace("8080", str(port)) + club)

    def stands(state: str, birth: int) -> None:
        until(lambda: follower.of("status")[-1:] == [{"state": state, "birth": birth}], lambda: str(follower.said))

    with Running("run", file) as table:
        stands("ready", 1)
        follower.say("homeassistant/status", "online")
        until(lambda: sum("/device/" in message.topic for message in follower.said) == 2)
        until(lambda: follower.of("public"))
        table.program.kill()
        stands("lost", 1)
    with Running("run", file) as table:
        stands("ready", 2)
        with closing(HTTPConnection("127.0.0.1", port, PATIENCE)) as page:  # whoever knocks early waits
            page.request("GET", "/")
            page.getresponse().read()  # from then on it stops in order
        table.program.send_signal(signal.SIGTERM)
        stands("ended", 2)
        assert table.ended() == 0
    assert follower.of("about")[-1]["seats"] == [1, 2]
    assert follower.of("about")[-1]["simulated"]
