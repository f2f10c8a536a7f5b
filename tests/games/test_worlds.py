"""The laws of the kit for simulated things, for every game in this tree."""

from companion.kit.worlds import *  # noqa: F403
