"""A table that was played at and backed up, to be spoilt; and what its host's phone does about it."""

import sqlite3
from contextlib import closing
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient

from companion.access.rights_file import Phones
from companion.access.seat_rights import first, phone_of
from companion.first_aid.examination import examine
from companion.first_aid.session import FirstAid
from companion.network.page_address import fixed
from companion.storage.ailments import AilmentCode
from companion.storage.files import phones_of
from companion.storage.last_copy import keep_copy
from companion.web.bell import Bell
from companion.web.first_aid import Ward, create_first_aid
from tests.cli.kept import Kept
from tests.web.table import ANAS, Clock, client_of, post


class Bed:
    """A table that was played at by Ana, its host, and has been backed up."""

    def __init__(self, folder: Path) -> None:
        self.kept = Kept(folder)
        self.settings = self.kept.settings
        self.log = self.kept.log
        self.tags = self.kept.tags
        self.phones = phones_of(self.log)
        Phones(self.phones).change(lambda rights: first(rights, phone_of(ANAS)))
        for file in (self.settings, self.phones):
            keep_copy(file)
        self.backup = self.kept.backup(folder / "with-phones.zip")
        with closing(sqlite3.connect(self.log)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.clock = Clock()
        self.mounts = folder / "mounts"

    def admit(self) -> FirstAid:
        self.aid = FirstAid(examine(self.settings), "it did not start", self.clock, self.mounts)
        self.aid.look()
        return self.aid

    def app(self) -> Flask:
        return create_first_aid(Ward(self.admit(), fixed("http://127.0.0.1/"), Bell()))

    @property
    def ails(self) -> list[AilmentCode]:
        return [ailment.code for ailment in examine(self.settings).ailments]


def spoil(path: Path) -> None:
    path.write_bytes(b"\x5a" * path.stat().st_size)


def host(app: Flask) -> FlaskClient:
    return client_of(app, ANAS)


def choose(phone: FlaskClient, code: str, remedy: str) -> int:
    return post(phone, "/first-aid/cure", code=code, remedy=remedy)[0]
