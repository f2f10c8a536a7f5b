"""Settings of drivers that can't be meant are refused, with what is wrong in them."""

import msgspec
import pytest

from companion.devices.drivers import pico, pn532_i2c, pn532_spi, pn532_uart

UART = {"place": "pad", "port": "/dev/ttyUSB0"}


@pytest.mark.parametrize(
    ("kind", "settings", "why"),
    [
        (pico.Buzzers, {"port": "", "seats": [1]}, "port"),
        (pico.Buzzers, {"port": "x", "seats": [1], "speed": 9600}, "speed"),
        (pico.Buzzers, {"port": "x"}, "seats"),
        (pn532_uart.Reader, {**UART, "bauds": 9600}, "bauds"),
        (pn532_uart.Reader, {**UART, "baud": 9600}, "value 9600"),
        (pn532_uart.Reader, {**UART, "reset": 28}, "<= 27"),
        (pn532_spi.Reader, {"place": "pad", "speed": 5_000_001}, "<= 5000000"),
        (pn532_spi.Reader, {"place": "pad", "chip_select": 28}, "<= 27"),
        (pn532_spi.Reader, {"place": "pad", "reset": -1}, ">= 0"),
        (pn532_spi.Reader, {"place": "pad", "sped": 1}, "sped"),
        (pn532_i2c.Reader, {"place": "pad", "multiplexer": 0x78, "channel": 0}, "<= 119"),
        (pn532_i2c.Reader, {"place": "pad", "multiplexer": 0x70, "channel": 8}, "<= 7"),
        (pn532_i2c.Reader, {"place": "pad", "multiplexer": 0x70}, "go together"),
        (pn532_i2c.Reader, {"place": "pad", "channel": 1}, "go together"),
        (pn532_i2c.Reader, {"place": "pad", "multiplexer_reset": 4}, "on a multiplexer"),
    ],
)
def test_settings_that_can_not_be_are_refused(
    kind: type[msgspec.Struct], settings: dict[str, object], why: str
) -> None:
    with pytest.raises(msgspec.ValidationError, match=why):
        msgspec.convert(settings, kind)
