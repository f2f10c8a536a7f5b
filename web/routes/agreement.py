"""Answers to a question (agree, decline, withdraw one's own), and objections to an announcement."""

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
    """Answer the open question; an unknown answer counts as no."""
    acting = site().acting
    name = request.form.get("question", "")
    wish = ANSWERS.get(request.form.get("answer", ""), Reply.NO)
    actor = this_phone()
    with in_turn():
        carried = at_table(lambda: acting.answer(name, wish, actor))
    return answered(in_words(carried))


@routes.post("/object")
def object_to_announcement() -> ResponseReturnValue:
    """Object to the announcement that the form names, as a press of a buzzer does."""
    return done(ObjectToAnnouncement(request.form.get("announcement", 0, type=int)))
