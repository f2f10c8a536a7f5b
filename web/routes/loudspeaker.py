"""The table's loudspeaker: the host chooses voice and loudness, and hears a sample of each choice."""

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from companion.access.table_voice import Loudness, VoiceKind
from companion.acts.table_acts import ChooseVoice
from companion.web.http.form_answers import Refused
from companion.web.http.language import language
from companion.web.render.page_names import Page
from companion.web.routes.acting import done
from companion.web.site import or_404, site

PAGE = Page("loudspeaker")

routes = Blueprint("loudspeaker", __name__)


@routes.get("/loudspeaker")
def look() -> str:
    """Show the choices, and the trouble if no sound can be played."""
    return render_template(
        "loudspeaker.html",
        **site().screens.frame(PAGE, language()),
        kinds=tuple(VoiceKind),
        levels=tuple(Loudness),
        voice=site().phones.rights.voice,
        trouble=or_404(site().loudspeaker).trouble,
    )


@routes.post("/loudspeaker")
def choose() -> ResponseReturnValue:
    """Choose the kind of sound and its loudness."""
    or_404(site().loudspeaker)
    try:
        chosen = ChooseVoice(VoiceKind(request.form.get("kind", "")), Loudness(request.form.get("loudness", "")))
    except ValueError:
        raise Refused(400, "bad-voice") from None
    return done(chosen, PAGE.url)
