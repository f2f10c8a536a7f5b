"""Which style sheets a page loads, its own and that of the game on it, and which parts of pages a game brings."""

from collections.abc import Iterator, Mapping, Sequence

from companion import games

_ON_EVERY_PAGE = ("tokens", "frame", "companion")
_BY_KIND: Mapping[str, Sequence[str]] = {
    "score": ("table", "lobby", "curtain", "play"),
    "table": ("table", "lobby", "play"),
    "then": ("table",),
    "seat": ("phone", "lobby", "curtain", "play"),
    "join": ("phone", "lobby", "play"),
    "lobby": ("phone", "lobby"),
    "big": ("big", "lobby", "podium", "ruler", "tonight"),
    "host": ("host", "lobby", "play"),
    **dict.fromkeys(("story", "results", "evening", "season", "people", "otherwise"), ("ruler", "history")),
    "wall": ("club", "podium"),
    "club": ("ruler", "history", "club"),
}
_ELSEWHERE = ("host",)
"""The sheets of any other kind of page."""
_IN_A_DEMONSTRATION: Mapping[str, Sequence[str]] = {
    "big": ("demo", "how"),
    **dict.fromkeys(("score", "table", "host"), ("demo",)),
}
_WITH_POSTERS = {"score", "table", "big", "host"}
"""Pages on which games can be chosen."""
_OF_A_MATCH = {"score", "table", "then", "seat", "big", "host", "mend", "results", "story", "otherwise"}
_OF_MANY_TABLES = {"wall"}


def sheets_of(kind: str, slug: str, *, demonstrates: bool) -> Iterator[str]:
    """Yield the addresses of a page's style sheets in their order; `slug` is that of its game, "" if it has none."""
    names = (*_ON_EVERY_PAGE, *_BY_KIND.get(kind, _ELSEWHERE))
    if demonstrates:
        names += tuple(_IN_A_DEMONSTRATION.get(kind, ()))
    yield from (f"/static/{name}.css" for name in names)
    if kind in _WITH_POSTERS:
        yield "/games/posters.css"
    if kind in _OF_MANY_TABLES:
        yield from map(sheet_of_game, games.known())
    elif slug and kind in _OF_A_MATCH:
        yield sheet_of_game(slug)


def sheet_of_game(slug: str) -> str:
    """Return the address of a game's style sheet."""
    return f"/games/{slug}/style.css"


def is_brought(slug: str, part: str) -> bool:
    """Return whether a game brings this part of a page; False for "", which is no game."""
    return bool(slug) and (games.known()[slug].folder / f"pages/{part}.html").is_file()
