"""The table itself: its address, its devices, its stickers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from companion import games
from companion.access.table_voice import VoiceKind
from companion.devices.faults import DeviceFault
from companion.judge.game_code_fault import Fault
from companion.live.device_status import Device
from companion.live.game_code_faults import GameFaults
from companion.tags.enrolment_session import Stickers
from companion.web.render import fault_words, to_scan
from companion.web.render.cards import Suits, by_colour
from companion.web.render.fields import Field, fields
from companion.web.render.subjects.page import AboutPage
from companion.web.render.words import PageWords
from companion.web.room import Room


class TableShown(Struct, frozen=True):
    """How phones reach the table, and whether it is being checked, shown on a big screen, or heard."""

    urls: tuple[str, ...]
    """Where phones may open the table, the likeliest first."""
    walking: bool
    screen: bool
    voice: VoiceKind = VoiceKind.SILENT
    """What the table itself plays aloud."""

    def past(self) -> "TableShown":
        """Return what a page about another match may show."""
        return self


def table_now(room: Room, *, screen: bool) -> TableShown:
    """Return how the table is now; `screen` is whether a big screen shows it across the room."""
    walking = room.checkup is not None and room.checkup.walking
    voice = room.phones.rights.voice.kind if room.loudspeaker else VoiceKind.SILENT
    return TableShown(room.found_at.urls, walking=walking, screen=screen, voice=voice)


@dataclass(frozen=True, eq=False)
class AboutTable:
    """About the table itself."""

    _shown: TableShown
    _page: AboutPage
    _faults: GameFaults
    join_address: str
    """Where codes are typed."""

    @cached_property
    def address(self) -> str:
        """Where phones find the table."""
        return self._shown.urls[0]

    @cached_property
    def typed_address(self) -> str:
        """The same as people type it: browsers assume plain http if there is no `https://` in front."""
        return to_scan.typed(self.address)

    @cached_property
    def typed_others(self) -> Sequence[str]:
        """Other addresses of this machine, in case phones can't reach that one, as people type them."""
        return [to_scan.typed(url) for url in self._shown.urls[1:]]

    @cached_property
    def qr(self) -> str:
        """The file with the code for it: another file for another address, so that no browser shows an old one."""
        return to_scan.qr_file(self.address)

    @cached_property
    def broken(self) -> Mapping[str, Device]:
        """The devices that fail, by name."""
        return {name: device for name, device in self._page.snapshot.devices.items() if not device.works}

    def fault_said(self, name: str, fault: DeviceFault) -> str:
        """Return what is wrong with this device and what to do now, for whoever plays; "" if no code says it."""
        return fault_words.said_to_players(name, fault, self._page.words)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Exceptions from games' code since the table started, for whoever can fix it."""
        return self._faults.known

    @property
    def walking(self) -> bool:
        """Whether somebody is walking around the table to check it: presses do not count."""
        return self._shown.walking

    @property
    def screen(self) -> bool:
        """Whether a big screen shows the table: it plays what is staged, and phones wait for it."""
        return self._shown.screen

    @cached_property
    def is_heard(self) -> bool:
        """Whether the table itself is heard: then the big screen is silent."""
        return self._shown.voice is not VoiceKind.SILENT

    @property
    def stickers(self) -> Stickers:
        """Which cards have their stickers, and how putting them on goes."""
        return self._page.snapshot.stickers

    def suits(self, slug: str, cards: Iterable[str]) -> Suits:
        """Return these cards of this game."""
        return by_colour(games.pieces()[slug], cards, PageWords(slug, self._page.language))

    def box(self, slug: str) -> Iterator[Field]:
        """Return what the owner declared of this game's box, as fields of a form."""
        box = self.stickers.stock[slug].box
        for field in fields(type(box), f"{slug}.box", PageWords(slug, self._page.language)):
            yield replace(field, default=getattr(box, field.key.rpartition(".")[2]))
