"""The charts of a match, from its public view: the points, and the game's own."""

from companion.game import Chart
from companion.judge import views
from companion.judge.match import Match
from companion.judge.rejudging import rejudged


def charts(match: Match) -> tuple[Chart, ...]:
    """Return the charts that have something to show, the points first."""
    table = views.view(match, None)["table"]
    none: tuple[Chart, ...] = ()
    of_game = none if table is views.UNSHOWN else match.tried("charts", lambda: match.game.charts(table), none)
    return tuple(chart for chart in (points(match), *of_game) if _worth_drawing(chart))


def points(match: Match) -> Chart:
    """Return everybody's points each time they changed; nothing if the match does not tell them."""
    scores = [Match(match.started).outcome.scores]
    for step in rejudged(match):
        standing = step.after.outcome.scores
        if standing != scores[-1]:
            scores.append(standing)
    complete = [points for points in scores if None not in points.values()]
    columns = tuple({"number": number} for number in range(len(complete)))
    return Chart("points", "lines", columns, {seat: tuple(points[seat] for points in complete) for seat in match.seats})


def _worth_drawing(chart: Chart) -> bool:
    """Return whether a chart has something to see: a line needs two ends, a dot another one for comparison, anything
    else one figure.
    """
    if chart.kind == "dots" and sum(figure is not None for row in chart.rows.values() for figure in row) < 2:
        return False
    return len(chart.columns) > (chart.kind == "lines") and any(any(row) for row in chart.rows.values())
