"""The picture of what is told of two presses, and the figures it is drawn from."""

from tests.trust.fairness.kinds import KINDS
from tests.trust.fairness.plot import DRAWN, drawing
from tests.trust.fairness.shares import Share, kept


def test_the_picture_shows_the_figures_that_are_kept() -> None:
    assert DRAWN.read_text(encoding="utf-8") == drawing(kept()), "run: make pictures"


def test_every_kind_of_buttons_is_in_it() -> None:
    assert {share.kind for share in kept()} == {f"{kind.name}, {kind.what}" for kind in KINDS}


def test_a_single_wrong_verdict_can_be_seen() -> None:
    shares = [Share("a box, new", 0.0005, gap, 1000, 0, 0) for gap in (0, 1, 10, 100)]
    none = drawing(shares)
    one = drawing([*shares[:-1], shares[-1]._replace(wrong=1)])
    assert "somebody else: never, of 4,000" in none
    assert "somebody else: 1, of 4,001" in one
    assert one.count('class="wrong"') == none.count('class="wrong"') + 1
