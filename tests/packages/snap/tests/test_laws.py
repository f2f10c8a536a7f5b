"""The laws that hold for every game."""

from companion.kit.button_laws import *  # noqa: F403
from companion.kit.laws import *  # noqa: F403
from companion.kit.page_laws import *  # noqa: F403
from companion.kit.world_laws import *  # noqa: F403
