"""How the pages fit, where Playwright and a Chromium are installed."""

from companion.kit.fit import *  # noqa: F403
