"""How a game is played: five pictures with a sentence each, and how its pieces are tapped at this table."""

import html
import re
from collections.abc import Mapping
from typing import Any, get_args

import pytest
from flask.testing import FlaskClient

from companion import games
from companion.act_cards import WAYS
from companion.acts import match_acts, table_acts
from companion.acts.act import ACTS, Act
from companion.acts.seat_acts import SeatAct
from companion.acts.upkeep_acts import UpkeepAct
from companion.devices.sensing import Working
from companion.game import HowSaid
from companion.live.table import Live
from companion.web.render.screens import Screens
from companion.web.render.words import PageWords
from companion.web.routes.how import LAYOUTS, layout
from tests.web.table import app_of

LANGUAGES = ("en", "fr")
LONGEST = 14
"""Words in a picture's sentence."""
MOST = 160
"""Words in all: a minute's reading, pictures included."""
WORD = re.compile(r"\w[\w’-]*")
every_game = pytest.mark.parametrize("slug", games.known())


def text_of_how(client: FlaskClient, slug: str, language: str = "en") -> str:
    answer = client.get(f"/how/{slug}", query_string={"lang": language})
    assert answer.status_code == 200
    return html.unescape(answer.text)


@pytest.mark.parametrize("language", LANGUAGES)
@every_game
def test_a_game_is_told_in_five_pictures_with_a_sentence_each(bare: FlaskClient, slug: str, language: str) -> None:
    page = text_of_how(bare, slug, language)
    its = PageWords(slug, language)
    pictures = page[page.index('class="pictures"') : page.index('id="tap"')]
    assert pictures.count("<svg") == 5
    for sentence in (its.say(f"how-{number}") for number in range(1, 6)):
        assert sentence in pictures
        assert len(WORD.findall(sentence)) <= LONGEST
    assert "companion.js" not in page


@pytest.mark.parametrize("language", LANGUAGES)
@every_game
def test_first_the_table_is_laid_in_three_steps(bare: FlaskClient, slug: str, language: str) -> None:
    page = text_of_how(bare, slug, language)
    its = PageWords(slug, language)
    laying = page[page.index('id="lay"') : page.index('class="pictures"')]
    assert laying.count('class="d-plan"') == 1
    assert all(its.say(f"lay-{step}") in laying for step in (1, 2, 3))


@every_game
def test_a_demonstration_says_what_it_makes_shorter(slug: str) -> None:
    game = games.known()[slug]
    its = PageWords(slug, "en")
    numbers = {name: value for name, value in game.on_show.items() if isinstance(value, int) and value is not True}
    assert its.has("lay-short") == bool(numbers)
    assert all(str(value) in its.say("lay-short") for value in numbers.values())


@pytest.mark.parametrize("language", LANGUAGES)
@every_game
def test_what_else_a_newcomer_must_know_stands_beneath(bare: FlaskClient, slug: str, language: str) -> None:
    page = text_of_how(bare, slug, language)
    its = PageWords(slug, language)
    codes = [f"how-{number}{more}" for number in range(1, 6) for more in ("", "-more")]
    sentences = [its.say(code) for code in codes if its.has(code)]
    assert all(sentence in page for sentence in sentences)
    assert len(WORD.findall(" ".join(sentences))) <= MOST


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [
        ("stop-it", "A special stop? Then the cards of all colours count."),
        ("stop-me-go", "Take back the card you laid on it"),
        ("stop-me-go", "Their values, 0 to 3, are added up."),
        ("go", "With the last card of the pile you must."),
        ("kartel", "the fewest tokens win"),
        ("hearts", "The lowest club leads. No hearts in the first trick, nor the queen of spades."),
        ("hearts", "Its taker leads next: no hearts before one was played"),
        ("hearts", "The round in which somebody reaches 100 is the last."),
    ],
)
def test_nothing_of_the_booklet_that_decides_is_left_out(bare: FlaskClient, slug: str, sentence: str) -> None:
    assert sentence in text_of_how(bare, slug)


@every_game
def test_every_table_of_the_guide_is_drawn_with_what_is_tapped_where(bare: FlaskClient, slug: str) -> None:
    page = text_of_how(bare, slug)
    assert page[page.index('id="tap"') :].count('class="d-plan"') == len(LAYOUTS)
    assert PageWords(slug, "en").say("tap-1") in page


def test_a_table_is_told_like_the_guides_that_has_readers_most_like_its_own() -> None:
    seats = tuple(f"seat-{seat}" for seat in range(1, 7))
    assert [layout(("centre", *seats[:most])) for most in (0, 1, 4, 5, 6)] == [
        *("one-reader", "four-seats", "four-seats"),
        *("six-seats", "six-seats"),
    ]


def test_a_real_table_is_known_by_its_readers(live: Live) -> None:
    live.tell(Working("reader centre", "", 0.0))
    page = text_of_how(app_of(live, virtual=False).test_client(), "stop-it")
    assert page.index("Tap the stop card on the centre pad") < page.index("<details")


