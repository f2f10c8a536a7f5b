"""Carries out the acts of upkeep: devices, stickers, network, backups, version and clock."""

from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from companion import games
from companion.acts import upkeep_acts
from companion.acts.outcome import ActRefused, Refuse, Refusing, not_now, wrong
from companion.acts.sentence import Saying
from companion.acts.table import Particulars
from companion.devices.check.checkup import Checkup
from companion.live.judging import BeingPlayed
from companion.live.table import Live
from companion.measuring.assumptions import read_figure
from companion.measuring.figures_file import Figure, FiguresFile
from companion.network.wifi import Wifi
from companion.storage.ailments import Remedy
from companion.tags.deck import TagsFault
from companion.tags.enrolment_session import Enrolment, GoesOn
from companion.versions.host_wishes import HostWish, Machine, knows_the_time, wished_time


class Backups(Protocol):
    """Writes backups of a table, and reads those at hand."""

    @property
    def mark(self) -> str | None:
        """The backup that people are looking through before they restore it; None: none."""

    def write_to_stick(self, folder: str) -> str:
        """Write a backup onto a stick; return its name."""

    def choose_found(self, key: str) -> None:
        """Look through a backup at hand."""

    def drop(self) -> None:
        """Give up restoring."""


class PageEnding(Protocol):
    """An event that ends the page's server."""

    def set(self) -> object:
        """End it."""


