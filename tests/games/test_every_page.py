"""What a match shows, whatever it waits for: every part of every page renders, and nothing on it is cut off."""

from companion.kit.page_fit import (  # noqa: F401
    test_nothing_is_cut_off_and_every_button_fits_a_thumb_however_long_the_names,
)
from companion.kit.page_laws import *  # noqa: F403
