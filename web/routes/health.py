"""Whether the table does its work, for programs that watch it."""

from enum import StrEnum
from typing import Any

import msgspec
from flask import Blueprint, Response

from companion import threads
from companion.versions.commit import full_version
from companion.web.site import Site, site

routes = Blueprint("health", __name__)


class Wellness(StrEnum):
    """How something does."""

    PASS = "pass"
    WARN = "warn"
    """It works in part: somebody should look."""
    FAIL = "fail"
    """What is played may be lost."""


class Health(msgspec.Struct, frozen=True):
    """How a program does, as a whole and by part."""

    status: Wellness
    """That of the part that does worst."""
    version: str
    checks: dict[str, Wellness]


@routes.get("/health")
def health() -> Response:
    """Tell how the table does; the status is 503 if what is played may be lost."""
    return answer_watcher(_checks(site()))


def answer_watcher(checks: dict[str, Wellness]) -> Response:
    """Answer a program that watches."""
    worst = max(checks.values(), key=list(Wellness).index)
    health = Health(worst, full_version(), checks)
    status = 503 if worst is Wellness.FAIL else 200
    headers = {"Cache-Control": "no-store"}
    return Response(msgspec.json.encode(health), status, headers, mimetype="application/json")


def of_program() -> Wellness:
    """Tell how the program's threads do."""
    if threads.stuck():
        return Wellness.FAIL
    return warn_if(threads.faults())


def warn_if(amiss: Any) -> Wellness:
    """Warn of what is not as it should be."""
    return Wellness.WARN if amiss else Wellness.PASS


def _checks(of: Site) -> dict[str, Wellness]:
    snapshot = of.live.snapshot
    checks = {
        "log": Wellness.FAIL if snapshot.trouble else warn_if(snapshot.ailments),
        "devices": warn_if([device for device in snapshot.devices.values() if not device.works]),
        "program": of_program(),
    }
    if of.club is not None:
        checks["club"] = warn_if(of.club.membership.hindrance)
    return checks