def test_the_start_page_every_seat_and_the_host_lead_there(live: Live, bare: FlaskClient) -> None:
    client = app_of(live).test_client()
    for slug in games.known():
        assert f'href="/how/{slug}"' in bare.get("/").text
        assert f'href="/how/{slug}"' in client.get("/host/match").text
    assert 'href="/how/stop-it"' in client.get("/seat/1").text


def test_pictures_are_rendered_once_in_each_language(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    client = app_of(live).test_client()
    rendered: list[str] = []
    render = Screens.rendered

    def counted(screens: Screens, template: str, context: Mapping[str, Any]) -> str:
        rendered.append(f"{template} {context['language']}")
        return render(screens, template, context)

    monkeypatch.setattr(Screens, "rendered", counted)
    pages = [text_of_how(client, "kartel", language) for language in ("en", "fr", "en", "fr")]
    assert rendered == ["how-explained.html en", "how-explained.html fr"]
    assert pages[0] == pages[2] != pages[1] == pages[3]


@pytest.mark.parametrize("language", LANGUAGES)
@every_game
def test_it_lists_what_is_said_without_a_phone_and_what_only_on_one(live: Live, slug: str, language: str) -> None:
    page = text_of_how(app_of(live, virtual=False).test_client(), slug, language)
    its = PageWords(slug, language)
    without, on_a_phone = page[page.index('id="ways"') :].split(its.say("ways-phone"), 1)
    for word, ways in (games.known()[slug].moves.ways | WAYS).items():
        for way in ways:
            if way is not HowSaid.LAID:
                assert (its.say(f"way-{word}-{way.value}")) in (on_a_phone if way is HowSaid.PHONE else without)


@pytest.mark.parametrize("language", LANGUAGES)
@every_game
def test_it_tells_what_a_lamp_says(live: Live, slug: str, language: str) -> None:
    """Whoever plays without a phone looks at nothing else: also how many of their cards have counted."""
    sentence = PageWords(slug, language).say("ways-lamp")
    assert sentence in text_of_how(app_of(live, virtual=False).test_client(), slug, language)


SAID_AS: Mapping[type[Act], str] = {
    **dict.fromkeys(get_args(SeatAct), "people"),
    **dict.fromkeys(get_args(UpkeepAct), "upkeep"),
    match_acts.TakeBack: "undo",
    match_acts.PutRight: "misread",
    match_acts.LiesAt: "",
    match_acts.EnterPress: "unread",
    match_acts.EnterCards: "unread",
    match_acts.EnterWord: "",
    match_acts.StartMatch: "match",
    match_acts.Again: "next-match",
    match_acts.End: "end",
    match_acts.LeaveOut: "earlier",
    match_acts.CountAgain: "earlier",
    match_acts.TakeUp: "earlier",
    match_acts.TakeBreak: "break",
    match_acts.GoOnWithMatch: "break",
    match_acts.ObjectToAnnouncement: "",
    match_acts.HearCards: "hear",
    match_acts.PlayCards: "hear",
    table_acts.StartDemo: "match",
    table_acts.StopDemo: "match",
    table_acts.LeaveDemo: "match",
    table_acts.HoldDemo: "match",
    table_acts.GoOnWithDemo: "match",
    table_acts.StepDemo: "match",
    table_acts.PaceDemo: "match",
    table_acts.NameSeason: "earlier",
    table_acts.DropSeason: "earlier",
    table_acts.ChooseVoice: "upkeep",
    table_acts.HideProfile: "earlier",
    table_acts.Cheer: "watching",
    table_acts.AllowCheers: "watching",
    match_acts.LookAgain: "watching",
}
"""Each act of a phone, and as what the list names it; "": the game's own cards or words, or a press, say it."""
AT_SIMULATED_TABLES = {
    match_acts.PlayBots,
    match_acts.MakeMove,
    match_acts.HaveRead,
    table_acts.LayCards,
    table_acts.LiftCard,
    table_acts.PressBuzzer,
}


def test_whatever_a_phone_does_is_said_without_one_or_listed_as_a_phones() -> None:
    assert {*SAID_AS} | AT_SIMULATED_TABLES == {*ACTS}
    assert {*filter(None, SAID_AS.values())} <= WAYS.keys()


def test_stop_me_go_says_that_the_last_card_read_counts(bare: FlaskClient) -> None:
    """That a second one was read is sealed, so that nobody can be told of a slip."""
    assert "the last one read counts" in text_of_how(bare, "stop-me-go")


def test_playing_it_leads_to_its_own_choice(bare: FlaskClient) -> None:
    page = text_of_how(bare, "hearts")
    (way,) = re.findall(r'<a class="button" href="(/host/match[^"]*)"', page)
    assert way == "/host/match?game=hearts#start"
    assert 'id="start"' in bare.get(way.partition("#")[0]).text
