"""`companion hub`: follow a club's tables at a broker, keep their results, and show them all on one page."""

from pathlib import Path

import click
from msgspec.structs import replace

from companion.cli import address
from companion.cli.output import announce
from companion.cli.stderr_log import log_to_stderr
from companion.club.credentials import see_that_files_are_good
from companion.club.hub.club_toml import load
from companion.club.hub.hub import opened
from companion.network.page_address import address_of
from companion.web.hub import create_hub
from companion.web.server import serve


@click.command(epilog="Exit status: 0 after it was stopped; 1 it can't start; 2 wrong usage or a wrong CLUB.toml.")
@click.argument("file", metavar="CLUB.toml", type=click.Path(path_type=Path, readable=False))
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the page. [default: 8000, or as CLUB.toml says]")
@click.option("--host", help="Address to listen on. [default: 0.0.0.0, or as CLUB.toml says]")
def hub(file: Path, port: int | None, host: str | None) -> None:
    """Run a club's hub: all its tables at a glance, their results, the season.

    CLUB.toml names the broker and the club; hardware/keeping.md explains it. What was played is kept in CLUB.sqlite
    beside it.
    """
    log_to_stderr()
    settings = load(file)
    see_that_files_are_good(settings.club)
    page = replace(settings.page, port=port or settings.page.port, host=host or settings.page.host)
    where = address_of(page)
    with address.listening(page, "--port, or `port` in [page]") as door, opened(settings, where) as running:
        address.show(f"The hub of {settings.club.name} is open", where)
        announce(
            f"Its broker is {settings.club.broker}. "
            f"The keeper's code is {running.keeper.now.code}, typed at {where.url}keeper"
        )
        announce(f"Everything is kept in {settings.store}. Stop with Ctrl-C.")
        serve(create_hub(running), door, tls=page.tls, proxies=page.proxies)
