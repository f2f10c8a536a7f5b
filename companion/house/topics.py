"""Where a table says at home what happens at it."""

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
        """How the table is, retained."""
        return self._of("state")

    @property
    def event(self) -> str:
        """What has just happened; never retained."""
        return self._of("event")

    def _of(self, part: str) -> str:
        return f"table-companion/house/{self.table}/{part}"
