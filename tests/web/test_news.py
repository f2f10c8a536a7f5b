"""News: what just happened, for who looks; and the task, in the second person on one's own page."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from companion import games
from companion.act_cards import BREAK, SLUG
from companion.events import Pressed, Retracted, Said, Started, Tapped
from companion.game import END, Game
from companion.judge import record_file, views
from companion.judge.match import Match, judge
from companion.kit.random_matches import beside, random_match
from companion.kit.wording import see_that_they_are_short
from companion.languages import LANGUAGES
from companion.live.pause import Why
from companion.live.snapshot import Snapshot
from companion.live.table import Live
from companion.tags.enrolment_session import Stickers, Stock
from companion.web.render.news import News, decided, news
from companion.web.render.waiting_for import task
from companion.web.render.words import PageWords
from companion.words import catalogue
from tests.games.kartel.table import Table
from tests.web.table import PEOPLE, acts, count, to_count

every_game = pytest.mark.parametrize("game", games.known().values(), ids=games.known().keys())


def news_of(match: Match, observer: int | None, language: str = "en") -> News | None:
    view = views.view(match, observer)
    return news(Snapshot(1, views={observer: view}), view, PageWords(match.game.slug, language, match.names), observer)


def headline(match: Match, observer: int | None = None, language: str = "en") -> str:
    shown_news = news_of(match, observer, language)
    return "" if shown_news is None else "".join(shown_news.headline)


def more(match: Match, observer: int | None = None, language: str = "en") -> str:
    shown_news = news_of(match, observer, language)
    return "" if shown_news is None else "".join(shown_news.more)


def observers(match: Match) -> tuple[int | None, ...]:
    return (None, *match.seats)


def stages(events: list[Any]) -> Iterator[Match]:
    """A match after each of its events."""
    match = Match(events[0])
    for event in events[1:]:
        match.add(event)
        yield match


def matches(game: Game) -> Iterator[list[Any]]:
    """The example records, and then random matches."""
    for path in sorted((beside(game) / "records").glob("*.jsonl")):
        yield record_file.decode(path.read_bytes())
    for seed in range(30):
        events = random_match(game, seed, undo=0.0, noise=0.1, most=600)
        yield events
        if seed < 6:  # enough for what is told of such tokens alone
            yield [one_tag(game, event) for event in events]


def one_tag(game: Game, event: Any) -> Any:
    """Read every token as if all bore the same tag."""
    tokens = [card.id for card in game.deck.values() if card.kind == "token"]
    return replace(event, card=tokens[0]) if isinstance(event, Tapped) and event.card in tokens else event


@pytest.mark.parametrize(("missing", "sentence"), [((), "Lay BREAK on any pad"), ((BREAK,), "when the host says so")])
def test_a_break_tells_how_it_ends_at_this_table(missing: tuple[str, ...], sentence: str) -> None:
    """Where the card has its sticker, nobody needs the host for it."""
    stickers = Stickers(stock={SLUG: Stock(None, (BREAK,), missing)})
    break_news = news(
        Snapshot(1, pause=Why.BREAK, stickers=stickers), {"told": []}, PageWords("stop-it", "en", {}), None
    )
    assert break_news is not None
    assert sentence in "".join(break_news.more)


@every_game
def test_matches_come_to_every_moment_and_everybody_has_words_for_it(game: Game) -> None:
    left = {code for code, kind in game.rulings.items() if kind.weight}
    for events in matches(game):
        for match in stages(events):
            view = views.view(match, None)
            ruling = views.newest(view)
            last = views.decided(view)
            if last:
                left.discard(last.code)
            if ruling and (ruling.code in left or match.over):
                left.discard(ruling.code)
                for language in LANGUAGES:
                    assert all(headline(match, observer, language) for observer in observers(match)), ruling.code
                    assert all("{" not in more(match, observer, language) for observer in observers(match)), ruling.code
        if not left:
            return
    assert left == set()


@every_game
def test_a_moment_is_a_ruling_and_no_end(game: Game) -> None:
    for kind in game.rulings.values():
        assert kind.weight in (0, 1, 2, 3)
        assert kind.stage != END.stage
        assert kind.weight or not (kind.stage or kind.in_demo or kind.who or kind.own)


def test_headlines_and_tasks_of_every_game_are_short() -> None:
    see_that_they_are_short(catalogue(None))


def shouted(*delays: float, options: dict[str, Any] | None = None) -> Match:
    """Seats shout one after the other, so long after the first."""
    match = Match(Started(1, 0.0, "stop-it", PEOPLE, options or {}))
    match.add(Pressed(2, 1.0, PEOPLE[0].seat))
    for number, (player, late) in enumerate(zip(PEOPLE, delays, strict=False), 3):
        match.add(Pressed(number, 5 + late, player.seat))
    return match


def test_beside_a_sentence_about_who_acted_stands_their_chip() -> None:
    taps = [Tapped(at, float(at), "centre", card) for at, card in enumerate(("green-1", "green-2a", "green-boss"), 2)]
    match = judge([Started(1, 0.0, "kartel", PEOPLE, {}), *taps])
    headlines = {
        observer: (headline(match, observer), seen_news.seat)
        for observer in match.seats
        if (seen_news := news_of(match, observer))
    }
    assert headlines == {
        1: ("Cléo jails the green boss!", 5),
        3: ("You take the lead: −2 → 2", 3),
        5: ("You jail the green boss!", 5),
    }


def test_the_verdict_reaches_every_own_page() -> None:
    match = shouted(0, 0.21, 0.0018)
    assert headline(match) == "Ana was first, 1.80\u202fms before Cléo"
    assert headline(match, 1) == "You were first, a hair’s breadth before Cléo"
    assert headline(match, 3) == "You were third, 0.21\u202fs behind Ana"
    assert headline(match, 5, "fr") == "Vous êtes deuxième, à un cheveu d’Ana"
    assert {observer: seen_news.seat for observer in match.seats if (seen_news := news_of(match, observer))} == {
        1: 1,
        3: 3,
        5: 5,
    }
    assert more(match, 1) == "Pick a stop card: its colour counts."
    assert more(match, 3) == "Ana picks a stop card: its colour counts."


def test_within_the_window_it_is_a_dead_heat() -> None:
    match = shouted(0, 0.0002, 0.3)
    assert headline(match) == headline(match, 5) == "Dead heat!"
    assert more(match) == "Ana and Bo are level. Cléo came later."


def test_the_figure_stands_apart_from_its_sentence() -> None:
    headline_news = news_of(shouted(0, 0.0018), None)
    assert headline_news
    assert headline_news.headline == ("Ana was first, ", "1.80\u202fms", " before Bo")


def test_the_photo_finish_has_every_press_and_how_far_it_may_be_off() -> None:
    match = shouted(0, 0.21, 0.0018)
    match.add(Tapped(6, 7.0, "centre", "red-stop-1"))
    assert views.view(match, None)["table"]["shouts"] == [
        {"seat": 1, "behind": 0, "doubt": 500},
        {"seat": 5, "behind": 1800, "doubt": 500},
        {"seat": 3, "behind": 210_000, "doubt": 500},
    ]


def test_who_pays_is_told_in_the_second_person(live: Live) -> None:
    to_count(live)
    for seat, cards in ((1, 4), (3, 2), (5, 0)):
        count(live, seat, cards)
    match = live.ask(lambda match: match)
    assert headline(match) == "Cléo had no red cards: 1 penalty card"
    assert headline(match, 5) == "You had no red cards: 1 penalty card"
    assert more(match, 3) == "You had 2."
    assert headline(match, None, "fr") == "Cléo, sans cartes rouges\u00a0: 1 carte négative"


def test_what_several_pay_is_paid_by_each(live: Live) -> None:
    to_count(live)
    for seat, cards in ((1, 4), (3, 2), (5, 2)):
        count(live, seat, cards)
    match = live.ask(lambda match: match)
    assert headline(match) == "Bo and Cléo had the fewest red cards: 1 penalty card each"
    assert headline(match, None, "fr") == "Bo et Cléo, le moins de cartes rouges\u00a0: 1 carte négative chacun"
    assert headline(match, 5) == "You had the fewest red cards: 1 penalty card"


def test_news_is_fresh_until_something_else_is_decided() -> None:
    match = shouted(0)
    match.add(Tapped(4, 6.0, "centre", "red-stop-1"))
    for event, fresh in ((Said(5, 8.0, 1, "hello"), True), (Said(6, 8.0, 1, "count", 3), False)):
        match.add(event)
        stop_news = news_of(match, 3)
        assert stop_news
        assert (stop_news.code, stop_news.fresh) == ("stop-shown", fresh)


def test_of_an_acts_moments_the_weightiest_is_news() -> None:
    rulings = [
        {"entry": 3, "code": "stop-shown", "misplay": False, "facts": {}, "same_act": False},
        {"entry": 4, "code": "scored", "misplay": False, "facts": {}, "same_act": False},
        {"entry": 5, "code": "piles-empty", "misplay": False, "facts": {}, "same_act": True},
    ]
    newest = views.newest({"game": "stop-it", "over": False, "told": rulings})
    assert newest
    assert (newest.code, newest.fresh) == ("scored", True)


def test_why_tells_what_was_ruled_and_gives_no_order() -> None:
    match = Match(Started(1, 0.0, "stop-it", PEOPLE, {}))
    match.add(Pressed(2, 1.0, PEOPLE[0].seat))
    start_news = news_of(match, None)
    assert start_news is not None
    assert start_news.why == "Ana started."


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_does_not_repeat_what_is_told_already(language: str) -> None:
    """Two with as many points and tokens win together: behind "Why?" stands only the rule."""
    shared = Table(1, 2)
    alone = Table(1, 2)
    shared.play(*["red-2a", "green-boss", "blue-boss", "red-2b", "violet-boss", "yellow-boss", "red-boss"])
    alone.play(*["red-3", "green-boss", "blue-boss", "violet-boss", "yellow-boss", "red-boss"])
    both_news = [news_of(table.match, None, language) for table in (shared, alone)]
    assert [bool(each and each.repeats) for each in both_news] == [True, False]
    assert all(each and each.why and each.rule for each in both_news)


def test_a_private_message_is_no_news() -> None:
    rulings = [{"entry": None, "code": "shouted", "misplay": False, "facts": {}, "same_act": False}]
    assert views.newest({"game": "stop-it", "over": False, "told": rulings}) is None


def test_the_end_is_news_with_its_winners() -> None:
    match = shouted(options={"empty": "end-now"})
    match.add(Said(3, 9.0, 1, "piles-empty"))
    assert headline(match) == "Ana, Bo and Cléo win together!"
    assert headline(match, 1) == "You share the win: Ana, Bo and Cléo!"
    assert more(match) == "Fewest penalty cards: 0."


def test_what_ended_a_match_can_be_played_before_its_winners() -> None:
    for match in stages(random_match(games.known()["kartel"], 1, undo=0.0, noise=0.0, most=600)):
        view = views.view(match, None)
        decision = decided(view, PageWords("kartel", "en", match.names))
        assert (decision is not None) == match.over
    assert decision
    assert (decision.code, decision.stage) == ("boss-jailed", "jail")


def headline_of(live: Live, seat: int | None = None) -> str:
    view = live.snapshot.views[None]
    correction = news(live.snapshot, view, PageWords(view["game"], "en", {1: "Ana", 3: "Bo", 5: "Cléo"}), seat)
    assert correction
    return "".join((*correction.headline, " ", *correction.more))


def test_a_correction_tells_who_went_from_what_to_what(live: Live) -> None:
    to_count(live)
    for seat, cards in ((1, 4), (3, 2), (5, 0)):
        count(live, seat, cards)
    live.enter(Retracted(0, 0.0, acts(live)))
    ruling = "Cléo had the fewest cards at the red stop (0): one penalty card"
    assert headline_of(live) == f"Cléo’s move is taken back. Undone: {ruling}. Cléo 1 → 0."
    assert headline_of(live, 5) == f"Your move is taken back. Undone: {ruling}. Cléo 1 → 0."


def test_a_move_that_is_taken_back_tells_whose_it_was(live: Live) -> None:
    live.begin("stop-it", PEOPLE, {})
    live.enter(Pressed(0, 1.0, 3))
    live.enter(Retracted(0, 2.0, 2))
    assert headline_of(live) == "Bo’s move is taken back. Undone: Bo started. Scores unchanged."


def test_a_break_is_news_and_an_end_before_its_time_is_not(live: Live) -> None:
    live.pause(Why.BREAK)
    assert headline_of(live).startswith("Break.")
    live.pause(Why.ENDED)
    view = live.snapshot.views[None]
    assert news(live.snapshot, view, PageWords("stop-it", "en"), None) is None


def test_a_stray_press_is_told_to_its_seat_alone() -> None:
    match = Match(Started(1, 0.0, "kartel", PEOPLE, {}))
    match.add(Pressed(2, 1.0, 3))
    view_before = json.dumps(views.view(match, None))
    match.add(Pressed(3, 2.0, 3))
    assert json.dumps(views.view(match, None)) == view_before
    assert [ruling["code"] for ruling in views.view(match, 3)["told"]] == ["no-buzzers", "no-buzzers"]


def _tasks(match: Match) -> dict[int | None, tuple[str, str]]:
    words = PageWords(match.game.slug, "en", match.names)
    tasks = {observer: task(views.view(match, observer), words, observer) for observer in observers(match)}
    return {observer: (each.state, each.text) for observer, each in tasks.items()}


def test_a_task_is_mine_done_or_somebody_elses() -> None:
    match = shouted(0)
    assert _tasks(match) == {
        None: ("wait", "Ana, show a stop card. None? Press again."),
        1: ("turn", "Show your stop card. None? Press again."),
        3: ("wait", "Ana’s turn: show a stop card."),
        5: ("wait", "Ana’s turn: show a stop card."),
    }
    match.add(Tapped(4, 6.0, "centre", "red-stop-1"))
    match.add(Said(5, 8.0, 1, "count", 3))
    assert _tasks(match) == {
        None: ("wait", "Count your red cards. Waiting for Bo and Cléo."),
        1: ("done", "Counted. Waiting for Bo and Cléo."),
        3: ("turn", "Count your red cards."),
        5: ("turn", "Count your red cards."),
    }


def test_who_is_next_is_told_so() -> None:
    tasks = _tasks(Match(Started(1, 0.0, "kartel", PEOPLE, {})))
    assert tasks[1] == ("turn", "Your turn. Roll, then tap your token.")
    assert tasks[3] == ("wait", "Ana’s turn. You are next.")
    assert tasks[5] == ("wait", "Ana’s turn: roll, take a token.")


def test_nobody_tells_a_bot_what_to_do() -> None:
    match = shouted(0)
    words = PageWords("stop-it", "en", match.names)
    assert task(views.view(match, None), words, None, bots={1}).text == "Ana’s turn: show a stop card."


def test_where_nobody_is_named_everybody_may() -> None:
    assert _tasks(shouted())[3] == ("all", "A stop card in your best colour? Shout!")
