"""The table's pages: Flask routes, templates, static files. They read views and enter events, but hold no rules."""

from flask import Flask

from companion.web.http import access, captive_portal, form_answers, phone, security
from companion.web.http.app import LONGER, new_app
from companion.web.http.editions import keep_files
from companion.web.http.gzip import pack
from companion.web.http.once import Once
from companion.web.http.prefix import keep_below
from companion.web.http.uploads import may_send_backup
from companion.web.render.environment import prepare
from companion.web.render.subjects.site import AboutSite
from companion.web.room import Room
from companion.web.routes import (
    act_cards,
    after_setup,
    agreement,
    another_browser,
    api,
    backups,
    beside_play,
    bg_stats,
    brought,
    check,
    corrections,
    curing,
    demo,
    earlier_matches,
    health,
    history,
    how,
    joining,
    lobby,
    loudspeaker,
    manual_entry,
    matches,
    measuring,
    network,
    pages,
    people,
    play,
    reading_aloud,
    seasons,
    souvenirs,
    streams,
    tags,
    taking_back,
    tonight,
    under_other_rules,
    upkeep,
    virtual,
)
from companion.web.site import open_site

__all__ = ["Room", "create_app"]


def create_app(room: Room) -> Flask:
    """Make the Flask app that serves a room."""
    app = new_app(room.language)
    app.config[LONGER] = may_send_backup(backups.UPLOAD, lambda cookies: phone.is_hosts(room.phones.rights, cookies))
    about = AboutSite(
        upkeep=any(part is not None for part in (room.machine, room.backups, room.report)),
        checks=room.checkup is not None,
        measures=room.figures is not None,
        sets_up=room.set_up is not None,
        networked=room.wifi is not None,
        plays_sound=room.loudspeaker is not None,
        own_wifi=room.wifi.standing.own if room.wifi else None,
        table_name=room.name,
        table_seats=room.seats,
        me=phone.me,
    )
    prepare(app, about)
    open_site(app, room)
    form_answers.handle_refusals(app)
    # Flask runs what comes after a request in reverse order: what packs an answer is put on before what changes it.
    Once().put_on(app)
    pack(app)
    keep_below(app)
    keep_files(app)
    captive_portal.answer(app)
    security.keep_out(app, room.found_at, room.origins, room.proxies, phone.asker_of(room.phones))
    access.check(app)
    phone.remember_phones(app)
    for subject in (
        *(
            pages,
            reading_aloud,
            streams,
            joining,
            another_browser,
            lobby,
            agreement,
            manual_entry,
            taking_back,
            beside_play,
            matches,
            earlier_matches,
            demo,
        ),
        *(corrections, virtual, play, history, souvenirs, tonight, seasons, people, under_other_rules),
        *(how, act_cards, tags, check, curing, after_setup, network, loudspeaker),
        *(upkeep, measuring, backups, brought, api, health, bg_stats),
    ):
        app.register_blueprint(subject.routes)
    return app
