"""Which names people may play under."""

from companion import player_names
from companion.acts.outcome import Refuse, not_now, wrong


def illegible(name: str) -> Refuse | None:
    """Return why a name can't be shown at a table: it is too long, or mixes two alphabets; None: it can."""
    if player_names.letters(name) > player_names.LONGEST or len(name) > 10 * player_names.LONGEST:
        return wrong("long-name", name=name[:40], most=player_names.LONGEST)
    return wrong("name-of-two-alphabets", name=name) if player_names.mixes(name) else None


def unfit(name: str) -> Refuse | None:
    """Return why nobody may play under a name: it is empty, looks like a bot's, or is illegible; None: one may."""
    if not name:
        return wrong("no-name")
    if any(player_names.alike(bot, name) for bot in player_names.BOTS):
        return not_now("name-of-a-bot", name=name)
    return illegible(name)
