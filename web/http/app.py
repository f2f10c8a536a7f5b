"""What every app of ours starts with: where its files are, and how much a form may hold."""

import secrets

from flask import Flask

LARGEST_FORM = 16_384
"""Bytes."""


def new_app(language: str = "") -> Flask:
    """Make an app without routes; `language` is for phones that prefer none of ours."""
    app = Flask("companion.web")
    # The key only signs answers to forms on phones without a script; a restart may forget them.
    app.config.update(
        SECRET_KEY=secrets.token_bytes(16),
        SESSION_COOKIE_SAMESITE="Strict",
        MAX_CONTENT_LENGTH=LARGEST_FORM,
        SEND_FILE_MAX_AGE_DEFAULT=3600,
        LANGUAGE=language,
    )
    return app
