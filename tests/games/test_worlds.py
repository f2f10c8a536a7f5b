"""The laws of the kit for simulated things, for every game in this tree."""

from companion.kit.world_laws import *  # noqa: F403
