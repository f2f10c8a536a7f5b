"""What every route of one running hub shares."""

from typing import cast

from flask import Flask, current_app

from companion.club.hub.hub import Hub

_KEY = "hub"


def open_hub(app: Flask, hub: Hub) -> None:
    """Have this app serve the hub."""
    app.extensions[_KEY] = hub


def hub() -> Hub:
    """Return the hub of the request under way."""
    return cast(Hub, current_app.extensions[_KEY])
