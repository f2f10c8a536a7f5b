"""The health check, for monitoring programs."""

from enum import StrEnum
from typing import Any

import msgspec
from flask import Blueprint, Response

from companion import threads
from companion.versions.commit import full_version
from companion.web.site import Site, site

routes = Blueprint("health", __name__)


class Wellness(StrEnum):
    """The status of a part, or of the whole."""

    PASS = "pass"
    WARN = "warn"
    """It works in part: somebody should look."""
    FAIL = "fail"
    """Acts may be lost."""


class Health(msgspec.Struct, frozen=True):
    """The answer of a health check."""

    status: Wellness
    """The worst of the parts'."""
    version: str
    checks: dict[str, Wellness]


@routes.get("/health")
def health() -> Response:
    """Return the table's health; the HTTP status is 503 if acts may be lost."""
    return answer_watcher(_checks(site()))


def answer_watcher(checks: dict[str, Wellness]) -> Response:
    """Answer a monitoring program."""
    worst = max(checks.values(), key=list(Wellness).index)
    health = Health(worst, full_version(), checks)
    status = 503 if worst is Wellness.FAIL else 200
    headers = {"Cache-Control": "no-store"}
    return Response(msgspec.json.encode(health), status, headers, mimetype="application/json")


def of_program() -> Wellness:
    """Return the health of the program's threads."""
    if threads.stuck():
        return Wellness.FAIL
    return warn_if(threads.faults())


def warn_if(amiss: Any) -> Wellness:
    """Return WARN if the argument is truthy, else PASS."""
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
