"""The laws that hold for every game."""

from companion.kit.button_laws import *  # noqa: F403
from companion.kit.laws import *  # noqa: F403
from companion.kit.page_laws import test_every_page_renders_whatever_the_match_waits_for  # noqa: F401
from companion.kit.world_laws import *  # noqa: F403
