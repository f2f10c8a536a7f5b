"""Which tests are to kill the mutants of which code, the cheapest and likeliest first, and how many mutants are drawn.

The one place to change when tests move. A path that is not there is said aloud and left out. What opens a browser, and
what starts the companion as a process of its own (it would not see the mutant), does not belong here.
"""

from dataclasses import dataclass
from pathlib import Path

GAMES = sorted(file.parent.name for file in Path(__file__).parents[2].glob("companion/games/*/rules.py"))
"""By their folders: a module of the project's that is loaded here already would be tried without its slip."""


@dataclass(frozen=True, slots=True)
class Tests:
    """Paths for pytest, and its `-k`. One process runs them; the next ones are run only for what survived them."""

    __test__ = False

    paths: tuple[str, ...]
    chosen: str = ""


@dataclass(frozen=True, slots=True)
class Wing:
    """Code under one path, by which tests it is tried, and how many mutants of it are drawn at first."""

    path: str
    tests: tuple[Tests, ...]
    sample: int


def _game(name: str, sample: int) -> Wing:
    laws = ("tests/games/test_every_game.py",)
    slug = name.replace("_", "-")
    examples = Tests(laws, f"[{slug}] and (golden or example)")
    rest = Tests(laws, f"[{slug}] and not golden and not example")
    bots = Tests(("tests/games/test_worlds.py",), f"[{slug}] or easy-{slug}] or strong-{slug}]")
    pages = Tests(("tests/games/test_every_page.py", "tests/games/test_buttons.py"), f"[{slug}]")
    return Wing(f"companion/games/{name}", (examples, rest, Tests((f"tests/games/{name}",)), bots, pages), sample)


LAWS_OF_ONE = Tests(("tests/games/test_every_game.py",), "[stop-it] or not [")
"""What holds for every game, shown by one of them."""

DRAWN_OF_GAME = {"go": 42, "stop_it": 25, "stop_me_go": 25}
"""Of games with more rules, more mutants are drawn."""

WINGS = (
    *(_game(name, DRAWN_OF_GAME.get(name, 18)) for name in GAMES),
    Wing(
        "companion/judge",
        (
            Tests(("tests/judge",)),
            LAWS_OF_ONE,
            Tests(("tests/games/stop_it", "tests/history", "tests/live/test_returned.py", "tests/storage")),
            Tests(("tests/web/test_changes.py", "tests/web/test_corrections.py", "tests/web/test_taking_back.py")),
        ),
        35,
    ),
    Wing(
        "companion/live",
        (
            Tests(("tests/live", "tests/web/test_feedback.py")),
            Tests(
                (
                    "tests/web/test_routes.py",
                    "tests/web/test_start_form.py",
                    "tests/web/test_taking_back.py",
                    "tests/web/test_overtaken.py",
                )
            ),
            Tests(("tests/web/test_corrections.py", "tests/web/test_changes.py")),
        ),
        35,
    ),
    Wing(
        "companion/access",
        (
            Tests(("tests/access",)),
            Tests(("tests/club/test_club_cards.py", "tests/web/test_lobby.py", "tests/web/test_renaming.py")),
            Tests(("tests/web/test_joining.py", "tests/web/test_access.py", "tests/web/test_agreement.py")),
            Tests(("tests/web/test_people.py",)),
        ),
        35,
    ),
    Wing(
        "companion/acts",
        (
            Tests(("tests/acts",)),
            Tests(("tests/web/test_agreement.py", "tests/web/test_lobby.py", "tests/web/test_joining.py")),
            Tests(("tests/web/test_asked_again.py", "tests/web/test_asking_again.py", "tests/web/test_beside_play.py")),
            Tests(("tests/web/test_people.py",)),
            Tests(
                ("tests/web/bots", "tests/web/test_room.py", "tests/web/test_seating.py", "tests/web/test_renaming.py")
            ),
        ),
        35,
    ),
    Wing(
        "companion/club/hub",
        (
            Tests(
                ("tests/club/hub",),
                "swiss or bracket or robin or draw or season or cup or schedule or known_table or store or table_book",
            ),
            Tests(("tests/club/hub",), "pages or following or intake or tournament or wall"),
        ),
        35,
    ),
    Wing(
        "companion/devices/readers",
        (
            Tests(("tests/devices/test_presence.py", "tests/devices/test_buses.py", "tests/devices/test_turns.py")),
            Tests(("tests/devices", "tests/emulators"), "reader or pn532 or buses or figures or library"),
            Tests(("tests/cli/test_start_messages.py",), "told_at_the_start"),
        ),
        35,
    ),
)
