"""A phone without what a browser's page costs: laid on paper as it was rendered, its forms sent as it says."""

import re

from flask.testing import FlaskClient
from playwright.sync_api import Locator, Page
from werkzeug.datastructures import MultiDict

from tests.web.table import SCRIPT

_AFRESH = re.compile('<meta http-equiv="refresh"[^>]*>')
"""By which a page without a script loads itself again every few seconds: on paper it would leave nothing."""
_SENT = """(button, chosen) => {
  if (button.matches(":disabled")) throw new Error("it can't be pressed");
  for (const css of chosen) Object.assign(document.querySelector(css), { checked: true, selected: true });
  return [button.form.getAttribute("action"), [...new FormData(button.form, button)]];
}"""


def lay(paper: Page, html: str) -> Page:
    """Lay a page on paper, and return that."""
    paper.set_content(_AFRESH.sub("", html))
    return paper


class Phone:
    """A phone on one page of a table; several share a paper, which has no style, no script and no pictures."""

    def __init__(self, paper: Page, client: FlaskClient, path: str):
        self._paper = paper
        self._client = client
        self._path = path

    def look(self) -> Page:
        """Lay the page there as it is now, and return it."""
        return lay(self._paper, self._client.get(self._path).text)

    def press(self, button: str | Locator, *chosen: str) -> str:
        """Send what a button does, folded or not, and return what is answered.

        A name is looked for on the page as it is now. These boxes and options of it (CSS) are chosen first.
        """
        if isinstance(button, str):
            page = self.look()
            # What is folded counts as hidden here, and then what is hidden from screen readers belongs to a name too.
            by_hidden_text = page.locator("button", has=page.locator(".unseen").get_by_text(button, exact=True))
            button = page.get_by_role("button", name=button, exact=True, include_hidden=True).or_(by_hidden_text)
        to, form = button.evaluate(_SENT, chosen)
        answer: str = self._client.post(to, data=MultiDict(form), headers=SCRIPT).get_json()["message"]
        return answer
