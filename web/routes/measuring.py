"""Measurements at a real table, and which of the guide's assumptions they confirm."""

from collections.abc import Iterator

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from msgspec import Struct

from companion.acts.upkeep_acts import TellFigure
from companion.measuring.assumptions import ASSUMPTIONS, LONGEST_PART, Assumption, Section, bounds
from companion.measuring.figures_file import Figure
from companion.web.http.language import language
from companion.web.render.page_names import Page
from companion.web.render.words import PageWords
from companion.web.routes.acting import done
from companion.web.site import or_404, site
from companion.words import decimal, figure

routes = Blueprint("measuring", __name__)


class MeasuredFigure(Struct, frozen=True):
    """A measured figure as the page shows it."""

    text: str
    part: str
    holds: bool


class MeasurableRow(Struct, frozen=True):
    """An assumption and its measurements."""

    assumption: Assumption
    bounds: str
    figures: tuple[MeasuredFigure, ...]


@routes.get("/measure")
def show() -> str:
    """Show every assumption with its measurements."""
    figures = or_404(site().figures).figures
    context = site().screens.frame(Page("host", of="table"), language())
    rows = list(_rows(figures, context["words"]))
    verdicts = [[measured.holds for measured in row.figures] for row in rows if row.figures]
    return render_template(
        "measure.html",
        **context,
        sections=[(section, [row for row in rows if row.assumption.section is section]) for section in Section],
        measured_count=len(verdicts),
        assumed_count=len(ASSUMPTIONS),
        held_count=sum(all(verdict) for verdict in verdicts),
        failed_count=sum(not all(verdict) for verdict in verdicts),
        longest_part=LONGEST_PART,
    )


@routes.post("/measure")
def tell() -> ResponseReturnValue:
    """Keep a measurement; an empty figure deletes it."""
    or_404(site().figures)
    form = request.form
    return done(TellFigure(form.get("assumption", ""), form.get("figure", ""), form.get("part", "")), "/measure")


def _rows(figures: tuple[Figure, ...], words: PageWords) -> Iterator[MeasurableRow]:
    for assumption in ASSUMPTIONS:
        measured = tuple(
            MeasuredFigure(
                decimal(f"{figure(reading.figure)} {assumption.unit}".rstrip(), words.language),
                reading.part,
                assumption.holds_for(reading.figure),
            )
            for reading in figures
            if reading.assumption == assumption.name
        )
        yield MeasurableRow(assumption, decimal(bounds(assumption), words.language), measured)
