"""How the pages fit, where Playwright and a Chromium are installed."""

from companion.kit.page_fit import *  # noqa: F403
