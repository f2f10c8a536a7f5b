"""A hub's session at its club's broker: connecting and subscribing.

The broker keeps the session while the hub is away, for results only. Presence and views, where only the newest counts,
are subscribed with QoS 0, so that no flood of them pushes a result out of the session's queue. One connection serves
both, because a broker may identify clients by user name and let each in only once.
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
"""Seconds after which an idle connection is pinged."""
SESSION = 14 * 24 * 3600
"""Seconds for which the broker keeps the session of a hub that is away."""
AT_ONCE = 16384
"""Messages that the broker may send before the first is acknowledged (MQTT's Receive Maximum): the retained messages of
as many tables as a hub follows. With fewer, they would wait in the broker's queue, which drops what does not fit (by
Mosquitto's default, a thousand messages). With more, news would wait behind a flood for longer than asking for it
takes.
"""

# The hub clears retained results by publishing on the same topic: it must see which are retained, and not its own.
_RESULTS = SubscribeOptions(1, noLocal=True, retainAsPublished=True)
_NOT_KEPT = SubscribeOptions(0, retainHandling=SubscribeOptions.RETAIN_DO_NOT_SEND)


def client_of(club: ClubSettings, hub_id: str, new_client: Callable[..., mqtt.Client]) -> mqtt.Client:
    """Return an unconnected client of the club's broker; `new_client` is paho's `Client` or a stand-in.

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
    """Have the next connection resume the session that the broker has kept, or begin one."""
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.ReceiveMaximum = AT_ONCE
    properties.SessionExpiryInterval = SESSION
    client.connect_async(*club.address, KEEPALIVE, clean_start=False, properties=properties)


def trouble_of(club: ClubSettings, wrong: OSError) -> str:
    """Describe to the keeper why the hub could not connect, and what to do."""
    why = why_unreachable(wrong)
    if isinstance(wrong, ssl.SSLError):
        trouble = f"the broker at {club.broker} answers, but not safely: {why}."
    else:
        trouble = f"no broker answers at {club.broker} ({why}): is it running?"
    return f"{trouble} Retrying automatically"


def hear_all(client: mqtt.Client, club: str) -> int | None:
    """Subscribe to everything: retained messages with QoS 1, later ones other than results with QoS 0.

    Return the message id by which the broker confirms the subscription to results. Retained results are sent too, and
    each is cleared.
    """
    number = client.subscribe(topic_of(club, "+", "result/+"), options=_RESULTS)[1]
    client.subscribe(every(club), options=_NOT_KEPT)
    for subject in ("status", "about", "public"):  # not whatever else a table may have retained
        topic = topic_of(club, "+", subject)
        client.subscribe(topic, options=SubscribeOptions(1))
        client.unsubscribe(topic)  # retained messages are sent all the same; from now on `every` alone matches
    return number
