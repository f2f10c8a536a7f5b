"""A hub's pages, as tests ask for them."""

import json
from pathlib import Path
from typing import Any

import gevent
from flask.testing import FlaskClient

from companion.judge import record_file, views
from companion.judge.match import judge

RECORDS = sorted(Path(__file__).parents[2].glob("games/*/records/*.jsonl"))


ONE_OF_EACH = list({record.parts[-3]: record for record in RECORDS}.values())


def view_of(record: Path) -> dict[str, Any]:
    view = views.view(judge(record_file.decode(record.read_bytes())), None)
    return json.loads(json.dumps(view))  # as it comes over the network


def shown(page: FlaskClient, path: str = "/") -> str:
    return page.get(path).get_data(as_text=True)


def shown_by_itself(page: FlaskClient) -> str:
    """What is to be seen as the screens are kept fresh: once more where it is not there yet."""
    gevent.sleep(0.001)  # whoever does that has its turn
    return page.get("/").get_data(as_text=True)
