"""House rules in hindsight: who would have won a match, or an evening's matches, under other options."""

from typing import Any

from flask import Blueprint, render_template, request

from companion.history.standings import Result
from companion.history.under_other_rules import each, otherwise, played_by
from companion.judge import views
from companion.judge.match import Match
from companion.web.http.language import language
from companion.web.render.page_names import Page
from companion.web.render.under_other_rules import fitting, told, wishes
from companion.web.render.words import PageWords
from companion.web.routes.looking_back import as_day, in_turn, played_on, telling, that_count
from companion.web.site import or_404, site

routes = Blueprint("under_other_rules", __name__)


@routes.get("/otherwise/<int:number>")
def of_match(number: int) -> str:
    """Show a finished match's outcome as played, under each other option, and under those chosen in the form."""
    archive = site().archive
    asked_for = request.args.to_dict()

    def judge_variants() -> Any:
        past = archive.match(number)
        match = past.match
        result = past.result
        if not result.over:
            return None
        settings_now = played_by(match)
        wished = {
            option: _chosen(match, option, asked_for.get(option, ""), value) for option, value in settings_now.items()
        }
        changed = {option: value for option, value in wished.items() if value != settings_now[option]}
        return match, result, wished, otherwise(match, changed) if changed else None, fitting(each(match))

    match, result, wished, asked, others = or_404(in_turn(judge_variants))
    context = site().screens.past(Page("otherwise", of=str(number)), language(), views.view(match, None))
    words = context["words"]
    more = {
        **telling(words),
        "result": result,
        "asked": told(match, asked, words) if asked else None,
        "variants": [told(match, outcome, words) for outcome in others],
        "wishes": wishes(match, wished, others, words),
    }
    return render_template("otherwise.html", **context, **more)


@routes.get("/otherwise/<of>")
def of_evening(of: str) -> str:
    """Show, for every match of an evening, the options under which others would have won."""
    counting = that_count(played_on(of))
    day = as_day(of)
    archive = site().archive

    def judge_evening() -> list[tuple[Result, Match, list[Any]]]:
        matches = archive.matches(result.match for result in counting)
        return [(result, match, fitting(each(match))) for result, match in zip(counting, matches, strict=True)]

    matches = in_turn(judge_evening)
    context = site().screens.past(Page("otherwise", of=day), language(), None)
    judged_again = []
    for result, match, others in matches:
        words = PageWords(result.game, language(), {player.seat: player.name for player in result.players})
        judged_again.append((result, words, [told(match, outcome, words) for outcome in others]))
    more = {**telling(context["words"]), "found": judged_again, "day": day}
    return render_template("otherwise-evening.html", **context, **more)


def _chosen(match: Match, option: str, wish: str, setting_now: Any) -> Any:
    """Read the wished value of an option; an impossible one leaves the option as it was."""
    return next((value for value in match.game.variants[option] if f"{value}" == wish), setting_now)
