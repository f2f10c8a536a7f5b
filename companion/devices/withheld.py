"""Cards that were laid for something else than the match: none of its business until they are lifted again."""

from companion.devices.sensing import Appeared, Gone, Sensing


class Aside:
    """The cards that lie there and that the match never heard of. Use it from one thread at a time."""

    def __init__(self) -> None:
        """None lies there."""
        self._lying: set[tuple[str, str]] = set()
        """Place and uid."""

    def takes(self, told: Sensing, appearing: bool) -> bool:
        """Say whether the match is not to hear this: a card that appears while such are taken, or its going."""
        match told:
            case Appeared(place, uid, _) if appearing:
                self._lying.add((place, uid))
                return True
            case Gone(place, uid, _) if (place, uid) in self._lying:
                self._lying.remove((place, uid))
                return True
        return False
