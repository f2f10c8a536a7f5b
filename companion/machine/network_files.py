"""Configuration files by which phones find the table: for mDNS (avahi), for the right to change the network (polkit),
and for names in its own Wi-Fi (dnsmasq).
"""

from collections.abc import Mapping
from pathlib import Path

from companion.machine.table_unit import NAME
from companion.web.http.captive_portal import HOSTS

GATEWAY = "10.42.0.1"
"""The address that NetworkManager gives a machine on a shared network."""


PATHS = (
    Path("/etc/avahi/services") / f"{NAME}.service",
    Path("/etc/polkit-1/rules.d") / f"50-{NAME}.rules",
    Path("/etc/NetworkManager/dnsmasq-shared.d") / f"{NAME}.conf",
)
"""Each is of use only if its folder exists, which is installed with the program that reads it."""


def texts(port: int) -> Mapping[Path, str]:
    """Return the files' texts by path, for a page at this port."""
    return dict(zip(PATHS, (_AVAHI.format(port=port), _POLKIT, _names()), strict=True))


_AVAHI = """\
<?xml version="1.0" standalone="no"?>
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<service-group>
  <name replace-wildcards="yes">%h</name>
  <service>
    <type>_http._tcp</type>
    <port>{port}</port>
    <txt-record></txt-record>
  </service>
</service-group>
"""

_POLKIT = f"""\
polkit.addRule(function(action, subject) {{
  if (action.id.indexOf("org.freedesktop.NetworkManager.") === 0 && subject.user === "{NAME}") {{
    return polkit.Result.YES;
  }}
}});
"""


def _names() -> str:
    """Return dnsmasq's lines for the table's names and those of phones' connectivity checks; others stay unknown."""
    return "".join(f"address=/{name}/{GATEWAY}\n" for name in ("table.local", "table.lan", *HOSTS))
