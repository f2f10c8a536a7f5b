"""What is said to the firmware's port, and how a test waits until its loop has gone round."""

from tests.devices.test_box_protocol import with_crc
from tests.waiting import until


def send_line(port, body):
    port.write(with_crc(body) + b"\n")


def passed(pico, *, steps):
    """Wait until the main loop has gone round so often, and little more."""
    feeds = rounds(pico)
    until(lambda: rounds(pico) > feeds + steps)


def rounds(pico):
    pico.order("count")
    return pico.feeds


def origins(table):
    """Return the boot and the number of each press."""
    return [(boot, int(number)) for boot, _, number in (press.origin.rpartition("-") for press in table.presses)]
