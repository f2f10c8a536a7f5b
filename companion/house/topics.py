"""The MQTT topics of a table at home."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of a table, by its id."""

    table: str

    @property
    def status(self) -> str:
        """`online` or `offline`, retained."""
        return self._of("status")

    @property
    def state(self) -> str:
        """The table's state, retained."""
        return self._of("state")

    @property
    def event(self) -> str:
        """Happenings, never retained."""
        return self._of("event")

    def _of(self, part: str) -> str:
        return f"table-companion/house/{self.table}/{part}"
