"""What just happened, in words for its observer: the headline of every page.

It depends on what the observer was told and on nothing else: no clock, and nothing that another seat knows.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from companion import act_cards, games
from companion.game import END, Ruling, RulingKind
from companion.judge import views
from companion.judge.changed_by_correction import Change
from companion.judge.views import Newest
from companion.live.pause import Why
from companion.live.snapshot import Snapshot
from companion.web.render.words import PageWords
from companion.words import figure

Parts = tuple[str, ...]
"""A sentence in parts, of which every second one is a figure."""

_NAMING = ("seat", "caller", "other", "fastest", "runner_up", "seats")
"""The facts that name seats."""
_SPANS = ("lead", "behind", "margin")
"""The facts that are spans of time."""


class News(msgspec.Struct, frozen=True):
    """The newest moment, or a correction, or a break."""

    code: str
    """The ruling's, or `break` or `corrected`."""
    entry: int
    """The public entry that tells it, or the last one before it."""
    headline: Parts
    more: Parts
    """What explains it; () if it needs no words."""
    soon: Parts
    """The headline while the big screen plays it; () if it tells the outcome at once."""
    weight: int
    stage: str = ""
    """What the big screen plays for it, by name; "" if it shows the headline alone."""
    seat: int | None = None
    """Whose chip is beside it."""
    own: bool = False
    """Whether the page's own seat has a part in it."""
    fresh: bool = True
    """Whether nothing has been decided since."""
    why: str = ""
    """The judge's own sentence, with all its figures."""
    repeats: bool = False
    """Whether `why` says, but for its stops, what `headline` and `more` do."""
    rule: str = ""
    """The rule it rests on."""
    colour: str | None = None
    """The colour of the cards it is about: their sign precedes the headline."""


def news(snapshot: Snapshot, view: Mapping[str, Any], words: PageWords, seat: int | None) -> News | None:
    """Return the news for the seat whose own page this is (None: for everybody), or None."""
    last = max((entry["entry"] for entry in view["told"] if entry["entry"] is not None), default=0)
    if snapshot.pause is Why.BREAK:
        ends = "news-break-more-card" if snapshot.has_act_card(act_cards.BREAK) else "news-break-more"
        return News("break", last, words.parts("news-break"), words.parts(ends), (), 3)
    if snapshot.ended:
        return None
    if snapshot.change:
        return _corrected(snapshot.change, last, words, seat)
    newest = views.newest(view)
    if newest is None:
        return None
    last_said = snapshot.last_said.get(seat)
    if last_said is not None and last_said.news is None:
        newest = msgspec.structs.replace(newest, fresh=False)
    roles = [*_roles(newest, seat)]
    moment = _moment(newest, words, seat, roles)
    besides = views.named_at_the_end(view)
    if besides is not None:
        headline = _moment(besides, words, seat, [*_roles(besides, seat)]).headline
        return msgspec.structs.replace(moment, more=_one_after_the_other(headline, moment.more))
    # A phone says only behind "Why?" how exact the figures are, and nobody asks that of a demonstration: instead, both
    # say what follows.
    rough = (seat is not None or snapshot.demo) and _says_how_exact(newest, words, roles)
    follows = _said(words, f"news-{newest.code}", "-then", roles, newest.facts) if rough else ()
    return msgspec.structs.replace(moment, more=follows) if rough else moment


def decided(view: Mapping[str, Any], words: PageWords) -> News | None:
    """Return the public moment that ended the match, if it can be staged before the winners are shown, or None."""
    decisive = views.decided(view)
    return None if decisive is None else _moment(decisive, words, None, [])


def _corrected(change: Change, last: int, words: PageWords, seat: int | None) -> News:
    """Return the news of a correction: whose act was taken back, which scores changed, and what no longer counts."""
    changes = [
        f"{words.name(seat)} {figure(score_before)} → {figure(score_after)}"
        for seat, (score_before, score_after) in change.scores.items()
    ]
    sentences = [] if change.act is None else [_named(change.act, words)]
    sentences += [f"{words.several(changes)}."] if changes else []
    if change.misplays:
        sentences.append(words.say("misplays-now", {"number": change.misplays}))
    is_own = change.act_of is not None and change.act_of == seat
    if change.act_of is None:
        headline = words.parts("news-corrected-scores" if changes else "news-corrected")
    else:
        headline = words.parts("news-taken-back-me" if is_own else "news-taken-back", {"seat": change.act_of})
        sentences += [] if changes or change.misplays else [words.say("scores-unchanged")]
    return News(
        "corrected", last, headline, (" ".join(sentences),) if sentences else (), (), 2, seat=change.act_of, own=is_own
    )


