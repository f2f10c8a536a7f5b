"""The hub that the routes of a running site share."""

from typing import cast

from flask import Flask, current_app

from companion.club.hub.hub import Hub

_KEY = "hub"


def open_hub(app: Flask, hub: Hub) -> None:
    """Attach a hub to an app."""
    app.extensions[_KEY] = hub


def hub() -> Hub:
    """Return the hub of the current request."""
    return cast(Hub, current_app.extensions[_KEY])
