"""All of a table's sources at work: one thread each, started and stopped together."""

import threading
from collections.abc import Sequence

from companion.table.sensing import NotThere, Source, Tell


def start_all(sources: Sequence[Source]) -> list[str]:
    """Open every device; give a sentence for each that does not answer."""
    missing = []
    for source in sources:
        try:
            source.start()
        except NotThere as wrong:
            missing.append(f"{source.name}: {wrong}")
    return missing


class Listening:
    """Sources that listen until `stop`."""

    def __init__(self, sources: Sequence[Source], tell: Tell):
        """Start a thread for each source."""
        self._sources = sources
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=source.listen, args=(tell, self._stop), name=source.name) for source in sources
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End the threads and give the devices back."""
        self._stop.set()
        for thread in self._threads:
            thread.join()
        for source in self._sources:
            source.close()
