"""Enrolling a deck's stickers: the buttons of the page `/tags`. No uid is ever shown."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.acts.upkeep_acts import BeginStickers, ChooseSticker, EndStickers, SkipSticker, TakeStickerBack
from companion.web.http.language import language
from companion.web.render.words import PageWords
from companion.web.routes.acting import done
from companion.web.routes.forms import chosen, chosen_pieces

routes = Blueprint("tags", __name__, url_prefix="/tags")


@routes.post("/begin")
def begin() -> ResponseReturnValue:
    """Begin with a deck, or with one card of it that lost its sticker."""
    pieces = chosen_pieces()
    box = chosen(pieces.box, f"{pieces.slug}.box", PageWords(pieces.slug, language()), request.form)
    return done(BeginStickers(pieces.slug, box, request.form.get("card")))


@routes.post("/skip")
def skip() -> ResponseReturnValue:
    """Leave the wanted card for later."""
    return done(SkipSticker())


@routes.post("/take-back")
def take_back() -> ResponseReturnValue:
    """Undo the latest sticker."""
    return done(TakeStickerBack())


@routes.post("/choose")
def choose() -> ResponseReturnValue:
    """Choose the card that is wanted next."""
    return done(ChooseSticker(request.form.get("card", "")))


@routes.post("/end")
def end() -> ResponseReturnValue:
    """End enrolling, so that cards reach the match again."""
    return done(EndStickers())
