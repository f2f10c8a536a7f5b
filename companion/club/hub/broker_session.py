"""A hub's session at its club's broker: how it is opened, and what is heard in it.

It stays at the broker while the hub is away, for results alone: presence and views, where only the newest counts, are
heard without acknowledgement, so that no flood of them pushes a result out of what waits there. One connection does
both, because a broker may know its clients by their users' names, and lets each in only once.
"""

import ssl
from collections.abc import Callable

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from companion.club.credentials import password, trusted, why_unreachable
from companion.club.topics import every, topic_of
from companion.club_settings import ClubSettings

KEEPALIVE = 20
"""Seconds after which an idle connection is tried."""
SESSION = 14 * 24 * 3600
"""Seconds for which the broker keeps results for a hub that is away."""
AT_ONCE = 16384
"""Messages that the broker may send before the first is acknowledged: the retained words of as many tables as a hub
follows. With fewer they wait in its queue, and what does not fit in there (a thousand, by Mosquitto's default) it
drops. With more, a flood has news wait for longer than it takes to ask for them."""

_RESULTS = SubscribeOptions(1, noLocal=True, retainAsPublished=True)
_NOT_KEPT = SubscribeOptions(0, retainHandling=SubscribeOptions.RETAIN_DO_NOT_SEND)


def client_of(club: ClubSettings, hub_id: str, new_client: Callable[..., mqtt.Client]) -> mqtt.Client:
    """Return a client of the club's broker, not connected yet; `new_client` makes one, as paho's `Client` does.

    Raises `WrongCredentials`.
    """
    name = f"hub-{hub_id}"
    client = new_client(CallbackAPIVersion.VERSION2, client_id=name, protocol=mqtt.MQTTv5, manual_ack=True)
    if club.user:
        client.username_pw_set(club.user, password(club))
    if club.by_tls:
        client.tls_set_context(trusted(club))
    return client


def prepare_to_connect(client: mqtt.Client, club: ClubSettings) -> None:
    """Have the next connection take up the session that the broker has kept, or else begin one."""
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.ReceiveMaximum = AT_ONCE
    properties.SessionExpiryInterval = SESSION
    client.connect_async(*club.address, KEEPALIVE, clean_start=False, properties=properties)


def trouble_of(club: ClubSettings, wrong: OSError) -> str:
    """Return what the keeper is told where the hub could not connect: what is wrong, and what to do now."""
    why = why_unreachable(wrong)
    if isinstance(wrong, ssl.SSLError):
        trouble = f"the broker at {club.broker} answers, but not safely: {why}."
    else:
        trouble = f"no broker answers at {club.broker} ({why}): is it running?"
    return f"{trouble} Retrying automatically"


def hear_all(client: mqtt.Client, club: str) -> int | None:
    """Hear everything retained, without losses; and from then on whatever is new.

    Return the number by which the broker confirms that results are heard. Those that tables have retained are heard as
    well, because each is cleared.
    """
    number = client.subscribe(topic_of(club, "+", "result/+"), options=_RESULTS)[1]
    client.subscribe(every(club), options=_NOT_KEPT)
    for subject in ("status", "about", "public"):  # not whatever else a table may have retained
        topic = topic_of(club, "+", subject)
        client.subscribe(topic, options=SubscribeOptions(1))
        client.unsubscribe(topic)  # what is retained comes all the same, and nothing comes twice from now on
    return number
