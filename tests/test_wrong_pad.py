"""An evening of stop it! on real input, with a pad before each player: a card goes over a neighbour's pad first.

The verdict is right without anybody doing anything; a page moves the card, and so does whoever lays it again.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from companion.devices.buzzer_box import programs
from tests.emulators.box import EmulatedBox
from tests.emulators.pn532_pty import UartPN532
from tests.test_evening import RADIO, Evening, now, start_match

ANA = 1
BO = 2
CLEO = 3
PAD = """
[[reader]]
driver = "pn532-uart"
place = "seat-{seat}"
port = "{port}"
"""


class OwnPads(Evening):
    """A table without a pad that all share."""

    def __init__(self, folder: Path, pads: Sequence[UartPN532], box: EmulatedBox):
        super().__init__(folder, pads[0], pads[0], box)
        self.pads = dict(zip((ANA, BO, CLEO), pads, strict=True))
        table = self.file.read_text(encoding="utf-8")
        first = table.index("[[reader]]")
        last = table.index("[[buzzers]]")
        readers = "".join(PAD.format(seat=seat, port=pad.path) for seat, pad in self.pads.items())
        self.file.write_text(table[:first] + readers + table[last:], encoding="utf-8")

    def lay(self, seat: int, *cards: str) -> None:
        for card in cards:
            self.tap(self.pads[seat], card)

    def count(self, seat: int, *cards: str) -> None:
        self.lay(seat, *cards)
        self.press(seat)

    def penalties(self) -> dict[int, int]:
        """Return how many penalty cards each has."""
        return {int(seat): points for seat, points in self.replayed("--json")["scores"].items()}

    def counts(self) -> dict[int, int]:
        """Return what each had in the latest call that is scored."""
        calls = self.replayed("--view", "public")["table"]["rounds"]
        return {int(seat): cards for seat, cards in calls[-1]["counts"].items()} if calls else {}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[OwnPads]:
    with ExitStack() as stack:
        pads = [stack.enter_context(UartPN532(radio=RADIO)) for _ in range(3)]
        box = stack.enter_context(EmulatedBox(firmware=programs.version(), drift_ppm=40))
        table = OwnPads(tmp_path, pads, box)
        yield table
        table.kill()


@pytest.mark.long
@pytest.mark.parametrize(
    ("stop", "hands", "least"),
    [
        ("red-stop-1", ("red-1 red-2 red-3 red-4", "red-5 red-6 red-7", "red-8"), CLEO),
        ("special-stop-1", ("blue-1 red-1 red-2 red-3", "red-5 yellow-3 green-1", "red-6 red-7 red-9 red-10"), BO),
    ],
)
def test_a_card_that_went_over_a_neighbours_pad_first_counts_where_it_was_laid_last(
    table: OwnPads, browser: Browser, stop: str, hands: Sequence[str], least: int
) -> None:
    ana, bo, cleo = (hand.split() for hand in hands)
    right = {ANA: len(ana), BO: len(bo), CLEO: len(cleo)}
    table.start()
    with browser.new_context(reduced_motion="reduce") as context:
        phone = context.new_page()
        start_match(table, phone)
        phone.goto(table.url("/host"))
        table.press(ANA)
        now(phone, "See a stop card?")
        table.past_the_echo()
        table.press(BO)
        now(phone, "Bo, show a stop card")
        table.lay(BO, stop)
        now(phone, "Waiting for 3 players")
        table.past_the_echo()
        table.lay(BO, ana[0])
        table.count(ANA, *ana)
        table.count(BO, *bo)
        table.count(CLEO, *cleo)
        now(phone, "was read for Bo and Ana; it counts for Ana.")
        assert table.counts() == right
        assert table.penalties() == {seat: int(seat == least) for seat in right}

        phone.locator(f"#contested-{ana[0]} button", has_text="Bo").click()
        now(phone, "it counts for Bo.")
        assert table.counts() == right | {ANA: right[ANA] - 1, BO: right[BO] + 1}
        table.lay(ANA, ana[0])
        now(phone, "it counts for Ana.")
        assert table.counts() == right
    table.stop()
