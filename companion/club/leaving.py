"""Leaving a club: the messages that the broker retains for a table are cleared, so that it disappears at the hub."""

from contextlib import closing
from pathlib import Path
from queue import Empty, SimpleQueue

from companion.club import home_assistant, topics
from companion.club.link import Answered, CantReach, Ended, Link, Opened, Told
from companion.club.outbox import Outbox
from companion.club_settings import ClubSettings
from companion.errors import NotNow

ANSWER_S = 10.0
"""Seconds to wait for each of the broker's answers."""


class NotCleared(NotNow):
    """The broker may still retain the table's messages."""


def leave(club: ClubSettings, file: Path) -> int:
    """Clear a table's retained messages; return how many results the broker never got.

    A running table loses its connection, and does not reconnect. Raises `NotCleared` and `OutboxFault`.
    """
    with closing(Outbox(file)) as outbox:
        outbox.leave()
        clear(club, outbox.table)
        return outbox.waiting()


def clear(club: ClubSettings, table: str) -> None:
    """Clear a table's retained messages. Raises `NotCleared`."""
    broker_said: SimpleQueue[Told] = SimpleQueue()
    link = Link(club, table, "")
    try:
        link.open(lambda _, news: broker_said.put(news), lambda *_: None, again=False)
    except CantReach as wrong:
        raise NotCleared(f"can't reach {club.broker}: {wrong}") from wrong
    try:
        _answer(broker_said, club)
        retained = [topics.topic_of(club.club, table, subject) for subject in ("public", "about", "status")]
        for topic in (*retained, *((home_assistant.topic_of(table),) if club.home_assistant else ())):
            link.publish(topic, b"", retain=True)
            _answer(broker_said, club)
    finally:
        link.leave()


def _answer(broker_said: SimpleQueue[Told], club: ClubSettings) -> None:
    try:
        news = broker_said.get(timeout=ANSWER_S)
    except Empty:
        raise NotCleared(f"{club.broker} does not answer") from None
    match news:
        case Ended(why):
            raise NotCleared(f"{club.broker} ends the connection: {why}")
        case Answered(_, why) if why:
            raise NotCleared(f"{club.broker} does not let this table clear what it said: {why}")
        case Opened() | Answered():
            return
