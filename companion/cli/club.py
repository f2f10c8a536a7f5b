"""`companion club`: have a table join a club of many, and leave it."""

import socket
from contextlib import closing
from pathlib import Path

import click

from companion import toml_editing
from companion.cli.output import say
from companion.club.credentials import see_that_files_are_good
from companion.club.invitation import Invitation, decode
from companion.club.outbox import Outbox, table_id
from companion.config import Table, load
from companion.errors import NotNow, WrongInput
from companion.storage import files
from companion.storage.files import club_of
from companion.storage.last_copy import keep_copy

PASSWORD = "club-password"
"""The name of the password's file, beside table.toml."""

FILE = click.argument(
    "file", metavar="[TABLE.toml]", default="table.toml", type=click.Path(path_type=Path, readable=False)
)


@click.group(epilog="COMMAND --help says more, including the exit status.")
def club() -> None:
    """The club of a table: join it, leave it."""


@club.command(name="id", epilog="Exit status: 0 shown; 2 a wrong TABLE.")
@FILE
def show_id(file: Path) -> None:
    """Show the table's id: also its user, at a broker that has users.

    It is generated once, and kept beside the log.
    """
    say(table_id(club_of(load(file).log)))


@club.command(epilog="Exit status: 0 joined; 1 it is already in a club; 2 a damaged CODE, or a wrong TABLE.")
@click.argument("code")
@FILE
@click.option(
    "--name", default=socket.gethostname, help="What the club calls this table. [default: the machine's name]"
)
@click.option("--user", help="The broker's name for this table, if the code has none. `id`: the table's own id.")
@click.option("--ca", help="The file of the authority that vouches for the broker, for mqtts://.")
def join(code: str, file: Path, name: str, user: str | None, ca: str | None) -> None:
    """Join a club, by the code that its hub shows.

    Writes the section [club] into table.toml, and the password, if there is one, beside it. From its next start
    on, the table reports to the club.
    """
    table = load(file)
    invitation = decode(code)
    if table.club is not None:
        raise NotNow(f"this table is already in the club {table.club.club}. First: companion club leave {file}")
    if user and invitation.user:
        raise WrongInput(f"the code already names the broker's user, {invitation.user}: leave out --user")
    own_id = table_id(club_of(table.log))
    write_section(file, invitation, name, own_id if user == "id" else user or "", ca or "")
    _keep_card_secret(table, invitation)
    say(f"joined {invitation.club} at {invitation.broker}, as {name}. This table's id is {own_id}")
    if invitation.user not in ("", own_id):
        not_own = f"Its user at the broker, {invitation.user}, is not its id"
        say(f"{not_own}: with the access rights that we ship, it can publish nothing", err=True)
    if user and not invitation.password:
        say(f"Write the broker's password into {file.parent / PASSWORD}")
    say("Start the table again.")


@club.command(
    epilog="Exit status: 0 kept; 2 a damaged CODE or one without it, or a wrong TABLE, or one in another club."
)
@click.argument("code")
@FILE
def cards(code: str, file: Path) -> None:
    """Have club cards count at all tables: keep the club's secret, from a code that its hub shows to its keeper.

    For a table that joined without it. Whoever has a card at the table keeps it.
    """
    table = load(file)
    invitation = decode(code)
    if table.club is None or table.club.club != invitation.club:
        raise WrongInput(f"this code is of the club {invitation.club}, and the table is not in it")
    if not invitation.cards:
        raise WrongInput("this code has no secret for club cards: open the hub's page /join on its keeper's phone")
    _keep_card_secret(table, invitation)
    say("kept. Start the table again.")


@club.command(epilog="Exit status: 0 left; 1 the broker can't be cleared now; 2 the table is in no club, or is wrong.")
@FILE
@click.option("--anyway", is_flag=True, help="Leave even if the broker goes on showing the table.")
def leave(file: Path, anyway: bool) -> None:
    """Leave the club: the broker forgets the table, and table.toml its club.

    The log stays, and so does what the hub has of it. A running table tells the club nothing more.
    """
    from companion.club.leaving import NotCleared
    from companion.club.leaving import leave as left

    table = load(file)
    if table.club is None:
        raise WrongInput(f"{file} has no section [club]: this table is in no club")
    try:
        waiting = left(table.club, club_of(table.log))
    except NotCleared as wrong:
        if not anyway:
            raise NotNow(f"{wrong}. Try again, or leave it showing the table: --anyway. Nothing was changed") from wrong
        say(f"{wrong}. It goes on showing this table")
    else:
        if waiting:
            say(f"{waiting} results were never sent")
    _replace(file, without_section(file.read_bytes().decode("utf-8-sig")))
    say(f"left {table.club.club}")
    if table.club.password_file:
        say(f"The password is still in {table.club.password_file}: delete it if nothing else needs it")


def _keep_card_secret(table: Table, invitation: Invitation) -> None:
    if invitation.cards:
        with closing(Outbox(club_of(table.log))) as outbox:
            outbox.keep_card_secret(invitation.cards)


def write_section(file: Path, invitation: Invitation, name: str, user: str, ca: str) -> None:
    """Add the section [club] to a table's file. Raises `ConfigFault` if that would make the file wrong."""
    user = invitation.user or user
    section = {"broker": invitation.broker, "club": invitation.club, "name": name}
    section |= {"user": user, "password_file": PASSWORD} if user else {}
    section |= {"ca": ca} if ca else {}
    text = file.read_bytes().decode("utf-8-sig").rstrip("\r\n")
    if user and (invitation.password or not (file.parent / PASSWORD).exists()):
        files.replace_private(file.parent / PASSWORD, f"{invitation.password}\n".encode())
    _replace(file, f"{text}\n\n{toml_editing.as_section('club', section)}")


def without_section(text: str) -> str:
    """Return the text of a table's file without [club]."""
    head, *sections = toml_editing.sections(text)
    kept_sections = (section for section in sections if toml_editing.values_of(section)[0] != "club")
    return "".join((toml_editing.edited(head, {"club": None}), *kept_sections)).rstrip("\n") + "\n"


def _replace(file: Path, text: str) -> None:
    """Replace the text of a table's file, once it is checked."""
    try:
        files.replace(file, text.encode(), _load_with_its_files)
        keep_copy(file)  # else the next start would compare the file with a copy that still has the section
    except OSError as wrong:
        raise NotNow(f"can't write {file}: {wrong.strerror}") from wrong


def _load_with_its_files(file: Path) -> Table:
    """Load a table's file, and check the credentials files that its club names. Raises `WrongInput`."""
    table = load(file)
    if table.club is not None:
        see_that_files_are_good(table.club)
    return table
