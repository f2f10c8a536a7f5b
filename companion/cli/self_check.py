"""A new version's self-check before it may run: it opens a copy of the log, judges every match, and renders pages.

    python -m companion.cli.self_check FOLDER

An older version calls it like this, with a folder that `companion restore` has filled: the call may not change.
"""

import sys
from contextlib import closing
from pathlib import Path

from companion.access.rights_file import Phones
from companion.cli.progress import shown_progress
from companion.config import begun
from companion.devices.monotonic_clock import TableClock
from companion.history.archive import Archive
from companion.live.table import Live
from companion.network.page_address import fixed
from companion.progress import Advance, say_nothing
from companion.storage.files import phones_of
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from companion.web import Room, create_app

PAGES = ("/", "/big", "/results", "/join")
ADDRESS = "http://127.0.0.1/"


def look(folder: Path, advance: Advance = say_nothing) -> None:
    """Check that this version works with a copy of a table; raise any exception if not.

    `advance` gets the number of matches judged.
    """
    table = begun(folder / "table.toml")
    with closing(Log(table.log, writes=True)) as log:
        log.skim()
        matches = len(log.matches())
        for judged, _ in enumerate(Archive(table.log).catch_up(), 1):
            advance(judged, matches)
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
    with shown_progress("judging every match", sys.stdout) as progress:
        look(Path(sys.argv[1]), progress)
