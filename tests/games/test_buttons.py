"""The laws of what pages offer, for the games of this tree."""

from companion.kit.button_laws import *  # noqa: F403
