"""What a new version does before it may run: open a copy of the table's log, judge all of it, and show its pages.

    python -m companion.cli.self_check FOLDER

An older version calls it like this, with a folder that `companion restore` has filled: the call may not change.
"""

import sys
from contextlib import closing
from pathlib import Path

from companion.access.rights_file import Phones
from companion.config import begun
from companion.devices.monotonic_clock import TableClock
from companion.history.archive import Archive
from companion.live.table import Live
from companion.network.page_address import fixed
from companion.storage.files import phones_of
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from companion.web import Room, create_app

PAGES = ("/", "/big", "/results", "/join")
ADDRESS = "http://127.0.0.1/"


def look(folder: Path) -> None:
    """Check that this version works with a copy of a table. Raises `NotNow`, `WrongInput`, or whatever else goes
    wrong."""
    table = begun(folder / "table.toml")
    with closing(Log(table.log, writes=True)) as log:
        log.skim()
        Archive(table.log).results()
        live = Live(log, TableClock(log.last_at()), Decks(table.tags), simulated=table.simulated)
        live.start()
        try:
            room = Room(live=live, phones=Phones(phones_of(table.log)), found_at=fixed(ADDRESS))
            client = create_app(room).test_client()
            for page in PAGES:
                answer = client.get(page, base_url=ADDRESS, follow_redirects=True)
                if answer.status_code >= 500:
                    raise RuntimeError(f"{page} answers {answer.status}")
        finally:
            live.stop()


if __name__ == "__main__":
    look(Path(sys.argv[1]))
    print("all is well")
