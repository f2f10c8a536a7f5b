"""What a table can't use of what it keeps is said in red on every page; the host brings it back in one tap."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from companion.live.table import Live
from companion.storage.last_copy import keep_copy
from tests.web.table import ANAS, BOS, PEOPLE, app_with, client_of, living, phones_of, post

TAGS = '[stop-it]\nred-1 = "04A1B2C3D4E5F6"\n'
LOST = "The list of stickers is lost"


@pytest.fixture
def tags(tmp_path: Path) -> Path:
    """The stickers' file, emptied by a power cut."""
    tags = tmp_path / "tags.toml"
    tags.write_text(TAGS)
    keep_copy(tags)
    tags.write_bytes(b"")
    return tags


@pytest.fixture
def live(tmp_path: Path, tags: Path) -> Iterator[Live]:
    with living(tmp_path, tags=tags) as live:
        live.begin("stop-it", PEOPLE, {})
        yield live


@pytest.fixture
def app(live: Live) -> Flask:
    return app_with(live, phones_of(live, {0: ANAS, 1: ANAS, 3: BOS}), virtual=False)


def test_every_page_says_that_the_stickers_are_lost(app: Flask) -> None:
    host, player, anybody = (client_of(app, token) for token in (ANAS, BOS, None))
    for phone, page in ((anybody, "/"), (anybody, "/big"), (anybody, "/results"), (player, "/seat/3"), (host, "/host")):
        assert LOST in phone.get(page).text, page
    assert "La liste des étiquettes est perdue" in anybody.get("/?lang=fr").text


def test_the_host_brings_them_back(app: Flask, live: Live, tags: Path) -> None:
    host = client_of(app, ANAS)
    assert "Bring the stickers back" in host.get("/host").text
    assert post(host, "/host/cure", code="stickers-lost", remedy="last-copy")[0] == 200
    assert tags.read_text() == TAGS
    assert live.snapshot.stickers.stock["stop-it"].missing != live.snapshot.stickers.stock["stop-it"].wanted
    assert LOST not in host.get("/host").text
    assert post(host, "/host/cure", code="stickers-lost", remedy="last-copy")[0] == 409


@pytest.mark.parametrize("token", [BOS, None])
def test_nobody_else_does(app: Flask, tags: Path, token: str | None) -> None:
    assert post(client_of(app, token), "/host/cure", code="stickers-lost", remedy="anew")[0] == 403
    assert tags.read_bytes() == b""
    assert tags.with_name("tags.toml.last").exists()


@pytest.fixture
def fewer(tags: Path) -> Path:
    """The stickers' file, of which a power cut left the first lines."""
    tags.write_text(f'{TAGS}yellow-2 = "04A1B2C3D4E5F7"\n')
    keep_copy(tags)
    tags.write_text(TAGS)
    return tags


@pytest.mark.parametrize("remedy", ["last-copy", "as-it-is"])
def test_every_page_says_that_stickers_are_lacking_until_the_host_says_what_is_meant(
    fewer: Path, app: Flask, remedy: str
) -> None:
    host = client_of(app, ANAS)
    for page in ("/", "/big", "/results", "/host", "/tags"):
        assert "One card has lost its sticker" in host.get(page).text, page
    assert post(host, "/host/cure", code="stickers-fewer", remedy=remedy)[0] == 200
    assert "lost its sticker" not in host.get("/host").text