class Upkeep(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """Parts that only some tables have; None: this one lacks it."""

    machine: Machine | None = None
    checkup: Checkup | None = None
    wifi: Wifi | None = None
    backups: Backups | None = None
    figures: FiguresFile | None = None
    set_up: PageEnding | None = None
    """Ends the page, to set the table up again."""
    restore: PageEnding | None = None
    """Ends it to bring the chosen backup back."""
    unfinished: Callable[[], Sequence[int]] = list
    """Returns the matches of people that are not over."""


def particulars_of(act: upkeep_acts.UpkeepAct, upkeep: Upkeep, live: Live) -> Particulars:
    """Look up what this act is decided on."""
    machine = upkeep.machine
    return Particulars(
        walks=upkeep.checkup is not None and upkeep.checkup.walking,
        puts_stickers_on=live.snapshot.stickers.progress is not None,
        remedies=frozenset((sick.code.value, cure.value) for sick in live.snapshot.ailments for cure in sick.remedies),
        backup=upkeep.backups.mark if upkeep.backups is not None else None,
        offered=machine.offered() if machine is not None and isinstance(act, upkeep_acts.UpdateTable) else "",
        knows_the_time=knows_the_time(),
    )


def keep_up(act: upkeep_acts.UpkeepAct, upkeep: Upkeep, live: Live) -> Saying | None:
    """Do an act of upkeep; return the reply if only doing it shows what to say.

    Raises `ActRefused`, `NotNow`, `NotKept` and `WrongInput`.
    """
    match act:
        case upkeep_acts.WalkAround() | upkeep_acts.PassOver() | upkeep_acts.EndWalk() if upkeep.checkup is not None:
            _walk(act, upkeep.checkup)
        case (
            upkeep_acts.BeginStickers()
            | upkeep_acts.SkipSticker()
            | upkeep_acts.TakeStickerBack()
            | upkeep_acts.ChooseSticker()
            | upkeep_acts.EndStickers()
        ):
            _put_stickers_on(act, live)
        case upkeep_acts.CureTable(remedy=remedy):
            _refusing_faults(lambda: live.cure_stickers(Remedy(remedy)))
        case upkeep_acts.SetUpAnew() if upkeep.set_up is not None:
            upkeep.set_up.set()
        case upkeep_acts.JoinNetwork(ssid=ssid, password=password) if upkeep.wifi is not None:
            upkeep.wifi.start_to_join(ssid, password)
        case upkeep_acts.OpenNetwork() if upkeep.wifi is not None:
            upkeep.wifi.start_to_open()
        case (
            upkeep_acts.BackUp() | upkeep_acts.LookThroughBackup() | upkeep_acts.BringBack() | upkeep_acts.DropBackup()
        ) if upkeep.backups is not None:
            return _back_up(act, upkeep, upkeep.backups, live)
        case upkeep_acts.UpdateTable() | upkeep_acts.SetClock() | upkeep_acts.SwitchOff() if upkeep.machine is not None:
            _wish(act, upkeep.machine, live)
        case upkeep_acts.TellDay(at=at):
            _date_matches(at, live)
        case upkeep_acts.TellFigure() if upkeep.figures is not None:
            _tell_figure(act, upkeep.figures)
    return None


def _walk(act: upkeep_acts.WalkAround | upkeep_acts.PassOver | upkeep_acts.EndWalk, checkup: Checkup) -> None:
    match act:
        case upkeep_acts.WalkAround():
            checkup.begin()
        case upkeep_acts.PassOver(step=step):
            checkup.pass_over(step)
        case upkeep_acts.EndWalk():
            checkup.end()


def _put_stickers_on(
    act: upkeep_acts.BeginStickers
    | upkeep_acts.SkipSticker
    | upkeep_acts.TakeStickerBack
    | upkeep_acts.ChooseSticker
    | upkeep_acts.EndStickers,
    live: Live,
) -> None:
    def step(enrolment: Enrolment) -> None:
        match act:
            case upkeep_acts.BeginStickers(pieces=pieces, box=box, card=card):
                box_sensing = None if box is None else msgspec.convert(box, games.with_tags()[pieces].box)
                enrolment.begin(pieces, box_sensing, card)
            case upkeep_acts.SkipSticker():
                enrolment.skip()
            case upkeep_acts.TakeStickerBack():
                enrolment.take_back()
            case upkeep_acts.ChooseSticker(card=card):
                enrolment.choose(card)
            case upkeep_acts.EndStickers():
                enrolment.end()

    _refusing_faults(lambda: live.enrol(step))


def _refusing_faults(call: Callable[[], object]) -> None:
    """Do something with the stickers. Raises `ActRefused` if they can't be used."""
    try:
        call()
    except GoesOn:
        raise ActRefused(not_now("tags-go-on-already")) from None
    except TagsFault as fault:
        raise ActRefused(Refuse(Refusing.BROKEN, "tags-fault", {"why": fault})) from None
    except ValueError:
        raise ActRefused(wrong("bad-card")) from None


def _back_up(
    act: upkeep_acts.BackUp | upkeep_acts.LookThroughBackup | upkeep_acts.BringBack | upkeep_acts.DropBackup,
    upkeep: Upkeep,
    backups: Backups,
    live: Live,
) -> Saying | None:
    match act:
        case upkeep_acts.BackUp(stick=stick):
            try:
                live.close(upkeep.unfinished())  # or a sealed card could be looked up in the backup, and played on
            except BeingPlayed:
                raise ActRefused(not_now("backup-after-match")) from None
            return None if stick is None else Saying("backup-on-stick", {"name": backups.write_to_stick(stick)})
        case upkeep_acts.LookThroughBackup(key=key) if key is not None:
            backups.choose_found(key)
        case upkeep_acts.BringBack() if upkeep.restore is not None:
            upkeep.restore.set()
        case upkeep_acts.DropBackup():
            backups.drop()
    return None


def _wish(
    act: upkeep_acts.UpdateTable | upkeep_acts.SetClock | upkeep_acts.SwitchOff, machine: Machine, live: Live
) -> None:
    match act:
        case upkeep_acts.UpdateTable():
            machine.wish(HostWish.UPDATE)
        case upkeep_acts.SetClock(at=at):
            machine.wish(HostWish.CLOCK, at)
            _date_matches(at, live)
        case upkeep_acts.SwitchOff():
            machine.wish(HostWish.OFF)


def _tell_figure(act: upkeep_acts.TellFigure, figures: FiguresFile) -> None:
    part = act.part.strip()
    figure = read_figure(act.figure)
    if figure is None:
        figures.forget(act.assumption, part)
    else:
        figures.tell(Figure(act.assumption, figure, part))


def _date_matches(at: str, live: Live) -> None:
    when = wished_time(at)
    if when is not None:
        live.tell_the_time(when)
