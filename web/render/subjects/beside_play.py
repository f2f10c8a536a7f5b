"""What the big screen shows beside play: cheers, and the last act again."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from companion.acts.beside_play import BesidePlay, Cheered, Evidence, LookedAgain
from companion.judge.views import told_so_far
from companion.live.snapshot import Snapshot
from companion.web.render.page_names import Page
from companion.web.render.subjects.match import AboutMatch
from companion.web.render.verdicts import Sentence


class BesidePlayShown(Struct, frozen=True):
    """Cheers and the act shown again, and whether people may cheer; by default nothing."""

    cheers: tuple[Cheered, ...] = ()
    looked: LookedAgain | None = None
    allowed: bool = False
    """Whether people may cheer."""

    def on(self, page: Page) -> "BesidePlayShown":
        """Return the part that this page shows: cheers are the big screen's alone."""
        if page.kind == "big":
            return self
        looked = self.looked if page.kind in ("seat", "host") else None
        return replace(self, cheers=(), looked=looked)

    def past(self) -> "BesidePlayShown":
        """Return what a page about another match may show."""
        return BesidePlayShown()


def beside_now(beside: BesidePlay, snapshot: Snapshot, *, allowed: bool) -> BesidePlayShown:
    """Return what is shown now; an act stays shown again until anything else happens."""
    looked = beside.looked
    if looked is not None:
        is_last = looked.match == snapshot.match and looked.public == told_so_far(snapshot.views.get(None))
        looked = looked if is_last and snapshot.change is None and snapshot.pause is None else None
    return BesidePlayShown(beside.cheers, looked, allowed)


@dataclass(frozen=True, eq=False)
class AboutBesidePlay:
    """About what is shown beside play."""

    _shown: BesidePlayShown
    _snapshot: Snapshot
    _match: AboutMatch

    @property
    def cheers(self) -> Sequence[Cheered]:
        """Who cheers now, the three newest, the newest last."""
        return self._shown.cheers[-3:]

    @property
    def may_cheer(self) -> bool:
        """Whether people may cheer."""
        return self._shown.allowed

    @cached_property
    def looks_elsewhere(self) -> bool:
        """Whether presses race or somebody is asked, so that nothing may be shown beside play."""
        return self._snapshot.races or self._snapshot.announced is not None

    @cached_property
    def looked_by(self) -> int | None:
        """The seat that wants to see the last act again, 0 for the host; None: nobody."""
        return None if self._shown.looked is None else self._shown.looked.part

    @cached_property
    def looked_at(self) -> Sequence[Sentence]:
        """What everybody was told of the last act, while it is shown again."""
        looked = self._shown.looked
        if looked is None or self._match.view is None:
            return ()
        entries = self._match.view["told"]
        public = [entry for entry in entries if entry["entry"] is not None]
        first = len(public) - 1
        while first > 0 and public[first]["same_act"]:
            first -= 1
        of_act = {entry["entry"] for entry in public[first:]}
        return [sentence for sentence in self._match.told.public if sentence.entry in of_act]

    @cached_property
    def evidence(self) -> Evidence | None:
        """How the table knows of it."""
        return None if self._shown.looked is None else self._shown.looked.evidence
