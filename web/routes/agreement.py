"""Answering a question: to agree, to decline, or to withdraw one's own; objecting to what the table announces."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.acts.decide import Reply
from companion.acts.match_acts import ObjectToAnnouncement
from companion.web.http.form_answers import answered, at_table
from companion.web.routes.acting import done, in_turn, in_words, this_phone
from companion.web.site import site

routes = Blueprint("agreement", __name__)

ANSWERS = {answer.value: answer for answer in Reply}


@routes.post("/answer")
def answer() -> ResponseReturnValue:
    """Answer the open question; whatever is not a yes is a no."""
    acting = site().acting
    name = request.form.get("question", "")
    wish = ANSWERS.get(request.form.get("answer", ""), Reply.NO)
    actor = this_phone()
    with in_turn():
        carried = at_table(lambda: acting.answer(name, wish, actor))
    return answered(in_words(carried))


@routes.post("/object")
def object_to_announcement() -> ResponseReturnValue:
    """Object to what the table announces, as a press does. The form names the announcement."""
    return done(ObjectToAnnouncement(request.form.get("announcement", 0, type=int)))