def _named(act: Ruling, words: PageWords) -> str:
    """Return a sentence that quotes what was told of an act that was taken back."""
    return words.say("news-undone", {"said": words.quote(act.code, act.facts)})


def _moment(newest: Newest, words: PageWords, seat: int | None, roles: list[str]) -> News:
    moment = newest.kind
    code = newest.code
    facts = dict(newest.facts)
    if "own" in roles:
        figures = dict(facts[moment.own])
        facts |= {moment.own: figures[seat], "nth": [*figures].index(seat) + 1}
    news_code = "news-end" if moment == END else f"news-{code}"
    more_form = _form(words, f"news-{code}", "-more", roles)
    if seat is not None:
        facts |= {key: words.roughly(facts[key]) for key in _SPANS if isinstance(facts.get(key), int)}
    headline = _said(words, news_code, "", roles, facts)
    more = words.parts(more_form, facts) if more_form else ()
    why = words.past(code, newest.facts)
    return News(
        code,
        newest.entry,
        headline,
        more,
        soon=_said(words, news_code, "-soon", roles, facts),
        weight=moment.weight,
        stage=moment.stage.name if moment.stage else "",
        seat=_one_seat(_beside(moment, news_code, _form(words, news_code, "", roles), words, facts, seat)),
        own=bool(roles),
        fresh=newest.fresh,
        why=why,
        repeats=_letters(why) == _letters("".join((*headline, *more))),
        rule=words.rule(code),
        colour=_colour(facts, words),
    )


def _one_after_the_other(first: Parts, second: Parts) -> Parts:
    """Join two sentences, either of which may be empty."""
    if not (first and second):
        return first or second
    return (*first[:-1], f"{first[-1]} {second[0]}", *second[1:])


def _one_seat(seats: Any) -> int | None:
    """Return the seat that a fact names; None if it names several, or none."""
    if isinstance(seats, int):
        return seats
    return seats[0] if seats and len(seats) == 1 else None


def _letters(sentence: str) -> list[str]:
    return [*filter(str.isalnum, sentence.casefold())]


def _beside(
    moment: RulingKind, headline: str, form: str | None, words: PageWords, facts: Mapping[str, Any], seat: int | None
) -> Any:
    """Return the seat, or seats, whose chip is beside a sentence: the one that acted, if the sentence is about it."""
    if form == f"{headline}-own" and not words.tells(form, "seat"):
        return seat  # their own figure, whoever acted last
    acted = "seat" in facts and form in (f"{headline}-seat", f"{headline}-own")
    return facts.get("seat" if acted else moment.who)


def _says_how_exact(newest: Newest, words: PageWords, roles: list[str]) -> bool:
    """Return whether what explains a moment tells how exact its figures are."""
    more = _form(words, f"news-{newest.code}", "-more", roles)
    return more is not None and newest.facts.get("sure") is not None and words.turns_on(more) == "sure"


def _colour(facts: Mapping[str, Any], words: PageWords) -> str | None:
    """Return the one colour that a moment names, by itself or as a card's."""
    card = games.face(words.slug, facts["card"]) if words.slug and "card" in facts else None
    return facts.get("colour") or (card.colour if card else None)


def _roles(newest: Newest, seat: int | None) -> Iterator[str]:
    """Return the roles that a seat has in a moment, `me` first."""
    facts = newest.facts
    moment = newest.kind
    named = [key for key in _NAMING if seat is not None and _names(facts.get(key), seat)]
    if moment.who in named:
        yield "me"
    yield from (key for key in named if key != moment.who)
    if seat in dict(facts.get(moment.own, ())):
        yield "own"


def _names(fact: Any, seat: int) -> bool:
    return bool(fact == seat if isinstance(fact, int) else fact and seat in fact)


def _said(words: PageWords, code: str, end: str, roles: list[str], facts: Mapping[str, Any]) -> Parts:
    """Return the sentence in the form for somebody with these roles, or ()."""
    form = _form(words, code, end, roles)
    return words.parts(form, facts) if form else ()


def _form(words: PageWords, code: str, end: str, roles: list[str]) -> str | None:
    """Return the code of the form for somebody with these roles; None if there are no words for it."""
    return next(filter(words.has, (*(f"{code}-{role}{end}" for role in roles), f"{code}{end}")), None)
