import host

POLLIN = 1
POLLOUT = 4


class poll:  # noqa: N801
    def __init__(self):
        self._mask = 0

    def register(self, stream, mask):
        self._mask = mask

    def poll(self, timeout):
        return [(None, self._mask)] if (host.readable() if self._mask == POLLIN else host.writable()) else []
